//! The tagger: a linear model over hashed features that chooses among the tags a word can have.
//!
//! A tag is a part of speech with its features. Candidates come from the training data and the lexicon; a word with
//! one candidate costs nothing. The weight of a feature for a tag lies at `base(feature) + number of the tag`, so
//! that all weights of a feature are neighbours in memory; one byte each, companded by a square root. The trainer
//! runs this same code over floating-point weights.

use crate::ModelError;
use crate::bytes::{Reader, Writer};
use crate::cluster::Clusters;
use crate::hash::{hash_bytes, hash_str, mix};
use crate::lexicon::Lexicon;
use crate::tokenize::is_extension;
use glosa_text::{Upos, has_feature};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Number of a tag in a model.
pub type TagId = u16;
/// No tag: the history before the first word.
pub const NO_TAG: TagId = u16::MAX;
/// Slots of the parts of speech before those of the tags.
pub const UPOS_SLOTS: usize = 18;
/// Candidates that are added up at once, and their slots with those of their parts of speech.
const MOST_AT_ONCE: usize = 32;
const MOST_SLOTS: usize = MOST_AT_ONCE + UPOS_SLOTS;
/// A word seen so often in training needs no help of the lexicon.
const ENOUGH_SEEN: u32 = 40;
/// Candidates taken from an ending at most.
const ENDING_CANDIDATES: usize = 14;

/// Where the candidates of a word come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum CandidateSource {
    /// Seen in training.
    #[default]
    Training,
    /// Known to the lexicon alone.
    Lexicon,
    /// Guessed from its ending and shape.
    Ending,
}

/// All that is known of a form without its context.
#[derive(Clone, Debug, Default)]
pub struct FormFacts {
    form: u64,
    lower: u64,
    shape: u64,
    endings: [u64; 6],
    beginnings: [u64; 2],
    readings: u64,
    cluster: u64,
    branch: u64,
    /// Candidates inside a sentence.
    pub inside: Candidates,
    /// Candidates where a capital says nothing: at the start of a sentence or quotation.
    pub initial: Candidates,
    /// The lexicon has the form, as written or in lower case.
    pub known: bool,
    opener: bool,
    capital: bool,
    prepared: bool,
}

/// The tags a form can have.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The tags.
    pub tags: Vec<TagId>,
    /// Where they come from.
    pub source: CandidateSource,
    class: u64,
    base: Vec<f32>,
}

/// A word in its sentence, ready to be scored.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// Hashes of the features that need no history; empty where there is one candidate.
    pub features: Vec<u32>,
    /// The candidates.
    pub candidates: Vec<TagId>,
    /// What the features of the form alone give each candidate; empty where they are among the features.
    base: Vec<f32>,
    lower: u64,
    class: u64,
    ending: u64,
    next_class: u64,
    next_lower: u64,
}

/// Weights the decoder can add up: the model's bytes, or the trainer's numbers.
pub trait Weights {
    /// The weight at an index, already reduced to the table's size.
    fn weight(&self, index: usize) -> f32;
    /// Size of the table minus one; the size is a power of two.
    fn mask(&self) -> u32;
    /// Sums each of some slots over some features.
    fn sums(&self, features: &[u32], slots: &[u32], sums: &mut [f32]) {
        let mask = self.mask();
        for (sum, slot) in sums.iter_mut().zip(slots) {
            *sum = features.iter().map(|f| self.weight(TagModel::index(*f, *slot, mask))).sum();
        }
    }
    /// Whether a feature was frequent enough in training to have weights (a few others pass as well).
    fn has(&self, feature: u32) -> bool;
}

/// The set of features that have weights: one bit a hash.
#[derive(Clone, Debug, Default)]
pub struct FeatureSet {
    bits: Cow<'static, [u8]>,
}

impl FeatureSet {
    /// A set from its bytes; their number must be a power of two.
    pub fn new(bits: Cow<'static, [u8]>) -> Self {
        FeatureSet { bits }
    }
    /// The bytes of a set of `1 << size` bits.
    pub fn of(features: impl Iterator<Item = u32>, size: u32) -> Vec<u8> {
        let mut bits = vec![0u8; 1 << size.saturating_sub(3)];
        let mask = (bits.len() as u32 * 8).wrapping_sub(1);
        for feature in features {
            let at = feature & mask;
            bits[(at >> 3) as usize] |= 1 << (at & 7);
        }
        bits
    }
    /// Whether the feature may be in the set.
    #[inline]
    pub fn has(&self, feature: u32) -> bool {
        let at = feature & (self.bits.len() as u32 * 8).wrapping_sub(1);
        self.bits[(at >> 3) as usize] >> (at & 7) & 1 == 1
    }
}

