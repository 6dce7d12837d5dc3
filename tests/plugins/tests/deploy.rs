//! What a deploy does to the files of plugins: a loaded one goes on, and those that are found are told apart by what
//! they declare.
#![allow(clippy::disallowed_methods, reason = "the tests write the files that they load")]

use std::fs;
use std::path::PathBuf;

use glosa_host::dylib::load;
use glosa_host::{Roots, Snapshot};
use glosa_metric::ParamValue;
use glosa_tests_plugins::{build_c, input, marked, run};
use glosa_tests_root::Folder;
use glosa_text::Language;

const TEXT: &str = "Això  és així.";

#[test]
fn a_loaded_plugin_survives_what_happens_to_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = build_c(folder.path(), "libwords.so", &[]);
    let next = build_c(folder.path(), "libnext.so", &["SPACES=\"2.2.0\""]);
    let plugin = load(&file).expect("a plugin");
    let rule = plugin.metric("two-spaces").expect("a rule").metric();
    let text = input(Language::Ca, TEXT, &[("min_letters", ParamValue::Integer(4))], None);
    let works = || assert_eq!(marked(&text, &run(&rule, &text).expect("findings").findings), ["  "]);
    works();

    fs::write(&file, fs::read(&next).expect("the other library")).expect("written over");
    works();
    let replaced = load(&file).expect("the library that stands there now");
    assert_eq!(replaced.metric("two-spaces").expect("a rule").version, "2.2.0");
    works();

    fs::write(&file, []).expect("cut to nothing");
    works();
    load(&file).expect_err("an empty file is no plugin");
    fs::write(&file, "no library at all").expect("written over");
    works();
    load(&file).expect_err("a text is no plugin");
    fs::remove_file(&file).expect("deleted");
    works();
    load(&file).expect_err("nothing is there");
    works();
}

#[test]
fn the_same_bytes_are_loaded_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = build_c(folder.path(), "libwords.so", &["VERSION=\"7.0.0\""]);
    let loaded = || {
        let maps = fs::read_to_string("/proc/self/maps").expect("the maps of this process");
        maps.lines().filter(|line| line.contains("memfd:glosa-plugin") && line.contains("r-xp")).count()
    };
    let first = load(&file).expect("a plugin");
    let before = loaded();
    let copy = folder.path().join("libwords-7.so");
    fs::copy(&file, &copy).expect("a copy");
    for _ in 0..20 {
        assert!(load(&copy).expect("a plugin").is(&first));
    }
    if cfg!(target_os = "linux") {
        assert_eq!(loaded(), before);
    }
}

/// A root of its own with a rule of the plugin `words`, and what is loaded from it and from further roots.
struct Tree {
    folder: Folder,
}

impl Tree {
    fn new() -> Tree {
        let tree = Tree { folder: Folder::empty() };
        tree.folder.share("first/");
        tree.put("first/rules/two-spaces/metric.yaml", "id: two-spaces\nkind: rule\ncategory: typography\norder: 1\n");
        tree.put("first/rules/two-spaces/ca.yaml", "native: words\n");
        let docs = "documentation: {title: Espais, summary: Dos espais.}\nreport: {summary: 'N’hi ha {count}.'}\n";
        tree.put("first/rules/two-spaces/docs/ca.yaml", docs);
        for lib in ["first/lib", "second/lib"] {
            fs::create_dir_all(tree.folder.path().join(lib)).expect("a folder");
        }
        tree
    }

    fn put(&self, file: &str, text: &str) {
        self.folder.put(file, text);
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.file(file)
    }

    fn library(&self, file: &str, definitions: &[&str]) {
        let path = self.path(file);
        build_c(
            path.parent().expect("a folder"),
            path.file_name().and_then(|n| n.to_str()).expect("a name"),
            definitions,
        );
    }

    fn load(&self) -> Result<Snapshot, String> {
        let folders = vec![self.path("first"), self.path("second")];
        let plugins = folders.iter().map(|folder| folder.join("lib")).collect();
        glosa_host::load(&Roots { folders, plugins }).map_err(|problems| {
            let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
            shown.join("\n\n").replace(&self.folder.path().display().to_string(), "<tree>")
        })
    }

    /// The version in use, or what is wrong.
    fn version(&self) -> String {
        match self.load() {
            Err(said) => said,
            Ok(snapshot) => {
                let entry = snapshot.engine.registry.get("two-spaces").expect("the rule");
                entry.variant(Language::Ca).expect("a variant").version.clone()
            }
        }
    }
}

