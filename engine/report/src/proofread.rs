//! Advice read back: each change that a report offers is carried out in its sentence, and the sentence is analysed again. What the
//! change breaks, and what glosa itself would mark in it, is a fault of the advice.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_catalog::{Genre, GenreEdition};
use glosa_metric::replacement::surroundings;
use glosa_metric::{Edit, FormReading};
use glosa_text::{Document, Language, Span, Token, Upos, feature};

use crate::edits::ordered;
use crate::junction::{Seams, fits_before};
use crate::{BuildError, Engine, Occurrence, ReportResult, TextEdit, apply, build};

/// Tokens beside a change whose agreement is tested.
const BESIDE: u32 = 2;

/// What a change breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// Two spaces, a space or a sign where none belongs.
    Spacing,
    /// A word twice.
    DoubledWord,
    /// A word that the lexicon does not know and the sentence did not have.
    UnknownWord,
    /// A pronoun joined to a verb is gone.
    LostPronoun,
    /// Words side by side that do not agree, or are written otherwise together.
    Agreement,
    /// The rule that proposed the change marks what it proposed.
    Loop,
    /// Another rule marks it.
    NewFinding,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [FaultKind; 7] = [
        FaultKind::Spacing,
        FaultKind::DoubledWord,
        FaultKind::UnknownWord,
        FaultKind::LostPronoun,
        FaultKind::Agreement,
        FaultKind::Loop,
        FaultKind::NewFinding,
    ];

    /// Its name in lists.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Spacing => "spacing",
            FaultKind::DoubledWord => "doubled word",
            FaultKind::UnknownWord => "unknown word",
            FaultKind::LostPronoun => "lost pronoun",
            FaultKind::Agreement => "agreement",
            FaultKind::Loop => "loop",
            FaultKind::NewFinding => "new finding",
        }
    }

    /// What mends it.
    pub fn cure(self) -> &'static str {
        match self {
            FaultKind::Spacing => {
                "write the replacement so that spaces and signs beside it stay right, or `edit: none`"
            }
            FaultKind::DoubledWord => {
                "a word of the replacement stands beside the place: a longer term, or a condition on it"
            }
            FaultKind::UnknownWord => {
                "write words of the dictionary as `replacement`, the head first, in dictionary form"
            }
            FaultKind::LostPronoun => "show the verb with `inflect`, or let the row offer nothing before pronouns",
            FaultKind::Agreement => {
                "a replacement of the same gender and number, a condition on the words beside it, or `edit: none`"
            }
            FaultKind::Loop => "propose what the rule does not mark",
            FaultKind::NewFinding => "propose what no rule of the genre marks, or take the row of the other rule away",
        }
    }
}

/// One fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What is broken.
    pub kind: FaultKind,
    /// The rule that offered the change.
    pub metric: String,
    /// Where the place starts, in code points of the text.
    pub start: u32,
    /// The fragment.
    pub old: String,
    /// What was put in its place.
    pub new: String,
    /// The words, or the rule, that show the fault.
    pub detail: String,
    /// The sentence after the change.
    pub after: String,
}

/// What a text's advice is like.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Ready edits that were carried out.
    pub edits: usize,
    /// Suggestions without an edit that were carried out.
    pub suggestions: usize,
    /// What they broke, in the order of the text.
    pub faults: Vec<Fault>,
}

