//! The runtime: one analyser per language over the shipped or given models.

use crate::analysis::{AnalysedArc, AnalysedSentence, AnalysedToken, AnalysedWord, Analysis};
use crate::cluster::Clusters;
use crate::composed::Composed;
use crate::contraction::Contractions;
use crate::frequency::{Frequencies, Unit};
use crate::frequent::{FrequentForms, SeenForm, Split};
use crate::inflect::Inflection;
use crate::junction::join;
use crate::lemma::{LemmaSources, LemmaTables};
use crate::lexicon::Lexicon;
use crate::models::{LanguageModels, ModelError};
use crate::on_demand::OnDemand;
use crate::parser::features::ParserWord;
use crate::parser::{Parser, ParserScratch};
use crate::sentence::{GapScratch, Splitter};
use crate::slip::{Slip, with_mark};
use crate::spelling::{Repair, Speller};
use crate::syllable::Syllables;
use crate::tagger::{CompandedWeights, FormFacts, TagId, TagModel, TagTables, lower_form};
use crate::tokenize::Tokenizer;
use glosa_text::{Document, DocumentBuilder, Language, Layout, TokenInput, Upos, normal_form};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// A sentence longer than this is tagged in pieces, so that memory stays bounded.
const LONGEST_PIECE: usize = 4096;

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
pub(crate) struct Tagger {
    pub(crate) model: TagModel,
    weights: CompandedWeights,
    lemmas: LemmaTables,
}

/// What the runtime knows of one language.
#[derive(Debug)]
pub(crate) struct Analyser {
    language: Language,
    tokenizer: Tokenizer,
    splitter: Splitter,
    contractions: Contractions,
    lexicon: Lexicon,
    syllables: Syllables,
    frequencies: Frequencies,
    inflection: Inflection,
    speller: Speller,
    frequent: FrequentForms,
    pub(crate) tagger: Option<Tagger>,
    pub(crate) parser: Option<Parser>,
}

/// The linguistic runtime. What it says never changes, and it may be shared between threads.
#[derive(Debug)]
pub struct Runtime {
    analysers: Vec<Arc<Analyser>>,
}

impl Analyser {
    fn new(language: Language, models: LanguageModels) -> Result<Self, ModelError> {
        let lexicon = Lexicon::new(models.lexicon, &models.lexicon_table)?;
        let tagger = if models.tags.is_empty() || models.weights.is_empty() || models.features.is_empty() {
            None
        } else {
            let clusters = Clusters::from_bytes(&models.clusters)?;
            let model = TagModel::new(TagTables::from_bytes(&models.tags)?, &lexicon, clusters);
            let lemmas = if models.lemmas.is_empty() {
                LemmaTables::default()
            } else {
                LemmaTables::from_bytes(&models.lemmas)?
            };
            Some(Tagger { model, weights: CompandedWeights::new(models.weights, models.features)?, lemmas })
        };
        let parser = match &tagger {
            Some(_) if !models.parser.is_empty() => Some(Parser::new(models.parser)?),
            _ => None,
        };
        Ok(Analyser {
            language,
            tokenizer: Tokenizer::new(language),
            splitter: Splitter::new(language, models.sentences),
            contractions: Contractions::new(language),
            lexicon,
            syllables: Syllables::new(language),
            frequencies: Frequencies::new(models.frequency)?,
            inflection: Inflection::new(language),
            speller: Speller::new(language),
            frequent: FrequentForms::default(),
            tagger,
            parser,
        })
    }
}

impl Analyser {
    /// What the models say of a form by itself.
    fn look_at(&self, form: &str, split: Split) -> SeenForm {
        let mut words = Vec::new();
        let mut clitics = false;
        match split {
            Split::Never | Split::Clitic => {}
            Split::Alone => clitics = self.contractions.split(form, &self.lexicon, &mut words),
            Split::Before => self.contractions.split_before(form, &mut words),
        }
        let norm = normal_form(form);
        let slips = self.tagger.as_ref().is_some_and(|tagger| tagger.model.marks_slips()) && words.is_empty();
        let slip = if slips { Slip::find(&self.lexicon, &self.frequencies, form) } else { None };
        let meant = slip.as_ref().map_or(form, |slip| &slip.meant);
        let lower = lower_form(meant);
        let facts = self.tagger.as_ref().map_or_else(FormFacts::default, |tagger| {
            let mut facts = tagger.model.facts(&self.lexicon, meant, None);
            if split == Split::Clitic {
                tagger.model.leave_out(&mut facts, Upos::Det);
            }
            tagger.model.prepare(&tagger.weights, &mut facts);
            facts
        });
        let other_norm = norm != lower || self.tagger.is_none();
        let known = slip.is_none() && (facts.known || other_norm && self.lexicon.is_known(&norm));
        let zipf = self.frequencies.zipf(Unit::Form, &norm);
        SeenForm { norm, slip, lower, facts, known, zipf, words, clitics, lemmas: Mutex::default() }
    }