/// Everything but the weights.
#[derive(Clone, Debug, Default)]
pub struct TagTables {
    /// Names of the tags: part of speech and FEATS (empty for none), the frequent ones first.
    pub tags: Vec<(Upos, Box<str>)>,
    /// Tags of a form seen in training, exactly as written; with counts up to 255.
    pub forms: FxHashMap<u32, Box<[(TagId, u8)]>>,
    /// The same by lower-case form.
    pub lower: FxHashMap<u32, Box<[(TagId, u8)]>>,
    /// Tags by ending and shape, most frequent first.
    pub endings: FxHashMap<u32, Box<[TagId]>>,
    /// Tags of proper names.
    pub names: Vec<TagId>,
    /// Lexicon tag name to tags.
    pub lexicon_tags: Vec<(Box<str>, Vec<TagId>)>,
    /// A word whose best tag leads by less than this is looked at again with the tags after it; 0 for one pass.
    pub doubt: u32,
    /// Tags that share their forms: a word that can have one of a row can have them all (English *demand* is an
    /// infinitive, a command and five persons of the present).
    pub alike: Vec<Vec<TagId>>,
    /// Lemmas that are auxiliaries; none where any verb of the lexicon may be one.
    pub auxiliaries: Vec<Box<str>>,
}

/// The weights as they are shipped.
#[derive(Clone, Debug)]
pub struct CompandedWeights {
    features: FeatureSet,
    bytes: Cow<'static, [u8]>,
    decode: Box<[f32; 256]>,
}

impl Weights for CompandedWeights {
    #[inline]
    fn weight(&self, index: usize) -> f32 {
        self.decode[usize::from(self.bytes[index])]
    }
    #[inline]
    fn mask(&self) -> u32 {
        (self.bytes.len() as u32).wrapping_sub(1)
    }
    #[inline]
    fn sums(&self, features: &[u32], slots: &[u32], sums: &mut [f32]) {
        let bytes: &[u8] = &self.bytes;
        let mask = bytes.len().wrapping_sub(1);
        let mut totals = [0i32; MOST_SLOTS];
        let totals = &mut totals[..slots.len()];
        for feature in features {
            let base = feature.rotate_left(13);
            for (total, slot) in totals.iter_mut().zip(slots) {
                let byte = i32::from(bytes.get(base.wrapping_add(*slot) as usize & mask).copied().unwrap_or(0) as i8);
                *total += byte * byte.abs();
            }
        }
        for (sum, total) in sums.iter_mut().zip(totals) {
            *sum = *total as f32;
        }
    }
    #[inline]
    fn has(&self, feature: u32) -> bool {
        self.features.has(feature)
    }
}

impl CompandedWeights {
    /// Weights from their bytes; the number must be a power of two.
    ///
    /// # Errors
    /// [`ModelError::Damaged`] for another number.
    pub fn new(bytes: Cow<'static, [u8]>, features: Cow<'static, [u8]>) -> Result<Self, ModelError> {
        if !bytes.len().is_power_of_two() || !features.len().is_power_of_two() {
            return Err(ModelError::Damaged("weights of the tagger"));
        }
        let mut decode = Box::new([0f32; 256]);
        for (byte, value) in decode.iter_mut().enumerate() {
            let signed = f32::from(byte as u8 as i8);
            *value = signed * signed.abs();
        }
        Ok(CompandedWeights { features: FeatureSet::new(features), bytes, decode })
    }

    /// The bytes of trained weights: sign and square root, the largest at 127.
    pub fn compand(weights: &[f32]) -> Vec<u8> {
        let largest = weights.iter().fold(0f32, |m, w| m.max(w.abs())).max(f32::MIN_POSITIVE);
        let byte = |w: &f32| ((w.abs() / largest).sqrt() * 127.0).round().min(127.0).copysign(*w) as i8 as u8;
        weights.iter().map(byte).collect()
    }
}

/// Gathers the hashed features of a position. Each has the number of its turn, also where it is left out.
struct FeatureList<'w, W> {
    weights: &'w W,
    features: Vec<u32>,
    id: u64,
    without_own: bool,
}

/// Adds the feature of a value if it has weights; `id` tells the features of one value apart.
#[inline]
fn put(weights: &impl Weights, features: &mut Vec<u32>, value: u64, id: u64) {
    let feature = mix(value, id) as u32;
    if weights.has(feature) {
        features.push(feature);
    }
}

impl<W: Weights> FeatureList<'_, W> {
    #[inline]
    fn add(&mut self, value: u64) {
        self.id += 1;
        self.numbered(self.id, value);
    }

    /// A feature that hangs on the form alone.
    #[inline]
    fn own(&mut self, value: u64) {
        self.id += 1;
        if !self.without_own {
            self.numbered(self.id, value);
        }
    }

    #[inline]
    fn numbered(&mut self, id: u64, value: u64) {
        put(self.weights, &mut self.features, value, id);
    }
}

/// A tag table bound to a lexicon.
#[derive(Debug)]
pub struct TagModel {
    /// The tables.
    pub tables: TagTables,
    /// Tags of each lexicon tag, by its number in the lexicon.
    by_lexicon: Vec<Vec<TagId>>,
    upos: Vec<u8>,
    clusters: Clusters,
    marks_slips: bool,
}

fn key(hash: u64) -> u32 {
    (hash >> 32) as u32 ^ hash as u32
}

