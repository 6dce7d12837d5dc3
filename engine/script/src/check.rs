//! Names in a script that nothing has: found when it is loaded, not on the day when a text leads the script there.

use std::collections::BTreeSet;

use glosa_metric::{Problem, did_you_mean};
use rhai::{AST, ASTNode, Array, Dynamic, Expr, FnCallExpr, Map, Position, Stmt};

use crate::engine::REFUSED;
use crate::reference::vocabulary;

/// What a script may ask its metric for.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Thresholds of `metric.yaml`.
    pub params: Vec<String>,
    /// Glossaries that the variant lists.
    pub glossaries: Vec<String>,
    /// Further columns of these glossaries.
    pub columns: Vec<String>,
    /// Lists of words of the variant and of others that run the same script.
    pub lists: Vec<String>,
}

/// Names that a script can read everywhere.
const EVERYWHERE: [&str; 4] = ["doc", "genre", "lists", "params"];

/// One script and what surrounds it.
pub(crate) struct Names<'n> {
    pub(crate) file: &'n str,
    pub(crate) source: &'n str,
    pub(crate) ast: &'n AST,
    /// The shared scripts whose functions it may call.
    pub(crate) shared: &'n [AST],
    pub(crate) captures: &'n [String],
    pub(crate) declared: Option<&'n Declared>,
}

/// What a walk through the script found.
#[derive(Default)]
struct Found {
    /// Keys of maps and properties that are written to.
    keys: BTreeSet<String>,
    /// Thresholds, which look like properties.
    thresholds: Vec<(String, Position)>,
    /// Lists of words, which look like properties too.
    lists: Vec<(String, Position)>,
    properties: Vec<(String, Position)>,
    /// Variables that stand for nothing where they are read.
    undefined: Vec<(String, Position)>,
    calls: Vec<Call>,
}

struct Call {
    name: String,
    /// With the object of `x.name(…)`.
    arguments: usize,
    method: bool,
    /// The first argument, where it is a text.
    first: Option<(String, Position)>,
    position: Position,
}

fn head(expression: &Expr) -> Option<(&str, Position)> {
    match expression {
        Expr::Property(property, position) => Some((&property.2, *position)),
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => head(&pair.lhs),
        _ => None,
    }
}

/// The properties that an assignment writes to: a map has them from then on.
fn written(target: &Expr, keys: &mut BTreeSet<String>) {
    match target {
        Expr::Property(property, _) => drop(keys.insert(property.2.to_string())),
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
            written(&pair.lhs, keys);
            written(&pair.rhs, keys);
        }
        _ => {}
    }
}

/// The keys of a constant map and of the maps in it.
fn keys_of(value: &Dynamic, keys: &mut BTreeSet<String>) {
    if let Some(map) = value.read_lock::<Map>() {
        keys.extend(map.keys().map(ToString::to_string));
        map.values().for_each(|inner| keys_of(inner, keys));
    } else if let Some(array) = value.read_lock::<Array>() {
        array.iter().for_each(|inner| keys_of(inner, keys));
    }
}

fn look(expression: &Expr, found: &mut Found) {
    match expression {
        Expr::Map(map, _) => found.keys.extend(map.0.iter().map(|(key, _)| key.name.to_string())),
        Expr::DynamicConstant(value, _) => keys_of(value, &mut found.keys),
        Expr::Dot(pair, ..) => {
            if let (Expr::Variable(name, ..), Some((property, position))) = (&pair.lhs, head(&pair.rhs)) {
                match name.1.as_str() {
                    "params" => found.thresholds.push((property.to_owned(), position)),
                    "lists" => found.lists.push((property.to_owned(), position)),
                    _ => {}
                }
            }
        }
        Expr::Index(pair, ..) => {
            if let Expr::StringConstant(key, _) = &pair.rhs {
                found.keys.insert(key.to_string());
            }
        }
        Expr::Property(property, position) => found.properties.push((property.2.to_string(), *position)),
        Expr::FnCall(call, position) => called(call, *position, false, found),
        Expr::MethodCall(call, position) => called(call, *position, true, found),
        Expr::Variable(name, None, position) if name.0.is_none() && name.2.is_empty() => {
            found.undefined.push((name.1.to_string(), *position));
        }
        _ => {}
    }
}

