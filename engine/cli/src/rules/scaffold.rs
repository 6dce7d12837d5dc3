//! Texts of the scaffold that nobody has replaced: a rule that still has them is not one.
//!
//! They are compared with the templates themselves, so that a template can change without this file.

use glosa_host::Snapshot;
use glosa_metric::{DocsFile, Plural, VariantFile, yaml};
use glosa_text::Language;

use super::new;
use crate::Failure;

/// Each text of these metrics that is still that of the scaffold, with its place.
pub(super) fn untouched(snapshot: &Snapshot, ids: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for id in ids {
        let Some(entry) = snapshot.engine.registry.get(id) else { continue };
        for (language, docs) in &entry.docs {
            let Ok(template) = yaml::read::<DocsFile>(new::docs(*language)) else { continue };
            let same = texts(docs).into_iter().filter(|(key, text)| texts(&template).contains(&(*key, *text)));
            found.extend(same.map(|(key, text)| told(&format!("rules/{id}/docs/{language}.yaml"), key, text)));
        }
        for language in Language::ALL {
            let Some(source) = snapshot.sources().get(&(id.clone(), language)) else { continue };
            let of_template = examples(id, language);
            let all = source.examples.bad.iter().chain(&source.examples.good);
            let same = all.filter(|example| of_template.contains(&example.text.value));
            found.extend(same.map(|example| told(&source.file, "examples", &example.text.value)));
        }
    }
    found
}

/// Fails where a text of the scaffold is left.
pub(super) fn refuse_untouched(snapshot: &Snapshot, ids: &[String]) -> Result<(), Failure> {
    let found = untouched(snapshot, ids);
    if found.is_empty() { Ok(()) } else { Err(Failure::failed(found.join("\n\n"))) }
}

fn told(file: &str, key: &str, text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{file}: `{key}` is still that of the scaffold: {text}\n  help: write your own, or delete the key")
}

fn texts(docs: &DocsFile) -> Vec<(&'static str, &str)> {
    let d = &docs.documentation;
    let mut all = vec![
        ("title", d.title.as_str()),
        ("summary", &d.summary),
        ("methodology", &d.methodology),
        ("interpretation", &d.interpretation),
        ("limitations", &d.limitations),
    ];
    if let Some(report) = &docs.report {
        match &report.summary {
            Plural::Same(text) => all.push(("report.summary", text)),
            Plural::Each { one, other } => all.extend([("summary.one", one.as_str()), ("summary.other", other)]),
        }
        all.extend(report.explanation.iter().map(|text| ("explanation", text.as_str())));
        all.extend(report.guidance.iter().map(|text| ("guidance", text.as_str())));
        all.extend(report.examples.iter().map(|text| ("report.examples", text.as_str())));
    }
    all.retain(|(_, text)| !text.is_empty());
    all
}

/// The examples of all scaffolds of an id.
fn examples(id: &str, language: Language) -> Vec<String> {
    let forms = [new::FormOption::Match, new::FormOption::Substitute, new::FormOption::Script, new::FormOption::Native];
    let files = forms.map(|form| new::filled(new::variant(form), id, language.code()));
    let read = files.iter().filter_map(|text| VariantFile::read_with_problems("", text).0);
    read.flat_map(|file| file.examples.bad.into_iter().chain(file.examples.good)).map(|e| e.text.value).collect()
}