/// The 32-bit keys of a form in the tables: as written, and in small letters. Addresses of one kind share theirs, and so
/// do numbers of one pattern.
pub fn form_keys(form: &str, lower: &str) -> (u32, u32) {
    let general = general_form(lower);
    let small = key(hash_str(&general));
    if *general == *lower { (key(hash_str(form)), small) } else { (small, small) }
}

/// The key of an ending of `length` characters under a shape.
pub fn ending_key(ending: &str, length: usize, shape: u64) -> u32 {
    key(mix(hash_str(ending), length as u64 | shape << 8))
}

/// The last `n` characters.
pub fn ending(word: &str, n: usize) -> &str {
    word.char_indices().rev().nth(n.saturating_sub(1)).map_or(word, |(i, _)| &word[i..])
}

/// The first `n` characters.
fn beginning(word: &str, n: usize) -> &str {
    word.char_indices().nth(n).map_or(word, |(i, _)| &word[..i])
}

/// Letter case, digits and marks of a form in a few bits.
pub fn shape(form: &str) -> u64 {
    let (mut upper, mut lower, mut digits, mut other, mut first, mut hyphen) = (0u64, 0u64, 0u64, 0u64, 0u64, 0u64);
    for (i, c) in form.chars().enumerate() {
        if c.is_uppercase() {
            upper += 1;
            first |= u64::from(i == 0);
        } else if c.is_alphabetic() {
            lower += 1;
        } else if c.is_numeric() {
            digits += 1;
        } else {
            other += 1;
            hyphen |= u64::from(c == '-');
        }
    }
    first
        | upper.min(2) << 1
        | u64::from(lower > 0) << 3
        | u64::from(digits > 0) << 4
        | u64::from(other > 0) << 5
        | hyphen << 6
}

/// The lower-case form as the tables have it: straight apostrophes.
pub fn lower_form(form: &str) -> String {
    if form.is_ascii() { form.to_ascii_lowercase() } else { form.replace(['’', 'ʼ'], "'").to_lowercase() }
}

/// A lower-case form for features and endings: addresses of one kind are alike, and so are names of files and numbers of
/// one pattern.
pub fn general_form(lower: &str) -> Cow<'_, str> {
    if lower.len() > 4 {
        if lower.starts_with("http") && lower.contains("://") || lower.starts_with("www.") {
            return Cow::Borrowed("http://");
        }
        if let Some((_, host)) = lower.split_once('@').filter(|(name, _)| !name.is_empty()) {
            return Cow::Borrowed(if host.contains('.') { "a@b.c" } else { "a@b" });
        }
        if lower.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && is_extension(end)) {
            return Cow::Borrowed("a.doc");
        }
    }
    if !lower.bytes().any(|b| b.is_ascii_digit()) {
        return Cow::Borrowed(lower);
    }
    let mut general = String::with_capacity(lower.len());
    let (mut run, mut longest, mut before) = (0, 5, ' ');
    for (i, c) in lower.char_indices() {
        if !c.is_ascii_digit() {
            (run, before) = (0, c);
            general.push(c);
            continue;
        }
        if run == 0 {
            let decimals =
                matches!(before, '.' | ',') && lower[i..].bytes().take_while(u8::is_ascii_digit).count() != 3;
            longest = if decimals { 1 } else { 5 };
        }
        run += 1;
        if run <= longest {
            general.push('0');
        }
    }
    Cow::Owned(general)
}

/// A lexicon tag without the mark of a regional variant, which says nothing of the context.
pub fn general_tag(tag: &str) -> &str {
    if tag.len() > 7 && tag.starts_with('V') { tag.get(..7).unwrap_or(tag) } else { tag }
}

impl TagModel {
    /// Binds the tables to a lexicon and word clusters.
    pub fn new(tables: TagTables, lexicon: &Lexicon, clusters: Clusters) -> Self {
        let by_name: FxHashMap<&str, &Vec<TagId>> =
            tables.lexicon_tags.iter().map(|(name, tags)| (&**name, tags)).collect();
        let by_lexicon = lexicon
            .tags()
            .iter()
            .map(|name| {
                by_name.get(&**name).or_else(|| by_name.get(general_tag(name))).map_or_else(Vec::new, |t| (*t).clone())
            })
            .collect();
        let upos = tables.tags.iter().map(|(upos, _)| *upos as u8).collect();
        let marks_slips = tables.tags.iter().any(|(_, feats)| has_feature(feats, "Typo", "Yes"));
        TagModel { tables, by_lexicon, upos, clusters, marks_slips }
    }

    /// Whether the treebank of the language marks slips of the pen.
    pub fn marks_slips(&self) -> bool {
        self.marks_slips
    }

    /// The tags that a lexicon tag (by number) can stand for.
    pub fn of_lexicon_tag(&self, tag: u16) -> &[TagId] {
        self.by_lexicon.get(usize::from(tag)).map_or(&[], Vec::as_slice)
    }

    /// Part of speech of a tag.
    pub fn upos(&self, tag: TagId) -> Upos {
        self.tables.tags[usize::from(tag)].0
    }

