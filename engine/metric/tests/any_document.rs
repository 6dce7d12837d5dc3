//! Whatever the document: no panic, hits on token boundaries, in order, inside one sentence, without overlap.

mod toy;

use glosa_metric::MatchBy;
use glosa_metric::phrases::{PhraseIndexBuilder, PhraseRow};
use glosa_metric::{EntryStatus, GlossaryEntry};
use proptest::prelude::*;
use toy::{Bench, document, entry, tokenize};

fn word() -> impl Strategy<Value = String> {
    let forms = prop_oneof![
        6 => prop::sample::select(vec!["a", "b", "c", "de", "No", "SIN", "é", "e\u{301}", "👩🏽", "\u{1F}", "a\u{1F}b", "x\u{1E}", "12", ","]),
        1 => "[a-zñ]{1,4}".prop_map(|s| Box::leak(s.into_boxed_str()) as &str),
    ];
    let tags = prop::sample::select(vec![
        "",
        "/NOUN/a/Number=Plur",
        "/VERB/b/Tense=Past",
        "/ADP/de//de:ADP:de+el:DET:el",
        "/ADJ/c/Gender=Fem",
    ]);
    let ends = prop::sample::select(vec!["", "", "", " |", " ¶"]);
    (prop::bool::weighted(0.2), forms, tags, ends)
        .prop_map(|(tight, form, tag, end)| format!("{}{form}{tag}{end}", if tight { "~" } else { "" }))
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 1..25).prop_map(|words| words.join(" "))
}

fn row() -> impl Strategy<Value = PhraseRow> {
    let words = prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "de", "el", "no", "é"]), 1..4);
    let by = prop::sample::select(vec![MatchBy::Form, MatchBy::Lemma, MatchBy::Lemmas]);
    (words, by, any::<bool>()).prop_map(|(words, by, allow)| PhraseRow {
        by,
        allow,
        ..PhraseRow::form(words.join(" "))
    })
}

/// The words of a row at a place, read from the document the slow way.
fn stands(document: &glosa_text::Document, row: &PhraseRow, at: usize) -> Option<usize> {
    let words = tokenize(&row.phrase);
    let tokens = document.tokens();
    for (n, word) in words.iter().enumerate() {
        let token = tokens.get(at + n)?;
        let lemma = match row.by {
            MatchBy::Form => false,
            MatchBy::Lemma => n == 0,
            MatchBy::Lemmas => true,
        };
        let found = document.string(if lemma { token.lemma } else { token.norm });
        let same = if lemma { glosa_text::normal_form(found) == *word } else { found == word };
        if !same || token.sentence != tokens[at].sentence {
            return None;
        }
    }
    Some(at + words.len())
}

const PATTERNS: &[&str] = &[
    "match: [{pos: NOUN, repeat: 0..3}, {norm: [a, b]}, {gap: 0..4}, {any: [[de], [c, a], ['@t']], repeat: 0..2, as: x}]\nfix: '{x} {match}'\n",
    "match: [{ends: [a, e], not_followed_by: [de]}, {lemma: [a, b], repeat: 1.., preceded_by: [{gap: 1..3}]}]\nunless: [[{norm: c}]]\nwithin: paragraph\nfix: ''\n",
    "match: ['@t']\nspans: collect\n",
    "match: {any: [[{word: true, as: w}, {word: true, begins_like: w}], [{first: true}, {word: true}], [{part: {lemma: el}}]]}\nalternatives: ['{w.lemma}', \"{inflect(w, w)}\"]\n",
    "define: {d: {any: [[de], [{pos: NOUN, as: x}]]}}\nmatch: [{use: d, repeat: 1..3, as: y}, {word: true}]\nfix: \"{y} {x ? 'b' : ''} {inflect(y, 'Mood=Ind', y, x)}\"\nfacts: {n: count(x), m: count(y)}\nreport: {all: [{at_least: 1}, {over: 0, per: 100 words}]}\n",
    "substitute: {a b: b a, de: '', no: [sí, x], c de: {to: x, by: lemma}, é: {to: ~, by: lemmas}}\nunless: [[a, b, c]]\n",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn phrases_are_those_that_stand_there(tagged in text(), rows in prop::collection::vec(row(), 1..6)) {
        let document = document(&tagged);
        let mut builder = PhraseIndexBuilder::new(&tokenize);
        builder.table(0, rows.clone());
        let index = builder.build().unwrap();
        let hits = index.scan(&document, &[0]);
        let hits = hits.of(0);
        prop_assert!(hits.windows(2).all(|w| w[0].tokens.end <= w[1].tokens.start));
        for hit in hits {
            let row = &rows[hit.row as usize];
            prop_assert!(!row.allow);
            if hit.rest == 0 && document.parts().is_empty() {
                prop_assert_eq!(stands(&document, row, hit.tokens.start as usize), Some(hit.tokens.end as usize));
            }
        }
        if rows.iter().all(|row| !row.allow) {
            for at in 0..document.tokens().len() {
                if rows.iter().any(|row| stands(&document, row, at).is_some()) {
                    let covered = hits.iter().any(|hit| hit.tokens.contains(&(at as u32)));
                    prop_assert!(covered, "a phrase at token {} is neither found nor hidden", at);
                }
            }
        }
    }

    #[test]
    fn findings_are_exact_and_edits_apply(tagged in text(), pattern in prop::sample::select(PATTERNS)) {
        let rows = vec![
            GlossaryEntry { replacement: Some("z".into()), status: EntryStatus::Safe, by: MatchBy::Lemma, ..entry("a") },
            GlossaryEntry { replacement: Some(String::new()), status: EntryStatus::Safe, ..entry("de c") },
        ];
        let yaml = format!("version: 1.0.0\n{}{pattern}", if pattern.contains('@') { "glossaries: [t]\n" } else { "" });
        let (document, sink) = Bench::default().glossary("t", rows).run(&yaml, &tagged);
        let starts: Vec<u32> = document.tokens().iter().map(|t| t.span.start).collect();
        let ends: Vec<u32> = document.tokens().iter().map(|t| t.span.end).collect();
        let mut places: Vec<_> = sink.findings.iter().flat_map(|f| f.span().into_iter().chain(f.also.iter().copied())).collect();
        places.sort();
        for place in &places {
            prop_assert!(starts.contains(&place.start) && ends.contains(&place.end));
        }
        prop_assert!(places.windows(2).all(|w| w[0].end <= w[1].start));
        let mut edits: Vec<_> = sink.findings.iter().flat_map(|f| f.edits.clone()).collect();
        edits.sort_by_key(|e| e.span);
        for edit in edits {
            prop_assert!(edit.span.end <= document.code_points());
            document.slice(edit.span);
        }
    }

    #[test]
    fn no_text_breaks_the_reader(source in "(\\PC|[\n {}\\[\\],:'\"-]|match|any|norm|repeat|substitute|fix){0,40}") {
        drop(Bench::default().problems(&source));
    }
}
