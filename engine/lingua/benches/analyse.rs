//! Words per second from raw text to lemmas, and how the time grows with the text.
//!
//! The texts are the hand-made sentences beside the models, repeated; `GLOSA_BENCH_TEXTS` names a folder with
//! `es.txt`, `ca.txt` and `en.txt` to measure on other texts.
#![allow(missing_docs, reason = "criterion makes the functions")]
#![allow(clippy::disallowed_methods, reason = "a benchmark reads its texts")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glosa_lingua::{Runtime, conllu};
use glosa_text::{Language, Layout};
use std::collections::HashSet;
use std::hint::black_box;

fn text(language: Language, words: usize) -> String {
    let own = std::env::var("GLOSA_BENCH_TEXTS")
        .ok()
        .and_then(|folder| std::fs::read_to_string(format!("{folder}/{}.txt", language.code())).ok());
    let source = own.unwrap_or_else(|| {
        let gold = match language {
            Language::Es => include_str!("../gold/es/tune.conllu"),
            Language::Ca => include_str!("../gold/ca/tune.conllu"),
            Language::En => include_str!("../gold/en/tune.conllu"),
        };
        gold.lines().filter_map(|l| l.strip_prefix("# text = ")).collect::<Vec<_>>().join(" ") + "\n\n"
    });
    let mut out = String::new();
    let mut count = 0;
    'fill: loop {
        for paragraph in source.split_inclusive("\n\n") {
            for word in paragraph.split_inclusive(char::is_whitespace) {
                out.push_str(word);
                count += usize::from(!word.trim().is_empty());
                if count == words {
                    break 'fill;
                }
            }
        }
    }
    out
}

fn analyse(c: &mut Criterion) {
    let runtime = Runtime::new().expect("the shipped models are sound");
    for language in Language::ALL {
        let mut group = c.benchmark_group(format!("analyse/{language}"));
        group.sample_size(20);
        for words in [1_000, 10_000, 100_000] {
            let text = text(language, words);
            group.throughput(Throughput::Elements(words as u64));
            group.bench_with_input(BenchmarkId::new("raw text to lemmas", words), &text, |b, text| {
                b.iter(|| black_box(runtime.analyse_blocks(language, text, &conllu::paragraphs(text))));
            });
        }
        let text = text(language, 10_000);
        group.throughput(Throughput::Elements(10_000));
        group.bench_with_input(BenchmarkId::new("raw text to document", 10_000), &text, |b, text| {
            b.iter(|| black_box(runtime.analyse(language, text, Layout::new(text, &HashSet::new()))));
        });
        group.finish();
    }
    c.bench_function("load all models", |b| b.iter(|| black_box(Runtime::new().is_ok())));
}

criterion_group!(benches, analyse);
criterion_main!(benches);
