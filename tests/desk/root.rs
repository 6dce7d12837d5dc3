//! A small root: two rules, two genres.

use std::path::Path;

use glosa_tests_root::Folder;

/// A root in a folder of its own.
pub struct Root {
    folder: Folder,
}

impl Root {
    pub fn new() -> Root {
        let root = Root { folder: Folder::root() };
        root.rule("wordy-phrase", "vocabulary", "version: 1.0.0\nsubstitute:\n  con el fin de: [para, a fin de]\n");
        root.rule("common-slip", "correctness", "version: 1.0.0\nsubstitute:\n  gestion: gestión\n");
        root.put(
            "genres/test/list/genre.yaml",
            "names: {es: Nota, ca: Nota, en: Note}\nmetrics: {wordy-phrase: off}\n",
        );
        root.put("genres/test/list/es.yaml", "sections: []\n");
        root
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn put(&self, file: &str, text: &str) {
        self.folder.put(file, text);
    }

    pub fn rule(&self, id: &str, category: &str, variant: &str) {
        let docs = format!(
            "documentation: {{title: Título de {id}, summary: Qué es., methodology: Así se mira.}}\n\
             report: {{summary: 'Hay {{count}}.', guidance: [Diga menos.]}}\n"
        );
        self.folder.rule(id, category, variant, &docs);
    }
}
