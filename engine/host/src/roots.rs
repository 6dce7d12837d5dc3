//! Where rules, genres, glossaries and plugins are looked for.

use std::path::{Path, PathBuf};

use glosa_metric::Problem;

/// The folders of a snapshot. Each root may hold `rules/`, `genres/`, `glossaries/` and `lib/`; later roots add to
/// earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// Roots; the first holds the categories and capabilities.
    pub folders: Vec<PathBuf>,
    /// Folders of compiled plugins, asked in order.
    pub plugins: Vec<PathBuf>,
}

const LIBRARIES: &str = "lib";
const MARK: &str = "rules/categories.yaml";

fn holds_rules(dir: &Path) -> bool {
    dir.join(MARK).is_file()
}

impl Roots {
    /// The folders of a root that are read.
    pub const PARTS: [&str; 4] = ["rules", "genres", "glossaries", LIBRARIES];

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
        let own = std::iter::once(&base).chain(extra);
        let mut plugins: Vec<PathBuf> = own.map(|dir| dir.join(LIBRARIES)).collect();
        if let Some(dir) = exe_dir {
            plugins.extend([dir.join("deps"), dir.to_owned()]);
            plugins.extend(dir.parent().map(|prefix| prefix.join("lib/glosa/plugins")));
            plugins.extend(dir.parent().map(|target| target.join("deps")));
        }
        plugins.push(base.join("lib/glosa/plugins"));
        let folders = std::iter::once(base).chain(extra.iter().cloned()).collect();
        Ok(Roots { folders, plugins })
    }

    /// Whether a folder of plugins belongs to a root, so that somebody put the libraries there; the others are the
    /// program's.
    pub(crate) fn is_own(&self, dir: &Path) -> bool {
        self.folders.iter().any(|folder| folder.join(LIBRARIES) == dir)
    }

    /// Roots in which there is nothing to load: misspelt, or gone since the start.
    pub(crate) fn check(&self, problems: &mut Vec<Problem>) {
        for dir in self.folders.iter().filter(|dir| !Roots::PARTS.iter().any(|part| dir.join(part).is_dir())) {
            let message = if dir.is_dir() {
                "this root holds no rules, genres, glossaries or plugins"
            } else {
                "this root is not there"
            };
            problems.push(
                Problem::of(dir.display().to_string(), message)
                    .help("a root is a folder with at least one of rules/, genres/, glossaries/ and lib/"),
            );
        }
    }
}
