//! The guide of scripts says what the engine has: nothing more, nothing less.

use std::collections::BTreeSet;

use glosa_script::{LIMITS, counts, reference};

const GUIDE: &str = include_str!("../../../rules/README.md");

/// The cells of the row of a type: what it is, properties, functions.
fn row(of: &str) -> Vec<&'static str> {
    let start = format!("| **{of}** |");
    let line = GUIDE.lines().find(|line| line.starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("rules/README.md has no row **{of}** in the reference of scripts"));
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// Names in back quotes, without arguments.
fn quoted(cell: &str) -> BTreeSet<String> {
    let names = cell.split('`').skip(1).step_by(2);
    names.map(|name| name.split('(').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_reference_of_the_guide_is_that_of_the_engine() {
    let all = reference();
    let types: BTreeSet<&str> = all.iter().map(|entry| entry.of).filter(|of| *of != "Params").collect();
    for of in types {
        let row = row(if of.is_empty() { "functions" } else { of });
        for (property, cell) in [(true, row.get(2)), (false, row.get(3))] {
            let known: BTreeSet<String> =
                all.iter().filter(|e| e.of == of && e.property == property).map(|e| e.name.clone()).collect();
            let told = quoted(cell.copied().unwrap_or_default());
            assert_eq!(
                told,
                known,
                "{} of `{of}` in rules/README.md (left) and in the engine (right)",
                if property { "properties" } else { "functions" }
            );
        }
    }
}

#[test]
fn limits_and_counts_of_the_guide_are_those_of_the_engine() {
    for (what, limit) in LIMITS {
        let digits = limit.to_string();
        let grouped = if digits.len() > 3 {
            format!("{},{}", &digits[..digits.len() - 3], &digits[digits.len() - 3..])
        } else {
            digits
        };
        let line = format!("| {what} | {grouped} |");
        assert!(GUIDE.lines().any(|l| l == line), "rules/README.md lacks the line {line}");
    }
    let formulas = GUIDE.find("Formulas know").map(|at| &GUIDE[at..]).expect("the counts of formulas");
    let told = quoted(formulas.split("\n\n").next().unwrap_or_default());
    let known: BTreeSet<String> = counts()
        .iter()
        .map(|name| (*name).to_owned())
        .chain(["params", "lists", "doc", "genre", "uses"].map(String::from))
        .collect();
    assert_eq!(told, known);
}
