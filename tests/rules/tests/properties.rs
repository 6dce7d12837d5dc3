//! Promises of the report on any Unicode text, in every language, with the rules as they are.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use glosa_host::{Roots, Snapshot};
use glosa_report::{ReportResult, apply, build, violations};
use glosa_text::Language;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(|| {
    let roots = Roots::find(Some(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), &[]).expect("the checkout");
    glosa_host::load(&roots).unwrap_or_else(|problems| panic!("{problems:#?}"))
});

fn report(language: Language, genre: usize, text: &str) -> ReportResult {
    let genres: Vec<_> =
        SNAPSHOT.catalog.genres().iter().filter_map(|g| Some((g, g.editions.get(&language)?))).collect();
    let stop = Arc::new(AtomicBool::new(false));
    build(&SNAPSHOT.engine, genres[genre % genres.len()], language, text, &mut |_| {}, &stop).expect("a report")
}

/// Pieces that rules react to, with user-perceived characters of several code points beside, inside and between them.
fn clustered() -> impl Strategy<Value = String> {
    let marks = prop::sample::select(vec![
        "\u{301}",
        "\u{303}\u{327}",
        "\u{200D}",
        "\u{FE0F}",
        "\u{1F3FD}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        "\u{1F44D}\u{1F3FD}",
        "\u{1F1EA}",
        "\u{1F1EA}\u{1F1F8}",
        "1\u{FE0F}\u{20E3}",
        "\u{1112}",
        "\u{1161}",
        "\u{11AB}",
        "\u{1112}\u{1161}\u{11AB}",
        "\u{915}\u{94D}\u{937}\u{93F}",
        "\u{94D}",
        "\u{E33}",
        "\u{600}",
        "\r\n",
        " ",
    ]);
    let pieces = prop::sample::select(vec![
        "con el fin de",
        "la la",
        "a  b",
        "(uno",
        "dos)",
        "\"tres\"",
        "«cuatro»",
        "5.000,00",
        "1/2/24",
        "OMS",
        "...",
        "!!!",
        "¿Qué?",
        "los/as",
        "se llevó a cabo",
        "usted tienes",
        "per tal de",
        "col.legi",
        "in order to",
        "was written by",
        "- item\n",
        ", ",
        " . ",
    ]);
    let piece = prop_oneof![3 => marks, 4 => pieces].prop_map(str::to_owned);
    prop::collection::vec(piece, 0..40).prop_map(|parts| parts.concat())
}

/// Any characters, mixed with pieces that rules react to.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "con el fin de ",
        "A nivel de calle,  la la ",
        "per tal de ",
        "in order to ",
        "the the ",
        "OMS ",
        "1.º ",
        "\r\n",
        "\n\n",
        "\u{FEFF}",
        "\u{0}",
        "e\u{301}",
        "👩‍👩‍👧 ",
        "ad\u{AD}mi\u{AD}nis ",
        "l’avi ",
        "col·legi ",
        "«¿Qué?» ",
        "# Plazo\n",
        "- uno\n",
        " ",
        "Le comunicamos que, de conformidad con la normativa, ",
        "Us comuniquem que ",
        "You must ",
        ". ",
        "!!! ",
        "…",
        "(",
        ")",
    ]);
    let any = "\\PC{0,12}".prop_map(|s| s);
    let piece = prop_oneof![3 => pieces.prop_map(str::to_owned), 1 => any];
    prop::collection::vec(piece, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn reports_keep_every_promise(text in texts(), language in 0usize..3, genre in 0usize..100) {
        let language = Language::ALL[language];
        let result = report(language, genre, &text);
        prop_assert_eq!(violations(&result, &text), vec![]);
        let code_points: Vec<char> = text.chars().collect();
        for o in result.recommendations.iter().flat_map(|r| &r.occurrences) {
            if let (Some(start), Some(end)) = (o.start, o.end) {
                let slice: String = code_points[start as usize..end as usize].iter().collect();
                prop_assert_eq!(&slice, &o.text);
            }
        }
        let mut edits: Vec<_> =
            result.recommendations.iter().flat_map(|r| &r.occurrences).flat_map(|o| o.edits.clone()).collect();
        edits.sort_by_key(|e| std::cmp::Reverse((e.start, e.end)));
        let gone: u32 = edits.iter().map(|e| e.end - e.start).sum();
        let come: usize = edits.iter().map(|e| e.text.chars().count()).sum();
        prop_assert_eq!(apply(&text, &edits).chars().count(), code_points.len() - gone as usize + come);
    }

    #[test]
    fn no_place_and_no_edit_cuts_a_character(text in clustered(), language in 0usize..3, genre in 0usize..100) {
        let language = Language::ALL[language];
        let result = report(language, genre, &text);
        prop_assert_eq!(violations(&result, &text), vec![]);
        let mut edges = std::collections::BTreeSet::from([0]);
        let mut at = 0;
        for cluster in text.graphemes(true) {
            at += cluster.chars().count() as u32;
            edges.insert(at);
        }
        for o in result.recommendations.iter().flat_map(|r| &r.occurrences) {
            let own = o.start.into_iter().chain(o.end);
            let edits = o.edits.iter().flat_map(|e| [e.start, e.end]);
            let spans = o.spans.iter().flat_map(|s| [s.start, s.end]);
            let connectors = o.connectors.iter().flat_map(|c| [c.start, c.end]);
            for edge in own.chain(edits).chain(spans).chain(connectors) {
                prop_assert!(edges.contains(&edge), "{} cuts a character at {}", o.text, edge);
            }
        }
    }

    #[test]
    fn the_same_text_and_genre_give_the_same_bytes(text in texts(), language in 0usize..3, genre in 0usize..100) {
        let language = Language::ALL[language];
        let once = serde_json::to_string(&report(language, genre, &text)).expect("json");
        let twice = serde_json::to_string(&report(language, genre, &text)).expect("json");
        prop_assert_eq!(once, twice);
    }
}
