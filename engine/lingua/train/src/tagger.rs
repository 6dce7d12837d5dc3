//! Trains the tagger: softmax over the candidates with adaptive steps (AdaGrad, Duchi et al. 2011) and averaged
//! weights, leave-one-out candidates, and one shared weight table with an additional one for each source, of which only
//! that of the gold treebank is kept (Daumé 2007): the sum of both is the model, so that other treebanks help without
//! imposing their conventions.

use crate::treebank::{Document, Word};
use glosa_lingua::inflect::{Paradigm, read_tag};
use glosa_lingua::tagger::{
    CompandedWeights, FeatureSet, FormFacts, NO_TAG, Position, TagId, TagModel, TagTables, UPOS_SLOTS, Weights, ending,
    ending_key, form_keys, general_form, general_tag, lower_form, shape,
};
use glosa_lingua::{Clusters, Lexicon};
use glosa_text::{Language, Upos};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Settings of a training.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Bits of the weight table.
    pub bits: u32,
    /// Passes over the data.
    pub epochs: usize,
    /// Bits of the set of features, as a power of two.
    pub set_bits: u32,
    /// A feature seen less often has no weights.
    pub least: u16,
    /// Share of features that are left out at random in training, so that weights do not lean on a few.
    pub drop: f32,
    /// Length of the steps.
    pub rate: f32,
    /// A word whose best tag leads by less than this (natural logarithm of the odds) is looked at a second time.
    pub doubt: f32,
    /// Parts of the data that are tagged by a model of the others, so that the second pass learns from real errors.
    pub folds: usize,
    /// Seeds of the models that are averaged.
    pub seeds: Vec<u64>,
}

/// A training sentence and the number of its source; 0 is the gold treebank.
pub struct Example<'w> {
    /// Words.
    pub words: &'w [Word],
    /// Source.
    pub source: usize,
    /// Whether the words come into the tables of forms and endings. Text that another model tagged does not: its words
    /// are as unknown in training as they will be in use.
    pub listed: bool,
    /// The sentence stands among the examples already: it is seen once more in training, but its words are not counted
    /// again, or each would be known from its own repetition.
    pub again: bool,
}

impl Example<'_> {
    /// Whether its words are counted.
    pub fn counts(&self) -> bool {
        self.listed && !self.again
    }
}

/// All sentences of documents as examples of one source.
pub fn examples(documents: &[Document], source: usize) -> impl Iterator<Item = Example<'_>> {
    let example = move |words| Example { words, source, listed: true, again: false };
    documents.iter().flat_map(move |d| d.sentences.iter().map(move |s| example(&s.words)))
}

/// The same so many times.
pub fn repeated_examples(documents: &[Document], source: usize, times: usize) -> impl Iterator<Item = Example<'_>> {
    (0..times).flat_map(move |time| examples(documents, source).map(move |e| Example { again: time > 0, ..e }))
}

/// The same for raw text that another model tagged.
pub fn tagged_examples(documents: &[Document], source: usize) -> impl Iterator<Item = Example<'_>> {
    examples(documents, source).map(|example| Example { listed: false, ..example })
}

/// FEATS as the model has them: empty for none.
pub fn model_feats(feats: &str) -> String {
    if feats == "_" { String::new() } else { feats.to_owned() }
}

fn upos(word: &Word) -> Upos {
    word.upos.parse().unwrap_or(Upos::X)
}

type Counts<K> = FxHashMap<K, FxHashMap<TagId, u32>>;

fn ranked(counts: &FxHashMap<TagId, u32>) -> Vec<(TagId, u32)> {
    let mut rows: Vec<(TagId, u32)> = counts.iter().map(|(t, n)| (*t, *n)).collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    rows
}

/// The tag of each word of each example.
pub type Gold = Vec<Vec<TagId>>;

/// Of a form seen so often, tags rarer than one in [`RARE_SHARE`] are left out: most are slips, and all cost time. Where
/// people tagged it so often, their tags alone decide: a projected treebank has hardly any Catalan pronoun *en*.
const OFTEN: u32 = 200;
const RARE_SHARE: u32 = 400;

