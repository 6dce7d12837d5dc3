//! Genres: which metrics run, with which thresholds and glossaries, and the recommended structure.
//!
//! The files are mirrored by [`ProfileFile`], [`DomainFile`], [`GenreFile`] and [`StructureFile`]; a [`Catalog`]
//! exists only when all of them were checked against the metrics and glossaries that there are. Reports and catalogue
//! answers read the same resolved [`Plan`], so they cannot disagree.
//!
//! It must never know of: files on disk, dylibs, Rhai, HTTP.

mod build;
mod cascade;
mod catalog;
mod files;
mod plan;

pub use build::{CatalogSources, GenreSource, ProfileSource, StructureSource, Unread};
pub use cascade::{GlossaryShelf, ResolvedGlossary};
pub use catalog::{Catalog, Domain, Genre, GenreEdition, GenreError, MetricScope};
pub use files::{
    DomainFile, GenreFile, Names, OccurrenceFile, ProfileFile, SectionFile, Setting, StructureFile, ThresholdFile,
};
pub use plan::{Plan, Step};
