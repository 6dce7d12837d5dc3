//! `extends:` of glossary files: the rows of another file of the same language, less those of `without:`, with the rows of the file
//! itself in place of those of the same term.

use std::collections::{BTreeMap, BTreeSet};

use glosa_metric::yaml::{Node, Value};
use glosa_metric::{GlossaryEntry, Located, Problem, did_you_mean};
use glosa_text::normal_form;

use crate::glossary_files::{FoundGlossary, RowNodes};
use crate::reader::Unread;

/// The rows that each file stands for, in the order of the files, and remarks on rows that say what the extended file says.
pub(crate) fn resolve(
    found: &[FoundGlossary],
    unread: &Unread,
    problems: &mut Vec<Problem>,
) -> (Vec<Rows>, Vec<Problem>) {
    let mut work = Resolver { found, unread, problems, remarks: Vec::new(), done: vec![None; found.len()] };
    for at in 0..found.len() {
        work.rows(at, &mut Vec::new());
    }
    let Resolver { done, remarks, .. } = work;
    (done.into_iter().map(Option::unwrap_or_default).collect(), remarks)
}

/// Rows with their conditions, places and origins.
pub(crate) type Rows = Vec<(GlossaryEntry, RowNodes)>;

struct Resolver<'f> {
    found: &'f [FoundGlossary],
    unread: &'f Unread,
    problems: &'f mut Vec<Problem>,
    remarks: Vec<Problem>,
    done: Vec<Option<Rows>>,
}