    /// FEATS string of a tag.
    pub fn feats(&self, tag: TagId) -> &str {
        &self.tables.tags[usize::from(tag)].1
    }

    fn candidates(
        &self,
        lexicon: &Lexicon,
        (as_written, as_lower): (&[crate::Reading], &[crate::Reading]),
        (form, lower): (&str, &str),
        (key, small_key): (u32, u32),
        initial: bool,
        without: Option<TagId>,
    ) -> Candidates {
        let mut tags: Vec<TagId> = Vec::new();
        let mut seen = 0u32;
        let capital = form.chars().next().is_some_and(char::is_uppercase);
        let mut add = |entries: Option<&Box<[(TagId, u8)]>>, tags: &mut Vec<TagId>| {
            for (tag, count) in entries.into_iter().flat_map(|e| e.iter()) {
                let count = u32::from(*count) - u32::from(without == Some(*tag) && *count < u8::MAX);
                if count > 0 {
                    seen += count;
                    if !tags.contains(tag) {
                        tags.push(*tag);
                    }
                }
            }
        };
        add(self.tables.forms.get(&key), &mut tags);
        if initial || tags.is_empty() {
            add(self.tables.lower.get(&small_key), &mut tags);
        }
        if seen < ENOUGH_SEEN {
            let (mut readings, mut of) = (as_written, form);
            if (readings.is_empty() || initial) && !as_lower.is_empty() {
                (readings, of) = (as_lower, lower);
            }
            for reading in readings {
                let auxiliary = self.tables.auxiliaries.is_empty()
                    || lexicon
                        .lemma(of, *reading)
                        .is_some_and(|lemma| self.tables.auxiliaries.iter().any(|auxiliary| **auxiliary == *lemma));
                for tag in self.of_lexicon_tag(reading.tag) {
                    if !tags.contains(tag) && (auxiliary || self.upos(*tag) != Upos::Aux) {
                        tags.push(*tag);
                    }
                }
            }
            if capital && (!initial || tags.is_empty()) {
                for tag in &self.tables.names {
                    if !tags.contains(tag) {
                        tags.push(*tag);
                    }
                }
            }
        }
        for row in &self.tables.alike {
            if row.iter().any(|tag| tags.contains(tag)) {
                for tag in row {
                    if !tags.contains(tag) {
                        tags.push(*tag);
                    }
                }
            }
        }
        if tags.is_empty() && !form.chars().any(char::is_alphanumeric) {
            let mark =
                form.chars().next().is_some_and(|c| c.general_category_group() == GeneralCategoryGroup::Punctuation);
            let wanted = if mark { Upos::Punct } else { Upos::Sym };
            tags.extend(
                self.tables
                    .tags
                    .iter()
                    .position(|(upos, feats)| *upos == wanted && feats.is_empty())
                    .map(|t| t as TagId),
            );
        }
        let bare = as_written.is_empty() && as_lower.is_empty() && seen == 0;
        if bare && form.ends_with('.') && form.chars().any(char::is_alphabetic) {
            let find = |wanted: &str| {
                self.tables
                    .tags
                    .iter()
                    .position(|(upos, feats)| *upos == Upos::Noun && **feats == *wanted)
                    .map(|t| t as TagId)
            };
            tags.extend(find("Abbr=Yes|Number=Sing").or_else(|| find("")));
        }
        let mut source = if seen > 0 { CandidateSource::Training } else { CandidateSource::Lexicon };
        if seen == 0 && (tags.is_empty() || capital && tags.len() <= self.tables.names.len()) {
            source = CandidateSource::Ending;
            let length = lower.chars().take(6).count();
            let shape = shape(form);
            let lower = &general_form(lower);
            let guess = (1..=5.min(length.max(1)))
                .rev()
                .find_map(|k| self.tables.endings.get(&ending_key(ending(lower, k), k, shape)))
                .or_else(|| self.tables.endings.get(&0));
            if tags.is_empty() && guess.is_none() {
                tags.extend(&self.tables.names);
            }
            for tag in guess.into_iter().flat_map(|g| g.iter()).take(ENDING_CANDIDATES) {
                if !tags.contains(tag) {
                    tags.push(*tag);
                }
            }
            for tag in self.tables.names.iter().take(1) {
                if !tags.contains(tag) && form.starts_with(char::is_alphabetic) {
                    tags.push(*tag);
                }
            }
        }
        if tags.is_empty() {
            tags.push(0);
        }
        let mut sorted = tags.clone();
        sorted.sort_unstable();
        let class = sorted.iter().fold(source as u64, |h, t| mix(h, u64::from(*t) + 77));
        Candidates { tags, source, class, base: Vec::new() }
    }

