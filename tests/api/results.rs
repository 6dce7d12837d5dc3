//! The result of a report, for real texts and for hostile ones.
use crate::harness::client::letter;
use crate::harness::{Client, World};
use crate::reports::genres;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

const TEXTS: [(&str, &str); 3] = [
    ("es", include_str!("texts/carta.es.txt")),
    ("ca", include_str!("texts/fulleto.ca.txt")),
    ("en", include_str!("texts/release.en.txt")),
];

fn variations(text: &str) -> Vec<String> {
    let decomposed: String = text.replace('á', "a\u{301}").replace('ó', "o\u{301}").replace('è', "e\u{300}");
    vec![
        text.to_owned(),
        text.replace('\n', "\r\n"),
        format!("\u{feff}  {text}\u{0}\u{ad}"),
        decomposed,
        text.split_inclusive(' ').map(|word| format!("{word}\u{1f469}\u{200d}\u{1f469} ")).collect(),
    ]
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no list {name}: {value}"))
}

fn word<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("no text {name}: {value}"))
}

fn place(value: &Value) -> Option<(usize, usize)> {
    match (value["start"].as_u64(), value["end"].as_u64()) {
        (Some(start), Some(end)) => Some((start as usize, end as usize)),
        (None, None) => None,
        half => panic!("half a place: {half:?}"),
    }
}

fn slice(characters: &[char], (start, end): (usize, usize)) -> String {
    characters[start..end].iter().collect()
}

fn apply(characters: &[char], edits: &[Value]) -> Vec<char> {
    let mut text = characters.to_vec();
    for edit in edits {
        let (start, end) = place(edit).expect("an edit has a place");
        text.splice(start..end, word(edit, "text").chars());
    }
    text
}

fn check_occurrence(metric: &str, occurrence: &Value, characters: &[char]) {
    let context = || format!("{metric}: {occurrence}");
    let at = place(occurrence);
    if let Some((start, end)) = at {
        assert!(start < end && end <= characters.len(), "{}", context());
        assert_eq!(slice(characters, (start, end)), word(occurrence, "text"), "{}", context());
    }
    let alternatives = list(occurrence, "alternatives");
    assert!(!alternatives.contains(&occurrence["replacement"]), "{}", context());
    assert!(!alternatives.contains(&occurrence["text"]), "{}", context());
    let edits = list(occurrence, "edits");
    let places: Vec<_> = edits.iter().map(|edit| place(edit).expect("a place")).collect();
    assert!(places.windows(2).all(|pair| pair[1].1 <= pair[0].0), "highest first, apart: {}", context());
    assert!(places.iter().all(|(start, end)| start <= end && *end <= characters.len()), "{}", context());
    let spans = list(occurrence, "spans");
    assert_ne!(spans.len(), 1, "{}", context());
    if let (Some(first), Some(at)) = (spans.first(), at) {
        assert_eq!(place(first), Some(at), "{}", context());
    }
    let span_places: Vec<_> = spans.iter().map(|span| place(span).expect("a place")).collect();
    assert!(span_places.is_sorted(), "{}", context());
    for (span, at) in spans.iter().zip(&span_places) {
        assert_eq!(slice(characters, *at), word(span, "text"), "{}", context());
    }
    if let (Some((start, end)), Some(replacement), false, true) =
        (at, occurrence["replacement"].as_str(), edits.is_empty(), spans.is_empty())
    {
        let mut direct = characters.to_vec();
        direct.splice(start..end, replacement.chars());
        assert_eq!(apply(characters, edits), direct, "{}", context());
    }
    let connectors = list(occurrence, "connectors");
    assert!(connectors.is_empty() || metric == "long-sentence", "{}", context());
    let mut before = 0;
    for connector in connectors {
        let (start, end) = place(connector).expect("a place");
        let (from, to) = at.expect("a long sentence has a place");
        assert!(from <= start && end <= to && before <= start, "{}", context());
        before = start;
        assert_eq!(slice(characters, (start, end)), word(connector, "text"));
        assert_eq!(word(connector, "scope"), "intra");
        assert!(!word(connector, "relation").is_empty());
        let alternatives: Vec<&str> =
            list(connector, "alternatives").iter().map(|text| text.as_str().expect("text")).collect();
        let key = |text: &str| -> String { text.to_lowercase().chars().map(base).collect() };
        assert!(alternatives.windows(2).all(|pair| key(pair[0]) <= key(pair[1])), "{alternatives:?}");
        assert!(alternatives.iter().all(|text| !text.starts_with(char::is_lowercase)), "{alternatives:?}");
    }
}