    fn zipf_of_lemma(&self, lemma: &str) -> u8 {
        let own = self.frequencies.zipf(Unit::Lemma, lemma);
        if own > 0 { own } else { self.frequencies.zipf(Unit::Form, &normal_form(lemma)) }
    }
}

/// A distinct form of one text.
struct FormEntry {
    form: u32,
    norm: u32,
    seen: Arc<SeenForm>,
    parts: Vec<u32>,
}

/// Distinct forms and strings of one text.
#[derive(Default)]
struct Forms {
    numbers: [FxHashMap<String, u32>; 3],
    entries: Vec<FormEntry>,
    strings: FxHashMap<String, u32>,
    lemmas: FxHashMap<(u32, TagId), (u32, u8)>,
    feats: Vec<Option<u32>>,
}

impl Forms {
    fn intern(&mut self, analysis: &mut Analysis, string: &str) -> u32 {
        if let Some(&number) = self.strings.get(string) {
            return number;
        }
        let number = analysis.strings.len() as u32;
        analysis.strings.push(string.to_owned());
        self.strings.insert(string.to_owned(), number);
        number
    }

    fn number(&mut self, analyser: &Analyser, analysis: &mut Analysis, form: &str, split: Split) -> u32 {
        if let Some(&number) = self.numbers[split.table()].get(form) {
            return number;
        }
        let seen = match analyser.frequent.get(form, split) {
            Some(seen) => seen,
            None => analyser.frequent.keep(form, split, Arc::new(analyser.look_at(form, split))),
        };
        let how = |place: usize| if seen.clitics && place > 0 { Split::Clitic } else { Split::Never };
        let parts: Vec<u32> =
            seen.words.iter().enumerate().map(|(i, word)| self.number(analyser, analysis, word, how(i))).collect();
        let entry =
            FormEntry { form: self.intern(analysis, form), norm: self.intern(analysis, &seen.norm), seen, parts };
        let number = self.entries.len() as u32;
        self.entries.push(entry);
        self.numbers[split.table()].insert(form.to_owned(), number);
        number
    }

    fn word(&mut self, analyser: &Analyser, analysis: &mut Analysis, number: u32, tag: TagId) -> AnalysedWord {
        let Some(tagger) = &analyser.tagger else {
            let feats = self.intern(analysis, "");
            let entry = &self.entries[number as usize];
            let (form, norm, zipf, known) = (entry.form, entry.norm, entry.seen.zipf, entry.seen.known);
            return AnalysedWord { form, norm, lemma: norm, pos: Upos::X, feats, zipf, known };
        };
        let (lemma, lemma_zipf) = if let Some(&found) = self.lemmas.get(&(number, tag)) {
            found
        } else {
            let entry = &self.entries[number as usize];
            let written = &analysis.strings[entry.form as usize];
            let (lemma, zipf) = entry.seen.lemma(tag, |seen| {
                let form = seen.slip.as_ref().map_or(written.as_str(), |slip| &slip.meant);
                let sources = LemmaSources {
                    language: analyser.language,
                    model: &tagger.model,
                    lexicon: &analyser.lexicon,
                    frequencies: &analyser.frequencies,
                };
                let lemma = tagger.lemmas.lemma(sources, form, &seen.lower, tag);
                let zipf = analyser.zipf_of_lemma(&lemma);
                (lemma.into(), zipf)
            });
            let found = (self.intern(analysis, &lemma), zipf);
            self.lemmas.insert((number, tag), found);
            found
        };
        let at = usize::from(tag);
        if self.feats.len() <= at {
            self.feats.resize(at + 1, None);
        }
        let own = tagger.model.feats(tag);
        let feats = if let Some(slip) = &self.entries[number as usize].seen.slip {
            let marked = with_mark(own, slip.mark);
            self.intern(analysis, &marked)
        } else if let Some(feats) = self.feats[at] {
            feats
        } else {
            let feats = self.intern(analysis, own);
            self.feats[at] = Some(feats);
            feats
        };
        let entry = &self.entries[number as usize];
        AnalysedWord {
            form: entry.form,
            norm: entry.norm,
            lemma,
            pos: tagger.model.upos(tag),
            feats,
            zipf: entry.seen.zipf.max(lemma_zipf),
            known: entry.seen.known,
        }
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
        let analysers =
            Language::ALL.into_iter().map(|l| Analyser::new(l, models(l)).map(Arc::new)).collect::<Result<_, _>>()?;
        Ok(Runtime { analysers })
    }