    /// Facts of a form; `without` takes one training occurrence with that tag out of the account.
    pub fn facts(&self, lexicon: &Lexicon, form: &str, without: Option<TagId>) -> FormFacts {
        let lower = lower_form(form);
        let mut endings = [0u64; 6];
        let general = general_form(&lower);
        let keys = form_keys(form, &lower);
        for (k, slot) in endings.iter_mut().enumerate() {
            *slot = hash_str(ending(&general, k + 1));
        }
        let first = form.chars().next();
        let as_written = lexicon.readings(form);
        let as_lower = if lower == form { as_written } else { lexicon.readings(&lower) };
        let fold =
            |readings: &[crate::Reading]| readings.iter().fold(1u64, |h, r| h.wrapping_add(mix(u64::from(r.tag), 991)));
        let path = match self.clusters.path(form) {
            0 => self.clusters.path(&lower),
            path => path,
        };
        FormFacts {
            cluster: u64::from(path),
            branch: u64::from(path & 63),
            form: hash_str(form),
            lower: hash_str(&general),
            shape: shape(form),
            endings,
            beginnings: [hash_str(beginning(&general, 1)), hash_str(beginning(&general, 3))],
            readings: mix(fold(as_written), fold(as_lower)),
            inside: self.candidates(lexicon, (as_written, as_lower), (form, &lower), keys, false, without),
            initial: self.candidates(lexicon, (as_written, as_lower), (form, &lower), keys, true, without),
            known: !as_written.is_empty() || !as_lower.is_empty(),
            opener: matches!(
                form,
                "\"" | "'"
                    | "«"
                    | "“"
                    | "‘"
                    | "("
                    | "["
                    | "¿"
                    | "¡"
                    | "-"
                    | "–"
                    | "—"
                    | ":"
                    | "``"
                    | "..."
                    | "*"
                    | "•"
            ),
            capital: first.is_some_and(char::is_uppercase),
            prepared: false,
        }
    }

    /// Takes the candidates of a part of speech away where there are others.
    pub fn leave_out(&self, facts: &mut FormFacts, upos: Upos) {
        for candidates in [&mut facts.inside, &mut facts.initial] {
            if candidates.tags.iter().any(|tag| self.upos(*tag) != upos) {
                candidates.tags.retain(|tag| self.upos(*tag) != upos);
            }
        }
    }

    /// Adds up the features that hang on the form alone, once for all its places in a text.
    pub fn prepare(&self, weights: &impl Weights, facts: &mut FormFacts) {
        let mut list = FeatureList { weights, features: Vec::with_capacity(16), id: 0, without_own: false };
        list.numbered(1, 0);
        list.numbered(2, facts.form);
        list.numbered(3, facts.lower);
        for (id, ending) in (4..).zip(&facts.endings[..5]) {
            list.numbered(id, *ending);
        }
        list.numbered(9, facts.beginnings[0]);
        list.numbered(10, facts.beginnings[1]);
        list.numbered(45, facts.cluster);
        list.numbered(47, facts.branch);
        let common = list.features.len();
        for candidates in [&mut facts.inside, &mut facts.initial].into_iter().filter(|c| c.tags.len() > 1) {
            list.features.truncate(common);
            list.numbered(13, candidates.class);
            candidates.base.clear();
            candidates.base.resize(candidates.tags.len(), 0.0);
            self.add_scores(weights, &list.features, &candidates.tags, &mut candidates.base);
        }
        facts.prepared = true;
    }

