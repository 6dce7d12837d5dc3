//! `long-paragraph`: a paragraph with too many words or sentences.

use glosa_plugin::{BlockKind, Doc, Failure, Finding, Host, Kind, Language, NativeMetric};

/// The rule; its thresholds are `max_words` and `max_sentences`.
#[derive(Debug, Default)]
pub struct LongParagraph;

fn quoted(text: &str) -> bool {
    let text = text.trim();
    let opens = text.starts_with(['«', '“', '"']);
    let closes = text.trim_end_matches(['.', ',', ';']).ends_with(['»', '”', '"']);
    opens && closes
}

impl NativeMetric for LongParagraph {
    const ID: &'static str = "long-paragraph";
    const VERSION: &'static str = "1.0.0";
    const KIND: Kind = Kind::Rule;
    const LANGUAGES: &'static [Language] = &Language::ALL;

    fn run(&self, doc: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure> {
        let max_words = host.integer("max_words")?;
        let max_sentences = host.integer("max_sentences")?;
        for block in doc.blocks().filter(|b| b.kind() == BlockKind::Paragraph) {
            let words = i64::from(block.word_count());
            let sentences = block.sentences().filter(|s| s.index().is_some()).count() as i64;
            if (words > max_words || sentences > max_sentences) && !quoted(block.content()) {
                let finding = Finding::at(block.span()).fact("words", words).fact("sentences", sentences);
                host.find(&finding)?;
            }
        }
        Ok(())
    }
}
