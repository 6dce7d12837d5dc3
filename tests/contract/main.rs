//! Lets outside tools judge the service on both databases: validators of the description, clients generated from it, Schemathesis on
//! every operation. `tests/contract/install` installs the tools; without them this test says so and passes.
#![allow(clippy::disallowed_methods, reason = "starts processes")]
#![allow(dead_code, reason = "the tests of the interface use the rest of the harness")]

#[path = "../api/harness/mod.rs"]
mod harness;

use harness::{Kind, World};
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    if !target.join("contract/installed").is_file() {
        println!("contract: the outside tools are not installed; tests/contract/install installs them");
        return;
    }
    for kind in [Kind::Sqlite, Kind::Postgres] {
        println!("contract on {kind:?}");
        let world = World::new(kind, &[("GLOSA_LOG", "warn")]);
        let client = world.client();
        let work = target.join(format!("contract/{kind:?}"));
        std::fs::create_dir_all(&work).expect("a folder");
        let status = Command::new(root.join("tests/contract/check"))
            .args([&format!("http://{}", client.address), &client.key])
            .arg(&work)
            .status()
            .expect("the script runs");
        assert!(status.success(), "an outside tool found something on {kind:?}");
    }
}
