//! Options that say where rules, genres and glossaries are.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use glosa_host::{Loaded, Roots, Snapshot};
use glosa_metric::Problem;
use glosa_text::Language;

use crate::Failure;

/// Where rules, genres and glossaries are.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct RootOptions {
    /// Folder that holds rules/, genres/ and glossaries/ [default: the checkout or the installation]
    #[arg(long, env = "GLOSA_ROOT", value_name = "DIR", global = true)]
    pub root: Option<PathBuf>,
    /// Further folders whose rules, genres, glossaries and plugins (lib/) are added
    #[arg(long = "extra-root", env = "GLOSA_EXTRA_ROOTS", value_name = "DIR", value_delimiter = ':', global = true)]
    pub extra: Vec<PathBuf>,
}

impl RootOptions {
    /// The roots that the options name.
    pub fn find(&self) -> Result<Roots, Failure> {
        Roots::find(self.root.as_deref(), &self.extra).map_err(|p| Failure::usage(p.to_string()))
    }

    /// Loads what reports of one language need, or shows everything that is wrong.
    pub fn load_language(&self, language: Language) -> Result<Snapshot, Failure> {
        glosa_host::load_language(&self.find()?, language).map_err(|problems| Failure::usage(show(&problems)))
    }

    /// Loads everything, or shows everything that is wrong.
    pub fn load(&self) -> Result<Snapshot, Failure> {
        glosa_host::load(&self.find()?).map_err(|problems| Failure::usage(show(&problems)))
    }

    /// Loads what has no problem, and says what has.
    pub(crate) fn load_what_is_right(&self) -> Result<Loaded, Failure> {
        glosa_host::load_what_is_right(&self.find()?).map_err(|problems| Failure::usage(show(&problems)))
    }

    /// Loads what work on one metric needs; problems elsewhere are counted, not shown. Without a metric everything has to
    /// be right.
    pub(crate) fn load_for(&self, id: Option<&str>) -> Result<Snapshot, Failure> {
        let Some(id) = id else { return self.load() };
        let loaded = self.load_what_is_right()?;
        let own = loaded.concerning(id);
        if !own.is_empty() {
            return Err(Failure::usage(show(&own)));
        }
        if !loaded.problems.is_empty() {
            let n = loaded.problems.len();
            anstream::eprintln!("{n} problems elsewhere, which `rules check` shows, are left aside");
        }
        Ok(loaded.snapshot)
    }
}

/// All problems, one paragraph each, and their number.
pub(crate) fn show(problems: &[Problem]) -> String {
    let mut shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
    shown.push(match problems.len() {
        1 => "1 problem; nothing was loaded".to_owned(),
        n => format!("{n} problems; nothing was loaded"),
    });
    shown.join("\n\n")
}

/// The bytes of a file or, for `-`, of standard input.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    bytes.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// A text from a file or, for `-`, from standard input; the text is taken as it is.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Failure::usage(format!("{}: not UTF-8 (byte {at}); save the text as UTF-8", path.display()))
    })
}
