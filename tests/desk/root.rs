//! A small root: two rules, two genres.

use std::fs;
use std::path::Path;

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A root in a folder of its own.
pub struct Root {
    folder: tempfile::TempDir,
}

impl Root {
    pub fn new() -> Root {
        let root = Root { folder: tempfile::tempdir().expect("a folder") };
        for shared in
            ["rules/categories.yaml", "rules/capabilities.yaml", "rules/notes.yaml", "genres/occurrences.yaml"]
        {
            root.put(shared, &fs::read_to_string(Path::new(TOP).join(shared)).expect("a shipped file"));
        }
        root.rule("wordy-phrase", "vocabulary", "version: 1.0.0\nsubstitute:\n  con el fin de: [para, a fin de]\n");
        root.rule("common-slip", "correctness", "version: 1.0.0\nsubstitute:\n  gestion: gestión\n");
        root.put("genres/test/domain.yaml", "names: {es: Prueba, ca: Prova, en: Test}\n");
        for (genre, more) in [("note", ""), ("list", "metrics: {wordy-phrase: off}\n")] {
            root.put(
                &format!("genres/test/{genre}/genre.yaml"),
                &format!("names: {{es: Nota, ca: Nota, en: Note}}\n{more}"),
            );
            root.put(&format!("genres/test/{genre}/es.yaml"), "sections: []\n");
        }
        root
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn put(&self, file: &str, text: &str) {
        let path = self.folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("written");
    }

    pub fn rule(&self, id: &str, category: &str, variant: &str) {
        self.put(
            &format!("rules/{id}/metric.yaml"),
            &format!("id: {id}\nkind: rule\ncategory: {category}\norder: 1\n"),
        );
        self.put(&format!("rules/{id}/es.yaml"), variant);
        let docs = format!(
            "documentation: {{title: Título de {id}, summary: Qué es., methodology: Así se mira.}}\n\
             report: {{summary: 'Hay {{count}}.', guidance: [Diga menos.]}}\n"
        );
        for language in ["es", "ca", "en"] {
            self.put(&format!("rules/{id}/docs/{language}.yaml"), &docs);
        }
    }
}
