//! `rules docs`: a page a metric, in three languages.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use glosa_host::Snapshot;
use glosa_metric::MetricEntry;
use glosa_text::Language;

use crate::{Failure, RootOptions};

/// The words of the pages; texts about a metric come from its own folder.
struct Words {
    methodology: &'static str,
    interpretation: &'static str,
    limitations: &'static str,
    thresholds: &'static str,
    examples: &'static str,
    references: &'static str,
}

fn words(language: Language) -> Words {
    match language {
        Language::Es => Words {
            methodology: "Cómo se calcula o se encuentra",
            interpretation: "Cómo leerlo",
            limitations: "Límites",
            thresholds: "Umbrales",
            examples: "Ejemplos",
            references: "Fuentes",
        },
        Language::Ca => Words {
            methodology: "Com es calcula o es troba",
            interpretation: "Com llegir-ho",
            limitations: "Límits",
            thresholds: "Llindars",
            examples: "Exemples",
            references: "Fonts",
        },
        Language::En => Words {
            methodology: "How it is found or calculated",
            interpretation: "How to read it",
            limitations: "Limits",
            thresholds: "Thresholds",
            examples: "Examples",
            references: "Sources",
        },
    }
}

pub(super) fn run(roots: &RootOptions, out: &Path, check: bool) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    let mut pages = Vec::new();
    for entry in snapshot.engine.registry.entries() {
        for language in Language::ALL {
            if let Some(page) = page(&snapshot, entry, language) {
                pages.push((format!("{}.{language}.md", entry.manifest.id), page));
            }
        }
    }
    write_or_check(out, pages, check, "rules docs")
}

fn page(snapshot: &Snapshot, entry: &MetricEntry, language: Language) -> Option<String> {
    let docs = entry.docs.get(&language)?;
    let words = words(language);
    let d = &docs.documentation;
    let mut page = format!("# {}\n\n`{}` · {}\n\n{}\n", d.title, entry.manifest.id, entry.manifest.category, d.summary);
    for (title, text) in [
        (words.methodology, &d.methodology),
        (words.interpretation, &d.interpretation),
        (words.limitations, &d.limitations),
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
    if !entry.manifest.references.is_empty() {
        let _ = write!(page, "\n## {}\n\n", words.references);
        for reference in &entry.manifest.references {
            let _ = writeln!(page, "- {reference}");
        }
    }
    Some(page)
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