/// Carries out every edit and first suggestion of a text, each by itself, and reads the sentences again.
///
/// # Errors
/// A metric that fails on the text.
pub fn proofread(
    engine: &Engine,
    genre: (&Genre, &GenreEdition),
    language: Language,
    text: &str,
) -> Result<Proof, BuildError> {
    let report = |text: &str| build(engine, genre, language, text, &mut |_| {}, &Arc::new(AtomicBool::new(false)));
    let result = report(text)?;
    let document = engine.analyse(language, text, &genre.1.headings);
    let mut proof = Proof::default();
    let mut reports: std::collections::HashMap<u32, ReportResult> = std::collections::HashMap::new();
    for recommendation in &result.recommendations {
        for occurrence in &recommendation.occurrences {
            let Some((edits, ready)) = change(engine, &document, occurrence) else { continue };
            *(if ready { &mut proof.edits } else { &mut proof.suggestions }) += 1;
            let Some(sentence) = sentence_of(&document, &edits) else { continue };
            let before = document.slice(sentence);
            let shifted: Vec<TextEdit> = edits
                .iter()
                .map(|e| TextEdit {
                    start: e.start - sentence.start,
                    end: e.end - sentence.start,
                    text: e.text.clone(),
                })
                .collect();
            let after = apply(before, &shifted);
            let known = match reports.entry(sentence.start) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(place) => place.insert(report(before)?),
            };
            let reading = Reading {
                engine,
                language,
                old: engine.analyse(language, before, &genre.1.headings),
                new: engine.analyse(language, &after, &genre.1.headings),
                changed: changed_places(&shifted),
            };
            let mut found = reading.faults();
            let hidden: HashSet<&str> = genre
                .1
                .plan
                .steps
                .iter()
                .filter(|step| step.yields_to.contains(&recommendation.metric_id))
                .map(|step| &*step.variant.metric)
                .collect();
            let mut marked =
                marks(known, &report(&after)?, &reading.changed, &recommendation.metric_id, &occurrence.text);
            let spelt = shifted.iter().all(|edit| respelt(slice(before, edit), &edit.text));
            marked.retain(|(kind, rule, _)| {
                let uncovered = spelt && *kind == FaultKind::NewFinding;
                !uncovered && !hidden.contains(rule.as_str())
            });
            if !marked.is_empty() {
                // A rule that looks at the whole text may say otherwise there.
                let (whole, places) = (report(&apply(text, &edits))?, changed_places(&edits));
                marked.retain(|(_, rule, _)| marks_any(&whole, rule, &places));
            }
            found.extend(marked.into_iter().map(|(kind, _, said)| (kind, said)));
            proof.faults.extend(found.into_iter().map(|(kind, detail)| Fault {
                kind,
                metric: recommendation.metric_id.clone(),
                start: occurrence.start.unwrap_or(0),
                old: occurrence.text.clone(),
                new: occurrence.replacement.clone().unwrap_or_else(|| "(edit)".to_owned()),
                detail,
                after: after.clone(),
            }));
        }
    }
    proof.faults.sort_by_key(|fault| (fault.start, fault.kind));
    Ok(proof)
}

fn slice<'t>(text: &'t str, edit: &TextEdit) -> &'t str {
    let index = glosa_text::CodePoints::new(text);
    &text[index.to_byte(edit.start)..index.to_byte(edit.end)]
}

/// Whether a change spells the same word otherwise (*dió*, *dio*; *GIFs*, *GIF*): what another rule says of it held before.
fn respelt(old: &str, new: &str) -> bool {
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let longest = old.len().max(new.len());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    longest - head - tail <= 2 && longest > 2
}

/// The change of an occurrence, and whether it is a ready edit. A suggestion is carried out as a writer would: with what has to
/// change around it.
fn change(engine: &Engine, document: &Document, occurrence: &Occurrence) -> Option<(Vec<TextEdit>, bool)> {
    let (start, end) = occurrence.start.zip(occurrence.end)?;
    if !occurrence.edits.is_empty() {
        return Some((occurrence.edits.clone(), true));
    }
    let text = occurrence.replacement.as_ref().filter(|text| !text.is_empty())?;
    let place = Span { start, end };
    let mut edits = surroundings::changes(document, &*engine.inflect, place, text).unwrap_or_default();
    edits.push(Edit { span: place, text: text.clone() });
    let gender = |noun: &str| {
        let readings = engine.inflect.readings(document.language(), noun);
        let mut genders = readings.iter().filter(|r| r.pos == Upos::Noun).map(|r| feature(&r.feats, "Gender"));
        genders.next().flatten().map(str::to_owned)
    };
    let mended = Seams { document, gender: &gender }.mend(&edits)?;
    Some((ordered(&mended, document.code_points())?, false))
}

/// The sentence that holds all edits.
fn sentence_of(document: &Document, edits: &[TextEdit]) -> Option<Span> {
    let from = edits.last()?.start;
    let to = edits.first()?.end;
    let sentence = document.sentences().iter().find(|s| s.span.start <= from && to <= s.span.end)?;
    Some(sentence.span)
}

/// Where the new text stands, from edits that are ordered from the highest offset.
fn changed_places(edits: &[TextEdit]) -> Vec<Span> {
    let mut moved = 0i64;
    let mut places: Vec<Span> = Vec::new();
    for edit in edits.iter().rev() {
        let start = (i64::from(edit.start) + moved) as u32;
        let length = edit.text.chars().count() as u32;
        places.push(Span { start, end: start + length });
        moved += i64::from(length) - i64::from(edit.end - edit.start);
    }
    places
}