/// Makes the tables of the tagger.
pub fn tables(language: Language, examples: &[Example<'_>], lexicon: &Lexicon) -> (TagTables, Gold) {
    let closed: Vec<(&str, Upos, String)> =
        closed_words(language).filter_map(|row| Some((row[0], row[2].parse().ok()?, row[3].to_owned()))).collect();
    let mut tag_counts: BTreeMap<(Upos, String), u32> = BTreeMap::new();
    let listed = || examples.iter().filter(|e| e.counts());
    for word in listed().flat_map(|e| e.words) {
        *tag_counts.entry((upos(word), model_feats(&word.feats))).or_default() += 1;
    }
    for (_, upos, feats) in &closed {
        tag_counts.entry((*upos, feats.clone())).or_default();
    }
    for name in lexicon.tags() {
        for tag in verb_tags(language, name) {
            tag_counts.entry(tag).or_default();
        }
    }
    for sign in [Upos::Punct, Upos::Sym] {
        tag_counts.entry((sign, String::new())).or_default();
    }
    let mut names: Vec<((Upos, String), u32)> = tag_counts.into_iter().collect();
    names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let ids: FxHashMap<(Upos, String), TagId> =
        names.iter().enumerate().map(|(i, (n, _))| (n.clone(), i as TagId)).collect();
    let id = |word: &Word| ids.get(&(upos(word), model_feats(&word.feats))).copied().unwrap_or(NO_TAG);
    let gold: Gold = examples.iter().map(|e| e.words.iter().map(id).collect()).collect();
    let listed_words = || {
        let of = examples.iter().zip(&gold).filter(|(e, _)| e.counts());
        of.flat_map(|(e, tags)| e.words.iter().zip(tags))
    };

    let mut forms: Counts<u32> = Counts::default();
    let mut lower_forms: Counts<u32> = Counts::default();
    let mut by_people: Counts<u32> = Counts::default();
    let mut times: FxHashMap<u32, u32> = FxHashMap::default();
    for (word, tag) in listed_words() {
        let (key, small) = form_keys(&word.form, &lower_form(&word.form));
        *forms.entry(key).or_default().entry(*tag).or_default() += 1;
        *lower_forms.entry(small).or_default().entry(*tag).or_default() += 1;
        *times.entry(small).or_default() += 1;
        if !word.silver {
            for key in if key == small { vec![key] } else { vec![key, small] } {
                *by_people.entry(key).or_default().entry(*tag).or_default() += 1;
            }
        }
    }
    let mut cleared: FxHashSet<&str> = FxHashSet::default();
    for (form, upos, feats) in &closed {
        const RARE: u32 = 5;
        const AS_IF_SEEN: u32 = 60;
        let lower = lower_form(form);
        let (key, small) = form_keys(form, &lower);
        let in_small = times.get(&small).copied().unwrap_or(0);
        let tag = ids[&(*upos, feats.clone())];
        let as_written = forms.get(&key).map_or(0, |tags| tags.values().sum());
        if cleared.contains(form) || as_written < RARE && (*form != lower || in_small < RARE) {
            if cleared.insert(form) {
                // A treebank that hardly has the word is wrong on it as often as right.
                forms.remove(&key);
                if in_small < RARE {
                    lower_forms.remove(&small);
                }
            }
            *forms.entry(key).or_default().entry(tag).or_default() += AS_IF_SEEN;
            if in_small < RARE {
                *lower_forms.entry(small).or_default().entry(tag).or_default() += AS_IF_SEEN;
            }
        }
    }
    let mut endings: Counts<u32> = Counts::default();
    let mut name_counts: FxHashMap<TagId, u32> = FxHashMap::default();
    for (word, tag) in listed_words() {
        if upos(word) == Upos::Propn {
            *name_counts.entry(*tag).or_default() += 1;
        }
        let small = lower_form(&word.form);
        if times[&form_keys(&word.form, &small).1] > 10 {
            continue;
        }
        let shape = shape(&word.form);
        let small = general_form(&small);
        let length = small.chars().take(6).count();
        for k in 1..=length.clamp(1, 5) {
            *endings.entry(ending_key(ending(&small, k), k, shape)).or_default().entry(*tag).or_default() += 1;
        }
        *endings.entry(0).or_default().entry(*tag).or_default() += 1;
    }
    let all_names: u32 = name_counts.values().sum();
    let name_tags: Vec<TagId> =
        ranked(&name_counts).into_iter().filter(|(_, n)| n * 50 > all_names).map(|(t, _)| t).take(4).collect();
    let lexicon_tags = map_lexicon_tags(language, examples, &gold, lexicon, &ids, &names);
    let alike = alike(language, &names);
    let freeze = |table: Counts<u32>| {
        table
            .into_iter()
            .map(|(key, counts)| {
                let people = by_people.get(&key).filter(|tags| tags.values().sum::<u32>() >= OFTEN).unwrap_or(&counts);
                let total: u32 = people.values().sum();
                let usual = |tag: &TagId| total < OFTEN || people.get(tag).copied().unwrap_or(0) * RARE_SHARE >= total;
                let rows = ranked(&counts).into_iter().filter(|(tag, _)| usual(tag));
                (key, rows.map(|(t, n)| (t, n.min(255) as u8)).collect())
            })
            .collect()
    };
    let tables = TagTables {
        tags: names.into_iter().map(|((upos, feats), _)| (upos, feats.into())).collect(),
        forms: freeze(forms),
        lower: freeze(lower_forms),
        endings: endings
            .into_iter()
            .filter(|(key, counts)| *key == 0 || counts.values().sum::<u32>() >= 4)
            .map(|(key, counts)| {
                (key, ranked(&counts).into_iter().map(|(t, _)| t).take(if key == 0 { 10 } else { 12 }).collect())
            })
            .collect(),
        names: name_tags,
        lexicon_tags,
        doubt: 0,
        alike,
        auxiliaries: auxiliaries(language, examples),
    };
    (with_taught_tags(tables, lexicon, examples, &gold), gold)
}

/// Adds the tags that a teacher gives a word again and again, where neither treebank nor lexicon has them (*transit* as
/// an adjective). Only words in small letters, for any other may be a name, and no words of closed classes, which the
/// treebanks and lists know better.
fn with_taught_tags(tables: TagTables, lexicon: &Lexicon, examples: &[Example<'_>], gold: &Gold) -> TagTables {
    const LEAST_TIMES: u32 = 3;
    const LEAST_SHARE: u32 = 12;
    const SURE: f32 = 0.8;
    const AS_IF_SEEN: u8 = 2;
    let mut counts: BTreeMap<&str, FxHashMap<TagId, u32>> = BTreeMap::new();
    for (example, tags) in examples.iter().zip(gold).filter(|(example, _)| !example.listed) {
        for (word, tag) in example.words.iter().zip(tags) {
            let sure = word.chances.first().is_none_or(|(.., chance)| *chance >= SURE);
            if *tag != NO_TAG && sure && word.form.chars().all(char::is_lowercase) {
                *counts.entry(&word.form).or_default().entry(*tag).or_default() += 1;
            }
        }
    }
    let mut model = TagModel::new(tables, lexicon, Clusters::default());
    for (form, tags) in counts {
        let all: u32 = tags.values().sum();
        let facts = model.facts(lexicon, form, None);
        if facts.inside.tags.iter().any(|tag| is_closed(model.upos(*tag))) {
            continue;
        }
        for (tag, times) in ranked(&tags) {
            let open = matches!(model.upos(tag), Upos::Noun | Upos::Verb | Upos::Adj | Upos::Adv | Upos::Intj);
            let often = times >= LEAST_TIMES && times * LEAST_SHARE >= all;
            if open && often && !facts.inside.tags.contains(&tag) {
                let (key, _) = form_keys(form, form);
                for table in [&mut model.tables.forms, &mut model.tables.lower] {
                    let mut rows = table.remove(&key).unwrap_or_default().into_vec();
                    rows.push((tag, AS_IF_SEEN));
                    table.insert(key, rows.into());
                }
            }
        }
    }
    model.tables
}

/// The tags of English verbs that one form always shares, and the participles of Spanish and Catalan, which are verbs and
/// adjectives.
fn alike(language: Language, tags: &[((Upos, String), u32)]) -> Vec<Vec<TagId>> {
    const LEAST: u32 = 5;
    let person = |feats: &str| {
        let rest = feats.strip_prefix("Mood=Ind|Number=")?;
        let (number, rest) = rest.split_once("|Person=")?;
        let (person, rest) = rest.split_once('|')?;
        Some((format!("{number}{person}"), rest.to_owned()))
    };
    let form = |feats: &str| match feats {
        "VerbForm=Inf" | "Mood=Imp|VerbForm=Fin" => Some(0),
        "Tense=Past|VerbForm=Part" | "Tense=Past|VerbForm=Part|Voice=Pass" => Some(2),
        "VerbForm=Ger" | "Tense=Pres|VerbForm=Part" => Some(3),
        _ => match person(feats) {
            Some((who, rest)) if rest == "Tense=Pres|VerbForm=Fin" && who != "Sing3" => Some(0),
            Some((_, rest)) if rest == "Tense=Past|VerbForm=Fin" => Some(1),
            _ => None,
        },
    };
    let row = |upos: Upos, feats: &str| -> Option<String> {
        if language == Language::En {
            return form(feats).filter(|_| upos == Upos::Verb).map(|row| row.to_string());
        }
        let who = match upos {
            Upos::Verb => feats.strip_suffix("|Tense=Past|VerbForm=Part"),
            Upos::Adj => feats.strip_suffix("|VerbForm=Part"),
            _ => None,
        };
        who.filter(|who| who.starts_with("Gender=")).map(str::to_owned)
    };
    let mut rows: BTreeMap<String, Vec<TagId>> = BTreeMap::new();
    for (id, ((upos, feats), times)) in tags.iter().enumerate() {
        if let Some(row) = row(*upos, feats).filter(|_| *times >= LEAST) {
            rows.entry(row).or_default().push(id as TagId);
        }
    }
    rows.into_values().collect()
}

/// The lemmas of auxiliaries in the treebanks by people; none for English, whose lexicon does not tell verbs from auxiliaries.
fn auxiliaries(language: Language, examples: &[Example<'_>]) -> Vec<Box<str>> {
    const LEAST: u32 = 5;
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    if language != Language::En {
        let words = examples.iter().filter(|e| e.counts()).flat_map(|e| e.words);
        for word in words.filter(|word| !word.silver && upos(word) == Upos::Aux) {
            *counts.entry(&word.lemma).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, n)| *n >= LEAST).map(|(lemma, _)| lemma.into()).collect()
}

/// The rows of `closed.tsv` of a language: form, lemma, part of speech, features.
pub fn closed_words(language: Language) -> impl Iterator<Item = Vec<&'static str>> {
    let data = match language {
        Language::Es => include_str!("../../models/es/closed.tsv"),
        Language::Ca => include_str!("../../models/ca/closed.tsv"),
        Language::En => include_str!("../../models/en/closed.tsv"),
    };
    data.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect::<Vec<_>>()).filter(|r| r.len() == 4)
}

/// The tags that a verb tag of the Spanish or Catalan lexicon stands for by its letters: news texts hold few second
/// persons and imperatives, so they cannot all be learnt.
fn verb_tags(language: Language, name: &str) -> Vec<(Upos, String)> {
    let Some((Paradigm::Verb, cell)) = read_tag(language, name).filter(|_| language != Language::En) else {
        return Vec::new();
    };
    let tense = if cell.verb_form == "Part" { "Past" } else { cell.tense };
    let pairs = [
        ("Gender", cell.gender),
        ("Mood", cell.mood),
        ("Number", cell.number),
        ("Person", cell.person),
        ("Tense", tense),
        ("VerbForm", cell.verb_form),
    ];
    let feats: Vec<String> = pairs.iter().filter(|(_, v)| !v.is_empty()).map(|(k, v)| format!("{k}={v}")).collect();
    let feats = feats.join("|");
    if name.starts_with("VM") {
        vec![(Upos::Verb, feats.clone()), (Upos::Aux, feats)]
    } else {
        vec![(Upos::Aux, feats)]
    }
}

/// Whether a lexicon tag is one of a verb form that is never a noun or an adjective.
fn finite_or_gerund(language: Language, name: &str) -> bool {
    language != Language::En
        && read_tag(language, name)
            .is_some_and(|(paradigm, cell)| paradigm == Paradigm::Verb && !matches!(cell.verb_form, "Inf" | "Part"))
}

fn is_closed(upos: Upos) -> bool {
    matches!(upos, Upos::Adp | Upos::Aux | Upos::Cconj | Upos::Det | Upos::Part | Upos::Pron | Upos::Sconj)
}

/// A lexicon tag stands for a closed part of speech only where that is so often what its words are: *no* is a noun in the
/// lexicon as well, but an unknown noun is no determiner.
const CLOSED_SHARE: f64 = 0.2;

/// Which tags a lexicon tag stands for, by expectation maximisation over the words both know.
fn map_lexicon_tags(
    language: Language,
    examples: &[Example<'_>],
    gold: &Gold,
    lexicon: &Lexicon,
    ids: &FxHashMap<(Upos, String), TagId>,
    names: &[((Upos, String), u32)],
) -> Vec<(Box<str>, Vec<TagId>)> {
    let size = lexicon.tags().len();
    let mut first: FxHashMap<&str, u16> = FxHashMap::default();
    let general: Vec<u16> = lexicon
        .tags()
        .iter()
        .enumerate()
        .map(|(i, name)| *first.entry(general_tag(name)).or_insert(i as u16))
        .collect();
    let mut seen: BTreeMap<(Vec<u16>, TagId), f64> = BTreeMap::new();
    for (example, tags) in examples.iter().zip(gold).filter(|(e, _)| e.counts()) {
        for (word, tag) in example.words.iter().zip(tags) {
            let mut readings = lexicon.readings(&word.form);
            let small = lower_form(&word.form);
            if readings.is_empty() {
                readings = lexicon.readings(&small);
            }
            let mut of: Vec<u16> = readings.iter().map(|r| general[usize::from(r.tag)]).collect();
            of.sort_unstable();
            of.dedup();
            if !of.is_empty() {
                *seen.entry((of, *tag)).or_default() += 1.0;
            }
        }
    }
    let mut shares: Vec<BTreeMap<TagId, f64>> = vec![BTreeMap::new(); size];
    for round in 0..6 {
        let mut counts: Vec<BTreeMap<TagId, f64>> = vec![BTreeMap::new(); size];
        for ((of, tag), times) in &seen {
            let weights: Vec<f64> = of
                .iter()
                .map(|l| if round == 0 { 1.0 } else { shares[usize::from(*l)].get(tag).copied().unwrap_or(0.0) + 1e-9 })
                .collect();
            let sum: f64 = weights.iter().sum();
            for (l, w) in of.iter().zip(&weights) {
                *counts[usize::from(*l)].entry(*tag).or_default() += times * w / sum;
            }
        }
        for (share, count) in shares.iter_mut().zip(&counts) {
            let sum = count.values().sum::<f64>() + 0.5;
            *share = count.iter().map(|(t, n)| (*t, n / sum)).collect();
        }
    }
    let top = |name: &str, share: &BTreeMap<TagId, f64>| {
        let own: Vec<TagId> = verb_tags(language, name).into_iter().map(|tag| ids[&tag]).collect();
        let closed = |tag: &TagId| is_closed(names[usize::from(*tag)].0.0);
        let able = |tag: &TagId| !finite_or_gerund(language, name) || own.contains(tag);
        let able =
            |(tag, share): &(TagId, f64)| able(tag) && (*share >= CLOSED_SHARE || own.contains(tag) || !closed(tag));
        let mut rows: Vec<(TagId, f64)> =
            share.iter().map(|(t, p)| (*t, *p)).filter(|r| r.1 > 0.015 && able(r)).collect();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        rows.into_iter().take(5).map(|r| r.0).collect::<Vec<_>>()
    };
    let with_verbs = |name: &str, mut tags: Vec<TagId>| {
        let own: Vec<TagId> = verb_tags(language, name).into_iter().map(|t| ids[&t]).collect();
        if !own.iter().any(|t| tags.contains(t)) {
            tags.splice(0..0, own);
        }
        tags
    };
    lexicon
        .tags()
        .iter()
        .zip(&shares)
        .map(|(name, share)| (general_tag(name).into(), with_verbs(name, top(name, share))))
        .filter(|(_, t): &(Box<str>, Vec<TagId>)| !t.is_empty())
        .collect()
}

/// Counts features while it lets all pass.
struct Everything;

impl Weights for Everything {
    fn weight(&self, _: usize) -> f32 {
        0.0
    }
    fn mask(&self) -> u32 {
        0
    }
    fn has(&self, _: u32) -> bool {
        true
    }
}

struct Sum<'w> {
    features: &'w FeatureSet,
    shared: &'w [f32],
    own: &'w [f32],
}

impl Weights for Sum<'_> {
    #[inline]
    fn weight(&self, index: usize) -> f32 {
        self.shared[index] + self.own[index]
    }
    fn mask(&self) -> u32 {
        self.shared.len() as u32 - 1
    }
    #[inline]
    fn has(&self, feature: u32) -> bool {
        self.features.has(feature)
    }
}

