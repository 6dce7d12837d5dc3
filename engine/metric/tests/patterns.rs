//! Token patterns on documents tagged by hand.

mod toy;

use std::collections::BTreeMap;

use glosa_metric::{EntryStatus, GlossaryEntry, MatchBy};
use toy::{Bench, entry};

const PASSIVE: &str = "\
version: 1.0.0
match:
  - {lemma: haber, repeat: 0..1}
  - {lemma: ser, as: aux}
  - {pos: ADV, repeat: 0..2}
  - {pos: VERB, morph: {VerbForm: Part}, as: part}
unless:
  - [{lemma: ser}, {norm: [sabido, debido]}]
";

#[test]
fn a_sequence_with_optional_steps() {
    let bench = Bench::default();
    let part = "/VERB/redactar/VerbForm=Part";
    assert_eq!(bench.marked(PASSIVE, &format!("Fue/AUX/ser redactado{part} ayer")), "<Fue redactado> ayer");
    assert_eq!(
        bench.marked(PASSIVE, &format!("Ha/AUX/haber sido/AUX/ser muy/ADV bien/ADV redactado{part} ~.")),
        "<Ha sido muy bien redactado>."
    );
    assert_eq!(bench.marked(PASSIVE, "Es/AUX/ser sabido/VERB/saber/VerbForm=Part que"), "Es sabido que");
    assert_eq!(bench.marked(PASSIVE, &format!("Fue/AUX/ser | redactado{part}")), "Fue redactado");
}

#[test]
fn words_alternatives_and_marks() {
    let yaml = "\
version: 1.0.0
match: {any: [[a fin de, {pos: VERB, as: verb}], [para que, {pos: NOUN, as: verb}]]}
mark: verb
";
    let bench = Bench::default();
    assert_eq!(bench.marked(yaml, "a fin de pagar/VERB"), "a fin de <pagar>");
    assert_eq!(bench.marked(yaml, "para que pague/NOUN"), "para que <pague>");
    assert_eq!(bench.marked(yaml, "para que pague/VERB"), "para que pague");
    let range = yaml.replace("mark: verb", "mark: verb..verb");
    assert_eq!(bench.marked(&range, "a fin de pagar/VERB"), "a fin de <pagar>");
}

#[test]
fn tests_of_a_token() {
    let mark =
        |test: &str, tagged: &str| Bench::default().marked(&format!("version: 1.0.0\nmatch: [{test}]\n"), tagged);
    assert_eq!(mark("{form: DNI}", "el DNI o dni"), "el <DNI> o dni");
    assert_eq!(mark("{norm: dni}", "el DNI o dni"), "el <DNI> o <dni>");
    assert_eq!(mark("{norm: no}", "no sí"), "<no> sí");
    assert_eq!(
        mark("{ends: mente, not: {norm: [mente, demente]}}", "mente demente lentamente"),
        "mente demente <lentamente>"
    );
    assert_eq!(mark("{starts: [re, des]}", "rehacer deshacer hacer"), "<rehacer> <deshacer> hacer");
    assert_eq!(mark("'/[0-9]+h?/'", "a las 12h o 12 x12"), "a las <12h> o <12> x12");
    assert_eq!(mark("{number: true, not: [{norm: '5'}, {norm: '6'}]}", "5 6 7"), "5 6 <7>");
    assert_eq!(mark("{capitalised: true, first: false}", "El Juan ~, Ana"), "El <Juan>, <Ana>");
    assert_eq!(mark("{punctuation: true, space_before: true}", "uno , dos ~,"), "uno <,> dos,");
    assert_eq!(mark("{pos: [NOUN, VERB]}", "a/NOUN b/ADJ c/VERB"), "<a> b <c>");
    assert_eq!(mark("{part: {lemma: el}, pos: ADP}", "del/ADP/de//de:ADP:de+el:DET:el de/ADP el/DET"), "<del> de el");
    assert_eq!(
        mark("{part: {lemma: [yo, se]}}", "dárselo/VERB/dar//dár:VERB:dar+se:PRON:se+lo:PRON:él se/PRON"),
        "<dárselo> <se>"
    );
}