/// Occurrences of a sentence after a change that stand in the new text and were not there before.
///
/// Rules that yield to the one that proposed the change marked the place before, unseen; the caller leaves them out.
/// A rule that does not mark the old text in its sentence alone looks at the whole text (one style of quotation marks), and the
/// sentence says nothing of it.
fn marks(
    before: &ReportResult,
    after: &ReportResult,
    changed: &[Span],
    metric: &str,
    old: &str,
) -> Vec<(FaultKind, String, String)> {
    let said = |result: &ReportResult| -> HashSet<(String, String)> {
        let all = result.recommendations.iter();
        all.flat_map(|r| r.occurrences.iter().map(|o| (r.metric_id.clone(), o.text.clone()))).collect()
    };
    let known = said(before);
    let places = |result: &ReportResult, rule: &str| {
        let of_rule = result.recommendations.iter().find(|r| r.metric_id == rule);
        of_rule.map_or(0, |r| r.occurrences.len())
    };
    let mut found = BTreeSet::new();
    for recommendation in &after.recommendations {
        for occurrence in &recommendation.occurrences {
            let (Some(start), Some(end)) = (occurrence.start, occurrence.end) else { continue };
            let inside = changed.iter().any(|span| span.start < end && start < span.end);
            let short = end - start <= 4 * changed.iter().map(|span| span.end - span.start).max().unwrap_or(0) + 10;
            let id = &recommendation.metric_id;
            let of_text = id == metric && !known.contains(&(id.clone(), old.to_owned()));
            // A place that has only changed its words is none that came.
            let more = id == metric || places(after, id) > places(before, id);
            if inside && short && more && !of_text && !known.contains(&(id.clone(), occurrence.text.clone())) {
                let kind = if id == metric { FaultKind::Loop } else { FaultKind::NewFinding };
                let offer = occurrence.replacement.as_ref().map(|new| format!(" → «{new}»")).unwrap_or_default();
                found.insert((kind, id.clone(), format!("{id} marks «{}»{offer}", occurrence.text)));
            }
        }
    }
    found.into_iter().collect()
}

/// Whether a rule marks one of some places.
fn marks_any(result: &ReportResult, rule: &str, places: &[Span]) -> bool {
    let of_rule = result.recommendations.iter().filter(|r| r.metric_id == rule);
    let mut marked = of_rule.flat_map(|r| &r.occurrences).filter_map(|o| o.start.zip(o.end));
    marked.any(|(start, end)| places.iter().any(|place| place.start < end && start < place.end))
}

/// A sentence before and after a change.
struct Reading<'r> {
    engine: &'r Engine,
    language: Language,
    old: Document,
    new: Document,
    changed: Vec<Span>,
}

impl Reading<'_> {
    fn faults(&self) -> Vec<(FaultKind, String)> {
        let mut found = Vec::new();
        self.spacing(&mut found);
        self.doubled(&mut found);
        self.unknown(&mut found);
        self.pronouns(&mut found);
        let before = disagreements(self.engine, self.language, &self.old, |_| true);
        let near = |token: &Token| {
            self.changed
                .iter()
                .any(|span| token.span.start <= span.end + BESIDE && span.start <= token.span.end + BESIDE)
        };
        for said in disagreements(self.engine, self.language, &self.new, near) {
            if !before.contains(&said) {
                found.push((FaultKind::Agreement, said));
            }
        }
        found
    }

    fn spacing(&self, found: &mut Vec<(FaultKind, String)>) {
        let text = self.new.text();
        for bad in ["  ", " ,", " .", " ;", ",,", ",.", "( ", " )", "()", "«»", " '", "' "] {
            if text.matches(bad).count() > self.old.text().matches(bad).count() {
                found.push((FaultKind::Spacing, format!("{bad:?}")));
            }
        }
    }

    fn doubled(&self, found: &mut Vec<(FaultKind, String)>) {
        let pairs = |document: &Document| -> Vec<String> {
            let tokens = document.tokens();
            let pair = |pair: &[Token]| pair[0].norm == pair[1].norm && pair[0].flags.word();
            tokens.windows(2).filter(|two| pair(two)).map(|two| document.string(two[0].norm).to_owned()).collect()
        };
        let before = pairs(&self.old);
        found.extend(
            pairs(&self.new)
                .into_iter()
                .filter(|word| !before.contains(word))
                .map(|word| (FaultKind::DoubledWord, word)),
        );
    }

    fn unknown(&self, found: &mut Vec<(FaultKind, String)>) {
        let had: HashSet<&str> = self.old.tokens().iter().map(|t| self.old.string(t.norm)).collect();
        for token in self.new.tokens() {
            let norm = self.new.string(token.norm);
            let strange =
                token.flags.word() && !token.flags.known() && !token.flags.all_caps() && token.parts.is_empty();
            if strange && !had.contains(norm) && self.changed.iter().any(|span| span.overlaps(token.span)) {
                found.push((FaultKind::UnknownWord, norm.to_owned()));
            }
        }
    }

    /// Pronouns that are one word with a verb, or stand beside one.
    fn pronouns(&self, found: &mut Vec<(FaultKind, String)>) {
        let joined =
            |document: &Document| -> usize { document.parts().iter().filter(|part| part.pos == Upos::Pron).count() };
        let all = |document: &Document| {
            joined(document) + document.tokens().iter().filter(|t| t.pos == Upos::Pron && t.parts.is_empty()).count()
        };
        if joined(&self.new) < joined(&self.old) && all(&self.new) < all(&self.old) {
            found.push((FaultKind::LostPronoun, String::new()));
        }
    }
}

