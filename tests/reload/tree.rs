//! Two small roots whose every part says which edition it is of, and ways to break them.
use std::path::Path;
use tempfile::TempDir;

/// A way to break a tree.
#[derive(Debug)]
pub struct Breakage {
    /// The file that is changed, from the folder of both roots.
    file: &'static str,
    /// What is put for what in it; nothing for the whole text deletes the file.
    change: (&'static str, &'static str),
    /// What the log and `rules check` must say.
    pub reason: &'static str,
}

const fn breakage(file: &'static str, change: (&'static str, &'static str), reason: &'static str) -> Breakage {
    Breakage { file, change, reason }
}

/// Mistakes of every kind: form, keys, names, scripts, missing files, examples.
pub const BREAKAGES: [Breakage; 9] = [
    breakage("first/rules/by-table/es.yaml", ("substitute:", "substitute"), "by-table/es.yaml:"),
    breakage("first/rules/by-table/es.yaml", ("substitute:", "substitue:"), "unknown key `substitue`"),
    breakage(
        "first/rules/by-table/es.yaml",
        ("bad: ['Una <palabra>", "bad: ['<Una> palabra"),
        "expected: <Una> palabra",
    ),
    breakage("second/rules/by-script/rule.rhai", ("report(m)", "report(m"), "by-script/rule.rhai:"),
    breakage("second/rules/by-script/rule.rhai", ("", ""), "the script `rule.rhai` is not in the folder"),
    breakage("first/rules/by-glossary/es.yaml", ("[terms]", "[trems]"), "glossary `trems` has no file in es"),
    breakage("first/rules/by-table/metric.yaml", ("vocabulary", "vocabluary"), "unknown category `vocabluary`"),
    breakage("first/genres/prueba/nota/genre.yaml", ("clear_language", "clear_langage"), "unknown key `clear_langage`"),
    breakage("second/rules/by-script/docs/es.yaml", ("{count}", "{cuont}"), "the wording shows {cuont}"),
];

/// The folder of both roots.
#[derive(Debug)]
pub struct Tree {
    folder: TempDir,
}

/// Whether an edition is broken, and how: fixed, but without a pattern that a swap could hide behind.
fn mixed(edition: u32) -> u32 {
    (edition.wrapping_mul(2_654_435_761) >> 13) % 1009
}

impl Tree {
    /// Edition 0.
    pub fn new() -> Tree {
        let tree = Tree { folder: tempfile::tempdir().expect("a folder") };
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for shared in
            ["rules/categories.yaml", "rules/capabilities.yaml", "rules/notes.yaml", "genres/occurrences.yaml"]
        {
            let text = std::fs::read_to_string(shipped.join(shared)).expect("a shipped file");
            tree.put(&format!("first/{shared}"), &text);
        }
        tree.write_sound(0);
        tree
    }

    fn root(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The root with categories and genres.
    pub fn first(&self) -> String {
        self.root("first")
    }

    /// The root that is added to it.
    pub fn second(&self) -> String {
        self.root("second")
    }

    /// Whether an edition is one that may be used.
    pub fn is_sound(edition: u32) -> bool {
        edition == 0 || mixed(edition).is_multiple_of(2)
    }

    /// Writes an edition; what its refusal must say, where it is a broken one.
    pub fn write(&self, edition: u32) -> Option<&'static str> {
        self.write_sound(edition);
        if Self::is_sound(edition) {
            return None;
        }
        let number = mixed(edition) as usize / 2 % BREAKAGES.len();
        self.break_with(number);
        Some(BREAKAGES[number].reason)
    }

    /// Breaks what is there.
    pub fn break_with(&self, number: usize) {
        let Breakage { file, change: (from, to), .. } = &BREAKAGES[number];
        let path = self.folder.path().join(file);
        if from.is_empty() {
            std::fs::remove_file(path).expect("a file");
            return;
        }
        let text = std::fs::read_to_string(&path).expect("a file");
        assert!(text.contains(from), "{file} does not hold {from}");
        std::fs::write(path, text.replace(from, to)).expect("written");
    }

    fn put(&self, file: &str, text: &str) {
        let path = self.folder.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("written");
    }

    fn metric(&self, folder: &str, order: u32, body: &str) {
        let id = folder.rsplit('/').next().expect("a name");
        self.put(
            &format!("{folder}/metric.yaml"),
            &format!("id: {id}\nkind: rule\ncategory: vocabulary\norder: {order}\n"),
        );
        self.put(&format!("{folder}/es.yaml"), body);
    }

