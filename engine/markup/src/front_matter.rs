//! What a file says of itself before its text: YAML between lines of `---`, TOML between lines of `+++`.
//!
//! Only the key `glosa` is read: `glosa: {genre: DOMAIN/TEXT_TYPE, language: es}`. Everything else belongs to other programs.

use std::ops::Range;

use glosa_text::Language;
use serde::Deserialize;

use crate::Fault;

/// A value and where it is stated: bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub bytes: Range<usize>,
}

/// What a file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSettings {
    /// Genre, as `DOMAIN/TEXT_TYPE` or `TEXT_TYPE`.
    pub genre: Option<Stated<String>>,
    /// Language of the text.
    pub language: Option<Stated<Language>>,
}

#[derive(Default, Deserialize)]
struct FrontMatter {
    #[serde(default)]
    glosa: Option<Settings>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(default)]
    genre: Option<String>,
    #[serde(default)]
    language: Option<String>,
}

/// The front matter of a file: all of it, and what is between its lines.
struct Found {
    whole: Range<usize>,
    inner: Range<usize>,
    toml: bool,
}

/// The bytes of a line without its end, and where the next one begins.
fn line(source: &str, from: usize) -> (Range<usize>, usize) {
    let rest = &source[from..];
    let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
    let ending = if rest[end..].starts_with("\r\n") { 2 } else { usize::from(end < rest.len()) };
    (from..from + end, from + end + ending)
}

fn find(source: &str, from: usize) -> Option<Found> {
    let (first, start) = line(source, from);
    let toml = match source[first].trim_end() {
        "---" => false,
        "+++" => true,
        _ => return None,
    };
    let mut at = start;
    while at < source.len() {
        let (here, next) = line(source, at);
        let ends = match source[here.clone()].trim_end() {
            "---" | "..." => !toml,
            "+++" => toml,
            _ => false,
        };
        if ends {
            return Some(Found { whole: from..next, inner: start..here.start, toml });
        }
        at = next;
    }
    None
}

/// Reads the front matter that begins at `from`: what it says, where the text begins, and what is wrong with it.
pub(crate) fn read(source: &str, from: usize, faults: &mut Vec<Fault>) -> (FileSettings, usize) {
    let Some(found) = find(source, from) else { return (FileSettings::default(), from) };
    let inner = &source[found.inner.clone()];
    let start = found.inner.start;
    let read = if !inner.contains("glosa") {
        Ok(FrontMatter::default())
    } else if found.toml {
        toml::from_str::<FrontMatter>(inner).map_err(|error| {
            let place = error.span().map_or(start..found.inner.end, |span| start + span.start..start + span.end);
            vec![Fault { bytes: place, message: format!("front matter: {}", error.message()) }]
        })
    } else {
        glosa_metric::yaml::read::<FrontMatter>(inner).map_err(|errors| {
            let fault = |error: glosa_metric::yaml::YamlError| {
                let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
                let bytes = nth_line(source, &found.inner, error.line);
                Fault { bytes, message: format!("front matter: {}{help}", error.message) }
            };
            errors.into_iter().map(fault).collect::<Vec<_>>()
        })
    };
    let Settings { genre, language } = match read {
        Ok(matter) => matter.glosa.unwrap_or_default(),
        Err(errors) => {
            faults.extend(errors);
            Settings::default()
        }
    };
    let place = |value: &str| {
        let at = inner.find("glosa").and_then(|from| Some(from + inner[from..].find(value)?)).unwrap_or(0);
        start + at..start + at + value.len()
    };
    let genre = genre.map(|genre| Stated { bytes: place(&genre), value: genre });
    let language = language.and_then(|name| {
        let bytes = place(&name);
        match name.parse::<Language>() {
            Ok(value) => Some(Stated { value, bytes }),
            Err(error) => {
                faults.push(Fault { bytes, message: format!("front matter: {error}") });
                None
            }
        }
    });
    (FileSettings { genre, language }, found.whole.end)
}

/// The bytes of a line of a part of a file, counted from 1.
fn nth_line(source: &str, part: &Range<usize>, number: u64) -> Range<usize> {
    let mut at = part.start;
    for _ in 1..number {
        at = line(source, at).1;
    }
    if at >= part.end { part.clone() } else { line(source, at).0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(source: &str) -> (FileSettings, usize, Vec<String>) {
        let mut faults = Vec::new();
        let (settings, text) = read(source, 0, &mut faults);
        let told = faults.into_iter().map(|fault| format!("{} {}", &source[fault.bytes], fault.message)).collect();
        (settings, text, told)
    }

    #[test]
    fn yaml_and_toml() {
        for source in [
            "---\ntitle: glosa y carta\nglosa: {genre: a/carta, language: ca}\n---\nText",
            "---\r\nglosa:\r\n  genre: a/carta\r\n  language: ca\r\n...\r\nText",
            "+++\n[glosa]\ngenre = \"a/carta\"\nlanguage = \"ca\"\n+++\nText",
        ] {
            let (settings, text, faults) = read_all(source);
            let genre = settings.genre.expect(source);
            assert_eq!((genre.value.as_str(), &source[genre.bytes]), ("a/carta", "a/carta"));
            assert_eq!(settings.language.expect(source).value, Language::Ca);
            assert_eq!((&source[text..], faults), ("Text", vec![]));
        }
    }

    #[test]
    fn what_is_none() {
        for source in ["", "---\nText", "Text\n---\n", "----\na\n---\n"] {
            assert_eq!(read_all(source), (FileSettings::default(), 0, vec![]), "{source}");
        }
        let (settings, text, faults) = read_all("---\ntitle: [a\n---\nText");
        assert_eq!((settings, text, faults), (FileSettings::default(), 18, vec![]), "other programs' keys are theirs");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let told = |source: &str| read_all(source).2.join("\n");
        assert!(told("---\na: 1\nglosa: {gender: x}\n---\n").contains("unknown key `gender`"));
        assert!(told("---\nglosa: {language: fr}\n---\n").starts_with("fr front matter: "));
        assert!(told("+++\n[glosa]\ngenre = 3\n+++\n").starts_with("3 front matter: "));
        assert!(told("---\nglosa: [\n---\n").contains("front matter: "));
    }
}
