//! `rules precision` and `rules review`: judged documents against the reports of today, and the sheets in which people judge.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_host::{JudgedFigures, RuleFigures, Snapshot, written};
use glosa_report::build;
use glosa_report::judged::{JudgedText, Judgement, Verdicts, compare, sheet};
use glosa_text::Language;

use super::proofread::files;
use crate::roots::read_text;
use crate::{Failure, RootOptions, check};

/// Where judged documents stand, below a root.
const JUDGED: &str = "tests/rules/judged";

/// Where the figures of the judged documents of a root stand.
const FIGURES: &str = "rules/judged.yaml";

/// What the judged documents of a language say of the reports of today.
#[derive(Default)]
struct Judged {
    texts: usize,
    /// By rule: documents in which it marks something, and the verdicts.
    rules: BTreeMap<String, (usize, Judgement)>,
    /// Places that are not as they were judged.
    worse: Vec<String>,
}

impl Judged {
    fn of(snapshot: &Snapshot, folder: &Path, language: Language) -> Result<Judged, Failure> {
        let mut all = Judged::default();
        for file in files(folder)? {
            let source = read_text(&file)?;
            let judged: JudgedText = glosa_metric::yaml::read(&source)
                .map_err(|errors| Failure::failed(format!("{}: {}", file.display(), errors[0])))?;
            let genre = check::find(&snapshot.catalog, language, &judged.genre)?;
            let stop = Arc::new(AtomicBool::new(false));
            let result = build(&snapshot.engine, genre, language, &judged.text, &mut |_| {}, &stop)
                .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
            let compared = compare(&result, &judged.places);
            all.worse.extend(compared.worse.iter().map(|place| format!("{}: {place}", file.display())));
            for (rule, judgement) in compared.rules {
                let (documents, sum) = all.rules.entry(rule).or_default();
                *documents += usize::from(judgement.places != Verdicts::default());
                *sum = sum.and(judgement);
            }
            all.texts += 1;
        }
        Ok(all)
    }
}

pub(super) fn run(roots: &RootOptions, dir: Option<&Path>, only: Option<Language>, write: bool) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    let top = match dir {
        Some(dir) => dir.to_owned(),
        None => root(roots)?.join(JUDGED),
    };
    let mut worse = 0;
    let mut figures = BTreeMap::new();
    for language in Language::ALL.into_iter().filter(|language| only.is_none_or(|only| only == *language)) {
        let folder = top.join(language.code());
        if !folder.is_dir() {
            continue;
        }
        let judged = Judged::of(&snapshot, &folder, language)?;
        for place in &judged.worse {
            anstream::println!("{place}");
        }
        worse += judged.worse.len();
        figures.insert(language, of_rules(&judged));
        anstream::println!("{language}: {} texts", judged.texts);
        anstream::println!("{:>24} {:>6} {:>24} {:>24}", "places", "left", "suggestions", "split points");
        for (rule, (_, judgement)) in &judged.rules {
            row(rule, *judgement);
        }
        let all = judged.rules.values().map(|(_, judgement)| *judgement);
        row("(all)", all.fold(Judgement::default(), Judgement::and));
    }
    if write {
        let path = root(roots)?.join(FIGURES);
        fs::write(&path, written(&figures)).map_err(|e| Failure::failed(format!("{}: {e}", path.display())))?;
    }
    if worse > 0 { Err(Failure::failed(format!("{worse} places are not as they were judged"))) } else { Ok(()) }
}

fn root(roots: &RootOptions) -> Result<PathBuf, Failure> {
    Ok(roots.find()?.folders.first().cloned().unwrap_or_default())
}

fn of_rules(judged: &Judged) -> JudgedFigures {
    let figures =
        judged.rules.iter().map(|(rule, (documents, judgement))| (rule, RuleFigures::of(*documents, judgement)));
    let rules = figures.filter(|(_, figures)| *figures != RuleFigures::default());
    JudgedFigures { documents: judged.texts, rules: rules.map(|(rule, figures)| (rule.clone(), figures)).collect() }
}

/// Whether the figures of a root that has judged documents are those of today.
pub(super) fn up_to_date(roots: &RootOptions, snapshot: &Snapshot) -> Result<bool, Failure> {
    let root = root(roots)?;
    let mut figures = BTreeMap::new();
    for language in Language::ALL {
        let folder = root.join(JUDGED).join(language.code());
        if folder.is_dir() {
            figures.insert(language, of_rules(&Judged::of(snapshot, &folder, language)?));
        }
    }
    let old = fs::read_to_string(root.join(FIGURES));
    Ok(figures.is_empty() || old.is_ok_and(|old| old == written(&figures)))
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