impl Resolver<'_> {
    /// The rows of a file; `way` holds the files that extend it.
    fn rows(&mut self, at: usize, way: &mut Vec<usize>) -> Rows {
        if let Some(rows) = &self.done[at] {
            return rows.clone();
        }
        let file = &self.found[at];
        let own: Rows = file.entries.iter().cloned().zip(file.rows.iter().cloned()).collect();
        let rows = match self.parent(at, way) {
            None => own,
            Some(parent) => {
                way.push(at);
                let inherited = self.rows(parent, way);
                way.pop();
                self.joined(at, parent, inherited, own)
            }
        };
        self.done[at] = Some(rows.clone());
        rows
    }

    /// The file that a file extends.
    fn parent(&mut self, at: usize, way: &[usize]) -> Option<usize> {
        let file = &self.found[at];
        let Some(name) = &file.extends else {
            if !file.without.is_empty() {
                let help = "write `extends:` with the glossary whose rows are taken over";
                self.problems.push(file.shown(&file.without[0], "`without` needs `extends`".to_owned()).help(help));
            }
            return None;
        };
        let there = |other: &FoundGlossary| other.language == file.language && other.path == name.value;
        let mut others = self.found.iter().enumerate().filter(|(other, _)| *other != at);
        let Some((parent, _)) = others.rfind(|(_, other)| there(other)) else {
            self.unknown(file, name);
            return None;
        };
        if way.contains(&parent) {
            let start = way.iter().position(|step| *step == parent).unwrap_or(0);
            let circle = way[start..].iter().chain([&at, &parent]).map(|step| self.found[*step].path.as_str());
            let circle = circle.collect::<Vec<_>>().join(" → ");
            let said = format!("`extends` leads in a circle: {circle}");
            self.problems.push(file.shown(name, said).help("take `extends` out of one of these files"));
            return None;
        }
        Some(parent)
    }

    fn unknown(&mut self, file: &FoundGlossary, name: &Located<String>) {
        let key = name.rsplit_once('/').map_or(name.as_str(), |(_, key)| key);
        if self.unread.glossaries.contains(&(file.language, key.to_owned())) {
            return;
        }
        if **name == file.path {
            let help = "name the glossary of a less specific level, such as the one of the language: its key alone";
            self.problems.push(file.shown(name, "a glossary cannot extend itself".to_owned()).help(help));
            return;
        }
        let paths = self.found.iter().filter(|other| other.language == file.language && other.path != file.path);
        let help = match did_you_mean(name, paths.map(|other| other.path.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write its path below glossaries/ without language and ending, such as `plain-terms` or `salud/plain-terms`"
                .to_owned(),
        };
        let said = format!("there is no glossary `{}` in {} to extend", **name, file.language);
        self.problems.push(file.shown(name, said).help(help));
    }

    /// The rows of the extended file that stay, those of the same terms replaced where they stand, and then the other own rows.
    fn joined(&mut self, at: usize, parent: usize, inherited: Rows, own: Rows) -> Rows {
        let (file, extended) = (&self.found[at], &self.found[parent]);
        let mut of_term: BTreeMap<String, Rows> = BTreeMap::new();
        for row in own {
            of_term.entry(normal_form(&row.0.term)).or_default().push(row);
        }
        let known: BTreeSet<String> = inherited.iter().map(|(entry, _)| normal_form(&entry.term)).collect();
        let mut without = BTreeSet::new();
        for term in &file.without {
            let norm = normal_form(term);
            let wrong = match (known.contains(&norm), of_term.contains_key(&norm)) {
                (false, _) => {
                    let near = did_you_mean(&norm, known.iter().map(String::as_str));
                    let near =
                        near.map_or("take it out of `without`".to_owned(), |near| format!("did you mean `{near}`?"));
                    Some((format!("`{}` has no row `{}` to leave out", extended.path, **term), near))
                }
                (true, true) => Some((
                    format!("`{}` is left out and has a row here", **term),
                    format!("take it out of `without`: the row here stands in place of that of `{}`", extended.path),
                )),
                (true, false) if without.contains(&norm) => {
                    Some((format!("`{}` is left out twice", **term), "keep one".to_owned()))
                }
                (true, false) => None,
            };
            self.problems.extend(wrong.map(|(said, help)| file.shown(term, said).help(help)));
            without.insert(norm);
        }
        let mut rows = Rows::new();
        let mut placed = BTreeSet::new();
        for (number, (entry, nodes)) in inherited.iter().enumerate() {
            let norm = normal_form(&entry.term);
            match of_term.get(&norm) {
                Some(own) if placed.insert(norm.clone()) => {
                    let same = inherited.iter().filter(|(entry, _)| normal_form(&entry.term) == norm);
                    if own.iter().map(said).eq(same.map(said)) {
                        let at = own[0].1.at;
                        let remark = format!("the row `{}` says what `{}` says", entry.term, extended.path);
                        let remark = Problem::of(&file.file, remark).at(at.line.into(), at.column.into());
                        self.remarks.push(remark.show(&file.source).help("delete it: it is taken over from there"));
                    }
                    rows.extend(own.iter().cloned());
                }
                Some(_) => {}
                None if without.contains(&norm) => {}
                None => {
                    let from = nodes.from.or(Some((parent, number)));
                    rows.push((entry.clone(), RowNodes { from, ..nodes.clone() }));
                }
            }
        }
        for row in self.found[at].entries.iter().cloned().zip(self.found[at].rows.iter().cloned()) {
            if !placed.contains(&normal_form(&row.0.term)) {
                rows.push(row);
            }
        }
        rows
    }
}

/// What a row does, apart from its place, note and examples.
fn said((entry, nodes): &(GlossaryEntry, RowNodes)) -> String {
    let e = entry;
    let when = nodes.when.as_ref().map(written).unwrap_or_default();
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {:?} {when}",
        e.term, e.replacement, e.alternatives, e.kind, e.status, e.by, e.pos, e.active, e.data
    )
}

/// A value without its places.
fn written(node: &Node) -> String {
    match &node.value {
        Value::Null => "~".to_owned(),
        Value::Scalar { text, .. } => format!("{text:?}"),
        Value::List(list) => format!("{:?}", list.iter().map(written).collect::<Vec<_>>()),
        Value::Map(map) => {
            format!("{:?}", map.iter().map(|(key, node)| (&key.name, written(node))).collect::<Vec<_>>())
        }
    }
}
