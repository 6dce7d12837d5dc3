//! The architecture as a test over `cargo metadata` and the sources.
#![allow(clippy::disallowed_methods, reason = "a test that reads files")]

use std::path::Path;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use glosa_tests_walls::{ALLOWED, UNSAFE, matches};

fn metadata() -> cargo_metadata::Metadata {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo metadata runs")
}

fn is_test_crate(package: &Package) -> bool {
    package.name.starts_with("glosa-tests-")
}

fn normal(package: &Package) -> impl Iterator<Item = &str> {
    package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal).map(|d| d.name.as_str())
}

#[test]
fn every_edge_is_in_the_table() {
    let metadata = metadata();
    let members: Vec<_> = metadata.workspace_packages();
    let mut wrong = Vec::new();
    for package in members.iter().filter(|p| !is_test_crate(p)) {
        let Some((_, allowed)) = ALLOWED.iter().find(|(entry, _)| matches(entry, &package.name)) else {
            wrong.push(format!("{} is not in the table", package.name));
            continue;
        };
        for dependency in normal(package).filter(|d| members.iter().any(|m| m.name.as_str() == *d)) {
            if !allowed.iter().any(|entry| matches(entry, dependency)) {
                wrong.push(format!("{} must not know {dependency}", package.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_entry_of_the_table_is_a_crate() {
    let metadata = metadata();
    let members = metadata.workspace_packages();
    for (entry, _) in ALLOWED {
        assert!(members.iter().any(|m| matches(entry, &m.name)), "{entry} is no crate of the workspace");
    }
}

#[test]
fn only_the_store_knows_the_database_driver() {
    let metadata = metadata();
    for package in metadata.workspace_packages() {
        let knows = normal(package).any(|d| d == "sqlx");
        assert!(!knows || *package.name == "glosa-store", "{} depends on sqlx", package.name);
    }
}

#[test]
fn linguists_tools_never_compile_the_database_or_the_server() {
    let metadata =
        MetadataCommand::new().manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml")).exec().unwrap();
    let resolve = metadata.resolve.as_ref().expect("a full resolve");
    for start in ["glosa-cli", "glosa-tests-rules"] {
        let root = metadata.packages.iter().find(|p| *p.name == start).expect(start);
        let mut seen = std::collections::HashSet::from([&root.id]);
        let mut open = vec![&root.id];
        while let Some(id) = open.pop() {
            let node = resolve.nodes.iter().find(|n| n.id == *id).expect("every package has a node");
            open.extend(node.deps.iter().map(|d| &d.pkg).filter(|id| seen.insert(id)));
        }
        for name in ["sqlx", "axum"] {
            let known = metadata.packages.iter().any(|p| *p.name == name && seen.contains(&p.id));
            assert!(!known, "{start} compiles {name}");
        }
    }
}

fn sources(dir: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder").map(|e| e.expect("an entry").path()) {
        let name = entry.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        if entry.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|e| e == "rs") {
            found.push(entry);
        }
    }
}

#[test]
fn unsafe_stands_only_at_the_plugin_boundary() {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut files = Vec::new();
    for part in ["engine", "rules/native", "server"] {
        sources(&top.join(part), &mut files);
    }
    assert!(files.len() > 20, "the sources were not found");
    for file in files {
        let inside = file.strip_prefix(top).expect("below the top");
        let text = std::fs::read_to_string(&file).expect("readable");
        let has = text.lines().any(|l| l.contains("unsafe {") || l.contains("unsafe fn") || l.contains("unsafe impl"));
        let may = UNSAFE.iter().any(|allowed| inside.starts_with(allowed));
        assert!(!has || may, "{} holds unsafe code", inside.display());
    }
}

#[test]
fn every_crate_says_what_it_is_for_and_what_it_must_not_know() {
    for package in metadata().workspace_packages() {
        let root =
            package.targets.iter().map(|t| &t.src_path).find(|p| p.ends_with("lib.rs") || p.ends_with("main.rs"));
        let text = std::fs::read_to_string(root.expect("a first page")).expect("readable");
        assert!(text.starts_with("//!"), "{} opens without a first page", package.name);
        if package.name.starts_with("glosa-") && !is_test_crate(package) && !package.name.starts_with("glosa-native-") {
            assert!(text.contains("must never know"), "{} does not say what it must never know", package.name);
        }
    }
}
