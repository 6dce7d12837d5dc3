//! `rules precision` and `rules review`: judged documents against the reports of today, and the sheets in which people judge.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_report::build;
use glosa_report::judged::{JudgedText, Judgement, Verdicts, compare, sheet};
use glosa_text::Language;

use super::proofread::files;
use crate::roots::read_text;
use crate::{Failure, RootOptions, check};

/// Where judged documents stand, below a root.
const JUDGED: &str = "tests/rules/judged";

pub(super) fn run(roots: &RootOptions, dir: Option<&Path>, only: Option<Language>) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    let top = match dir {
        Some(dir) => dir.to_owned(),
        None => roots.find()?.folders.first().map(|root| root.join(JUDGED)).unwrap_or_default(),
    };
    let mut worse = 0;
    for language in Language::ALL.into_iter().filter(|language| only.is_none_or(|only| only == *language)) {
        let folder = top.join(language.code());
        if !folder.is_dir() {
            continue;
        }
        let mut rules: BTreeMap<String, Judgement> = BTreeMap::new();
        let mut texts = 0;
        for file in files(&folder)? {
            let source = read_text(&file)?;
            let judged: JudgedText = glosa_metric::yaml::read(&source)
                .map_err(|errors| Failure::failed(format!("{}: {}", file.display(), errors[0])))?;
            let genre = check::find(&snapshot.catalog, language, &judged.genre)?;
            let stop = Arc::new(AtomicBool::new(false));
            let result = build(&snapshot.engine, genre, language, &judged.text, &mut |_| {}, &stop)
                .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
            let compared = compare(&result, &judged.places);
            for place in &compared.worse {
                anstream::println!("{}: {place}", file.display());
            }
            worse += compared.worse.len();
            for (rule, judgement) in compared.rules {
                let sum = rules.entry(rule).or_default();
                *sum = sum.and(judgement);
            }
            texts += 1;
        }
        anstream::println!("{language}: {texts} texts");
        anstream::println!("{:>24} {:>6} {:>24} {:>24}", "places", "left", "suggestions", "split points");
        for (rule, judgement) in &rules {
            row(rule, *judgement);
        }
        row("(all)", rules.values().copied().fold(Judgement::default(), Judgement::and));
    }
    if worse > 0 { Err(Failure::failed(format!("{worse} places are not as they were judged"))) } else { Ok(()) }
}

fn row(rule: &str, judgement: Judgement) {
    let of = |v: Verdicts| {
        let judged = v.judged();
        if judged == 0 && v.open == 0 {
            return String::new();
        }
        let percent = (100 * v.right).checked_div(judged).map_or("–".to_owned(), |percent| format!("{percent} %"));
        format!("{}/{}/{} ?{} {percent:>5}", v.right, v.debatable, v.wrong, v.open)
    };
    let left = if judgement.left == 0 { String::new() } else { judgement.left.to_string() };
    anstream::println!(
        "{:>24} {left:>6} {:>24} {:>24}  {rule}",
        of(judgement.places),
        of(judgement.suggestions),
        of(judgement.splits)
    );
}

/// Writes the sheet of each text of a folder.
pub(super) fn review(
    roots: &RootOptions,
    corpus: &Path,
    language: Language,
    genre: &str,
    out: &Path,
) -> Result<(), Failure> {
    let snapshot = roots.load_language(language)?;
    let (found, edition) = check::find(&snapshot.catalog, language, genre)?;
    let name = format!("{}/{}", found.domain.slug, found.slug);
    fs::create_dir_all(out).map_err(|e| Failure::failed(format!("{}: {e}", out.display())))?;
    for file in files(corpus)? {
        let text = read_text(&file)?;
        let stop = Arc::new(AtomicBool::new(false));
        let result = build(&snapshot.engine, (found, edition), language, text.trim_end(), &mut |_| {}, &stop)
            .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let path = out.join(format!("{stem}.yaml"));
        if path.exists() {
            return Err(Failure::usage(format!("{} is there already; give another --out", path.display())));
        }
        super::new::write(&path, &sheet(&result, &name, &text))?;
        anstream::println!("{}", path.display());
    }
    Ok(())
}