fn called(call: &FnCallExpr, position: Position, method: bool, found: &mut Found) {
    if call.op_token.is_some() || !call.name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return;
    }
    let first = match call.args.first() {
        Some(Expr::StringConstant(text, position)) => Some((text.to_string(), *position)),
        _ => None,
    };
    let arguments = call.args.len() + usize::from(method);
    found.calls.push(Call { name: call.name.to_string(), arguments, method, first, position });
}

fn functions(ast: &AST) -> impl Iterator<Item = (String, usize)> + '_ {
    ast.iter_functions().map(|f| (f.name.to_owned(), f.params.len()))
}

fn walk(ast: &AST) -> Found {
    let mut found = Found::default();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Expr(expression)) => look(expression, &mut found),
            Some(ASTNode::Stmt(Stmt::FnCall(call, position))) => called(call, *position, false, &mut found),
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => written(&assignment.1.lhs, &mut found.keys),
            _ => {}
        }
        true
    });
    found
}

/// The calls of a script by name, in the order of the text: what is called, line and column from 1.
pub(crate) fn calls(ast: &AST) -> Vec<(String, usize, usize)> {
    let place = |call: Call| Some((call.name, call.position.line()?, call.position.position().unwrap_or(1)));
    let mut calls: Vec<_> = walk(ast).calls.into_iter().filter_map(place).collect();
    calls.sort_by_key(|(_, line, column)| (*line, *column));
    calls
}

