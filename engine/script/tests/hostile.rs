//! Scripts that try to run for ever, fill the memory or break out: each ends soon, and fails its own run only.
#![allow(clippy::disallowed_methods, reason = "the test reads how long its thread was running")]

mod support;

use std::time::Duration;

use glosa_metric::MetricError;
use glosa_script::Allowance;
use support::{input, marked, run, script};

const HOSTILE: [(&str, &str); 53] = [
    ("empty loop", "loop { }"),
    ("while true", "while true { let x = 1; }"),
    ("long range", "for i in 0..9000000000000000000 { let x = i; }"),
    ("nested ranges", "for i in 0..100000 { for j in 0..100000 { let x = j; } }"),
    ("do until", "let x = 0; do { x += 1; } until x < 0;"),
    ("caught errors", "loop { try { throw 1; } catch { } }"),
    ("caught stop", "try { loop { } } catch (e) { loop { } }"),
    ("plain recursion", "fn f(n) { f(n + 1) } f(0)"),
    ("mutual recursion", "fn f(n) { g(n) } fn g(n) { f(n) } f(0)"),
    ("wide recursion", "fn f(n) { if n == 0 { 1 } else { f(n - 1) + f(n - 1) } } f(20)"),
    ("closure recursion", "let f = |g| g.call(g); f.call(f)"),
    ("closures in closures", "let f = |x, g| g.call(x, g); f.call(1, f)"),
    ("closures in arrays", "let a = [1]; loop { let f = |x| x; a = [f, a]; }"),
    ("pushed tower", "let a = []; loop { let b = []; b.push(a); a = b; }"),
    ("map tower", "let m = #{}; loop { m = #{a: m}; }"),
    ("printed tower", "let a = []; for i in 0..9000 { a = [a]; } loop { let s = a.to_string(); }"),
    ("string doubling", "let s = \"x\"; loop { s += s; }"),
    ("string growing", "let s = \"\"; loop { s += \"abcdefghijklmnop\"; }"),
    ("string replace bomb", "let s = \"\"; s.pad(60000, 'a'); let t = s; s.replace(\"a\", t);"),
    (
        "string replace again",
        "let s = \"\"; s.pad(60000, 'a'); loop { s.replace(\"a\", \"b\"); s.replace(\"b\", \"a\"); }",
    ),
    ("char replace bomb", "let s = \"\"; s.pad(60000, 'a'); let t = s; s.replace('a', t);"),
    ("string pad", "let s = \"\"; s.pad(9000000000000, 'x');"),
    ("string pad loop", "loop { let s = \"\"; s.pad(60000, 'x'); }"),
    ("pad with text", "let s = \"\"; loop { s.pad(65000, \"xyz\"); s.clear(); }"),
    ("string split", "let s = \"\"; s.pad(60000, 'x'); loop { let a = s.split(\"\"); }"),
    ("split by char", "let s = \"\"; s.pad(60000, ','); loop { let a = s.split(','); }"),
    ("to chars", "let s = \"\"; s.pad(60000, 'x'); loop { let a = s.to_chars(); }"),
    ("search", "let s = \"\"; s.pad(60000, 'a'); let t = \"\"; t.pad(30000, 'a'); t += \"b\"; loop { s.index_of(t); }"),
    ("upper case", "let s = \"\"; s.pad(60000, 'ß'); loop { let t = s.to_upper(); }"),
    ("array growing", "let a = []; loop { a.push(1); }"),
    ("array doubling", "let a = [1]; loop { a += a; }"),
    ("array pad", "let a = []; a.pad(9000000000000, 0);"),
    ("array of arrays", "let a = []; loop { a = [a]; }"),
    ("array in itself", "let a = [1]; loop { a.push(a); }"),
    ("array of long strings", "let a = []; loop { let s = \"\"; s.pad(60000, 'x'); a.push(s); }"),
    ("sort with endless comparer", "let a = []; for i in 0..9000 { a.push(i % 7); } a.sort(|x, y| { loop { } });"),
    (
        "sort without order",
        "let a = []; for i in 0..5000 { a.push(i); } loop { a.sort(|x, y| if x % 2 == 0 { 1 } else { -1 }); }",
    ),
    ("sort again", "let a = []; for i in 0..5000 { a.push(0 - i); } loop { let b = a; b.sort(); }"),
    (
        "filter in filter",
        "let a = []; for i in 0..5000 { a.push(i); } a.filter(|x| { let b = []; b.pad(5000, x); b.filter(|y| y > 3).len() > 3 });",
    ),
    (
        "reduce",
        "let a = []; for i in 0..5000 { a.push(i); } loop { a.reduce(|sum, x| if sum == () { x } else { sum + x }); }",
    ),
    ("dedup with endless comparer", "let a = []; for i in 0..9000 { a.push(i); } a.dedup(|x, y| { loop { } });"),
    ("map growing", "let m = #{}; let i = 0; loop { m[\"k\" + i] = i; i += 1; }"),
    ("map of maps", "let m = #{}; loop { m = #{a: m, b: m}; }"),
    ("findings without end", "loop { report(doc.tokens[0]); }"),
    (
        "alternatives without end",
        "let r = report(doc.tokens[0]); loop { r.alternative(\"una alternativa bastante larga\"); }",
    ),
    ("printing without end", "loop { print(\"hola hola hola hola\"); }"),
    ("tally without end", "let t = tally(); let i = 0; loop { t.add(`k${i}`); i += 1; }"),
    ("groups without end", "let g = groups(); loop { g.add(\"k\", doc.tokens[0]); }"),
    ("similarity", "let s = \"\"; s.pad(60000, 'a'); loop { similarity(s, s + \"b\"); }"),
    ("phrases", "let s = \"\"; s.pad(60000, \"a \"); loop { doc.has_phrase(s); }"),
    ("waiting", "let f = Fn(\"sleep\"); f.call(30);"),
    ("waiting for less", "let f = Fn(\"sleep\"); f.call(0.5);"),
    ("json", "let s = \"\"; s.pad(60000, '['); let f = Fn(\"parse_json\"); f.call(s);"),
];

