//! `rules docs`: a page a metric, in three languages.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use glosa_host::Snapshot;
use glosa_metric::MetricEntry;
use glosa_text::Language;
use serde::Deserialize;

use crate::{Failure, RootOptions};

/// The headings of the pages; texts about a metric come from its own folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Headings {
    methodology: String,
    interpretation: String,
    limitations: String,
    thresholds: String,
    examples: String,
    references: String,
    judged: String,
    /// Heads of the columns of the figures.
    judged_columns: Vec<String>,
}

const HEADINGS: &str = include_str!("../../templates/pages.yaml");

fn headings() -> Result<BTreeMap<Language, Headings>, Failure> {
    glosa_metric::yaml::read(HEADINGS).map_err(|errors| Failure::failed(format!("templates/pages.yaml: {}", errors[0])))
}

/// Writes the pages, or checks that every metric has a complete one in each language; with a folder, that its pages are
/// those that would be written.
pub(super) fn run(roots: &RootOptions, out: Option<&Path>, check: bool) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    let headings = headings()?;
    let mut pages = Vec::new();
    let mut lacking = Vec::new();
    for entry in snapshot.engine.registry.entries() {
        for language in Language::ALL {
            lacking.extend(
                lacks(entry, language)
                    .into_iter()
                    .map(|what| format!("  rules/{}/docs/{language}.yaml: {what}", entry.manifest.id)),
            );
            let words = headings.get(&language);
            if let Some(page) = words.and_then(|words| page(&snapshot, entry, language, words)) {
                pages.push((format!("{}.{language}.md", entry.manifest.id), page));
            }
        }
    }
    if check {
        let ids = super::chosen(&snapshot, None)?;
        lacking.extend(super::scaffold::untouched(&snapshot, &ids).into_iter().map(|said| format!("  {said}")));
    }
    if check && !lacking.is_empty() {
        return Err(Failure::failed(format!("these metrics have no complete page:\n{}", lacking.join("\n"))));
    }
    if check && !super::precision::up_to_date(roots, &snapshot)? {
        let cure = "run `rules precision --write`";
        return Err(Failure::failed(format!(
            "rules/judged.yaml has not the figures of the judged documents of today; {cure}"
        )));
    }
    match (out, check) {
        (None, true) => {
            anstream::println!("{} pages are complete", pages.len());
            Ok(())
        }
        (out, _) => write_or_check(out.unwrap_or(Path::new("target/rules-docs")), pages, check, "rules docs"),
    }
}

/// What a metric lacks for a page in a language.
fn lacks(entry: &MetricEntry, language: Language) -> Vec<&'static str> {
    let Some(docs) = entry.docs.get(&language) else { return vec!["the file is missing"] };
    let d = &docs.documentation;
    let texts = [
        ("`title` is empty", &d.title),
        ("`summary` is empty", &d.summary),
        ("`methodology` is empty", &d.methodology),
        ("`interpretation` is empty", &d.interpretation),
        ("`limitations` is empty", &d.limitations),
    ];
    texts.into_iter().filter(|(_, text)| text.trim().is_empty()).map(|(what, _)| what).collect()
}

fn page(snapshot: &Snapshot, entry: &MetricEntry, language: Language, words: &Headings) -> Option<String> {
    let docs = entry.docs.get(&language)?;
    let d = &docs.documentation;
    let mut page = format!("# {}\n\n`{}` · {}\n\n{}\n", d.title, entry.manifest.id, entry.manifest.category, d.summary);
    for (title, text) in [
        (&words.methodology, &d.methodology),
        (&words.interpretation, &d.interpretation),
        (&words.limitations, &d.limitations),
    ] {
        if !text.is_empty() {
            let _ = write!(page, "\n## {title}\n\n{text}\n");
        }
    }
    if !entry.manifest.params.is_empty() {
        let _ = write!(page, "\n## {}\n\n", words.thresholds);
        for (key, spec) in &entry.manifest.params {
            let default = spec.default.get(language).and_then(|v| serde_json::to_string(v).ok());
            let _ = writeln!(page, "- `{key}` = {}: {}", default.unwrap_or_else(|| "–".into()), spec.meaning);
        }
    }
    if let Some(source) = snapshot.sources().get(&(entry.manifest.id.clone(), language)) {
        let (bad, good) = (&source.examples.bad, &source.examples.good);
        if !bad.is_empty() {
            let _ = write!(page, "\n## {}\n\n", words.examples);
            for example in bad {
                let _ = match &example.fix {
                    Some(fix) => writeln!(page, "- ✗ {}\n  ✓ {}", line(&example.text), line(fix)),
                    None => writeln!(page, "- ✗ {}", line(&example.text)),
                };
            }
            for example in good {
                let _ = writeln!(page, "- ✓ {}", line(&example.text));
            }
        }
    }
    let judged = figures(snapshot, entry);
    if !judged.is_empty() {
        let heads = words.judged_columns.join(" | ");
        let _ = write!(
            page,
            "\n## {}\n\n| {heads} |\n|{}\n{judged}",
            words.judged,
            "---|".repeat(words.judged_columns.len())
        );
    }
    if !entry.manifest.references.is_empty() {
        let _ = write!(page, "\n## {}\n\n", words.references);
        for reference in &entry.manifest.references {
            let _ = writeln!(page, "- {reference}");
        }
    }
    Some(page)
}

/// What people said of a rule, a row a language.
fn figures(snapshot: &Snapshot, entry: &MetricEntry) -> String {
    let three = |[right, debatable, wrong]: [usize; 3]| format!("{right} / {debatable} / {wrong}");
    let mut rows = String::new();
    for language in Language::ALL {
        if let Some((of, f)) = snapshot.figures(&entry.manifest.id, language) {
            let (places, suggestions) = (three(f.places), three(f.suggestions));
            let _ = writeln!(rows, "| {language} | {} / {of} | {places} | {suggestions} | {} |", f.documents, f.left);
        }
    }
    rows
}

fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes generated files, or says which of them are out of date.
pub(super) fn write_or_check(
    out: &Path,
    files: Vec<(String, String)>,
    check: bool,
    command: &str,
) -> Result<(), Failure> {
    if check {
        let stale: Vec<_> = files
            .iter()
            .filter(|(name, text)| !fs::read_to_string(out.join(name)).is_ok_and(|old| old == *text))
            .collect();
        if stale.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = stale.iter().map(|(name, _)| format!("  {}", out.join(name).display())).collect();
        return Err(Failure::failed(format!("out of date; run `{command}`:\n{}", names.join("\n"))));
    }
    fs::create_dir_all(out).map_err(|error| Failure::failed(format!("{}: {error}", out.display())))?;
    for (name, text) in &files {
        fs::write(out.join(name), text).map_err(|error| Failure::failed(format!("{name}: {error}")))?;
    }
    anstream::eprintln!("{} files in {}", files.len(), out.display());
    Ok(())
}
