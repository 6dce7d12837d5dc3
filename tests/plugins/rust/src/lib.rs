//! A plugin with one rule that works and some that misbehave.

use glosa_plugin::{Doc, Failure, Finding, Host, Kind, Language, NativeMetric, Needs, Range, export_plugin};

/// Words in capitals, written small instead.
#[derive(Default)]
pub struct ShoutedWord;

impl NativeMetric for ShoutedWord {
    const ID: &'static str = "shouted-word";
    const VERSION: &'static str = "1.0.0";
    const KIND: Kind = Kind::Rule;
    const LANGUAGES: &'static [Language] = &Language::ALL;

    fn run(&self, doc: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure> {
        let min = host.integer("min_letters")?;
        let spared = host.list("spared")?;
        for token in doc.tokens().filter(|t| t.all_caps()) {
            let form = token.form();
            if form.chars().count() as i64 >= min && !spared.iter().any(|s| s == form) {
                let finding = Finding::at(token.span())
                    .replace(form.to_lowercase())
                    .alternative(format!("«{form}»"))
                    .fact("word", form)
                    .fact("letters", form.chars().count() as i64);
                host.find(&finding)?;
            }
        }
        host.fact("least", min)
    }
}

/// Reads every ability of the host.
#[derive(Default)]
pub struct EveryAbility;

impl NativeMetric for EveryAbility {
    const ID: &'static str = "every-ability";
    const VERSION: &'static str = "0.1.0";
    const KIND: Kind = Kind::Measurement;
    const LANGUAGES: &'static [Language] = &[Language::Es];

    fn run(&self, doc: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure> {
        let glossary = host.glossary("terms")?;
        let structure = host.structure()?;
        let columns: usize = glossary
            .hits()
            .iter()
            .filter_map(|hit| glossary.column(hit.row, "relation"))
            .map(|relation| relation.len())
            .sum();
        let form = host.inflect("pagar", "VERB", "Number=Plur").unwrap_or_default();
        let words: usize = doc.blocks().map(|b| b.word_count() as usize).sum();
        host.fact("form", form)?;
        host.fact("sections", structure.sections.len() as i64)?;
        host.fact("cue", structure.sections[0].contents[0].cues[0].as_str())?;
        host.measure_number((columns + words) as f64 + host.number("ratio")?)
    }
}

/// Noun phrases with modifiers, and the person of the first clause.
#[derive(Default)]
pub struct Phrases;

impl NativeMetric for Phrases {
    const ID: &'static str = "phrases";
    const VERSION: &'static str = "1.0.0";
    const KIND: Kind = Kind::Rule;
    const LANGUAGES: &'static [Language] = &Language::ALL;
    const NEEDS: Needs = Needs::DEPENDENCY;

    fn run(&self, doc: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure> {
        for sentence in doc.sentences() {
            let person = host.syntax(sentence).and_then(|syntax| Some(syntax.clauses().first()?.person));
            host.fact("person", i64::from(person.unwrap_or(0)))?;
            for phrase in host.noun_phrases(sentence).into_iter().filter(|phrase| !phrase.modifiers.is_empty()) {
                let place = |token: u32| doc.token(token).map(|t| t.span()).unwrap_or_default();
                let span = Range { start: place(phrase.tokens.start).start, end: place(phrase.tokens.end - 1).end };
                let head = doc.token(phrase.head).map_or("", |t| t.form());
                host.find(&Finding::at(span).fact("head", head).fact("modifiers", phrase.modifiers.len() as i64))?;
            }
        }
        Ok(())
    }
}

/// Panics.
#[derive(Default)]
pub struct Panics;

impl NativeMetric for Panics {
    const ID: &'static str = "panics";
    const VERSION: &'static str = "1.0.0";
    const KIND: Kind = Kind::Rule;
    const LANGUAGES: &'static [Language] = &Language::ALL;

    fn run(&self, _: &Doc<'_>, _: &mut Host<'_>) -> Result<(), Failure> {
        let empty: Vec<u32> = Vec::new();
        panic!("nothing at {}", empty.len());
    }
}

/// Gives the host a place that is not in the text.
#[derive(Default)]
pub struct OutsideTheText;

impl NativeMetric for OutsideTheText {
    const ID: &'static str = "outside-the-text";
    const VERSION: &'static str = "1.0.0";
    const KIND: Kind = Kind::Rule;
    const LANGUAGES: &'static [Language] = &Language::ALL;

    fn run(&self, doc: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure> {
        let end = doc.code_points();
        let _ignored = host.find(&Finding::at(Range { start: 0, end: end + 1 }));
        Ok(())
    }
}

/// Runs until it is stopped.
#[derive(Default)]
pub struct Endless;

impl NativeMetric for Endless {
    const ID: &'static str = "endless";
    const VERSION: &'static str = "1.0.0";
    const KIND: Kind = Kind::Rule;
    const LANGUAGES: &'static [Language] = &Language::ALL;

    fn run(&self, _: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure> {
        loop {
            host.check_stop()?;
        }
    }
}

export_plugin! { name: shouting, metrics: [ShoutedWord, EveryAbility, Phrases, Panics, OutsideTheText, Endless] }
