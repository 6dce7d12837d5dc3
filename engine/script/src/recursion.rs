//! Functions that call themselves, over others or not: found when a script is compiled, because an error of the call that was
//! one too many has no place in Rhai.

use std::collections::{BTreeMap, BTreeSet};

use rhai::AST;

use crate::check::calls;

/// A call inside a function.
struct Inside {
    function: String,
    called: String,
    place: String,
}

/// The place of the first call that leads back to the function in which it stands, `file:line:column`, and the name of what
/// is called; nothing where no function calls itself by name. Scripts are their file, text and tree.
pub(crate) fn recursion(scripts: &[(&str, &str, &AST)]) -> Option<(String, String)> {
    let mut all = Vec::new();
    for (file, source, ast) in scripts {
        let mut starts: Vec<(usize, &str)> = Vec::new();
        for function in ast.iter_functions() {
            let start = format!("fn {}(", function.name);
            starts.extend(source.lines().position(|line| line.contains(&start)).map(|line| (line + 1, function.name)));
        }
        starts.sort_unstable();
        for (called, line, column) in calls(ast) {
            let function = starts.iter().take_while(|(start, _)| *start <= line).last();
            let Some((_, function)) = function else { continue };
            let place = format!("{file}:{line}:{column}");
            all.push(Inside { function: (*function).to_owned(), called, place });
        }
    }
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for call in &all {
        reached.entry(&call.function).or_default().insert(&call.called);
    }
    let leads_back = |call: &&Inside| {
        let mut open = vec![call.called.as_str()];
        let mut seen = BTreeSet::new();
        while let Some(function) = open.pop() {
            if function == call.function {
                return true;
            }
            if seen.insert(function) {
                open.extend(reached.get(function).into_iter().flatten().copied());
            }
        }
        false
    };
    all.iter().find(leads_back).map(|call| (call.place.clone(), call.called.clone()))
}