    fn analyser(&self, language: Language) -> &Arc<Analyser> {
        match language {
            Language::Es => &self.analysers[0],
            Language::Ca => &self.analysers[1],
            Language::En => &self.analysers[2],
        }
    }

    /// What the runtime can say of a language.
    pub fn capabilities(&self, language: Language) -> Capabilities {
        let analyser = self.analyser(language);
        Capabilities {
            sentences: true,
            syllables: true,
            lemma: analyser.tagger.is_some(),
            tags: analyser.tagger.is_some(),
            frequency: !analyser.frequencies.is_empty(),
            inflection: !analyser.lexicon.is_empty(),
            syntax: analyser.parser.is_some(),
        }
    }

    /// The lexicon of a language.
    pub fn lexicon(&self, language: Language) -> &Lexicon {
        &self.analyser(language).lexicon
    }

    /// Syllables of an orthographic word; 0 for numbers and acronyms, which are not counted.
    pub fn syllables(&self, language: Language, word: &str) -> u16 {
        self.analyser(language).syllables.count(word)
    }

    /// Zipf frequency of a form (times 10; 0 is unknown).
    pub fn zipf_of_form(&self, language: Language, form: &str) -> u8 {
        self.analyser(language).frequencies.zipf(Unit::Form, &normal_form(form))
    }

    /// Zipf frequency of a lemma: of all its forms together (times 10; 0 is unknown).
    pub fn zipf_of_lemma(&self, language: Language, lemma: &str) -> u8 {
        self.analyser(language).zipf_of_lemma(lemma)
    }

    /// The form of `lemma` that has the features `feats` as a word of the part of speech `pos`; give those of a word
    /// to imitate it. Features that the paradigm lacks are left aside: a noun keeps its own gender. `None` when the
    /// form is not known.
    ///
    /// ```
    /// # use glosa_lingua::Runtime;
    /// # use glosa_text::{Language, Upos};
    /// let runtime = Runtime::new().unwrap();
    /// let future = "Mood=Ind|Number=Plur|Person=1|Tense=Fut|VerbForm=Fin";
    /// assert_eq!(runtime.inflect(Language::Es, "usar", Upos::Verb, future).as_deref(), Some("usaremos"));
    /// assert_eq!(runtime.inflect(Language::Es, "xyz", Upos::Verb, future), None);
    /// ```
    pub fn inflect(&self, language: Language, lemma: &str, pos: Upos, feats: &str) -> Option<String> {
        let analyser = self.analyser(language);
        analyser.inflection.inflect(&analyser.lexicon, &analyser.frequencies, lemma, pos, feats)
    }

    /// The past participles of a verb in all genders and numbers.
    ///
    /// ```
    /// # use glosa_lingua::Runtime;
    /// # use glosa_text::Language;
    /// let runtime = Runtime::new().unwrap();
    /// assert_eq!(runtime.participles(Language::Es, "abrir"), ["abierto", "abierta", "abiertos", "abiertas"]);
    /// assert_eq!(runtime.participles(Language::En, "write"), ["written"]);
    /// ```
    pub fn participles(&self, language: Language, verb: &str) -> Vec<String> {
        let analyser = self.analyser(language);
        analyser.inflection.participles(&analyser.lexicon, &analyser.frequencies, verb)
    }

    /// What the lexicon says that a form may be, whatever stands around it: part of speech, lemma and features. Empty where
    /// it does not know the form.
    pub fn readings(&self, language: Language, form: &str) -> Vec<(Upos, String, String)> {
        let lexicon = self.lexicon(language);
        let tag = |reading: &crate::lexicon::Reading| &*lexicon.tags()[usize::from(reading.tag)];
        let standard = lexicon.readings(form).iter().any(|reading| !crate::inflect::is_dialect(tag(reading)));
        let wanted = |reading: &&crate::lexicon::Reading| !standard || !crate::inflect::is_dialect(tag(reading));
        let all = lexicon.readings(form).iter().filter(wanted).filter_map(|reading| {
            let (pos, feats) = crate::inflect::described(language, tag(reading))?;
            Some((pos, lexicon.lemma(form, *reading)?, feats))
        });
        all.collect()
    }

