//! Native family: rules that read whole sentences and paragraphs.
//!
//! What is said about them in reports, their thresholds and their word lists are data: `rules/long-sentence`,
//! `rules/long-paragraph` and the glossary `connectors`.

mod connectors;
mod length;
mod long_paragraph;
mod long_sentence;

use glosa_plugin::export_plugin;

pub use long_paragraph::LongParagraph;
pub use long_sentence::LongSentence;

export_plugin! { name: sentences, metrics: [LongSentence, LongParagraph] }
