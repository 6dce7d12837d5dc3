//! Makes the models of the linguistic runtime from treebanks and lexica.
fn main() {}
