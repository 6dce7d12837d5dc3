//! From the text of a script to a metric, and from what goes wrong to a place, a cause and a cure.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use glosa_metric::pattern::Query;
use glosa_metric::{Candidate, Input, Metric, MetricError, Problem, Reporting, Sink, WordLists, did_you_mean};
use rhai::{AST, CallFnOptions, Dynamic, EvalAltResult, ParseError, ParseErrorType, Position, Scope};

use crate::check::{Declared, Names, lists_read};
use crate::clock::{self, Allowance};
use crate::engine::{DEEPEST_CALL, scripts};
use crate::glossary::Match;
use crate::list::List;
use crate::recursion::recursion;
use crate::reference;
use crate::run;
use crate::source::{Source, Src};
use crate::units::{Doc, Sentence};

/// What a script is compiled from.
#[derive(Clone, Debug, Default)]
pub struct Script<'s> {
    /// Its text.
    pub source: &'s str,
    /// Name of its file, for messages.
    pub file: &'s str,
    /// The compiled `match` of its variant, where it has one.
    pub query: Option<Arc<Query>>,
    /// What holds for what it reports.
    pub reporting: Reporting,
    /// How long it may compute.
    pub allowance: Allowance,
    /// Scripts whose functions it may call.
    pub shared: Vec<Shared<'s>>,
    /// Captures of the patterns of all languages that the script serves: one that the pattern at hand lacks is empty.
    pub captures: Vec<String>,
    /// Lists of words that it may read.
    pub lists: Arc<WordLists>,
    /// What the metric declares; `None` leaves it unchecked.
    pub declared: Option<Declared>,
}

/// A script of functions that several rules call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shared<'s> {
    /// Name of its file, for messages.
    pub file: &'s str,
    /// Its text.
    pub source: &'s str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Match,
    Matches,
    Sentence,
    Document,
}

impl Entry {
    const ALL: [Entry; 4] = [Entry::Match, Entry::Matches, Entry::Sentence, Entry::Document];

    fn name(self) -> &'static str {
        match self {
            Entry::Match => "on_match",
            Entry::Matches => "on_matches",
            Entry::Sentence => "on_sentence",
            Entry::Document => "on_document",
        }
    }
}

/// A script that is ready to run.
#[derive(Clone)]
pub struct Made {
    /// The metric.
    pub run: Arc<dyn Metric>,
    /// Names of the lists of words that it reads.
    pub lists: BTreeSet<String>,
}

/// What the errors of a script say of their place.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Its file.
    pub(crate) file: String,
    /// Files of the functions that come from elsewhere.
    files: BTreeMap<String, String>,
    /// Where a function calls itself, and its name.
    recursion: Option<(String, String)>,
}

