//! `measure:`, a formula over the counts of a document.

use std::collections::BTreeSet;
use std::sync::Arc;

use glosa_metric::{
    Counts, Grammar, Input, Metric, MetricError, Number, Problem, Sink, WordLists, did_you_mean, distances,
};
use glosa_text::{Document, OrthographicWord, Token, Upos};
use rhai::{AST, Array, Dynamic, Engine, EvalAltResult, INT, ParseErrorType, Scope};

use crate::check::lists_read;
use crate::clock::Allowance;
use crate::compile::{Places, Shared, merged, parse_problem, within};
use crate::engine::formulas;
use crate::report::kind;
use crate::run::{Thresholds, with_run};
use crate::source::Source;
use crate::units::Doc;

/// What a formula is compiled from.
#[derive(Clone, Debug, Default)]
pub struct Formula<'s> {
    /// The formula.
    pub body: &'s str,
    /// Name of the file that it stands in, for messages.
    pub file: &'s str,
    /// Text of that file.
    pub source: &'s str,
    /// Line of the key `measure` in it, from 1.
    pub line: u64,
    /// How long it may compute.
    pub allowance: Allowance,
    /// Scripts whose functions it may call.
    pub shared: Vec<Shared<'s>>,
    /// Lists of words that it and they may read.
    pub lists: Arc<WordLists>,
}

/// A formula that is ready to calculate.
#[derive(Clone)]
pub struct MadeFormula {
    /// The metric.
    pub run: Arc<dyn Metric>,
    /// Names of the lists of words that it reads.
    pub lists: BTreeSet<String>,
}