/// Each test script may compute so much on a short text.
const ALLOWANCE: Allowance = Allowance { per_thousand_tokens: 2_000 };
/// The longest single operations, on texts of 64 KiB, take some 100 µs.
const LONGEST: Duration = Duration::from_secs(4);

/// Nanoseconds for which this thread has been running, as Linux tells it.
fn computed() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(stat.split_whitespace().next()?.parse().ok()?))
}

fn wrap(body: &str) -> String {
    let (functions, body): (Vec<&str>, &str) = match body.rfind("} f(") {
        Some(at) if body.starts_with("fn ") => (vec![&body[..=at]], &body[at + 1..]),
        _ => (Vec::new(), body),
    };
    format!("{}\nfn on_document(d) {{ {body} }}", functions.concat())
}

#[test]
fn each_ends_the_same_way_and_fails_alone() {
    let text = input("Una carta breve. Tiene dos oraciones.", &[]);
    let honest = script("fn on_sentence(s) { report(s.tokens.first) }");
    let mut slow = Vec::new();
    for (name, body) in HOSTILE {
        let source = wrap(body);
        let hostile =
            glosa_script::Script { source: &source, file: "es.rhai", allowance: ALLOWANCE, ..Default::default() };
        let hostile = glosa_script::compile(&hostile).unwrap_or_else(|problems| panic!("{name}: {problems:?}")).run;
        let before = computed();
        let first = run(&hostile, &text).expect_err(name);
        let spent = computed().zip(before).map_or(Duration::ZERO, |(after, before)| after - before);
        if spent > LONGEST {
            slow.push((name, spent));
        }
        let again = run(&hostile, &text).expect_err(name);
        assert_eq!(first.to_string(), again.to_string(), "{name}: the same text, another end");
        let found = run(&honest, &text).expect("an honest script is not touched");
        assert_eq!(marked(&text, &found.findings), ["Una", "Tiene"], "after {name}");
    }
    assert!(slow.is_empty(), "computed for too long: {slow:?}");
}

#[test]
fn nothing_loads_code_or_reads_the_world() {
    let gone = ["eval(\"1\")", "import \"fs\" as fs;", "export let x = 1;", "let f = Fn(\"g\"); curry(f, f);"];
    for body in gone {
        let source = format!("fn on_document(d) {{ {body} }}");
        let script = glosa_script::Script { source: &source, file: "es.rhai", ..Default::default() };
        assert!(glosa_script::compile(&script).is_err(), "{body}");
    }
    for (name, why) in glosa_script::REFUSED {
        for body in [format!("{name}(\"1\")"), format!("let x = 1; x.{name}()")] {
            let source = format!("fn on_document(d) {{ {body}; }}");
            let script = glosa_script::Script { source: &source, file: "es.rhai", ..Default::default() };
            let problems = glosa_script::compile(&script).err().unwrap_or_default();
            assert!(problems.iter().any(|p| p.message == format!("`{name}`: {why}")), "{body}: {problems:?}");
        }
        let source =
            format!("fn on_document(d) {{ Fn(\"{name}\").call({}); }}", if name == "sleep" { "1" } else { "\"1\"" });
        let error = run(&script(&source), &input("Una carta.", &[])).expect_err("refused");
        assert!(error.to_string().contains(why), "{error}");
        assert!(glosa_script::reference().iter().all(|entry| entry.name != name), "{name} is offered");
    }
    for body in
        ["timestamp()", "open_file(\"/etc/passwd\")", "http_get(\"x\")", "rand()", "blob(9)", "std::fs::read(\"x\")"]
    {
        let source = format!("fn on_document(d) {{ {body}; }}");
        let script = glosa_script::Script { source: &source, file: "es.rhai", ..Default::default() };
        let problems = glosa_script::compile(&script).err().unwrap_or_default();
        assert!(problems.iter().any(|p| p.message.starts_with("there is no function")), "{body}: {problems:?}");
    }
}

#[test]
fn a_report_that_was_given_up_stops_its_scripts() {
    let text = input("Una carta.", &[]);
    text.budget.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let error = run(&script("fn on_document(d) { let x = 1; loop { x += 1; } }"), &text).expect_err("stopped");
    assert!(
        matches!(&error, MetricError::Budget(why) if why.ends_with("the time of the report is used up")),
        "{error}"
    );
}

#[test]
fn a_call_without_end_names_its_line() {
    let itself = "fn deeper(n) {\n    deeper(n + 1)\n}\nfn on_document(d) {\n    deeper(0);\n}\n";
    let two = "fn on_document(d) {\n    let x = one(0);\n}\nfn one(n) {\n    two(n)\n}\nfn two(n) { 1 + one(n) }\n";
    for (source, place) in [(itself, "es.rhai:2:5"), (two, "es.rhai:5:5")] {
        let script = glosa_script::Script { source, file: "es.rhai", ..Default::default() };
        let script = glosa_script::compile(&script).unwrap_or_else(|problems| panic!("{problems:?}")).run;
        let error = run(&script, &input("Una carta.", &[])).expect_err("a limit").to_string();
        let name = if source == two { "two" } else { "deeper" };
        let told = format!("{place}: functions call one another more than 24 deep: `{name}` leads back to itself");
        assert!(error.ends_with(&told), "{error}");
    }
}
