//! `long-sentence`: a sentence with too many words, and the connectors at which it could be split.

use glosa_plugin::{Doc, Failure, Finding, Host, Kind, Language, NativeMetric, Needs};

use crate::connectors::Connectors;
use crate::length::reading_length;

/// The rule; its thresholds are `max_words`, `semicolon_resets`, `collapse_law_citations` and `max_connectors`.
#[derive(Debug, Default)]
pub struct LongSentence;

impl NativeMetric for LongSentence {
    const ID: &'static str = "long-sentence";
    const VERSION: &'static str = "1.2.0";
    const KIND: Kind = Kind::Rule;
    const LANGUAGES: &'static [Language] = &Language::ALL;
    const NEEDS: Needs = Needs::DEPENDENCY;

    fn run(&self, doc: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure> {
        let max_words = host.integer("max_words")?;
        let semicolon = host.flag("semicolon_resets")?;
        let citation = host.flag("collapse_law_citations")?;
        let mut connectors = None;
        for sentence in doc.sentences().filter(|s| s.index().is_some()) {
            host.check_stop()?;
            if i64::from(sentence.word_count()) <= max_words {
                continue;
            }
            let words = reading_length(*doc, sentence, semicolon, citation);
            if words <= max_words {
                continue;
            }
            if connectors.is_none() {
                connectors = Some(Connectors::read(host)?);
            }
            let limit = usize::try_from(host.integer("max_connectors")?).unwrap_or(0);
            let mut finding = Finding::at(sentence.span()).fact("words", words);
            if let Some(divided) = connectors.as_ref().map(|c| c.inside(host, *doc, sentence, limit)) {
                for found in divided.connectors {
                    finding = finding.connector(found.span, found.relation, found.alternatives);
                }
                for (span, text) in divided.edits {
                    finding = finding.edit(span, text);
                }
            }
            host.find(&finding)?;
        }
        Ok(())
    }
}