    /// The known words that an unknown one may have been meant for, the likeliest first; empty where the word is known. A word
    /// that is made of known ones as the language makes words is repaired only where the repair is cheap and frequent.
    ///
    /// ```
    /// # use glosa_lingua::Runtime;
    /// # use glosa_text::Language;
    /// let runtime = Runtime::new().unwrap();
    /// assert_eq!(runtime.repairs(Language::Es, "tambien")[0].form, "también");
    /// assert_eq!(runtime.repairs(Language::Es, "rápidamente"), []);
    /// ```
    pub fn repairs(&self, language: Language, word: &str) -> Vec<Repair> {
        let analyser = self.analyser(language);
        let word = normal_form(word);
        let mut repairs = analyser.speller.repairs(&analyser.lexicon, &analyser.frequencies, &word);
        let likely = |repair: &Repair| repair.accents || repair.cost <= 5 && repair.zipf >= 40;
        if repairs.iter().any(|repair| !likely(repair))
            && analyser.speller.is_formed(&analyser.lexicon, &analyser.frequencies, &word)
        {
            repairs.retain(likely);
        }
        repairs
    }

    /// Those of the repairs of a word that change nothing but accents.
    pub fn accents(&self, language: Language, word: &str) -> Vec<Repair> {
        let analyser = self.analyser(language);
        analyser.speller.accents(&analyser.lexicon, &analyser.frequencies, &normal_form(word))
    }

    /// Two words side by side as the language writes them: `de` and `el` make `del`.
    pub fn join(&self, language: Language, left: &str, right: &str) -> String {
        join(language, left, right)
    }

    /// The frequencies of a language.
    pub fn frequencies(&self, language: Language) -> &Frequencies {
        &self.analyser(language).frequencies
    }

    /// The normal forms of the tokens of a text, without their analysis.
    pub fn normal_forms(&self, language: Language, text: &str) -> Vec<String> {
        let composed = Composed::of(text, std::slice::from_ref(&(0..text.len())));
        let text = composed.as_ref().map_or(text, |composed| composed.copy.as_str());
        let mut surface = Vec::new();
        self.analyser(language).tokenizer.tokenize(text, 0, text.len(), &mut surface);
        let forms = surface.iter().map(|token| &text[token.start as usize..token.end as usize]);
        forms.map(normal_form).collect()
    }

