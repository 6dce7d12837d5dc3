//! Every command and every file in the guides is executed, in the order in which the guides say them.
//!
//! A block whose first line is `# file: path` or `// file: path` is written into a copy of the tree; a `sh` block is
//! run there line by line; a `text` block shows what the last command printed.
#![allow(clippy::disallowed_methods, reason = "a test of files and commands")]

use std::fs;
use std::path::Path;
use std::process::Command;

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("readable").map(|e| e.expect("an entry")) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

struct Block {
    kind: String,
    line: usize,
    text: String,
}

fn blocks(guide: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    for (number, line) in guide.lines().enumerate() {
        let trimmed = line.trim_start();
        match &mut open {
            None if trimmed.starts_with("```") => {
                let kind = trimmed.trim_start_matches('`').trim().to_owned();
                open = Some((line.len() - trimmed.len(), Block { kind, line: number + 2, text: String::new() }));
            }
            None => {}
            Some(_) if trimmed.starts_with("```") => found.extend(open.take().map(|(_, block)| block)),
            Some((indent, block)) => {
                let cut = line.bytes().take(*indent).take_while(|b| *b == b' ').count();
                block.text.push_str(&line[cut..]);
                block.text.push('\n');
            }
        }
    }
    found
}

fn run(root: &Path, arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_glosa-rules"))
        .args(arguments)
        .args(["--root", &root.display().to_string()])
        .current_dir(root)
        .output()
        .expect("the program runs");
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&format!("{}/", root.display()), "");
    (output.status.success(), shown(&output.stdout), shown(&output.stderr))
}

fn follow(guide: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path();
    for part in ["rules", "genres", "glossaries"] {
        copy(&Path::new(TOP).join(part), &root.join(part));
    }
    let letter = Path::new(TOP).join("tests/rules/corpus/es/administracion-clara/requerimiento.txt");
    fs::copy(letter, root.join("carta.txt")).expect("the letter that guides speak of");
    let text = fs::read_to_string(Path::new(TOP).join(guide)).expect("the guide");
    let mut commands = 0;
    let mut steps = 0;
    let mut printed = String::new();
    for block in blocks(&text) {
        steps += 1;
        let first = block.text.lines().next().unwrap_or_default();
        if let Some(path) = first.strip_prefix("# file: ").or_else(|| first.strip_prefix("// file: ")) {
            let path = root.join(path.trim());
            let body = block.text.split_once('\n').map_or("", |(_, rest)| rest);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, body).expect("written");
        } else if block.kind == "sh" {
            for line in block.text.lines().map(|l| l.split(" #").next().unwrap_or(l).trim()).filter(|l| !l.is_empty()) {
                let words: Vec<&str> = line.split_whitespace().collect();
                let ["cargo", "rules", arguments @ ..] = words.as_slice() else {
                    panic!("{guide}:{}: only `cargo rules …` is known here: {line}", block.line);
                };
                let (done, out, err) = run(root, arguments);
                assert!(done, "{guide}:{}: `{line}` failed:\n{out}{err}", block.line);
                printed = out;
                commands += 1;
            }
        } else if block.kind == "text" && commands > 0 {
            let wanted = block.text.trim_end();
            assert!(
                printed.contains(wanted),
                "{guide}:{}: the guide shows\n{wanted}\nbut it prints\n{printed}",
                block.line
            );
        }
    }
    assert!(steps > 0, "{guide} shows nothing that can be executed");
    let (done, out, err) = run(root, &["check"]);
    assert!(done, "after {guide}:\n{out}{err}");
}

#[test]
fn rules() {
    follow("rules/README.md");
}

#[test]
fn genres() {
    follow("genres/README.md");
}

#[test]
fn glossaries() {
    follow("glossaries/README.md");
}
