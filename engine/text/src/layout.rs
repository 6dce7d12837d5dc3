//! The layout of a plain text: paragraphs, headings and list items, found before any linguistics.
//!
//! - If the text has a blank line, blank lines separate paragraphs; otherwise each line is one.
//! - A **list item** is a line that starts with a bullet, `a)`, `1.`, `1)` or a roman numeral and a full stop; lines
//!   that clearly continue it belong to it.
//! - A **heading** is a line of at most [`HEADING_WORDS`] words without final `.`, `;` or `,` that carries Markdown
//!   `#`, section numbering (`1.2 Objeto`) or nothing but capitals, equals a section name of the genre, or stands
//!   alone between blank lines above a text it can head. Closing lines of a letter head nothing, so they are
//!   paragraphs; so is a line that ends in a colon, unless a list follows.

use std::collections::HashSet;
use std::ops::Range;

use crate::norm::fold;
use crate::orthographic_words;

/// A heading has no more orthographic words than this (convention of the catalogue).
pub const HEADING_WORDS: usize = 12;

/// What a block of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Running prose.
    Paragraph,
    /// A title of a section.
    Heading,
    /// One item of a list; it is a sentence unit of its own.
    ListItem,
}

/// A paragraph, heading or list item; `paragraph_index` of a report is its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Bytes of the whole block, markers included, surrounding white space excluded.
    pub bytes: Range<usize>,
    /// Bytes without the bullet, number or Markdown marks.
    pub content: Range<usize>,
}

/// The blocks of a text in reading order; they do not overlap and leave out only white space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The blocks.
    pub blocks: Vec<Block>,
}

struct Line {
    bytes: Range<usize>,
    indented: bool,
    blank_before: bool,
    blank_after: bool,
}

/// A heading or section name as the layout compares them: folded, without numbering, marks and final colon.
pub fn fold_heading(name: &str) -> String {
    let name = name.trim().trim_start_matches('#').trim();
    let name = &name[heading_number(name).unwrap_or(0)..];
    let folded = fold(name);
    let mut words = String::with_capacity(folded.len());
    for range in orthographic_words(&folded) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&folded[range]);
    }
    words
}

fn lines(text: &str) -> (Vec<Line>, bool) {
    let mut found: Vec<Line> = Vec::new();
    let mut any_blank = false;
    let mut blank = true;
    let mut start = 0;
    let mut ends = text.match_indices(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).map(|(at, s)| (at, s.len()));
    loop {
        let (end, next) = ends.next().map_or((text.len(), None), |(at, len)| (at, Some(at + len)));
        let raw = &text[start..end];
        let crlf_tail =
            raw.is_empty() && start > 0 && text.as_bytes()[start - 1] == b'\r' && text[end..].starts_with('\n');
        if !crlf_tail {
            let trimmed = raw.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
            if trimmed.is_empty() {
                if let Some(last) = found.last_mut() {
                    last.blank_after = true;
                }
                blank = true;
            } else {
                let from = start + (trimmed.as_ptr() as usize - raw.as_ptr() as usize);
                any_blank |= blank && !found.is_empty();
                found.push(Line {
                    bytes: from..from + trimmed.len(),
                    indented: from > start && raw.starts_with([' ', '\t']),
                    blank_before: blank,
                    blank_after: next.is_none(),
                });
                blank = false;
            }
        }
        match next {
            Some(next) => start = next,
            None => break,
        }
    }
    if let Some(last) = found.last_mut() {
        last.blank_after = true;
    }
    (found, any_blank)
}

fn bullet(line: &str) -> Option<usize> {
    let mut chars = line.char_indices();
    let (_, first) = chars.next()?;
    let (at, next) = chars.next()?;
    let is_bullet = matches!(first, '-' | '*' | '•' | '◦' | '▪' | '‣' | '–' | '—' | '·' | '●' | '○' | '■' | '✓' | '→');
    (is_bullet && next.is_whitespace()).then_some(at + next.len_utf8())
}

fn marker_end(line: &str, label: usize, marks: &[char]) -> Option<usize> {
    let mark = line[label..].chars().next().filter(|c| marks.contains(c))?;
    let after = label + mark.len_utf8();
    let space = line[after..].chars().next().filter(|c| c.is_whitespace())?;
    Some(after + space.len_utf8())
}

fn enumerator(line: &str) -> Option<usize> {
    let line_body = line.strip_prefix('(').unwrap_or(line);
    let skip = line.len() - line_body.len();
    let digits = line_body.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if skip > 0 { &[')'] } else { &['.', ')'] };
    if (1..=3).contains(&digits) {
        return marker_end(line_body, digits, marks).map(|end| end + skip);
    }
    let letters = line_body.bytes().take_while(u8::is_ascii_alphabetic).count();
    let roman = letters > 0 && letters <= 5 && is_roman(&line_body[..letters]);
    if roman && line_body[..letters].bytes().all(|b| b.is_ascii_uppercase()) && letters > 1 {
        return marker_end(line_body, letters, marks).map(|end| end + skip);
    }
    if letters == 1 || roman {
        return marker_end(line_body, letters, &[')']).map(|end| end + skip);
    }
    None
}

