//! `rules test` and `rules check`: examples and their pictures.

use std::fs;
use std::path::{Path, PathBuf};

use glosa_host::{Loaded, Snapshot, check_examples, picture};
use glosa_text::Language;

use super::scaffold;
use crate::{Failure, RootOptions};

/// The head of a snapshot file, in the form of the insta library, whose review tool reads the same files.
const HEAD: &str = "---\nsource: tests/rules/tests/examples.rs\n---\n";

/// Everything that is wrong; and what is hardly meant, which fails the check where it is to be strict.
pub(super) fn check(roots: &RootOptions, strict: bool) -> Result<(), Failure> {
    let Loaded { snapshot, problems, remarks, .. } = roots.load_what_is_right()?;
    for problem in &problems {
        anstream::println!("{problem}\n");
    }
    let failures = check_examples(&snapshot, None);
    for failure in &failures {
        anstream::println!("{failure}\n");
    }
    let untouched = scaffold::untouched(&snapshot, &super::chosen(&snapshot, None)?);
    for said in &untouched {
        anstream::println!("{said}\n");
    }
    for remark in &remarks {
        anstream::println!("remark: {remark}\n");
    }
    let metrics = snapshot.engine.registry.entries().len();
    let genres = snapshot.catalog.genres().len();
    let told = [
        (problems.len(), "problems; a service does not start with them"),
        (failures.len(), "examples do not hold"),
        (untouched.len(), "texts are those of the scaffold"),
        (if strict { remarks.len() } else { 0 }, "remarks"),
    ];
    let told: Vec<String> = told.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if !told.is_empty() {
        return Err(Failure::failed(told.join("; ")));
    }
    let remarked = if remarks.is_empty() { String::new() } else { format!(", {} remarks", remarks.len()) };
    anstream::println!("{metrics} metrics and {genres} genres: no problem{remarked}");
    Ok(())
}

pub(super) fn run(roots: &RootOptions, id: Option<&str>) -> Result<(), Failure> {
    let snapshot = roots.load_for(id)?;
    let ids = super::chosen(&snapshot, id)?;
    let untouched = scaffold::untouched(&snapshot, &ids);
    for said in &untouched {
        anstream::println!("{said}\n");
    }
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
        0 if !untouched.is_empty() => {
            Err(Failure::failed(format!("{} texts are those of the scaffold", untouched.len())))
        }
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
