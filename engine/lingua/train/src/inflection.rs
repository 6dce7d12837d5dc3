//! Learns which known word an unknown one is inflected like, and measures inflection on held-out lemmas.

use glosa_lingua::inflect::{Cell, Paradigm, is_dialect, read_tag};
use glosa_lingua::{EditScript, Frequencies, Inflection, Lexicon, Unit};
use glosa_text::{Language, normal_form};
use std::collections::BTreeMap;

/// Longest ending of a lemma, in characters.
const LONGEST: usize = 6;
/// One lemma of so many is held out when inflection is measured.
const HELD_OUT_EVERY: u64 = 23;

type Forms = BTreeMap<Cell<'static>, (u8, String)>;
type Signature = Vec<(Cell<'static>, EditScript)>;
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

/// The text of `inflection.tsv`; `hold_out` keeps a share of the lemmas from the learner.
pub fn learn(language: Language, lexicon: &Lexicon, frequencies: &Frequencies, hold_out: bool) -> String {
    let all = paradigms(language, lexicon, frequencies);
    let mut by_ending: BTreeMap<(Paradigm, String), Votes> = BTreeMap::new();
    for ((paradigm, lemma), cells) in &all {
        if hold_out && is_held_out(lemma) {
            continue;
        }
        let signature: Signature =
            cells.iter().filter_map(|(cell, (_, form))| Some((*cell, EditScript::between(lemma, form)?))).collect();
        let zipf = frequencies.zipf(Unit::Form, lemma);
        let letters: Vec<usize> = lemma.char_indices().map(|(i, _)| i).skip(1).collect();
        for start in letters.iter().rev().take(LONGEST) {
            let ending = lemma[*start..].to_owned();
            if signature.iter().any(|(_, script)| usize::from(script.drop) > ending.len()) {
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
    let mut chosen: BTreeMap<(Paradigm, String), (Signature, String)> = BTreeMap::new();
    for ((paradigm, ending), signatures) in &by_ending {
        let total: u32 = signatures.values().map(|v| v.0).sum();
        let Some((signature, (times, _, lemma))) =
            signatures.iter().max_by(|a, b| (a.1.0, a.0.len()).cmp(&(b.1.0, b.0.len())).then(b.1.2.cmp(&a.1.2)))
        else {
            continue;
        };
        let letters = ending.chars().count();
        let english = language == Language::En;
        let compound = english
            && (*paradigm == Paradigm::Verb && letters < 4
                || *paradigm == Paradigm::Noun && (letters < 3 || ending.ends_with("ing")));
        if letters < 2 || *times < 2 || total < 3 || compound || english && *paradigm == Paradigm::Adjective {
            continue;
        }
        chosen.insert((*paradigm, ending.clone()), (signature.clone(), lemma.clone()));
    }
    let mut out = String::from("# Exemplar of an ending: a lemma that the lexicon lacks is inflected like it.\n");
    for ((paradigm, ending), (signature, lemma)) in &chosen {
        let shorter = ending.char_indices().skip(1).find_map(|(i, _)| chosen.get(&(*paradigm, ending[i..].to_owned())));
        if shorter.is_some_and(|(s, _)| s == signature) {
            continue;
        }
        out.push_str(&format!("{}\t{ending}\t{lemma}\n", paradigm.letter()));
    }
    out
}

/// Right answers and all questions: forms of held-out lemmas, made like the exemplars learnt from the others.
pub fn measure(language: Language, lexicon: &Lexicon, frequencies: &Frequencies) -> (usize, usize, usize, Vec<String>) {
    let exemplars: &'static str = Box::leak(learn(language, lexicon, frequencies, true).into_boxed_str());
    let inflection = Inflection::with_exemplars(language, exemplars);
    let (mut right, mut none, mut all, mut wrong) = (0, 0, 0, Vec::new());
    for ((paradigm, lemma), cells) in paradigms(language, lexicon, frequencies) {
        if !is_held_out(&lemma) {
            continue;
        }
        for (number, (cell, (_, form))) in cells.iter().enumerate() {
            let every = if language == Language::En { 2 } else { 7 };
            let chosen = (glosa_lingua::hash::hash_str(&lemma) >> 20).wrapping_add(number as u64).is_multiple_of(every);
            if !chosen || all >= 4000 {
                continue;
            }
            all += 1;
            match inflection.like_exemplar(lexicon, frequencies, &lemma, paradigm, cell) {
                Some(made)
                    if made == *form
                        || lexicon.readings(&made).iter().any(|r| {
                            lexicon.is_lemma_of(&made, *r, &lemma)
                                && read_tag(language, &lexicon.tags()[usize::from(r.tag)]).is_some_and(|(p, c)| {
                                    p == paradigm
                                        && (if p == Paradigm::Noun { Cell { gender: "", ..c } } else { c }) == *cell
                                })
                        }) =>
                {
                    right += 1
                }
                Some(made) => wrong.push(format!("{lemma} {cell:?}: {made}, not {form}")),
                None => none += 1,
            }
        }
    }
    (right, none, all, wrong)
}
