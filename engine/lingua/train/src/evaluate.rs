//! Scores of the runtime on raw text against gold documents, aligned by character place as in the CoNLL 2018 task.

use crate::conventions::Relations;
use crate::parser::score::{Arc, TreeScores, same_relation};
use crate::treebank::{Document, Word};
use glosa_lingua::slip::{Slip, with_mark};
use glosa_lingua::tagger::{FormFacts, Weights, lower_form};
use glosa_lingua::{AnalysedArc, Analysis, LemmaSources, LemmaTables, Runtime, conllu};
use glosa_text::Language;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Range;

/// Counts of one evaluation.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    tokens: Counts,
    words: Counts,
    sentences: Counts,
    /// Trees, where there is a parser and the gold text has them.
    pub trees: TreeScores,
    /// Surface tokens outside contractions in the gold text.
    pub single: usize,
    upos: usize,
    feats: usize,
    lemma: usize,
    /// (gold, predicted) → times, and examples.
    pub confusions: Confusions,
    /// As above for features.
    pub feat_confusions: Confusions,
    /// As above for lemmas.
    pub lemma_confusions: Confusions,
    /// As above for relations; what ends in `, other head` is attached elsewhere.
    pub tree_confusions: Confusions,
    /// Gold tokens that were cut otherwise.
    pub lost_tokens: FxHashMap<String, usize>,
    /// Words around sentence errors.
    pub lost_sentences: Vec<String>,
    /// Each word that is not right, a row with tabs: form, gold part of speech, FEATS and lemma, then those found
    /// (`cut otherwise` where there is no such token).
    pub errors: Vec<String>,
    /// Each word whose head or relation is not right, a row with tabs: sentence, number of the word, form, gold head and
    /// relation, head and relation found (heads by the numbers of the gold text, `?` where it has no such word).
    pub tree_errors: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    gold: usize,
    found: usize,
    same: usize,
}

impl Counts {
    fn f1(self) -> f64 {
        200.0 * self.same as f64 / (self.gold + self.found).max(1) as f64
    }
}

impl Scores {
    /// UPOS, FEATS and lemma in per cent of surface tokens outside contractions.
    pub fn tagging(&self) -> (f64, f64, f64) {
        let share = |n: usize| 100.0 * n as f64 / self.single.max(1) as f64;
        (share(self.upos), share(self.feats), share(self.lemma))
    }

    /// One line of the score table.
    pub fn line(&self) -> String {
        let (upos, feats, lemma) = self.tagging();
        format!(
            "UPOS {upos:.2}  FEATS {feats:.2}  lemma {lemma:.2}  sentences {:.2}  tokens {:.2}  words {:.2}  (of {} surface tokens)",
            self.sentences.f1(),
            self.tokens.f1(),
            self.words.f1(),
            self.single
        )
    }
}

