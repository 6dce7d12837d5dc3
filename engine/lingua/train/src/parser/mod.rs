//! Trains the parser.

pub mod constituents;
pub mod network;
pub mod optimiser;
pub mod projection;
pub mod score;
pub mod stored;

use crate::treebank::{Document, Sentence};
use glosa_lingua::Clusters;
use glosa_lingua::parser::features::{OWN_KEYS, ParserWord, source_key};
use glosa_lingua::parser::relations::Relations;
use glosa_lingua::parser::tree::best_tree;
use glosa_lingua::parser::{Dimensions, ParserParameters, Part};
use glosa_lingua::tagger::lower_form;
use network::{Batch, Drop, Gradient, Network, Places, Random, initial};
use optimiser::Adam;
use rustc_hash::FxHashMap;
use score::{Arc, TreeScores};

/// Settings of a training.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Numbers a word is made of.
    pub width: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// Numbers that arcs are scored with.
    pub arc: usize,
    /// Numbers that relations are scored with.
    pub label: usize,
    /// Passes over the data.
    pub epochs: usize,
    /// Words of a step.
    pub batch: usize,
    /// Length of the steps at their longest.
    pub rate: f32,
    /// Shares of inputs that are left out at random.
    pub drop: Drop,
    /// Share of words whose form and lemma are hidden.
    pub hide: f32,
    /// A key seen less often has no embedding.
    pub least: u32,
    /// Seed.
    pub seed: u64,
}

/// A sentence of a treebank, its source (0 sets the conventions) and what it counts.
pub struct Example<'s> {
    /// The sentence; its tags are predicted ones.
    pub sentence: &'s Sentence,
    /// Number of the treebank.
    pub source: usize,
    /// What an error in it counts.
    pub weight: f32,
}

/// Sentences of documents as examples.
pub fn examples(documents: &[Document], source: usize, weight: f32) -> impl Iterator<Item = Example<'_>> {
    let with_tree = |s: &&Sentence| s.words.iter().any(|w| w.head.is_some());
    let sentences = documents.iter().flat_map(|d| &d.sentences).filter(with_tree);
    sentences.map(move |sentence| Example { sentence, source, weight })
}

/// A trained parser in floating point.
#[derive(Clone, Debug)]
pub struct Trained {
    /// Sizes.
    pub of: Dimensions,
    /// Parameters of the network.
    pub all: Vec<f32>,
    /// Row of the embeddings of each key.
    pub rows: FxHashMap<u32, u32>,
    /// Embeddings.
    pub embeddings: Vec<f32>,
    /// Names of the relations.
    pub relations: Vec<String>,
}

struct Prepared {
    /// Rows of each word; those of form and lemma first, `NO_ROW` where unknown.
    rows: Vec<Vec<u32>>,
    heads: Vec<Option<u32>>,
    relations: Vec<Option<u16>>,
    source: u32,
    weight: f32,
}

const NO_ROW: u32 = u32::MAX;

fn keys_of(sentence: &Sentence, clusters: &Clusters) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let each = sentence.words.iter().map(|word| {
        let lower = lower_form(&word.form);
        let cluster = match clusters.path(&word.form) {
            0 => clusters.path(&lower),
            path => path,
        };
        let feats = if word.feats == "_" { "" } else { &word.feats };
        let (form, lemma, upos) = (&word.form, &word.lemma, &word.upos);
        ParserWord { form, lower: &lower, lemma, upos, feats, cluster }.keys(&mut found);
        found.clone()
    });
    each.collect()
}

impl Trained {
    fn prepare(&self, example: &Example<'_>, clusters: &Clusters) -> Prepared {
        let row = |key: &u32| self.rows.get(key).copied().unwrap_or(NO_ROW);
        let rows = |keys: Vec<u32>| {
            let all = keys.iter().map(row).enumerate();
            all.filter(|(i, row)| *i < OWN_KEYS || *row != NO_ROW).map(|(_, row)| row).collect()
        };
        let number = |name: &str| self.relations.iter().position(|r| r == name).map(|n| n as u16);
        let words = &example.sentence.words;
        Prepared {
            rows: keys_of(example.sentence, clusters).into_iter().map(rows).collect(),
            heads: words.iter().map(|w| w.head).collect(),
            relations: words.iter().map(|w| number(&w.relation)).collect(),
            source: row(&source_key(example.source)),
            weight: example.weight,
        }
    }

