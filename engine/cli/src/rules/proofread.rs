//! `rules proofread`: carries out what glosa offers in texts of any kind and tells where it breaks them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use glosa_report::{Fault, FaultKind, Proof, proofread};
use glosa_text::{CodePoints, Language};

use crate::roots::read_text;
use crate::{Failure, RootOptions, check};

/// Words of a text that are read together; longer texts are cut between paragraphs.
const WORDS: usize = 1_500;

pub(super) fn run(roots: &RootOptions, path: &Path, language: Language, genre: Option<&str>) -> Result<(), Failure> {
    let snapshot = roots.load_language(language)?;
    let genre = match genre {
        Some(name) => check::find(&snapshot.catalog, language, name)?,
        None => {
            let of_language = snapshot.catalog.genres().iter().filter_map(|g| Some((g, g.editions.get(&language)?)));
            let most = of_language.max_by_key(|(_, edition)| edition.plan.steps.len());
            most.ok_or_else(|| Failure::usage(format!("there is no genre in {language}")))?
        }
    };
    let mut words = 0;
    let mut whole = Proof::default();
    for file in files(path)? {
        let text = read_text(&file)?;
        for (at, piece) in pieces(&text) {
            words += piece.split_whitespace().count();
            let proof = proofread(&snapshot.engine, genre, language, piece)
                .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
            let index = CodePoints::new(piece);
            for fault in &proof.faults {
                let before = &text[..at + index.to_byte(fault.start)];
                show(&file, before.matches('\n').count() + 1, fault);
            }
            whole.edits += proof.edits;
            whole.suggestions += proof.suggestions;
            whole.faults.extend(proof.faults);
        }
    }
    table(words, &whole);
    anstream::println!("read as {}/{}", genre.0.domain.slug, genre.0.slug);
    if whole.faults.is_empty() { Ok(()) } else { Err(Failure::failed(format!("{} faults", whole.faults.len()))) }
}

/// The files of a folder in order, or one file.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let read = fs::read_dir(path).map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
    let mut files: Vec<_> = read.filter_map(|entry| entry.ok().map(|e| e.path())).filter(|p| p.is_file()).collect();
    files.sort();
    Ok(files)
}

/// A text in pieces of whole paragraphs, each with its place in bytes.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let (mut from, mut at, mut words) = (0, 0, 0);
    for paragraph in text.split_inclusive("\n\n") {
        at += paragraph.len();
        words += paragraph.split_whitespace().count();
        if words >= WORDS {
            pieces.push((from, &text[from..at]));
            (from, words) = (at, 0);
        }
    }
    if from < text.len() {
        pieces.push((from, &text[from..]));
    }
    pieces
}

fn show(file: &Path, line: usize, fault: &Fault) {
    anstream::println!(
        "{}:{line}: {}: «{}» → «{}»: {}{}",
        file.display(),
        fault.metric,
        fault.old,
        fault.new,
        fault.kind.name(),
        if fault.detail.is_empty() { String::new() } else { format!(": {}", fault.detail) },
    );
    anstream::println!("    {}", fault.after.replace(['\n', '\r', '\t'], " "));
    anstream::println!("    help: {}\n", fault.kind.cure());
}

fn table(words: usize, proof: &Proof) {
    anstream::println!("{words} words, {} edits and {} suggestions carried out", proof.edits, proof.suggestions);
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for fault in &proof.faults {
        *rules.entry(&fault.metric).or_default() += 1;
    }
    for kind in FaultKind::ALL {
        anstream::println!("{:>8}  {}", proof.faults.iter().filter(|fault| fault.kind == kind).count(), kind.name());
    }
    for (rule, faults) in rules {
        anstream::println!("{faults:>8}  in advice of {rule}");
    }
}
