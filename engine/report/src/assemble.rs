//! From findings to recommendations.

use std::collections::{BTreeMap, BTreeSet};

use glosa_metric::{DocsFile, Edit, Fact, Finding, Inflect, MetricEntry, Place, Variant};
use glosa_text::{Document, Language, Span};

use crate::clusters::Clusters;
use crate::edits::{Taken, ordered};
use crate::guard;
use crate::junction::Seams;
use crate::wording::{fill, show};
use crate::{Notes, Occurrence, OccurrenceSpan, Recommendation, SentenceConnector};

/// Occurrences of one rule that a report lists: as many as a text may have words. The summary counts them all, and says so when
/// there are more.
pub(crate) const MOST_OCCURRENCES: usize = 20_000;
/// Different values of one fact that a wording shows.
const MOST_VALUES: usize = 20;
/// Alternatives offered for one connector.
const MAX_CONNECTOR_ALTERNATIVES: usize = 8;

pub(crate) struct Assembled {
    pub recommendation: Recommendation,
    pub unknown_facts: Vec<String>,
    /// Names of the values that the wording may show.
    pub known_facts: Vec<String>,
}

/// What all the rules of one report share.
pub(crate) struct Page<'p> {
    pub document: &'p Document,
    pub clusters: &'p Clusters<'p>,
    pub notes: &'p Notes,
    pub gender: &'p dyn Fn(&str) -> Option<String>,
    pub inflect: &'p dyn Inflect,
}

/// What one rule said.
pub(crate) struct Said {
    pub findings: Vec<Finding>,
    pub facts: BTreeMap<String, Fact>,
    /// A limit ended its search.
    pub ended: bool,
}

/// Puts the findings of one rule into the shape of the contract; `None` when nothing is left to report.
pub(crate) fn recommendation(
    page: &Page<'_>,
    entry: &MetricEntry,
    variant: &Variant,
    said: Said,
    taken: &mut Taken,
) -> Option<Assembled> {
    let (document, language) = (page.document, variant.language);
    let Said { mut findings, mut facts, ended } = said;
    let (_, docs) = entry.docs(language)?;
    for finding in &mut findings {
        tidy(finding, page);
    }
    findings.retain(|f| f.span().is_none_or(|s| s.end <= document.code_points()));
    findings.sort_by_key(|f| f.span().map_or((1, Span::default()), |s| (0, s)));
    findings.dedup_by(|b, a| a.place == b.place);
    if findings.is_empty() {
        return None;
    }
    let total = findings.len();
    findings.truncate(MOST_OCCURRENCES);
    for finding in &mut findings {
        guard::keep(finding, document, page.inflect);
        own_facts(finding, document);
    }
    facts.insert("count".into(), Fact::Integer(total as i64));
    for (name, fact) in &findings[0].facts {
        let same = findings.iter().all(|f| f.facts.get(name) == Some(fact));
        if same && !facts.contains_key(name) {
            facts.insert(name.clone(), fact.clone());
        }
    }
    for name in findings.iter().flat_map(|f| f.facts.keys()).collect::<BTreeSet<_>>() {
        if facts.contains_key(name) {
            continue;
        }
        let shown = together(findings.iter().filter_map(|f| f.facts.get(name)), language);
        facts.extend(shown.map(|text| (name.clone(), Fact::Text(text))));
    }
    let wording = findings[0].wording.clone().filter(|name| findings.iter().all(|f| f.wording.as_ref() == Some(name)));
    let seams = Seams { document, gender: page.gender };
    let occurrences =
        findings.into_iter().enumerate().map(|(n, f)| occurrence(page, &seams, n, f, taken)).collect::<Vec<_>>();
    let listed = occurrences.len();
    let mut assembled = worded(entry, variant, docs, wording.as_deref(), (occurrences, total), &facts);
    let note = if listed < total { page.notes.listed(language, listed, total) } else { String::new() };
    let other = if ended { page.notes.ended(language) } else { String::new() };
    for note in [note, other].into_iter().filter(|note| !note.is_empty()) {
        assembled.recommendation.summary.push(' ');
        assembled.recommendation.summary.push_str(&note);
    }
    Some(assembled)
}

