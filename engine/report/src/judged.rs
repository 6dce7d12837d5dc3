//! Reports judged by people: what somebody said of every place, suggestion and split point of a text, and how a report of today
//! compares with it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Occurrence, ReportResult};

/// What a reader thinks of one thing that a report says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A demanding writer would follow it.
    Right,
    /// Some would, some would not.
    Debatable,
    /// It is false, or would make the text worse.
    Wrong,
    /// Nobody has judged it yet.
    #[default]
    Open,
}

/// One judged document, a file of `tests/rules/judged/<language>`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedText {
    /// Genre, as `domain/text_type`.
    pub genre: String,
    /// Where the text comes from.
    pub source: String,
    /// Why it may be kept here.
    pub licence: String,
    /// The text.
    pub text: String,
    /// What was judged in it.
    #[serde(default)]
    pub places: Vec<JudgedPlace>,
}

/// One place.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedPlace {
    /// The rule that marks it.
    pub rule: String,
    /// The fragment, or the name of what is missing.
    pub text: String,
    /// Which of the places of the rule with this fragment, from 1.
    #[serde(default = "first")]
    pub nth: usize,
    /// Whether it is rightly marked.
    #[serde(default)]
    pub verdict: Verdict,
    /// Why; needed where it is not right.
    #[serde(default)]
    pub reason: String,
    /// Its replacement and alternatives, by their text.
    #[serde(default)]
    pub suggestions: BTreeMap<String, Verdict>,
    /// Split points of a long sentence, by the connector.
    #[serde(default)]
    pub splits: BTreeMap<String, Verdict>,
    /// Why a place that was right is not marked any more, where somebody decided so.
    #[serde(default)]
    pub left: Option<String>,
}

fn first() -> usize {
    1
}

/// How often each verdict was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Right ones.
    pub right: usize,
    /// Debatable ones.
    pub debatable: usize,
    /// Wrong ones.
    pub wrong: usize,
    /// What nobody has judged.
    pub open: usize,
}

impl Verdicts {
    fn count(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Right => &mut self.right,
            Verdict::Debatable => &mut self.debatable,
            Verdict::Wrong => &mut self.wrong,
            Verdict::Open => &mut self.open,
        } += 1;
    }

    /// The sum of two counts.
    pub fn and(self, other: Verdicts) -> Verdicts {
        Verdicts {
            right: self.right + other.right,
            debatable: self.debatable + other.debatable,
            wrong: self.wrong + other.wrong,
            open: self.open + other.open,
        }
    }

    /// What was judged.
    pub fn judged(self) -> usize {
        self.right + self.debatable + self.wrong
    }
}

/// The verdicts on what one rule says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// On its places.
    pub places: Verdicts,
    /// On replacements and alternatives.
    pub suggestions: Verdicts,
    /// On split points.
    pub splits: Verdicts,
    /// Right places that are not marked any more by decision.
    pub left: usize,
}

impl Judgement {
    /// The sum of two judgements.
    pub fn and(self, other: Judgement) -> Judgement {
        Judgement {
            places: self.places.and(other.places),
            suggestions: self.suggestions.and(other.suggestions),
            splits: self.splits.and(other.splits),
            left: self.left + other.left,
        }
    }
}

/// A report compared with what was judged.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// By rule.
    pub rules: BTreeMap<String, Judgement>,
    /// Where the report and the judgement do not agree.
    pub worse: Vec<Worse>,
}

/// A place at which a report is worse than it was judged, or at which the judged document must be brought up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worse {
    /// The rule.
    pub rule: String,
    /// The fragment.
    pub text: String,
    /// What is the matter.
    pub why: Why,
}

/// What is the matter with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was right and is not marked any more.
    Gone,
    /// Its replacement was judged wrong.
    Says,
    /// The document says that it was left, and it is marked.
    Marked,
    /// `left` stands at a place that was not right, or gives no reason.
    NotRight,
}

