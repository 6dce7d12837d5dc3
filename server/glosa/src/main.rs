//! The glosa binary.
fn main() {}