/// Counts the trees of a document. Words of one token correspond to each other where it has as many of them.
fn judge_trees(scores: &mut Scores, document: &Document, analysis: &Analysis, relations: &Relations) {
    let places: FxHashMap<(usize, usize), Range<usize>> =
        analysis.tokens.iter().map(|t| ((t.bytes.start, t.bytes.end), t.words.clone())).collect();
    let (mut gold, mut same) = (Vec::new(), Vec::new());
    for sentence in &document.sentences {
        let first = gold.len();
        let head = |head: u32| (head > 0).then(|| first + head as usize - 1);
        gold.extend(sentence.words.iter().map(|w| Arc { head: head(w.head.unwrap_or(0)), relation: &w.relation }));
        for token in &sentence.tokens {
            let found = places.get(&(token.bytes.start, token.bytes.end)).filter(|f| f.len() == token.words.len());
            same.extend(token.words.clone().enumerate().map(|(i, _)| found.map(|found| found.start + i)));
        }
    }
    let mut found = Vec::with_capacity(analysis.words.len());
    for sentence in &analysis.sentences {
        let places = analysis.places_of_sentence(sentence);
        let head = |head: u32| (head > 0).then(|| places.start + head as usize - 1);
        let arc = |arc: &AnalysedArc| Arc { head: head(arc.head), relation: analysis.string(arc.relation) };
        found.extend(analysis.tree[places.clone()].iter().map(arc));
    }
    scores.trees.aligned(&gold, &found, &same, relations);
    let gold_places: FxHashMap<usize, usize> =
        (same.iter().enumerate()).filter_map(|(i, at)| Some(((*at)?, i))).collect();
    let mut first = 0;
    let words = document.sentences.iter().flat_map(|s| {
        let before = first;
        first += s.words.len();
        s.words.iter().enumerate().map(move |(i, word)| (s, before, i + 1, word))
    });
    for ((gold, at), (sentence, first, number, word)) in gold.iter().zip(&same).zip(words) {
        let Some(found) = at.map(|at| &found[at]) else { continue };
        let head = gold.head.and_then(|head| same[head]) == found.head && gold.head.is_some() == found.head.is_some();
        let label = same_relation(gold.relation, found.relation, relations);
        if !(head && label) {
            let other = if head { "" } else { ", other head" };
            note(&mut scores.tree_confusions, gold.relation, &format!("{}{other}", found.relation), &word.form);
            let numbered = |place: usize| place.checked_sub(first).map_or("?".to_owned(), |n| (n + 1).to_string());
            let place = |head: usize| gold_places.get(&head).map_or("?".to_owned(), |place| numbered(*place));
            scores.tree_errors.push(format!(
                "{}\t{number}\t{}\t{}\t{}\t{}\t{}",
                sentence.id,
                word.form,
                gold.head.map_or("0".to_owned(), numbered),
                gold.relation,
                found.head.map_or("0".to_owned(), place),
                found.relation
            ));
        }
    }
}

/// (Gold, found) with how often, and for which forms.
pub type Confusions = BTreeMap<(String, String), (usize, FxHashMap<String, usize>)>;

fn merge(into: &mut Confusions, from: Confusions) {
    for (pair, (times, forms)) in from {
        let entry = into.entry(pair).or_default();
        entry.0 += times;
        for (form, n) in forms {
            *entry.1.entry(form).or_default() += n;
        }
    }
}

impl Scores {
    /// Adds the counts of another evaluation.
    pub fn add(&mut self, other: Scores) {
        for (a, b) in
            [(&mut self.tokens, other.tokens), (&mut self.words, other.words), (&mut self.sentences, other.sentences)]
        {
            a.gold += b.gold;
            a.found += b.found;
            a.same += b.same;
        }
        self.trees.add(&other.trees);
        self.single += other.single;
        self.upos += other.upos;
        self.feats += other.feats;
        self.lemma += other.lemma;
        merge(&mut self.confusions, other.confusions);
        merge(&mut self.feat_confusions, other.feat_confusions);
        merge(&mut self.lemma_confusions, other.lemma_confusions);
        merge(&mut self.tree_confusions, other.tree_confusions);
        for (form, n) in other.lost_tokens {
            *self.lost_tokens.entry(form).or_default() += n;
        }
        self.lost_sentences.extend(other.lost_sentences);
        self.errors.extend(other.errors);
        self.tree_errors.extend(other.tree_errors);
    }

    /// Prints which relations go wrong most often.
    pub fn print_tree_confusions(&self) {
        println!("relations\n{}", top(&self.tree_confusions, 25));
    }