    /// Adds up the embeddings of a word; those of form and lemma are hidden for a share of `hide`.
    fn add_up(&self, rows: &[u32], source: u32, hide: f32, random: &mut Random, out: &mut [f32]) -> [bool; OWN_KEYS] {
        let mut shown = [true; OWN_KEYS];
        let d = self.of.width;
        for (i, row) in rows.iter().chain([&source]).enumerate() {
            if i < OWN_KEYS && hide > 0.0 && random.share() < hide {
                shown[i] = false;
                continue;
            }
            if *row != NO_ROW {
                let values = &self.embeddings[*row as usize * d..(*row as usize + 1) * d];
                out.iter_mut().zip(values).for_each(|(o, v)| *o += v);
            }
        }
        shown
    }

    /// Goes back by a share of the way to what it was `before`: most of what was learnt since then stays, and little of
    /// what was known is lost (Wortsman et al. 2022). Embeddings that are new stay.
    pub fn go_back(&mut self, before: &Trained, share: f32) {
        let mix = |now: &mut [f32], then: &[f32]| {
            now.iter_mut().zip(then).for_each(|(now, then)| *now += share * (then - *now));
        };
        mix(&mut self.all, &before.all);
        mix(&mut self.embeddings, &before.embeddings);
    }

    /// The bytes of `parser.bin`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (places, d) = (Places::new(&self.of), self.of.width);
        let values = |range: &std::ops::Range<usize>| &self.all[range.clone()];
        let lift = [values(&places.bilinear), values(&places.arc_distance)].concat();
        let mut parts = Vec::new();
        for [gates, bias, peep] in &places.layers {
            parts.extend([Part::Matrix(values(gates), d), Part::Numbers(values(bias)), Part::Numbers(values(peep))]);
        }
        parts.extend([
            Part::Matrix(values(&places.projections), d),
            Part::Numbers(values(&places.projection_bias)),
            Part::Matrix(&lift, self.of.arc),
            Part::Numbers(values(&places.head_bias)),
            Part::Numbers(values(&places.arc_root)),
            Part::Numbers(values(&places.label_distance)),
            Part::Numbers(values(&places.label_root)),
            Part::Matrix(values(&places.relations), self.of.label),
            Part::Numbers(values(&places.relation_bias)),
        ]);
        let row = |row: u32| &self.embeddings[row as usize * d..(row as usize + 1) * d];
        let mut embeddings: Vec<(u32, &[f32])> = self.rows.iter().map(|(key, number)| (*key, row(*number))).collect();
        embeddings.sort_unstable_by_key(|(key, _)| *key);
        ParserParameters { of: self.of, relations: &self.relations, embeddings, parts }.to_bytes()
    }

    /// Heads and relations of each sentence.
    pub fn parse(&self, sentences: &[&Sentence], clusters: &Clusters) -> Vec<(Vec<u32>, Vec<u16>)> {
        let mut network = Network::new(self.of, &self.all);
        let (mut scores, mut heads) = (Vec::new(), Vec::new());
        let mut random = Random::new(1);
        let relations = Relations::new(self.relations.iter().map(|name| name.as_str().into()).collect());
        let parse = |sentence: &&Sentence| {
            let prepared = self.prepare(&Example { sentence, source: 0, weight: 1.0 }, clusters);
            let (n, d) = (prepared.rows.len(), self.of.width);
            let mut input = vec![0f32; n * d];
            for (rows, out) in prepared.rows.iter().zip(input.chunks_exact_mut(d)) {
                self.add_up(rows, prepared.source, 0.0, &mut random, out);
            }
            network.read(&input, &[0, n], Drop::default(), &mut random);
            network.arcs(0, n, &mut scores);
            best_tree(n, &scores, &mut heads);
            let batch =
                Batch { starts: vec![0, n], heads: heads.iter().map(|h| Some(*h)).collect(), ..Batch::default() };
            let mut chosen = Vec::new();
            relations.choose(&heads, &network.relations(&batch), &mut chosen);
            (heads.clone(), chosen)
        };
        sentences.iter().map(parse).collect()
    }

    /// Scores on sentences cut as in the gold text.
    pub fn score(&self, sentences: &[&Sentence], clusters: &Clusters) -> TreeScores {
        let mut scores = TreeScores::default();
        for (sentence, (heads, relations)) in sentences.iter().zip(self.parse(sentences, clusters)) {
            let place = |head: u32| (head > 0).then(|| head as usize - 1);
            let gold: Vec<Arc<'_>> = (sentence.words.iter())
                .map(|w| Arc { head: place(w.head.unwrap_or(0)), relation: &w.relation })
                .collect();
            let found: Vec<Arc<'_>> = (heads.iter().zip(&relations))
                .map(|(h, r)| Arc { head: place(*h), relation: &self.relations[usize::from(*r)] })
                .collect();
            scores.sentence(&gold, &found);
        }
        scores
    }
}