/// A text of its own with the functions of shared scripts, and where each of them stands.
///
/// # Errors
/// What is wrong with the shared scripts.
pub(crate) fn merged(ast: AST, file: &str, shared: &[Shared<'_>]) -> Result<(AST, Places), Vec<Problem>> {
    let mut problems = Vec::new();
    let mut read = Vec::new();
    for one in shared {
        match scripts().compile(one.source) {
            Ok(ast) => read.push(ast),
            Err(error) => problems.push(parse_problem(&error, one.file, one.source)),
        }
    }
    let text = Script { file, shared: shared.to_vec(), ..Script::default() };
    let files = defined(&text, &ast, &read, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let recursion =
        recursion(&shared.iter().zip(&read).map(|(one, ast)| (one.file, one.source, ast)).collect::<Vec<_>>());
    let ast = read.iter().fold(ast, |ast, shared| ast.merge(shared));
    Ok((ast, Places { file: file.to_owned(), files, recursion }))
}

struct Compiled {
    ast: AST,
    entry: Entry,
    places: Places,
    query: Option<Arc<Query>>,
    captures: Arc<[String]>,
    lists: Arc<WordLists>,
    reporting: Reporting,
    allowance: Allowance,
}

/// Compiles a script.
///
/// # Errors
/// Everything that is wrong with its text, its entry function, the names in it and the shared scripts.
pub fn compile(script: &Script<'_>) -> Result<Made, Vec<Problem>> {
    let parse =
        |file: &str, source: &str| scripts().compile(source).map_err(|error| parse_problem(&error, file, source));
    let mut problems = Vec::new();
    let mut shared = Vec::new();
    for one in &script.shared {
        match parse(one.file, one.source) {
            Ok(ast) => shared.push(ast),
            Err(problem) => problems.push(problem),
        }
    }
    let ast = match parse(script.file, script.source) {
        Ok(ast) => ast,
        Err(problem) => {
            problems.push(problem);
            return Err(problems);
        }
    };
    let of_query = script.query.iter().flat_map(|query| query.names().iter().cloned());
    let captures: BTreeSet<String> = script.captures.iter().cloned().chain(of_query).collect();
    let captures: Arc<[String]> = captures.into_iter().collect();
    let entry = entry(&ast, script).map_err(|problem| problems.push(problem)).ok();
    if problems.is_empty() {
        let names = |file, source, ast| Names {
            file,
            source,
            ast,
            shared: &shared,
            captures: &captures,
            declared: script.declared.as_ref(),
        };
        problems.extend(names(script.file, script.source, &ast).unknown());
        problems.extend(script.shared.iter().zip(&shared).flat_map(|(one, ast)| {
            let unchecked = Names { declared: None, ..names(one.file, one.source, ast) };
            unchecked.unknown()
        }));
    }
    let lists = std::iter::once(&ast).chain(&shared).flat_map(lists_read).collect();
    let files = defined(script, &ast, &shared, &mut problems);
    match entry {
        Some(entry) if problems.is_empty() => {
            let own = (script.file, script.source, &ast);
            let others = script.shared.iter().zip(&shared).map(|(one, ast)| (one.file, one.source, ast));
            let recursion = recursion(&std::iter::once(own).chain(others).collect::<Vec<_>>());
            let ast = shared.iter().fold(ast, |ast, shared| ast.merge(shared));
            let run = Arc::new(Compiled {
                ast,
                entry,
                places: Places { file: script.file.to_owned(), files, recursion },
                query: script.query.clone(),
                captures,
                lists: Arc::clone(&script.lists),
                reporting: script.reporting.clone(),
                allowance: script.allowance,
            });
            Ok(Made { run, lists })
        }
        _ => Err(problems),
    }
}

/// The files of shared functions; one that is defined twice, or that would be an entry, is a problem.
fn defined(script: &Script<'_>, ast: &AST, shared: &[AST], problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let own: Vec<&str> = ast.iter_functions().map(|f| f.name).collect();
    for (one, ast) in script.shared.iter().zip(shared) {
        for function in ast.iter_functions().map(|f| f.name) {
            let place = |problem: Problem| problem.near(one.source, &[&format!("fn {function}")]);
            if function.starts_with("on_") {
                let message = format!("a shared script has no entry function, so not `{function}`");
                problems.push(place(Problem::of(one.file, message)).help("give the function another name"));
            }
            let before = files.insert(function.to_owned(), one.file.to_owned());
            let other = if own.contains(&function) { Some(script.file.to_owned()) } else { before };
            if let Some(other) = other.filter(|_| !function.starts_with("anon$")) {
                let message = format!("`{function}` is defined in {other} too");
                problems.push(place(Problem::of(one.file, message)).help("rename or delete one of them"));
            }
        }
    }
    files
}

fn entry(ast: &AST, script: &Script<'_>) -> Result<Entry, Problem> {
    const SHAPES: &str = "`fn on_match(m)` for each hit of `match`, `fn on_matches(all)` once for all of them, `fn on_sentence(s)` for each sentence, or `fn on_document(doc)` once";
    let mut named: Vec<_> = ast.iter_functions().filter(|f| f.name.starts_with("on_")).collect();
    let place = |name: &str| {
        let needle = format!("fn {name}");
        let found = script.source.lines().zip(1u64..).find_map(|(l, n)| l.find(&needle).map(|c| (n, c as u64 + 1)));
        found.unwrap_or((0, 0))
    };
    named.sort_by_key(|f| place(f.name));
    let problem = |name: &str, message: String, help: String| {
        let (line, column) = place(name);
        Err(Problem::of(script.file, message).at(line, column).show(script.source).help(help))
    };
    for function in &named {
        if !Entry::ALL.iter().any(|e| e.name() == function.name) {
            let near = did_you_mean(function.name, Entry::ALL.map(Entry::name));
            let help = near.map_or_else(|| format!("write {SHAPES}"), |near| format!("did you mean `{near}`?"));
            return problem(function.name, format!("`{}` is no entry function", function.name), help);
        }
        if function.params.len() != 1 {
            let message = format!("`{}` takes one argument, not {}", function.name, function.params.len());
            return problem(function.name, message, format!("write {SHAPES}"));
        }
    }
    let entry = match named.as_slice() {
        [one] => Entry::ALL.into_iter().find(|e| e.name() == one.name),
        [] => {
            let message = "the script has no entry function".to_owned();
            return problem("", message, format!("write {SHAPES}")).map_err(|p| Problem {
                line: 0,
                snippet: None,
                ..p
            });
        }
        [_, second, ..] => {
            let message = format!("the script has {} entry functions", named.len());
            return problem(second.name, message, "keep one".to_owned());
        }
    };
    let entry = entry.unwrap_or(Entry::Document);
    match (entry, &script.query) {
        (Entry::Match | Entry::Matches, None) => problem(
            entry.name(),
            format!("`{}` has nothing to be called for", entry.name()),
            "add `match:` beside `script:` in the variant, or write `fn on_sentence(s)`".to_owned(),
        ),
        (Entry::Sentence | Entry::Document, Some(_)) => problem(
            entry.name(),
            format!("the variant has a `match`, but the script has `{}`", entry.name()),
            "write `fn on_match(m)` or `fn on_matches(all)`, or delete `match:`".to_owned(),
        ),
        _ => Ok(entry),
    }
}

/// A parse error with its place, cause and cure.
pub(crate) fn parse_problem(error: &ParseError, file: &str, source: &str) -> Problem {
    let position = error.position();
    let (line, column) = (position.line().unwrap_or(0) as u64, position.position().unwrap_or(1) as u64);
    let help = match error.err_type() {
        ParseErrorType::ExprTooDeep => "split the expression: put its parts into variables".to_owned(),
        ParseErrorType::MissingToken(token, _) => format!("add `{token}` here, or close what was opened before"),
        ParseErrorType::UnexpectedEOF => "something that was opened is not closed".to_owned(),
        ParseErrorType::FnMissingParams(name) => format!("write the arguments: `fn {name}(x)`"),
        ParseErrorType::FnDuplicatedDefinition(name, _) => format!("rename or delete one `{name}`"),
        ParseErrorType::VariableUndefined(name) => format!("`{name}` is not defined here"),
        ParseErrorType::Reserved(name) => {
            format!("`{name}` is a word of the language or switched off; use another name")
        }
        _ if error.to_string().contains("eval") || error.to_string().contains("import") => {
            "a metric cannot load or make code; write it as a function of this file".to_owned()
        }
        _ => "see the Rhai section of rules/README.md".to_owned(),
    };
    Problem::of(file, error.err_type().to_string()).at(line, column).show(source).help(help)
}

/// The innermost cause and its place.
fn run_error(error: &EvalAltResult, places: &Places) -> MetricError {
    let own = places.file.as_str();
    let mut cause = error;
    let mut position = error.position();
    let mut file = own;
    while let EvalAltResult::ErrorInFunctionCall(function, _, inner, _) = cause {
        cause = inner;
        file = places.files.get(function).map_or(own, String::as_str);
        if !inner.position().is_none() {
            position = inner.position();
        }
    }
    let at = |message: String| match (position.line(), position.position()) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}: {message}"),
        (Some(line), None) => format!("{file}:{line}: {message}"),
        _ => format!("{file}: {message}"),
    };
    match cause {
        EvalAltResult::ErrorTerminated(why, _) => MetricError::Budget(at(why.to_string())),
        EvalAltResult::ErrorStackOverflow(_) => {
            let too_deep = format!("functions call one another more than {DEEPEST_CALL} deep");
            MetricError::Budget(match &places.recursion {
                Some((place, name)) if position.is_none() => {
                    format!("{place}: {too_deep}: `{name}` leads back to itself")
                }
                _ => at(too_deep),
            })
        }
        EvalAltResult::ErrorTooManyOperations(_)
        | EvalAltResult::ErrorTooManyVariables(_)
        | EvalAltResult::ErrorDataTooLarge(..) => MetricError::Budget(at(plain(cause))),
        other => MetricError::Failed(at(plain(other))),
    }
}

