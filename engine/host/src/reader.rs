//! Reading files and noting every problem, so that a load shows all of them at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use glosa_metric::{Problem, yaml};
use glosa_text::Language;
use serde::de::DeserializeOwned;

/// What is there but could not be read, so that what refers to it is no problem of its own.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    /// Metrics and parts of genres.
    pub catalog: glosa_catalog::Unread,
    /// Glossaries by language and key.
    pub glossaries: BTreeSet<(Language, String)>,
    /// At least one variant, so that nobody can say what no variant reads.
    pub variants: bool,
}

/// Reads the files of one root.
pub(crate) struct Reader<'p> {
    root: PathBuf,
    label: String,
    /// The one language that is wanted, where not all are.
    only: Option<Language>,
    pub problems: &'p mut Vec<Problem>,
    pub unread: &'p mut Unread,
}

impl<'p> Reader<'p> {
    /// `label` stands before the paths of a root that is not the first.
    pub(crate) fn new(
        root: &Path,
        first: bool,
        only: Option<Language>,
        problems: &'p mut Vec<Problem>,
        unread: &'p mut Unread,
    ) -> Self {
        let label = if first { String::new() } else { format!("{}/", root.display()) };
        Reader { root: root.to_owned(), label, only, problems, unread }
    }

    /// Whether files of a language are read.
    pub(crate) fn wants(&self, language: Language) -> bool {
        self.only.is_none_or(|only| only == language)
    }

    /// The one language that is wanted, where not all are. What only files of another language would answer for is no
    /// problem then.
    pub(crate) fn only(&self) -> Option<Language> {
        self.only
    }

    /// A path as messages show it.
    pub(crate) fn name(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        format!("{}{}", self.label, inside.display())
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside)
    }

    /// The entries of a folder by name, hidden ones left out; nothing when the folder is absent.
    pub(crate) fn list(&mut self, dir: &Path) -> Vec<(String, PathBuf)> {
        if dir.exists() { self.list_of(dir) } else { Vec::new() }
    }

    /// The entries of a folder that is known to be there: one that is gone meanwhile is a problem.
    pub(crate) fn list_of(&mut self, dir: &Path) -> Vec<(String, PathBuf)> {
        let read = fs::read_dir(dir).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        match read {
            Err(error) => {
                self.note(dir, &error);
                Vec::new()
            }
            Ok(entries) => {
                let mut found: Vec<_> =
                    entries.into_iter().map(|e| (e.file_name().to_string_lossy().into_owned(), e.path())).collect();
                found.retain(|(name, _)| !name.starts_with('.') && !name.ends_with('~'));
                found.sort();
                found
            }
        }
    }

    /// A text file.
    pub(crate) fn text(&mut self, path: &Path) -> Option<String> {
        match fs::read(path).map(String::from_utf8) {
            Ok(Ok(text)) => Some(text),
            Ok(Err(error)) => {
                let at = error.utf8_error().valid_up_to();
                let name = self.name(path);
                self.problems.push(
                    Problem::of(name, format!("not UTF-8: the first bad byte is number {}", at + 1))
                        .help("save the file as UTF-8"),
                );
                None
            }
            Err(error) => {
                self.note(path, &error);
                None
            }
        }
    }

    /// A YAML file.
    pub(crate) fn yaml<T: DeserializeOwned>(&mut self, path: &Path) -> Option<T> {
        self.yaml_and_text(path).map(|(value, _)| value)
    }

    /// A YAML file and its text, for later messages.
    pub(crate) fn yaml_and_text<T: DeserializeOwned>(&mut self, path: &Path) -> Option<(T, String)> {
        let text = self.text(path)?;
        match yaml::read(&text) {
            Ok(value) => Some((value, text)),
            Err(errors) => {
                let name = self.name(path);
                self.problems.extend(errors.iter().map(|error| Problem::yaml(&name, error)));
                None
            }
        }
    }

    fn note(&mut self, path: &Path, error: &std::io::Error) {
        let name = self.name(path);
        self.problems.push(
            Problem::of(name, format!("cannot be read: {error}")).help("check that it exists and its permissions"),
        );
    }
}