impl std::fmt::Display for Worse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let why = match self.why {
            Why::Gone => "was right and is not marked any more (by decision? then give the place `left: \"<reason>\"`)",
            Why::Says => "is replaced by what was judged wrong",
            Why::Marked => "is marked again: take `left` out",
            Why::NotRight => "has `left`, which needs `verdict: right` and a reason",
        };
        write!(f, "{}: «{}» {why}", self.rule, self.text)
    }
}

/// The places of a report: rule, fragment, number among those of the rule with this fragment, and what is said of it.
pub fn places(result: &ReportResult) -> Vec<(&str, &str, usize, &Occurrence)> {
    let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut all = Vec::new();
    for recommendation in &result.recommendations {
        for occurrence in &recommendation.occurrences {
            let nth = seen.entry((&recommendation.metric_id, &occurrence.text)).or_default();
            *nth += 1;
            all.push((recommendation.metric_id.as_str(), occurrence.text.as_str(), *nth, occurrence));
        }
    }
    all
}

/// Looks up what was said of each place of a report.
pub fn compare(result: &ReportResult, judged: &[JudgedPlace]) -> Compared {
    let mut compared = Compared::default();
    let of =
        |rule: &str, text: &str, nth: usize| judged.iter().find(|p| p.rule == rule && p.text == text && p.nth == nth);
    let now = places(result);
    for (rule, text, nth, occurrence) in &now {
        let judgement = compared.rules.entry((*rule).to_owned()).or_default();
        let said = of(rule, text, *nth);
        judgement.places.count(said.map_or(Verdict::Open, |place| place.verdict));
        let verdict = |all: Option<&BTreeMap<String, Verdict>>, key: &str| {
            all.and_then(|all| all.get(key)).copied().unwrap_or_default()
        };
        for suggestion in occurrence.replacement.iter().chain(&occurrence.alternatives) {
            let said = verdict(said.map(|place| &place.suggestions), suggestion);
            judgement.suggestions.count(said);
        }
        for split in &occurrence.connectors {
            judgement.splits.count(verdict(said.map(|place| &place.splits), &split.text));
        }
        let proposes_wrong = occurrence
            .replacement
            .as_ref()
            .is_some_and(|text| verdict(said.map(|place| &place.suggestions), text) == Verdict::Wrong);
        let had_right = said.is_some_and(|place| place.suggestions.values().any(|v| *v == Verdict::Right));
        if proposes_wrong && had_right {
            compared.worse.push(Worse { rule: (*rule).to_owned(), text: (*text).to_owned(), why: Why::Says });
        }
    }
    for place in judged {
        let marked =
            now.iter().any(|(rule, text, nth, _)| *rule == place.rule && *text == place.text && *nth == place.nth);
        let right = place.verdict == Verdict::Right;
        let why = match &place.left {
            Some(reason) if !right || reason.trim().is_empty() => Why::NotRight,
            Some(_) if marked => Why::Marked,
            Some(_) => {
                compared.rules.entry(place.rule.clone()).or_default().left += 1;
                continue;
            }
            None if right && !marked => Why::Gone,
            None => continue,
        };
        compared.worse.push(Worse { rule: place.rule.clone(), text: place.text.clone(), why });
    }
    compared
}

