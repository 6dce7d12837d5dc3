//! Everything that can be wrong with a library has a name, a cause and a cure.
#![allow(clippy::disallowed_methods, reason = "the tests damage libraries")]

use std::path::Path;

use glosa_host::dylib::{Refusal, load};
use glosa_tests_plugins::build_c;

fn refusal(path: &Path) -> Refusal {
    load(path).expect_err("the library must be refused")
}

fn shown(path: &Path) -> String {
    let folder = path.parent().expect("a folder").display().to_string();
    refusal(path).to_string().replace(&folder, "plugins")
}

#[test]
fn every_refusal_names_file_cause_and_cure() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let library = build_c(folder, "libwords.so", &[]);
    let bytes = std::fs::read(&library).expect("the library");

    let missing = folder.join("libmissing.so");
    insta::assert_snapshot!("unreadable", shown(&missing));

    let text = folder.join("libtext.so");
    std::fs::write(&text, "This is a text.\n").expect("a file");
    insta::assert_snapshot!("not_a_library", shown(&text));

    let later = build_c(folder, "liblater.so", &["MINOR=3", "ENTRY=glosa_plugin_later"]);
    insta::assert_snapshot!("later_interface", shown(&later));

    let earlier = build_c(folder, "libearlier.so", &["MINOR=0", "ENTRY=glosa_plugin_earlier"]);
    insta::assert_snapshot!("earlier_interface", shown(&earlier));

    let major = build_c(folder, "libmajor.so", &["MAJOR=1", "MINOR=0", "ENTRY=glosa_plugin_major"]);
    insta::assert_snapshot!("other_major", shown(&major));

    let symbol = build_c(folder, "libword-lists-1.2.0.so", &["ENTRY=words"]);
    insta::assert_snapshot!("missing_symbol", shown(&symbol));

    let empty = build_c(folder, "libempty.so", &["METRICS_GIVEN=0", "ENTRY=glosa_plugin_empty"]);
    insta::assert_snapshot!("malformed", shown(&empty));

    if cfg!(target_os = "linux") {
        let cut = folder.join("libcut.so");
        std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("a file");
        assert!(matches!(refusal(&cut), Refusal::Truncated { found, needed, .. }
                if found == bytes.len() as u64 / 2 && needed > found));
        std::fs::write(&cut, &bytes[..20]).expect("a file");
        insta::assert_snapshot!("truncated", shown(&cut));

        let other = folder.join("libother.so");
        let mut changed = bytes;
        changed[18..20].copy_from_slice(&22u16.to_le_bytes());
        std::fs::write(&other, &changed).expect("a file");
        let here = std::env::consts::ARCH;
        insta::assert_snapshot!("other_architecture", shown(&other).replace(here, "THIS"));

        let object = folder.join("libobject.so");
        changed[16..18].copy_from_slice(&1u16.to_le_bytes());
        changed[18..20].copy_from_slice(&std::fs::read(&library).expect("the library")[18..20]);
        std::fs::write(&object, &changed).expect("a file");
        assert!(matches!(refusal(&object), Refusal::NotALibrary { .. }));
    }
}

#[test]
fn a_library_cut_anywhere_is_refused_and_harms_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = build_c(folder.path(), "libwords.so", &[]);
    let bytes = std::fs::read(&library).expect("the library");
    for length in (0..bytes.len()).step_by(97) {
        let cut = folder.path().join(format!("libcut{length}.so"));
        std::fs::write(&cut, &bytes[..length]).expect("a file");
        refusal(&cut);
    }
}
