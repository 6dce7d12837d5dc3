//! How letters are composed makes no difference: a decomposed text (NFD) has the findings of the composed one (NFC), at the same
//! places and with the same text after all edits.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_host::{Roots, Snapshot};
use glosa_report::{ReportResult, apply, build, violations};
use glosa_tests_rules::texts;
use glosa_text::Language;
use unicode_normalization::UnicodeNormalization;

fn composed(text: impl Iterator<Item = char>) -> String {
    text.nfc().collect()
}

/// What a report finds: the rule, and where in the composed text.
fn places(result: &ReportResult, text: &str) -> Vec<String> {
    let mut before = vec![0];
    let letters: Vec<char> = text.chars().collect();
    for end in 1..=letters.len() {
        let whole = letters.get(end).is_none_or(|next| !unicode_normalization::char::is_combining_mark(*next));
        let last = before[end - 1];
        before.push(if whole { last + 1 } else { last });
    }
    let place = |start: Option<u32>, end: Option<u32>| {
        start.zip(end).map(|(start, end)| (before[start as usize], before[end as usize]))
    };
    let mut found = Vec::new();
    for recommendation in &result.recommendations {
        for o in &recommendation.occurrences {
            let spans: Vec<_> = o.spans.iter().map(|s| place(Some(s.start), Some(s.end))).collect();
            let advice = o.replacement.as_deref().map(|text| composed(text.chars()));
            let at = place(o.start, o.end);
            found.push(format!("{} {at:?} {spans:?} {advice:?} {}", recommendation.metric_id, o.edits.len()));
        }
    }
    found
}

fn edited(result: &ReportResult, text: &str) -> String {
    let occurrences = result.recommendations.iter().flat_map(|r| &r.occurrences);
    let mut edits: Vec<_> = occurrences.flat_map(|o| o.edits.clone()).collect();
    edits.sort_by_key(|e| std::cmp::Reverse((e.start, e.end)));
    composed(apply(text, &edits).chars())
}

#[test]
fn a_decomposed_text_has_the_findings_of_the_composed_one() {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let roots = Roots::find(Some(top), &[]).expect("the checkout");
    let snapshot: Snapshot = glosa_host::load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let mut different = Vec::new();
    for language in Language::ALL {
        let mut files = Vec::new();
        texts(&top.join("tests/rules/corpus").join(language.code()), &mut files);
        files.sort();
        let accents =
            "Se utilizó la sala. La comisión llevó a cabo la tramitación del expediente, que había sido escrito.";
        let read = files.iter().map(|path| {
            let domain = path.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()).expect("a domain");
            let name = path.file_name().and_then(|n| n.to_str()).expect("a name").split('.').next().expect("a genre");
            (domain.to_owned(), name.to_owned(), std::fs::read_to_string(path).expect("a text"))
        });
        let short = ("administracion-clara".to_owned(), "carta".to_owned(), accents.to_owned());
        for (domain, text_type, text) in read.chain((language == Language::Es).then_some(short)) {
            let genre = snapshot.catalog.find(language, Some(&domain), &text_type).expect("a genre");
            let stop = Arc::new(AtomicBool::new(false));
            let report =
                |text: &str| build(&snapshot.engine, genre, language, text, &mut |_| {}, &stop).expect("a report");
            let nfc: String = text.nfc().collect();
            let nfd: String = text.nfd().collect();
            let (one, other) = (report(&nfc), report(&nfd));
            assert_eq!(violations(&other, &nfd), vec![], "{language} {domain}/{text_type}");
            let (wanted, found) = (places(&one, &nfc), places(&other, &nfd));
            let shown = format!("{language} {domain}/{text_type}");
            different.extend(wanted.iter().filter(|p| !found.contains(p)).map(|p| format!("{shown}: lost {p}")));
            different.extend(found.iter().filter(|p| !wanted.contains(p)).map(|p| format!("{shown}: gained {p}")));
            if edited(&one, &nfc) != edited(&other, &nfd) {
                different.push(format!("{shown}: other text after the edits"));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