fn facts_of<'c>(
    cache: &'c FxHashMap<(&'c str, TagId), FormFacts>,
    example: &Example<'c>,
    tags: &[TagId],
) -> Vec<&'c FormFacts> {
    example.words.iter().zip(tags).map(|(w, t)| &cache[&facts_key(example, w, *t)]).collect()
}

/// What tells the facts of a word apart: in the tables its own tag is left out of its counts.
fn facts_key<'c>(example: &Example<'c>, word: &'c Word, tag: TagId) -> (&'c str, TagId) {
    (word.form.as_str(), if example.listed { tag } else { NO_TAG })
}

/// The facts of all words of some examples, by [`facts_key`].
fn all_facts<'c>(
    model: &TagModel,
    lexicon: &Lexicon,
    examples: &[Example<'c>],
    gold: &[Vec<TagId>],
) -> FxHashMap<(&'c str, TagId), FormFacts> {
    let mut cache = FxHashMap::default();
    for (example, tags) in examples.iter().zip(gold) {
        for (word, tag) in example.words.iter().zip(tags) {
            let key = facts_key(example, word, *tag);
            let without = (key.1 != NO_TAG).then_some(key.1);
            cache.entry(key).or_insert_with(|| model.facts(lexicon, key.0, without));
        }
    }
    cache
}

