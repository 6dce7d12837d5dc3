//! Replacement templates: `{name}`, `{name.column}`, `{inflect(verb.lemma, 'Tense=Pres', verb)}`, `{name ? 'yes' : 'no'}`.

use std::sync::Arc;

use glosa_text::{Document, Span, Upos, normal_form, overlaid};

use super::build::Builder;
use super::query::{Capture, Match, Query};
use super::step::FEATURES;
use crate::problem::valid_names;
use crate::yaml_reader::Located;
use crate::{Capability, GlossaryEntry, Input, ParamValue, WordList, agreement, features};

/// A template whose names are those of its pattern.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Value(Value),
    /// The form of a lemma that a captured word has, with other features, in agreement with further words.
    Inflect {
        lemma: Value,
        changes: String,
        like: u32,
        with: Vec<u32>,
    },
    /// One text where a step covered something, another where it did not.
    Either {
        name: u32,
        yes: Value,
        no: Value,
    },
}

#[derive(Clone, Debug)]
enum Value {
    Text(String),
    Match,
    Capture(u32),
    Column(u32, String),
    Rest(u32),
    /// What a list says of a word.
    Lookup(Arc<WordList>, Box<Value>),
}

const FORMS: &str = "write `{name}`, `{name.column}`, `{name.lemma}`, `{name.rest}`, `{name ? 'text' : 'other'}`, `{inflect(name.column, like)}`, `{lookup($list, name)}` or `{inflect(name.column, 'Mood=Ind|Tense=Pres', like)}`";

/// Columns of every captured word, and of every captured term beside those of its glossary.
const OF_WORDS: [&str; 3] = ["lemma", "norm", "rest"];
const OF_TERMS: [&str; 3] = ["term", "replacement", "note"];

impl Template {
    /// Reads a template; names that no step has are problems.
    pub(crate) fn build(builder: &mut Builder<'_, '_>, source: &Located<String>) -> Template {
        let mut parts = Vec::new();
        let mut rest = source.value.as_str();
        while let Some(open) = rest.find('{') {
            push_text(&mut parts, &rest[..open]);
            rest = &rest[open + 1..];
            if let Some(after) = rest.strip_prefix('{') {
                push_text(&mut parts, "{");
                rest = after;
                continue;
            }
            let Some(close) = rest.find('}') else {
                builder.reader.problem(source.at, "`{` without `}`", format!("{FORMS}; `{{{{` is a brace"));
                rest = "";
                break;
            };
            let inside = rest[..close].trim();
            rest = &rest[close + 1..];
            parts.extend(part(builder, source, inside));
        }
        push_text(&mut parts, rest);
        Template { parts }
    }

    /// The replacement of a match, its capitals kept; `None` where a capture, a column or an inflected form is
    /// missing, or where a pronoun that is joined to a verb of the match would be lost.
    pub(crate) fn fill(&self, query: &Query, hit: &Match, input: &Input) -> Option<String> {
        let lost = self.lost_pronouns(hit, input)?;
        let text = self.filled(query, hit, input, &lost)?;
        let document = &input.document;
        let (start, end) = (hit.marked.start, hit.marked.end);
        let same = || {
            let marked = document.span_of_tokens(start as usize..end as usize);
            normal_form(&text) == normal_form(document.slice(marked))
        };
        // A template that changes nothing but capitals means them, but for the one that opens a sentence.
        if start < end && !opens_sentence(document, start) && same() {
            return Some(text);
        }
        Some(keep_case(&text, document, start, end))
    }

