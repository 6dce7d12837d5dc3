//! A family of texts, and those of the table.

use glosa_text::Language;

use crate::material::Material;
use crate::piece::{Filler, Piece};
use crate::size::{Growing, Size};

/// Texts of any length that repeat one thing.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its name.
    pub name: String,
    language: Option<Language>,
    pieces: Vec<Piece>,
    /// What follows when the pieces have filled half of the text.
    second: Option<Piece>,
}

const TABLE: &str = include_str!("families.tsv");

/// The families of the table.
pub fn families() -> Vec<Family> {
    TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(Family::read).collect()
}

impl Family {
    fn read(line: &str) -> Family {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, language, piece, ref more @ ..] = columns[..] else { panic!("three columns: {line}") };
        Family {
            name: name.to_owned(),
            language: (language != "*").then(|| language.parse().expect("a language")),
            pieces: vec![Piece::read(piece)],
            second: more.first().map(|piece| Piece::read(piece)),
        }
    }

    /// Texts of one language that write these one after the other.
    pub(crate) fn cycle(name: String, language: Language, pieces: Vec<String>) -> Family {
        let pieces = pieces.into_iter().map(Piece::literal).collect();
        Family { name, language: Some(language), pieces, second: None }
    }

    /// The longest text of the family within a size; `None` where the language has none.
    pub fn text(&self, material: &Material, size: Size) -> Option<String> {
        if self.language.is_some_and(|language| language != material.language) {
            return None;
        }
        let mut grown = Growing::default();
        let mut filler = Filler::new(material);
        let mut empty = 0;
        for piece in self.pieces.iter().cycle() {
            let half = if self.second.is_some() { size.over(2) } else { size };
            let piece = filler.fill(piece)?;
            empty = if piece.is_empty() { empty + 1 } else { 0 };
            if empty > self.pieces.len() || !grown.push(&piece, half) {
                break;
            }
        }
        if let Some(second) = &self.second {
            while grown.push(&filler.fill(second)?, size) {}
        }
        Some(grown.text)
    }
}
