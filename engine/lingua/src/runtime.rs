//! The runtime: one analyser per language over the shipped or given models.

use crate::analysis::{AnalysedSentence, AnalysedToken, AnalysedWord, Analysis};
use crate::contraction::Contractions;
use crate::lexicon::Lexicon;
use crate::models::{LanguageModels, ModelError};
use crate::sentence::{GapScratch, Splitter};
use crate::syllable::Syllables;
use crate::tokenize::Tokenizer;
use glosa_text::{Document, DocumentBuilder, Language, Layout, TokenInput, Upos, normal_form};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What the runtime can say of a language. A metric that needs more is listed as unavailable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Tokens, sentences and syntactic words.
    pub sentences: bool,
    /// Lemmas.
    pub lemma: bool,
    /// Parts of speech and features.
    pub tags: bool,
    /// Syllables.
    pub syllables: bool,
    /// Frequencies of forms and lemmas.
    pub frequency: bool,
    /// Inflection: a form from a lemma and features.
    pub inflection: bool,
    /// Syntactic trees.
    pub syntax: bool,
}

#[derive(Debug)]
struct Analyser {
    tokenizer: Tokenizer,
    splitter: Splitter,
    contractions: Contractions,
    lexicon: Lexicon,
    syllables: Syllables,
}

/// The linguistic runtime. It is immutable and may be shared between threads.
#[derive(Debug)]
pub struct Runtime {
    analysers: Vec<Analyser>,
}

impl Analyser {
    fn new(language: Language, models: LanguageModels) -> Result<Self, ModelError> {
        Ok(Analyser {
            tokenizer: Tokenizer::new(language),
            splitter: Splitter::new(language, models.sentences),
            contractions: Contractions::new(language),
            lexicon: Lexicon::new(models.lexicon, &models.lexicon_table)?,
            syllables: Syllables::new(language),
        })
    }
}

impl Runtime {
    /// The runtime with the shipped models.
    ///
    /// # Errors
    /// [`ModelError`] when a shipped model is damaged.
    pub fn new() -> Result<Self, ModelError> {
        Runtime::with_models(LanguageModels::shipped)
    }

    /// The runtime with the models that `models` gives for each language, for instance with another lexicon.
    ///
    /// # Errors
    /// [`ModelError`] when a model is damaged.
    pub fn with_models(models: impl Fn(Language) -> LanguageModels) -> Result<Self, ModelError> {
        let analysers = Language::ALL.into_iter().map(|l| Analyser::new(l, models(l))).collect::<Result<_, _>>()?;
        Ok(Runtime { analysers })
    }

    fn analyser(&self, language: Language) -> &Analyser {
        match language {
            Language::Es => &self.analysers[0],
            Language::Ca => &self.analysers[1],
            Language::En => &self.analysers[2],
        }
    }

    /// What the runtime can say of a language.
    pub fn capabilities(&self, language: Language) -> Capabilities {
        let analyser = self.analyser(language);
        Capabilities { sentences: true, syllables: true, lemma: !analyser.lexicon.is_empty(), ..Capabilities::default() }
    }

    /// The lexicon of a language.
    pub fn lexicon(&self, language: Language) -> &Lexicon {
        &self.analyser(language).lexicon
    }

    /// Syllables of an orthographic word; 0 for numbers and acronyms, which are not counted.
    pub fn syllables(&self, language: Language, word: &str) -> u16 {
        self.analyser(language).syllables.count(word)
    }

