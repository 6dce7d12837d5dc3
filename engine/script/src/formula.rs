//! `measure:`, a formula over the counts of a document.

use std::collections::BTreeMap;
use std::sync::Arc;

use glosa_metric::{Input, Metric, MetricError, Number, Problem, Sink, did_you_mean};
use glosa_text::{BlockKind, Document};
use rhai::{AST, Dynamic, EvalAltResult, INT, ParseErrorType, Scope};

use crate::clock::Allowance;
use crate::compile::{parse_problem, within};
use crate::engine::formulas;
use crate::report::kind;
use crate::run::Thresholds;
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
}

struct Compiled {
    ast: AST,
    used: Vec<&'static str>,
    file: String,
    allowance: Allowance,
}

type Count = fn(&Input) -> f64;

/// The counts that a formula may name; each is a number with decimals.
const COUNTS: [(&str, Count); 19] = [
    ("characters", |i| f64::from(i.document.code_points())),
    ("characters_no_spaces", |i| i.document.text().chars().filter(|c| !c.is_whitespace()).count() as f64),
    ("words", |i| i.document.words().len() as f64),
    ("letters", |i| i.document.words().iter().map(|w| f64::from(w.letters)).sum()),
    ("letter_words", |i| i.document.words().iter().filter(|w| w.letters > 0).count() as f64),
    ("syllables", |i| i.document.words().iter().map(|w| f64::from(w.syllables)).sum()),
    ("syllabic_words", |i| i.document.words().iter().filter(|w| w.syllables > 0).count() as f64),
    ("sentences", |i| i.document.sentence_count() as f64),
    ("paragraphs", |i| blocks(&i.document, BlockKind::Paragraph)),
    ("headings", |i| blocks(&i.document, BlockKind::Heading)),
    ("list_items", |i| blocks(&i.document, BlockKind::ListItem)),
    ("list_count", |i| lists(&i.document)),
    ("paragraph_words", |i| in_paragraphs(&i.document, |s| s.words.len())),
    ("paragraph_sentences", |i| in_paragraphs(&i.document, |_| 1)),
    ("tokens", |i| i.document.tokens().iter().filter(|t| t.flags.word() || t.flags.number()).count() as f64),
    ("occurrences", |i| f64::from(i.occurrences)),
    ("heading_words", |i| {
        i.document.sentences().iter().filter(|s| s.index.is_none()).map(|s| s.words.len()).sum::<usize>() as f64
    }),
    ("item_words", |i| in_blocks(&i.document, BlockKind::ListItem, |s| s.words.len())),
    ("long_words", |i| i.document.words().iter().filter(|w| w.syllables >= 3).count() as f64),
];

/// The names of the counts that a formula may use.
pub fn counts() -> [&'static str; 19] {
    COUNTS.map(|(name, _)| name)
}

fn blocks(document: &Document, kind: BlockKind) -> f64 {
    document.blocks().iter().filter(|b| b.kind == kind).count() as f64
}

fn lists(document: &Document) -> f64 {
    let mut previous = None;
    let mut count = 0u32;
    for block in document.blocks() {
        count += u32::from(block.kind == BlockKind::ListItem && previous != Some(BlockKind::ListItem));
        previous = Some(block.kind);
    }
    f64::from(count)
}

fn in_blocks(document: &Document, kind: BlockKind, count: impl Fn(&glosa_text::Sentence) -> usize) -> f64 {
    let inside = document.sentences().iter().filter(|s| document.blocks()[s.block as usize].kind == kind);
    inside.map(count).sum::<usize>() as f64
}

fn in_paragraphs(document: &Document, count: impl Fn(&glosa_text::Sentence) -> usize) -> f64 {
    in_blocks(document, BlockKind::Paragraph, count)
}

/// Compiles a formula. Its value is a number, or `()` where the measurement is left out.
///
/// # Errors
/// What is wrong with its text, unknown names among it.
pub fn compile_formula(formula: &Formula<'_>) -> Result<Arc<dyn Metric>, Problem> {
    let mut scope = Scope::new();
    for (name, _) in COUNTS {
        scope.push(name, 0.0);
    }
    for name in ["params", "doc"] {
        scope.push(name, ());
    }
    let ast = formulas().compile_with_scope(&scope, formula.body).map_err(|error| {
        let mut problem = parse_problem(&error, formula.file, formula.body);
        if let ParseErrorType::VariableUndefined(name) = error.err_type() {
            let known = COUNTS.map(|(name, _)| name);
            problem = problem.help(match did_you_mean(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("a formula may name {}, `params.…` and `doc`", known.join(", ")),
            });
        }
        placed(problem, formula)
    })?;
    let used = COUNTS.iter().map(|(name, _)| *name).filter(|name| formula.body.contains(name)).collect();
    Ok(Arc::new(Compiled { ast, used, file: formula.file.to_owned(), allowance: formula.allowance }))
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
        let src = Source::new(input, None, &Arc::from([]), &Arc::default());
        let mut value = None;
        let mut scope = Scope::new();
        for (name, count) in COUNTS {
            if self.used.contains(&name) {
                scope.push_constant(name, count(input));
            }
        }
        scope.push_constant("params", Thresholds);
        scope.push_constant("doc", Doc { src: Arc::clone(&src) });
        within(&src, self.allowance, (out, &mut Vec::new()), (&self.file, &BTreeMap::new()), || {
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