    /// Prepares a sentence. `all` asks for features even where there is one candidate.
    pub fn positions(&self, weights: &impl Weights, sentence: &[&FormFacts], all: bool, out: &mut Vec<Position>) {
        let n = sentence.len();
        out.resize_with(n.max(out.len()), Position::default);
        out.truncate(n);
        const EDGE_LEFT: u64 = 11;
        const EDGE_RIGHT: u64 = 13;
        let initial = |i: usize| i == 0 || sentence[i - 1].opener;
        let choice = |i: usize| if initial(i) { &sentence[i].initial } else { &sentence[i].inside };
        for (i, position) in out.iter_mut().enumerate() {
            let chosen = choice(i);
            position.candidates.clear();
            position.candidates.extend_from_slice(&chosen.tags);
            position.base.clear();
            position.base.extend_from_slice(&chosen.base);
            position.lower = sentence[i].lower;
            position.class = chosen.class;
            position.ending = sentence[i].endings[2];
        }
        let last = sentence.last().map_or(0, |f| f.form);
        let capitals = sentence.iter().filter(|f| f.capital).count() * 2 > n;
        for i in 0..n {
            out[i].next_class = out.get(i + 1).map_or(EDGE_RIGHT, |p| p.class);
            out[i].next_lower = out.get(i + 1).map_or(EDGE_RIGHT, |p| p.lower);
            let mut features = std::mem::take(&mut out[i].features);
            features.clear();
            if all || out[i].candidates.len() > 1 {
                let here = sentence[i];
                let edge = |at: isize| if at < 0 { EDGE_LEFT } else { EDGE_RIGHT };
                let around: [Result<&FormFacts, u64>; 7] = std::array::from_fn(|k| {
                    let at = i as isize + k as isize - 3;
                    usize::try_from(at).ok().and_then(|a| sentence.get(a)).copied().ok_or(edge(at))
                });
                let lowers = around.map(|fact| fact.map_or_else(|e| e, |f| f.lower));
                let lower = |d: isize| lowers[(d + 3) as usize];
                let fact = |d: isize| around[(d + 3) as usize];
                let end3 = |d: isize| fact(d).map_or_else(|e| e, |f| f.endings[2]);
                let end2 = |d: isize| fact(d).map_or_else(|e| e, |f| f.endings[1]);
                let cluster = |d: isize| fact(d).map_or_else(|e| e + (1 << 20), |f| f.cluster);
                let branch = |d: isize| fact(d).map_or_else(|e| e + (1 << 20), |f| f.branch);
                let shape = |d: isize| fact(d).map_or_else(|e| e, |f| f.shape);
                let class = |d: isize| {
                    let at = i as isize + d;
                    usize::try_from(at).ok().and_then(|a| out.get(a)).map_or(edge(at), |p| p.class)
                };
                let start = u64::from(initial(i)) | u64::from(i == 0) << 1 | u64::from(capitals) << 2;
                let shaped = mix(here.shape, start);
                let (c0, l0) = (class(0), here.lower);
                let (lb, la) = (lower(-1), lower(1));
                let (cb, ca) = (class(-1), class(1));
                let (c2, clb, cla) = (class(2), cluster(-1), cluster(1));
                let mut list = FeatureList { weights, features, id: 0, without_own: here.prepared };
                list.own(0);
                list.own(here.form);
                list.own(l0);
                for e in &here.endings[..5] {
                    list.own(*e);
                }
                list.own(here.beginnings[0]);
                list.own(here.beginnings[1]);
                list.add(shaped);
                list.add(mix(shaped, here.endings[2]));
                list.own(c0);
                list.add(lb);
                list.add(la);
                list.add(lower(-2));
                list.add(lower(2));
                list.add(mix(lb, la));
                list.add(mix(lb, l0));
                list.add(mix(l0, la));
                list.add(ca);
                list.add(c2);
                list.add(mix(ca, c2));
                list.add(mix(c0, ca));
                list.add(end3(-1));
                list.add(end3(1));
                list.add(mix(c0, la));
                list.add(mix(c0, lb));
                list.add(mix(last, c0));
                list.add(shape(1));
                list.add(mix(mix(c0, ca), c2));
                list.add(mix(mix(cb, c0), ca));
                list.add(mix(mix(lower(-2), lb), c0));
                list.add(mix(mix(la, lower(2)), c0));
                list.add(mix(shaped, mix(shape(-1), shape(1))));
                list.add(mix(here.readings, start));
                list.add(mix(here.readings, shape(1)));
                list.add(mix(here.readings, shape(-1)));
                list.add(mix(c0, end2(1)));
                list.add(mix(c0, lower(2)));
                list.add(mix(c0, lower(-2)));
                list.add(mix(c0, class(3)));
                list.add(mix(lower(3), c0));
                list.add(mix(lower(-3), c0));
                list.own(here.cluster);
                list.add(mix(here.cluster, shaped));
                list.own(here.branch);
                list.add(clb);
                list.add(cla);
                list.add(branch(-1));
                list.add(branch(1));
                list.add(mix(clb, cla));
                list.add(mix(c0, cla));
                list.add(mix(c0, clb));
                list.add(mix(here.cluster, cla));
                list.add(mix(clb, here.cluster));
                list.add(mix(mix(branch(-1), here.branch), branch(1)));
                features = list.features;
            }
            out[i].features = features;
        }
    }

    /// The number of the part of speech of a tag; that of no tag is like none of them.
    fn upos_number(&self, tag: TagId) -> u64 {
        if tag == NO_TAG { 99 } else { u64::from(self.upos[usize::from(tag)]) }
    }

    /// Features of the tags before position `i`: the last one, the one before, the third.
    #[inline]
    pub fn history(&self, weights: &impl Weights, position: &Position, tags: [TagId; 3], out: &mut Vec<u32>) {
        let upos = |tag: TagId| self.upos_number(tag);
        let (u1, u2, u3) = (upos(tags[0]), upos(tags[1]), upos(tags[2]));
        let (t1, t2) = (u64::from(tags[0]) + 5, u64::from(tags[1]) + 5);
        let (lower, class) = (position.lower, position.class);
        out.clear();
        let mut put = |value: u64, id: u64| put(weights, out, value, id);
        put(t1, 101);
        put(mix(t1, t2), 102);
        put(mix(u1, u2), 103);
        put(mix(t1, lower), 104);
        put(mix(t1, class), 105);
        put(mix(t1, position.next_class), 106);
        put(mix(u1, position.ending), 107);
        put(t2, 108);
        put(mix(mix(u1, u2), class), 109);
        put(mix(mix(u1, class), position.next_class), 110);
        put(mix(mix(t1, t2), class), 111);
        put(mix(mix(u1, u2), u3), 112);
        put(mix(mix(mix(u1, u2), u3), class), 113);
        put(mix(mix(u1, u2), lower), 114);
        put(mix(mix(u1, lower), position.next_class), 115);
        put(mix(mix(u1, class), position.next_lower), 116);
        put(mix(t2, class), 117);
    }

