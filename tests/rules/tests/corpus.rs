//! Whole texts through whole genres: the pictures show what a change of any rule, glossary or model does.
//!
//! A text is `corpus/<language>/<domain>/<text_type>.txt`, or `<text_type>.<name>.txt` for a further one; its picture lies
//! beside it. Every genre has a text in each of its languages. All texts were written for this folder.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_host::{Roots, Snapshot};
use glosa_report::{Occurrence, ReportResult, build, proofread, violations};
use glosa_text::Language;

/// Columns of an excerpt, and those of them before the mark.
const WIDTH: usize = 110;
const BEFORE: usize = 40;

/// The checkout.
fn top() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned()
}

fn load() -> Snapshot {
    let roots = Roots::find(Some(&top()), &[]).expect("the checkout");
    glosa_host::load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// A text of the corpus and where it belongs.
struct Sample {
    language: Language,
    domain: String,
    text_type: String,
    name: String,
    path: PathBuf,
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    found.sort();
    found
}

fn file_name(path: &Path) -> String {
    path.file_name().and_then(|n| n.to_str()).expect("a name").to_owned()
}

fn samples() -> Vec<Sample> {
    let mut found = Vec::new();
    for language in Language::ALL {
        for folder in entries(&top().join("tests/rules/corpus").join(language.code())) {
            for path in entries(&folder) {
                let Some(name) = file_name(&path).strip_suffix(".txt").map(str::to_owned) else { continue };
                let text_type = name.split('.').next().expect("a text type").to_owned();
                found.push(Sample { language, domain: file_name(&folder), text_type, name, path });
            }
        }
    }
    found
}

/// The line of a mark with carets under what is marked in it, cut to the width of a page.
fn excerpt(out: &mut String, text: &[char], start: usize, end: usize) {
    let line_start = text[..start].iter().rposition(|c| *c == '\n').map_or(0, |p| p + 1);
    let line_end = text[start..].iter().position(|c| *c == '\n').map_or(text.len(), |p| start + p);
    let number = text[..start].iter().filter(|c| **c == '\n').count() + 1;
    let from = if start - line_start > BEFORE { start - BEFORE } else { line_start };
    let to = line_end.min(from + WIDTH);
    let place = format!("{number}:{}", start - line_start + 1);
    let shown: String = text[from..to].iter().collect();
    let (left, right) = (if from > line_start { "…" } else { " " }, if to < line_end { "…" } else { "" });
    let _ = writeln!(out, "  {place:>6} │{left}{shown}{right}");
    let carets = end.min(to).saturating_sub(start).max(1);
    let beyond = if end > to { "›" } else { "" };
    let _ = writeln!(out, "         │ {}{}{beyond}", " ".repeat(start - from), "^".repeat(carets));
}

fn place(out: &mut String, text: &[char], o: &Occurrence) {
    match (o.start, o.end) {
        (Some(start), Some(end)) => excerpt(out, text, start as usize, end as usize),
        _ => {
            let _ = writeln!(out, "       – │ {}", o.text);
        }
    }
    for span in o.spans.iter().filter(|s| o.start != Some(s.start)) {
        excerpt(out, text, span.start as usize, span.end as usize);
    }
    let mut notes = Vec::new();
    if let Some(replacement) = &o.replacement {
        let edit = if o.edits.is_empty() { "" } else { " (edit)" };
        notes.push(format!("→ {}{edit}", if replacement.is_empty() { "∅" } else { replacement }));
    }
    if !o.alternatives.is_empty() {
        notes.push(format!("or: {}", o.alternatives.join(" | ")));
    }
    for c in &o.connectors {
        let shown: String = text[c.start as usize..c.end as usize].iter().collect();
        notes.push(format!("split at «{shown}» ({})", c.relation));
    }
    for note in notes {
        let _ = writeln!(out, "           {note}");
    }
}

fn picture(result: &ReportResult, text: &str) -> String {
    let text: Vec<char> = text.chars().collect();
    let genre = &result.genre;
    let mut out = format!("{} / {} ({})\n", genre.domain.name, genre.text_type.name, result.language);
    for r in &result.recommendations {
        let _ = writeln!(out, "\n{}: {}", r.metric_id, r.summary);
        for o in &r.occurrences {
            place(&mut out, &text, o);
        }
    }
    if result.recommendations.is_empty() {
        out.push_str("\n(nothing)\n");
    }
    out
}

#[test]
fn reports_of_whole_texts() {
    let snapshot = load();
    for sample in samples() {
        let shown = sample.path.display().to_string();
        let genre = snapshot.catalog.find(sample.language, Some(&sample.domain), &sample.text_type).expect(&shown);
        let text = fs::read_to_string(&sample.path).expect("a text");
        let stop = Arc::new(AtomicBool::new(false));
        let result = build(&snapshot.engine, genre, sample.language, &text, &mut |_| {}, &stop).expect(&shown);
        assert_eq!(violations(&result, &text), vec![], "{shown}");
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(sample.path.parent().expect("a folder"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(sample.name, picture(&result, &text)));
    }
}

#[test]
fn every_genre_has_a_text_in_each_of_its_languages() {
    let snapshot = load();
    let there: BTreeSet<_> =
        samples().into_iter().map(|s| (s.language.code(), s.domain.clone(), s.text_type.clone())).collect();
    let mut missing = Vec::new();
    for domain in snapshot.catalog.domains() {
        for language in Language::ALL {
            for genre in snapshot.catalog.genres_of(&domain.slug, language) {
                let (domain, text_type) = (genre.domain.slug.clone(), genre.slug.clone());
                if !there.contains(&(language.code(), domain.clone(), text_type.clone())) {
                    missing.push(format!("tests/rules/corpus/{language}/{domain}/{text_type}.txt"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "write a text of 150 to 300 words for each:\n{}", missing.join("\n"));
}

/// Every edit and every first suggestion is carried out in its sentence, which is then read again: agreement, pronouns, spaces,
/// unknown and doubled words, loops and new findings. The picture is what is left, each line known and argued in its rule.
#[test]
fn what_is_offered_reads_well() {
    let snapshot = load();
    let mut shown = String::new();
    let (mut edits, mut suggestions) = (0, 0);
    for sample in samples() {
        let place = format!("{}/{}/{}", sample.language, sample.domain, sample.name);
        let text = fs::read_to_string(&sample.path).expect("a text");
        let genre = snapshot.catalog.find(sample.language, Some(&sample.domain), &sample.text_type).expect(&place);
        let proof = proofread(&snapshot.engine, genre, sample.language, &text).expect(&place);
        edits += proof.edits;
        suggestions += proof.suggestions;
        for fault in &proof.faults {
            let (kind, said) = (fault.kind.name(), &fault.detail);
            let _ = writeln!(shown, "{place}: {}: «{}» → «{}»: {kind}: {said}", fault.metric, fault.old, fault.new);
        }
    }
    assert!(edits > 100 && suggestions > 50, "{edits} edits and {suggestions} suggestions were carried out");
    insta::assert_snapshot!(shown);
}
