//! The compiled plugins that variants name: found in folders, loaded once, and told apart by what they declare.
//!
//! The version of a metric comes from the library, not from the name of its file. The same metric in the same version
//! from two libraries that differ is a problem where somebody put them there; only among the folders that belong to the
//! program the first wins, because a build leaves copies in several of them.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use glosa_metric::{Problem, did_you_mean};
use glosa_text::Language;

use crate::Roots;
use crate::dylib::{self, NativeMetric, Plugin};
use crate::metric_folder::VariantFolder;

/// A plugin and the folder that it was found in.
#[derive(Clone)]
pub(crate) struct Found {
    pub plugin: Arc<Plugin>,
    dir: usize,
}

/// Finds and loads plugins.
pub(crate) struct Plugins<'r> {
    roots: &'r Roots,
    known: BTreeMap<String, Vec<Found>>,
}

impl<'r> Plugins<'r> {
    pub(crate) fn new(roots: &'r Roots) -> Self {
        Plugins { roots, known: BTreeMap::new() }
    }

    /// The libraries that hold a metric for a language, one for each version of it.
    pub(crate) fn versions(
        &mut self,
        id: &str,
        language: Language,
        (name, folder): (&str, &VariantFolder),
        problems: &mut Vec<Problem>,
    ) -> Vec<Found> {
        let found = self.named(name, folder, problems);
        let mut chosen: Vec<Found> = Vec::new();
        let mut holds = false;
        for candidate in &found {
            let Some(metric) = candidate.plugin.metric(id) else { continue };
            holds = true;
            let same = |other: &&mut Found| version_of(&other.plugin, id) == Some(metric.version.as_str());
            match chosen.iter_mut().find(same) {
                None => chosen.push(candidate.clone()),
                Some(first) => match self.prefer(first, candidate) {
                    Some(Ordering::Less) => *first = candidate.clone(),
                    Some(_) => {}
                    None => {
                        let (a, b) = (first.plugin.file().display(), candidate.plugin.file().display());
                        let message = format!(
                            "`{id}` {} for {language} is in two libraries that differ: {a} and {b}",
                            metric.version
                        );
                        let help = "delete one of them; or give the metric of one another version, build it again, and \
                                    choose in rules/pins.yaml";
                        problems.push(Problem::of(&folder.file, message).near(&folder.source, &["native:"]).help(help));
                    }
                },
            }
        }
        if !holds && !found.is_empty() {
            let others: Vec<&str> = found.iter().flat_map(|f| f.plugin.metrics()).map(|m| m.id.as_str()).collect();
            let near = did_you_mean(id, others.iter().copied());
            let help =
                near.map_or_else(|| format!("it has: {}", others.join(", ")), |n| format!("did you mean `{n}`?"));
            let message = format!("the plugin `{name}` holds no metric `{id}`");
            problems.push(Problem::of(&folder.file, message).near(&folder.source, &["native:"]).help(help));
        }
        chosen
    }

    /// Which of two libraries with the same version of a metric is used; nothing where nobody can say.
    fn prefer(&self, first: &Found, second: &Found) -> Option<Ordering> {
        let of_program = |found: &Found| !self.roots.is_own(&self.roots.plugins[found.dir]);
        if of_program(first) && of_program(second) {
            return Some(Ordering::Greater);
        }
        let order = compare(first.plugin.version(), second.plugin.version());
        (first.dir == second.dir && order != Ordering::Equal).then_some(order)
    }

    /// The files that may hold a plugin. A build leaves its library in several folders of the program, and a part of it may
    /// be built anew: of files with one name there the latest counts.
    fn files(&self, name: &str) -> Vec<(usize, PathBuf)> {
        let mut files: Vec<(usize, PathBuf)> = Vec::new();
        for (dir, folder) in self.roots.plugins.iter().enumerate() {
            for path in libraries(folder, name) {
                let namesake = files.iter_mut().find(|(other, known)| {
                    known.file_name() == path.file_name()
                        && !self.roots.is_own(folder)
                        && !self.roots.is_own(&self.roots.plugins[*other])
                });
                match namesake {
                    Some(older) if written(&older.1) < written(&path) => *older = (dir, path),
                    Some(_) => {}
                    None => files.push((dir, path)),
                }
            }
        }
        files
    }

    /// All libraries of a plugin, each once.
    fn named(&mut self, name: &str, folder: &VariantFolder, problems: &mut Vec<Problem>) -> Vec<Found> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let mut found: Vec<Found> = Vec::new();
        let mut refused = false;
        for (dir, path) in self.files(name) {
            match dylib::load(&path) {
                Ok(plugin) if plugin.name() != name || found.iter().any(|f| f.plugin.is(&plugin)) => {}
                Ok(plugin) => found.push(Found { plugin: Arc::new(plugin), dir }),
                Err(refusal) => {
                    refused = true;
                    problems.push(Problem::of(&folder.file, refusal.to_string()).near(&folder.source, &["native:"]));
                }
            }
        }
        if found.is_empty() && !refused {
            let searched: Vec<_> = self.roots.plugins.iter().map(|d| d.display().to_string()).collect();
            problems.push(
                Problem::of(&folder.file, format!("no plugin `{name}` was found"))
                    .near(&folder.source, &["native:"])
                    .help(format!("build it, or put lib{name}-<version>.so into one of: {}", searched.join(", "))),
            );
        }
        self.known.insert(name.to_owned(), found.clone());
        found
    }
}

fn written(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|about| about.modified()).ok()
}

fn version_of<'p>(plugin: &'p Plugin, id: &str) -> Option<&'p str> {
    plugin.metric(id).map(|metric: &NativeMetric| metric.version.as_str())
}

/// Versions by their numbers: 0.10.0 comes after 0.9.0.
fn compare(a: &str, b: &str) -> Ordering {
    let parts =
        |version: &str| -> Vec<u64> { version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect() };
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}

/// The files of a folder that may hold a plugin of that name.
fn libraries(dir: &Path, name: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let wanted = name.replace('-', "_");
    let entries = std::fs::read_dir(dir).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| {
            let Some(stem) = dylib::stem(path) else { return false };
            stem == wanted || stem.ends_with(&format!("_{wanted}"))
        })
        .collect();
    found.sort();
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(compare("0.10.0", "0.9.0"), Ordering::Greater);
        assert_eq!(compare("1.0.0", "1.0.0"), Ordering::Equal);
    }
}
