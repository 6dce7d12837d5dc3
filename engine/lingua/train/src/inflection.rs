//! Learns which known word an unknown one is inflected like, and measures inflection on held-out lemmas.

use crate::lexicon;
use crate::source::Data;
use anyhow::Result;
use glosa_lingua::inflect::{Cell, Paradigm, is_dialect, read_tag};
use glosa_lingua::{Change, Frequencies, Inflection, Lexicon, Unit};
use glosa_text::{Language, normal_form};
use std::collections::BTreeMap;

/// Longest ending of a lemma, in characters.
const LONGEST: usize = 6;
/// An ending of so many letters is listed for one lemma alone; as an alternative, since text must attest it.
const ALONE: usize = 4;
/// Exemplars of one ending.
const ALTERNATIVES: usize = 4;
/// One lemma of so many is held out when inflection is measured.
const HELD_OUT_EVERY: u64 = 23;
/// One form of so many is asked for in the paradigms of Spanish and Catalan verbs.
const VERB_FORMS_EVERY: u64 = 7;

type Forms = BTreeMap<Cell<'static>, (u8, String)>;
type Signature = Vec<(Cell<'static>, Change)>;
type Votes = BTreeMap<Signature, (u32, u8, String)>;

/// The paradigms of a lexicon: lemma and kind to its most frequent form in each cell.
fn paradigms(language: Language, lexicon: &Lexicon, frequencies: &Frequencies) -> BTreeMap<(Paradigm, String), Forms> {
    let mut found: BTreeMap<(Paradigm, String), Forms> = BTreeMap::new();
    lexicon.for_each(|form, readings| {
        for reading in readings {
            let Some((paradigm, cell)) = read_tag(language, &lexicon.tags()[usize::from(reading.tag)]) else {
                continue;
            };
            let Some(lemma) = lexicon.lemma(form, *reading) else { continue };
            if paradigm == Paradigm::Determiner || !lemma.chars().all(char::is_lowercase) || lemma.chars().count() < 3 {
                continue;
            }
            let zipf = frequencies.zipf(Unit::Form, &normal_form(form));
            let cells = found.entry((paradigm, lemma)).or_default();
            let tag_is_dialect = is_dialect(&lexicon.tags()[usize::from(reading.tag)]);
            let zipf = if tag_is_dialect { 0 } else { zipf + 1 };
            match cells.get(&cell) {
                Some((best, _)) if *best >= zipf => {}
                _ => {
                    cells.insert(cell, (zipf, form.to_owned()));
                }
            }
        }
    });
    for ((paradigm, lemma), cells) in &mut found {
        if *paradigm == Paradigm::Noun {
            let own = if cells.iter().any(|(c, (_, f))| c.gender == "Masc" && f == lemma) { "Masc" } else { "Fem" };
            let kept: Forms = std::mem::take(cells)
                .into_iter()
                .filter(|(c, _)| c.gender.is_empty() || c.gender == own)
                .map(|(c, f)| (Cell { gender: "", ..c }, f))
                .collect();
            *cells = kept;
        }
    }
    found.retain(|(_, lemma), _| lexicon.is_known(lemma));
    found
}

fn is_held_out(lemma: &str) -> bool {
    glosa_lingua::hash::hash_str(lemma).is_multiple_of(HELD_OUT_EVERY)
}

/// The text of `inflection.tsv`.
pub fn learn(language: Language, lexicon: &Lexicon, frequencies: &Frequencies) -> String {
    let all = paradigms(language, lexicon, frequencies);
    let mut by_ending: BTreeMap<(Paradigm, String), Votes> = BTreeMap::new();
    for ((paradigm, lemma), cells) in &all {
        let signature: Signature =
            cells.iter().filter_map(|(cell, (_, form))| Some((*cell, Change::between(lemma, form)?))).collect();
        let zipf = frequencies.zipf(Unit::Form, lemma);
        let letters: Vec<usize> = lemma.char_indices().map(|(i, _)| i).skip(1).collect();
        for start in letters.iter().rev().take(LONGEST) {
            let ending = lemma[*start..].to_owned();
            if signature.iter().any(|(_, change)| usize::from(change.drop) > ending.len()) {
                continue;
            }
            let entry = by_ending.entry((*paradigm, ending)).or_default().entry(signature.clone()).or_insert((
                0,
                0,
                lemma.clone(),
            ));
            entry.0 += 1;
            if zipf > entry.1 {
                *entry = (entry.0, zipf, lemma.clone());
            }
        }
    }
    let mut out = String::from(
        "# Exemplars of an ending, the likeliest first: a lemma that the lexicon lacks is inflected like one of them.\n",
    );
    let mut rows: BTreeMap<(Paradigm, String), Vec<(Signature, String)>> = BTreeMap::new();
    let mut endings: Vec<&(Paradigm, String)> = by_ending.keys().collect();
    endings.sort_by_key(|(_, ending)| ending.chars().count());
    for key in endings {
        let (paradigm, ending) = key;
        let signatures = &by_ending[key];
        let letters = ending.chars().count();
        let mut order: Vec<(&Signature, &(u32, u8, String))> = signatures.iter().collect();
        order.sort_by(|a, b| (b.1.0, b.0.len()).cmp(&(a.1.0, a.0.len())).then(a.1.2.cmp(&b.1.2)));
        let total: u32 = signatures.values().map(|v| v.0).sum();
        let english = language == Language::En;
        let left_to_rule = english && ending.ends_with("ing");
        if letters < 2 || left_to_rule || total < 3 && (letters < ALONE || english) {
            continue;
        }
        let inherited = ending
            .char_indices()
            .skip(1)
            .find_map(|(i, _)| rows.get(&(*paradigm, ending[i..].to_owned())))
            .cloned()
            .unwrap_or_default();
        let mut kept: Vec<(Signature, String)> = Vec::new();
        let (first_times, least) = (order.first().map_or(0, |o| o.1.0), if letters < ALONE || english { 2 } else { 1 });
        if first_times < 2 || total < 3 {
            kept.extend(inherited.first().cloned());
        }
        for (signature, (times, _, lemma)) in order.into_iter().take(ALTERNATIVES) {
            if *times >= least && !kept.iter().any(|k| k.0 == *signature) {
                kept.push((signature.clone(), lemma.clone()));
            }
        }
        if kept.first().map(|k| &k.0) == inherited.first().map(|k| &k.0) {
            let mut number = 0;
            kept.retain(|k| {
                number += 1;
                number == 1 || !inherited.iter().any(|i| i.0 == k.0)
            });
            if kept.len() < 2 && !inherited.is_empty() {
                continue;
            }
        }
        if kept.is_empty() {
            continue;
        }
        rows.insert((*paradigm, ending.clone()), kept);
    }
    for ((paradigm, ending), kept) in &rows {
        let lemmas: Vec<&str> = kept.iter().map(|k| &*k.1).collect();
        out.push_str(&format!("{}\t{ending}\t{}\n", paradigm.letter(), lemmas.join(" ")));
    }
    out
}

/// Answers to the questions of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    /// Questions.
    pub all: usize,
    /// Questions whose answer is not the lemma itself.
    pub changed: usize,
    /// Right answers.
    pub right: usize,
    /// Right answers among the changed.
    pub changed_right: usize,
    /// Questions without an answer.
    pub unknown: usize,
}

