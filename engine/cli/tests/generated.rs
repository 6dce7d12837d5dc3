//! Files that are made from the types are those that the types make.
#![allow(clippy::disallowed_methods, reason = "a test of commands")]

use std::process::Command;

#[test]
fn schemas_are_up_to_date() {
    let output = Command::new(env!("CARGO_BIN_EXE_glosa-rules"))
        .args(["schema", "--check"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