/// What the wording of any rule may show: the text that is marked, and the replacement.
fn own_facts(finding: &mut Finding, document: &Document) {
    let text = match &finding.place {
        Place::At(span) => document.slice(*span),
        Place::Unlocated(name) => name,
    };
    finding.facts.entry("match".into()).or_insert_with(|| Fact::Text(text.to_owned()));
    if let Some(replacement) = &finding.replacement {
        finding.facts.entry("replacement".into()).or_insert_with(|| Fact::Text(replacement.clone()));
    }
}

/// Different values of one fact in one text: each word once, numbers from the least to the greatest.
fn together<'f>(values: impl Iterator<Item = &'f Fact> + Clone, language: Language) -> Option<String> {
    let texts = values.clone().filter_map(|fact| match fact {
        Fact::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let mut seen = BTreeSet::new();
    let texts: Vec<&str> = texts.filter(|text| seen.insert(*text)).collect();
    if !texts.is_empty() {
        let more = if texts.len() > MOST_VALUES { "…" } else { "" };
        return Some(texts[..texts.len().min(MOST_VALUES)].join(", ") + more);
    }
    let number = |fact: &&Fact| match fact {
        Fact::Integer(n) => *n as f64,
        Fact::Number(n) => *n,
        Fact::Text(_) => 0.0,
    };
    let least = values.clone().min_by(|a, b| number(a).total_cmp(&number(b)))?;
    let greatest = values.max_by(|a, b| number(a).total_cmp(&number(b)))?;
    Some(format!("{}–{}", show(least, language), show(greatest, language)))
}

fn worded(
    entry: &MetricEntry,
    variant: &Variant,
    docs: &DocsFile,
    wording: Option<&str>,
    (occurrences, total): (Vec<Occurrence>, usize),
    facts: &BTreeMap<String, Fact>,
) -> Assembled {
    let mut unknown_facts = Vec::new();
    let mut say = |template: &str| {
        let (text, unknown) = fill(template, facts, variant.language);
        unknown_facts.extend(unknown);
        text
    };
    let special = wording.and_then(|name| Some(docs.report.as_ref()?.with(name)));
    let wording = special.as_ref().or(docs.report.as_ref());
    let recommendation = Recommendation {
        id: entry.manifest.id.clone(),
        metric_id: entry.manifest.id.clone(),
        implementation_version: variant.version.clone(),
        metric_title: docs.documentation.title.clone(),
        category: entry.manifest.category.clone(),
        summary: wording.map_or_else(|| docs.documentation.title.clone(), |w| say(w.summary.pick(total))),
        explanation: wording.and_then(|w| w.explanation.as_deref()).map(&mut say),
        guidance: wording.map_or_else(Vec::new, |w| w.guidance.iter().map(|g| say(g)).collect()),
        examples: wording.and_then(|w| w.examples.clone()),
        occurrences,
    };
    Assembled { recommendation, unknown_facts, known_facts: facts.keys().cloned().collect() }
}

/// Puts the places of a unit in reading order, cuts what lies outside the text, and widens what would cut a character.
fn tidy(finding: &mut Finding, page: &Page<'_>) {
    let Place::At(first) = finding.place else { return };
    let inside = |s: &Span| s.end <= page.document.code_points();
    if finding.also.is_empty() {
        if inside(&first) {
            finding.place = Place::At(page.clusters.widen(first));
        }
        return;
    }
    let all = std::iter::once(first).chain(finding.also.drain(..)).filter(inside);
    let mut all: Vec<Span> = all.map(|span| page.clusters.widen(span)).collect();
    all.sort();
    all.dedup_by_key(|span| span.start);
    if !all.is_empty() {
        finding.place = Place::At(all.remove(0));
        finding.also = all;
    }
}

fn occurrence(page: &Page<'_>, seams: &Seams<'_>, number: usize, finding: Finding, taken: &mut Taken) -> Occurrence {
    let document = page.document;
    let span = finding.span();
    let text = match &finding.place {
        Place::At(span) => document.slice(*span).to_owned(),
        Place::Unlocated(name) => name.clone(),
    };
    let sound = ordered(&finding.edits, document.code_points()).and_then(|_| seams.mend(&finding.edits));
    let whole = |edit: Edit| page.clusters.widen_edit(edit);
    let sound = sound.map(|edits| edits.into_iter().map(whole).collect::<Vec<_>>());
    let edits = sound.and_then(|edits| ordered(&edits, document.code_points()));
    let edits = edits.filter(|edits| !edits.is_empty() && taken.take(edits));
    let (paragraph_index, sentence_index) = span.map_or((None, None), |s| document.place(s));
    let mut alternatives: Vec<String> = Vec::with_capacity(finding.alternatives.len());
    for alternative in finding.alternatives {
        let new = Some(&alternative) != finding.replacement.as_ref() && alternative != text;
        if new && !alternatives.contains(&alternative) {
            alternatives.push(alternative);
        }
    }
    let spans = match span {
        Some(first) if !finding.also.is_empty() => {
            std::iter::once(first).chain(finding.also).map(|s| place(document, s)).collect()
        }
        _ => Vec::new(),
    };
    let mut connectors: Vec<SentenceConnector> = finding
        .connectors
        .into_iter()
        .map(|c| (page.clusters.widen(c.span), c))
        .map(|(span, c)| SentenceConnector {
            start: span.start,
            end: span.end,
            text: document.slice(span).to_owned(),
            relation: c.relation,
            scope: "intra".into(),
            alternatives: connector_alternatives(c.alternatives),
        })
        .collect();
    connectors.sort_by_key(|c| (c.start, c.end));
    Occurrence {
        id: (number + 1).to_string(),
        text,
        start: span.map(|s| s.start),
        end: span.map(|s| s.end),
        paragraph_index,
        sentence_index,
        replacement: finding.replacement,
        alternatives,
        edits: edits.unwrap_or_default(),
        spans,
        connectors,
    }
}

fn place(document: &Document, span: Span) -> OccurrenceSpan {
    let (paragraph_index, sentence_index) = document.place(span);
    OccurrenceSpan {
        start: span.start,
        end: span.end,
        text: document.slice(span).to_owned(),
        paragraph_index,
        sentence_index,
    }
}

/// Capitalised, sorted by base letters, without doubles.
fn connector_alternatives(names: Vec<String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(|n| capitalised(&n)).collect();
    names.sort_by_key(|n| glosa_text::fold(n));
    names.dedup();
    names.truncate(MAX_CONNECTOR_ALTERNATIVES);
    names
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_values_of_a_fact_are_said_together() {
        let say = |values: &[Fact]| together(values.iter(), Language::Es);
        let text = |words: &[&str]| words.iter().map(|word| Fact::Text((*word).to_owned())).collect::<Vec<_>>();
        assert_eq!(say(&[]), None);
        assert_eq!(say(&text(&["y", "o", "y"])).as_deref(), Some("y, o"), "each word once, in the order of the text");
        let numbers = [Fact::Integer(41), Fact::Number(32.5), Fact::Integer(57), Fact::Integer(41)];
        assert_eq!(say(&numbers).as_deref(), Some("32,5–57"), "from the least to the greatest");
        assert_eq!(together(numbers.iter(), Language::En).as_deref(), Some("32.5–57"));
        let mixed = [Fact::Integer(3), Fact::Text("coma".into())];
        assert_eq!(say(&mixed).as_deref(), Some("coma"), "words say more than numbers");
    }

    #[test]
    fn many_words_are_cut_with_a_mark() {
        let words: Vec<Fact> = (0..=MOST_VALUES).map(|n| Fact::Text(format!("w{n:02}"))).collect();
        let all = together(words[..MOST_VALUES].iter(), Language::Ca).expect("words");
        assert!(all.ends_with(&format!("w{:02}", MOST_VALUES - 1)), "{all}");
        let cut = together(words.iter(), Language::Ca).expect("words");
        assert_eq!(cut, all + "…");
    }
}