fn is_roman(label: &str) -> bool {
    label.bytes().all(|b| matches!(b.to_ascii_uppercase(), b'I' | b'V' | b'X' | b'L'))
}

fn heading_number(line: &str) -> Option<usize> {
    let mut end = 0;
    let mut parts = 0;
    loop {
        let digits = line[end..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 3 {
            break;
        }
        parts += 1;
        end += digits;
        if line[end..].starts_with('.') {
            end += 1;
        } else {
            break;
        }
    }
    let space = line[end..].chars().next().filter(|c| c.is_whitespace())?;
    (parts > 0).then_some(end + space.len_utf8())
}

fn multi_level(line: &str) -> bool {
    heading_number(line).is_some_and(|end| line[..end].trim().trim_end_matches('.').contains('.'))
}

fn all_capitals(line: &str) -> bool {
    let mut letters = line.chars().filter(|c| c.is_alphabetic()).peekable();
    letters.peek().is_some()
        && line.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && letters.all(|c| !c.is_lowercase())
}

fn may_be_heading(line: &str) -> bool {
    let words = orthographic_words(line).count();
    (1..=HEADING_WORDS).contains(&words) && !line.ends_with(['.', ';', ','])
}

fn markdown(line: &str) -> Option<usize> {
    let marks = line.bytes().take_while(|b| *b == b'#').count();
    let space = line[marks..].chars().next().filter(|c| c.is_whitespace())?;
    (1..=6).contains(&marks).then_some(marks + space.len_utf8())
}

#[derive(Clone, Copy, PartialEq)]
enum Guess {
    Certain,
    Alone,
    Colon,
    No,
}

fn guess(line: &Line, text: &str, known: &HashSet<String>) -> Guess {
    let content = &text[line.bytes.clone()];
    if markdown(content).is_some() {
        return Guess::Certain;
    }
    if !may_be_heading(content) || bullet(content).is_some() {
        return Guess::No;
    }
    let alone = line.blank_before && line.blank_after;
    if multi_level(content)
        || all_capitals(content) && enumerator(content).is_none()
        || known.contains(&fold_heading(content))
    {
        return Guess::Certain;
    }
    match (alone, content.ends_with(':')) {
        (true, false) => Guess::Alone,
        (true, true) => Guess::Colon,
        (false, _) => Guess::No,
    }
}

impl Layout {
    /// Finds the blocks of a text. `known` holds section names of the genre in the form of [`fold_heading`]: a
    /// line that equals one is a heading wherever it stands.
    pub fn new(text: &str, known: &HashSet<String>) -> Layout {
        let (lines, any_blank) = lines(text);
        let mut blocks: Vec<Block> = Vec::new();
        let mut guesses: Vec<Guess> = Vec::new();
        let mut open_paragraph = false;
        for line in &lines {
            let content = &text[line.bytes.clone()];
            if line.blank_before || !any_blank {
                open_paragraph = false;
            }
            let item = bullet(content).or_else(|| enumerator(content));
            let guess = guess(line, text, known);
            if guess == Guess::Certain && (item.is_none() || known.contains(&fold_heading(content))) {
                let skip = markdown(content).or_else(|| heading_number(content)).unwrap_or(0);
                blocks.push(block(BlockKind::Heading, line, skip));
                guesses.push(Guess::Certain);
                open_paragraph = false;
            } else if let Some(skip) = item {
                blocks.push(block(BlockKind::ListItem, line, skip));
                guesses.push(if bullet(content).is_none() { guess } else { Guess::No });
                open_paragraph = false;
            } else if let Some(last) = blocks.last_mut().filter(|b| continues(b, line, text)) {
                last.bytes.end = line.bytes.end;
                last.content.end = line.bytes.end;
            } else if open_paragraph {
                let last = blocks.last_mut().expect("an open paragraph is a block");
                last.bytes.end = line.bytes.end;
                last.content.end = line.bytes.end;
            } else {
                blocks.push(block(BlockKind::Paragraph, line, 0));
                guesses.push(if any_blank { guess } else { Guess::No });
                open_paragraph = any_blank;
            }
        }
        settle(&mut blocks, &guesses, text);
        Layout { blocks }
    }
}

fn block(kind: BlockKind, line: &Line, skip: usize) -> Block {
    Block { kind, bytes: line.bytes.clone(), content: line.bytes.start + skip..line.bytes.end }
}

/// Whether a line that starts nothing goes on with the list item above it.
fn continues(block: &Block, line: &Line, text: &str) -> bool {
    if block.kind != BlockKind::ListItem || line.blank_before {
        return false;
    }
    let ended = text[block.content.clone()].ends_with(['.', ';', ':', '!', '?', ',']);
    let lower = text[line.bytes.clone()].starts_with(char::is_lowercase);
    line.indented || (lower && !ended)
}

/// Decides, from the end, which lines that stand alone head something.
fn settle(blocks: &mut [Block], guesses: &[Guess], text: &str) {
    let mut heads = false;
    let mut list_follows = false;
    for i in (0..blocks.len()).rev() {
        let neighbour_item = |j: Option<usize>| {
            j.and_then(|j| blocks.get(j))
                .is_some_and(|b| b.kind == BlockKind::ListItem && enumerator(&text[b.bytes.clone()]).is_some())
        };
        match (blocks[i].kind, guesses[i]) {
            (BlockKind::Paragraph, Guess::Alone) => {
                if heads {
                    blocks[i].kind = BlockKind::Heading;
                    let content = &text[blocks[i].bytes.clone()];
                    blocks[i].content.start += heading_number(content).unwrap_or(0);
                }
            }
            (BlockKind::Paragraph, Guess::Colon) => {
                if list_follows {
                    blocks[i].kind = BlockKind::Heading;
                } else {
                    heads = true;
                }
            }
            (BlockKind::ListItem, Guess::Alone) => {
                let listed = neighbour_item(i.checked_sub(1)) || neighbour_item(Some(i + 1));
                if heads && !listed {
                    blocks[i].kind = BlockKind::Heading;
                } else {
                    heads = true;
                }
            }
            (BlockKind::Heading, _) => {}
            _ => heads = true,
        }
        list_follows = blocks[i].kind == BlockKind::ListItem;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BlockKind::{Heading as H, ListItem as L, Paragraph as P};

    fn blocks(text: &str) -> Vec<(BlockKind, &str)> {
        let known = HashSet::from(["antecedentes".to_owned()]);
        Layout::new(text, &known).blocks.iter().map(|b| (b.kind, &text[b.content.clone()])).collect()
    }

    #[test]
    fn without_blank_lines_each_line_is_a_paragraph() {
        assert_eq!(blocks("Una.\nDos."), [(P, "Una."), (P, "Dos.")]);
    }

    #[test]
    fn blank_lines_separate_wrapped_paragraphs() {
        assert_eq!(blocks("Una\nlínea.\r\n\r\nDos."), [(P, "Una\nlínea."), (P, "Dos.")]);
    }

    #[test]
    fn headings_of_each_kind() {
        assert_eq!(
            blocks(
                "# Objeto\nTexto.\n\n1.2 Plazo\nTexto.\n\nRECURSOS\nTexto.\nAntecedentes:\nTexto.\n\nQuién puede pedirla\n\nTexto."
            ),
            [
                (H, "Objeto"),
                (P, "Texto."),
                (H, "Plazo"),
                (P, "Texto."),
                (H, "RECURSOS"),
                (P, "Texto."),
                (H, "Antecedentes:"),
                (P, "Texto."),
                (H, "Quién puede pedirla"),
                (P, "Texto.")
            ]
        );
    }

    #[test]
    fn a_letter_has_no_headings() {
        assert_eq!(
            blocks("Estimada señora:\n\nLe escribo hoy.\n\nAtentamente\n\nAna Ruiz"),
            [(P, "Estimada señora:"), (P, "Le escribo hoy."), (P, "Atentamente"), (P, "Ana Ruiz")]
        );
    }

    #[test]
    fn one_line_is_a_paragraph() {
        assert_eq!(blocks("Escribo con el fin de pedir ayuda"), [(P, "Escribo con el fin de pedir ayuda")]);
    }

    #[test]
    fn lists() {
        assert_eq!(
            blocks(
                "Traiga:\n- el DNI,\n  original\n- una foto\n\na) uno\nb) dos\n\n1. Pague.\n2. Firme.\nIV. Cuarto\n(ii) dos"
            ),
            [
                (P, "Traiga:"),
                (L, "el DNI,\n  original"),
                (L, "una foto"),
                (L, "uno"),
                (L, "dos"),
                (L, "Pague."),
                (L, "Firme."),
                (L, "Cuarto"),
                (L, "dos")
            ]
        );
    }

    #[test]
    fn a_numbered_title_alone_is_a_heading() {
        assert_eq!(
            blocks("1. Objeto\n\nEl objeto es este.\n\n2. Plazo\n\nDiez días."),
            [(H, "Objeto"), (P, "El objeto es este."), (H, "Plazo"), (P, "Diez días.")]
        );
    }
}