fn base(letter: char) -> char {
    match letter {
        'à' | 'á' => 'a',
        'è' | 'é' => 'e',
        'í' | 'ï' => 'i',
        'ò' | 'ó' => 'o',
        'ú' | 'ü' => 'u',
        other => other,
    }
}

fn unique<'v>(values: impl Iterator<Item = &'v str>, what: &str) {
    let mut seen = HashSet::new();
    for value in values {
        assert!(seen.insert(value), "{what} {value} came twice");
    }
}

/// Everything that holds for the result of any text.
pub fn check_result(result: &Value, text: &str) {
    let characters: Vec<char> = text.chars().collect();
    unique(list(result, "measurements").iter().map(|item| word(item, "metric_id")), "the measurement");
    for measurement in list(result, "measurements") {
        assert!(measurement["value"].as_f64().is_some_and(f64::is_finite), "{measurement}");
    }
    let recommendations = list(result, "recommendations");
    unique(recommendations.iter().map(|item| word(item, "metric_id")), "the rule");
    unique(recommendations.iter().map(|item| word(item, "id")), "the identifier");
    for recommendation in recommendations {
        let occurrences = list(recommendation, "occurrences");
        unique(occurrences.iter().map(|item| word(item, "id")), "the identifier");
        let places: Vec<_> = occurrences.iter().map(|item| item["start"].as_u64().unwrap_or(u64::MAX)).collect();
        assert!(places.is_sorted(), "{recommendation}");
        let located = occurrences.iter().filter(|item| !item["start"].is_null());
        let order: Vec<_> = located
            .map(|item| (item["paragraph_index"].as_u64(), item["sentence_index"].as_u64()))
            .filter(|(paragraph, sentence)| paragraph.is_some() && sentence.is_some())
            .collect();
        assert!(order.is_sorted(), "{recommendation}");
        for occurrence in occurrences {
            check_occurrence(word(recommendation, "metric_id"), occurrence, &characters);
        }
    }
}

/// The catalog of a language for a genre, by metric.
fn catalog(client: &Client, language: &str, domain: &str, slug: &str) -> BTreeMap<String, Value> {
    let target = format!(
        "/v1/metrics?analysis_language={language}&documentation_language={language}&domain_slug={domain}&text_type_slug={slug}"
    );
    let catalog = client.get(&target).json();
    list(&catalog, "metrics").iter().map(|metric| (word(metric, "id").to_owned(), metric.clone())).collect()
}