/// Trains one pass, or two where the settings name a doubt, and notes the doubt in the tables.
pub fn train_passes(
    model: &mut TagModel,
    lexicon: &Lexicon,
    examples: &[Example<'_>],
    gold: &Gold,
    settings: &Settings,
    verbose: bool,
) -> (Vec<f32>, Vec<u8>) {
    if settings.doubt <= 0.0 {
        return train(model, lexicon, examples, gold, settings, None, verbose);
    }
    let once = Settings { seeds: settings.seeds[..1].to_vec(), ..settings.clone() };
    let ahead = predictions(model, lexicon, examples, gold, &once);
    if verbose {
        let words: usize = gold.iter().map(Vec::len).sum();
        let right: usize = ahead.iter().zip(gold).map(|(a, g)| a.iter().zip(g).filter(|(a, g)| a == g).count()).sum();
        println!("  {:.2} % right in the parts", 100.0 * right as f64 / words.max(1) as f64);
    }
    let (weights, features) = train(model, lexicon, examples, gold, settings, Some(&ahead), verbose);
    model.tables.doubt = companded_lead(&weights, settings.doubt);
    (weights, features)
}

fn after(tags: &[TagId], i: usize) -> [TagId; 3] {
    std::array::from_fn(|k| tags.get(i + 1 + k).copied().unwrap_or(NO_TAG))
}

/// The tags that models of the other parts give each part of the examples.
pub fn predictions(
    model: &TagModel,
    lexicon: &Lexicon,
    examples: &[Example<'_>],
    gold: &Gold,
    settings: &Settings,
) -> Gold {
    let mut found = gold.clone();
    let part = examples.len().div_ceil(settings.folds).max(1);
    for fold in 0..settings.folds {
        let (from, to) = ((fold * part).min(examples.len()), ((fold + 1) * part).min(examples.len()));
        let others = |i: &usize| *i < from || *i >= to;
        let numbers: Vec<usize> = (0..examples.len()).filter(others).collect();
        let training: Vec<Example<'_>> = numbers.iter().map(|i| Example { ..examples[*i] }).collect();
        let tags: Gold = numbers.iter().map(|i| gold[*i].clone()).collect();
        let (weights, set) = train(model, lexicon, &training, &tags, settings, None, false);
        let set = FeatureSet::new(set.into());
        let none = vec![0f32; weights.len()];
        let weights = Sum { features: &set, shared: &weights, own: &none };
        let mut positions = Vec::new();
        let facts = all_facts(model, lexicon, &examples[from..to], &gold[from..to]);
        for i in from..to {
            model.positions(&weights, &facts_of(&facts, &examples[i], &gold[i]), false, &mut positions);
            model.tag(&weights, &positions, &mut found[i]);
        }
    }
    found
}

/// What keeps the first steps of a weight short.
const STEADY: f32 = 0.1;
/// A tag whose probability is as near to what it should be moves no weight.
const LEAST_GRADIENT: f32 = 0.002;

/// Trains the weights and gives them averaged, as floating-point numbers.
pub fn train(
    model: &TagModel,
    lexicon: &Lexicon,
    examples: &[Example<'_>],
    gold: &Gold,
    settings: &Settings,
    ahead: Option<&Gold>,
    verbose: bool,
) -> (Vec<f32>, Vec<u8>) {
    let size = 1usize << settings.bits;
    let mask = size as u32 - 1;
    let sources = examples.iter().map(|e| e.source).max().unwrap_or(0) + 1;
    let cache = all_facts(model, lexicon, examples, gold);
    const COUNTER_BITS: u32 = 25;
    let mut counts = vec![0u16; 1 << COUNTER_BITS];
    let mut positions: Vec<Position> = Vec::new();
    let mut seen_features: Vec<u32> = Vec::new();
    let mut frequent: Vec<u32> = Vec::new();
    for round in 0..2 {
        for (number, (example, tags)) in examples.iter().zip(gold).enumerate() {
            model.positions(&Everything, &facts_of(&cache, example, tags), true, &mut positions);
            for (i, position) in positions.iter().enumerate() {
                if position.candidates.len() < 2 {
                    continue;
                }
                let before = |k: usize| i.checked_sub(k).map_or(NO_TAG, |j| tags[j]);
                model.history(&Everything, position, [before(1), before(2), before(3)], &mut seen_features);
                if let Some(ahead) = ahead {
                    let after = after(&ahead[number], i);
                    model.ahead(&Everything, position, [before(1), before(2)], after, &mut seen_features);
                }
                for f in position.features.iter().chain(&seen_features) {
                    let count = &mut counts[(f >> (32 - COUNTER_BITS)) as usize];
                    if round == 0 {
                        *count = count.saturating_add(1);
                    } else if *count >= settings.least {
                        frequent.push(*f);
                        if frequent.len() > 1 << 24 {
                            frequent.sort_unstable();
                            frequent.dedup();
                        }
                    }
                }
            }
        }
    }
    drop(counts);
    frequent.sort_unstable();
    frequent.dedup();
    let set_bytes = FeatureSet::of(frequent.iter().copied(), settings.set_bits);
    if verbose {
        let full: u32 = set_bytes.iter().map(|b| b.count_ones()).sum();
        println!(
            "  {} features, set {:.0} % full",
            frequent.len(),
            100.0 * f64::from(full) / (set_bytes.len() * 8) as f64
        );
    }
    let set = FeatureSet::new(set_bytes.clone().into());
    let filter = Sum { features: &set, shared: &[], own: &[] };
    let prepared: Vec<Vec<Position>> = examples
        .iter()
        .zip(gold)
        .map(|(example, tags)| {
            let mut positions = Vec::new();
            model.positions(&filter, &facts_of(&cache, example, tags), false, &mut positions);
            positions
        })
        .collect();
    if verbose {
        let all: usize = gold.iter().map(Vec::len).sum();
        let reachable: usize = prepared
            .iter()
            .zip(gold)
            .map(|(p, g)| p.iter().zip(g).filter(|(p, g)| p.candidates.contains(g)).count())
            .sum();
        let mean = prepared.iter().flatten().map(|p| p.candidates.len()).sum::<usize>() as f64 / all.max(1) as f64;
        println!(
            "  {all} words, candidate recall {:.2} %, {mean:.2} candidates, {:.1} % with more than one",
            100.0 * reachable as f64 / all.max(1) as f64,
            100.0 * prepared.iter().flatten().filter(|p| p.candidates.len() > 1).count() as f64 / all.max(1) as f64
        );
    }
    let ids: FxHashMap<(Upos, &str), TagId> =
        model.tables.tags.iter().zip(0..).map(|((upos, feats), id)| ((*upos, &**feats), id)).collect();
    let mut total = vec![0f32; size];
    for seed in &settings.seeds {
        let mut shared = vec![0f32; size];
        let mut shared_sum = vec![0f32; size];
        let mut own = vec![vec![0f32; size]; sources];
        let mut own_sum = vec![0f32; size];
        let mut squares = vec![0f32; size];
        let mut seen = 0u64;
        let mut step = 0f32;
        let scale = 1.0 / (settings.epochs * gold.iter().map(Vec::len).sum::<usize>()).max(1) as f64;
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut random = 0x9E37_79B9_7F4A_7C15u64 ^ seed.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mut features = Vec::new();
        let mut kept: Vec<u32> = Vec::new();
        let mut scores: Vec<f32> = Vec::new();
        let mut tags: Vec<TagId> = Vec::new();
        let mut targets: Vec<f32> = Vec::new();
        for epoch in 0..settings.epochs {
            for i in (1..order.len()).rev() {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                order.swap(i, (random >> 33) as usize % (i + 1));
            }
            let (mut right, mut all) = (0usize, 0usize);
            for &number in &order {
                let source = examples[number].source;
                tags.clear();
                for (i, position) in prepared[number].iter().enumerate() {
                    seen += 1;
                    step = (seen as f64 * scale) as f32;
                    let truth = gold[number][i];
                    let before = |k: usize| i.checked_sub(k).map_or(NO_TAG, |j| tags[j]);
                    if let [only] = position.candidates[..] {
                        tags.push(only);
                        continue;
                    }
                    let static_features: &[u32] = if settings.drop > 0.0 {
                        kept.clear();
                        kept.extend(position.features.iter().copied().filter(|_| {
                            random =
                                random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                            (random >> 40) as f32 / (1u64 << 24) as f32 >= settings.drop
                        }));
                        &kept
                    } else {
                        &position.features
                    };
                    let weights = Sum { features: &set, shared: &shared, own: &own[source] };
                    model.history(&weights, position, [before(1), before(2), before(3)], &mut features);
                    if let Some(ahead) = ahead {
                        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        if random >> 63 == 1 {
                            let after = after(&ahead[number], i);
                            model.ahead(&weights, position, [before(1), before(2)], after, &mut features);
                        }
                    }
                    scores.clear();
                    scores.resize(position.candidates.len(), 0.0);
                    model.add_scores(&weights, static_features, &position.candidates, &mut scores);
                    model.add_scores(&weights, &features, &position.candidates, &mut scores);
                    let mut best = 0;
                    for (c, score) in scores.iter().enumerate() {
                        if *score > scores[best] {
                            best = c;
                        }
                    }
                    let chosen = position.candidates[best];
                    tags.push(chosen);
                    all += 1;
                    right += usize::from(chosen == truth);
                    let word = &examples[number].words[i];
                    if !set_targets(&ids, word, truth, &position.candidates, &mut targets) {
                        continue;
                    }
                    let top = scores[best];
                    let mut sum = 0.0;
                    for score in &mut scores {
                        *score = (*score - top).exp();
                        sum += *score;
                    }
                    let own_weights = &mut own[source];
                    let mut update = |index: usize, gradient: f32| {
                        squares[index] += gradient * gradient;
                        let by = -settings.rate * gradient / (squares[index].sqrt() + STEADY);
                        shared[index] += by;
                        shared_sum[index] += step * by;
                        own_weights[index] += by;
                        if source == 0 {
                            own_sum[index] += step * by;
                        }
                    };
                    let mut of_upos = [0f32; UPOS_SLOTS];
                    for ((score, target), tag) in scores.iter().zip(&targets).zip(&position.candidates) {
                        let gradient = score / sum - target;
                        let (slot, upos) = model.slots(*tag);
                        of_upos[upos as usize] += gradient;
                        if gradient.abs() > LEAST_GRADIENT {
                            for f in static_features.iter().chain(&features) {
                                update(TagModel::index(*f, slot, mask), gradient);
                            }
                        }
                    }
                    for (upos, gradient) in of_upos.iter().enumerate() {
                        if gradient.abs() > LEAST_GRADIENT {
                            for f in static_features.iter().chain(&features) {
                                update(TagModel::index(*f, upos as u32, mask), *gradient);
                            }
                        }
                    }
                }
            }
            if verbose {
                println!("  seed {seed} pass {}: {:.2} %", epoch + 1, 100.0 * right as f64 / all.max(1) as f64);
            }
        }
        for i in 0..size {
            total[i] += shared[i] - shared_sum[i] / step + own[0][i] - own_sum[i] / step;
        }
    }
    (total, set_bytes)
}

/// A word is no lesson where the tags it can have are less likely than this.
const LEAST_LIKELY: f32 = 0.5;

/// The probabilities that the candidates of a word should have; whether there is anything to learn.
fn set_targets(
    ids: &FxHashMap<(Upos, &str), TagId>,
    word: &Word,
    truth: TagId,
    candidates: &[TagId],
    targets: &mut Vec<f32>,
) -> bool {
    targets.clear();
    if word.chances.is_empty() {
        targets.extend(candidates.iter().map(|tag| if *tag == truth { 1.0 } else { 0.0 }));
        return candidates.contains(&truth);
    }
    targets.resize(candidates.len(), 0.0);
    for (upos, feats, chance) in &word.chances {
        let feats = if feats == "_" { "" } else { feats };
        let tag = upos.parse().ok().and_then(|upos| ids.get(&(upos, feats)));
        if let Some(at) = tag.and_then(|tag| candidates.iter().position(|c| c == tag)) {
            targets[at] += chance;
        }
    }
    let sum: f32 = targets.iter().sum();
    targets.iter_mut().for_each(|target| *target /= sum.max(f32::MIN_POSITIVE));
    sum >= LEAST_LIKELY
}

/// A lead of scores in the units of `weights.bin`.
pub fn companded_lead(weights: &[f32], lead: f32) -> u32 {
    let largest = weights.iter().fold(0f32, |m, w| m.max(w.abs())).max(f32::MIN_POSITIVE);
    (lead * 127.0 * 127.0 / largest).round() as u32
}

/// The bytes of `weights.bin`.
pub fn compand(weights: &[f32]) -> Vec<u8> {
    CompandedWeights::compand(weights)
}
