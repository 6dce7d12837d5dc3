//! Rules and measurements as a linguist would write them.

mod support;

use glosa_metric::{
    EntryKind, EntryStatus, Fact, Glossaries, Glossary, GlossaryEntry, Input, MatchBy, MetricError, ParamValue, Place,
    RowsByTerm, SourceLevel,
};
use std::collections::BTreeMap;
use std::sync::Arc;

use glosa_metric::pattern::Query;
use glosa_metric::{CompileContext, Metric, Selection, VariantFile, WordLists, compile_selection};
use glosa_script::{Script, Shared, compile, reference};
use support::{input, marked, run, script};

/// The query of a variant.
fn query(variant: &str) -> Arc<Query> {
    Arc::new(selection(variant).query.expect("a match"))
}

/// What stands beside the script of a variant.
fn selection(variant: &str) -> Selection {
    let file = VariantFile::read("es.yaml", variant).unwrap_or_else(|problems| panic!("{problems:?}"));
    let tokenize = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let params = BTreeMap::new();
    let context = CompileContext {
        file: "es.yaml",
        source: variant,
        params: &params,
        tokenize: &tokenize,
        table: None,
        columns: &|_| None,
        lists: &WordLists::default(),
        lemmas: &|_| Vec::new(),
        participles: &|_| Vec::new(),
    };
    compile_selection(&file, &context).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// A script with a query, from the text of its variant.
fn with_match(variant: &str, source: &str) -> Arc<dyn Metric> {
    let Selection { query, reporting, .. } = selection(variant);
    let script = Script { source, file: "es.rhai", query: query.map(Arc::new), reporting, ..Script::default() };
    compile(&script).unwrap_or_else(|problems| panic!("{problems:?}")).run
}

/// What is said of a script with a query.
fn problems_with_match(variant: &str, source: &str) -> String {
    let script = Script { source, file: "es.rhai", query: Some(query(variant)), ..Script::default() };
    let problems = compile(&script).err().expect("problems");
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

const PAIR: &str = "version: 1.0.0\nscript: es.rhai\nmatch: [{lemma: [el, lo], as: article}, {pos: NOUN, as: noun}]\n";

#[test]
fn a_script_that_is_called_for_each_match() {
    let metric = with_match(
        PAIR,
        r#"
        fn on_match(m) {
            if m.noun.has("Number", "Plur") {
                report(m.noun).fact("article", m.article.form).fact("all", m.text).fact("first", m.first.norm)
                    .fact("length", m.capture("noun").len);
            }
        }
        "#,
    );
    let text = input("El plazo acaba. Lo gastos van.", &[]);
    let found = run(&metric, &text).expect("findings").findings;
    assert_eq!(marked(&text, &found), ["gastos"]);
    assert_eq!(found[0].facts["article"], Fact::Text("Lo".into()));
    assert_eq!(found[0].facts["all"], Fact::Text("Lo gastos".into()));
    assert_eq!(found[0].facts["length"], Fact::Integer(1));

    let wrong = problems_with_match(PAIR, "fn on_match(m) { report(m.nuon) }");
    assert!(wrong.contains("es.rhai:1:27: nothing has a property `nuon`"), "{wrong}");
    assert!(wrong.contains("did you mean `noun`?"), "{wrong}");
}

/// A script whose patterns of other languages have the captures `agent` and `noun`.
fn shared_with(source: &str) -> Script<'_> {
    let captures = vec!["agent".to_owned(), "noun".to_owned()];
    Script { source, file: "rule.rhai", captures, ..Script::default() }
}

#[test]
fn a_capture_that_only_another_language_has_is_empty() {
    let script = shared_with(
        "fn on_match(m) { if m.agent.is_absent && m.capture(\"agent\").len == 0 { report(m.noun).fact(\"n\", m.count(\"agent\")); } }",
    );
    let script = Script { query: Some(query(PAIR)), ..script };
    let text = input("El plazo acaba.", &[]);
    let found = run(&compile(&script).expect("a script").run, &text).expect("findings").findings;
    assert_eq!(found[0].facts["n"], Fact::Integer(0));
}

#[test]
fn a_script_that_sees_all_matches_at_once() {
    let metric = with_match(
        PAIR,
        r#"
        fn on_matches(all) {
            if all.len >= 2 {
                let r = report(all[0]);
                for m in all { if m.first != all.first.first { r.also(m); } }
            }
        }
        "#,
    );
    let text = input("El plazo acaba. El gasto va.", &[]);
    let found = run(&metric, &text).expect("findings").findings;
    assert_eq!(marked(&text, &found), ["El plazo"]);
    assert_eq!(found[0].also.len(), 1);
    assert!(run(&metric, &input("El plazo acaba.", &[])).expect("nothing").findings.is_empty());
}

#[test]
fn functions_that_scripts_share() {
    let lists = Shared {
        file: "rules/scripts/lists.rhai",
        source: "fn plural(t) {\n    t.has(\"Number\", \"Plur\")\n}\nfn broken(x) {\n    x + ()\n}\n",
    };
    let of = |source| Script { source, file: "rule.rhai", shared: vec![lists], ..Script::default() };
    let metric =
        compile(&of("fn on_document(d) { for t in d.tokens { if plural(t) { report(t); } } }")).expect("a script").run;
    let text = input("Los plazos y el gasto.", &[]);
    assert_eq!(marked(&text, &run(&metric, &text).expect("findings").findings), ["Los", "plazos"]);
    let wrong = compile(&of("fn on_document(d) { broken(1); }")).expect("a script").run;
    let error = run(&wrong, &text).expect_err("an error").to_string();
    assert!(error.starts_with("rules/scripts/lists.rhai:5:"), "{error}");
    let twice = compile(&of("fn plural(t) { true }\nfn on_document(d) { plural(1); }")).err().expect("problems");
    assert!(
        twice[0].to_string().starts_with("rules/scripts/lists.rhai:1:1: `plural` is defined in rule.rhai too"),
        "{}",
        twice[0]
    );
    let entry = Shared { file: "rules/scripts/e.rhai", source: "fn on_document(d) { }" };
    let entry = Script { shared: vec![entry], ..of("fn on_document(d) { }") };
    let said = compile(&entry).err().expect("problems")[0].to_string();
    assert!(said.contains("a shared script has no entry function"), "{said}");
}

#[test]
fn membership_and_numbers() {
    let metric = script(
        r#"
        fn on_document(d) {
            let two = d.tokens.filter(|t| t.index < 2);
            fact("in", d.tokens[1] in two);
            fact("out", d.tokens[2] in two);
            fact("word", d.tokens[0].norm in ["uno", "dos"]);
            fact("letter", "a" in ['a', 'b']);
            fact("none", "c" in ['a', 'b']);
            fact("number", number("12.5"));
            fact("whole", number("12"));
            fact("no", type_of(number("12a")));
            fact("digits", is_digits("007") && !is_digits("") && is_upper('Ñ'));
        }
        "#,
    );
    let facts = run(&metric, &input("uno dos tres", &[])).expect("facts").facts;
    for (name, value) in [
        ("in", "true"),
        ("out", "false"),
        ("word", "true"),
        ("letter", "true"),
        ("none", "false"),
        ("no", "()"),
        ("digits", "true"),
    ] {
        assert_eq!(facts[name], Fact::Text(value.into()), "{name}");
    }
    assert_eq!(facts["number"], Fact::Number(12.5));
    assert_eq!(facts["whole"], Fact::Integer(12));
}

#[test]
fn names_that_nothing_has_are_found_when_the_script_is_loaded() {
    let declared = glosa_script::Declared {
        params: vec!["max_words".into()],
        glossaries: vec!["connectors".into()],
        columns: vec!["relation".into()],
        lists: Vec::new(),
    };
    let source = r#"fn on_sentence(s) {
    let seen = #{places: []};
    seen.places.push(s.tokens.first.lema);
    seen.count = params.max_word + params.max_words;
    for hit in glossary("conectors").hits {
        let relation = hit.term.data("relacion");
    }
    if lenght(s.words) > 3 || helper(s, 2) || s.tokens.some(|t| t.has("Number")) {
        reprot(s).fact("x", seen.count);
    }
    let limit = 3;
    let long = s.words.filter(|w| w.letters > limit && w.letters > params.max_words);
    tel(long);
    try { throw seen } catch (why) { fact("why", why); }
    for (word, n) in long { fact(word.text, n + doc.tokens.len + genre.sections.len); }
}

fn helper(s) {
    s.text.contain("x")
}
"#;
    let script = Script { source, file: "rules/x/es.rhai", declared: Some(declared), ..Script::default() };
    let problems = compile(&script).err().expect("problems");
    let shown: Vec<_> = problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn what_stands_in_a_quotation_or_often_in_a_sentence_is_known() {
    let metric = script(
        r#"
        fn on_document(doc) {
            for t in doc.tokens {
                if t.is_quoted && t.is_word { report(t); }
            }
            fact("commas", joined(doc.sentences.map(|s| s.times(",")), " "));
        }
        "#,
    );
    let input = input("uno «dos» tres, \"cuatro\" cinco. Seis “siete, ocho, nueve. Diez", &[]);
    let sink = run(&metric, &input).expect("findings");
    assert_eq!(
        marked(&input, &sink.findings),
        ["dos", "siete", "ocho", "nueve"],
        "straight marks count where there are no others"
    );
    assert_eq!(sink.facts["commas"], Fact::Text("1 2 0".into()));
}

#[test]
fn terms_are_filed_by_the_first_word_of_a_column() {
    let metric = script(
        r#"
        fn on_document(doc) {
            let terms = glossary("connectors").by_column(["mid", "initial"]);
            for word in terms.keys() {
                fact(word, joined(terms[word].map(|term| term.term), " "));
            }
        }
        "#,
    );
    let entry = |term: &str, columns: &[(&str, &str)]| GlossaryEntry {
        examples: Default::default(),
        term: term.into(),
        replacement: None,
        alternatives: Vec::new(),
        kind: EntryKind::default(),
        status: EntryStatus::default(),
        by: MatchBy::default(),
        pos: None,
        note: None,
        active: true,
        data: columns.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    };
    let entries = vec![
        entry("pero", &[("mid", "contrast addition")]),
        entry("así", &[("initial", "result")]),
        entry("aunque", &[("initial", "concession"), ("mid", "contrast")]),
        entry("y", &[]),
    ];
    let connectors = Glossary {
        key: "connectors".into(),
        title: "Conectores".into(),
        level: SourceLevel::Global,
        table: 0,
        entries,
        rows: RowsByTerm::default(),
    };
    let glossaries = Glossaries::new([("connectors".to_owned(), Arc::new(connectors))].into());
    let input = Input { glossaries: Arc::new(glossaries), ..input("uno", &[]) };
    let facts = run(&metric, &input).expect("facts").facts;
    let text = |text: &str| Fact::Text(text.into());
    assert_eq!(facts.len(), 2);
    assert_eq!((&facts["contrast"], &facts["result"]), (&text("pero aunque"), &text("así")));
}

#[test]
fn every_property_of_the_reference_exists() {
    let objects = [
        ("Document", "doc"),
        ("Token", "doc.tokens[0]"),
        ("Sentence", "doc.sentences[0]"),
        ("Block", "doc.blocks[0]"),
        ("Word", "doc.words[0]"),
        ("List", "doc.tokens"),
        ("Glossary", "glossary(\"none\")"),
        ("Tally", "tally()"),
        ("Groups", "groups()"),
        ("Genre", "genre"),
        ("Section", "genre.sections[0]"),
    ];
    let text = input("Una carta.", &[]);
    for (name, object) in objects {
        for property in reference().iter().filter(|entry| entry.property && entry.of == name).map(|entry| &entry.name) {
            let source = format!("fn on_document(d) {{ let x = {object}; let y = x.{property}; }}");
            assert!(run(&script(&source), &text).is_ok(), "{name}.{property}");
        }
    }
}

#[test]
fn repeated_word() {
    let metric = script(
        r#"
        fn on_document(doc) {
            let lemmas = groups();
            for t in doc.tokens { if t.is_word { lemmas.add(t.lemma, t); } }
            for group in lemmas {
                let near = group.tokens.filter(|t| t.form.len >= params.min_letters);
                if near.len < params.min_times { continue; }
                let r = report(near.first).fact("word", group.key).fact("times", near.len);
                for i in 1..near.len { r.also(near[i]); }
            }
        }
        "#,
    );
    let params = [("min_letters", ParamValue::Integer(5)), ("min_times", ParamValue::Integer(3))];
    let text = input("El plazo empieza. El plazo acaba. Los plazos cuentan. El día pasa.", &params);
    let found = run(&metric, &text).expect("findings").findings;
    assert_eq!(marked(&text, &found), ["plazo"]);
    let also: Vec<_> = found[0].also.iter().map(|span| text.document.slice(*span)).collect();
    assert_eq!(also, ["plazo", "plazos"]);
    assert_eq!(found[0].facts["word"], Fact::Text("plazo".into()));
    assert_eq!(found[0].facts["times"], Fact::Integer(3));
}

#[test]
fn section_missing() {
    let metric = script(
        r#"
        fn on_document(doc) {
            for section in genre.sections {
                if !section.expected || doc.has_heading_like(section, params.similarity) { continue; }
                if section.contents.some(|c| c.cues.some(|cue| doc.has_phrase(cue))) { continue; }
                report_missing(section.name).fact("section", section.name);
            }
        }
        "#,
    );
    let found = |text: &str| {
        let text = input(text, &[("similarity", ParamValue::Number(0.8))]);
        run(&metric, &text).expect("findings").findings
    };
    assert_eq!(found("Hola.\n\nAdiós.")[0].place, Place::Unlocated("Recursos".into()));
    assert!(found("# Recurso\n\nPuede reclamar.").is_empty());
    assert!(found("# 3. Vías de recurso:\n\nPuede reclamar.").is_empty());
    assert!(found("# Recursos y plazos\n\nPuede reclamar.").is_empty());
    assert!(found("Puede reclamar en el plazo de un mes.").is_empty());
    assert!(!found("# Recuerdos de la infancia\n\nPuede reclamar.").is_empty());
}

#[test]
fn acronym_not_expanded() {
    let metric = script(
        r#"
        fn on_document(doc) {
            let first = #{};
            for t in doc.tokens {
                if !t.all_caps || t.form.len() < 2 || params.known.contains(t.form) { continue; }
                if t.form in first {
                    first[t.form].also(t);
                } else if !(t.previous != () && t.previous.form == "(") {
                    first[t.form] = report(t).fact("acronym", t.form);
                }
            }
        }
        "#,
    );
    let known = ParamValue::List(vec!["DNI".into()]);
    let text = input("La TGSS pide el DNI. El (BOE) lo dice. Vaya a la TGSS.", &[("known", known)]);
    let found = run(&metric, &text).expect("findings").findings;
    assert_eq!(marked(&text, &found), ["TGSS"]);
    assert_eq!(found[0].also.len(), 1);
}

#[test]
fn mixed_address() {
    let metric = script(
        r#"
        fn on_document(doc) {
            let tu = doc.with_norm("tú");
            let usted = doc.with_norm("usted");
            if tu.len == 0 || usted.len == 0 { return; }
            let fewer = if tu.len < usted.len { tu } else { usted };
            let r = report(fewer.first);
            for t in fewer { if t != fewer.first { r.also(t); } }
        }
        "#,
    );
    let text = input("Venga usted. Si tú quieres, usted paga. Ven tú. Diga usted.", &[]);
    let found = run(&metric, &text).expect("findings").findings;
    assert_eq!(marked(&text, &found), ["tú"]);
    assert_eq!(found[0].also.len(), 1);
    assert!(run(&metric, &input("Venga usted.", &[])).expect("findings").findings.is_empty());
}

#[test]
fn every_way_to_report() {
    let metric = script(
        r#"
        fn on_sentence(s) {
            let a = s.tokens[0];
            let b = s.tokens[1];
            report(a, b)
                .replace("otro")
                .alternative("uno").alternative("dos")
                .fact("n", 2).fact("x", 1.5);
            report(a).mark(b, s.tokens[-1]).suggest("así").edit(b, "B").edit(a, b, "AB").edit(a, "");
            report(s.words.last);
            fact("least", params.n);
            print(`${s.text} ${inflect("casa", b)} ${s.block.kind}`);
        }
        "#,
    );
    let text = input("Las casas blancas.", &[("n", ParamValue::Integer(7))]);
    let (sink, lines) = glosa_script::printed(|| run(&metric, &text).expect("findings"));
    assert_eq!(lines, ["Las casas blancas. casas paragraph"]);
    assert_eq!(sink.facts["least"], Fact::Integer(7));
    assert_eq!(marked(&text, &sink.findings), ["Las casas", "casas blancas.", "blancas"]);
    insta::assert_debug_snapshot!(sink.findings);
}

#[test]
fn errors_at_run_time_name_the_place() {
    let text = input("Una carta.", &[("max", ParamValue::Integer(7))]);
    let error = |body: &str| {
        let source = format!("fn helper(t) {{\n    t.row\n}}\nfn on_sentence(s) {{\n    {body}\n}}");
        run(&script(&source), &text).expect_err("an error")
    };
    let shown = ["helper(s.tokens[0])", "params.maximum", "report(3)", "norm(1)", "let x = 1 / 0;", "throw \"why\";"];
    let shown: Vec<_> = shown.iter().map(|body| format!("{body}\n  {}", error(body))).collect();
    insta::assert_snapshot!(shown.join("\n"));
    assert!(matches!(error("params.maximum"), MetricError::UnknownParam { .. }));
}

#[test]
fn errors_of_a_script_name_place_cause_and_cure() {
    let wrong = [
        "fn on_sentence(s) {\n    report(s\n}",
        "fn on_sentense(s) { }",
        "fn helper(s) { }",
        "fn on_sentence() { }",
        "fn on_sentence(s) { }\nfn on_document(d) { }",
        "fn on_match(m) { }",
        "fn on_document(d) {\n    eval(\"1\")\n}",
        "fn on_document(d) {\n    import \"fs\" as fs;\n}",
        "fn on_document(d) { let ñ = 1; let x = ; }",
    ];
    let shown: Vec<_> = wrong
        .iter()
        .map(|source| {
            let script = glosa_script::Script { source, file: "rules/x/es.rhai", ..Default::default() };
            glosa_script::compile(&script).err().map_or_else(
                || "no problem".to_owned(),
                |p| p.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
            )
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn counting_and_grouping_a_long_text() {
    let metric = script(
        r#"
        fn on_document(doc) {
            let count = tally();
            let by_lemma = groups();
            for t in doc.tokens {
                if t.is_word { count.add(t.norm); by_lemma.add(t.lemma, t); }
            }
            let often = 0;
            for form in count { if count[form] > 2 { often += 1; } }
            for group in by_lemma {
                if group.len == 3 {
                    let r = report(group.first).fact("lemma", group.key);
                    for t in group.tokens { if t != group.first { r.also(t); } }
                }
            }
            fact("often", often);
            fact("none", count["nada"]);
            fact("known", "plazo" in count && !("nada" in by_lemma));
            fact("forms", count.len);
        }
        "#,
    );
    let mut long: String = (0..9000).map(|n| format!("palabra{n} común. ")).collect();
    long.push_str("plazo plazos plazo");
    let text = input(&long, &[]);
    let sink = run(&metric, &text).expect("findings");
    assert_eq!(sink.facts["forms"], Fact::Integer(9003));
    assert_eq!(marked(&text, &sink.findings), ["plazo"]);
    assert_eq!(sink.findings[0].also.len(), 2);
    assert_eq!(sink.facts["often"], Fact::Integer(1));
    assert_eq!(sink.facts["none"], Fact::Integer(0));
    assert_eq!(sink.facts["known"], Fact::Text("true".into()));
}

#[test]
fn lists_of_words() {
    let source = "Imposible: posible\ninviable: [viable, factible]\nper tal de:\n";
    let (file, problems) = glosa_metric::ListFile::read("opposites", "opposites.es.yaml", source);
    assert!(problems.is_empty(), "{problems:?}");
    let split = |text: &str| text.split(' ').map(str::to_owned).collect();
    let mut lists = WordLists::default();
    lists.add(Arc::new(glosa_metric::WordList::new(&file.expect("a list"), &split)));
    let script = Script {
        source: r#"
        fn on_document(doc) {
            let list = lists.opposites;
            fact("has", "imposible" in list && !("posible" in list) && "Per Tal de" in list);
            fact("token", doc.tokens.count(|t| t in lists.opposites));
            fact("value", list["IMPOSIBLE"]);
            fact("first", list["inviable"][0]);
            fact("none", list["per tal de"] == () && list["otra"] == ());
            let all = "";
            for word in list { all += word + ";"; }
            fact("all", all + list.len);
            fact("empty", lists.others.len);
        }
        "#,
        file: "es.rhai",
        lists: Arc::new(lists),
        ..Script::default()
    };
    let made = compile(&script).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(made.lists.iter().map(String::as_str).collect::<Vec<_>>(), ["opposites", "others"]);
    let facts = run(&made.run, &input("Es imposible.", &[])).expect("facts").facts;
    let shown: Vec<String> = facts.iter().map(|(name, fact)| format!("{name} {fact:?}")).collect();
    assert_eq!(
        shown,
        [
            "all Text(\"Imposible;inviable;per tal de;3\")",
            "empty Integer(0)",
            "first Text(\"viable\")",
            "has Text(\"true\")",
            "none Text(\"true\")",
            "token Integer(1)",
            "value Text(\"posible\")"
        ]
    );
}

#[test]
fn where_there_is_no_token() {
    let metric = with_match(
        "version: 1.0.0\nscript: es.rhai\nmatch: [{lemma: [el, lo], as: article}, {norm: nunca, optional: true, as: never}]\n",
        r#"
        fn on_match(m) {
            let none = m.first.previous;
            fact("absent", none.is_absent && none == () && m.never == () && none == m.never && m.first != ());
            fact("texts", none.norm + none.lemma + none.form + none.text + none.pos + none.feats + none.white_before);
            fact("flags", none.is_word || none.capitalised || none.known || none.has("Number", "Plur"));
            fact("beside", none.next.previous.next.is_absent && none.parts.len == 0 && none.index == -1);
            fact("lists", m.sentence.tokens[99].is_absent && m.tokens.find(|t| t.norm == "x").norm == "");
            fact("known", none.norm in ["a", "b"]);
            report(none);
        }
        "#,
    );
    let text = input("El plazo acaba.", &[]);
    let error = run(&metric, &text).expect_err("an error").to_string();
    assert!(error.contains("there is no token here; ask `is_absent` first"), "{error}");
    let source = "fn on_sentence(s) { let t = s.tokens.first.previous; fact(\"all\", [t.is_absent, t == (), t != (), t.norm + t.pos, t.is_word, t.next.next.is_absent, s.tokens[99].lemma, s.tokens.find(|t| t.norm == \"x\").is_absent, t in s.tokens, t.index]); }";
    let facts = run(&script(source), &text).expect("facts").facts;
    let wanted = r#"Text("[true, true, false, \"\", false, true, \"\", true, false, -1]")"#;
    assert_eq!(format!("{:?}", facts["all"]).replace('\\', ""), wanted.replace('\\', ""));
}

#[test]
fn keys_beside_a_script_hold_for_what_it_reports() {
    let metric = with_match(
        "version: 1.0.0\nscript: es.rhai\nmatch: {any: [[{lemma: [el, lo], as: article}, {pos: NOUN, as: noun}], {match: [{norm: nunca, as: noun}], wording: never}]}\nfix: '{noun}'\nfacts: {articles: count(article)}\nreport: {at_least: 2, per: sentence}\nspans: sentence\n",
        "fn on_match(m) { if m.noun.norm != \"gasto\" { report(m).fact(\"noun\", m.noun.norm); } }",
    );
    let text = input("El plazo acaba. El plazo, el gasto y el plazo van.", &[]);
    let found = run(&metric, &text).expect("findings").findings;
    assert_eq!(marked(&text, &found), ["El plazo"]);
    assert_eq!(found[0].also.len(), 1, "only the second sentence has two");
    assert_eq!((found[0].replacement.as_deref(), found[0].edits.len()), (Some("Plazo"), 2));
    assert_eq!((&found[0].facts["articles"], &found[0].facts["places"]), (&Fact::Integer(1), &Fact::Integer(2)));
    let units = with_match(
        "version: 1.0.0\nscript: es.rhai\nmatch: [{lemma: [el, lo], as: article}, {pos: NOUN, as: noun}]\nreport: {at_least: 2, per: unit}\n",
        "fn on_matches(all) { for m in all { report(m.noun).unit(if m.noun.norm == \"gasto\" { \"b\" } else { \"a\" }); } }",
    );
    let found = run(&units, &text).expect("findings").findings;
    assert_eq!(marked(&text, &found), ["plazo", "plazo", "plazo"]);
}

#[test]
fn figures_are_read_and_written_in_another_style() {
    let metric = script(
        r#"
        fn on_document(doc) {
            let n = figure("1.250.000,5kg");
            fact("written", n.written("space", "point", 5) + n.unit);
            fact("marks", n.grouping + " " + n.decimal);
            fact("parts", n.whole + " " + n.decimals);
            fact("ambiguous", figure("1,250").ambiguous && !n.ambiguous);
            fact("none", figure("x5") == ());
        }
        "#,
    );
    let facts = run(&metric, &input("Uno", &[])).expect("facts").facts;
    let shown: Vec<String> = facts.iter().map(|(name, fact)| format!("{name} {fact:?}")).collect();
    assert_eq!(
        shown,
        [
            "ambiguous Text(\"true\")",
            "marks Text(\"point comma\")",
            "none Text(\"true\")",
            "parts Text(\"1250000 5\")",
            "written Text(\"1 250 000.5kg\")"
        ]
    );
}

#[test]
fn quotations_and_lists_of_items_are_found_by_the_document() {
    let metric = script(
        r#"
        fn on_document(doc) {
            for q in doc.quotations(lists.none) {
                report(q.open, q.close).fact("style", q.style + q.depth + q.holds("curly")).suggest(quote_marks(q.style)[0]);
            }
            for items in doc.lists(2) {
                report(items[0], items[-1]).fact("items", items.len);
            }
        }
        "#,
    );
    let text = "Dijo « uno “ dos ” » y\n\n- tres\n- cuatro\n  - cinco\n- seis\n\nFin\n\n- siete";
    let input = input(text, &[]);
    let found = run(&metric, &input).expect("findings").findings;
    assert_eq!(marked(&input, &found), ["“ dos ”", "« uno “ dos ” »", "- tres\n- cuatro\n  - cinco\n- seis"]);
    let facts: Vec<String> = found.iter().map(|f| format!("{:?} {:?}", f.facts.values(), f.replacement)).collect();
    assert_eq!(
        facts,
        [r#"[Text("curly1false")] Some("“")"#, r#"[Text("angle0true")] Some("«")"#, r#"[Integer(3)] None"#]
    );
}

/// How many items each list of a text has.
fn items_of_lists(text: &str) -> Vec<String> {
    let metric =
        script("fn on_document(doc) { for items in doc.lists(2) { report(items[0]).fact(\"items\", items.len); } }");
    let found = run(&metric, &input(text, &[])).expect("findings").findings;
    found.iter().map(|f| format!("{:?}", f.facts.values())).collect()
}

#[test]
fn a_list_inside_an_item_ends_with_it() {
    let items = items_of_lists("1) uno\n   a) dos\n   b) tres\n2) cuatro\n   a) cinco\n   b) seis");
    assert_eq!(items, ["[Integer(2)]", "[Integer(2)]", "[Integer(2)]"]);
}

#[test]
fn a_list_that_begins_again_at_one_is_another() {
    assert_eq!(items_of_lists("1. uno\n2. dos\n3. tres\n1. cuatro\n2. cinco"), ["[Integer(3)]", "[Integer(2)]"]);
}
