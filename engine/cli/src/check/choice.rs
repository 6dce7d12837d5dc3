//! The rules that a user chooses with `--rule` and `--category`.

use std::collections::BTreeSet;

use glosa_catalog::{GenreEdition, Plan};
use glosa_host::Snapshot;
use glosa_metric::{Kind, MetricEntry};
use glosa_report::ReportResult;

use crate::Failure;

/// Names that an error offers.
const OFFERED: usize = 3;

/// The rules that are asked for; all where nothing is named.
#[derive(Debug)]
pub(super) struct Choice {
    chosen: Option<BTreeSet<String>>,
}

impl Choice {
    /// The metrics of rules and categories.
    pub fn new(snapshot: &Snapshot, rules: &[String], categories: &[String]) -> Result<Choice, Failure> {
        if rules.is_empty() && categories.is_empty() {
            return Ok(Choice { chosen: None });
        }
        let entries = snapshot.engine.registry.entries();
        let ids: Vec<&str> = entries
            .iter()
            .filter(|entry| entry.manifest.kind == Kind::Rule)
            .map(|entry| entry.manifest.id.as_str())
            .collect();
        let known: Vec<&str> = snapshot.categories.iter().map(|category| category.id.as_str()).collect();
        let mut wrong = Vec::new();
        wrong.extend(
            rules.iter().filter(|rule| !ids.contains(&rule.as_str())).map(|rule| unknown_name("rule", rule, &ids)),
        );
        let no_category = |category: &&String| !known.contains(&category.as_str());
        wrong.extend(categories.iter().filter(no_category).map(|category| unknown_name("category", category, &known)));
        if !wrong.is_empty() {
            return Err(Failure::usage(wrong.join("\n")));
        }
        let named =
            |entry: &&MetricEntry| rules.contains(&entry.manifest.id) || categories.contains(&entry.manifest.category);
        Ok(Choice { chosen: Some(entries.iter().filter(named).map(|entry| entry.manifest.id.clone()).collect()) })
    }

    /// The edition of a genre that runs what is chosen, and what it leaves places to.
    pub fn narrow(&self, edition: &GenreEdition) -> GenreEdition {
        let Some(chosen) = &self.chosen else { return edition.clone() };
        let mut wanted: BTreeSet<&str> = chosen.iter().map(String::as_str).collect();
        for step in &edition.plan.steps {
            if chosen.contains(&*step.variant.metric) {
                wanted.extend(step.yields_to.iter().map(String::as_str));
            }
        }
        let steps = edition.plan.steps.iter().filter(|step| wanted.contains(&*step.variant.metric)).cloned().collect();
        GenreEdition { plan: Plan { steps, tables: edition.plan.tables.clone() }, ..edition.clone() }
    }

    /// Leaves what is chosen in a report.
    pub fn keep(&self, result: &mut ReportResult) {
        let Some(chosen) = &self.chosen else { return };
        result.recommendations.retain(|recommendation| chosen.contains(&recommendation.metric_id));
        result.measurements.retain(|measurement| chosen.contains(&measurement.metric_id));
        result.applied_thresholds.retain(|metric, _| chosen.contains(metric));
    }

    /// What is chosen by name and does not run in an edition.
    pub fn idle<'r>(&self, rules: &'r [String], edition: &GenreEdition) -> Vec<&'r str> {
        let runs = |rule: &str| edition.plan.steps.iter().any(|step| *step.variant.metric == *rule);
        rules.iter().map(String::as_str).filter(|rule| !runs(rule)).collect()
    }
}

/// What is said of a name that nothing has: the known ones that are nearest.
pub fn unknown_name(what: &str, wrong: &str, known: &[&str]) -> String {
    let limit = 1 + wrong.chars().count() / 3;
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in known {
        let distance = strsim::damerau_levenshtein(wrong, name);
        let part = wrong.len() > 3 && (name.contains(wrong) || wrong.contains(name));
        if distance <= limit || part {
            near.push((distance, name));
        }
    }
    near.sort_unstable();
    near.dedup();
    let near: Vec<String> = near.iter().take(OFFERED).map(|(_, name)| format!("`{name}`")).collect();
    let place = if what == "rule" { "; `cargo rules list`, or the folders of rules/, name them all" } else { "" };
    match near.as_slice() {
        [] if what == "rule" => format!("unknown {what} `{wrong}`{place}"),
        [] => format!("unknown {what} `{wrong}`; there are: {}", known.join(", ")),
        [near @ .., last] if !near.is_empty() => {
            format!("unknown {what} `{wrong}`; did you mean {} or {last}?", near.join(", "))
        }
        [only, ..] => format!("unknown {what} `{wrong}`; did you mean {only}?"),
    }
}