    /// Prints what goes wrong most often.
    pub fn print_confusions(&self) {
        println!("parts of speech\n{}", top(&self.confusions, 20));
        println!("features, part of speech right\n{}", top(&self.feat_confusions, 20));
        println!("lemmas\n{}", top(&self.lemma_confusions, 30));
        self.print_tree_confusions();
        let mut lost: Vec<_> = self.lost_tokens.iter().collect();
        lost.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        println!("tokens cut otherwise: {:?}", lost.into_iter().take(400).collect::<Vec<_>>());
        for sentence in self.lost_sentences.iter().take(60) {
            let short: String = sentence.chars().take(110).collect();
            println!("  sentence lost: {short}");
        }
    }
}

fn note(map: &mut Confusions, gold: &str, found: &str, form: &str) {
    let entry = map.entry((gold.to_owned(), found.to_owned())).or_default();
    entry.0 += 1;
    *entry.1.entry(form.to_owned()).or_default() += 1;
}

impl Scores {
    /// Counts a word outside contractions.
    fn judge(&mut self, gold: &Word, upos: &str, feats: &str, lemma: &str) {
        let right = (gold.upos == upos, gold.feats == feats, gold.lemma == lemma);
        self.upos += usize::from(right.0);
        self.feats += usize::from(right.1);
        self.lemma += usize::from(right.2);
        if !right.0 {
            note(&mut self.confusions, &gold.upos, upos, &gold.form);
        } else if !right.1 {
            note(&mut self.feat_confusions, &format!("{} {}", gold.upos, gold.feats), feats, &gold.form);
        }
        if !right.2 {
            note(&mut self.lemma_confusions, &format!("{} {}", gold.upos, gold.lemma), lemma, &gold.form);
        }
        if right != (true, true, true) {
            self.error(gold, &[upos, feats, lemma]);
        }
    }

    fn error(&mut self, gold: &Word, found: &[&str]) {
        self.errors.push([&[&*gold.form, &gold.upos, &gold.feats, &gold.lemma], found].concat().join("\t"));
    }
}

/// Analyses the raw text of each document and compares.
pub fn evaluate<'d>(runtime: &Runtime, language: Language, documents: impl Iterator<Item = &'d Document>) -> Scores {
    evaluate_with(runtime, language, documents, &Relations::default())
}

/// The same; a relation that the treebank has in place of the gold one counts as right.
pub fn evaluate_with<'d>(
    runtime: &Runtime,
    language: Language,
    documents: impl Iterator<Item = &'d Document>,
    relations: &Relations,
) -> Scores {
    let mut scores = Scores::default();
    for document in documents {
        let text = &document.text;
        let mut analysis = runtime.analyse_blocks(language, text, &conllu::paragraphs(text));
        runtime.parse(language, &mut analysis);
        if !analysis.tree.is_empty() && document.sentences.iter().flat_map(|s| &s.words).all(|w| w.head.is_some()) {
            judge_trees(&mut scores, document, &analysis, relations);
        }
        let found_sentences: FxHashSet<(usize, usize)> =
            analysis.sentences.iter().map(|s| (s.bytes.start, s.bytes.end)).collect();
        scores.sentences.found += found_sentences.len();
        let found: FxHashMap<(usize, usize), usize> =
            analysis.tokens.iter().enumerate().map(|(i, t)| ((t.bytes.start, t.bytes.end), i)).collect();
        scores.tokens.found += analysis.tokens.len();
        scores.words.found += analysis.words.len();
        for sentence in &document.sentences {
            scores.sentences.gold += 1;
            let same = found_sentences.contains(&(sentence.bytes.start, sentence.bytes.end));
            scores.sentences.same += usize::from(same);
            if !same {
                scores.lost_sentences.push(text[sentence.bytes.clone()].to_owned());
            }
            for token in &sentence.tokens {
                scores.tokens.gold += 1;
                scores.words.gold += token.words.len();
                let single = token.words.len() == 1;
                scores.single += usize::from(single);
                let Some(&at) = found.get(&(token.bytes.start, token.bytes.end)) else {
                    let from = text[..token.bytes.start].char_indices().rev().nth(7).map_or(0, |(i, _)| i);
                    let to =
                        text[token.bytes.end..].char_indices().nth(8).map_or(text.len(), |(i, _)| token.bytes.end + i);
                    let place = format!(
                        "{}⟨{}⟩{}",
                        &text[from..token.bytes.start],
                        &text[token.bytes.clone()],
                        &text[token.bytes.end..to]
                    );
                    *scores.lost_tokens.entry(place).or_default() += 1;
                    if single {
                        scores.error(&sentence.words[token.words.start], &["cut otherwise"]);
                    }
                    continue;
                };
                scores.tokens.same += 1;
                let words = analysis.words_of(&analysis.tokens[at]);
                let gold = &sentence.words[token.words.clone()];
                if words.len() == gold.len() {
                    scores.words.same += gold
                        .iter()
                        .zip(words)
                        .filter(|(g, w)| g.form.to_lowercase() == analysis.string(w.form).to_lowercase())
                        .count();
                } else {
                    *scores
                        .lost_tokens
                        .entry(format!("{} ({} words)", &text[token.bytes.clone()], gold.len()))
                        .or_default() += 1;
                }
                if !single || words.len() != 1 {
                    continue;
                }
                let (gold, word) = (&gold[0], &words[0]);
                let feats = analysis.string(word.feats);
                let feats = if feats.is_empty() { "_" } else { feats };
                scores.judge(gold, word.pos.as_str(), feats, analysis.string(word.lemma));
            }
        }
    }
    scores
}

