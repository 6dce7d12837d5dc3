//! Documents of institutions that people judged, place by place: what was right stays right, but for
//! places that somebody decided to leave (`left`), and the picture shows how many
//! places, suggestions and split points of each language are right, debatable and wrong. `cargo rules precision` shows
//! them by rule. `tests/rules/judged/README.md` has the figures of the first reading.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use glosa_host::Roots;
use glosa_report::build;
use glosa_report::judged::{JudgedText, Judgement, Verdicts, compare};
use glosa_text::Language;

fn shown(of: Verdicts) -> String {
    format!("{} right, {} debatable, {} wrong, {} not judged", of.right, of.debatable, of.wrong, of.open)
}

#[test]
fn what_was_right_stays_right() {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let snapshot = glosa_host::load(&Roots::find(Some(top), &[]).expect("the checkout")).expect("the catalogue loads");
    let (mut picture, mut worse) = (String::new(), Vec::new());
    for language in Language::ALL {
        let folder = top.join("tests/rules/judged").join(language.code());
        let mut files: Vec<_> = std::fs::read_dir(&folder).expect("judged texts").flatten().map(|e| e.path()).collect();
        files.sort();
        let (mut sections, mut others) = (Judgement::default(), Judgement::default());
        for file in &files {
            let source = std::fs::read_to_string(file).expect("a file");
            let judged: JudgedText =
                glosa_metric::yaml::read(&source).unwrap_or_else(|problems| panic!("{file:?}: {problems:?}"));
            let (domain, text_type) = judged.genre.split_once('/').expect("domain/text_type");
            let genre = snapshot.catalog.find(language, Some(domain), text_type).expect("a genre of the language");
            let report = build(&snapshot.engine, genre, language, &judged.text, &mut |_| {}, &Arc::default())
                .expect("every metric runs");
            let compared = compare(&report, &judged.places);
            worse.extend(compared.worse.into_iter().map(|place| format!("{}: {place}", file.display())));
            for (rule, judgement) in compared.rules {
                let sum = if rule == "section-missing" { &mut sections } else { &mut others };
                *sum = sum.and(judgement);
            }
        }
        let _ = writeln!(picture, "{language}: {} texts", files.len());
        let _ = writeln!(picture, "  places: {}", shown(others.places));
        let _ = writeln!(picture, "  places left by decision: {}", others.left + sections.left);
        let _ = writeln!(picture, "  missing sections: {}", shown(sections.places));
        let _ = writeln!(picture, "  suggestions: {}", shown(others.suggestions));
        let _ = writeln!(picture, "  split points: {}", shown(others.splits));
    }
    assert!(worse.is_empty(), "places that are not as they were judged:\n{}", worse.join("\n"));
    insta::assert_snapshot!(picture);
}
