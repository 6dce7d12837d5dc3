//! The properties of each type that scripts see, for messages that name what exists.

use glosa_metric::did_you_mean;

/// Types and their properties.
pub const PROPERTIES: [(&str, &[&str]); 16] = [
    ("Document", &["language", "text", "tokens", "words", "blocks", "sentences", "paragraphs", "headings", "items"]),
    (
        "Token",
        &[
            "index",
            "start",
            "end",
            "form",
            "text",
            "norm",
            "lemma",
            "feats",
            "pos",
            "zipf",
            "is_word",
            "is_number",
            "is_punctuation",
            "capitalised",
            "all_caps",
            "known",
            "space_before",
            "next",
            "previous",
            "sentence",
            "parts",
        ],
    ),
    (
        "Sentence",
        &["index", "is_heading", "start", "end", "text", "tokens", "words", "word_count", "block", "next", "previous"],
    ),
    ("Block", &["index", "kind", "start", "end", "text", "sentences", "tokens", "words", "word_count"]),
    ("Word", &["start", "end", "text", "syllables", "letters", "sentence"]),
    ("List", &["len", "is_empty", "first", "last", "text"]),
    ("Glossary", &["hits", "terms", "len"]),
    ("Term", &["row", "term", "replacement", "alternatives", "note", "kind", "status"]),
    ("Hit", &["tokens", "text", "term", "first", "last", "sentence"]),
    ("Match", &["tokens", "marked", "text", "first", "last", "sentence"]),
    ("Genre", &["free_order", "sections"]),
    ("Section", &["name", "synonyms", "names", "expected", "contents"]),
    ("Tally", &["len", "total"]),
    ("Groups", &["len"]),
    ("Group", &["key", "tokens", "first", "len"]),
    ("Report", &[]),
];

/// What can be said of a property that does not exist.
pub(crate) fn unknown(property: &str, of: &str) -> Option<String> {
    let (_, known) = PROPERTIES.iter().find(|(name, _)| *name == of)?;
    let near = did_you_mean(property, known.iter().copied());
    Some(match near {
        Some(near) => format!("a {of} has no `{property}`; did you mean `{near}`?"),
        None => format!("a {of} has no `{property}`; it has {}", known.join(", ")),
    })
}

/// The property and the type that Rhai's message names.
pub(crate) fn explain(message: &str) -> Option<String> {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let property = quoted.next()?;
    let of = quoted.next()?;
    message.starts_with("Unknown property").then(|| unknown(property, of)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_rhai_are_understood() {
        let message = "Unknown property 'lema' - a getter is not registered for type 'Token'";
        assert_eq!(explain(message).as_deref(), Some("a Token has no `lema`; did you mean `lemma`?"));
        assert_eq!(explain("Division by zero: 1 / 0"), None);
    }
}