/// The message of an error without its position.
fn plain(error: &EvalAltResult) -> String {
    if let EvalAltResult::ErrorRuntime(value, _) = error {
        return value.to_string();
    }
    if let EvalAltResult::ErrorVariableNotFound(name, _) = error {
        return format!(
            "`{name}` is not defined here; functions and closures see their arguments, `params`, `lists`, `doc` and `genre` only"
        );
    }
    if let EvalAltResult::ErrorFunctionNotFound(signature, _) = error {
        return reference::unknown_function(signature);
    }
    let text = error.to_string();
    if let Some(explained) = reference::explain(&text) {
        return explained;
    }
    let position = error.position();
    match position {
        Position::NONE => text,
        _ => text.split(" (line ").next().unwrap_or_default().to_owned(),
    }
}

pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

/// Tokens and code points of a text on which every sound script ends; one that does not is wrong itself.
const ORDINARY_TOKENS: usize = 2_000;
const ORDINARY_CODE_POINTS: u32 = 12_000;

fn long(src: &Src) -> bool {
    src.document().tokens().len() > ORDINARY_TOKENS || src.document().code_points() > ORDINARY_CODE_POINTS
}

/// Whether an error is a limit that ends the search and not the report: what a text is too large for, or, on a text longer than
/// ordinary ones, the operations. What was reported until then stays.
fn ends_search(error: &EvalAltResult, over: Option<&str>, src: &Src) -> bool {
    let mut cause = error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = cause {
        cause = inner;
    }
    match cause {
        EvalAltResult::ErrorDataTooLarge(..) => long(src),
        EvalAltResult::ErrorTerminated(..) => over == Some(clock::SPENT) && long(src),
        _ => false,
    }
}

