//! The small language of pieces; `families.tsv` says what it has.

use crate::material::Material;
use crate::random::Random;

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Place(String),
}

/// A piece of a text with its places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece(Vec<Part>);

fn escape(name: &str) -> Option<char> {
    match name {
        "n" => Some('\n'),
        "r" => Some('\r'),
        "t" => Some('\t'),
        "s" => Some(' '),
        "\\" => Some('\\'),
        _ => None,
    }
}

impl Piece {
    /// Reads a piece as it is written in the table.
    ///
    /// # Panics
    /// On an escape that does not exist: the table is part of the program.
    pub(crate) fn read(written: &str) -> Piece {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = written;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            if c == '\\' {
                if let Some(hex) = rest.strip_prefix("u{") {
                    let (hex, after) = hex.split_once('}').expect("a closing brace");
                    let code = u32::from_str_radix(hex, 16).expect("a hexadecimal number");
                    text.push(char::from_u32(code).expect("a character"));
                    rest = after;
                } else {
                    text.push(escape(&rest[..1]).unwrap_or_else(|| panic!("`\\{}` in {written}", &rest[..1])));
                    rest = &rest[1..];
                }
            } else if let Some((name, after)) = rest.split_once('}').filter(|(name, _)| c == '{' && is_place(name)) {
                parts.push(Part::Text(std::mem::take(&mut text)));
                parts.push(Part::Place(name.to_owned()));
                rest = after;
            } else {
                text.push(c);
            }
        }
        parts.push(Part::Text(text));
        Piece(parts)
    }

    /// A piece without places.
    pub(crate) fn literal(text: String) -> Piece {
        Piece(vec![Part::Text(text)])
    }
}

fn is_place(name: &str) -> bool {
    matches!(name, "n" | "w" | "W" | "s" | "v" | "V" | "w=" | "V=" | "p" | "a" | "u" | "A" | "gl" | "GL")
        || name.starts_with("gl:")
}

/// Fills pieces one after the other.
pub(crate) struct Filler<'m> {
    material: &'m Material,
    terms: Vec<&'m String>,
    random: Random,
    number: usize,
    word: usize,
    sentence: usize,
    term: usize,
    last: String,
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

impl<'m> Filler<'m> {
    pub(crate) fn new(material: &'m Material) -> Self {
        let terms = material.glossaries.values().flatten().collect();
        let random = Random(7);
        Filler { material, terms, random, number: 0, word: 0, sentence: 0, term: 0, last: String::new() }
    }

    /// The next piece; `None` where the language lacks what it asks for.
    pub(crate) fn fill(&mut self, piece: &Piece) -> Option<String> {
        self.number += 1;
        let mut filled = String::new();
        for part in &piece.0 {
            match part {
                Part::Text(text) => filled.push_str(text),
                Part::Place(name) => filled.push_str(&self.place(name)?),
            }
        }
        Some(filled)
    }

    fn place(&mut self, name: &str) -> Option<String> {
        const PUNCTUATION: [char; 24] = [
            '.', ',', ';', ':', '!', '?', '¡', '¿', '(', ')', '[', ']', '«', '»', '“', '”', '"', '\'', '’', '-', '—',
            '…', '/', '·',
        ];
        fn next<'t>(of: &[&'t String], at: &mut usize) -> Option<&'t String> {
            *at += 1;
            of.get((*at - 1) % of.len().max(1)).copied()
        }
        Some(match name {
            "n" => self.number.to_string(),
            "w" | "W" => {
                self.word += 1;
                let words = &self.material.words;
                self.last = words.get((self.word - 1) % words.len())?.clone();
                if name == "W" { self.last.to_uppercase() } else { self.last.clone() }
            }
            "s" => {
                self.sentence += 1;
                let sentences = &self.material.sentences;
                sentences.get((self.sentence - 1) % sentences.len())?.clone()
            }
            "v" => {
                self.last = self.random.word();
                self.last.clone()
            }
            "V" => {
                self.last = capitalised(&self.random.word());
                self.last.clone()
            }
            "w=" | "V=" => self.last.clone(),
            "p" => PUNCTUATION[self.random.below(PUNCTUATION.len())].to_string(),
            "a" => char::from(b' ' + self.random.below(95) as u8).to_string(),
            "u" => self.random.any_char().to_string(),
            "A" => self.random.acronym(),
            "gl" => next(&self.terms, &mut self.term)?.clone(),
            "GL" => next(&self.terms, &mut self.term)?.to_uppercase(),
            key => {
                let terms: Vec<&String> =
                    self.material.glossaries.get(key.strip_prefix("gl:").unwrap_or(key))?.iter().collect();
                next(&terms, &mut self.term)?.clone()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_as_written() {
        let text = |written: &str| match &Piece::read(written).0[..] {
            [Part::Text(text)] => text.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(text("a\\s\\u{301}\\n{b}"), "a \u{301}\n{b}");
        assert_eq!(
            Piece::read("{n}. {gl:connectors}\\n").0,
            [
                Part::Text(String::new()),
                Part::Place("n".into()),
                Part::Text(". ".into()),
                Part::Place("gl:connectors".into()),
                Part::Text("\n".into()),
            ]
        );
    }
}
