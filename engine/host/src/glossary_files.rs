//! Glossary files: the path is the level of the cascade.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use glosa_catalog::GlossaryShelf;
use glosa_metric::phrases::PhraseRow;
use glosa_metric::yaml::{At, Node, Value, tree};
use glosa_metric::{EntryKind, Glossary, GlossaryEntry, GlossaryFile, Problem, SourceLevel};
use glosa_text::{Language, Upos, normal_form};

use crate::reader::Reader;

/// Everything that the glossary folders hold.
#[derive(Default)]
pub(crate) struct Shelves {
    pub shelf: GlossaryShelf,
    /// Phrase tables by language: number and rows.
    pub tables: BTreeMap<Language, Vec<(u32, Vec<PhraseRow>)>>,
    /// Where each table came from, for messages.
    pub files: BTreeMap<(Language, u32), String>,
    /// The files in the order in which they were read, for what can be said of them later.
    pub read: Vec<ReadGlossary>,
    terms: BTreeMap<(Language, String, String), (String, String)>,
}

/// A glossary file with its rows.
pub(crate) struct ReadGlossary {
    pub file: String,
    pub language: Language,
    pub key: String,
    pub source: String,
    pub entries: Vec<GlossaryEntry>,
    /// Number of its table.
    pub table: u32,
    /// By row: its conditions as written, and where the row stands.
    pub rows: Vec<RowNodes>,
}

/// What of a row is read from the tree of its file.
#[derive(Clone, Default)]
pub(crate) struct RowNodes {
    pub at: At,
    pub when: Option<Node>,
}

impl Shelves {
    /// The next free table number of a language.
    pub(crate) fn next_table(&self, language: Language) -> u32 {
        self.tables.get(&language).map_or(0, |t| t.len() as u32)
    }

    /// Reads the glossaries of a root.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) {
        let top = reader.path("glossaries");
        for (name, path) in reader.list(&top) {
            if !path.is_dir() {
                self.file(reader, &path, &name, None, None);
                continue;
            }
            for (inner, path) in reader.list_of(&path) {
                if !path.is_dir() {
                    self.file(reader, &path, &inner, Some(&name), None);
                    continue;
                }
                for (file, path) in reader.list_of(&path) {
                    self.file(reader, &path, &file, Some(&name), Some(&inner));
                }
            }
        }
    }

    fn file(
        &mut self,
        reader: &mut Reader<'_>,
        path: &Path,
        name: &str,
        domain: Option<&str>,
        text_type: Option<&str>,
    ) {
        if name.ends_with(".md") {
            return;
        }
        let parsed = name.strip_suffix(".yaml").and_then(|stem| {
            let (key, language) = stem.rsplit_once('.')?;
            Some((key, language.parse::<Language>().ok()?))
        });
        let shown = reader.name(path);
        let Some((key, language)) = parsed else {
            reader.problems.push(
                Problem::of(shown, "not the name of a glossary file")
                    .help("expected <key>.es.yaml, <key>.ca.yaml or <key>.en.yaml"),
            );
            return;
        };
        if !reader.wants(language) {
            return;
        }
        let Some((file, source)) = reader.yaml_and_text::<GlossaryFile>(path) else {
            reader.unread.glossaries.insert((language, key.to_owned()));
            return;
        };
        let entries = file.entries();
        let place = [domain, text_type].into_iter().flatten().collect::<Vec<_>>().join("/");
        for entry in &entries {
            self.check(reader, (&shown, &source), key, language, &place, entry);
        }
        let level = match (domain, text_type) {
            (_, Some(_)) => SourceLevel::TextType,
            (Some(_), None) => SourceLevel::Domain,
            _ => SourceLevel::Global,
        };
        let table = self.next_table(language);
        let rows = entries.iter().map(row).collect();
        self.tables.entry(language).or_default().push((table, rows));
        self.files.insert((language, table), shown.clone());
        let rows = row_nodes(&source, entries.len());
        let read = ReadGlossary { file: shown, language, key: key.to_owned(), source, entries, table, rows };
        let entries = read.entries.clone();
        self.read.push(read);
        let glossary =
            Glossary { key: key.to_owned(), title: file.title, level, table, entries, rows: Default::default() };
        self.shelf.add(language, domain, text_type, Arc::new(glossary));
    }

    fn check(
        &mut self,
        reader: &mut Reader<'_>,
        (file, source): (&str, &str),
        key: &str,
        language: Language,
        place: &str,
        entry: &GlossaryEntry,
    ) {
        let term = normal_form(&entry.term);
        let mut wrong = |message: String, help: &str| {
            reader.problems.push(Problem::of(file, message).near(source, &["term:", &entry.term]).help(help));
        };
        if entry.replacement.as_deref().map(normal_form).as_ref() == Some(&term) {
            wrong(format!("`{}` is replaced by itself", entry.term), "give another replacement, or kind: allow");
        }
        if !entry.active && entry.note.is_none() {
            wrong(format!("`{}` is switched off without a reason", entry.term), "say why in `note`");
        }
        if let Some(pos) = entry.pos.as_deref().filter(|p| p.parse::<Upos>().is_err()) {
            wrong(format!("`{}`: `{pos}` is no part of speech", entry.term), "use a UD tag such as NOUN or VERB");
        }
        let advises = match entry.kind {
            EntryKind::Replace => entry.replacement.is_some(),
            EntryKind::Forbid => true,
            EntryKind::Explain => entry.data.contains_key("definition"),
            EntryKind::Prefer | EntryKind::Allow => false,
        };
        if !entry.active || !advises {
            return;
        }
        let id = (language, place.to_owned(), format!("{term}/{}", entry.pos.as_deref().unwrap_or("")));
        match self.terms.get(&id) {
            Some((other, other_file)) if other != key => wrong(
                format!("`{}` stands in `{other}` too ({other_file})", entry.term),
                "at one level a term belongs to one glossary: keep it where its advice is best",
            ),
            Some((_, _)) => wrong(format!("`{}` stands here twice", entry.term), "keep one row"),
            None => drop(self.terms.insert(id, (key.to_owned(), file.to_owned()))),
        }
    }
}

/// The rows of a file that could be read, in its tree.
fn row_nodes(source: &str, rows: usize) -> Vec<RowNodes> {
    let mut nodes = vec![RowNodes::default(); rows];
    let Ok(Node { value: Value::Map(keys), .. }) = tree(source) else { return nodes };
    let list = keys.into_iter().find(|(key, _)| key.name == "rows").map(|(_, list)| list.value);
    let Some(Value::List(list)) = list else { return nodes };
    for (place, Node { at, value }) in nodes.iter_mut().zip(list) {
        place.at = at;
        if let Value::Map(keys) = value {
            place.when = keys.into_iter().find(|(key, _)| key.name == "when").map(|(_, when)| when);
        }
    }
    nodes
}

fn row(entry: &GlossaryEntry) -> PhraseRow {
    PhraseRow {
        phrase: entry.term.clone(),
        by: entry.by,
        pos: entry.pos.iter().filter_map(|p| p.parse().ok()).collect(),
        allow: entry.kind == EntryKind::Allow,
        active: entry.active,
        when: None,
    }
}