struct Compiled {
    ast: AST,
    used: Vec<(&'static str, Count)>,
    classes: Vec<(&'static str, Class)>,
    places: Places,
    lists: Arc<WordLists>,
    allowance: Allowance,
}

type Count = fn(&Counts) -> f64;

/// The counts that a formula may name; each is a number with decimals.
const COUNTS: [(&str, Count); 25] = [
    ("characters", |c| c.characters),
    ("characters_no_spaces", |c| c.characters_no_spaces),
    ("words", |c| c.words),
    ("letters", |c| c.letters),
    ("letter_words", |c| c.letter_words),
    ("word_length_variance", |c| c.word_length_variance),
    ("syllables", |c| c.syllables),
    ("syllabic_words", |c| c.syllabic_words),
    ("long_words", |c| c.long_words),
    ("sentences", |c| c.sentences),
    ("sentence_length_median", |c| c.sentence_length_median),
    ("sentence_length_max", |c| c.sentence_length_max),
    ("sentence_length_deviation", |c| c.sentence_length_deviation),
    ("paragraphs", |c| c.paragraphs),
    ("paragraph_words", |c| c.paragraph_words),
    ("paragraph_sentences", |c| c.paragraph_sentences),
    ("headings", |c| c.headings),
    ("heading_words", |c| c.heading_words),
    ("list_items", |c| c.list_items),
    ("item_words", |c| c.item_words),
    ("list_count", |c| c.list_count),
    ("tokens", |c| c.tokens),
    ("word_tokens", |c| c.word_tokens),
    ("commas", |c| c.commas),
    ("inner_colons", |c| c.inner_colons),
];

type Class = fn(&Grammar) -> f64;

/// Counts of grammatical classes, numbers with decimals too. Who names one says `needs: [pos]`.
const CLASSES: [(&str, Class); 10] = [
    ("nouns", |g| g.of_pos(Upos::Noun)),
    ("proper_nouns", |g| g.of_pos(Upos::Propn)),
    ("full_verbs", |g| g.of_pos(Upos::Verb)),
    ("auxiliaries", |g| g.of_pos(Upos::Aux)),
    ("adjectives", |g| g.of_pos(Upos::Adj)),
    ("adverbs", |g| g.of_pos(Upos::Adv)),
    ("finite_verbs", Grammar::finite_verbs),
    ("gerunds", |g| g.gerunds),
    ("content_frequency", |g| g.content_frequency),
    ("content_words_with_frequency", |g| g.content_words_with_frequency),
];

/// What the rules found, which is no count of the document.
const OCCURRENCES: &str = "occurrences";

type Counted = fn(&Input, f64) -> f64;

/// Counts of what passes a limit, and measures of the vocabulary.
const FUNCTIONS: [(&str, Counted); 12] = [
    ("sentences_over", |i, words| i.counts().sentences_over(words)),
    ("words_of_letters", |i, least| share(i, |w| f64::from(w.letters) >= least)),
    ("words_of_syllables", |i, least| share(i, |w| f64::from(w.syllables) >= least)),
    ("capitals", capitals),
    ("types", |i, most| i.vocabulary().types(most)),
    ("word_types", |i, most| i.vocabulary().word_types(most)),
    ("hapaxes", |i, most| i.vocabulary().hapaxes(most)),
    ("mattr", |i, window| i.vocabulary().mattr(window)),
    ("mtld", |i, threshold| i.vocabulary().mtld(threshold)),
    ("hdd", |i, sample| i.vocabulary().hdd(sample)),
    ("verbs_of_person", |i, person| i.grammar().verbs_of_person(person)),
    ("words_rarer_than", |i, zipf| i.grammar().rarer(zipf)),
];

type Measured = fn(&Document) -> Option<f64>;

/// Measures without a limit; `()` where the text has nothing to measure.
const MEASURES: [(&str, Measured); 5] = [
    ("dependency_distance", distances::dependency_distance),
    ("subject_verb_distance", distances::subject_verb_distance),
    ("clause_depths", |document| Some(distances::clause_depths(document))),
    ("overlapping_sentences", |document| Some(distances::overlapping_sentences(document))),
    ("repeated_openings", |document| Some(distances::repeated_openings(document))),
];

fn share(input: &Input, of: impl Fn(&OrthographicWord) -> bool) -> f64 {
    input.document.words().iter().filter(|word| of(word)).count() as f64
}

/// Tokens of so many characters and more that are written in capitals.
fn capitals(input: &Input, least: f64) -> f64 {
    let document = &input.document;
    let long = |token: &Token| document.string(token.form).chars().count() as f64 >= least;
    document.tokens().iter().filter(|token| token.flags.all_caps() && long(token)).count() as f64
}

fn names() -> impl Iterator<Item = &'static str> + Clone {
    COUNTS.iter().map(|(name, _)| *name).chain(CLASSES.iter().map(|(name, _)| *name)).chain([OCCURRENCES])
}

/// The names of the counts and functions that a formula may use.
pub fn counts() -> Vec<&'static str> {
    let functions = FUNCTIONS.iter().map(|(name, _)| *name).chain(MEASURES.iter().map(|(name, _)| *name));
    names().chain(functions).chain([ADVERBS, FORMS, CHAIN]).collect()
}

/// Counts the adverbs that end in so many letters.
const ADVERBS: &str = "adverbs_ending";
/// Counts the tokens with some features.
const FORMS: &str = "forms_with";
/// The most links of a chain of nouns with some prepositions between.
const CHAIN: &str = "longest_noun_chain";

/// The functions of formulas, with whole numbers and with decimals.
pub(crate) fn register(engine: &mut Engine) {
    for (name, of) in FUNCTIONS {
        engine.register_fn(name, move |n: f64| with_run(|run| Ok(of(&run.src.input, n))));
        engine.register_fn(name, move |n: INT| with_run(|run| Ok(of(&run.src.input, n as f64))));
    }
    for (name, of) in MEASURES {
        engine.register_fn(name, move || {
            with_run(|run| Ok(of(&run.src.input.document).map_or(Dynamic::UNIT, Dynamic::from)))
        });
    }
    engine.register_fn(CHAIN, |prepositions: Array| {
        let words: Vec<String> = prepositions.iter().map(ToString::to_string).collect();
        with_run(|run| Ok(distances::longest_noun_chain(&run.src.input.document, &words)))
    });
    engine.register_fn(FORMS, |features: &str| {
        with_run(|run| Ok(distances::forms_with(&run.src.input.document, features)))
    });
    engine.register_fn(ADVERBS, |ending: &str| {
        with_run(|run| {
            let input = &run.src.input;
            Ok(input.grammar().adverbs_ending(&input.document, ending))
        })
    });
}

