//! Glossary files: the path is the level of the cascade.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use glosa_catalog::GlossaryShelf;
use glosa_metric::phrases::PhraseRow;
use glosa_metric::yaml::{At, Node, Value, tree};
use glosa_metric::{EntryKind, Glossary, GlossaryEntry, GlossaryFile, Located, Problem, SourceLevel};
use glosa_text::{Language, Upos, normal_form};

use crate::extends;
use crate::reader::{Reader, Unread};

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
    /// Rows that say what the extended file says.
    pub repeated: Vec<Problem>,
    found: Vec<FoundGlossary>,
    terms: BTreeMap<(Language, String, String), (String, String)>,
}

/// A glossary file as it is written, before it takes rows over.
pub(crate) struct FoundGlossary {
    pub file: String,
    pub source: String,
    pub language: Language,
    /// Its path below `glossaries`, without language and ending: what `extends` names.
    pub path: String,
    pub extends: Option<Located<String>>,
    pub without: Vec<Located<String>>,
    pub entries: Vec<GlossaryEntry>,
    pub rows: Vec<RowNodes>,
    key: String,
    title: String,
    domain: Option<String>,
    text_type: Option<String>,
}

impl FoundGlossary {
    /// A problem at a place of the file.
    pub(crate) fn shown(&self, at: &Located<String>, said: String) -> Problem {
        Problem::of(&self.file, said).at(at.at.line.into(), at.at.column.into()).show(&self.source)
    }
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

impl ReadGlossary {
    /// The rows that stand in the file itself.
    pub(crate) fn own(&self) -> impl Iterator<Item = &GlossaryEntry> {
        self.entries.iter().zip(&self.rows).filter(|(_, nodes)| nodes.from.is_none()).map(|(entry, _)| entry)
    }
}

/// What of a row is read from the tree of its file.
#[derive(Clone, Default)]
pub(crate) struct RowNodes {
    pub at: At,
    pub when: Option<Node>,
    /// The file, by its number, and the row of it that is taken over here.
    pub from: Option<(usize, usize)>,
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
        let nodes = FileNodes::of(&source, entries.len());
        self.found.push(FoundGlossary {
            file: shown,
            language,
            path: [domain, text_type, Some(key)].into_iter().flatten().collect::<Vec<_>>().join("/"),
            extends: file.extends.map(|name| Located { value: name, at: nodes.extends }),
            without: located(file.without, &nodes.without),
            entries,
            rows: nodes.rows,
            source,
            key: key.to_owned(),
            title: file.title,
            domain: domain.map(str::to_owned),
            text_type: text_type.map(str::to_owned),
        });
    }

    /// Takes over the rows of extended files, once all roots are read, and puts the glossaries on the shelf.
    pub(crate) fn finish(&mut self, unread: &Unread, problems: &mut Vec<Problem>) {
        let found = std::mem::take(&mut self.found);
        let (rows, repeated) = extends::resolve(&found, unread, problems);
        self.repeated = repeated;
        for (file, rows) in found.into_iter().zip(rows) {
            let (entries, rows): (Vec<GlossaryEntry>, Vec<RowNodes>) = rows.into_iter().unzip();
            let (domain, text_type) = (file.domain.as_deref(), file.text_type.as_deref());
            let place = [domain, text_type].into_iter().flatten().collect::<Vec<_>>().join("/");
            for entry in &entries {
                self.check(problems, (&file.file, &file.source), &file.key, file.language, &place, entry);
            }
            let level = match (domain, text_type) {
                (_, Some(_)) => SourceLevel::TextType,
                (Some(_), None) => SourceLevel::Domain,
                _ => SourceLevel::Global,
            };
            let table = self.next_table(file.language);
            let phrases = entries.iter().map(row).collect();
            self.tables.entry(file.language).or_default().push((table, phrases));
            self.files.insert((file.language, table), file.file.clone());
            let glossary = Glossary {
                key: file.key.clone(),
                title: file.title,
                level,
                table,
                entries: entries.clone(),
                rows: Default::default(),
            };
            self.shelf.add(file.language, domain, text_type, Arc::new(glossary));
            let FoundGlossary { file, source, language, key, .. } = file;
            self.read.push(ReadGlossary { file, language, key, source, entries, table, rows });
        }
    }

    fn check(
        &mut self,
        problems: &mut Vec<Problem>,
        (file, source): (&str, &str),
        key: &str,
        language: Language,
        place: &str,
        entry: &GlossaryEntry,
    ) {
        let term = normal_form(&entry.term);
        let mut wrong = |message: String, help: &str| {
            problems.push(Problem::of(file, message).near(source, &["term:", &entry.term]).help(help));
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

/// What of a file is read from its tree.
struct FileNodes {
    extends: At,
    without: Vec<At>,
    rows: Vec<RowNodes>,
}

impl FileNodes {
    fn of(source: &str, rows: usize) -> FileNodes {
        let mut nodes =
            FileNodes { extends: At::default(), without: Vec::new(), rows: vec![RowNodes::default(); rows] };
        let Ok(Node { value: Value::Map(keys), .. }) = tree(source) else { return nodes };
        for (key, Node { at, value }) in keys {
            match (key.name.as_str(), value) {
                ("extends", _) => nodes.extends = at,
                ("without", Value::List(list)) => nodes.without = list.iter().map(|term| term.at).collect(),
                ("rows", Value::List(list)) => {
                    for (place, row) in nodes.rows.iter_mut().zip(list) {
                        *place = row_nodes(row);
                    }
                }
                _ => {}
            }
        }
        nodes
    }
}

fn row_nodes(Node { at, value }: Node) -> RowNodes {
    let Value::Map(keys) = value else { return RowNodes { at, ..RowNodes::default() } };
    let when = keys.into_iter().find(|(key, _)| key.name == "when").map(|(_, when)| when);
    RowNodes { at, when, from: None }
}

fn located(values: Vec<String>, places: &[At]) -> Vec<Located<String>> {
    let places = places.iter().copied().chain(std::iter::repeat(At::default()));
    values.into_iter().zip(places).map(|(value, at)| Located { value, at }).collect()
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
