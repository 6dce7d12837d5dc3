//! `rules test` and `rules check`: examples and their pictures.

use std::fs;
use std::path::{Path, PathBuf};

use glosa_host::{Snapshot, check_examples, picture};
use glosa_text::Language;

use crate::{Failure, RootOptions};

/// The head of a snapshot file, in the form of the insta library, whose review tool reads the same files.
const HEAD: &str = "---\nsource: tests/rules/tests/examples.rs\n---\n";

pub(super) fn check(roots: &RootOptions) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    let failures = check_examples(&snapshot, None);
    for failure in &failures {
        anstream::println!("{failure}\n");
    }
    let metrics = snapshot.engine.registry.entries().len();
    let genres = snapshot.catalog.genres().len();
    match failures.len() {
        0 => {
            anstream::println!("{metrics} metrics and {genres} genres: no problem");
            Ok(())
        }
        n => Err(Failure::failed(format!("{n} examples do not hold"))),
    }
}

pub(super) fn run(roots: &RootOptions, id: Option<&str>) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    let ids = super::chosen(&snapshot, id)?;
    let failures: Vec<_> = check_examples(&snapshot, id).into_iter().filter(|f| ids.contains(&f.metric)).collect();
    for failure in &failures {
        anstream::println!("{failure}\n");
    }
    let mut changed = 0;
    for id in &ids {
        for language in Language::ALL {
            let Some(now) = picture(&snapshot, id, language) else { continue };
            let path = file(&snapshot, roots, id, language)?;
            let before = fs::read_to_string(&path).ok().map(|text| body(&text).to_owned());
            if before.as_deref() != Some(now.trim_end()) {
                changed += 1;
                anstream::println!("{}:", path.display());
                anstream::println!("{}\n", difference(before.as_deref().unwrap_or(""), &now));
            }
        }
    }
    if changed > 0 {
        anstream::println!("{changed} pictures differ; `rules accept` takes them as they are now");
    }
    match failures.len() {
        0 if changed == 0 => {
            anstream::println!("{} metrics: every example holds", ids.len());
            Ok(())
        }
        0 => Err(Failure::failed("pictures differ")),
        n => Err(Failure::failed(format!("{n} examples do not hold"))),
    }
}

/// Where the picture of a variant stands.
pub(super) fn file(snapshot: &Snapshot, roots: &RootOptions, id: &str, language: Language) -> Result<PathBuf, Failure> {
    let found = roots.find()?;
    let variant = &snapshot.sources()[&(id.to_owned(), language)].file;
    let inside = found.folders.iter().map(|root| root.join(variant)).find(|path| path.is_file());
    let path = inside.unwrap_or_else(|| PathBuf::from(variant));
    let dir = path.parent().unwrap_or(Path::new("."));
    Ok(dir.join("snapshots").join(format!("{language}.snap")))
}

/// A snapshot file of a picture.
pub(super) fn with_head(picture: &str) -> String {
    format!("{HEAD}{}\n", picture.trim_end())
}

fn body(snapshot: &str) -> &str {
    snapshot
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .map_or(snapshot, |(_, body)| body)
        .trim_end()
}

fn difference(before: &str, now: &str) -> String {
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = now.lines().collect();
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_start;
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let gone = old[same_start..old.len() - same_end].iter().map(|l| format!("- {l}"));
    let come = new[same_start..new.len() - same_end].iter().map(|l| format!("+ {l}"));
    gone.chain(come).collect::<Vec<_>>().join("\n")
}
