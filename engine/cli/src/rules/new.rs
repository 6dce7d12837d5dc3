//! `rules new`: the folder of a new metric, from commented templates.

use std::fs;
use std::path::Path;

use glosa_text::Language;

use crate::{Failure, RootOptions};

/// What the first variants are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FormOption {
    /// A token pattern
    Match,
    /// A phrase table
    Substitute,
    /// A Rhai script
    Script,
}

const METRIC: &str = include_str!("../../templates/metric.yaml");
const SCRIPT: &str = include_str!("../../templates/script.rhai");

fn variant(form: FormOption) -> &'static str {
    match form {
        FormOption::Match => include_str!("../../templates/match.yaml"),
        FormOption::Substitute => include_str!("../../templates/substitute.yaml"),
        FormOption::Script => include_str!("../../templates/script.yaml"),
    }
}

fn docs(language: Language) -> &'static str {
    match language {
        Language::Es => include_str!("../../templates/docs.es.yaml"),
        Language::Ca => include_str!("../../templates/docs.ca.yaml"),
        Language::En => include_str!("../../templates/docs.en.yaml"),
    }
}

pub(super) fn run(roots: &RootOptions, id: &str, languages: &[Language], form: FormOption) -> Result<(), Failure> {
    let well_formed = id
        .split('-')
        .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()));
    if !well_formed {
        return Err(Failure::usage(format!("`{id}`: use lower-case letters and digits, words joined by hyphens")));
    }
    let found = roots.find()?;
    let root = found.folders.last().expect("roots have a first folder");
    let dir = root.join("rules").join(id);
    if dir.exists() {
        return Err(Failure::usage(format!("{} exists already", dir.display())));
    }
    let word = id.split('-').next().unwrap_or(id);
    let fill =
        |text: &str, language: &str| text.replace("{id}", id).replace("{word}", word).replace("{language}", language);
    let mut files = vec![("metric.yaml".to_owned(), fill(METRIC, ""))];
    for language in languages {
        files.push((format!("{language}.yaml"), fill(variant(form), language.code())));
        if form == FormOption::Script {
            files.push((format!("{language}.rhai"), fill(SCRIPT, language.code())));
        }
    }
    files.extend(Language::ALL.iter().map(|l| (format!("docs/{l}.yaml"), docs(*l).to_owned())));
    for (name, text) in &files {
        write(&dir.join(name), text)?;
    }
    anstream::eprintln!("{}: {} files; next: edit them, then `cargo rules test {id}`", dir.display(), files.len());
    anstream::println!("{}", dir.display());
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    made.map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
}
