//! Trees for translated sentences: the Spanish treebanks, translated word by word into Catalan, lend their trees.
//!
//! Sentences are found again by the beginnings of their words, words aligned by part of speech and spelling. A word without a counterpart gets no head, save the auxiliaries and articles that only Catalan has; the
//! trainer learns from the others.

use crate::treebank::{Document, Sentence, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// A beginning that more sentences have says nothing of one.
const COMMON: usize = 400;
/// Share of words in common below which sentences are no translation of each other.
const LEAST_LIKENESS: f32 = 0.35;
/// What a word without a counterpart costs.
const GAP: f32 = -0.4;

fn beginning(form: &str) -> String {
    form.chars().take(3).flat_map(char::to_lowercase).collect()
}

fn beginnings(sentence: &Sentence) -> FxHashSet<String> {
    sentence.words.iter().filter(|w| w.form.chars().count() > 2).map(|w| beginning(&w.form)).collect()
}

fn likeness(a: &FxHashSet<String>, b: &FxHashSet<String>) -> f32 {
    let common = a.intersection(b).count() as f32;
    common / (a.len().max(b.len()) as f32).max(1.0)
}

/// How well two words fit each other.
fn fit(a: &Word, b: &Word) -> f32 {
    let (x, y) = (a.form.to_lowercase(), b.form.to_lowercase());
    let common = x.chars().zip(y.chars()).take_while(|(a, b)| a == b).count() as f32;
    let spelling = common / (x.chars().count().max(y.chars().count()) as f32).max(1.0);
    let verbal = |w: &Word| matches!(w.upos.as_str(), "VERB" | "AUX");
    let class = match a.upos == b.upos {
        true => 1.0,
        false if verbal(a) && verbal(b) => 0.3,
        false => -0.8,
    };
    class + spelling
}

/// The counterpart of each word of `b` in `a` (Needleman and Wunsch 1970).
fn align(a: &[Word], b: &[Word]) -> Vec<Option<usize>> {
    let width = b.len() + 1;
    let mut best = vec![0f32; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            best[i * width + j] = match (i, j) {
                (0, 0) => 0.0,
                (0, j) => j as f32 * GAP,
                (i, 0) => i as f32 * GAP,
                (i, j) => (best[(i - 1) * width + j - 1] + fit(&a[i - 1], &b[j - 1]))
                    .max(best[(i - 1) * width + j] + GAP)
                    .max(best[i * width + j - 1] + GAP),
            };
        }
    }
    let mut found = vec![None; b.len()];
    let (mut i, mut j) = (a.len(), b.len());
    while i > 0 && j > 0 {
        let here = best[i * width + j];
        if here == best[(i - 1) * width + j - 1] + fit(&a[i - 1], &b[j - 1]) {
            (i, j) = (i - 1, j - 1);
            found[j] = Some(i);
        } else if here == best[(i - 1) * width + j] + GAP {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    found
}

fn project(source: &Sentence, target: &mut Sentence) {
    let counterpart = align(&source.words, &target.words);
    let mut place = vec![None; source.words.len()];
    for (j, i) in counterpart.iter().enumerate() {
        if let Some(i) = i {
            place[*i] = Some(j as u32 + 1);
        }
    }
    for (j, i) in counterpart.iter().enumerate() {
        let found = match i {
            Some(i) => {
                let word = &source.words[*i];
                let head = match word.head {
                    Some(0) => Some(0),
                    Some(head) => place[head as usize - 1],
                    None => None,
                };
                head.map(|head| (head, word.relation.clone()))
            }
            None => lone(&target.words, j),
        };
        let word = &mut target.words[j];
        (word.head, word.relation) = found.map_or((None, "_".to_owned()), |(head, name)| (Some(head), name));
    }
}

/// Head and relation of a word that only the translation has: the auxiliary of the past (*va arribar*), an article.
fn lone(words: &[Word], at: usize) -> Option<(u32, String)> {
    let (upos, relation, heads): (_, _, &[&str]) = match words[at].upos.as_str() {
        "AUX" => ("AUX", "aux", &["VERB"]),
        "DET" => ("DET", "det", &["NOUN", "PROPN"]),
        _ => return None,
    };
    let near = words.iter().enumerate().skip(at + 1).take(3);
    let head = near.filter(|(_, w)| w.upos != upos).find(|(_, w)| heads.contains(&w.upos.as_str()))?;
    Some((head.0 as u32 + 1, relation.to_owned()))
}

/// Gives the translated sentences of `documents` the trees of the sentences of `sources` that they are most like; says how
/// many have one.
pub fn project_all(sources: &[&Sentence], documents: &mut [Document]) -> usize {
    let known: Vec<FxHashSet<String>> = sources.iter().map(|s| beginnings(s)).collect();
    let mut with: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (number, own) in known.iter().enumerate() {
        own.iter().for_each(|beginning| with.entry(beginning).or_default().push(number));
    }
    with.retain(|_, numbers| numbers.len() <= COMMON.max(sources.len() / 10));
    let mut count = 0;
    for sentence in documents.iter_mut().flat_map(|d| &mut d.sentences) {
        let own = beginnings(sentence);
        let mut near: Vec<usize> = own.iter().filter_map(|b| with.get(b.as_str())).flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        // The first of the best.
        let best = near.into_iter().map(|i| (i, likeness(&own, &known[i])));
        let best = best.reduce(|a, b| if b.1 > a.1 { b } else { a });
        let Some((at, _)) = best.filter(|(_, likeness)| *likeness >= LEAST_LIKENESS) else { continue };
        project(sources[at], sentence);
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::treebank;

    #[test]
    fn the_past_with_an_auxiliary() {
        let es = "1\tEl\tel\tDET\t_\t_\t2\tdet\t_\t_\n2\tpresidente\tpresidente\tNOUN\t_\t_\t3\tnsubj\t_\t_\n\
                  3\tllegó\tllegar\tVERB\t_\t_\t0\troot\t_\t_\n4\ttarde\ttarde\tADV\t_\t_\t3\tadvmod\t_\t_\n\n";
        let ca = "1\tEl\tel\tDET\t_\t_\t_\t_\t_\t_\n2\tpresident\tpresident\tNOUN\t_\t_\t_\t_\t_\t_\n\
                  3\tva\tanar\tAUX\t_\t_\t_\t_\t_\t_\n4\tarribar\tarribar\tVERB\t_\t_\t_\t_\t_\t_\n\
                  5\ttard\ttard\tADV\t_\t_\t_\t_\t_\t_\n\n";
        let (es, mut ca) = (treebank::read(es).unwrap(), treebank::read(ca).unwrap());
        assert_eq!(project_all(&es[0].sentences.iter().collect::<Vec<_>>(), &mut ca), 1);
        let tree: Vec<(u32, &str)> =
            ca[0].sentences[0].words.iter().map(|w| (w.head.unwrap_or(99), w.relation.as_str())).collect();
        assert_eq!(tree, [(2, "det"), (4, "nsubj"), (4, "aux"), (0, "root"), (4, "advmod")]);
    }
}