fn check_against_catalog(result: &Value, metrics: &BTreeMap<String, Value>, order: &[String]) {
    let known = |id: &str| {
        let metric = metrics.get(id).unwrap_or_else(|| panic!("{id} is not in the catalog"));
        assert_eq!(metric["genre_scope"]["enabled"], true, "{id}");
        metric
    };
    for measurement in list(result, "measurements") {
        let metric = known(word(measurement, "metric_id"));
        assert_eq!(measurement["unit"], metric["unit"]);
        assert_eq!(measurement["implementation_version"], metric["implementation_version"]);
    }
    let mut last = 0;
    for recommendation in list(result, "recommendations") {
        let id = word(recommendation, "metric_id");
        let metric = known(id);
        assert_eq!(recommendation["implementation_version"], metric["implementation_version"]);
        assert_eq!(recommendation["category"], metric["category"]);
        assert_eq!(recommendation["metric_title"], metric["documentation"]["title"]);
        let rank = order.iter().position(|known| known == id).expect("in the catalog");
        assert!(rank >= last, "{id} is out of the linguistic order");
        last = rank;
    }
    for (id, thresholds) in result["applied_thresholds"].as_object().expect("an object") {
        let metric = known(id);
        assert_eq!(metric["kind"], "rule", "{id}");
        for (key, value) in metric["genre_scope"]["params"].as_object().expect("an object") {
            assert!(thresholds.get(key).is_none_or(|applied| applied == value), "{id}.{key}: {thresholds}");
        }
    }
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

statements! {
    /// Results keep their promises for every genre, and agree with the catalog.
    [81, 82, 83, 84, 87, 88, 89, 90, 91, 92, 93, 95, 96, 97, 98, 99, 100, 104, 107, 108, 186]
    fn results_of_all_genres_hold(world) {
        let client = world.client();
        let mut seen = HashSet::new();
        for (language, domain, slug) in genres(&client) {
            let text = TEXTS.iter().find(|(known, _)| *known == language).expect("a text").1;
            let body = json!({"text": text, "language": language, "domain_slug": domain, "text_type_slug": slug});
            let result = client.result(&body);
            assert_eq!(result["schema_version"], "2.0");
            assert_eq!(result["offset_unit"], "unicode_code_points");
            assert_eq!(result["language"], language);
            let detail = client.get(&format!("/v1/text-types/{domain}/{slug}?language={language}")).json();
            for part in ["domain", "text_type"] {
                for field in ["slug", "name"] {
                    assert_eq!(result["genre"][part][field], detail[part][field]);
                }
            }
            check_result(&result, text);
            let metrics = catalog(&client, &language, &domain, &slug);
            let listed = client.get(&format!("/v1/metrics?analysis_language={language}")).json();
            let order: Vec<String> = list(&listed, "metrics").iter().map(|metric| word(metric, "id").to_owned()).collect();
            check_against_catalog(&result, &metrics, &order);
            seen.extend(list(&result, "recommendations").iter().map(|item| word(item, "metric_id").to_owned()));
        }
        assert!(seen.len() >= 8, "the texts of the tests show too few rules: {seen:?}");
    }

    /// Offsets count the code points of exactly the text that was sent, whatever it is made of.
    [101, 102, 103, 105, 106, 108, 109, 110, 111, 112, 113, 114, 115, 116]
    fn offsets_are_code_points_of_the_text_sent(world) {
        let client = world.client();
        let mut located = 0;
        for (language, text) in TEXTS {
            let genres = genres(&client);
            let (_, domain, slug) = genres
                .iter()
                .find(|(known, domain, _)| known == language && domain == "administracion-clara")
                .or_else(|| genres.iter().find(|(known, ..)| known == language))
                .expect("a genre");
            for text in variations(text) {
                let body = json!({"text": text, "language": language, "domain_slug": domain, "text_type_slug": slug});
                let result = client.result(&body);
                check_result(&result, &text);
                located += list(&result, "recommendations").iter().map(|item| list(item, "occurrences").len()).sum::<usize>();
            }
        }
        assert!(located > 20, "{located}");
    }

    /// Thousands of places are all listed, a sentence of hundreds of names has its report, and letters of two code points hide nothing.
    [101, 104, 107]
    fn long_and_decomposed_texts_lose_nothing(world) {
        let client = world.client();
        let found = |text: &str| {
            let result = client.result(&letter(text));
            check_result(&result, text);
            let of = |item: &Value| (word(item, "metric_id").to_owned(), list(item, "occurrences").len());
            list(&result, "recommendations").iter().map(of).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(found(&"Hoy  llega.\n\n".repeat(2_500)).get("double-space"), Some(&2_500));
        let names: Vec<String> = (0..300).map(|n| format!("Ana Ruiz {n}")).collect();
        assert!(!found(&format!("Se notifica a {} y Juan Gil que el plazo termina hoy.", names.join(", "))).is_empty());
        let composed = "La comisión llevó a cabo la tramitación. El informe que había sido redactado se utilizó.";
        let decomposed = composed.replace('ó', "o\u{301}").replace('í', "i\u{301}");
        assert_eq!(found(&decomposed), found(composed));
        assert!(!found(composed).is_empty());
    }

    /// The same text and genre give the same bytes, whoever asks; worked examples belong to the rule.
    [85, 86, 94]
    fn results_are_reproducible(world) {
        let (client, other) = (world.client(), world.client());
        let raw = |client: &Client, body: &Value| {
            let id = client.create(body);
            client.finished(&id);
            let text = client.get(&format!("/v1/reports/{id}")).text();
            let start = text.find("\"result\":").expect("a result");
            text[start..].to_owned()
        };
        let mut body = letter(TEXTS[0].1);
        let first = raw(&client, &body);
        body["external_id"] = "another".into();
        assert_eq!(raw(&other, &body), first);
        let result = client.result(&body);
        let genre = &result["genre"];
        let again = json!({"text": TEXTS[0].1, "domain_slug": genre["domain"]["slug"], "text_type_slug": genre["text_type"]["slug"]});
        assert_eq!(client.result(&again), result);
        let examples = |result: &Value| -> BTreeMap<String, Value> {
            let items = list(result, "recommendations").iter();
            items.map(|item| (word(item, "metric_id").to_owned(), item["examples"].clone())).collect()
        };
        let reversed: String = TEXTS[0].1.split("\n\n").collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n\n");
        let others = examples(&client.result(&letter(&reversed)));
        let shared: Vec<_> = examples(&result).into_iter().filter_map(|(id, text)| Some((text, others.get(&id)?.clone()))).collect();
        assert!(!shared.is_empty());
        for (first, second) in shared {
            assert_eq!(first, second);
        }
    }

    /// A threshold that the genre sets is the one that is applied.
    [97, 125]
    fn genres_set_thresholds(world) {
        let client = world.client();
        let result = client.result(&json!({"text": "Hola.", "text_type_slug": "llano"}));
        let metric = client
            .get("/v1/metrics/breaks-on-purpose?analysis_language=es&domain_slug=pruebas&text_type_slug=llano")
            .json();
        assert_eq!(metric["genre_scope"], json!({"enabled": true, "params": {"depth": 5}}));
        assert!(result["applied_thresholds"]["breaks-on-purpose"].is_object());
    }

    /// Rules that change under a running service change later reports alone; rules that are broken change nothing.
    [186]
    fn reloaded_rules_change_later_reports(world) {
        let folder = tempfile::tempdir().expect("a folder");
        copy(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/api/root"), folder.path());
        let root = folder.path().to_str().expect("UTF-8");
        let own = World::new(world.kind(), &[("GLOSA_EXTRA_ROOTS", root), ("GLOSA_WATCH", "1")]);
        let client = own.client();
        let rule = folder.path().join("rules/off-on-purpose/es.yaml");
        let source = std::fs::read_to_string(&rule).expect("a rule");
        let body = json!({"text": "Una palabrainventada más.", "text_type_slug": "llano"});
        let version = |result: &Value| {
            let found = list(result, "recommendations").iter().find(|item| item["metric_id"] == "off-on-purpose");
            found.map(|item| word(item, "implementation_version").to_owned())
        };
        let shown = || client.get("/v1/metrics/off-on-purpose?analysis_language=es").json()["implementation_version"].clone();
        assert_eq!(version(&client.result(&body)), None);
        std::fs::write(&rule, source.replace("enabled: false", "enabled: true").replace("1.0.0", "1.1.0")).expect("written");
        crate::harness::until("the first reload", || (shown() == "1.1.0").then_some(()));
        let id = client.create(&body);
        assert_eq!(version(&client.finished(&id)["result"]).as_deref(), Some("1.1.0"));
        std::fs::write(&rule, "version: [").expect("written");
        crate::harness::until("a refusal", || own.server.log().contains("not reloaded").then_some(()));
        assert_eq!(version(&client.result(&body)).as_deref(), Some("1.1.0"));
        std::fs::write(&rule, source.replace("enabled: false", "enabled: true").replace("1.0.0", "1.2.0")).expect("written");
        crate::harness::until("the second reload", || (shown() == "1.2.0").then_some(()));
        assert_eq!(version(&client.result(&body)).as_deref(), Some("1.2.0"));
        assert_eq!(version(&client.finished(&id)["result"]).as_deref(), Some("1.1.0"));
    }

    /// The result does not hold the text, only the fragments of its occurrences.
    [13]
    fn the_text_is_not_returned(world) {
        let client = world.client();
        let marker = "marcador0123456789abcdefghijklmnopqrstuv";
        let id = client.create(&letter(&format!("Hola. El {marker} queda fuera.")));
        client.finished(&id);
        assert!(!client.get(&format!("/v1/reports/{id}")).text().contains(marker));
        let mut wrong = letter(marker);
        wrong["language"] = "xx".into();
        wrong["extra"] = marker.into();
        assert!(!client.post(&wrong).text().contains(marker));
    }
}