/// Tags and lemmatises the gold words of gold sentences, so that cutting plays no part.
pub fn evaluate_words<'d>(
    sources: LemmaSources<'_>,
    weights: &impl Weights,
    lemmas: &LemmaTables,
    documents: impl Iterator<Item = &'d Document>,
) -> Scores {
    let mut scores = Scores::default();
    let (mut positions, mut tags) = (Vec::new(), Vec::new());
    let model = sources.model;
    for sentence in documents.flat_map(|d| &d.sentences) {
        let slips: Vec<Option<Slip>> = sentence
            .words
            .iter()
            .map(|w| if model.marks_slips() { Slip::find(sources.lexicon, sources.frequencies, &w.form) } else { None })
            .collect();
        let meant = |at: usize| slips[at].as_ref().map_or(&sentence.words[at].form, |slip| &slip.meant);
        let facts: Vec<FormFacts> = (0..slips.len()).map(|at| model.facts(sources.lexicon, meant(at), None)).collect();
        let facts: Vec<&FormFacts> = facts.iter().collect();
        model.positions(weights, &facts, false, &mut positions);
        model.tag(weights, &positions, &mut tags);
        for token in sentence.tokens.iter().filter(|t| t.words.len() == 1) {
            scores.single += 1;
            let at = token.words.start;
            let (gold, tag) = (&sentence.words[at], tags[at]);
            let own = if model.feats(tag).is_empty() { "_" } else { model.feats(tag) };
            let feats = slips[at].as_ref().map_or_else(|| own.to_owned(), |slip| with_mark(own, slip.mark));
            let upos = model.upos(tag).as_str();
            let lemma = lemmas.lemma(sources, meant(at), &lower_form(meant(at)), tag);
            scores.judge(gold, upos, &feats, &lemma);
        }
    }
    scores
}

/// The most frequent confusions, one a line.
fn top(map: &Confusions, count: usize) -> String {
    let mut rows: Vec<_> = map.iter().collect();
    rows.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(b.0)));
    let mut out = String::new();
    for ((gold, found), (times, forms)) in rows.into_iter().take(count) {
        let mut examples: Vec<_> = forms.iter().collect();
        examples.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let examples: Vec<String> =
            examples.into_iter().take(6).map(|(f, n)| if *n > 1 { format!("{f} ×{n}") } else { f.clone() }).collect();
        out.push_str(&format!("{times:5}  {gold} → {found}: {}\n", examples.join(", ")));
    }
    out
}