/// Compiles a formula. Its value is a number, or `()` where the measurement is left out.
///
/// # Errors
/// What is wrong with its text, unknown names among it.
pub fn compile_formula(formula: &Formula<'_>) -> Result<MadeFormula, Vec<Problem>> {
    let mut scope = Scope::new();
    for name in names() {
        scope.push(name, 0.0);
    }
    for name in ["params", "doc", "genre", "lists"] {
        scope.push(name, ());
    }
    let ast = formulas().compile_with_scope(&scope, formula.body).map_err(|error| {
        let mut problem = parse_problem(&error, formula.file, formula.body);
        if let ParseErrorType::VariableUndefined(name) = error.err_type() {
            let known: Vec<&str> = names().collect();
            problem = problem.help(match did_you_mean(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("a formula may name {}, `params.…`, `lists.…`, `doc` and `genre`", known.join(", ")),
            });
        }
        vec![placed(problem, formula)]
    })?;
    let used = COUNTS.iter().filter(|(name, _)| formula.body.contains(name)).copied().collect();
    let classes = CLASSES.iter().filter(|(name, _)| formula.body.contains(name)).copied().collect();
    let (ast, places) = merged(ast, formula.file, &formula.shared)?;
    let read = lists_read(&ast);
    let lists = Arc::clone(&formula.lists);
    let run = Arc::new(Compiled { ast, used, classes, places, lists, allowance: formula.allowance });
    Ok(MadeFormula { run, lists: read })
}

/// From a place in the formula to its place in the file.
fn placed(problem: Problem, formula: &Formula<'_>) -> Problem {
    let Some(wrong) = problem.line.checked_sub(1).and_then(|n| formula.body.lines().nth(n as usize)) else {
        return Problem { line: formula.line, snippet: None, ..problem }.show(formula.source);
    };
    let from = formula.line.saturating_sub(1) as usize;
    let found = formula.source.lines().enumerate().skip(from).find_map(|(n, line)| {
        let at = line.find(wrong.trim_end())?;
        Some((n as u64 + 1, line[..at].chars().count() as u64))
    });
    match found {
        Some((line, indent)) => {
            let column = problem.column + indent;
            problem.at(line, column).show(formula.source)
        }
        None => problem.at(formula.line, 1).show(formula.source),
    }
}

impl Metric for Compiled {
    fn run(&self, input: &Input, out: &mut Sink) -> Result<(), MetricError> {
        let src = Source::new(input, None, &Arc::from([]), &self.lists);
        let mut value = None;
        let mut scope = Scope::new();
        let counts = input.counts();
        for (name, count) in &self.used {
            scope.push_constant(*name, count(counts));
        }
        for (name, class) in &self.classes {
            scope.push_constant(*name, class(input.grammar()));
        }
        scope.push_constant(OCCURRENCES, f64::from(input.occurrences));
        scope.push_constant("params", Thresholds);
        scope.push_constant("doc", Doc { src: Arc::clone(&src) });
        within(&src, self.allowance, (out, &mut Vec::new()), &self.places, || {
            let result = formulas().eval_ast_with_scope::<Dynamic>(&mut scope, &self.ast)?;
            value = number(&result)?;
            Ok(())
        })?;
        if let Some(value) = value {
            out.measure(value);
        }
        Ok(())
    }
}

fn number(result: &Dynamic) -> Result<Option<Number>, Box<EvalAltResult>> {
    if result.is_unit() {
        Ok(None)
    } else if let Ok(n) = result.as_int() {
        let n: INT = n;
        Ok(Some(Number::Integer(n)))
    } else if let Ok(n) = result.as_float() {
        Ok(Some(Number::Real(n)))
    } else {
        Err(format!("the formula gives {}, not a number; write `()` to leave the measurement out", kind(result)).into())
    }
}
