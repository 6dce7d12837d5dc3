//! Sentences as people read their analysis: the clauses of each, indented by depth, and its tree, indented by head.

use std::fmt::Write;

use glosa_text::{Clause, Document, NounPhrase, Sentence, Syntax, feature};

/// All sentences of a parsed document, each with its clauses, indented by depth, and its tree, indented by head.
pub(crate) fn trees(document: &Document) -> String {
    let mut out = String::new();
    for (sentence, number) in document.sentences().iter().zip(0..) {
        let text = &document.text()[sentence.bytes.start as usize..sentence.bytes.end as usize];
        let _ = writeln!(out, "{}\n", text.split_whitespace().collect::<Vec<_>>().join(" "));
        let Some(syntax) = document.syntax(number) else { continue };
        for clause in syntax.clauses() {
            let _ = writeln!(out, "{}{}", "  ".repeat(clause.depth.into()), described(document, syntax, clause));
        }
        out.push('\n');
        tree(document, syntax, sentence, &mut out);
        out.push('\n');
    }
    out
}

fn described(document: &Document, syntax: &Syntax, clause: &Clause) -> String {
    let form = |token: u32| document.string(document.tokens()[token as usize].form);
    let slice = |start: u32, end: u32| {
        document
            .slice(document.span_of_tokens(start as usize..end as usize))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut line = format!("{} «{}»", clause.kind, slice(clause.tokens.start, clause.tokens.end));
    if !clause.introducer.is_empty() {
        let _ = write!(line, " · by «{}»", slice(clause.introducer.start, clause.introducer.end));
    }
    match clause.subject {
        Some(subject) => {
            let phrase = NounPhrase::of(document, syntax, subject);
            let _ = write!(line, " · subject «{}»", slice(phrase.tokens.start, phrase.tokens.end));
            let modifiers: Vec<&str> = phrase.modifiers.iter().map(|token| form(*token)).collect();
            if !modifiers.is_empty() {
                let _ = write!(line, " ({}: {})", form(subject), modifiers.join(", "));
            }
        }
        None => {
            let feats = document.string(document.tokens()[clause.finite as usize].feats);
            let of = |name| feature(feats, name).unwrap_or("?");
            let _ = write!(line, " · no subject ({} {})", of("Person"), of("Number"));
        }
    }
    let _ = write!(line, " · verb «{}»", slice(clause.verbs.start, clause.verbs.end));
    if clause.passive {
        line.push_str(" · passive");
    }
    if let Some(agent) = clause.agent {
        let _ = write!(line, " by «{}»", form(agent));
    }
    line
}

fn tree(document: &Document, syntax: &Syntax, sentence: &Sentence, out: &mut String) {
    let roots = sentence.tokens.clone().rev().filter(|token| syntax.head(*token).is_none());
    let mut open: Vec<(u32, usize)> = roots.map(|token| (token, 0)).collect();
    while let Some((number, depth)) = open.pop() {
        let token = &document.tokens()[number as usize];
        let (form, relation) = (document.string(token.form), document.string(syntax.relation(number)));
        let _ = writeln!(out, "{}{form}  {relation} {}", "  ".repeat(depth), token.pos);
        open.extend(syntax.children(number).iter().rev().map(|child| (*child, depth + 1)));
    }
}