    /// Analyses the blocks of a text (byte ranges in reading order).
    pub fn analyse_blocks(&self, language: Language, text: &str, blocks: &[Range<usize>]) -> Analysis {
        let analyser = self.analyser(language);
        let mut analysis = Analysis::default();
        let mut forms = Forms::default();
        let mut surface = Vec::new();
        let mut scratch = GapScratch::default();
        let mut ends = Vec::new();
        let mut numbers: Vec<u32> = Vec::new();
        let mut positions = Vec::new();
        let mut tags: Vec<TagId> = Vec::new();
        for (block, range) in blocks.iter().enumerate() {
            surface.clear();
            analyser.tokenizer.tokenize(text, range.start, range.end, &mut surface);
            analyser.splitter.split(text, &surface, &mut scratch, &mut ends);
            let mut first = analysis.tokens.len();
            let mut first_word = analysis.words.len();
            numbers.clear();
            for (at, (token, end)) in surface.iter().zip(&ends).enumerate() {
                let bytes = token.start as usize..token.end as usize;
                let form = &text[bytes.clone()];
                let next = surface.get(at + 1).map_or("", |t| &text[t.start as usize..t.end as usize]);
                let split = if analyser.contractions.depends(form, next) { Split::Before } else { Split::Alone };
                let number = forms.number(analyser, &mut analysis, form, split);
                let start = first_word + numbers.len();
                let parts = &forms.entries[number as usize].parts;
                if parts.is_empty() {
                    numbers.push(number);
                } else {
                    numbers.extend_from_slice(parts);
                }
                analysis.tokens.push(AnalysedToken { bytes, words: start..first_word + numbers.len() });
                if *end || numbers.len() >= LONGEST_PIECE {
                    if let Some(tagger) = &analyser.tagger {
                        let facts: Vec<&FormFacts> =
                            numbers.iter().map(|n| &forms.entries[*n as usize].seen.facts).collect();
                        tagger.model.positions(&tagger.weights, &facts, false, &mut positions);
                        tagger.model.tag(&tagger.weights, &positions, &mut tags);
                    } else {
                        tags.clear();
                        tags.resize(numbers.len(), 0);
                    }
                    for (number, tag) in numbers.iter().zip(&tags) {
                        let word = forms.word(analyser, &mut analysis, *number, *tag);
                        analysis.words.push(word);
                    }
                    first_word = analysis.words.len();
                    numbers.clear();
                }
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

    /// Finds the trees of an analysis; nothing happens in a language without a parser. What needs no trees need not
    /// pay for them.
    pub fn parse(&self, language: Language, analysis: &mut Analysis) {
        let analyser = self.analyser(language);
        let (Some(parser), Some(tagger)) = (&analyser.parser, &analyser.tagger) else { return };
        let mut scratch = ParserScratch::default();
        let mut arcs = Vec::with_capacity(analysis.words.len());
        for sentence in &analysis.sentences {
            for word in analysis.words_of_sentence(sentence) {
                let key = [word.form, word.lemma, word.feats, word.pos as u32];
                let describe = |keys: &mut Vec<u32>| {
                    let form = analysis.string(word.form);
                    let lower = &*lower_form(form);
                    let (lemma, feats) = (analysis.string(word.lemma), analysis.string(word.feats));
                    let (upos, cluster) = (word.pos.as_str(), tagger.model.cluster(form, lower));
                    ParserWord { form, lower, lemma, upos, feats, cluster }.keys(keys);
                };
                parser.push(key, &mut scratch, describe);
            }
            parser.parse(&mut scratch, &mut arcs);
        }
        let mut names: FxHashMap<u16, u32> = FxHashMap::default();
        for (head, relation) in arcs {
            let relation = *names.entry(relation).or_insert_with(|| {
                analysis.strings.push(parser.relation(relation).to_owned());
                analysis.strings.len() as u32 - 1
            });
            analysis.tree.push(AnalysedArc { head, relation });
        }
    }

    /// The document with a parser that finds the tree and the clauses of a sentence when somebody asks for them; the same
    /// document in a language without a parser. A surface token stands for that of its words which is highest in the tree.
    pub fn parse_document(&self, document: Document) -> Document {
        let analyser = self.analyser(document.language());
        let (Some(parser), Some(_)) = (&analyser.parser, &analyser.tagger) else { return document };
        document.with_parser(parser.relations(), |relations| Arc::new(OnDemand::new(Arc::clone(analyser), relations)))
    }

    /// Analyses a text whose layout is known. How its letters are composed makes no difference.
    pub fn analyse(&self, language: Language, text: &str, layout: Layout) -> Document {
        let blocks: Vec<Range<usize>> = layout.blocks.iter().map(|b| b.content.clone()).collect();
        let headings: Vec<bool> = layout.blocks.iter().map(|b| b.kind == glosa_text::BlockKind::Heading).collect();
        let composed = Composed::of(text, &blocks);
        let analysis = match &composed {
            None => self.analyse_blocks(language, text, &blocks),
            Some(composed) => self.analyse_blocks(language, &composed.copy, &composed.blocks),
        };
        let own = |bytes: Range<usize>| match &composed {
            None => bytes,
            Some(composed) => composed.byte(text, bytes.start)..composed.byte(text, bytes.end),
        };
        let mut builder = DocumentBuilder::new(language, text, layout);
        let mut open_heading = None;
        for (number, sentence) in analysis.sentences.iter().enumerate() {
            if headings[sentence.block] {
                if open_heading != Some(sentence.block) {
                    open_heading = Some(sentence.block);
                    let last = analysis.sentences[number..].iter().take_while(|s| s.block == sentence.block).last();
                    let end = last.map_or(sentence.bytes.end, |s| s.bytes.end);
                    builder.sentence(sentence.block, own(sentence.bytes.start..end));
                }
            } else {
                builder.sentence(sentence.block, own(sentence.bytes.clone()));
            }
            for token in &analysis.tokens[sentence.tokens.clone()] {
                let words = analysis.words_of(token);
                let Some(head) = words.first() else { continue };
                let bytes = own(token.bytes.clone());
                if bytes.is_empty() {
                    continue;
                }
                let joined: String;
                let norm = if words.len() > 1 {
                    joined = normal_form(&text[bytes.clone()]);
                    &joined
                } else {
                    analysis.string(head.norm)
                };
                builder.token(TokenInput {
                    bytes,
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
