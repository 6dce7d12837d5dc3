//! What does no harm and is hardly meant: files, columns and rows that nothing reads, variants that show nothing,
//! documentation that is missing. A service starts in spite of it; `rules check` tells.

use std::collections::{BTreeMap, BTreeSet};

use glosa_lingua::Runtime;
use glosa_metric::{EntryKind, Form, GlossaryEntry, Kind, MatchBy, Problem, did_you_mean};
use glosa_text::{Block, BlockKind, Language, Layout, feature, normal_form};

use crate::glossary_files::{ReadGlossary, Shelves};
use crate::metric_folder::{MetricFolder, VariantFolder};
use crate::reader::Unread;
use crate::word_lists::lemmas_of_form;

/// Columns that the program itself reads: the explanation of an `explain` row.
const OWN_COLUMNS: [&str; 1] = ["definition"];

/// The glossaries of words that people do not understand.
const PLAIN: &str = "plain-terms";

/// Remarks on the files of all roots.
pub(crate) fn of_files(
    runtime: &Runtime,
    metrics: &[MetricFolder],
    shelves: &Shelves,
    shared: &BTreeMap<String, (String, String)>,
    unread: &Unread,
) -> Vec<Problem> {
    let mut remarks = shelves.repeated.clone();
    for folder in metrics {
        documentation(folder, &mut remarks);
        for (language, variant) in &folder.variants {
            examples(folder, variant, &mut remarks);
            for row in variant.variant.rows() {
                let dead = dead_words(runtime, *language, &row.phrase, row.by);
                remarks.extend(dead.map(|(said, help)| {
                    Problem::of(&variant.file, said)
                        .at(row.phrase.at.line.into(), row.phrase.at.column.into())
                        .show(&variant.source)
                        .help(help)
                }));
            }
        }
    }
    for glossary in &shelves.read {
        if !unread.variants && unread.catalog.metrics.is_empty() {
            readers(glossary, metrics, shelves, shared, &mut remarks);
        }
        rows(runtime, glossary, &mut remarks);
        without_examples(glossary, &mut remarks);
    }
    remarks
}

fn folder_name(folder: &MetricFolder) -> String {
    let file = folder.variants.values().next().map(|variant| variant.file.as_str());
    let dir = file.and_then(|file| file.rsplit_once('/')).map(|(dir, _)| dir.to_owned());
    dir.unwrap_or_else(|| format!("rules/{}", folder.manifest.id))
}

fn documentation(folder: &MetricFolder, remarks: &mut Vec<Problem>) {
    let dir = folder_name(folder);
    for language in Language::ALL.iter().filter(|language| !folder.docs.contains_key(language)) {
        let file = format!("{dir}/docs/{language}.yaml");
        let shown = std::iter::once(*language).chain(Language::ALL).find(|l| folder.docs.contains_key(l));
        let Some(shown) = shown else { continue };
        let what = if folder.variants.contains_key(language) { "reports and the catalogue" } else { "the catalogue" };
        remarks.push(
            Problem::of(file, format!("the documentation is missing: {what} in {language} will show that in {shown}"))
                .help(format!("write it; docs/{shown}.yaml shows what it holds")),
        );
    }
}

fn examples(folder: &MetricFolder, variant: &VariantFolder, remarks: &mut Vec<Problem>) {
    let examples = &variant.variant.examples;
    let (none, help) = match folder.manifest.kind {
        Kind::Measurement => (examples.values.is_empty(), "add `examples: {values: [{text: …, value: …}]}`"),
        Kind::Rule => (
            examples.bad.is_empty() && examples.todo_bad.is_empty(),
            "add `examples:` with a `bad` one for each thing that it finds and `good` ones that come near",
        ),
    };
    if none && variant.variant.enabled && variant.variant.unavailable.is_none() {
        remarks.push(
            Problem::of(&variant.file, "the variant has no example: nothing shows that it finds anything").help(help),
        );
    }
}

/// Words with a plainer equivalent have second senses: each row shows where it holds.
fn without_examples(glossary: &ReadGlossary, remarks: &mut Vec<Problem>) {
    if glossary.key != PLAIN {
        return;
    }
    let advises = |row: &&GlossaryEntry| row.active && row.kind != EntryKind::Allow;
    let bare: Vec<_> = glossary.own().filter(advises).filter(|row| row.examples.bad.is_empty()).collect();
    if let Some(first) = bare.first() {
        let said = format!("{} rows have no example of their own; `{}` is the first", bare.len(), first.term);
        remarks.push(Problem::of(&glossary.file, said).near(&glossary.source, &["term:", &first.term]).help(
            "write `examples: {bad: ['A sentence with the <term>.'], good: ['One where it means something else.']}`",
        ));
    }
}

