//! `rules new`: the folder of a new metric, from commented templates; for a compiled one its crate too.

use std::fs;
use std::path::{Component, Path, PathBuf};

use glosa_text::Language;

use crate::{Failure, RootOptions};

/// What the first variants are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FormOption {
    /// A token pattern
    Match,
    /// A phrase table
    Substitute,
    /// A Rhai script
    Script,
    /// A compiled plugin in Rust, with its crate
    Native,
}

const METRIC: &str = include_str!("../../templates/metric.yaml");
const SCRIPT: &str = include_str!("../../templates/script.rhai");
const CRATE: &str = include_str!("../../templates/native/Cargo.toml.txt");
const LIBRARY: &str = include_str!("../../templates/native/lib.rs.txt");

/// The template of a variant.
pub(super) fn variant(form: FormOption) -> &'static str {
    match form {
        FormOption::Match => include_str!("../../templates/match.yaml"),
        FormOption::Substitute => include_str!("../../templates/substitute.yaml"),
        FormOption::Script => include_str!("../../templates/script.yaml"),
        FormOption::Native => include_str!("../../templates/native/variant.yaml"),
    }
}

/// The template of documentation.
pub(super) fn docs(language: Language) -> &'static str {
    match language {
        Language::Es => include_str!("../../templates/docs.es.yaml"),
        Language::Ca => include_str!("../../templates/docs.ca.yaml"),
        Language::En => include_str!("../../templates/docs.en.yaml"),
    }
}

/// A template with the names of a metric.
pub(super) fn filled(template: &str, id: &str, language: &str) -> String {
    let word = id.split('-').next().unwrap_or(id);
    let type_name: String = id.split('-').map(capitalised).collect();
    template
        .replace("{id}", id)
        .replace("{word}", word)
        .replace("{language}", language)
        .replace("{crate}", &id.replace('-', "_"))
        .replace("{Type}", &type_name)
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Whether a name is one of a folder of a metric or genre.
pub(crate) fn well_formed(id: &str) -> bool {
    id.split('-').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
}

pub(super) fn run(roots: &RootOptions, id: &str, languages: &[Language], form: FormOption) -> Result<(), Failure> {
    if !well_formed(id) {
        return Err(Failure::usage(format!("`{id}`: use lower-case letters and digits, words joined by hyphens")));
    }
    let found = roots.find()?;
    let base = found.folders.first().expect("roots have a first folder");
    let root = found.folders.last().expect("roots have a first folder");
    let dir = root.join("rules").join(id);
    if dir.exists() {
        return Err(Failure::usage(format!("{} exists already", dir.display())));
    }
    let mut files = vec![(dir.join("metric.yaml"), filled(METRIC, id, ""))];
    for language in languages {
        files.push((dir.join(format!("{language}.yaml")), filled(variant(form), id, language.code())));
        if form == FormOption::Script {
            files.push((dir.join(format!("{language}.rhai")), filled(SCRIPT, id, language.code())));
        }
    }
    files.extend(languages.iter().map(|l| (dir.join(format!("docs/{l}.yaml")), docs(*l).to_owned())));
    let mut next = format!("edit them, then `cargo rules test {id}`");
    if form == FormOption::Native {
        let sdk = base.join("engine/plugin");
        if !sdk.join("Cargo.toml").is_file() {
            return Err(Failure::usage(format!(
                "{}: the crate glosa-plugin is not there; name a checkout of glosa with --root",
                sdk.display()
            )));
        }
        let home = root.join("rules/native").join(id);
        let codes: Vec<String> = languages.iter().map(|l| format!("Language::{}", capitalised(l.code()))).collect();
        let fill = |text: &str| {
            filled(text, id, "").replace("{languages}", &codes.join(", ")).replace("{sdk}", &path_from(&home, &sdk))
        };
        files.push((home.join("Cargo.toml"), fill(CRATE)));
        files.push((home.join("src/lib.rs"), fill(LIBRARY)));
        let library = format!("{}{}", std::env::consts::DLL_PREFIX, id.replace('-', "_"));
        let suffix = std::env::consts::DLL_SUFFIX;
        let (home, lib) = (home.display(), root.join("lib"));
        let lib = lib.display();
        next = format!(
            "write the rule in {home}/src/lib.rs, then\n  cargo build --release --manifest-path {home}/Cargo.toml \
             --target-dir {home}/target\n  mkdir -p {lib}\n  cp {home}/target/release/{library}{suffix} \
             {lib}/{library}-0.1.0{suffix}\n  cargo rules test {id}"
        );
    }
    for (path, text) in &files {
        write(path, &with_schema(text, path, root, base))?;
    }
    anstream::eprintln!("{}: {} files; next: {next}", dir.display(), files.len());
    anstream::println!("{}", dir.display());
    Ok(())
}

/// The text with the line that names its schema: that of the root, or of the first root where the root has none.
pub(crate) fn with_schema(text: &str, path: &Path, root: &Path, base: &Path) -> String {
    const LINE: &str = "# yaml-language-server: $schema=";
    let Some((first, rest)) = text.split_once('\n') else { return text.to_owned() };
    let Some(named) = first.strip_prefix(LINE) else { return text.to_owned() };
    let file = named.rsplit('/').next().unwrap_or(named);
    let there =
        [root, base].map(|root| root.join("rules/schemas").join(file)).into_iter().find(|schema| schema.is_file());
    match (there, path.parent()) {
        (Some(schema), Some(folder)) => format!("{LINE}{}\n{rest}", path_from(folder, &schema)),
        _ => rest.to_owned(),
    }
}

/// The path from a folder to a file, as short as it can be.
pub(crate) fn path_from(folder: &Path, file: &Path) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (folder, file) = (whole(folder), whole(file));
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), file.components().collect());
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if same < 2 {
        return file.display().to_string();
    }
    let up = std::iter::repeat_n("..", from.len() - same).map(PathBuf::from);
    let down = to[same..].iter().map(|part| PathBuf::from(part.as_os_str()));
    up.chain(down).collect::<PathBuf>().display().to_string()
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    made.map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_between_folders() {
        let from = |folder: &str, file: &str| path_from(Path::new(folder), Path::new(file));
        assert_eq!(from("/a/rules/x", "/a/rules/schemas/s.json"), "../schemas/s.json");
        assert_eq!(from("/a/rules/x/docs", "/a/rules/schemas/s.json"), "../../schemas/s.json");
        assert_eq!(from("/a/b", "/c/d"), "/c/d", "nothing in common");
    }
}
