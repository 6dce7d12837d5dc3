//! Small roots for tests: folders in which glosa finds what every root shares, a genre, and the rules that a test puts there.
#![allow(clippy::disallowed_methods, reason = "tests write files")]

use std::fs;
use std::path::{Path, PathBuf};

/// What every root has.
const SHARED: [&str; 4] =
    ["rules/categories.yaml", "rules/capabilities.yaml", "rules/notes.yaml", "genres/occurrences.yaml"];

/// A folder that ends with the test.
#[derive(Debug)]
pub struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    /// An empty folder.
    ///
    /// # Panics
    /// Where none can be made, as all functions here.
    #[must_use]
    pub fn empty() -> Folder {
        Folder { folder: tempfile::tempdir().expect("a folder") }
    }

    /// A root without rules whose one genre is `test/note`, in Spanish.
    #[must_use]
    pub fn root() -> Folder {
        let root = Folder::empty();
        root.share("");
        root.put("genres/test/domain.yaml", "names: {es: Prueba, ca: Prova, en: Test}\n");
        root.put("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota, en: Note}\n");
        root.put("genres/test/note/es.yaml", "sections: []\n");
        root
    }

    /// Puts what every root has below a folder.
    pub fn share(&self, below: &str) {
        let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        for file in SHARED {
            self.put(&format!("{below}{file}"), fs::read(top.join(file)).expect("a shipped file"));
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where a file of it is.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file and the folders that it needs; its path.
    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, content).expect("written");
        path
    }

    /// Puts a rule in Spanish with the same documentation in all languages.
    pub fn rule(&self, id: &str, category: &str, variant: &str, docs: &str) {
        self.put(&format!("rules/{id}/metric.yaml"), format!("id: {id}\nkind: rule\ncategory: {category}\norder: 1\n"));
        self.put(&format!("rules/{id}/es.yaml"), variant);
        for language in ["es", "ca", "en"] {
            self.put(&format!("rules/{id}/docs/{language}.yaml"), docs);
        }
    }
}
