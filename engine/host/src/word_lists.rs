//! Lists of words: `rules/lists/<name>.<language>.yaml`, shared by the variants of a language, and those of one variant.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glosa_lingua::Runtime;
use glosa_metric::{ListFile, MetricFile, Problem, WordList, WordLists};
use glosa_text::Language;

use crate::metric_folder::VariantFolder;
use crate::phrase_tables::tokenise;
use crate::reader::Reader;

/// A shared list and its file.
struct Shared {
    file: String,
    list: ListFile,
    made: Option<Arc<WordList>>,
}

/// The shared lists of all roots.
#[derive(Default)]
pub(crate) struct SharedLists {
    lists: BTreeMap<(Language, String), Shared>,
    read: BTreeSet<(Language, String)>,
}

impl SharedLists {
    /// Reads the lists of a root.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) {
        for (file, path) in reader.list(&reader.path("rules/lists")) {
            let shown = reader.name(&path);
            let parsed = file.strip_suffix(".yaml").and_then(|stem| {
                let (name, language) = stem.rsplit_once('.')?;
                Some((name, language.parse::<Language>().ok()?))
            });
            let Some((name, language)) = parsed else {
                let problem = Problem::of(shown, "not the name of a list of words");
                reader.problems.push(problem.help("expected <name>.es.yaml, <name>.ca.yaml or <name>.en.yaml"));
                continue;
            };
            let Some(source) = reader.text(&path) else { continue };
            let (list, problems) = ListFile::read(name, &shown, &source);
            reader.problems.extend(problems);
            let Some(list) = list else { continue };
            let shared = Shared { file: shown.clone(), list, made: None };
            if let Some(before) = self.lists.insert((language, name.to_owned()), shared) {
                reader.problems.push(
                    Problem::of(shown, format!("a shared list of this name is there already: {}", before.file))
                        .help("give one of them another name"),
                );
            }
        }
    }

    /// The names of all lists.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.lists.keys().map(|(_, name)| name.clone()).collect()
    }

    /// The shared lists of a language, which conditions of rows may name.
    pub(crate) fn of_language(&mut self, runtime: &Runtime, language: Language) -> WordLists {
        let tokenize = |text: &str| tokenise(runtime, language, text);
        let mut lists = WordLists::default();
        for ((of, name), shared) in &mut self.lists {
            if *of == language {
                let made = shared.made.get_or_insert_with(|| Arc::new(WordList::new(&shared.list, &tokenize)));
                lists.add(Arc::clone(made));
            } else {
                lists.elsewhere(name, *of);
            }
        }
        lists
    }

    /// Notes the shared lists that a row reads.
    pub(crate) fn note_row(&mut self, language: Language, read: &BTreeSet<String>) {
        self.read.extend(read.iter().map(|name| (language, name.clone())));
    }

    /// The lists that a variant may name. A name that a threshold or a shared list has too is a problem.
    pub(crate) fn of_variant(
        &mut self,
        runtime: &Runtime,
        language: Language,
        manifest: &MetricFile,
        folder: &VariantFolder,
        problems: &mut Vec<Problem>,
    ) -> WordLists {
        let tokenize = |text: &str| tokenise(runtime, language, text);
        let mut lists = self.of_language(runtime, language);
        for own in &folder.variant.lists {
            let name = &own.name;
            let other = match self.lists.get(&(language, name.value.clone())) {
                Some(shared) => Some(format!("there is a shared list `{}`: {}", name.value, shared.file)),
                None if manifest.params.contains_key(&name.value) => {
                    Some(format!("`{}` is a threshold of metric.yaml too", name.value))
                }
                None => None,
            };
            if let Some(message) = other {
                problems.push(
                    Problem::of(&folder.file, message)
                        .at(name.at.line.into(), name.at.column.into())
                        .show(&folder.source)
                        .help("both are read as `$name`: give the list another name"),
                );
            }
            lists.add(Arc::new(WordList::new(own, &tokenize)));
        }
        lists
    }

    /// Notes what a variant reads; a list of its own that it never reads is a problem.
    pub(crate) fn note(
        &mut self,
        language: Language,
        folder: &VariantFolder,
        read: &BTreeSet<String>,
        problems: &mut Vec<Problem>,
    ) {
        for name in read {
            self.read.insert((language, name.clone()));
        }
        for own in folder.variant.lists.iter().filter(|own| !read.contains(&own.name.value)) {
            let name = &own.name.value;
            problems.push(
                Problem::of(&folder.file, format!("nothing reads the list `{name}`"))
                    .at(own.name.at.line.into(), own.name.at.column.into())
                    .show(&folder.source)
                    .help(format!("name it in a pattern, `${name}`, or in the script, `lists.{name}`; or delete it")),
            );
        }
    }

    /// Shared lists that no variant reads.
    pub(crate) fn unread(&self, problems: &mut Vec<Problem>) {
        for ((_, name), shared) in self.lists.iter().filter(|(key, _)| !self.read.contains(*key)) {
            problems.push(
                Problem::of(&shared.file, "no variant of this language reads this list").help(format!(
                    "name it in a pattern, `${name}`, or in a script, `lists.{name}`; or delete the file"
                )),
            );
        }
    }
}

/// Lexicon tags of verb forms that the tagger may take for adjectives or nouns, which have the form itself as their lemma.
const PARTICIPLES: [&str; 4] = ["VMP00SM", "VMP0SM", "VBN", "VBG"];

/// The dictionary forms of a word that the lexicon knows only as a form of others.
pub(crate) fn lemmas_of_form(runtime: &Runtime, language: Language, word: &str) -> Vec<String> {
    let lexicon = runtime.lexicon(language);
    if PARTICIPLES.iter().any(|tag| lexicon.has_tag(word, tag)) {
        return Vec::new();
    }
    let mut lemmas = Vec::new();
    for reading in lexicon.readings(word) {
        match lexicon.lemma(word, *reading) {
            Some(lemma) if lemma == word => return Vec::new(),
            Some(lemma) if !lemmas.contains(&lemma) => lemmas.push(lemma),
            _ => {}
        }
    }
    lemmas
}

/// The participles of verbs, each looked for once a load: lists of verbs are named by many patterns.
pub(crate) struct Participles<'r> {
    runtime: &'r Runtime,
    found: RefCell<BTreeMap<(Language, String), Vec<String>>>,
}

impl<'r> Participles<'r> {
    pub(crate) fn new(runtime: &'r Runtime) -> Self {
        Participles { runtime, found: RefCell::default() }
    }

    /// Those of a verb, in all genders and numbers; empty where the language knows none.
    pub(crate) fn of(&self, language: Language, verb: &str) -> Vec<String> {
        let mut found = self.found.borrow_mut();
        let search = || self.runtime.participles(language, verb);
        found.entry((language, verb.to_owned())).or_insert_with(search).clone()
    }
}