#[test]
fn gaps_groups_and_agreement() {
    let bench = Bench::default();
    let gap = "version: 1.0.0\nmatch: [no, {gap: 0..2, not: {pos: VERB}}, sin]\n";
    assert_eq!(bench.marked(gap, "no se tramita sin"), "<no se tramita sin>");
    assert_eq!(bench.marked(gap, "no se tramita/VERB sin"), "no se tramita sin");
    assert_eq!(bench.marked(gap, "no a b c sin"), "no a b c sin");
    let chain = "\
version: 1.0.0
match:
  - {pos: NOUN}
  - {any: [[de, {pos: NOUN}], [del, {pos: NOUN}]], repeat: $min_links..8}
";
    let bench = Bench::default().params("  min_links: {type: integer, default: 2, meaning: m}\n");
    assert_eq!(bench.marked(chain, "plazo/NOUN de pago/NOUN"), "plazo de pago");
    assert_eq!(
        bench.marked(chain, "el plazo/NOUN de pago/NOUN del recibo/NOUN de agua/NOUN hoy"),
        "el <plazo de pago del recibo de agua> hoy"
    );
    let agree = "version: 1.0.0\nmatch: [{pos: NOUN, as: noun}, {pos: ADJ, agrees_with: noun}]\n";
    let noun = "casa/NOUN/casa/Gender=Fem|Number=Sing";
    assert_eq!(bench.marked(agree, &format!("{noun} roja/ADJ/rojo/Gender=Fem|Number=Sing")), "<casa roja>");
    assert_eq!(bench.marked(agree, &format!("{noun} rojo/ADJ/rojo/Gender=Masc|Number=Sing")), "casa rojo");
    assert_eq!(bench.marked(agree, &format!("{noun} azul/ADJ/azul/Number=Sing")), "<casa azul>");
    let same =
        "version: 1.0.0\nmatch: [{pos: NOUN, as: one}, [y], {pos: NOUN, begins_like: one}]\n".replace("[y]", "y");
    assert_eq!(bench.marked(&same, "niño/NOUN y niña/NOUN/niño | sol/NOUN y mar/NOUN"), "<niño y niña> sol y mar");
}

#[test]
fn conditions_beside_a_step_cover_nothing() {
    let bench = Bench::default();
    let yaml = "version: 1.0.0\nmatch: [{norm: mismo, not_followed_by: {pos: [NOUN, ADJ]}, preceded_by: [{norm: [el, del]}]}]\n";
    assert_eq!(bench.marked(yaml, "firme el mismo"), "firme el <mismo>");
    assert_eq!(bench.marked(yaml, "el mismo día/NOUN"), "el mismo día");
    assert_eq!(bench.marked(yaml, "lo mismo"), "lo mismo");
    let yaml = "version: 1.0.0\nmatch: [{norm: mismo, not_preceded_by: [sí, {gap: 0..1}]}]\n";
    assert_eq!(bench.marked(yaml, "sí mismo y sí el mismo y mismo"), "sí mismo y sí el mismo y <mismo>");
}

#[test]
fn what_stands_before_ends_where_the_step_begins() {
    let bench = Bench::default();
    let yaml = "version: 1.0.0\nmatch: [{norm: revisa, preceded_by: [abre, {gap: 0..2}, y]}]\n";
    assert_eq!(bench.marked(yaml, "revisa | abre la caja y revisa todo"), "revisa abre la caja y <revisa> todo");
    assert_eq!(bench.marked(yaml, "abre y la revisa | y revisa"), "abre y la revisa y revisa");
    let yaml = "version: 1.0.0\nmatch: [{norm: uno, as: first}, {norm: dos, not_preceded_by: [y, uno]}]\n";
    assert_eq!(bench.marked(yaml, "uno dos | y uno dos"), "<uno dos> y uno dos");
    let yaml = "version: 1.0.0\nmatch: [{any: [[a, b], [c]], preceded_by: x}]\n";
    assert_eq!(bench.marked(yaml, "x a b x c c"), "x <a b> x <c> c");
}