    /// Analyses the blocks of a text (byte ranges in reading order).
    pub fn analyse_blocks(&self, language: Language, text: &str, blocks: &[Range<usize>]) -> Analysis {
        let analyser = self.analyser(language);
        let mut analysis = Analysis::default();
        let mut interner: FxHashMap<String, u32> = FxHashMap::default();
        let mut intern = |analysis: &mut Analysis, s: &str| -> u32 {
            if let Some(&n) = interner.get(s) {
                return n;
            }
            let n = analysis.strings.len() as u32;
            analysis.strings.push(s.to_owned());
            interner.insert(s.to_owned(), n);
            n
        };
        let mut surface = Vec::new();
        let mut scratch = GapScratch::default();
        let mut ends = Vec::new();
        let mut parts = Vec::new();
        for (block, range) in blocks.iter().enumerate() {
            surface.clear();
            analyser.tokenizer.tokenize(text, range.start, range.end, &mut surface);
            analyser.splitter.split(text, &surface, &mut scratch, &mut ends);
            let mut first = analysis.tokens.len();
            for (token, end) in surface.iter().zip(&ends) {
                let bytes = token.start as usize..token.end as usize;
                let form = &text[bytes.clone()];
                let start = analysis.words.len();
                analyser.contractions.split(form, &analyser.lexicon, &mut parts);
                let mut word = |analysis: &mut Analysis, form: &str| {
                    let norm = normal_form(form);
                    let known = analyser.lexicon.is_known(&norm) || analyser.lexicon.is_known(form);
                    let (f, n) = (intern(analysis, form), intern(analysis, &norm));
                    let feats = intern(analysis, "");
                    let pos = Upos::X;
                    analysis.words.push(AnalysedWord { form: f, norm: n, lemma: n, pos, feats, zipf: 0, known });
                };
                if parts.is_empty() {
                    word(&mut analysis, form);
                } else {
                    for part in &parts {
                        word(&mut analysis, part);
                    }
                }
                let words = start..analysis.words.len();
                analysis.tokens.push(AnalysedToken { bytes, words });
                if *end {
                    let tokens = first..analysis.tokens.len();
                    let bytes = analysis.tokens[first].bytes.start..token.end as usize;
                    analysis.sentences.push(AnalysedSentence { block, bytes, tokens });
                    first = analysis.tokens.len();
                }
            }
        }
        analysis
    }

    /// Analyses a text whose layout is known.
    pub fn analyse(&self, language: Language, text: &str, layout: Layout) -> Document {
        let blocks: Vec<Range<usize>> = layout.blocks.iter().map(|b| b.content.clone()).collect();
        let headings: Vec<bool> = layout.blocks.iter().map(|b| b.kind == glosa_text::BlockKind::Heading).collect();
        let analysis = self.analyse_blocks(language, text, &blocks);
        let mut builder = DocumentBuilder::new(language, text, layout);
        let mut open_heading = None;
        for (number, sentence) in analysis.sentences.iter().enumerate() {
            if headings[sentence.block] {
                if open_heading != Some(sentence.block) {
                    open_heading = Some(sentence.block);
                    let last = analysis.sentences[number..].iter().take_while(|s| s.block == sentence.block).last();
                    let end = last.map_or(sentence.bytes.end, |s| s.bytes.end);
                    builder.sentence(sentence.block, sentence.bytes.start..end);
                }
            } else {
                builder.sentence(sentence.block, sentence.bytes.clone());
            }
            for token in &analysis.tokens[sentence.tokens.clone()] {
                let words = analysis.words_of(token);
                let Some(head) = words.first() else { continue };
                let joined: String;
                let norm = if words.len() > 1 {
                    joined = normal_form(&text[token.bytes.clone()]);
                    &joined
                } else {
                    analysis.string(head.norm)
                };
                builder.token(TokenInput {
                    bytes: token.bytes.clone(),
                    norm,
                    lemma: analysis.string(head.lemma),
                    pos: head.pos,
                    feats: analysis.string(head.feats),
                    zipf: head.zipf,
                    known: words.iter().all(|w| w.known),
                });
                if words.len() > 1 {
                    for word in words {
                        let lemma = analysis.string(word.lemma);
                        builder.part(analysis.string(word.form), lemma, word.pos, analysis.string(word.feats));
                    }
                }
            }
        }
        let syllables = &self.analyser(language).syllables;
        builder.finish(|word| syllables.count(word))
    }
}