#[test]
fn versions_side_by_side_are_what_the_libraries_declare() {
    let tree = Tree::new();
    tree.library("second/lib/libwords.so", &["SPACES=\"2.1.0\""]);
    assert_eq!(tree.version(), "2.1.0");
    tree.library("second/lib/libwords-2.so", &["SPACES=\"2.2.0\""]);

    let said = tree.version();
    assert!(said.contains("two active variants of `two-spaces` for ca"), "{said}");
    assert!(said.contains("2.1.0") && said.contains("2.2.0"), "the version of both plugins is the same 0.3.0: {said}");
    for version in ["2.2.0", "2.1.0"] {
        tree.put("first/rules/pins.yaml", &format!("two-spaces: {{ ca: {version} }}\n"));
        assert_eq!(tree.version(), version);
    }
    tree.put("first/rules/pins.yaml", "two-spaces: { ca: 2.3.0 }\n");
    let said = tree.version();
    assert!(said.contains("there are: 2.1.0, 2.2.0") || said.contains("there are: 2.2.0, 2.1.0"), "{said}");
}

#[test]
fn a_newer_library_beside_an_older_one_may_keep_the_version_of_a_metric() {
    let tree = Tree::new();
    tree.library("second/lib/libwords-0.9.0.so", &["VERSION=\"0.9.0\""]);
    tree.library("second/lib/libwords-0.10.0.so", &["VERSION=\"0.10.0\""]);
    let snapshot = tree.load().expect("one of them is newer");
    let entry = snapshot.engine.registry.get("two-spaces").expect("the rule");
    assert_eq!(entry.variants.len(), 1);
    assert_eq!(entry.variants[0].origin.to_string(), "libwords-0.10.0.so");
}

/// What a build left behind earlier beside what it made now: no root, so nobody put either of them there.
#[test]
fn of_the_programs_own_libraries_with_one_name_the_latest_is_loaded() {
    let tree = Tree::new();
    for (folder, version, age) in [("target", "2.1.0", 0), ("target/deps", "2.2.0", 60)] {
        fs::create_dir_all(tree.path(folder)).expect("a folder");
        tree.library(&format!("{folder}/libwords.so"), &[&format!("SPACES=\"{version}\"")]);
        let built = std::time::SystemTime::now() + std::time::Duration::from_secs(age);
        let library =
            fs::File::options().write(true).open(tree.path(&format!("{folder}/libwords.so"))).expect("a library");
        library.set_modified(built).expect("a time");
    }
    for folders in [["target", "target/deps"], ["target/deps", "target"]] {
        let plugins = folders.map(|folder| tree.path(folder)).to_vec();
        let roots = Roots { folders: vec![tree.path("first")], plugins };
        let snapshot = glosa_host::load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let entry = snapshot.engine.registry.get("two-spaces").expect("the rule");
        assert_eq!(entry.variant(Language::Ca).expect("a variant").version, "2.2.0", "{folders:?}");
    }
}

#[test]
fn one_version_from_two_roots_is_an_error_whose_cures_work() {
    let tree = Tree::new();
    tree.library("first/lib/libwords.so", &[]);
    fs::copy(tree.path("first/lib/libwords.so"), tree.path("second/lib/libwords.so")).expect("a copy");
    assert_eq!(tree.version(), "2.1.0", "the same library twice is one library");
    tree.library("second/lib/libwords.so", &["VERSION=\"0.4.0\""]);
    insta::assert_snapshot!("one_version_twice", tree.version());

    tree.library("second/lib/libwords.so", &["SPACES=\"2.2.0\""]);
    tree.put("first/rules/pins.yaml", "two-spaces: { ca: 2.2.0 }\n");
    assert_eq!(tree.version(), "2.2.0", "the cure: another version and a pin");
    fs::remove_file(tree.path("first/rules/pins.yaml")).expect("deleted");
    fs::remove_file(tree.path("second/lib/libwords.so")).expect("deleted");
    assert_eq!(tree.version(), "2.1.0", "the cure: one of them is deleted");
}

#[test]
fn every_bad_library_is_named_at_once() {
    let tree = Tree::new();
    tree.library("second/lib/libwords.so", &[]);
    let whole = fs::read(tree.path("second/lib/libwords.so")).expect("a library");
    fs::write(tree.path("second/lib/libwords-1.so"), &whole[..whole.len() / 2]).expect("cut short");
    tree.put("second/lib/libwords-2.so", "a text");
    tree.put("second/lib/libwords-3.so", "");
    tree.put("first/rules/two-spaces/docs/ca.yaml", "documentation: {title: Espais\n");
    let said = tree.version();
    for part in [
        "libwords-1.so: the library is cut short",
        "libwords-2.so: not a shared",
        "libwords-3.so: not a shared",
        "docs/ca.yaml:",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}