/// Trains a parser, from the numbers of `before` if there are any, which then give the sizes and the relations; after some
/// passes it is judged on `held_out`.
pub fn train(
    examples: &[Example<'_>],
    clusters: &Clusters,
    settings: &Settings,
    before: Option<Trained>,
    held_out: &[&Sentence],
) -> Trained {
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    let mut relations: Vec<String> = Vec::new();
    for example in examples {
        for keys in keys_of(example.sentence, clusters) {
            keys.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
        }
        *counts.entry(source_key(example.source)).or_default() += settings.least;
        relations.extend(example.sentence.words.iter().filter(|w| w.head.is_some()).map(|w| w.relation.clone()));
        relations.sort();
        relations.dedup();
    }
    let mut keys: Vec<u32> = counts.iter().filter(|(_, n)| **n >= settings.least).map(|(key, _)| *key).collect();
    keys.sort_unstable();
    let mut random = Random::new(settings.seed + 1);
    let mut model = before.unwrap_or_else(|| {
        let of = Dimensions {
            width: settings.width,
            layers: settings.layers,
            arc: settings.arc,
            label: settings.label,
            relations: relations.len(),
        };
        let all = initial(&of, &mut random);
        Trained { of, all, rows: FxHashMap::default(), embeddings: Vec::new(), relations }
    });
    let (of, d) = (model.of, model.of.width);
    for key in keys {
        let next = model.rows.len() as u32;
        if *model.rows.entry(key).or_insert(next) == next {
            model.embeddings.extend((0..d).map(|_| random.normal() * 0.1));
        }
    }
    let prepared: Vec<Prepared> = examples.iter().map(|e| model.prepare(e, clusters)).collect();
    let words: usize = prepared.iter().map(|p| p.rows.len()).sum();
    println!(
        "  {} sentences, {words} words, {} embeddings, {} relations, {} parameters",
        prepared.len(),
        model.rows.len(),
        of.relations,
        model.all.len()
    );
    let mut dense = Adam::new(model.all.len(), model.all.len());
    let mut sparse = Adam::new(model.embeddings.len(), d);
    let steps = (words * settings.epochs).div_ceil(settings.batch) as f32;
    let warm = steps * 0.03;
    let (mut step, mut order) = (0f32, (0..prepared.len()).collect::<Vec<_>>());
    let mut gradient = Gradient::default();
    let mut touched: FxHashMap<u32, usize> = FxHashMap::default();
    let mut row_gradients: Vec<f32> = Vec::new();
    for epoch in 0..settings.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.draw() as usize % (i + 1));
        }
        let (mut at, mut arcs, mut labels) = (0, 0f64, 0f64);
        while at < order.len() {
            let mut batch = Batch { starts: vec![0], ..Batch::default() };
            let mut chosen = Vec::new();
            while at < order.len() && batch.heads.len() < settings.batch {
                let sentence = &prepared[order[at]];
                batch.heads.extend(&sentence.heads);
                batch.relations.extend(&sentence.relations);
                batch.starts.push(batch.heads.len());
                batch.weights.push(sentence.weight);
                chosen.push(sentence);
                at += 1;
            }
            let n = batch.heads.len();
            let mut input = vec![0f32; n * d];
            let places = chosen.iter().flat_map(|sentence| sentence.rows.iter().map(|rows| (rows, sentence.source)));
            let mut shown = Vec::with_capacity(n);
            for ((rows, source), out) in places.clone().zip(input.chunks_exact_mut(d)) {
                shown.push(model.add_up(rows, source, settings.hide, &mut random, out));
            }
            let mut network = Network::new(of, &model.all);
            network.read(&input, &batch.starts, settings.drop, &mut random);
            let loss = network.learn(&batch, &mut gradient);
            arcs += f64::from(loss.arcs);
            labels += f64::from(loss.relations);
            let share = if step < warm { step / warm } else { (1.0 - (step - warm) / (steps - warm)).max(0.0) };
            let rate = settings.rate * share;
            step += n as f32 / settings.batch as f32;
            let scale = 1.0 / n as f32;
            gradient.all.iter_mut().for_each(|g| *g *= scale);
            let norm = gradient.all.iter().map(|g| g * g).sum::<f32>().sqrt();
            let clip = if norm > CLIP { CLIP / norm } else { 1.0 };
            gradient.all.iter_mut().for_each(|g| *g *= clip);
            dense.step(0, &mut model.all, &gradient.all, rate);
            touched.clear();
            row_gradients.clear();
            for (((rows, source), shown), own) in places.zip(&shown).zip(gradient.input.chunks_exact(d)) {
                for (i, row) in rows.iter().chain([&source]).enumerate() {
                    if *row == NO_ROW || i < OWN_KEYS && !shown[i] {
                        continue;
                    }
                    let next = touched.len();
                    let slot = *touched.entry(*row).or_insert(next);
                    if slot == next {
                        row_gradients.resize((next + 1) * d, 0.0);
                    }
                    let out = &mut row_gradients[slot * d..(slot + 1) * d];
                    out.iter_mut().zip(own).for_each(|(o, g)| *o += g * scale * clip);
                }
            }
            for (row, slot) in &touched {
                let values = &mut model.embeddings[*row as usize * d..(*row as usize + 1) * d];
                sparse.step(*row as usize, values, &row_gradients[slot * d..(slot + 1) * d], rate);
            }
        }
        let judged = if held_out.is_empty() || (epoch + 1) % 3 != 0 && epoch + 1 != settings.epochs {
            String::new()
        } else {
            model.score(held_out, clusters).line()
        };
        println!("  pass {}: loss {:.3} + {:.3}  {judged}", epoch + 1, arcs / words as f64, labels / words as f64);
    }
    model
}

