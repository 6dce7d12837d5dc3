//! What a row of a table or glossary advises at the place where its term stands.

use glosa_text::{Document, Language, Span, Upos};

use crate::pattern::{Condition, keep_case};
use crate::phrases::Hit;
use crate::replacement::form::inflected;
use crate::replacement::{Grammar, position, surroundings};
use crate::{Edit, EntryStatus, Finding, GlossaryEntry, Input, MatchBy};

/// Replacements for one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Advice {
    pub(crate) replacement: Option<String>,
    pub(crate) alternatives: Vec<String>,
    pub(crate) edit: bool,
    /// There are replacements, and none of them is right here.
    pub(crate) withdrawn: bool,
}

/// Replacements as a row writes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowAdvice {
    pub(crate) by: MatchBy,
    /// What else the place has to be like; rows of glossaries ask for it when they are looked for.
    pub(crate) when: Option<Condition>,
    pub(crate) advice: Advice,
}

impl RowAdvice {
    /// What a glossary row says: a term of art keeps its replacement among the alternatives.
    pub(crate) fn of(entry: &GlossaryEntry) -> RowAdvice {
        let mut advice = Advice {
            replacement: entry.replacement.clone(),
            alternatives: entry.alternatives.clone(),
            edit: entry.status == EntryStatus::Safe,
            withdrawn: false,
        };
        if entry.status == EntryStatus::Term {
            advice.alternatives.splice(0..0, advice.replacement.take());
        }
        RowAdvice { by: entry.by, when: None, advice }
    }

    /// The replacements inflected like the word found, joined with what the phrase left over of a contraction, and
    /// with the capitals of the text.
    pub(crate) fn at(&self, hit: &Hit, input: &Input) -> Advice {
        let fit = |text: &String| -> Option<String> {
            let text = match self.by {
                MatchBy::Form => text.clone(),
                _ if joined_pronouns(hit, input) => return None,
                MatchBy::Lemma | MatchBy::Lemmas => inflected(input, text, self.head(hit, input))?,
            };
            let grammar = Grammar { document: &input.document, inflect: &*input.inflect };
            if !position::allows(grammar, &hit.tokens, &text) {
                return None;
            }
            surroundings::around(grammar, &hit.tokens, &text)?;
            let text = join_rest(input, &text, hit);
            Some(keep_case(&text, &input.document, hit.tokens.start, hit.tokens.end))
        };
        let replacement = self.advice.replacement.as_ref().and_then(fit);
        let alternatives: Vec<String> = self.advice.alternatives.iter().filter_map(fit).collect();
        let offered = self.advice.replacement.is_some() || !self.advice.alternatives.is_empty();
        Advice {
            withdrawn: offered && replacement.is_none() && alternatives.is_empty(),
            replacement,
            alternatives,
            edit: self.advice.edit,
        }
    }

    /// The word whose inflection the replacement takes: the first, but the last of an English noun phrase
    /// (*end results*).
    fn head(&self, hit: &Hit, input: &Input) -> u32 {
        let tokens = input.document.tokens();
        let last = hit.tokens.end.saturating_sub(1);
        let pos = |token: u32| tokens.get(token as usize).map(|t| t.pos);
        let head_last = self.by == MatchBy::Lemmas
            && input.document.language() == Language::En
            && pos(last) == Some(Upos::Noun)
            && pos(hit.tokens.start) != Some(Upos::Verb);
        if head_last { last } else { hit.tokens.start }
    }
}

/// Whether the first word of a longer phrase has words joined to it (*bajándolo abajo*), which a replacement would lose.
fn joined_pronouns(hit: &Hit, input: &Input) -> bool {
    let first = input.document.tokens().get(hit.tokens.start as usize);
    hit.tokens.end - hit.tokens.start > 1 && first.is_some_and(|t| !t.parts.is_empty())
}

