//! Where rules, genres, glossaries and plugins are looked for.

use std::path::{Path, PathBuf};

use glosa_metric::Problem;

/// The folders of a snapshot. Each root may hold `rules/`, `genres/` and `glossaries/`; later roots add to earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// Roots; the first holds the categories and capabilities.
    pub folders: Vec<PathBuf>,
    /// Folders of compiled plugins, asked in order.
    pub plugins: Vec<PathBuf>,
}

const MARK: &str = "rules/categories.yaml";

fn holds_rules(dir: &Path) -> bool {
    dir.join(MARK).is_file()
}

impl Roots {
    /// The roots of this installation: `base` if given, else the checkout that the current folder or the program
    /// stands in, else `share/glosa` of the prefix that the program is installed under. `extra` roots follow.
    pub fn find(base: Option<&Path>, extra: &[PathBuf]) -> Result<Roots, Problem> {
        let exe = std::env::current_exe().ok();
        let here = std::env::current_dir().ok();
        let exe_dir = exe.as_deref().and_then(Path::parent);
        let base = match base {
            Some(dir) if holds_rules(dir) => dir.to_owned(),
            Some(dir) => {
                return Err(Problem::of(dir.display().to_string(), format!("no {MARK} under this folder"))
                    .help("name the folder that holds rules/, genres/ and glossaries/"));
            }
            None => {
                let around = [here.as_deref(), exe_dir].into_iter().flatten().flat_map(Path::ancestors);
                let shared = exe_dir.and_then(Path::parent).map(|prefix| prefix.join("share/glosa"));
                let mut candidates = around.map(Path::to_owned).chain(shared);
                candidates.find(|dir| holds_rules(dir)).ok_or_else(|| {
                    Problem::of(MARK, "not found in the current folder, its parents or beside the program")
                        .help("run glosa in a checkout, install share/glosa, or name the folder with --root")
                })?
            }
        };
        for dir in extra {
            if !["rules", "genres", "glossaries"].iter().any(|name| dir.join(name).is_dir()) {
                return Err(Problem::of(dir.display().to_string(), "this root holds no rules, genres or glossaries")
                    .help("a root is a folder with at least one of rules/, genres/ and glossaries/"));
            }
        }
        let mut plugins: Vec<PathBuf> = extra.iter().map(|dir| dir.join("lib")).collect();
        if let Some(dir) = exe_dir {
            plugins.extend([dir.join("deps"), dir.to_owned()]);
            plugins.extend(dir.parent().map(|prefix| prefix.join("lib/glosa/plugins")));
            plugins.extend(dir.parent().map(|target| target.join("deps")));
        }
        plugins.push(base.join("lib/glosa/plugins"));
        let folders = std::iter::once(base).chain(extra.iter().cloned()).collect();
        Ok(Roots { folders, plugins })
    }
}
