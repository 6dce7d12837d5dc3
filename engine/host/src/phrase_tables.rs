//! Phrases as the runtime sees them in texts: their tokens, and the index that finds them.

use std::collections::BTreeMap;
use std::sync::Arc;

use glosa_lingua::Runtime;
use glosa_metric::Problem;
use glosa_metric::pattern::Condition;
use glosa_metric::phrases::{PhraseIndex, PhraseIndexBuilder};
use glosa_text::{Block, BlockKind, Language, Layout, normal_form};

use crate::glossary_files::Shelves;

/// The conditions of the rows of glossaries, by language, table and row.
pub(crate) type Conditions = BTreeMap<(Language, u32, usize), Arc<Condition>>;

/// A word before which others are elided, in each of the languages that elide; in those that do not, nothing is.
const AFTER_ELISION: &str = "aigua";

/// The normal forms of the tokens of a phrase, as the runtime sees it inside a sentence: what an apostrophe at the end of
/// the phrase belongs to shows only before a word.
pub(crate) fn tokenise(runtime: &Runtime, language: Language, phrase: &str) -> Vec<String> {
    if phrase.ends_with(['\'', '’']) {
        let mut longer = tokens_of(runtime, language, &format!("{phrase}{AFTER_ELISION}"));
        let after = longer.pop();
        if after.as_deref() == Some(AFTER_ELISION) && ends_word(&longer) {
            return longer;
        }
        // «womens'»: an apostrophe that ends a word before another one.
        let mut longer = analysed(runtime, language, &format!("{phrase} {AFTER_ELISION}"));
        longer.pop();
        if ends_word(&longer) {
            return longer;
        }
    }
    tokens_of(runtime, language, phrase)
}

/// Whether an apostrophe ends the last token and is not all of it.
fn ends_word(tokens: &[String]) -> bool {
    tokens.last().is_some_and(|last| last.len() > 1 && last.ends_with('\''))
}

/// The normal forms of the tokens of a text after analysis, which puts an apostrophe to the word before it.
fn analysed(runtime: &Runtime, language: Language, text: &str) -> Vec<String> {
    let block = Block { kind: BlockKind::Paragraph, bytes: 0..text.len(), content: 0..text.len() };
    let document = runtime.analyse(language, text, Layout { blocks: vec![block] });
    document.tokens().iter().map(|token| document.string(token.norm).to_owned()).collect()
}

fn tokens_of(runtime: &Runtime, language: Language, phrase: &str) -> Vec<String> {
    let norms = runtime.normal_forms(language, phrase);
    if norms.is_empty() { phrase.split_whitespace().map(normal_form).collect() } else { norms }
}

/// The phrase tables of all languages as one index each.
pub(crate) fn indexes(
    runtime: &Runtime,
    shelves: &Shelves,
    conditions: &Conditions,
    problems: &mut Vec<Problem>,
) -> BTreeMap<Language, Arc<PhraseIndex>> {
    let mut indexes = BTreeMap::new();
    for (language, tables) in &shelves.tables {
        let split = |phrase: &str| tokenise(runtime, *language, phrase);
        let elided = |word: &str| {
            let before_vowel = runtime.join(*language, word, AFTER_ELISION);
            before_vowel.strip_suffix(AFTER_ELISION).filter(|left| left.ends_with('\'')).map(str::to_owned)
        };
        let mut builder = PhraseIndexBuilder::new(&split).eliding(&elided);
        for (number, rows) in tables {
            let mut rows = rows.to_vec();
            for (row, at) in rows.iter_mut().zip(0..) {
                row.when = conditions.get(&(*language, *number, at)).cloned();
            }
            builder.table(*number, rows);
        }
        match builder.build() {
            Ok(index) => drop(indexes.insert(*language, Arc::new(index))),
            Err(errors) => {
                for error in errors {
                    let glosa_metric::phrases::PhraseError::Empty { table, .. } = &error;
                    let file = shelves.files.get(&(*language, *table)).cloned();
                    problems.push(
                        Problem::of(file.unwrap_or_else(|| "glossaries".into()), error.to_string())
                            .help("give the row a term"),
                    );
                }
            }
        }
    }
    indexes
}