    /// The pronouns joined to verbs of the match that no part of the template shows; `None` where nothing can take them.
    fn lost_pronouns(&self, hit: &Match, input: &Input) -> Option<Vec<String>> {
        let document = &input.document;
        let shows = |value: &Value, token: u32| match value {
            Value::Match => true,
            Value::Capture(name) => hit.capture(*name as usize).is_some_and(|found| found.tokens.contains(&token)),
            Value::Rest(name) => hit.capture(*name as usize).is_some_and(|found| found.tokens.end == token + 1),
            Value::Text(_) | Value::Column(..) | Value::Lookup(..) => false,
        };
        let shown = |token: u32| {
            self.parts.iter().any(|part| match part {
                Part::Value(value) => shows(value, token),
                Part::Either { yes, no, .. } => shows(yes, token) || shows(no, token),
                Part::Text(_) | Part::Inflect { .. } => false,
            })
        };
        let with = hit.marked.clone().filter(|token| !joined_pronouns(document, *token).is_empty() && !shown(*token));
        let with: Vec<u32> = with.collect();
        let verbs = self.parts.iter().filter(|part| matches!(part, Part::Inflect { .. })).count();
        match with[..] {
            [] => Some(Vec::new()),
            [token] if verbs == 1 => Some(joined_pronouns(document, token)),
            _ => None,
        }
    }

    /// The text of a match as it stands inside a sentence.
    pub(crate) fn text(&self, query: &Query, hit: &Match, input: &Input) -> Option<String> {
        self.filled(query, hit, input, &[])
    }

    /// The text of a match; `pronouns` go with its inflected verb.
    fn filled(&self, query: &Query, hit: &Match, input: &Input, pronouns: &[String]) -> Option<String> {
        let mut text = String::new();
        for part in &self.parts {
            let piece = match part {
                Part::Value(Value::Rest(number)) => {
                    text = hit.capture(*number as usize).map_or(text.clone(), |found| with_rest(input, &text, found));
                    continue;
                }
                Part::Value(value @ Value::Column(number, column)) if column == "replacement" => {
                    text.push_str(&value.text(query, hit, input)?);
                    if let Some(found) = hit.capture(*number as usize).filter(|found| found.rest > 0) {
                        text = with_rest(input, &text, found);
                    }
                    continue;
                }
                Part::Text(piece) => piece.clone(),
                Part::Value(value) => value.text(query, hit, input)?,
                Part::Inflect { lemma, changes, like, with } => {
                    let lemma = lemma.lemma(query, hit, input)?;
                    let like = hit.capture(*like as usize)?;
                    let with = with.iter().filter_map(|name| hit.capture(*name as usize)).map(|c| c.tokens.start);
                    let (form, feats) = inflect_with(input, &lemma, like.tokens.start, changes, with)?;
                    with_pronouns(input, form, &feats, pronouns, hit.marked.start)?
                }
                Part::Either { name, yes, no } => {
                    let chosen = if hit.capture(*name as usize).is_some() { yes } else { no };
                    chosen.text(query, hit, input)?
                }
            };
            append(&mut text, &piece, input);
        }
        Some(tidy(&text))
    }
}

/// Puts a piece behind a text; where a space parts them, their words meet as the language writes them: `de` and `el` make
/// `del`.
fn append(text: &mut String, piece: &str, input: &Input) {
    let parted = text.ends_with(' ') || piece.starts_with(' ');
    let (left, right) = (text.trim_end(), piece.trim_start());
    if parted && !left.is_empty() && right.starts_with(char::is_alphabetic) {
        *text = input.inflect.join(input.document.language(), left, right);
    } else {
        text.push_str(piece);
    }
}

fn push_text(parts: &mut Vec<Part>, text: &str) {
    if !text.is_empty() {
        parts.push(Part::Text(text.to_owned()));
    }
}

