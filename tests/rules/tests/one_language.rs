//! What is loaded for one language gives the same reports as what is loaded for all of them.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_host::{Roots, Snapshot, load, load_language};
use glosa_report::{ReportResult, build};
use glosa_text::Language;

fn top() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned()
}

/// The reports of all genres of a language on the texts of one of them.
fn reports(snapshot: &Snapshot, language: Language) -> Vec<ReportResult> {
    let folder = top().join("tests/rules/corpus").join(language.code()).join("administracion-clara");
    let mut files: Vec<PathBuf> = folder.read_dir().expect("texts").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).expect("a text"));
    let text = texts.collect::<Vec<_>>().join("\n\n");
    let genres = snapshot.catalog.genres().iter();
    let editions = genres.filter_map(|genre| Some((genre, genre.editions.get(&language)?)));
    let stop = Arc::new(AtomicBool::new(false));
    editions
        .map(|genre| build(&snapshot.engine, genre, language, &text, &mut |_| {}, &stop).expect("a report"))
        .collect()
}

#[test]
fn one_language_gives_what_all_of_them_give() {
    let roots = Roots::find(Some(&top()), &[]).expect("the checkout");
    let all = load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    for language in Language::ALL {
        let one = load_language(&roots, language).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let others = Language::ALL.into_iter().filter(|other| *other != language);
        for other in others {
            let read = one.sources().keys().any(|(_, language)| *language == other);
            assert!(!read, "{other} was loaded for {language}");
        }
        let json = |snapshot| serde_json::to_string(&reports(snapshot, language)).expect("JSON");
        assert!(json(&one) == json(&all), "{language}: the reports differ");
    }
}
