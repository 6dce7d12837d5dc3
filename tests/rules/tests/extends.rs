//! A glossary that takes rows over from another one is, for the contract and for reports, the glossary that would stand there if
//! somebody had copied them.
#![allow(clippy::disallowed_methods, reason = "a test that writes files")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use glosa_host::{Roots, Snapshot, load};
use glosa_report::build;
use glosa_text::Language;

const ROWS: &str = "  - {term: abonar, replacement: pagar, by: lemma, pos: VERB, when: {not_followed_by: {lemma: campo}}, \
                    examples: {bad: ['Puede <abonar> la tasa.']}}\n";
const NAME: &str = "  - {term: abono transporte, kind: allow}\n";
const REMIT: &str = "  - {term: remitir, replacement: enviar, by: lemma, pos: VERB}\n";
const OWN: &str = "  - {term: incoar, replacement: abrir, by: lemma, pos: VERB}\n  - {term: finalizar, replacement: acabar, by: lemma, pos: VERB}\n";

fn loaded(root: &Path, of_domain: &str, of_type: &str) -> Snapshot {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let shared = ["rules/categories.yaml", "rules/capabilities.yaml", "rules/notes.yaml", "genres/occurrences.yaml"];
    for file in shared {
        put(root, file, &fs::read_to_string(top.join(file)).expect("a shipped file"));
    }
    let whole = format!(
        "title: T\nrows:\n{ROWS}{NAME}{REMIT}  - {{term: finalizar, replacement: terminar, by: lemma, pos: VERB}}\n"
    );
    let files = [
        ("rules/sample/metric.yaml", "id: sample\nkind: rule\ncategory: vocabulary\norder: 1\n"),
        (
            "rules/sample/es.yaml",
            "version: 1.0.0\nglossaries: [terms]\nmatch: [{glossary: terms, as: term}]\nfix: '{term.replacement}'\n",
        ),
        (
            "rules/sample/docs/es.yaml",
            "documentation: {title: Muestra, summary: Una muestra.}\nreport: {summary: 'Hay {count}.'}\n",
        ),
        ("genres/test/domain.yaml", "names: {es: Prueba, ca: Prova, en: Test}\n"),
        ("genres/test/note/genre.yaml", "names: {es: Nota, ca: Nota, en: Note}\n"),
        ("genres/test/note/es.yaml", "sections: []\n"),
        ("genres/test/letter/genre.yaml", "names: {es: Carta, ca: Carta, en: Letter}\n"),
        ("genres/test/letter/es.yaml", "sections: []\n"),
        ("glossaries/terms.es.yaml", &whole),
        ("glossaries/test/terms.es.yaml", of_domain),
        ("glossaries/test/letter/terms.es.yaml", of_type),
    ];
    for (path, text) in files {
        put(root, path, text);
    }
    let roots = Roots { folders: vec![root.to_owned()], plugins: Vec::new() };
    load(&roots).unwrap_or_else(|problems| panic!("{}", problems.iter().map(ToString::to_string).collect::<String>()))
}

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// What the contract shows of the glossaries of each genre, all their rows, and the report on a text.
fn seen(snapshot: &Snapshot) -> Vec<String> {
    let text =
        "Puede abonar campos y abonar la tasa con el abono transporte. Remita el pago. Finalice y no incoe nada.";
    let mut seen = Vec::new();
    for slug in ["note", "letter"] {
        let genre = snapshot.catalog.find(Language::Es, Some("test"), slug).expect("a genre");
        for resolved in &genre.1.glossaries {
            let glossary = &resolved.glossary;
            let (rows, inherited) = (glossary.active_entries(), resolved.inherited());
            seen.push(format!("{} {} {:?} {rows} {inherited}", glossary.key, glossary.title, glossary.level));
            let plain = |entry: &glosa_metric::GlossaryEntry| {
                format!("{:?}", glosa_metric::GlossaryEntry { examples: Default::default(), ..entry.clone() })
            };
            seen.extend(glossary.entries.iter().map(plain));
        }
        let report = build(&snapshot.engine, genre, Language::Es, text, &mut |_| {}, &Arc::default());
        seen.push(serde_json::to_string(&report.expect("a report")).expect("JSON"));
    }
    seen
}

#[test]
fn rows_that_are_taken_over_are_those_that_were_copied() {
    let (copied, extended) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let copies = seen(&loaded(
        copied.path(),
        &format!(
            "title: D\nrows:\n{ROWS}{NAME}  - {{term: finalizar, replacement: acabar, by: lemma, pos: VERB}}\n  - {{term: incoar, replacement: abrir, by: lemma, pos: VERB}}\n"
        ),
        &format!(
            "title: L\nrows:\n{ROWS}  - {{term: finalizar, replacement: acabar, by: lemma, pos: VERB}}\n  - {{term: incoar, replacement: abrir, by: lemma, pos: VERB}}\n"
        ),
    ));
    let differences = seen(&loaded(
        extended.path(),
        &format!("title: D\nextends: terms\nwithout: [Remitir]\nrows:\n{OWN}"),
        "title: L\nextends: test/terms\nwithout: [abono transporte]\n",
    ));
    assert_eq!(copies, differences);
    let reports: Vec<&String> = copies.iter().filter(|line| line.starts_with('{')).collect();
    assert_eq!(reports.len(), 2);
    for (report, marks) in reports.into_iter().zip([3, 3]) {
        assert_eq!(report.matches("\"replacement\":\"").count(), marks, "{report}");
    }
}
