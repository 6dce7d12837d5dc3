//! The list of tests and statements for the checklist of `tests/api`.
use std::fmt::Write;

#[test]
fn the_list_is_current() {
    let modules = [
        ("forms", crate::forms::COVERED),
        ("invitations", crate::invitations::COVERED),
        ("keys", crate::keys::COVERED),
        ("log_in", crate::log_in::COVERED),
        ("routes", crate::routes::COVERED),
        ("secrets", crate::secrets::COVERED),
    ];
    let mut list = String::new();
    for (module, covered) in modules {
        for (name, numbers) in covered.iter().filter(|(_, numbers)| !numbers.is_empty()) {
            let numbers: Vec<_> = numbers.iter().map(u16::to_string).collect();
            let _infallible = writeln!(list, "portal::{module}::{name}\t{}", numbers.join(","));
        }
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/portal/covered.tsv");
    if std::env::var_os("UPDATE_CHECKLIST").is_some() {
        std::fs::write(&path, &list).expect("written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, list, "run the tests once with UPDATE_CHECKLIST=1");
}