impl Names<'_> {
    fn problem(&self, position: Position, message: String, known: &BTreeSet<&str>, wrong: &str, what: &str) -> Problem {
        let near = did_you_mean(wrong, known.iter().copied());
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.len() > 30 || known.is_empty() => what.to_owned(),
            None => format!("{what}: {}", known.iter().copied().collect::<Vec<_>>().join(", ")),
        };
        let (line, column) = (position.line().unwrap_or(0) as u64, position.position().unwrap_or(1) as u64);
        Problem::of(self.file, message).at(line, column).show(self.source).help(help)
    }

    /// Everything that the script names and nothing has, in the order of the file.
    pub(crate) fn unknown(&self) -> Vec<Problem> {
        let found = walk(self.ast);
        let own: Vec<(String, usize)> = functions(self.ast).chain(self.shared.iter().flat_map(functions)).collect();
        let mut problems = Vec::new();
        for call in &found.calls {
            problems.extend(self.unknown_call(call, &own, &found.keys));
            problems.extend(self.unknown_argument(call));
        }
        self.unknown_properties(&found, &mut problems);
        for (name, position) in found.undefined.iter().filter(|(name, _)| !EVERYWHERE.contains(&name.as_str())) {
            let message = format!("`{name}` is not defined here");
            let help = "functions and closures see their arguments, `params`, `lists`, `doc` and `genre`, but no variables around them";
            problems.push(self.problem(*position, message, &BTreeSet::new(), name, help));
        }
        problems.sort();
        problems.dedup();
        problems
    }

    fn unknown_call(&self, call: &Call, own: &[(String, usize)], keys: &BTreeSet<String>) -> Option<Problem> {
        if let Some((_, why)) = REFUSED.iter().find(|(name, _)| *name == call.name) {
            let message = format!("`{}`: {why}", call.name);
            return Some(self.problem(
                call.position,
                message,
                &BTreeSet::new(),
                "",
                "a script reads its text and its lists, and nothing else",
            ));
        }
        let vocabulary = vocabulary();
        let scripted: Vec<usize> = own.iter().filter(|(name, _)| *name == call.name).map(|(_, n)| *n).collect();
        let native = vocabulary.functions.get(&call.name);
        let written = call.arguments - usize::from(call.method);
        if scripted.is_empty() && native.is_none() && !(call.method && keys.contains(&call.name)) {
            let known: BTreeSet<&str> = vocabulary
                .functions
                .keys()
                .map(String::as_str)
                .chain(own.iter().map(|(name, _)| name.as_str()))
                .collect();
            let known = known.into_iter().filter(|name| !name.contains('$')).collect();
            let message = format!("there is no function `{}`", call.name);
            let help = "the reference in rules/README.md lists all functions";
            return Some(self.problem(call.position, message, &known, &call.name, help));
        }
        let fits = scripted.contains(&written)
            || native.is_some_and(|takes| takes.contains(&call.arguments))
            || (call.method && keys.contains(&call.name));
        if fits {
            return None;
        }
        let own = scripted.iter().copied();
        let native = native.into_iter().flatten().filter_map(|n| n.checked_sub(usize::from(call.method)));
        let takes: BTreeSet<usize> = own.chain(native).collect();
        let noun = if takes.last() == Some(&1) { "argument" } else { "arguments" };
        let takes = takes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
        let message = format!("`{}` takes {takes} {noun}, not {written}", call.name);
        let help = "the reference in rules/README.md shows what it is called with";
        Some(self.problem(call.position, message, &BTreeSet::new(), "", help))
    }

    fn unknown_argument(&self, call: &Call) -> Option<Problem> {
        let (text, position) = call.first.as_ref()?;
        let declared = self.declared;
        let (known, what, message): (&[String], _, _) = match (call.name.as_str(), call.method) {
            ("glossary", false) => (
                &declared?.glossaries,
                "the variant lists under `glossaries:`",
                format!("glossary `{text}` is not listed in the variant"),
            ),
            ("data", true) => (&declared?.columns, "its glossaries have", format!("no row has a column `{text}`")),
            ("capture" | "count" | "term", true) if !self.captures.is_empty() => {
                (self.captures, "the patterns have", format!("no pattern has a capture `{text}`"))
            }
            _ => return None,
        };
        let known: BTreeSet<&str> = known.iter().map(String::as_str).collect();
        (!known.contains(text.as_str())).then(|| self.problem(*position, message, &known, text, what))
    }

    fn unknown_properties(&self, found: &Found, problems: &mut Vec<Problem>) {
        if let Some(declared) = self.declared {
            let known: BTreeSet<&str> = declared.params.iter().map(String::as_str).collect();
            for (name, position) in found.thresholds.iter().filter(|(name, _)| !known.contains(name.as_str())) {
                let message = format!("unknown threshold `{name}`");
                problems.push(self.problem(
                    *position,
                    message,
                    &known,
                    name,
                    "declare it under `params:` of metric.yaml",
                ));
            }
        }
        if let Some(declared) = self.declared {
            let known: BTreeSet<&str> = declared.lists.iter().map(String::as_str).collect();
            for (name, position) in found.lists.iter().filter(|(name, _)| !known.contains(name.as_str())) {
                let message = format!("there is no list `{name}`");
                let help = "write it under `lists:` of the variant, or as rules/lists/<name>.<language>.yaml";
                problems.push(self.problem(*position, message, &known, name, help));
            }
        }
        const OF_MAPS: [&str; 8] = ["form", "lemma", "feats", "pos", "name", "occurrence", "cues", "phraseology"];
        let declared = found.thresholds.iter().chain(&found.lists);
        let declared: BTreeSet<Position> = declared.map(|(_, position)| *position).collect();
        let known: BTreeSet<&str> = vocabulary().properties.iter().map(String::as_str).chain(OF_MAPS).collect();
        let known: BTreeSet<&str> =
            known.into_iter().chain(self.captures.iter().chain(&found.keys).map(String::as_str)).collect();
        for (name, position) in &found.properties {
            if !declared.contains(position) && !known.contains(name.as_str()) {
                let message = format!("nothing has a property `{name}`");
                problems.push(self.problem(
                    *position,
                    message,
                    &known,
                    name,
                    "the reference in rules/README.md lists all properties",
                ));
            }
        }
    }
}

/// Names of the lists of words that a script reads.
pub(crate) fn lists_read(ast: &AST) -> BTreeSet<String> {
    walk(ast).lists.into_iter().map(|(name, _)| name).collect()
}