/// A longer gradient is made as short.
const CLIP: f32 = 5.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::treebank;
    use glosa_lingua::parser::{Parser, ParserScratch};

    /// Subject, verb, object, a phrase with a preposition; the same order everywhere.
    fn tiny() -> Vec<Document> {
        let row = |id: usize, form: &str, upos: &str, head: usize, relation: &str| {
            format!("{id}\t{form}\t{form}\t{upos}\t_\t_\t{head}\t{relation}\t_\t_\n")
        };
        let mut text = String::new();
        for (subject, verb, object) in
            [("perros", "ven", "gatos"), ("niñas", "leen", "libros"), ("jueces", "dan", "plazos")]
        {
            for place in ["Madrid", "casa"] {
                text += &row(1, subject, "NOUN", 2, "nsubj");
                text += &row(2, verb, "VERB", 0, "root");
                text += &row(3, object, "NOUN", 2, "obj");
                text += &row(4, "en", "ADP", 5, "case");
                text += &row(5, place, "PROPN", 2, "obl");
                text += "\n";
            }
        }
        treebank::read(&text).unwrap()
    }

    #[test]
    fn a_tiny_treebank_is_learnt_and_the_runtime_parses_the_same() {
        let documents = tiny();
        let settings = Settings {
            width: 16,
            layers: 2,
            arc: 8,
            label: 8,
            epochs: 60,
            batch: 15,
            rate: 0.01,
            drop: Drop::default(),
            hide: 0.1,
            least: 1,
            seed: 0,
        };
        let examples: Vec<Example<'_>> = examples(&documents, 0, 1.0).collect();
        let clusters = Clusters::default();
        let trained = train(&examples, &clusters, &settings, None, &[]);
        let sentences: Vec<&Sentence> = documents.iter().flat_map(|d| &d.sentences).collect();
        assert_eq!(trained.score(&sentences, &clusters).figures(), [100.0; 4]);

        let parser = Parser::new(trained.to_bytes().into()).unwrap();
        let mut scratch = ParserScratch::default();
        for (sentence, (heads, relations)) in sentences.iter().zip(trained.parse(&sentences, &clusters)) {
            for (number, own) in keys_of(sentence, &clusters).into_iter().enumerate() {
                let word = [number as u32, sentence.bytes.start as u32, 0, 0];
                parser.push(word, &mut scratch, |keys| *keys = own);
            }
            let mut tree = Vec::new();
            parser.parse(&mut scratch, &mut tree);
            assert_eq!(tree, heads.into_iter().zip(relations).collect::<Vec<_>>());
        }
        assert!(Parser::new(trained.to_bytes()[..2000].to_vec().into()).is_err());

        let stored = stored::read(&trained.to_bytes()).unwrap();
        assert_eq!(stored.parse(&sentences, &clusters), trained.parse(&sentences, &clusters));
        let on = Settings { epochs: 1, rate: 0.0, ..settings };
        let on = train(&examples, &clusters, &on, Some(stored), &[]);
        // Weights that were rounded once get a scale that differs in its last bits.
        assert_eq!(on.parse(&sentences, &clusters), trained.parse(&sentences, &clusters), "steps of no length");
        assert_eq!(on.to_bytes().len(), trained.to_bytes().len());
        assert!(stored::read(&trained.to_bytes()[..2000]).is_err());

        let mut turned = trained.clone();
        turned.all.iter_mut().chain(&mut turned.embeddings).for_each(|value| *value = -*value);
        let mut back = turned.clone();
        back.go_back(&trained, 1.0);
        assert_eq!(back.parse(&sentences, &clusters), trained.parse(&sentences, &clusters), "all the way back");
        turned.go_back(&trained, 0.5);
        assert!(turned.all.iter().chain(&turned.embeddings).all(|value| *value == 0.0), "half of the way");
    }
}