    /// Features of the tags after position `i`, as the first pass saw them, beside the tags before it.
    #[inline]
    pub fn ahead(
        &self,
        weights: &impl Weights,
        position: &Position,
        before: [TagId; 2],
        after: [TagId; 3],
        out: &mut Vec<u32>,
    ) {
        let upos = |tag: TagId| self.upos_number(tag);
        let (u1, u2) = (upos(before[0]), upos(before[1]));
        let (r1, r2, r3) = (upos(after[0]), upos(after[1]), upos(after[2]));
        let (t1, n1, n2) = (u64::from(before[0]) + 5, u64::from(after[0]) + 5, u64::from(after[1]) + 5);
        let (lower, class, ending) = (position.lower, position.class, position.ending);
        let mut put = |value: u64, id: u64| put(weights, out, value, id);
        put(n1, 201);
        put(mix(n1, n2), 202);
        put(mix(t1, n1), 203);
        put(mix(n1, lower), 204);
        put(mix(n1, class), 205);
        put(mix(mix(r1, r2), class), 206);
        put(mix(mix(t1, n1), class), 207);
        put(mix(mix(u1, r1), lower), 208);
        put(mix(mix(mix(u1, r1), r2), class), 209);
        put(mix(mix(r1, r2), r3), 210);
        put(mix(n2, class), 211);
        put(mix(mix(mix(r1, r2), r3), lower), 212);
        put(mix(mix(mix(u1, u2), r1), class), 213);
        put(mix(r1, ending), 214);
        put(mix(mix(mix(u2, u1), r1), r2), 215);
    }

    /// Index of the weights of a tag and of its part of speech, relative to the base of a feature.
    #[inline]
    pub fn slots(&self, tag: TagId) -> (u32, u32) {
        (u32::from(tag) + UPOS_SLOTS as u32, u32::from(self.upos[usize::from(tag)]))
    }

    /// The index of a slot of a feature.
    #[inline]
    pub fn index(feature: u32, slot: u32, mask: u32) -> usize {
        (feature.rotate_left(13).wrapping_add(slot) & mask) as usize
    }

    /// Adds the scores of features for each candidate to `scores`.
    #[inline]
    pub fn add_scores(&self, weights: &impl Weights, features: &[u32], candidates: &[TagId], scores: &mut [f32]) {
        for (scores, candidates) in scores.chunks_mut(MOST_AT_ONCE).zip(candidates.chunks(MOST_AT_ONCE)) {
            let (mut slots, mut coarse_at) = ([0u32; MOST_SLOTS], [0u8; MOST_AT_ONCE]);
            let mut count = candidates.len();
            for (i, tag) in candidates.iter().enumerate() {
                let (slot, coarse) = self.slots(*tag);
                slots[i] = slot;
                let known = (candidates.len()..count).find(|at| slots[*at] == coarse);
                let at = known.unwrap_or_else(|| {
                    slots[count] = coarse;
                    count += 1;
                    count - 1
                });
                coarse_at[i] = at as u8;
            }
            let mut sums = [0f32; MOST_SLOTS];
            weights.sums(features, &slots[..count], &mut sums[..count]);
            for (i, score) in scores.iter_mut().enumerate() {
                *score += sums[i] + sums[usize::from(coarse_at[i])];
            }
        }
    }

    /// The scores of the candidates of a position, given the tags around it; `after` only in the second pass.
    fn score(
        &self,
        weights: &impl Weights,
        position: &Position,
        before: [TagId; 3],
        after: Option<[TagId; 3]>,
        features: &mut Vec<u32>,
        scores: &mut Vec<f32>,
    ) {
        self.history(weights, position, before, features);
        if let Some(after) = after {
            self.ahead(weights, position, [before[0], before[1]], after, features);
        }
        features.extend_from_slice(&position.features);
        scores.clear();
        scores.extend_from_slice(&position.base);
        scores.resize(position.candidates.len(), 0.0);
        self.add_scores(weights, features, &position.candidates, scores);
    }

    /// Tags a prepared sentence from left to right, then once more the words that were doubtful, with a view of the
    /// tags after them.
    pub fn tag(&self, weights: &impl Weights, positions: &[Position], tags: &mut Vec<TagId>) {
        let doubt = self.tables.doubt as f32;
        tags.clear();
        let mut features = Vec::with_capacity(128);
        let mut scores: Vec<f32> = Vec::with_capacity(32);
        let mut doubtful: Vec<usize> = Vec::new();
        for (i, position) in positions.iter().enumerate() {
            if let [only] = position.candidates[..] {
                tags.push(only);
                continue;
            }
            let before = |k: usize| i.checked_sub(k).map_or(NO_TAG, |j| tags[j]);
            self.score(weights, position, [before(1), before(2), before(3)], None, &mut features, &mut scores);
            let (best, lead) = best_of(&scores);
            if lead < doubt {
                doubtful.push(i);
            }
            tags.push(position.candidates[best]);
        }
        for i in doubtful {
            let at = |k: isize| {
                let at = i.checked_add_signed(k);
                at.and_then(|j| tags.get(j)).copied().unwrap_or(NO_TAG)
            };
            let (before, after) = ([at(-1), at(-2), at(-3)], [at(1), at(2), at(3)]);
            self.score(weights, &positions[i], before, Some(after), &mut features, &mut scores);
            tags[i] = positions[i].candidates[best_of(&scores).0];
        }
    }
}

