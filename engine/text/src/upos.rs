//! The universal parts of speech.

use std::fmt;
use std::str::FromStr;

/// A part of speech of Universal Dependencies, the same set for every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are those of the UD guidelines")]
pub enum Upos {
    Adj,
    Adp,
    Adv,
    Aux,
    Cconj,
    Det,
    Intj,
    Noun,
    Num,
    Part,
    Pron,
    Propn,
    Punct,
    Sconj,
    Sym,
    Verb,
    X,
}

/// A tag that is no universal part of speech.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown part of speech `{0}`: expected a UD tag such as NOUN, VERB or ADP")]
pub struct UnknownUpos(pub String);

impl Upos {
    /// All tags, in the order of their numbers.
    pub const ALL: [Upos; 17] = [
        Upos::Adj,
        Upos::Adp,
        Upos::Adv,
        Upos::Aux,
        Upos::Cconj,
        Upos::Det,
        Upos::Intj,
        Upos::Noun,
        Upos::Num,
        Upos::Part,
        Upos::Pron,
        Upos::Propn,
        Upos::Punct,
        Upos::Sconj,
        Upos::Sym,
        Upos::Verb,
        Upos::X,
    ];

    /// The tag as UD writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Upos::Adj => "ADJ",
            Upos::Adp => "ADP",
            Upos::Adv => "ADV",
            Upos::Aux => "AUX",
            Upos::Cconj => "CCONJ",
            Upos::Det => "DET",
            Upos::Intj => "INTJ",
            Upos::Noun => "NOUN",
            Upos::Num => "NUM",
            Upos::Part => "PART",
            Upos::Pron => "PRON",
            Upos::Propn => "PROPN",
            Upos::Punct => "PUNCT",
            Upos::Sconj => "SCONJ",
            Upos::Sym => "SYM",
            Upos::Verb => "VERB",
            Upos::X => "X",
        }
    }
}

impl fmt::Display for Upos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Upos {
    type Err = UnknownUpos;

    fn from_str(tag: &str) -> Result<Self, UnknownUpos> {
        Upos::ALL.into_iter().find(|u| u.as_str() == tag).ok_or_else(|| UnknownUpos(tag.to_owned()))
    }
}