fn part(builder: &mut Builder<'_, '_>, source: &Located<String>, inside: &str) -> Option<Part> {
    if let [name, choice] = outside_quotes(inside, '?')[..] {
        let [yes, no] = outside_quotes(choice, ':')[..] else {
            builder.reader.problem(source.at, format!("`{{{inside}}}` has no `:` for the other case"), FORMS);
            return None;
        };
        let name = capture(builder, source, name)?;
        return Some(Part::Either { name, yes: value(builder, source, yes)?, no: value(builder, source, no)? });
    }
    if quoted(inside).is_some() {
        return value(builder, source, inside).map(Part::Value);
    }
    if inside.starts_with("lookup(") {
        return value(builder, source, inside).map(Part::Value);
    }
    let Some((function, arguments)) = inside.split_once('(') else {
        return value(builder, source, inside).map(Part::Value);
    };
    let arguments = outside_quotes(arguments.trim_end().strip_suffix(')').unwrap_or(arguments), ',');
    match (function.trim(), &arguments[..]) {
        ("inflect", [lemma, rest @ .., like]) if rest.len() < 4 => {
            builder.needs.push(Capability::Inflect);
            builder.needs.push(Capability::Morph);
            let lemma = value(builder, source, lemma)?;
            let (changes, likes) = match rest {
                [changes, likes @ ..] if quoted(changes).is_some() => (quoted(changes).unwrap_or_default(), likes),
                likes => ("", likes),
            };
            known_features(builder, source, changes);
            let mut words = Vec::new();
            for name in likes.iter().chain([like]) {
                words.push(capture(builder, source, name)?);
            }
            let like = words.remove(0);
            Some(Part::Inflect { lemma, changes: changes.to_owned(), like, with: words })
        }
        _ => {
            builder.reader.problem(source.at, format!("`{{{inside}}}` is nothing that a template can show"), FORMS);
            None
        }
    }
}

/// The text between quotation marks.
fn quoted(text: &str) -> Option<&str> {
    ['\'', '"']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote)))
}