#[test]
fn matches_may_cross_sentences_within_a_paragraph() {
    let yaml = "version: 1.0.0\nwithin: paragraph\nmatch: [{punctuation: true}, además]\n";
    assert_eq!(Bench::default().marked(yaml, "Uno ~. | Además ~. ¶ Además"), "Uno<. Además>.\n\nAdemás");
}

#[test]
fn thresholds_are_words_and_bounds() {
    let bench = Bench::default().params(
        "  words: {type: list, default: [sol, luna], meaning: m}\n  gap: {type: integer, default: 1, meaning: m}\n",
    );
    let yaml = "version: 1.0.0\nmatch: [{norm: $words}, {gap: 0..$gap}, {norm: [mar, $words]}]\n";
    assert_eq!(bench.marked(yaml, "sol y luna y luna y y sol"), "<sol y luna> y luna y y sol");
}

fn nouns() -> Vec<GlossaryEntry> {
    let data = BTreeMap::from([("verb".to_owned(), "evaluar".to_owned())]);
    vec![GlossaryEntry { data, by: MatchBy::Lemma, ..entry("evaluación") }, entry("plan de acción")]
}

const LIGHT: &str = "\
version: 1.0.0
needs: [lemma]
glossaries: [nominalisations]
match:
  - {lemma: [realizar, efectuar], as: light}
  - {pos: DET, repeat: 0..1}
  - {glossary: nominalisations, as: noun}
  - {norm: de, optional: true}
fix: \"{inflect(noun.verb, light)}\"
";

#[test]
fn a_fix_with_inflection() {
    let bench = Bench::default().glossary("nominalisations", nouns());
    let verb = "realizó/VERB/realizar/Tense=Past";
    assert_eq!(
        bench.fixed(LIGHT, &format!("El equipo {verb} una/DET evaluación/NOUN de los riesgos")),
        "El equipo evaluó los riesgos"
    );
    let upper = "Realizó/VERB/realizar/Tense=Past evaluaciones/NOUN/evaluación de riesgos";
    assert_eq!(bench.fixed(LIGHT, upper), "Evaluó riesgos");
    let unknown = "realizará/VERB/realizar/Tense=Fut una/DET evaluación/NOUN de riesgos";
    let (_, sink) = bench.run(LIGHT, unknown);
    assert_eq!(sink.findings.len(), 1);
    assert_eq!(sink.findings[0].replacement, None);
    let multiword = format!("{verb} un/DET plan de acción");
    let (_, sink) = bench.run(LIGHT, &multiword);
    assert_eq!(sink.findings[0].replacement, None, "the row has no column `verb`");
}

#[test]
fn a_fix_writes_back_what_a_contraction_holds() {
    let bench = Bench::default();
    let yaml = "version: 1.0.0\nmatch: [{norm: pago, as: noun}, {part: {norm: [de, a]}, optional: true, as: prep}]\nfix: 'tasa a {prep.rest}'\n";
    let del = "del/ADP/de//de:ADP:de+el:DET:el";
    assert_eq!(bench.fixed(yaml, &format!("pago {del} recibo")), "tasa al recibo");
    assert_eq!(bench.fixed(yaml, "pago de recibo"), "tasa a recibo");
    assert_eq!(bench.fixed(yaml, "pago hoy"), "tasa a hoy");
    let terms = vec![GlossaryEntry { replacement: Some("conforme a".into()), ..entry("a tenor de") }];
    let term = "version: 1.0.0\nglossaries: [t]\nmatch: [y, '@t']\nfix: '{term.replacement}'\n";
    assert_eq!(Bench::default().glossary("t", terms).fixed(term, &format!("y a tenor {del} acta")), "conforme al acta");
    let column = yaml.replace("{prep.rest}", "{prep.lemma} {noun.norm}");
    assert_eq!(bench.fixed(&column, "Pago hoy"), "Tasa a pago hoy");
}

