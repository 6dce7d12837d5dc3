//! Whole texts through whole genres: the snapshots show what a change of any rule, glossary or model does.
//!
//! A text is `corpus/<language>/<domain>.<text_type>[.<name>].txt`. All texts were written for this folder (CC0).
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_host::Roots;
use glosa_report::{ReportResult, build, violations};
use glosa_text::Language;

fn picture(result: &ReportResult) -> String {
    let mut lines = Vec::new();
    for r in &result.recommendations {
        lines.push(format!("{}: {}", r.metric_id, r.summary));
        for o in &r.occurrences {
            let place = o.start.map_or("–".to_owned(), |s| s.to_string());
            let text: String = o.text.chars().take(70).collect();
            let more = if o.text.chars().count() > 70 { "…" } else { "" };
            let fix = o.replacement.as_deref().map(|r| format!(" → «{r}»")).unwrap_or_default();
            let edit = if o.edits.is_empty() { "" } else { " (edit)" };
            lines.push(format!("  {place} «{}»{fix}{edit}", text.replace('\n', "⏎") + more));
        }
    }
    lines.join("\n")
}

#[test]
fn reports_of_whole_texts() {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let roots = Roots::find(Some(top), &[]).expect("the checkout");
    let snapshot = glosa_host::load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let mut seen = 0;
    for language in Language::ALL {
        let dir = top.join("tests/rules/corpus").join(language.code());
        let mut files: Vec<_> = fs::read_dir(&dir).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        files.sort();
        for file in files {
            let name = file.file_stem().and_then(|n| n.to_str()).expect("a name").to_owned();
            let mut parts = name.splitn(3, '.');
            let (domain, text_type) = (parts.next().expect("a domain"), parts.next().expect("a text type"));
            let genre = snapshot.catalog.find(language, Some(domain), text_type).expect(&name);
            let text = fs::read_to_string(&file).expect("a text");
            let stop = Arc::new(AtomicBool::new(false));
            let result = build(&snapshot.engine, genre, language, &text, &mut |_| {}, &stop).expect(&name);
            assert_eq!(violations(&result, &text), vec![], "{name}");
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path("../corpus/snapshots");
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!(format!("{language}.{name}"), picture(&result)));
            seen += 1;
        }
    }
    assert!(seen >= 9, "the corpus was not found");
}
