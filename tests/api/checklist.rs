//! The table of statements and tests, made from the numbers that the tests name.
use std::collections::BTreeMap;
use std::fmt::Write;

const TITLES: &str = include_str!("statements.tsv");
const PORTAL: &str = include_str!("../portal/covered.tsv");

fn table() -> String {
    let modules = [
        ("authentication", crate::authentication::COVERED, "both"),
        ("catalogs", crate::catalogs::COVERED, "both"),
        ("description", crate::description::COVERED, "both"),
        ("description", crate::description::ALONE, "alone"),
        ("errors", crate::errors::COVERED, "both"),
        ("events", crate::events::COVERED, "both"),
        ("hostile", crate::hostile::COVERED, "both"),
        ("idempotency", crate::idempotency::COVERED, "both"),
        ("limits", crate::limits::COVERED, "both"),
        ("load", crate::load::COVERED, "both"),
        ("operators", crate::operators::COVERED, "alone"),
        ("outage", crate::outage::COVERED, "alone"),
        ("reports", crate::reports::COVERED, "both"),
        ("results", crate::results::COVERED, "both"),
        ("secrets", crate::secrets::COVERED, "both"),
        ("states", crate::states::COVERED, "both"),
    ];
    let mut tests: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for (module, covered, databases) in modules {
        for (name, numbers) in covered {
            for number in *numbers {
                let mark = if databases == "both" { "" } else { "¹" };
                tests.entry(*number).or_default().push(format!("`{module}::{name}`{mark}"));
            }
        }
    }
    for (test, numbers) in PORTAL.lines().filter_map(|line| line.split_once('\t')) {
        for number in numbers.split(',').map(|number| number.parse().expect("a number")) {
            tests.entry(number).or_default().push(format!("`{test}`"));
        }
    }
    let mut table = "# Statements of the interface and the tests that cover them\n\n\
        Made by the tests themselves. Each runs on SQLite and on PostgreSQL; ¹ marks those that run once. A statement without a black-box\n\
        test here says where it is tested or why it is not.\n\n| | statement | tests |\n|---|---|---|\n"
        .to_owned();
    for line in TITLES.lines().skip(1) {
        let mut parts = line.split('\t');
        let number: u16 = parts.next().and_then(|number| number.parse().ok()).expect("a number");
        let title = parts.next().expect("a title");
        let elsewhere = parts.next().filter(|text| !text.is_empty()).map(str::to_owned);
        let covered: Vec<String> = tests.remove(&number).into_iter().flatten().chain(elsewhere).collect();
        assert!(!covered.is_empty(), "statement {number} ({title}) has no test and no reason");
        let _infallible = writeln!(table, "| {number} | {title} | {} |", covered.join(", "));
    }
    assert!(tests.is_empty(), "numbers without a statement: {:?}", tests.keys());
    table
}

#[test]
fn the_checklist_is_current() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/api/CHECKLIST.md");
    let table = table();
    if std::env::var_os("UPDATE_CHECKLIST").is_some() {
        std::fs::write(&path, &table).expect("written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, table, "run the tests once with UPDATE_CHECKLIST=1");
}