#[test]
fn needs_are_seen_in_the_pattern() {
    let bench = Bench::default().glossary("nominalisations", nouns());
    let (_, compiled) = bench.compile(LIGHT).unwrap();
    assert_eq!(compiled.needs.to_string(), "lemma, pos, morph, inflect");
}

#[test]
fn glossary_rows_bring_their_advice() {
    let rows = vec![
        GlossaryEntry {
            replacement: Some("inicio".into()),
            status: EntryStatus::Safe,
            by: MatchBy::Lemma,
            ..entry("incoación")
        },
        GlossaryEntry {
            replacement: Some("daño".into()),
            status: EntryStatus::Term,
            note: Some("legal".into()),
            ..entry("quebranto")
        },
        GlossaryEntry { replacement: Some("x".into()), active: false, ..entry("plazo") },
    ];
    let yaml = "version: 1.0.0\nglossaries: [terms]\nmatch: ['@terms']\nspans: collect\n";
    let bench = Bench::default().glossary("terms", rows);
    let tagged = "Incoación/NOUN/incoación y dos incoaciones/NOUN/incoación/Number=Plur plazo quebranto";
    assert_eq!(bench.fixed(yaml, tagged), "Inicio y dos inicios plazo quebranto");
    let (_, sink) = bench.run(yaml, tagged);
    // One finding a form: each shows the replacement that fits it.
    let replacements: Vec<_> = sink.findings.iter().map(|finding| finding.replacement.as_deref()).collect();
    assert_eq!(replacements, [Some("Inicio"), Some("inicios"), None]);
    assert_eq!(sink.findings[2].alternatives, ["daño"]);
    let off = Bench { glossaries: bench.glossaries.clone(), ..Bench::default() };
    assert_eq!(off.fixed(&format!("{yaml}edit: none\n"), tagged), "Incoación y dos incoaciones plazo quebranto");
}

