//! Phrase tables on documents tagged by hand.

mod toy;

use glosa_metric::MatchBy;
use glosa_metric::phrases::{Hit, PhraseIndexBuilder, PhraseRow};
use glosa_text::Upos;
use toy::{Bench, document, tokenize};

fn hits(rows: Vec<PhraseRow>, tagged: &str) -> Vec<String> {
    let document = document(tagged);
    let mut builder = PhraseIndexBuilder::new(&tokenize);
    builder.table(7, rows);
    let index = builder.build().unwrap();
    let hits = index.scan(&document, &[7]);
    hits.of(7)
        .iter()
        .map(|hit| {
            let tokens = hit.tokens.start as usize..hit.tokens.end as usize;
            format!("{} {}+{}", hit.row, document.slice(document.span_of_tokens(tokens)), hit.rest)
        })
        .collect()
}

fn by(phrase: &str, by: MatchBy) -> PhraseRow {
    PhraseRow { by, ..PhraseRow::form(phrase) }
}

#[test]
fn the_leftmost_longest_row_wins() {
    let rows = ["a fin de", "a fin de que", "fin", "que pague"].map(PhraseRow::form).into();
    assert_eq!(hits(rows, "Escribo a fin de que pague fin"), ["1 a fin de que+0", "2 fin+0"]);
}

#[test]
fn phrases_start_and_end_with_tokens_and_stay_in_their_sentence() {
    let rows = vec![PhraseRow::form("con el fin de"), PhraseRow::form("in")];
    assert!(hits(rows, "con el fin | de pagar sin fin").is_empty());
}

#[test]
fn capitals_and_typographic_apostrophes_do_not_matter() {
    assert_eq!(hits(vec![PhraseRow::form("d'acord amb")], "D’acord amb la llei"), ["0 D’acord amb+0"]);
}

#[test]
fn inflected_words_are_found_by_lemma() {
    let rows = vec![by("llevar a cabo", MatchBy::Lemma), by("parte integrante", MatchBy::Lemmas)];
    assert_eq!(
        hits(rows, "Llevaron/VERB/llevar a cabo partes/NOUN/parte integrantes/ADJ/integrante"),
        ["0 Llevaron a cabo+0", "1 partes integrantes+0"]
    );
}

#[test]
fn the_part_of_speech_guards_the_first_word() {
    let row = || PhraseRow { pos: vec![Upos::Noun], ..PhraseRow::form("cura") };
    assert_eq!(hits(vec![row()], "el cura/NOUN cura/VERB"), ["0 cura+0"]);
    assert!(hits(vec![row()], "la cura/VERB").is_empty());
}

#[test]
fn allowed_terms_hide_what_is_inside_them() {
    let allow = PhraseRow { allow: true, ..PhraseRow::form("plazo de gracia") };
    let rows = vec![PhraseRow::form("gracia"), allow, PhraseRow::form("plazo de gracia legal")];
    assert_eq!(
        hits(rows, "plazo de gracia | la gracia | plazo de gracia legal"),
        ["0 gracia+0", "2 plazo de gracia legal+0"]
    );
}

#[test]
fn a_contraction_ends_a_phrase() {
    let rows = || vec![PhraseRow::form("a través de"), PhraseRow::form("el mismo")];
    let tagged = "a través del/ADP/de//de:ADP:de+el:DET:el correo del/ADP/de//de:ADP:de+el:DET:el mismo";
    assert_eq!(hits(rows(), tagged), ["0 a través del+1"]);
}

#[test]
fn tables_that_are_not_active_are_silent() {
    let document = document("a fin de pagar");
    let mut builder = PhraseIndexBuilder::new(&tokenize);
    builder.table(1, [PhraseRow::form("a fin de")]);
    builder.table(2, [PhraseRow { active: false, ..PhraseRow::form("a") }, PhraseRow::form("fin de")]);
    let index = builder.build().unwrap();
    let hits = index.scan(&document, &[2]);
    assert!(hits.of(1).is_empty());
    assert_eq!(hits.of(2), [Hit { tokens: 1..3, row: 1, rest: 0 }]);
    assert!(index.scan(&document, &[]).of(1).is_empty());
}

#[test]
fn rows_without_words_are_all_named() {
    let mut builder = PhraseIndexBuilder::new(&tokenize);
    builder.table(3, [PhraseRow::form(" "), PhraseRow::form("x"), PhraseRow::form("")]);
    assert_eq!(builder.build().unwrap_err().len(), 2);
}

const TABLE: &str = "\
version: 1.0.0
substitute:
  con el fin de: para
  a través de: por
  con respecto a: [sobre, en cuanto a]
  rogamos: ~
  por medio de la presente: ''
  handicap: {to: obstáculo, by: lemma}
  previo: {to: anterior, edit: none}
  cabe a: a
";

#[test]
fn replacements_keep_capitals_and_contractions() {
    let bench = Bench::default();
    assert_eq!(bench.fixed(TABLE, "Con el fin de pagar"), "Para pagar");
    assert_eq!(bench.fixed(TABLE, "CON EL FIN DE PAGAR"), "PARA PAGAR");
    assert_eq!(bench.fixed(TABLE, "va a través del/ADP/de//de:ADP:de+el:DET:el correo"), "va por el correo");
    assert_eq!(bench.fixed(TABLE, "cabe al/ADP/a//a:ADP:a+el:DET:el lado"), "al lado");
    assert_eq!(bench.fixed(TABLE, "muchos handicaps/NOUN/handicap/Number=Plur hay"), "muchos obstáculos hay");
    assert_eq!(bench.fixed(TABLE, "un handicap/NOUN hay"), "un obstáculo hay");
    assert_eq!(bench.fixed(TABLE, "le rogamos previo pago"), "le rogamos previo pago");
}

#[test]
fn an_empty_replacement_deletes_with_its_space_and_comma() {
    let bench = Bench::default();
    assert_eq!(bench.fixed(TABLE, "Por medio de la presente ~, le informo"), "Le informo");
    assert_eq!(bench.fixed(TABLE, "Le informo por medio de la presente ~."), "Le informo.");
    assert_eq!(bench.fixed(TABLE, "Le digo por medio de la presente que no"), "Le digo que no");
}

#[test]
fn replacements_and_facts() {
    let (_, sink) = Bench::default().run(TABLE, "con respecto a eso");
    let finding = &sink.findings[0];
    assert_eq!(finding.replacement.as_deref(), Some("sobre"));
    assert_eq!(finding.alternatives, ["en cuanto a"]);
    let (_, sink) = Bench::default().run(TABLE, "un previo aviso");
    assert_eq!(sink.findings[0].replacement.as_deref(), Some("anterior"));
    assert!(sink.findings[0].edits.is_empty());
}

#[test]
fn gates_count_against_the_text() {
    let bench = Bench::default().params("  max: {type: number, default: 1, meaning: m}\n");
    let yaml = "version: 1.0.0\nreport: {over: $max, per: 10 words}\nsubstitute: {rogamos: ~}\n";
    let silent = "rogamos a b c d e f g h i j";
    assert_eq!(bench.marked(yaml, silent), silent);
    assert_eq!(bench.marked(yaml, "rogamos a b rogamos"), "<rogamos> a b <rogamos>");
    let trial = Bench { trial: true, ..Bench::default().params("  max: {type: number, default: 1, meaning: m}\n") };
    assert_eq!(trial.marked(yaml, "rogamos a b c d e f g h i j"), "<rogamos> a b c d e f g h i j");
}
