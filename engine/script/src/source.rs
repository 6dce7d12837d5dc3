//! The input of one run, shared by all the handles that a script holds.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use glosa_metric::pattern::Query;
use glosa_metric::{Input, WordLists};
use glosa_text::{Document, Sym, normal_form, orthographic_words};
use rhai::ImmutableString;

use crate::engine::LONGEST_STRING;
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
    strings: Arc<Strings>,
}

/// Strings of one document as scripts hold them; all scripts share them.
struct Strings {
    symbols: Box<[OnceLock<ImmutableString>]>,
    units: [OnceLock<Arc<[u32]>>; 4],
    words: OnceLock<WordIndex>,
    run_in_titles: OnceLock<BTreeSet<String>>,
    quoted: OnceLock<Vec<bool>>,
}

impl Source {
    pub(crate) fn new(
        input: &Input,
        query: Option<Arc<Query>>,
        captures: &Arc<[String]>,
        lists: &Arc<WordLists>,
    ) -> Src {
        let strings = input.views.kept(|| Strings {
            symbols: (0..input.document.symbols().len()).map(|_| OnceLock::new()).collect(),
            units: Default::default(),
            words: OnceLock::new(),
            run_in_titles: OnceLock::new(),
            quoted: OnceLock::new(),
        });
        let (captures, lists) = (Arc::clone(captures), Arc::clone(lists));
        Arc::new(Source { input: input.clone(), query, captures, lists, strings })
    }

    /// Numbers of the sentences, paragraphs, headings and items, found once.
    pub(crate) fn units(&self) -> &[OnceLock<Arc<[u32]>>; 4] {
        &self.strings.units
    }

    pub(crate) fn document(&self) -> &Document {
        &self.input.document
    }

    /// The string of a symbol, made once.
    pub(crate) fn string(&self, sym: Sym) -> ImmutableString {
        let string = || cut(self.document().string(sym), LONGEST_WORD).into();
        self.strings.symbols[sym.0 as usize].get_or_init(string).clone()
    }

    /// Whether the orthographic words of a phrase stand in the text one after the other, capitals apart.
    pub(crate) fn has_phrase(&self, phrase: &str) -> bool {
        if phrase.len() > LONGEST_PHRASE {
            return false;
        }
        let wanted: Vec<_> = orthographic_words(phrase).map(|r| normal_form(&phrase[r])).collect();
        self.strings.words.get_or_init(|| WordIndex::new(self.document())).has(&wanted)
    }

    /// Titles that run on into their paragraphs, in lower case.
    pub(crate) fn run_in_titles(&self) -> &BTreeSet<String> {
        self.strings.run_in_titles.get_or_init(|| search::run_in_titles(self.document()))
    }

    /// Whether a quotation is open before a token in its sentence.
    pub(crate) fn is_quoted(&self, token: u32) -> bool {
        let quoted = self.strings.quoted.get_or_init(|| search::quoted(self.document()));
        quoted.get(token as usize).copied().unwrap_or(false)
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
