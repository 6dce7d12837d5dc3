//! The input of one run, shared by all the handles that a script holds.

use crate::engine::LONGEST_STRING;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use glosa_metric::pattern::Query;
use glosa_metric::{Glossary, Input, WordLists};
use glosa_text::{Document, Sym, normal_form, orthographic_words};
use rhai::ImmutableString;

use crate::search::{self, WordIndex};

const LONGEST_PHRASE: usize = 500;
/// Bytes of a form, norm or lemma that a script sees; what is longer is no word.
const LONGEST_WORD: usize = 1024;

/// Shared by handles.
pub(crate) type Src = Arc<Source>;

pub(crate) struct Source {
    pub(crate) input: Input,
    pub(crate) query: Option<Arc<Query>>,
    /// Captures of the patterns of all languages.
    pub(crate) captures: Arc<[String]>,
    /// Lists of words of the variant.
    pub(crate) lists: Arc<WordLists>,
    /// Numbers of the sentences, paragraphs, headings and items, found once.
    pub(crate) units: [OnceLock<Arc<[u32]>>; 4],
    strings: Box<[OnceLock<ImmutableString>]>,
    words: OnceLock<WordIndex>,
    run_in_titles: OnceLock<BTreeSet<String>>,
    terms: Mutex<BTreeMap<String, Rows>>,
}

/// Normal forms of the active terms of a glossary, with their rows.
type Rows = HashMap<String, usize>;

impl Source {
    pub(crate) fn new(
        input: &Input,
        query: Option<Arc<Query>>,
        captures: &Arc<[String]>,
        lists: &Arc<WordLists>,
    ) -> Src {
        let strings = (0..input.document.symbols().len()).map(|_| OnceLock::new()).collect();
        Arc::new(Source {
            input: input.clone(),
            query,
            captures: Arc::clone(captures),
            lists: Arc::clone(lists),
            strings,
            words: OnceLock::new(),
            run_in_titles: OnceLock::new(),
            terms: Mutex::default(),
        })
    }

    pub(crate) fn document(&self) -> &Document {
        &self.input.document
    }

    /// The string of a symbol, made once.
    pub(crate) fn string(&self, sym: Sym) -> ImmutableString {
        self.strings[sym.0 as usize].get_or_init(|| cut(self.document().string(sym), LONGEST_WORD).into()).clone()
    }

    /// The row of an active term, by its normal form.
    pub(crate) fn row(&self, glossary: &Glossary, normal: &str) -> Option<usize> {
        let mut terms = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = terms.entry(glossary.key.clone()).or_insert_with(|| {
            let active = glossary.entries.iter().enumerate().rev().filter(|(_, entry)| entry.active);
            active.map(|(row, entry)| (normal_form(&entry.term), row)).collect()
        });
        rows.get(normal).copied()
    }

    /// Whether the orthographic words of a phrase stand in the text one after the other, capitals apart.
    pub(crate) fn has_phrase(&self, phrase: &str) -> bool {
        if phrase.len() > LONGEST_PHRASE {
            return false;
        }
        let wanted: Vec<_> = orthographic_words(phrase).map(|r| normal_form(&phrase[r])).collect();
        self.words.get_or_init(|| WordIndex::new(self.document())).has(&wanted)
    }

    /// Titles that run on into their paragraphs, in lower case.
    pub(crate) fn run_in_titles(&self) -> &BTreeSet<String> {
        self.run_in_titles.get_or_init(|| search::run_in_titles(self.document()))
    }

    /// The text between two bytes.
    pub(crate) fn text(&self, bytes: Range<usize>) -> ImmutableString {
        bounded(self.document().text().get(bytes).unwrap_or("")).into()
    }

    /// The text from the start of one token to the end of another.
    pub(crate) fn text_of_tokens(&self, tokens: &Range<u32>) -> ImmutableString {
        let tokens = self.document().tokens().get(tokens.start as usize..tokens.end as usize);
        match tokens.and_then(|t| Some((t.first()?, t.last()?))) {
            Some((first, last)) => self.text(first.bytes.start as usize..last.bytes.end as usize),
            None => ImmutableString::new(),
        }
    }
}

/// The part of a string that a script may hold: a word of a hundred thousand letters must not fail a report.
pub(crate) fn bounded(text: &str) -> &str {
    cut(text, LONGEST_STRING - 1)
}

fn cut(text: &str, longest: usize) -> &str {
    let mut end = text.len().min(longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
