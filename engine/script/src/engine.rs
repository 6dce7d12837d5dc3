//! The one engine of all scripts: what the language offers them, and its bounds.
//!
//! Operations of the standard library that can work for long on small arguments, wait, or read text as code are
//! replaced here.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::sync::OnceLock;

use glosa_text::{fold, normal_form};
use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, BitFieldPackage, CorePackage, LogicPackage,
    MoreStringPackage, Package,
};
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, INT, ImmutableString, NativeCallContext};

use crate::{
    clock, figure, formula, genre, glossary, list, quotation, repair, report, run, search, tally, units, words,
};

/// Bytes of the longest string, and of all strings in one array or map.
pub(crate) const LONGEST_STRING: usize = 64 * 1024;
/// Items of the largest array, those of arrays inside it counted.
const LARGEST_ARRAY: usize = 10_000;
const LARGEST_MAP: usize = 10_000;
pub(crate) const DEEPEST_CALL: usize = 24;
const DEEPEST_EXPRESSION: usize = 48;
const MOST_VARIABLES: usize = 200;
const MOST_FUNCTIONS: usize = 100;
const MOST_PRINTED: usize = 1000;

/// The limits of a script, as the guide names them.
pub const LIMITS: [(&str, usize); 8] = [
    ("bytes of a text", LONGEST_STRING),
    ("items of an array", LARGEST_ARRAY),
    ("keys of a map", LARGEST_MAP),
    ("functions that call one another", DEEPEST_CALL),
    ("depth of an expression", DEEPEST_EXPRESSION),
    ("variables", MOST_VARIABLES),
    ("functions of a script", MOST_FUNCTIONS),
    ("findings", report::MOST_FINDINGS),
];

type Answer<T> = Result<T, Box<EvalAltResult>>;

thread_local! {
    static PRINTED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs something and gives what scripts printed in this thread meanwhile, at most 1,000 lines.
pub fn printed<R>(work: impl FnOnce() -> R) -> (R, Vec<String>) {
    PRINTED.set(Some(Vec::new()));
    let result = work();
    (result, PRINTED.take().unwrap_or_default())
}

fn note(line: String) {
    PRINTED.with_borrow_mut(|printed| {
        if let Some(lines) = printed.as_mut().filter(|lines| lines.len() < MOST_PRINTED) {
            lines.push(line);
        }
    });
}

/// The engine of scripts.
pub(crate) fn scripts() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(make)
}

/// The engine of formulas: a name that is no variable is found when the formula is read.
pub(crate) fn formulas() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let mut engine = make();
        formula::register(&mut engine);
        engine.set_strict_variables(true);
        engine
    })
}

fn make() -> Engine {
    let mut engine = Engine::new_raw();
    CorePackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BitFieldPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    engine
        .set_max_string_size(LONGEST_STRING)
        .set_max_array_size(LARGEST_ARRAY)
        .set_max_map_size(LARGEST_MAP)
        .set_max_call_levels(DEEPEST_CALL)
        .set_max_expr_depths(DEEPEST_EXPRESSION, DEEPEST_EXPRESSION)
        .set_max_variables(MOST_VARIABLES)
        .set_max_functions(MOST_FUNCTIONS)
        .set_max_modules(0)
        .set_fail_on_invalid_map_property(true)
        .disable_symbol("eval")
        .disable_symbol("curry")
        .disable_symbol("import")
        .disable_symbol("export")
        .on_progress(|_| clock::tick().map(Dynamic::from))
        .on_print(|line| note(line.to_owned()))
        .on_debug(|line, _, position| note(format!("{position:?} {line}")));
    #[expect(deprecated, reason = "rhai marks the call as one that may change, not as one to avoid")]
    engine.on_var(|name, index, _| if index == 0 { run::resolve(name) } else { Ok(None) });
    bounded(&mut engine);
    texts(&mut engine);
    words::register(&mut engine);
    list::register(&mut engine);
    units::register(&mut engine);
    glossary::register(&mut engine);
    figure::register(&mut engine);
    genre::register(&mut engine);
    quotation::register(&mut engine);
    report::register(&mut engine);
    tally::register(&mut engine);
    repair::register(&mut engine);
    run::register(&mut engine);
    search::register(&mut engine);
    engine
}

fn too_long() -> Box<EvalAltResult> {
    format!("the text would be longer than {LONGEST_STRING} bytes").into()
}

fn replace(string: &mut ImmutableString, from: &str, to: &str) -> Answer<()> {
    if from.is_empty() {
        return Ok(());
    }
    clock::charge(string.len() / 64);
    let count = string.matches(from).count();
    if string.len() + count * to.len() > LONGEST_STRING + count * from.len() {
        return Err(too_long());
    }
    *string = string.replace(from, to).into();
    Ok(())
}