/// The sheet in which a reader judges a report: the document with every place, nothing of it judged.
pub fn sheet(result: &ReportResult, genre: &str, text: &str) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let mut out = format!("genre: {genre}\nsource: \"\"\nlicence: \"\"\ntext: |2-\n");
    for line in text.trim_end().lines() {
        out += &format!("  {line}\n");
    }
    out += "places:\n";
    for (rule, fragment, nth, occurrence) in places(result) {
        out += &format!("  - rule: {rule}\n    text: {}\n", quoted(fragment));
        if nth > 1 {
            out += &format!("    nth: {nth}\n");
        }
        out += "    verdict: open\n    reason: \"\"\n";
        let suggestions: Vec<&String> = occurrence.replacement.iter().chain(&occurrence.alternatives).collect();
        if !suggestions.is_empty() {
            out += "    suggestions:\n";
            for suggestion in suggestions {
                out += &format!("      {}: open\n", quoted(suggestion));
            }
        }
        let mut splits: Vec<&String> = occurrence.connectors.iter().map(|connector| &connector.text).collect();
        splits.sort();
        splits.dedup();
        if !splits.is_empty() {
            out += "    splits:\n";
            for split in splits {
                out += &format!("      {}: open\n", quoted(split));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recommendation;

    fn report(rows: &[(&str, &str)]) -> ReportResult {
        let occurrence = |(text, new): &(&str, &str)| Occurrence {
            id: "1".into(),
            text: (*text).to_owned(),
            start: None,
            end: None,
            paragraph_index: None,
            sentence_index: None,
            replacement: (!new.is_empty()).then(|| (*new).to_owned()),
            alternatives: Vec::new(),
            edits: Vec::new(),
            spans: Vec::new(),
            connectors: Vec::new(),
        };
        let recommendation = Recommendation {
            id: "wordy".into(),
            metric_id: "wordy".into(),
            implementation_version: "1.0.0".into(),
            metric_title: String::new(),
            category: String::new(),
            summary: String::new(),
            explanation: None,
            guidance: Vec::new(),
            examples: None,
            occurrences: rows.iter().map(occurrence).collect(),
        };
        ReportResult { recommendations: vec![recommendation], ..ReportResult::default() }
    }

    #[test]
    fn a_sheet_is_a_document_and_nothing_of_it_is_judged() {
        let result = report(&[("a fin de", "para"), ("a fin de", "")]);
        let text = "Viene a fin de: ver.\n\n  - «Sí».";
        let read: JudgedText = glosa_metric::yaml::read(&sheet(&result, "d/t", text)).expect("a document");
        assert_eq!(read.text, text);
        assert_eq!(read.places.iter().map(|place| place.nth).collect::<Vec<_>>(), [1, 2]);
        let compared = compare(&result, &read.places);
        assert_eq!(compared.rules["wordy"].places, Verdicts { open: 2, ..Verdicts::default() });
    }

    #[test]
    fn a_right_place_that_is_lost_or_says_something_wrong_is_worse() {
        let place = |text: &str, suggestions: &[(&str, Verdict)]| JudgedPlace {
            rule: "wordy".into(),
            text: text.into(),
            nth: 1,
            verdict: Verdict::Right,
            reason: String::new(),
            suggestions: suggestions.iter().map(|(text, verdict)| ((*text).to_owned(), *verdict)).collect(),
            splits: BTreeMap::new(),
            left: None,
        };
        let judged =
            [place("a fin de", &[("para", Verdict::Right), ("por", Verdict::Wrong)]), place("en aras de", &[])];
        let same = compare(&report(&[("a fin de", "para"), ("en aras de", "")]), &judged);
        assert_eq!((same.worse.len(), same.rules["wordy"].places.right), (0, 2));
        assert_eq!(compare(&report(&[("a fin de", "por"), ("en aras de", "")]), &judged).worse.len(), 1);
        assert_eq!(compare(&report(&[("a fin de", "para")]), &judged).worse.len(), 1);
    }
    #[test]
    fn a_place_left_by_decision_may_go_and_may_not_come_back() {
        let place = |verdict, left: &str| JudgedPlace {
            rule: "wordy".into(),
            text: "a fin de".into(),
            nth: 1,
            verdict,
            reason: String::new(),
            suggestions: BTreeMap::new(),
            splits: BTreeMap::new(),
            left: Some(left.to_owned()),
        };
        let gone = |place| compare(&report(&[]), &[place]);
        let (right, reason) = (Verdict::Right, "good guides have it");
        let left = gone(place(right, reason));
        assert_eq!((left.worse.len(), left.rules["wordy"].left, left.rules["wordy"].places.right), (0, 1, 0));
        let again = compare(&report(&[("a fin de", "para")]), &[place(right, reason)]);
        assert_eq!((again.worse[0].why, again.rules["wordy"].left), (Why::Marked, 0));
        assert_eq!(again.worse[0].to_string(), "wordy: «a fin de» is marked again: take `left` out");
        for wrong in [place(Verdict::Debatable, reason), place(right, " ")] {
            assert_eq!(gone(wrong).worse[0].why, Why::NotRight);
        }
    }
}
