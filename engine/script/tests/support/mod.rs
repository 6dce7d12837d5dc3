//! Inputs and short texts for the tests of scripts.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use glosa_metric::phrases::PhraseHits;
use glosa_metric::{
    Budget, Content, Finding, Glossaries, Inflect, Input, Metric, MetricError, ParamValue, Params, Section, Sink,
    Structure,
};
use glosa_script::{Script, compile};
use glosa_text::{Document, DocumentBuilder, Language, Layout, TokenInput, Upos, normal_form};

/// Splits at full stops and spaces; enough of linguistics for scripts.
pub fn document(text: &str) -> Document {
    let layout = Layout::new(text, &HashSet::new());
    let blocks: Vec<_> = layout.blocks.iter().map(|b| b.content.clone()).collect();
    let mut builder = DocumentBuilder::new(Language::Es, text, layout);
    for (number, block) in blocks.into_iter().enumerate() {
        let mut start = block.start;
        while start < block.end {
            let rest = &text[start..block.end];
            let end = rest.find(['.', '!', '?']).map_or(block.end, |at| start + at + 1);
            let sentence = &text[start..end];
            let from = start + sentence.len() - sentence.trim_start().len();
            if from < end {
                builder.sentence(number, from..end);
                tokens(&mut builder, text, from, end);
            }
            start = end;
        }
    }
    builder.finish(|word| word.chars().filter(|c| "aeiouáéíóú".contains(*c)).count() as u16)
}

fn tokens(builder: &mut DocumentBuilder, text: &str, start: usize, end: usize) {
    let mut at = start;
    while at < end {
        let first = text[at..].chars().next().unwrap_or(' ');
        let mut next = at + first.len_utf8();
        if first.is_whitespace() {
            at = next;
            continue;
        }
        if first.is_alphanumeric() {
            let length = text[at..end].find(|c: char| !c.is_alphanumeric()).unwrap_or(end - at);
            next = at + length;
        }
        let norm = normal_form(&text[at..next]);
        let pos = if first.is_alphanumeric() { Upos::Noun } else { Upos::Punct };
        let feats = if norm.ends_with('s') { "Number=Plur" } else { "" };
        builder.token(TokenInput {
            bytes: at..next,
            norm: &norm,
            lemma: norm.trim_end_matches('s'),
            pos,
            feats,
            zipf: 30,
            known: true,
        });
        at = next;
    }
}

struct Plurals;

impl Inflect for Plurals {
    fn inflect(&self, _: Language, lemma: &str, _: &str, feats: &str) -> Option<String> {
        (feats == "Number=Plur").then(|| format!("{lemma}s"))
    }
}

/// An input with parameters and a structure of one section.
pub fn input(text: &str, params: &[(&str, ParamValue)]) -> Input {
    let values = params.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let content = Content {
        name: "Plazo".into(),
        occurrence: Some("always".into()),
        cues: vec!["un mes".into()],
        ..Content::default()
    };
    let section =
        Section { name: "Recursos".into(), synonyms: vec!["Vías de recurso".into()], contents: vec![content] };
    Input {
        document: Arc::new(document(text)),
        params: Arc::new(Params::new(Arc::new(values))),
        glossaries: Arc::new(Glossaries::new(BTreeMap::new())),
        views: Arc::default(),
        hits: Arc::new(PhraseHits::default()),
        structure: Arc::new(Structure { sections: vec![section], free_order: false }),
        inflect: Arc::new(Plurals),
        budget: Budget::default(),
        occurrences: 3,
        trial: false,
    }
}

/// Compiles a script that has to be right.
pub fn script(source: &str) -> Arc<dyn Metric> {
    let script = Script { source, file: "es.rhai", ..Script::default() };
    compile(&script).unwrap_or_else(|problems| panic!("{problems:?}")).run
}

/// Runs a metric.
pub fn run(metric: &Arc<dyn Metric>, input: &Input) -> Result<Sink, MetricError> {
    let mut sink = Sink::default();
    metric.run(input, &mut sink).map(|()| sink)
}

/// Places of findings, as text.
pub fn marked<'t>(input: &'t Input, findings: &[Finding]) -> Vec<&'t str> {
    findings.iter().filter_map(Finding::span).map(|span| input.document.slice(span)).collect()
}