fn order(context: &NativeCallContext<'_>, comparer: &FnPtr, a: &Dynamic, b: &Dynamic) -> Answer<Ordering> {
    let answer = comparer.call_within_context::<Dynamic>(context, (a.clone(), b.clone()))?;
    match (answer.as_int(), answer.as_bool()) {
        (Ok(n), _) => Ok(n.cmp(&0)),
        (_, Ok(first)) => Ok(if first { Ordering::Less } else { Ordering::Greater }),
        _ => Err("a comparer gives a number (negative, 0, positive) or a flag".into()),
    }
}

/// Merge sort: stable, ends with the first error of the comparer, and no comparer can upset it.
fn sorted(context: &NativeCallContext<'_>, comparer: &FnPtr, mut items: Array) -> Answer<Array> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let left = sorted(context, comparer, items)?;
    let right = sorted(context, comparer, right)?;
    let mut merged = Array::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let next = match order(context, comparer, a, b)? {
            Ordering::Greater => right.next(),
            _ => left.next(),
        };
        merged.extend(next);
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

/// Functions of Rhai's library that no script may call, and why: said where a script is loaded, and where it reaches one by
/// another name.
pub const REFUSED: [(&str, &str); 2] = [("parse_json", "a metric cannot read JSON"), ("sleep", "a metric cannot wait")];

fn bounded(engine: &mut Engine) {
    engine
        .register_fn("sort", |context: NativeCallContext<'_>, array: &mut Array, comparer: FnPtr| {
            *array = sorted(&context, &comparer, std::mem::take(array))?;
            Ok::<(), Box<EvalAltResult>>(())
        })
        .register_fn("order", |context: NativeCallContext<'_>, array: &mut Array, comparer: FnPtr| {
            sorted(&context, &comparer, array.clone())
        })
        .register_fn("replace", replace)
        .register_fn("replace", |s: &mut ImmutableString, from: &str, to: char| replace(s, from, &to.to_string()))
        .register_fn("replace", |s: &mut ImmutableString, from: char, to: &str| replace(s, &from.to_string(), to))
        .register_fn("replace", |s: &mut ImmutableString, from: char, to: char| {
            replace(s, &from.to_string(), &to.to_string())
        })
        .register_fn(REFUSED[0].0, |_: &str| Err::<(), Box<EvalAltResult>>(REFUSED[0].1.into()))
        .register_fn(REFUSED[1].0, |_: INT| Err::<(), Box<EvalAltResult>>(REFUSED[1].1.into()))
        .register_fn(REFUSED[1].0, |_: f64| Err::<(), Box<EvalAltResult>>(REFUSED[1].1.into()));
}

fn numbers(array: &Array) -> Answer<Vec<f64>> {
    clock::charge(array.len() / 16);
    array
        .iter()
        .map(|item| match (item.as_int(), item.as_float()) {
            (Ok(n), _) => Ok(n as f64),
            (_, Ok(n)) => Ok(n),
            _ => Err(format!("expected numbers, found {}", report::kind(item)).into()),
        })
        .collect()
}

/// Whether an array holds a text; the comparison of the standard library calls a function for each item.
fn holds(array: &Array, text: &str) -> bool {
    clock::charge(array.len() / 16);
    array.iter().any(|item| match item.as_char() {
        Ok(c) => text.strip_prefix(c).is_some_and(str::is_empty),
        Err(_) => item.read_lock::<ImmutableString>().is_some_and(|held| held.as_str() == text),
    })
}

/// The texts of an array in one text.
fn joined(array: &Array, between: &str) -> Answer<ImmutableString> {
    let mut all = String::new();
    for (n, item) in array.iter().enumerate() {
        let text = item.to_string();
        if all.len() + text.len() + between.len() > LONGEST_STRING {
            return Err(too_long());
        }
        if n > 0 {
            all.push_str(between);
        }
        all.push_str(&text);
    }
    Ok(all.into())
}

/// A number as it is written with digits, perhaps a sign and a decimal point; `()` where the text is none.
fn number(text: &str) -> Dynamic {
    match (text.parse::<INT>(), text.parse::<f64>()) {
        (Ok(n), _) => n.into(),
        (_, Ok(n)) if n.is_finite() && text.ends_with(|c: char| c.is_ascii_digit()) => n.into(),
        _ => Dynamic::UNIT,
    }
}

fn texts(engine: &mut Engine) {
    engine
        .register_fn("contains", |array: &mut Array, text: ImmutableString| holds(array, &text))
        .register_fn("number", |text: &str| number(text))
        .register_fn("is_digits", |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
        .register_fn("is_upper", char::is_uppercase)
        .register_fn("norm", |text: &str| ImmutableString::from(normal_form(text)))
        .register_fn("fold", |text: &str| ImmutableString::from(fold(text)))
        .register_fn("joined", |array: &mut Array, between: &str| joined(array, between))
        .register_fn("mean", |array: &mut Array| {
            let numbers = numbers(array)?;
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            Ok::<Dynamic, Box<EvalAltResult>>(if numbers.is_empty() { Dynamic::UNIT } else { mean.into() })
        });
}