/// The parts of a text between marks that stand outside quotation marks and parentheses, without the space around them.
fn outside_quotes(text: &str, mark: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut open = None;
    let mut from = 0;
    let mut depth = 0u32;
    for (at, c) in text.char_indices() {
        match open {
            Some(quote) if c == quote => open = None,
            None if c == '\'' || c == '"' => open = Some(c),
            None if c == '(' => depth += 1,
            None if c == ')' => depth = depth.saturating_sub(1),
            None if c == mark && depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

fn known_features(builder: &mut Builder<'_, '_>, source: &Located<String>, changes: &str) {
    for pair in changes.split('|').filter(|pair| !pair.is_empty()) {
        let (name, wanted) = pair.split_once('=').unwrap_or((pair, ""));
        let Some((_, values)) = FEATURES.iter().find(|(known, _)| *known == name) else {
            let help = valid_names(name, FEATURES.iter().map(|(name, _)| *name));
            builder.reader.problem(source.at, format!("unknown feature `{name}`"), help);
            continue;
        };
        if !wanted.is_empty() && !values.is_empty() && !values.contains(&wanted) {
            let help = valid_names(wanted, values.iter().copied());
            builder.reader.problem(source.at, format!("`{name}` has no value `{wanted}`"), help);
        }
    }
}

/// A column that no captured word can have is a problem.
fn known_column(builder: &mut Builder<'_, '_>, source: &Located<String>, name: u32, column: &str) {
    let glossaries = builder.terms[name as usize].clone();
    let mut known: Vec<String> = OF_WORDS.map(str::to_owned).to_vec();
    if !glossaries.is_empty() {
        known.extend(OF_TERMS.map(str::to_owned));
    }
    for glossary in glossaries {
        match (builder.context.columns)(&builder.glossaries[glossary as usize]) {
            Some(columns) => known.extend(columns),
            None => return,
        }
    }
    if !known.iter().any(|k| k == column) {
        let help = valid_names(column, known.iter().map(String::as_str));
        let name = &builder.names[name as usize];
        builder.reader.problem(source.at, format!("`{name}` has no column `{column}`"), help);
    }
}

/// The list of a name, which must say something of its words.
fn lookup_list(builder: &mut Builder<'_, '_>, source: &Located<String>, name: &str) -> Option<Arc<WordList>> {
    let Some(list) = builder.word_list(name, source.at) else {
        if !builder.is_unknown(name, source.at) {
            let message = format!("`${name}` is a threshold, and `lookup` reads a list");
            builder.reader.problem(source.at, message, "name a list of `lists:`");
        }
        return None;
    };
    if list.entries().iter().all(|entry| entry.value.is_none()) {
        let message = format!("the list `{name}` says nothing of its words");
        builder.reader.problem(source.at, message, "write it as a map from word to value: `{imposible: posible}`");
    }
    Some(list)
}

fn value(builder: &mut Builder<'_, '_>, source: &Located<String>, inside: &str) -> Option<Value> {
    if let Some(text) = quoted(inside) {
        return Some(Value::Text(text.to_owned()));
    }
    if let Some(arguments) = inside.strip_prefix("lookup(").and_then(|rest| rest.strip_suffix(')')) {
        let ([list, word], Some(_)) = (&outside_quotes(arguments, ',')[..], arguments.trim().strip_prefix('$')) else {
            builder.reader.problem(source.at, format!("`{inside}` reads no list"), "write `lookup($list, name)`");
            return None;
        };
        let list = lookup_list(builder, source, list.trim_start_matches('$'))?;
        return Some(Value::Lookup(list, Box::new(value(builder, source, word)?)));
    }
    match inside.split_once('.') {
        Some((name, column)) => {
            let number = capture(builder, source, name)?;
            known_column(builder, source, number, column.trim());
            Some(match column.trim() {
                "rest" => Value::Rest(number),
                column => Value::Column(number, column.to_owned()),
            })
        }
        None if inside == "match" => Some(Value::Match),
        None => capture(builder, source, inside).map(Value::Capture),
    }
}

fn capture(builder: &mut Builder<'_, '_>, source: &Located<String>, name: &str) -> Option<u32> {
    let found = builder.names.iter().position(|n| n == name.trim());
    if found.is_none() {
        builder.unknown_capture(&Located { value: name.trim().to_owned(), at: source.at });
    }
    found.map(|n| n as u32)
}

impl Value {
    fn text(&self, query: &Query, hit: &Match, input: &Input) -> Option<String> {
        match self {
            Value::Text(text) => Some(text.clone()),
            Value::Match => Some(slice(&input.document, hit.tokens.start, hit.tokens.end)),
            Value::Capture(number) => match hit.capture(*number as usize) {
                Some(found) => Some(slice(&input.document, found.tokens.start, found.tokens.end)),
                None => Some(String::new()),
            },
            Value::Column(number, column) => match hit.capture(*number as usize) {
                Some(found) => column_of(query, found, column, input),
                None => Some(String::new()),
            },
            Value::Lookup(list, word) => {
                let found = word.keys(query, hit, input).iter().find_map(|key| list.entry(key)?.value.clone())?;
                first_text(&found)
            }
            Value::Rest(number) => {
                Some(hit.capture(*number as usize).map_or(String::new(), |found| with_rest(input, "", found)))
            }
        }
    }

    /// What a list is asked for: the words of a capture as they stand, then the lemma of the first.
    fn keys(&self, query: &Query, hit: &Match, input: &Input) -> Vec<String> {
        let lemma = matches!(self, Value::Capture(_)).then(|| self.lemma(query, hit, input)).flatten();
        self.text(query, hit, input).into_iter().chain(lemma).collect()
    }

    fn lemma(&self, query: &Query, hit: &Match, input: &Input) -> Option<String> {
        match self {
            Value::Capture(number) => {
                let found = hit.capture(*number as usize)?;
                column_of(query, found, "lemma", input)
            }
            other => other.text(query, hit, input),
        }
    }
}

/// A value of a list as a text; the first of several.
fn first_text(value: &ParamValue) -> Option<String> {
    match value {
        ParamValue::Text(text) => Some(text.clone()),
        ParamValue::List(texts) => texts.first().cloned(),
        ParamValue::Integer(number) => Some(number.to_string()),
        ParamValue::Number(number) => Some(number.to_string()),
        ParamValue::Flag(flag) => Some(flag.to_string()),
    }
}

/// A text followed by the syntactic words that a capture leaves over of its last token: the article of `del`.
fn with_rest(input: &Input, text: &str, found: &Capture) -> String {
    let document = &input.document;
    let last = document.tokens().get(found.tokens.end.saturating_sub(1) as usize);
    let parts = last.map_or(0..0, |token| token.parts.start as usize..token.parts.end as usize);
    let mut joined = text.trim_end().to_owned();
    let over = if found.rest > 0 { found.rest as usize } else { parts.len().saturating_sub(1) };
    for part in &document.parts()[parts.end - over..parts.end] {
        let word = document.string(part.form);
        joined = match joined.is_empty() {
            true => word.to_owned(),
            false => input.inflect.join(document.language(), &joined, word),
        };
    }
    if joined == text.trim_end() { text.to_owned() } else { joined }
}

fn column_of(query: &Query, found: &Capture, column: &str, input: &Input) -> Option<String> {
    let entry = found.entry(query, input);
    let of_row = entry.and_then(|entry| row_column(entry, column));
    let first = || input.document.tokens().get(found.tokens.start as usize);
    of_row.or_else(|| match column {
        "lemma" => first().map(|t| input.document.string(t.lemma).to_owned()),
        "norm" => first().map(|t| input.document.string(t.norm).to_owned()),
        _ => None,
    })
}

fn row_column(entry: &GlossaryEntry, column: &str) -> Option<String> {
    match column {
        "term" => Some(entry.term.clone()),
        "replacement" => entry.replacement.clone(),
        "note" => entry.note.clone(),
        _ => entry.data.get(column).cloned(),
    }
}

/// Text of tokens as it would stand inside a sentence: the capital of a sentence's first word is taken away unless
/// the word is a name.
fn slice(document: &Document, from: u32, to: u32) -> String {
    let text = document.slice(document.span_of_tokens(from as usize..to as usize));
    let Some(first) = document.tokens().get(from as usize).filter(|_| from < to) else {
        return text.to_owned();
    };
    let opens = document.sentences()[first.sentence as usize].tokens.start == from;
    if opens && first.flags.capitalised() && first.pos != Upos::Propn && !shouted(document, from, to) {
        let mut chars = text.chars();
        return chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect();
    }
    text.to_owned()
}

fn shouted(document: &Document, from: u32, to: u32) -> bool {
    let tokens = &document.tokens()[from as usize..to as usize];
    let words = || tokens.iter().filter(|t| t.flags.word());
    let letters: u32 = words().map(|t| t.span.len()).sum();
    letters > 1 && words().all(|t| t.flags.all_caps())
}

/// `lemma` with the inflection of a token.
///
/// Pronouns joined to the token go along; `None` where nobody can say how.
pub(crate) fn inflect_like(input: &Input, lemma: &str, token: u32) -> Option<String> {
    let (form, feats) = inflect_with(input, lemma, token, "", std::iter::empty())?;
    let document = &input.document;
    // The pronoun of a pronominal verb (*personar-se*, *personarse*) belongs to the term that is replaced.
    let pronominal = document.tokens().get(token as usize).is_some_and(|token| {
        let lemma = document.string(token.lemma);
        lemma.ends_with("-se") || lemma.ends_with("rse")
    });
    let pronouns = if pronominal { Vec::new() } else { joined_pronouns(document, token) };
    with_pronouns(input, form, &feats, &pronouns, token)
}

/// The weak pronouns that are one word with the verb of a token: *le* of *enviarle*.
pub(crate) fn joined_pronouns(document: &Document, token: u32) -> Vec<String> {
    let Some(token) = document.tokens().get(token as usize) else { return Vec::new() };
    let parts = &document.parts()[token.parts.start as usize..token.parts.end as usize];
    match parts {
        [verb, pronouns @ ..]
            if matches!(verb.pos, Upos::Verb | Upos::Aux) && pronouns.iter().all(|p| p.pos == Upos::Pron) =>
        {
            pronouns.iter().map(|part| document.string(part.form).to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// A verb form with pronouns, in the place of a token.
pub(crate) fn with_pronouns(
    input: &Input,
    form: String,
    feats: &str,
    pronouns: &[String],
    token: u32,
) -> Option<String> {
    if pronouns.is_empty() {
        return Some(form);
    }
    let document = &input.document;
    let tokens = document.tokens();
    let here = tokens.get(token as usize)?;
    let before = token.checked_sub(1).and_then(|before| tokens.get(before as usize));
    let before = before.filter(|before| before.sentence == here.sentence).map(|before| document.string(before.norm));
    let pronouns: Vec<&str> = pronouns.iter().map(String::as_str).collect();
    input.inflect.attach(document.language(), &form, feats, &pronouns, before)
}

/// A verb form with the weak pronouns that are one word with the verb of a token, *archivándose* for *procediéndose*; `None` where
/// nobody can say how they are written.
pub fn with_joined_pronouns(input: &Input, form: String, feats: &str, token: u32) -> Option<String> {
    with_pronouns(input, form, feats, &joined_pronouns(&input.document, token), token)
}

/// `lemma` with the inflection of a token, number and gender of others and some features of its own; the form and its
/// features.
fn inflect_with(
    input: &Input,
    lemma: &str,
    token: u32,
    changes: &str,
    with: impl Iterator<Item = u32>,
) -> Option<(String, String)> {
    let document = &input.document;
    let token = document.tokens().get(token as usize)?;
    let mut model = document.string(token.feats).to_owned();
    for other in with {
        let other = document.tokens().get(other as usize)?;
        model = overlaid(&model, &agreement(document.string(other.feats)));
    }
    let feats = if changes.is_empty() { model } else { features(&model, changes) };
    let form = input.inflect.inflect(document.language(), lemma, token.pos.as_str(), &feats)?;
    Some((form, feats))
}

fn tidy(text: &str) -> String {
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A replacement with the capitals of the place that it replaces; one that changes nothing but capitals stays as it is.
pub fn keep_capitals(replacement: &str, document: &Document, span: Span) -> String {
    if normal_form(replacement) == normal_form(document.slice(span)) {
        return replacement.to_owned();
    }
    let tokens = document.tokens();
    let from = tokens.partition_point(|token| token.span.end <= span.start);
    let to = tokens.partition_point(|token| token.span.start < span.end).max(from);
    keep_case(replacement, document, from as u32, to as u32)
}

/// Whether a place is a single capital letter inside a sentence, so that its capital says nothing of what stands there instead.
fn stands_for_itself(document: &Document, from: u32, to: u32) -> bool {
    let form = document.tokens()[from as usize].form;
    to == from + 1 && document.string(form).chars().count() == 1 && !opens_sentence(document, from)
}

/// Whether no word stands before a token in its sentence.
fn opens_sentence(document: &Document, token: u32) -> bool {
    let start = document.sentences()[document.tokens()[token as usize].sentence as usize].tokens.start;
    !document.tokens()[start as usize..token as usize].iter().any(|token| token.flags.word())
}

/// The replacement with the capitals of what it replaces: all capitals, or a capital first letter.
pub(crate) fn keep_case(replacement: &str, document: &Document, from: u32, to: u32) -> String {
    let capitalised = document.tokens().get(from as usize).is_some_and(|token| token.flags.capitalised());
    if !capitalised || stands_for_itself(document, from, to) {
        return replacement.to_owned();
    }
    if shouted(document, from, to) {
        return replacement.to_uppercase();
    }
    let mut chars = replacement.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}
