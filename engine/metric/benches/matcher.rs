//! What rows and patterns cost on the same text: 100 to 10,000 phrase rows, 50 and 500 token patterns. In the groups
//! `found` all rows and patterns are of words of the text, so that hits grow with them; in the groups `absent` the
//! first 50 are and the others are not, as in real glossaries.
//!
//! `cargo bench -p glosa-metric --bench matcher`
#![allow(missing_docs, reason = "criterion's macros make public items")]

#[path = "../tests/toy/mod.rs"]
mod toy;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use glosa_metric::phrases::{PhraseIndex, PhraseIndexBuilder, PhraseRow};
use glosa_metric::{
    Budget, CompileContext, Glossaries, Input, MatchBy, Metric, NoInflection, Params, Sink, Structure, VariantFile,
    WordLists, compile,
};
use glosa_text::Document;
use toy::{document, tokenize};

/// A small generator, so that every run sees the same words.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }

    /// A word whose rank is distributed roughly as in a text (Zipf).
    fn word(&mut self) -> String {
        let rank = (4000f64.powf(self.roll(10_000) as f64 / 10_000.0)) as u64;
        format!("w{rank}")
    }

    fn phrase(&mut self) -> String {
        let words = 2 + self.roll(3);
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

fn text(words: usize) -> Document {
    let mut dice = Dice(7);
    let mut tagged = String::new();
    for n in 0..words {
        let tag = ["NOUN", "VERB", "ADP", "DET", "ADJ"][dice.roll(5) as usize];
        let word = dice.word();
        tagged.push_str(&format!("{word}/{tag}/{word} "));
        if n % 20 == 19 {
            tagged.push_str("~. | ");
        }
    }
    document(&tagged)
}

/// How many rows or patterns of an `absent` group are of words of the text.
const PRESENT: usize = 50;

fn absent(words: String, number: usize, all_present: bool) -> String {
    if all_present || number < PRESENT { words } else { words.replace('w', "x") }
}

fn index(rows: usize, all_present: bool) -> PhraseIndex {
    let mut dice = Dice(11);
    let mut builder = PhraseIndexBuilder::new(&tokenize);
    let rows = (0..rows).map(|n| PhraseRow {
        by: if n % 4 == 0 { MatchBy::Lemma } else { MatchBy::Form },
        ..PhraseRow::form(absent(dice.phrase(), n, all_present))
    });
    builder.table(0, rows.collect::<Vec<_>>());
    builder.build().expect("rows have words")
}

fn patterns(number: usize, all_present: bool) -> Vec<Arc<dyn Metric>> {
    let mut dice = Dice(13);
    (0..number)
        .map(|n| {
            let (a, b) = (absent(dice.word(), n, all_present), absent(dice.word(), n, all_present));
            let source = format!(
                "version: 1.0.0\nmatch: [{{pos: [DET, ADP], repeat: 0..2}}, {{lemma: {a}, as: x}}, {{gap: 0..3}}, {{norm: {b}}}]\nfix: '{{x}}'\n"
            );
            let file = VariantFile::read("bench.yaml", &source).expect("a variant");
            let context = CompileContext {
                file: "bench.yaml",
                source: &source,
                params: &BTreeMap::new(),
                tokenize: &tokenize,
                table: None,
                columns: &|_| None,
                lists: &WordLists::default(),
                lemmas: &|_| Vec::new(),
                participles: &|_| Vec::new(),
            };
            compile(&file, &context).expect("a pattern").run
        })
        .collect()
}

fn phrases(c: &mut Criterion) {
    let text = text(2_000);
    for (name, all_present) in [("phrases found", true), ("phrases absent", false)] {
        let mut group = c.benchmark_group(name);
        for rows in [100, 1_000, 10_000] {
            let index = index(rows, all_present);
            group.bench_with_input(BenchmarkId::from_parameter(rows), &index, |b, index| {
                b.iter(|| black_box(index.scan(&text, &[0])));
            });
        }
        group.finish();
    }
}

fn token_patterns(c: &mut Criterion) {
    let document = Arc::new(text(2_000));
    let input = Input {
        document,
        params: Arc::new(Params::new(Arc::default())),
        glossaries: Arc::new(Glossaries::default()),
        views: Arc::default(),
        hits: Arc::default(),
        structure: Arc::new(Structure::default()),
        inflect: Arc::new(NoInflection),
        budget: Budget::default(),
        occurrences: 0,
        trial: false,
    };
    for (name, all_present) in [("patterns found", true), ("patterns absent", false)] {
        let mut group = c.benchmark_group(name);
        for number in [50, 500] {
            let patterns = patterns(number, all_present);
            group.bench_with_input(BenchmarkId::from_parameter(number), &patterns, |b, patterns| {
                b.iter(|| {
                    let mut sink = Sink::default();
                    for pattern in patterns {
                        pattern.run(&input, &mut sink).expect("runs");
                    }
                    black_box(sink)
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, phrases, token_patterns);
criterion_main!(benches);
