//! Numbers of a variant that are written or read from a threshold, and ranges of them.

use std::str::FromStr;

use crate::yaml::At;
use crate::yaml_reader::{Located, Reader};

/// A number that is written, or read from a threshold.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount<N> {
    /// As it is written.
    Fixed(N),
    /// Name of the threshold.
    Param(Located<String>),
}

impl<N: FromStr> Amount<N> {
    /// Reads `2` or `$name`; anything else is a problem, whose cure is `help`.
    pub(crate) fn read(reader: &mut Reader<'_>, text: &str, at: At, help: &str) -> Option<Amount<N>> {
        if let Some(name) = text.strip_prefix('$') {
            return Some(Amount::Param(Located { value: name.to_owned(), at }));
        }
        match text.parse() {
            Ok(number) => Some(Amount::Fixed(number)),
            Err(_) => {
                reader.problem(at, format!("`{text}` is no number"), help);
                None
            }
        }
    }
}

/// How often a step may stand: `2`, `0..1`, `1..` or `$min..$max`.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// At least so often.
    pub min: Amount<u32>,
    /// At most so often.
    pub max: Amount<u32>,
    /// More than this is not possible, whatever a threshold says.
    pub most: u32,
}

impl Times {
    /// Reads a range of at most `most`; anything else is a problem.
    pub(crate) fn read(reader: &mut Reader<'_>, range: &Located<String>, most: u32) -> Option<Times> {
        let (from, to) = match range.split_once("..") {
            Some((from, to)) => (from.trim(), to.trim()),
            None => (range.trim(), range.trim()),
        };
        let help = "write `2`, `0..1`, `1..` or a threshold such as `0..$max_words`";
        let min = Amount::read(reader, if from.is_empty() { "0" } else { from }, range.at, help);
        let max = if to.is_empty() { Some(Amount::Fixed(most)) } else { Amount::read(reader, to, range.at, help) };
        let (min, max) = (min?, max?);
        let possible = match (&min, &max) {
            (Amount::Fixed(a), Amount::Fixed(b)) => a <= b && *b <= most && *b > 0,
            (Amount::Fixed(a), Amount::Param(_)) => *a <= most,
            (Amount::Param(_), Amount::Fixed(b)) => *b <= most && *b > 0,
            (Amount::Param(_), Amount::Param(_)) => true,
        };
        if !possible {
            reader.problem(
                range.at,
                format!("`{}` is no range of at most {most}", **range),
                format!("write `2`, `0..1` or `1..{most}`, the smaller number first"),
            );
            return None;
        }
        let most = match &max {
            Amount::Fixed(most) => *most,
            Amount::Param(_) => most,
        };
        Some(Times { min, max, most })
    }

    /// `0..1`.
    pub(crate) fn optional() -> Times {
        Times { min: Amount::Fixed(0), max: Amount::Fixed(1), most: 1 }
    }
}