/// The first of the highest scores, and how far the next lies below it.
fn best_of(scores: &[f32]) -> (usize, f32) {
    let (mut best, mut next) = (0, f32::NEG_INFINITY);
    for (c, score) in scores.iter().enumerate().skip(1) {
        if *score > scores[best] {
            next = scores[best];
            best = c;
        } else if *score > next {
            next = *score;
        }
    }
    (best, scores[best] - next)
}

impl TagTables {
    /// The bytes of `tags.bin`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(b"GTG3");
        out.number(u64::from(self.doubt));
        out.number(self.tags.len() as u64);
        for (upos, feats) in &self.tags {
            out.number(*upos as u64);
            out.text(feats);
        }
        for table in [&self.forms, &self.lower] {
            let mut keys: Vec<_> = table.iter().collect();
            keys.sort_by_key(|(k, _)| **k);
            out.number(keys.len() as u64);
            for (key, entries) in keys {
                out.word(*key);
                out.number(entries.len() as u64);
                for (tag, count) in entries.iter() {
                    out.number(u64::from(*tag));
                    out.number(u64::from(*count));
                }
            }
        }
        let mut keys: Vec<_> = self.endings.iter().collect();
        keys.sort_by_key(|(k, _)| **k);
        out.number(keys.len() as u64);
        for (key, tags) in keys {
            out.word(*key);
            out.number(tags.len() as u64);
            tags.iter().for_each(|t| out.number(u64::from(*t)));
        }
        out.number(self.names.len() as u64);
        self.names.iter().for_each(|t| out.number(u64::from(*t)));
        out.number(self.lexicon_tags.len() as u64);
        for (name, tags) in &self.lexicon_tags {
            out.text(name);
            out.number(tags.len() as u64);
            tags.iter().for_each(|t| out.number(u64::from(*t)));
        }
        out.number(self.alike.len() as u64);
        for row in &self.alike {
            out.number(row.len() as u64);
            row.iter().for_each(|t| out.number(u64::from(*t)));
        }
        out.number(self.auxiliaries.len() as u64);
        self.auxiliaries.iter().for_each(|lemma| out.text(lemma));
        out.finish()
    }

    /// Reads `tags.bin`.
    ///
    /// # Errors
    /// [`ModelError`] when the file is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        const WHAT: &str = "tag tables";
        let mut reader = Reader::new(bytes, b"GTG3", WHAT)?;
        let mut tables = TagTables { doubt: reader.number()? as u32, ..TagTables::default() };
        for _ in 0..reader.count()? {
            let upos = *Upos::ALL.get(reader.number()? as usize).ok_or(ModelError::Damaged(WHAT))?;
            tables.tags.push((upos, reader.text()?.into()));
        }
        let known = tables.tags.len() as u64;
        let tag = |reader: &mut Reader<'_>| {
            let n = reader.number()?;
            if n < known { Ok(n as TagId) } else { Err(ModelError::Damaged(WHAT)) }
        };
        for table in [&mut tables.forms, &mut tables.lower] {
            let size = reader.count()?;
            table.reserve(size);
            for _ in 0..size {
                let key = reader.word()?;
                let entries = (0..reader.count()?)
                    .map(|_| Ok((tag(&mut reader)?, reader.number()? as u8)))
                    .collect::<Result<_, ModelError>>()?;
                table.insert(key, entries);
            }
        }
        for _ in 0..reader.count()? {
            let key = reader.word()?;
            let tags = (0..reader.count()?).map(|_| tag(&mut reader)).collect::<Result<_, ModelError>>()?;
            tables.endings.insert(key, tags);
        }
        tables.names = (0..reader.count()?).map(|_| tag(&mut reader)).collect::<Result<_, ModelError>>()?;
        for _ in 0..reader.count()? {
            let name = reader.text()?.into();
            let tags = (0..reader.count()?).map(|_| tag(&mut reader)).collect::<Result<_, ModelError>>()?;
            tables.lexicon_tags.push((name, tags));
        }
        for _ in 0..reader.count()? {
            tables.alike.push((0..reader.count()?).map(|_| tag(&mut reader)).collect::<Result<_, ModelError>>()?);
        }
        for _ in 0..reader.count()? {
            tables.auxiliaries.push(reader.text()?.into());
        }
        Ok(tables)
    }
}

/// Hash of a form and a tag, for the lemma table.
pub fn lemma_key(form: &str, tag: TagId) -> u32 {
    key(mix(hash_bytes(form.as_bytes()), u64::from(tag) + 1))
}