fn join_rest(input: &Input, text: &str, hit: &Hit) -> String {
    let document = &input.document;
    let Some(last) = document.tokens().get(hit.tokens.end.saturating_sub(1) as usize).filter(|_| hit.rest > 0) else {
        return text.to_owned();
    };
    let parts = &document.parts()[(last.parts.end - hit.rest) as usize..last.parts.end as usize];
    let mut joined = text.to_owned();
    for part in parts {
        let word = document.string(part.form);
        joined =
            if joined.is_empty() { word.to_owned() } else { input.inflect.join(document.language(), &joined, word) };
    }
    joined
}

impl Advice {
    /// Puts the advice on a finding. A replacement that changes nothing is none.
    pub(crate) fn give(self, finding: &mut Finding, span: Span, input: &Input) {
        let document = &input.document;
        let text = document.slice(span);
        let mut seen = vec![text.to_owned()];
        let mut fresh = |candidate: &String| {
            let new = !seen.contains(candidate);
            seen.push(candidate.clone());
            new
        };
        finding.replacement = self.replacement.filter(&mut fresh);
        finding.alternatives = self.alternatives.into_iter().filter(|a| fresh(a)).collect();
        if let (Some(replacement), true) = (&finding.replacement, self.edit) {
            finding.edits = if replacement.is_empty() {
                deletion(document, span).into_iter().collect()
            } else {
                match surroundings::changes(document, &*input.inflect, span, replacement) {
                    Some(around) => [vec![Edit { span, text: replacement.clone() }], around].concat(),
                    None => Vec::new(),
                }
            };
        }
    }
}

/// The edit that takes a phrase away with the space (and, at the start of a sentence, the comma) that belongs to it
/// and gives its capital to the next word.
///
/// Of the two commas around a phrase both go; where the first of them may belong to a clause before it, there is no edit.
fn deletion(document: &Document, span: Span) -> Option<Edit> {
    let text = document.text();
    let bytes = document.bytes_of_span(span);
    let blank = |c: char| c.is_whitespace() && c != '\n' && c != '\r';
    let sentence = document.sentences().iter().find(|s| s.span.start <= span.start && span.start < s.span.end);
    let opens = sentence.is_some_and(|sentence| {
        let before = document.slice(Span { start: sentence.span.start, end: span.start });
        !before.contains(char::is_alphanumeric)
    });
    let mut end = bytes.end;
    if opens {
        let after = text[end..].trim_start_matches(blank);
        if let Some(rest) = after.strip_prefix(',') {
            end = text.len() - rest.len();
        }
    }
    let earlier = text[..bytes.start].trim_end_matches(blank);
    if let (Some(before), Some(_)) =
        (earlier.strip_suffix(','), text[end..].trim_start_matches(blank).strip_prefix(','))
    {
        let from = sentence.map_or(0, |sentence| sentence.bytes.start as usize);
        let first = sentence.and_then(|sentence| document.tokens_of(sentence).first());
        let clause = first
            .is_some_and(|token| matches!(token.pos, Upos::Sconj | Upos::Adp) && document.string(token.norm) != "que");
        if clause || before[from.min(before.len())..].contains(',') {
            return None;
        }
        let rest = text[end..].trim_start_matches(blank).strip_prefix(',').unwrap_or_default();
        return Some(Edit { span: document.span_of_bytes(before.len()..text.len() - rest.len()), text: String::new() });
    }
    let after = text[end..].trim_start_matches(blank);
    let closes = after.is_empty() || after.starts_with(['.', ';', ':', '!', '?', '\n', '\r']);
    if opens && closes {
        // Nothing but the mark would be left of the sentence.
        return None;
    }
    if let Some(before) = earlier.strip_suffix(',').filter(|_| closes) {
        return Some(Edit { span: document.span_of_bytes(before.len()..end), text: String::new() });
    }
    let next = text.len() - after.len();
    let mut start = bytes.start;
    let mut put = String::new();
    if opens && next > end && after.starts_with(char::is_lowercase) {
        let first = after.chars().next().unwrap_or_default();
        put.extend(first.to_uppercase());
        end = next + first.len_utf8();
    } else if next > end && !after.starts_with([',', '.', ';', ':']) {
        end = next;
    } else {
        start = text[..start].trim_end_matches(blank).len();
    }
    Some(Edit { span: document.span_of_bytes(start..end), text: put })
}
