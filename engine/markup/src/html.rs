//! HTML: which elements hold blocks, which are hidden, and which characters are written as references.
//!
//! `html5gum` cuts the file into tags, text and comments as the HTML standard says. What it says of text is checked against the file:
//! where the two differ, the text is hidden rather than misplaced.

use std::convert::Infallible;
use std::ops::Range;

use glosa_text::BlockKind;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Token, Tokenizer};

use crate::directive;
use crate::prose::{Held, Writer};
use crate::reading::Marks;

/// Elements that stand apart from the text around them.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];
const HEADINGS: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6"];
/// Elements that hold items or cells.
const LISTS: &[&str] = &["ul", "ol", "menu", "dir", "dl", "table"];
/// Elements that name something beside them, or hold a value.
const LABELS: &[&str] = &["td", "th", "caption", "dt", "dd", "figcaption", "legend", "option", "summary"];
/// Elements whose words are somebody else's, or no prose.
const HIDDEN: &[&str] =
    &["blockquote", "pre", "q", "cite", "code", "kbd", "samp", "var", "tt", "svg", "math", "textarea", "xmp"];
/// Those of them that may stand anywhere, so that one without an end hides nothing beyond its block.
const INLINE: &[&str] = &["q", "cite", "code", "kbd", "samp", "var", "tt"];
/// Elements that readers never see in the text.
const UNSEEN: &[&str] =
    &["script", "style", "template", "title", "noscript", "iframe", "object", "noembed", "noframes"];

enum Event {
    Start { name: String, bytes: Range<usize> },
    End { name: String },
    Text { value: String, bytes: Range<usize> },
    Comment { value: String, bytes: Range<usize> },
}

/// Reads a part of a file as HTML.
pub(crate) fn read(writer: &mut Writer<'_>, marks: &mut Marks, part: Range<usize>) {
    for event in events(writer.source, &part) {
        match event {
            Event::Start { name, bytes } => start(writer, &name, bytes),
            Event::End { name } => end(writer, &name),
            Event::Text { value, bytes } => text(writer, &value, bytes),
            Event::Comment { value, bytes } => {
                if let Some(directive) = directive::parse(&value) {
                    marks.take(writer, directive, bytes);
                }
            }
        }
    }
}

fn events(source: &str, part: &Range<usize>) -> Vec<Event> {
    let mut found: Vec<Event> = Vec::new();
    let base = part.start;
    let place = |span: Span<usize>| base + span.start..base + span.end;
    let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, span: Span<usize>| -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                found.push(Event::Start { name: string(name).to_ascii_lowercase(), bytes: place(span) });
            }
            CallbackEvent::CloseStartTag { .. } => {
                if let Some(Event::Start { bytes, .. }) = found.last_mut() {
                    bytes.end = bytes.end.max(place(span).end);
                }
            }
            CallbackEvent::EndTag { name } => found.push(Event::End { name: string(name).to_ascii_lowercase() }),
            CallbackEvent::String { value } => found.push(Event::Text { value: string(value), bytes: place(span) }),
            CallbackEvent::Comment { value } => found.push(Event::Comment { value: string(value), bytes: place(span) }),
            _ => {}
        }
        None
    });
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(&source[part.clone()], emitter)
        .try_for_each(|token| token.map(|never| match never {}));
    found
}

fn start(writer: &mut Writer<'_>, name: &str, bytes: Range<usize>) {
    if writer.vanishes() && !UNSEEN.contains(&name) {
        return;
    }
    if BLOCKS.contains(&name) {
        writer.end_block();
        writer.uncover_inline();
        if let Some(open) = writer.innermost(&[HEADINGS, LISTS].concat()).map(str::to_owned)
            && HEADINGS.contains(&open.as_str())
        {
            writer.leave(&open);
        }
    }
    match name {
        "li" => {
            if writer.innermost(&[&["li"], LISTS].concat()) == Some("li") {
                writer.leave("li");
            }
            writer.enter("li", Some(Held::Block(BlockKind::ListItem)));
        }
        _ if LABELS.contains(&name) => {
            if let Some(open) = writer.innermost(&[LABELS, LISTS].concat()).map(str::to_owned)
                && LABELS.contains(&open.as_str())
            {
                writer.leave(&open);
            }
            writer.enter(name, Some(Held::Label));
        }
        "br" => writer.space(bytes.clone(), "\n"),
        "img" | "input" | "video" | "audio" | "canvas" => {}
        _ if HEADINGS.contains(&name) => writer.enter(name, Some(Held::Block(BlockKind::Heading))),
        _ if LISTS.contains(&name) => writer.enter(name, None),
        _ => {}
    }
    if HIDDEN.contains(&name) {
        writer.cover(name, INLINE.contains(&name), false);
    } else if UNSEEN.contains(&name) {
        writer.cover(name, false, true);
    }
}

fn end(writer: &mut Writer<'_>, name: &str) {
    if writer.vanishes() && !UNSEEN.contains(&name) {
        return;
    }
    if BLOCKS.contains(&name) {
        writer.end_block();
        writer.uncover_inline();
    }
    if name == "li" || [HEADINGS, LISTS, LABELS].iter().any(|names| names.contains(&name)) {
        writer.leave(name);
    }
    writer.uncover(name);
}

/// A part of a text: so many bytes of the file, read as so many characters.
enum Part {
    Words(Range<usize>),
    Space(Range<usize>),
    Reference(Range<usize>, String),
}

fn text(writer: &mut Writer<'_>, value: &str, bytes: Range<usize>) {
    let Some(slice) = writer.source.get(bytes.clone()) else { return };
    let mut parts = Vec::new();
    let mut read = String::with_capacity(value.len());
    let mut at = 0;
    while let Some(c) = slice[at..].chars().next() {
        let rest = &slice[at..];
        let len;
        if let Some(decoded) = (c == '&').then(|| reference(rest)).flatten() {
            len = decoded.0;
            read.push_str(&decoded.1);
            parts.push(Part::Reference(at..at + len, decoded.1));
        } else if is_space(c) {
            len = rest.find(|c| !is_space(c)).unwrap_or(rest.len());
            read.push_str(&rest[..len].replace("\r\n", "\n").replace('\r', "\n"));
            parts.push(Part::Space(at..at + len));
        } else {
            len = rest[c.len_utf8()..].find(|c| is_space(c) || c == '&').map_or(rest.len(), |n| n + c.len_utf8());
            read.push_str(&rest[..len]);
            parts.push(Part::Words(at..at + len));
        }
        at += len;
    }
    if read != value {
        return writer.hide(bytes);
    }
    let place = |part: Range<usize>| bytes.start + part.start..bytes.start + part.end;
    for part in parts {
        match part {
            Part::Words(part) => writer.text(place(part)),
            Part::Space(part) => {
                let shown = if slice[part.clone()].contains('\n') { "\n" } else { " " };
                let shown = if slice[part.clone()] == *shown { shown } else { " " };
                writer.space(place(part), shown);
            }
            Part::Reference(part, characters) => writer.folded(place(part), &characters),
        }
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{C}')
}

/// The character reference at the start of a text: its length and its characters.
pub(crate) fn reference(text: &str) -> Option<(usize, String)> {
    let name = text[1..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '#')).map_or(text.len(), |n| n + 1);
    let end = if text[name..].starts_with(';') { name + 1 } else { name };
    let candidate = &text[..end];
    let mut read = String::new();
    for Ok(token) in Tokenizer::new(candidate) {
        if let Token::String(string) = token {
            read.push_str(&String::from_utf8_lossy(&string));
        }
    }
    (read != candidate).then_some((end, read))
}
