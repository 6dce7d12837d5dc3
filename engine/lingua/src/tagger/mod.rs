//! The tagger: a linear model over hashed features that chooses among the tags a word can have.
//!
//! A tag is a part of speech with its features. What is known of a form without its context is a [`FormFacts`], among it
//! the candidates, which come from the training data and the lexicon; a word with one candidate costs nothing. A
//! [`Position`] is a form in its sentence. The weight of a feature for a tag lies at `base(feature) + number of the tag`,
//! so that all weights of a feature are neighbours in memory. The trainer runs this same code over floating-point weights.

mod candidates;
mod decode;
mod facts;
mod features;
mod form;
mod tables;
mod weights;

pub use candidates::{CandidateSource, Candidates};
pub use facts::FormFacts;
pub use features::Position;
pub use form::{ending, ending_key, form_keys, general_form, general_tag, lemma_key, lower_form, shape};
pub use tables::TagTables;
pub use weights::{CompandedWeights, FeatureSet, Weights};

use crate::cluster::Clusters;
use crate::lexicon::Lexicon;
use glosa_text::{Upos, has_feature};
use rustc_hash::FxHashMap;

/// Number of a tag in a model.
pub type TagId = u16;
/// No tag: the history before the first word.
pub const NO_TAG: TagId = u16::MAX;
/// Slots of the parts of speech before those of the tags.
pub const UPOS_SLOTS: usize = 18;

/// A tag table bound to a lexicon.
#[derive(Debug)]
pub struct TagModel {
    /// The tables.
    pub tables: TagTables,
    /// Tags of each lexicon tag, by its number in the lexicon.
    by_lexicon: Vec<Vec<TagId>>,
    upos: Vec<u8>,
    clusters: Clusters,
    marks_slips: bool,
}

impl TagModel {
    /// Binds the tables to a lexicon and word clusters.
    pub fn new(tables: TagTables, lexicon: &Lexicon, clusters: Clusters) -> Self {
        let by_name: FxHashMap<&str, &Vec<TagId>> =
            tables.lexicon_tags.iter().map(|(name, tags)| (&**name, tags)).collect();
        let by_lexicon = lexicon
            .tags()
            .iter()
            .map(|name| {
                by_name.get(&**name).or_else(|| by_name.get(general_tag(name))).map_or_else(Vec::new, |t| (*t).clone())
            })
            .collect();
        let upos = tables.tags.iter().map(|(upos, _)| *upos as u8).collect();
        let marks_slips = tables.tags.iter().any(|(_, feats)| has_feature(feats, "Typo", "Yes"));
        TagModel { tables, by_lexicon, upos, clusters, marks_slips }
    }

    /// Whether the treebank of the language marks slips of the pen.
    pub fn marks_slips(&self) -> bool {
        self.marks_slips
    }

    /// The tags that a lexicon tag (by number) can stand for.
    pub fn of_lexicon_tag(&self, tag: u16) -> &[TagId] {
        self.by_lexicon.get(usize::from(tag)).map_or(&[], Vec::as_slice)
    }

    /// The path of a form in the tree of word clusters, or that of its lower-case form; 0 where neither is known.
    pub fn cluster(&self, form: &str, lower: &str) -> u32 {
        match self.clusters.path(form) {
            0 => self.clusters.path(lower),
            path => path,
        }
    }

    /// Part of speech of a tag.
    pub fn upos(&self, tag: TagId) -> Upos {
        self.tables.tags[usize::from(tag)].0
    }

    /// FEATS string of a tag.
    pub fn feats(&self, tag: TagId) -> &str {
        &self.tables.tags[usize::from(tag)].1
    }
}
