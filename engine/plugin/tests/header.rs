//! The C header is made from `src/abi.rs`: this test makes it again and compares. With `GLOSA_UPDATE_HEADER=1` it
//! writes the file.
#![allow(clippy::disallowed_methods, reason = "the test reads, and on request writes, the header")]

use std::path::Path;

use cbindgen::{Builder, Config, ItemType, Language, Style};

const TYPES: &[(&str, &str)] = &[
    ("Str", "glosa_str"),
    ("Array", "glosa_array"),
    ("Range", "glosa_range"),
    ("Token", "glosa_token"),
    ("Part", "glosa_part"),
    ("Sentence", "glosa_sentence"),
    ("Block", "glosa_block"),
    ("Word", "glosa_word"),
    ("Document", "glosa_document"),
    ("Value", "glosa_value"),
    ("Edit", "glosa_edit"),
    ("Connector", "glosa_connector"),
    ("Fact", "glosa_fact"),
    ("Finding", "glosa_finding"),
    ("Host", "glosa_host"),
    ("GlossaryHit", "glosa_glossary_hit"),
    ("GlossaryRow", "glosa_glossary_row"),
    ("Glossary1", "glosa_glossary_1"),
    ("Section", "glosa_section"),
    ("Content", "glosa_content"),
    ("Structure1", "glosa_structure_1"),
    ("Inflect1", "glosa_inflect_1"),
    ("Arc", "glosa_arc"),
    ("Clause", "glosa_clause"),
    ("Phrase", "glosa_phrase"),
    ("Syntax2", "glosa_syntax_2"),
    ("Syntax3", "glosa_syntax_3"),
    ("Metric", "glosa_metric"),
    ("Plugin", "glosa_plugin"),
    ("Entry", "glosa_entry"),
];

fn generate(abi: &Path) -> String {
    let mut config = Config {
        language: Language::C,
        style: Style::Type,
        usize_is_size_t: true,
        include_guard: Some("GLOSA_PLUGIN_H".to_owned()),
        no_includes: true,
        sys_includes: ["stdbool.h", "stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        header: Some(
            "/* The binary interface of glosa plugins. Generated from engine/plugin/src/abi.rs; do not edit.\n\
             \x20* Everything is borrowed for the duration of the call, and the receiver copies.\n\
             \x20* A plugin exports one function: const glosa_plugin *glosa_plugin_NAME(void); */"
                .to_owned(),
        ),
        cpp_compat: true,
        ..Config::default()
    };
    config.export.include = TYPES.iter().map(|(rust, _)| (*rust).to_owned()).collect();
    config.export.rename = TYPES.iter().map(|(rust, c)| ((*rust).to_owned(), (*c).to_owned())).collect();
    config.export.item_types = vec![ItemType::Constants, ItemType::Structs, ItemType::Typedefs, ItemType::OpaqueItems];
    let mut header = Vec::new();
    Builder::new()
        .with_config(config)
        .with_src(abi)
        .generate()
        .expect("the interface can be written in C")
        .write(&mut header);
    String::from_utf8(header).expect("a header is text")
}

#[test]
fn header_is_that_of_the_interface() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = generate(&root.join("src/abi.rs"));
    let file = root.join("include/glosa_plugin.h");
    if std::env::var_os("GLOSA_UPDATE_HEADER").is_some() {
        std::fs::write(&file, &header).expect("the header can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == header,
        "include/glosa_plugin.h differs from src/abi.rs: run GLOSA_UPDATE_HEADER=1 cargo test -p glosa-plugin"
    );
}