/// Pairs of words side by side that do not agree, as far as the lexicon alone says.
fn disagreements(
    engine: &Engine,
    language: Language,
    document: &Document,
    near: impl Fn(&Token) -> bool,
) -> Vec<String> {
    let tokens = document.tokens();
    let mut found = Vec::new();
    for two in tokens.windows(2).filter(|two| two[0].sentence == two[1].sentence) {
        if !near(&two[0]) && !near(&two[1]) {
            continue;
        }
        let (left, right) = (document.slice(two[0].span), document.slice(two[1].span));
        let said = || format!("{left} {right}");
        let gap = document.slice(Span { start: two[0].span.end, end: two[1].span.start });
        if gap == " " && !fits_before(language, left, right) {
            found.push(said());
            continue;
        }
        if language == Language::En {
            let article = matches!(document.string(two[0].norm), "a" | "an");
            let readings = engine.inflect.readings(language, document.string(two[1].norm));
            let plural = |r: &FormReading| r.pos == Upos::Noun && feature(&r.feats, "Number") == Some("Plur");
            if article && !readings.is_empty() && readings.iter().all(plural) {
                found.push(said());
            }
            continue;
        }
        let determiner = two[0].pos == Upos::Det;
        let pair = determiner && matches!(two[1].pos, Upos::Noun | Upos::Adj)
            || two[0].pos == Upos::Noun && two[1].pos == Upos::Adj;
        if !pair {
            continue;
        }
        let left_readings = described(engine, document, &two[0]);
        let right_readings = described(engine, document, &two[1]);
        let adverb = engine.inflect.readings(language, document.string(two[1].norm)).iter().any(|r| r.pos == Upos::Adv);
        if left_readings.is_empty() || right_readings.is_empty() || adverb {
            continue;
        }
        let agree = left_readings.iter().any(|l| right_readings.iter().any(|r| agree(l, r)));
        let stressed = engine.inflect.is_listed(language, "stressed", document.string(two[1].norm));
        if !agree && !stressed {
            found.push(said());
        }
    }
    found
}

/// Gender and number of each reading of a word that agrees.
fn described(engine: &Engine, document: &Document, token: &Token) -> Vec<(Option<String>, Option<String>)> {
    let readings = engine.inflect.readings(document.language(), document.string(token.norm));
    let nominal = readings.into_iter().filter(|r| {
        matches!(r.pos, Upos::Det | Upos::Pron | Upos::Noun | Upos::Adj)
            || feature(&r.feats, "VerbForm") == Some("Part")
    });
    let of = |r: &FormReading, name| feature(&r.feats, name).map(str::to_owned);
    nominal.map(|r| (of(&r, "Gender"), of(&r, "Number"))).collect()
}

fn agree(left: &(Option<String>, Option<String>), right: &(Option<String>, Option<String>)) -> bool {
    let same = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
    same(&left.0, &right.0) && same(&left.1, &right.1)
}