impl Score {
    /// Adds another score.
    pub fn add(&mut self, other: &Score) {
        self.all += other.all;
        self.changed += other.changed;
        self.right += other.right;
        self.changed_right += other.changed_right;
        self.unknown += other.unknown;
    }

    /// One line of the table.
    pub fn line(&self) -> String {
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        format!(
            "{} of {} forms right ({:.2} %), {} unknown, answered {:.2} % right; {:.2} % of the {} that differ from the lemma",
            self.right,
            self.all,
            percent(self.right, self.all),
            self.unknown,
            percent(self.right, self.all - self.unknown),
            percent(self.changed_right, self.changed),
            self.changed
        )
    }
}

/// Asks for the forms of held-out lemmas with a lexicon and exemplars that lack them altogether: scores by paradigm and
/// the wrong answers. Of the many forms of Spanish and Catalan verbs, every [`VERB_FORMS_EVERY`]th is asked for.
pub fn measure(
    data: &Data,
    language: Language,
    lexicon: &Lexicon,
    frequencies: &Frequencies,
) -> Result<(BTreeMap<Paradigm, Score>, Vec<String>)> {
    let unnumbered = |lemma: &str| is_held_out(lemma.trim_end_matches(|c: char| c.is_ascii_digit()));
    let (automaton, table) = lexicon::build(data, language, unnumbered)?;
    let rest = Lexicon::new(automaton.into(), &table)?;
    let exemplars: &'static str = Box::leak(learn(language, &rest, frequencies).into_boxed_str());
    let inflection = Inflection::with_exemplars(language, exemplars);
    let mut scores: BTreeMap<Paradigm, Score> = BTreeMap::new();
    let mut wrong = Vec::new();
    for ((paradigm, lemma), cells) in paradigms(language, lexicon, frequencies) {
        if !is_held_out(&lemma) {
            continue;
        }
        for (number, (cell, (_, form))) in cells.iter().enumerate() {
            let every = if language != Language::En && paradigm == Paradigm::Verb { VERB_FORMS_EVERY } else { 1 };
            let place = (glosa_lingua::hash::hash_str(&lemma) >> 20).wrapping_add(number as u64);
            if !place.is_multiple_of(every) {
                continue;
            }
            let score = scores.entry(paradigm).or_default();
            let changed = usize::from(*form != lemma);
            score.all += 1;
            score.changed += changed;
            match inflection.like_exemplar(&rest, frequencies, &lemma, paradigm, cell) {
                Some(made) if made == *form || is_also(language, lexicon, paradigm, &lemma, cell, &made) => {
                    score.right += 1;
                    score.changed_right += changed;
                }
                Some(made) => wrong.push(format!("{lemma} {cell:?}: {made}, not {form}")),
                None => {
                    score.unknown += 1;
                    wrong.push(format!("{lemma} {cell:?}: nothing, not {form}"));
                }
            }
        }
    }
    Ok((scores, wrong))
}

/// Whether the lexicon has `made` as another form of the lemma in the same cell.
fn is_also(
    language: Language,
    lexicon: &Lexicon,
    paradigm: Paradigm,
    lemma: &str,
    cell: &Cell<'_>,
    made: &str,
) -> bool {
    lexicon.readings(made).iter().any(|r| {
        lexicon.is_lemma_of(made, *r, lemma)
            && read_tag(language, &lexicon.tags()[usize::from(r.tag)]).is_some_and(|(p, c)| {
                p == paradigm && (if p == Paradigm::Noun { Cell { gender: "", ..c } } else { c }) == *cell
            })
    })
}