#[test]
fn templates_move_captures() {
    let yaml = "\
version: 1.0.0
match: [{norm: [sin, con], as: prep}, {word: true, as: noun}, {norm: alguno, optional: true, as: rest}]
fix: \"{noun} {prep} {{x}} {rest}\"
alternatives: ['{noun}', \"{match}\"]
";
    let bench = Bench::default();
    let (document, sink) = bench.run(yaml, "Sin pago hoy");
    assert_eq!(toy::apply(&document, &sink.findings), "Pago sin {x}} hoy");
    assert_eq!(sink.findings[0].alternatives, ["Pago"]);
}

#[test]
fn gates_by_sentence() {
    let yaml = "version: 1.0.0\nmatch: [{ends: mente}]\nreport: {at_least: 2, per: sentence}\n";
    assert_eq!(
        Bench::default().marked(yaml, "lentamente voy rápidamente | altamente voy"),
        "<lentamente> voy <rápidamente> altamente voy"
    );
    let any = "version: 1.0.0\nmatch: [{ends: mente}]\nreport: [{at_least: 2, per: sentence}, {over: 2, per: text, from_words: 3}]\n";
    assert_eq!(
        Bench::default().marked(any, "lentamente voy rápidamente | altamente voy"),
        "<lentamente> voy <rápidamente> <altamente> voy"
    );
}

#[test]
fn tolerated_hits_and_units() {
    let bench = Bench::default();
    let skip = "version: 1.0.0\nmatch: [{norm: [ciudadano, ciudadana]}]\nreport: {skip: 1}\n";
    assert_eq!(bench.marked(skip, "ciudadano y ciudadana | ciudadano"), "ciudadano y <ciudadana> <ciudadano>");
    let trial = Bench { trial: true, ..Bench::default() };
    assert_eq!(trial.marked(skip, "ciudadano y"), "ciudadano y");
    let unit = "version: 1.0.0\nmatch: [{pos: NOUN, as: noun}, {pos: ADJ, optional: true}]\nunit: noun\nreport: {at_least: 2, per: unit}\nspans: collect\n";
    let (document, sink) = bench.run(unit, "casa/NOUN roja/ADJ sol/NOUN | casas/NOUN/casa");
    assert_eq!(sink.findings.len(), 1);
    assert_eq!(document.slice(sink.findings[0].span().unwrap()), "casa roja");
    assert_eq!(document.slice(sink.findings[0].also[0]), "casas");
    let sentence = "version: 1.0.0\nmatch: [{norm: [no, ni]}]\nspans: sentence\n";
    let (_, sink) = bench.run(sentence, "no ni no | no");
    assert_eq!(sink.findings.iter().map(|f| f.also.len()).collect::<Vec<_>>(), [2, 0]);
}

#[test]
fn a_sentence_without_end_is_searched_in_windows() {
    let bench = Bench::default();
    let yaml = "version: 1.0.0\nmatch: [{norm: no, preceded_by: {word: true}}, {gap: 0..40}, {any: [[{pos: NOUN, repeat: 1..8}]], repeat: 1..8}, sin]\n";
    let filler = "y ".repeat(20_000);
    let marked = bench.marked(yaml, &format!("{filler} no plazo/NOUN sin {filler}"));
    assert!(marked.contains("y <no plazo sin> y"));
    assert_eq!(marked.matches('<').count(), 1);
}

#[test]
fn gates_that_must_all_be_open() {
    let yaml = "version: 1.0.0\nmatch: [{ends: mente}]\nreport: [{all: [{at_least: 3, per: text}, {over: 20, per: 100 words}]}, {at_least: 2, per: sentence}]\n";
    let bench = Bench::default();
    let marked = |tagged: &str| bench.marked(yaml, tagged).matches('<').count();
    assert_eq!(marked("a lentamente b | altamente c | bajamente d"), 3, "three, and more than 20 in 100 words");
    assert_eq!(marked("a lentamente b | altamente c"), 0, "too few");
    assert_eq!(marked(&format!("a lentamente b | altamente c | bajamente d{}", " x".repeat(20))), 0, "too thin");
    assert_eq!(marked("a lentamente altamente b"), 2, "the other gate");
    let trial = Bench { trial: true, ..Bench::default() };
    assert_eq!(trial.marked(yaml, "a lentamente b"), "a <lentamente> b", "a group with a density is open in trials");
    let wrong = bench.problems("version: 1.0.0\nmatch: [a]\nreport: {all: [], over: 3}\n");
    assert!(wrong.contains("unknown key `over`") && wrong.contains("`all` has no gate"), "{wrong}");
}

#[test]
fn facts_count_repetitions_and_hold_templates() {
    use glosa_metric::Fact;
    let yaml = "\
version: 1.0.0
match:
  - {pos: NOUN}
  - {any: [[de, {pos: NOUN, as: noun}]], repeat: 2..8, as: link}
facts: {links: count(link), nouns: count(noun), last: '{noun.lemma}!'}
";
    let bench = Bench::default();
    let (_, sink) = bench.run(yaml, "plazo/NOUN de pago/NOUN de tasas/NOUN/tasa de agua/NOUN");
    let facts = &sink.findings[0].facts;
    assert_eq!(facts["links"], Fact::Integer(3));
    assert_eq!(facts["nouns"], Fact::Integer(3));
    assert_eq!(facts["last"], Fact::Text("agua!".into()));
    let tried = "version: 1.0.0\nmatch: [{pos: NOUN, repeat: 1..8, as: noun}, {any: [[a], [{pos: NOUN}, b]]}]\nfacts: {n: count(noun)}\n";
    let (_, sink) = bench.run(tried, "sol/NOUN mar/NOUN luz/NOUN b");
    assert_eq!(sink.findings[0].facts["n"], Fact::Integer(2), "what was tried and given up is not counted");
    let wrong = bench.problems(&yaml.replace("count(link)", "count(lonk)").replace("last:", "count:"));
    assert!(wrong.contains("unknown capture `lonk`") && wrong.contains("did you mean `link`"), "{wrong}");
    assert!(wrong.contains("every rule gives `count` already"), "{wrong}");
}

#[test]
fn a_fix_with_features_of_its_own() {
    let bench = Bench::default();
    let yaml = "version: 1.0.0\nmatch: [{pos: NOUN, as: noun}, {morph: {VerbForm: Ger}, pos: VERB, as: verb}]\nfix: \"{noun} que {inflect(verb, 'Mood=Ind|Tense=Pres', verb, noun)}\"\n";
    let told = bench.fixed(yaml, "leyes/NOUN/ley/Gender=Fem|Number=Plur regulando/VERB/regular/VerbForm=Ger el pago");
    assert_eq!(told, "leyes que regular[Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin] el pago");
    let wrong = bench.problems(&yaml.replace("Mood=Ind|Tense=Pres", "Mod=Ind|Tense=Present"));
    assert!(
        wrong.contains("unknown feature `Mod`; did you mean") || wrong.contains("unknown feature `Mod`"),
        "{wrong}"
    );
    assert!(wrong.contains("`Tense` has no value `Present`"), "{wrong}");
    let infinitive = yaml.replace("Mood=Ind|Tense=Pres", "VerbForm=Inf").replace(", noun)", ")");
    let told = bench.fixed(&infinitive, "leyes/NOUN regulando/VERB/regular/VerbForm=Ger");
    assert_eq!(told, "leyes que regular[VerbForm=Inf]");
}

#[test]
fn a_fix_that_depends_on_a_capture() {
    let yaml = "version: 1.0.0\nmatch: [{norm: al, optional: true, as: al}, {norm: interesado}]\nfix: \"{al ? 'a usted' : 'usted'}\"\n";
    let bench = Bench::default();
    assert_eq!(bench.fixed(yaml, "Pague al interesado | Interesado"), "Pague a usted Usted");
    assert!(bench.problems(&yaml.replace(" : 'usted'", "")).contains("has no `:` for the other case"));
}

#[test]
fn parts_have_names() {
    let yaml = "\
version: 1.0.0
define:
  article: [{pos: DET, repeat: 0..1}]
  agent: {any: [[por, {use: article}, {pos: NOUN, as: who}], [{gap: 0..2}, de parte de, {pos: NOUN, as: who}]]}
match: {any: [[{lemma: ser}, {pos: VERB}, {use: agent, optional: true}], [hecho, {use: agent}]]}
fix: '{who}'
";
    let bench = Bench::default();
    let text = "es/AUX/ser visto/VERB por el/DET juez/NOUN y hecho hoy de parte de Ana/NOUN | fue/AUX/ser visto/VERB";
    assert_eq!(bench.marked(yaml, text), "<es visto por el juez> y <hecho hoy de parte de Ana> <fue visto>");
    let wrong = bench.problems(&yaml.replace("hecho, {use: agent}", "hecho, {use: agnet}"));
    assert!(wrong.contains("unknown part `agnet`") && wrong.contains("did you mean `agent`"), "{wrong}");
    let unused = bench.problems("version: 1.0.0\ndefine: {x: [a]}\nmatch: [b]\n");
    assert!(unused.contains(":2:10: nothing uses the part `x`"), "{unused}");
    let cyclic = bench.problems("version: 1.0.0\ndefine: {x: [{use: y}], y: [{use: x}, a]}\nmatch: [{use: x}]\n");
    assert!(cyclic.contains(":2:10: the parts `x` and `y` use each other"), "{cyclic}");
    let own = bench.problems("version: 1.0.0\ndefine: {x: [a, {use: x}]}\nmatch: [{use: x}]\n");
    assert!(own.contains(":2:10: the part `x` uses itself"), "{own}");
    let below = bench.problems("version: 1.0.0\ndefine: {x: [{use: y}], y: [a]}\nmatch: [{use: x}]\n");
    assert!(below.contains("the part `y` stands below this one") && below.contains("move it up"), "{below}");
    let twice = bench.problems(&yaml.replace("{pos: DET, repeat", "{pos: DTE, repeat"));
    assert_eq!(twice.matches("unknown part of speech `DTE`").count(), 1, "a part is told of once: {twice}");
}

#[test]
fn columns_that_no_row_has() {
    let bench = Bench::default().glossary("nominalisations", nouns());
    let wrong = bench.problems(&LIGHT.replace("noun.verb", "noun.vreb"));
    assert!(wrong.contains(":9:6: `noun` has no column `vreb`"), "{wrong}");
    assert!(wrong.contains("did you mean `verb`"), "{wrong}");
    let plain = bench.problems(&LIGHT.replace("{inflect(noun.verb, light)}", "{light.verb}"));
    assert!(
        plain.contains("`light` has no column `verb`") && plain.contains("valid here: `lemma`, `norm`, `rest`"),
        "{plain}"
    );
}

#[test]
fn what_cannot_be_read_does_not_hide_what_cannot_be_compiled() {
    let yaml = "version: 1.0.0\nmatch:\n  - {lema: ser, as: aux}\n  - {pos: VERV, as: verb}\nfix: '{aux} {vrb}'\nmark: verb\nedits: none\n";
    let (file, problems) = glosa_metric::VariantFile::read_with_problems("es.yaml", yaml);
    assert_eq!(problems.len(), 2, "{problems:?}");
    let said = toy::compile_problems(&file.expect("YAML"), yaml);
    assert!(said.contains("unknown part of speech `VERV`"), "{said}");
    assert!(
        !said.contains("unknown capture"),
        "what refers to a part that could not be read is no problem of its own: {said}"
    );
}

#[test]
fn lists_stand_where_thresholds_can() {
    let yaml = |body: &str| {
        format!(
            "version: 1.0.0\nlists:\n  months: [Enero, febrero]\n  links: [a fin de, a fin, por]\n  yes: {{imposible: [posible, viable]}}\n{body}"
        )
    };
    let marked = |body: &str, tagged: &str| Bench::default().marked(&yaml(body), tagged);
    let all = "unless: [[nunca, $months, $links, {norm: $yes}]]\nfix: \"{lookup($yes, x)}\"\n";
    let mark = |test: &str, tagged: &str| marked(&format!("match: [{test}]\n{all}"), tagged);
    assert_eq!(mark("{norm: $months, as: x}", "ENERO y febrero"), "<ENERO> y <febrero>");
    assert_eq!(mark("{form: $months, as: x}", "enero y Enero"), "enero y <Enero>");
    assert_eq!(mark("{lemma: $yes, as: x}", "imposibles/ADJ/imposible"), "<imposibles>");
    assert_eq!(mark("{norm: [$months, marzo], as: x}", "marzo o enero"), "<marzo> o <enero>");
    assert_eq!(
        mark("$links, {pos: VERB, as: x}", "A fin de pagar/VERB a fin ver/VERB por ir/VERB"),
        "<A fin de pagar> <a fin ver> <por ir>"
    );
    assert_eq!(mark("{pos: NOUN, not: {norm: $months}, as: x}", "enero/NOUN plazo/NOUN"), "enero <plazo>");
    let (_, sink) =
        Bench::default().run(&yaml(&format!("match: [{{lemma: $yes, as: x}}]\n{all}")), "imposibles/ADJ/imposible");
    assert_eq!(sink.findings[0].replacement.as_deref(), Some("posible"));
    let inflected = all.replace("{lookup($yes, x)}", "{inflect(lookup($yes, x), x)}");
    let text = format!("match: [{{lemma: $yes, pos: NOUN, as: x}}]\n{inflected}");
    let (_, sink) = Bench::default().run(&yaml(&text), "imposibles/NOUN/imposible/Number=Plur");
    assert_eq!(sink.findings[0].replacement.as_deref(), Some("posibles"));
}

#[test]
fn a_phrase_of_a_list_gives_way_to_a_shorter_one() {
    let yaml = "version: 1.0.0\nlists: {links: [a fin, a fin de]}\nmatch: [$links, {norm: de}]\n";
    assert_eq!(Bench::default().marked(yaml, "a fin de pagar"), "<a fin de> pagar");
}

#[test]
fn entries_that_never_match() {
    let bench = Bench::default();
    let yaml = "version: 1.0.0\nlists:\n  links: [a fin de, por]\n  verbs: [denegada, pagar]\n  empty: []\n  Bad: [x]\n  twice: [uno, dos, Uno, '']\nmatch:\n  - {norm: $link}\n  - {pos: VERB, not: {norm: $links}}\n  - {lemma: $verbs}\n  - $empty\n  - {norm: $twice, as: x}\nfix: '{lookup($verbs, x)}'\n";
    insta::assert_snapshot!(bench.problems(yaml));
    insta::assert_snapshot!(
        bench.problems(&yaml.replace("  Bad: [x]\n  twice: [uno, dos, Uno, '']\n", "  twice: [uno]\n"))
    );
}

#[test]
fn alternatives_have_keys_of_their_own() {
    let yaml = "\
version: 1.0.0
match:
  any:
    - [{norm: rojo, as: x}]
    - match: [{norm: azul, as: x}, {norm: mar, as: y}]
      mark: y
      fix: agua
      facts: {kind: sea}
      wording: blue
    - match: {any: [[verde, {pos: NOUN, as: y}], [{norm: verdes}]]}
      fix: ~
      alternatives: ['{match}!']
      edit: none
      unless: [[verde, prado]]
fix: claro
facts: {kind: colour, other: '{x}'}
";
    let bench = Bench::default();
    let (document, sink) = bench.run(yaml, "rojo azul mar verde prado/NOUN verde árbol/NOUN verdes");
    let said: Vec<_> = sink
        .findings
        .iter()
        .map(|f| {
            let place = document.slice(f.span().unwrap()).to_owned();
            (place, f.replacement.clone(), f.alternatives.clone(), f.edits.len(), f.wording.clone())
        })
        .collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        said,
        [
            ("rojo".to_owned(), text("claro"), vec![], 1, None),
            ("mar".to_owned(), text("agua"), vec![], 1, text("blue")),
            ("verde árbol".to_owned(), None, vec!["verde árbol!".to_owned()], 0, None),
            ("verdes".to_owned(), None, vec!["verdes!".to_owned()], 0, None),
        ]
    );
    let kinds: Vec<String> = sink.findings.iter().map(|f| format!("{:?}", f.facts["kind"])).collect();
    assert_eq!(kinds, ["Text(\"colour\")", "Text(\"sea\")", "Text(\"colour\")", "Text(\"colour\")"]);
    insta::assert_snapshot!(bench.problems(
        "version: 1.0.0\nmatch:\n  any:\n    - {matc: [x]}\n    - {match: [x], mark: z, fix: '{y}'}\n    - just\n"
    ));
}

#[test]
fn participles_of_verbs() {
    let bench = Bench::default();
    let yaml = "version: 1.0.0\nlists: {events: [denegar]}\nmatch: [{lemma: ser}, {participle: [$events, pagar], not_followed_by: {participle: pagar}}]\n";
    let text = "fue/AUX/ser denegado/NOUN fue/AUX/ser pagado pagado fue/AUX/ser visto/VERB";
    assert_eq!(bench.marked(yaml, text), "<fue denegado> fue pagado pagado fue visto");
    insta::assert_snapshot!(
        bench.problems("version: 1.0.0\nlists: {events: [denegar]}\nmatch: [{participle: [$event, ser]}, $events]\n")
    );
}