    fn docs(&self, folder: &str, edition: u32) {
        self.put(
            &format!("{folder}/docs/es.yaml"),
            &format!(
                "documentation: {{title: Título de la edición {edition}, summary: Resumen.}}\nreport:\n  summary: Hay {{count}} en la edición {edition}.\n  guidance: [Consejo de la edición {edition}.]\n"
            ),
        );
    }

    /// Writes an edition without mistakes.
    pub fn write_sound(&self, edition: u32) {
        let n = edition;
        self.metric(
            "first/rules/by-table",
            1,
            &format!(
                "version: 1.{n}.0\nsubstitute:\n  palabra: voz de la edición {n}\nexamples:\n  bad: ['Una <palabra> sola.']\n"
            ),
        );
        self.metric(
            "second/rules/by-script",
            2,
            &format!("version: 1.{n}.0\nmatch: [cosa]\nscript: rule.rhai\nexamples:\n  bad: ['Una <cosa> sola.']\n"),
        );
        self.put(
            "second/rules/by-script/rule.rhai",
            &format!("fn on_match(m) {{\n    report(m).replace(\"objeto de la edición {n}\");\n}}\n"),
        );
        self.metric(
            "first/rules/by-glossary",
            3,
            &format!(
                "version: 1.{n}.0\nglossaries: [terms]\nmatch: ['@terms']\nexamples:\n  bad: ['Para <gestionar> algo.']\n"
            ),
        );
        self.put(
            "first/glossaries/terms.es.yaml",
            &format!(
                "title: Términos\nrows:\n  - {{term: gestionar, replacement: hacer la edición {n}, status: safe}}\n"
            ),
        );
        for folder in ["first/rules/by-table", "second/rules/by-script", "first/rules/by-glossary"] {
            self.docs(folder, n);
        }
        self.put(
            "first/rules/counted/metric.yaml",
            "id: counted\nkind: measurement\ncategory: length\norder: 1\nunit: editions\n",
        );
        self.put(
            "first/rules/counted/es.yaml",
            &format!("version: 1.{n}.0\nmeasure: \"{n}\"\nexamples:\n  values: [{{text: Una., value: {n}}}]\n"),
        );
        self.put("first/rules/counted/docs/es.yaml", "documentation: {title: Edición, summary: La edición.}\n");
        self.put("first/genres/prueba/domain.yaml", "names: {es: Prueba, ca: Prova, en: Test}\n");
        self.put(
            "first/genres/prueba/nota/genre.yaml",
            &format!(
                "names: {{es: Nota de la edición {n}, ca: Nota de la edición {n}, en: Nota de la edición {n}}}\nclear_language: true\n"
            ),
        );
        self.put("first/genres/prueba/nota/es.yaml", "sections: []\n");
    }

    /// Adds a measurement whose code is a plugin of the second root.
    pub fn write_native(&self) {
        let folder = "second/rules/long-word-count";
        self.put(
            &format!("{folder}/metric.yaml"),
            "id: long-word-count\nkind: measurement\ncategory: length\norder: 2\nunit: words\nparams:\n  min_letters: {type: integer, default: 4, meaning: Letters of a long word.}\n",
        );
        self.put(&format!("{folder}/es.yaml"), "native: gaps\n");
        self.put(&format!("{folder}/docs/es.yaml"), "documentation: {title: Largas, summary: Palabras largas.}\n");
    }

    fn library(&self, name: &str) -> std::path::PathBuf {
        let folder = self.folder.path().join("second/lib");
        std::fs::create_dir_all(&folder).expect("a folder");
        folder.join(name)
    }

    /// Builds the plugin with a version of its measurement and copies it over the one that lies there.
    pub fn build_plugin(&self, name: &str, version: &str) {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let built = self.folder.path().join("built.so");
        let output = std::process::Command::new("cc")
            .args(["-std=c99", "-shared", "-fPIC", "-DENTRY=glosa_plugin_gaps", "-DNAME=\"gaps\""])
            .arg(format!("-DCOUNT=\"{version}\""))
            .arg("-I")
            .arg(repository.join("engine/plugin/include"))
            .arg("-o")
            .arg(&built)
            .arg(repository.join("tests/plugins/c/words.c"))
            .output()
            .expect("a C compiler named cc");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::write(self.library(name), std::fs::read(built).expect("a library")).expect("written over");
    }

    /// Cuts the plugin short where it lies.
    pub fn spoil_plugin(&self, name: &str) {
        let file = std::fs::OpenOptions::new().write(true).open(self.library(name)).expect("a library");
        file.set_len(5_000).expect("cut short");
    }

    /// Takes the second root away.
    pub fn hide_second(&self) {
        std::fs::rename(self.folder.path().join("second"), self.folder.path().join("gone")).expect("renamed");
    }
}
