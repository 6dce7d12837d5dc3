//! What a metric requires of the linguistic runtime, and what a runtime offers.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An ability of the linguistic runtime, per language. Tokens, sentences and paragraphs need no mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Capability {
    /// Syllables of words.
    Syllables,
    /// Dictionary forms.
    Lemma,
    /// Universal parts of speech.
    Pos,
    /// Morphological features.
    Morph,
    /// Making an inflected form.
    Inflect,
    /// Frequency of words.
    Frequency,
    /// Dependency trees.
    Dependency,
}

/// A name that is no capability.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown capability `{0}`: expected syllables, lemma, pos, morph, inflect, frequency or dependency")]
pub struct UnknownCapability(pub String);

impl Capability {
    /// All capabilities in the order of their bits.
    pub const ALL: [Capability; 7] = [
        Capability::Syllables,
        Capability::Lemma,
        Capability::Pos,
        Capability::Morph,
        Capability::Inflect,
        Capability::Frequency,
        Capability::Dependency,
    ];

    /// The name in YAML files.
    pub fn name(self) -> &'static str {
        match self {
            Capability::Syllables => "syllables",
            Capability::Lemma => "lemma",
            Capability::Pos => "pos",
            Capability::Morph => "morph",
            Capability::Inflect => "inflect",
            Capability::Frequency => "frequency",
            Capability::Dependency => "dependency",
        }
    }
}

impl FromStr for Capability {
    type Err = UnknownCapability;

    fn from_str(name: &str) -> Result<Self, UnknownCapability> {
        Capability::ALL.into_iter().find(|c| c.name() == name).ok_or_else(|| UnknownCapability(name.to_owned()))
    }
}

/// A set of capabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs(u64);

impl Needs {
    /// The set with the bits of [`Capability::ALL`]; unknown bits are kept, so that they are never met.
    pub fn from_bits(bits: u64) -> Self {
        Needs(bits)
    }

    /// The bits.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Whether the set holds a capability.
    pub fn has(self, capability: Capability) -> bool {
        self.0 & (1 << capability as u64) != 0
    }

    /// What of this set `offered` lacks.
    pub fn missing(self, offered: Needs) -> Needs {
        Needs(self.0 & !offered.0)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The capabilities of the set.
    pub fn iter(self) -> impl Iterator<Item = Capability> {
        Capability::ALL.into_iter().filter(move |c| self.has(*c))
    }
}

impl FromIterator<Capability> for Needs {
    fn from_iter<I: IntoIterator<Item = Capability>>(capabilities: I) -> Self {
        Needs(capabilities.into_iter().fold(0, |bits, c| bits | 1 << c as u64))
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Capability::name).collect();
        f.write_str(&names.join(", "))
    }
}
