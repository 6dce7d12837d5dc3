//! Lets outside tools judge the service on both databases: validators of the description, clients generated from it, Schemathesis on
//! every operation. `tests/contract/install` installs the tools. Without them nothing is judged: the test counts as ignored and says
//! NOT RUN, and with `GLOSA_CONTRACT_TOOLS=required` it fails.
#![allow(clippy::disallowed_methods, reason = "starts processes")]
#![allow(dead_code, reason = "the tests of the interface use the rest of the harness")]

#[path = "../api/harness/mod.rs"]
mod harness;

use harness::{Kind, World};
use std::path::{Path, PathBuf};
use std::process::Command;

const NAME: &str = "outside_tools_judge_the_interface";

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    if !target.join("contract/installed").is_file() {
        let lacking = "NOT RUN: the outside tools are not installed; tests/contract/install installs them";
        let required = std::env::var_os("GLOSA_CONTRACT_TOOLS").is_some_and(|value| value == "required");
        assert!(!required, "{lacking}");
        println!("\nrunning 1 test\ntest {NAME} ... ignored, {lacking}");
        println!("\ntest result: ok. 0 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n");
        return;
    }
    let judged = std::thread::scope(|scope| {
        let runs = [Kind::Sqlite, Kind::Postgres].map(|kind| {
            let (root, target) = (&root, &target);
            (kind, scope.spawn(move || judge(kind, root, target)))
        });
        runs.map(|(kind, run)| (kind, run.join().expect("a judgement")))
    });
    for (kind, (fine, words)) in &judged {
        println!("contract on {kind:?}: {}\n{words}", if *fine { "holds" } else { "BROKEN" });
    }
    assert!(judged.iter().all(|(_, (fine, _))| *fine), "an outside tool found something");
    println!(
        "\nrunning 1 test\ntest {NAME} ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
    );
}

fn judge(kind: Kind, root: &Path, target: &Path) -> (bool, String) {
    let world = World::new(kind, &[("GLOSA_LOG", "warn")]);
    let client = world.client();
    let work = target.join(format!("contract/{kind:?}"));
    std::fs::create_dir_all(&work).expect("a folder");
    let output = Command::new(root.join("tests/contract/check"))
        .args([&format!("http://{}", client.address), &client.key])
        .arg(&work)
        .output()
        .expect("the script runs");
    let words = [output.stdout, output.stderr].map(|part| String::from_utf8_lossy(&part).into_owned());
    (output.status.success(), words.concat())
}