/// Runs work on a source within its time; what was reported is found, what else was said goes into the sink.
pub(crate) fn within(
    src: &Src,
    allowance: Allowance,
    (out, found): (&mut Sink, &mut Vec<Candidate>),
    places: &Places,
    work: impl FnOnce() -> Result<(), Box<EvalAltResult>>,
) -> Result<(), MetricError> {
    let file = &places.file;
    let going = run::begin(src);
    let running = clock::start(allowance.of(src.document().tokens().len()), &src.input.budget);
    let done = catch_unwind(AssertUnwindSafe(work));
    let over = clock::over();
    drop(running);
    let said = run::end(going);
    match done {
        Err(panic) => return Err(MetricError::Panicked(format!("{file}: {}", panic_text(panic.as_ref())))),
        Ok(Err(error)) => {
            let limit = ends_search(&error, over, src);
            let refused = said.as_ref().and_then(|said| said.refused.clone());
            match (run_error(&error, places), refused) {
                (MetricError::Failed(_), Some(refused)) => return Err(refused),
                (MetricError::Budget(why), _) if limit => out.ended = Some(why),
                (error, _) => return Err(error),
            }
        }
        Ok(Ok(())) => match over {
            Some(clock::SPENT) if long(src) => out.ended = Some(format!("{file}: {}", clock::SPENT)),
            Some(why) => return Err(MetricError::Budget(format!("{file}: {why}"))),
            None => {}
        },
    }
    if let Some(said) = said {
        if let Some(refused) = said.refused {
            return Err(refused);
        }
        found.extend(said.findings);
        out.facts.extend(said.facts);
    }
    Ok(())
}

impl Compiled {
    fn call(&self, argument: Dynamic) -> Result<(), Box<EvalAltResult>> {
        let options = CallFnOptions::new();
        let mut scope = Scope::new();
        let name = self.entry.name();
        scripts().call_fn_with_options::<Dynamic>(options, &mut scope, &self.ast, name, (argument,)).map(|_| ())
    }
}

impl Metric for Compiled {
    fn run(&self, input: &Input, out: &mut Sink) -> Result<(), MetricError> {
        let matches = match &self.query {
            Some(query) => query.find(input)?,
            None => Vec::new(),
        };
        if matches!(self.entry, Entry::Match | Entry::Matches) && matches.is_empty() {
            return Ok(());
        }
        let src = Source::new(input, self.query.clone(), &self.captures, &self.lists);
        let mut found = Vec::new();
        let matched = |found| Match { src: Arc::clone(&src), inner: Arc::new(found) };
        within(&src, self.allowance, (out, &mut found), &self.places, || match self.entry {
            Entry::Document => self.call(Dynamic::from(Doc { src: Arc::clone(&src) })),
            Entry::Sentence => {
                let units = src.document().sentences().iter().zip(0u32..).filter(|(s, _)| s.index.is_some());
                for (_, number) in units {
                    self.call(Dynamic::from(Sentence { src: Arc::clone(&src), number }))?;
                }
                Ok(())
            }
            Entry::Match => {
                for found in matches {
                    let found = matched(found);
                    run::handle(Some(&found.inner));
                    self.call(Dynamic::from(found))?;
                }
                run::handle(None);
                Ok(())
            }
            Entry::Matches => {
                let all = matches.into_iter().map(matched).collect();
                self.call(Dynamic::from(List::matches(&src, all)))
            }
        })?;
        if self.reporting.is_empty() {
            out.findings.extend(found.into_iter().map(|candidate: Candidate| candidate.finding));
            return Ok(());
        }
        self.reporting.finish(self.query.as_deref(), found, input, out)
    }
}