/// Who reads a glossary, and which of its columns.
fn readers(
    glossary: &ReadGlossary,
    metrics: &[MetricFolder],
    shelves: &Shelves,
    shared: &BTreeMap<String, (String, String)>,
    remarks: &mut Vec<Problem>,
) {
    let reading: Vec<(&MetricFolder, &VariantFolder)> = metrics
        .iter()
        .filter_map(|folder| Some((folder, folder.variants.get(&glossary.language)?)))
        .filter(|(_, variant)| variant.variant.glossaries.contains(&glossary.key))
        .collect();
    if reading.is_empty() {
        let keys: BTreeSet<&str> = metrics
            .iter()
            .flat_map(|folder| folder.variants.values())
            .flat_map(|variant| variant.variant.glossaries.iter().map(String::as_str))
            .filter(|key| *key != glossary.key && shelves.shelf.has(glossary.language, key))
            .collect();
        let help = match did_you_mean(&glossary.key, keys.iter().copied()) {
            Some(near) => format!("is it meant for `{near}`? Otherwise list its key under `glossaries:` of a variant"),
            None => format!(
                "list `{}` under `glossaries:` of a variant in {}, or delete the file",
                glossary.key, glossary.language
            ),
        };
        remarks.push(Problem::of(&glossary.file, "no rule reads this glossary").help(help));
        return;
    }
    if reading.iter().any(|(_, variant)| matches!(variant.variant.form.as_deref(), Some(Form::Native(_)))) {
        return;
    }
    let columns: BTreeSet<&String> = glossary.own().flat_map(|row| row.data.keys()).collect();
    for column in columns.into_iter().filter(|column| !OWN_COLUMNS.contains(&column.as_str())) {
        let read =
            reading.iter().any(|(folder, variant)| reads_column(column, glossary.language, folder, variant, shared));
        if !read {
            let names: Vec<&str> = reading.iter().map(|(folder, _)| folder.manifest.id.as_str()).collect();
            remarks.push(
                Problem::of(
                    &glossary.file,
                    format!("no rule reads the column `{column}` ({} read the glossary)", names.join(", ")),
                )
                .near(&glossary.source, &[&format!("{column}:")])
                .help("delete the column, or show it in the wording or a template of the rule"),
            );
        }
    }
}

/// Whether a name of a column stands in what a variant is made of.
fn reads_column(
    column: &str,
    language: Language,
    folder: &MetricFolder,
    variant: &VariantFolder,
    shared: &BTreeMap<String, (String, String)>,
) -> bool {
    let scripts = variant.script.iter().map(|(_, text)| text);
    let used = variant.variant.uses().iter().filter_map(|name| shared.get(&name.value)).map(|(_, text)| text);
    let mut texts: Vec<&str> = scripts.chain(used).map(String::as_str).collect();
    texts.push(&variant.source);
    let wording = folder.docs.get(&language).and_then(|docs| docs.report.as_ref());
    let wording = wording.map(|report| format!("{report:?}")).unwrap_or_default();
    texts.push(&wording);
    texts.iter().any(|text| is_a_word_of(column, text))
}

fn is_a_word_of(name: &str, text: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(inside) && !text[at + name.len()..].starts_with(inside))
}

fn rows(runtime: &Runtime, glossary: &ReadGlossary, remarks: &mut Vec<Problem>) {
    let mut seen: BTreeMap<String, Vec<&GlossaryEntry>> = BTreeMap::new();
    for entry in glossary.own().filter(|entry| entry.active) {
        let remark = |said: String| Problem::of(&glossary.file, said).near(&glossary.source, &["term:", &entry.term]);
        if let Some((said, help)) = dead_words(runtime, glossary.language, &entry.term, entry.by) {
            remarks.push(remark(said).help(help));
        }
        let before = seen.entry(normal_form(&entry.term)).or_default();
        let overlaps = |other: &&&GlossaryEntry| other.pos == entry.pos || other.pos.is_none() || entry.pos.is_none();
        let advises = |entry: &GlossaryEntry| entry.kind != EntryKind::Allow;
        if let Some(other) = before.iter().find(overlaps).filter(|other| advises(other) && advises(entry)) {
            let name = |by: MatchBy| match by {
                MatchBy::Form => "form",
                MatchBy::Lemma => "lemma",
                MatchBy::Lemmas => "lemmas",
            };
            let said = format!(
                "`{}` stands here twice, with `by: {}` and with `by: {}`: where both match, the first row is used",
                entry.term,
                name(other.by),
                name(entry.by)
            );
            remarks.push(remark(said).help("keep one row, or give each its `pos`"));
        }
        before.push(entry);
    }
}

/// Why no text can have a phrase: a word that is to be a dictionary form and is an inflected one.
fn dead_words(runtime: &Runtime, language: Language, phrase: &str, by: MatchBy) -> Option<(String, String)> {
    if by == MatchBy::Form {
        return None;
    }
    let words: Vec<String> = phrase.split_whitespace().map(normal_form).collect();
    let count = if by == MatchBy::Lemmas { words.len() } else { 1 };
    let inflected = words.iter().take(count).find_map(|word| {
        let lemmas = lemmas_of_form(runtime, language, word);
        let dead = !lemmas.is_empty() && !may_be_lemma(runtime, language, word);
        dead.then(|| (word, lemmas.join("` or `")))
    });
    inflected.map(|(norm, lemma)| {
        let by = if by == MatchBy::Lemma { "lemma" } else { "lemmas" };
        (
            format!("`{phrase}` matches nothing: with `by: {by}` it needs dictionary forms, and `{norm}` is none"),
            format!("write `{lemma}`, or `by: form`"),
        )
    })
}

/// Whether the tagger may take a form for a dictionary form although the lexicon knows it as an inflected one: a participle
/// that is an adjective.
fn may_be_lemma(runtime: &Runtime, language: Language, word: &str) -> bool {
    let block = Block { kind: BlockKind::Paragraph, bytes: 0..word.len(), content: 0..word.len() };
    let document = runtime.analyse(language, word, Layout { blocks: vec![block] });
    let token = document.tokens().first();
    token.is_some_and(|token| {
        normal_form(document.string(token.lemma)) == word
            || feature(document.string(token.feats), "VerbForm") == Some("Part")
    })
}
