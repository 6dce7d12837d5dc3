//! `glosa check` for the person at the desk: which rules, which files, which form, what is put right, and the exit code.
#![allow(clippy::disallowed_methods, reason = "tests of commands and files")]

use std::collections::VecDeque;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use clap::Parser;
use glosa_cli::{Check, Console, Failure};
use glosa_tests_root::Folder;
use serde_json::Value;

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    check: Check,
}

/// Streams that remember, and answers that were prepared.
#[derive(Default)]
struct Desk {
    out: Vec<u8>,
    err: String,
    answers: VecDeque<&'static str>,
}

impl Console for Desk {
    fn out(&mut self, text: &str) {
        self.out.extend(anstream::adapter::strip_str(text).to_string().bytes());
    }
    fn out_bytes(&mut self, bytes: &[u8]) {
        self.out.extend(bytes);
    }
    fn err(&mut self, text: &str) {
        self.err.push_str(text);
    }
    fn answer(&mut self) -> Option<String> {
        self.answers.pop_front().map(str::to_owned)
    }
}

/// A root with two rules, a genre, and files to check.
struct Root {
    folder: Folder,
}

impl Root {
    fn new() -> Root {
        let root = Root { folder: Folder::root() };
        root.rule("wordy-phrase", "vocabulary", "version: 1.0.0\nsubstitute:\n  con el fin de: para\n");
        root.rule(
            "common-slip",
            "correctness",
            "version: 1.0.0\nsubstitute:\n  a nivel de: en\n  gestion: gestión\n  mucho nuevo: ~\n",
        );
        root
    }

    fn rule(&self, id: &str, category: &str, variant: &str) {
        let docs = format!(
            "documentation: {{title: Título de {id}, summary: Qué es., methodology: Así.}}\nreport: {{summary: 'Hay {{count}}.'}}\n"
        );
        self.folder.rule(id, category, variant, &docs);
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.file(file)
    }

    fn put(&self, file: &str, bytes: &[u8]) -> String {
        self.folder.put(file, bytes).display().to_string()
    }

    /// Runs the command with answers: the exit code and the streams.
    fn asked(&self, answers: &[&'static str], arguments: &[&str]) -> (u8, Desk) {
        let mut words = vec!["check", "--root", self.folder.path().to_str().expect("UTF-8")];
        words.extend(arguments);
        let mut desk = Desk { answers: answers.iter().copied().collect(), ..Desk::default() };
        let outcome = Arguments::try_parse_from(words).expect("well formed").check.run_on(&mut desk);
        let code = match outcome {
            Ok(()) => 0,
            Err(Failure::Found) => 1,
            Err(Failure::Usage(message)) => {
                desk.err.push_str(&message);
                2
            }
            Err(Failure::Failed(message)) => panic!("exit code 1 is for places: {message}"),
        };
        desk.err = desk.err.replace(&format!("{}/", self.folder.path().display()), "");
        (code, desk)
    }

    fn run(&self, arguments: &[&str]) -> (u8, String, String) {
        let (code, desk) = self.asked(&[], &[&["--genre", "test/note"], arguments].concat());
        let out = String::from_utf8(desk.out).expect("text");
        (code, out.replace(&format!("{}/", self.folder.path().display()), ""), desk.err)
    }
}

const LETTER: &str = "Vino con el fin de ver.\n\nLa gestion a nivel de España.\n";

#[test]
fn one_line_a_place() {
    let root = Root::new();
    let letter = root.put("carta.txt", LETTER.as_bytes());
    let (code, out, err) = root.run(&[&letter, "--format", "lines"]);
    assert_eq!(
        out,
        "carta.txt:1:6: note wordy-phrase: Título de wordy-phrase: «con el fin de» → «para»\n\
         carta.txt:3:4: error common-slip: Título de common-slip: «gestion» → «gestión»\n\
         carta.txt:3:12: error common-slip: Título de common-slip: «a nivel de» → «en»\n"
    );
    assert_eq!((code, err.as_str()), (0, ""), "without a gate, finding is no failure");
    // Columns are characters, and a byte-order mark is none.
    let other = root.put("otra.txt", "\u{FEFF}Él, 👩\u{200D}👧: con el fin de ver.\r\nÑu gestion.\r\n".as_bytes());
    let (_, out, _) = root.run(&[&letter, &other, "--format", "lines", "--rule", "wordy-phrase"]);
    let places: Vec<&str> = out.lines().filter_map(|line| line.split_once(" note")).map(|(place, _)| place).collect();
    assert_eq!(places, ["carta.txt:1:6:", "otra.txt:1:10:"]);
}

#[test]
fn rules_and_categories_are_chosen() {
    let root = Root::new();
    let letter = root.put("carta.txt", LETTER.as_bytes());
    let rules = |arguments: &[&str]| -> Vec<String> {
        let (_, out, _) = root.run(&[&[letter.as_str(), "--format", "json"], arguments].concat());
        let report: Value = serde_json::from_str(&out).expect("JSON");
        let of = |r: &Value| r["metric_id"].as_str().expect("an id").to_owned();
        report["recommendations"].as_array().expect("a list").iter().map(of).collect()
    };
    assert_eq!(rules(&[]), ["common-slip", "wordy-phrase"]);
    assert_eq!(rules(&["--rule", "wordy-phrase"]), ["wordy-phrase"]);
    assert_eq!(rules(&["--category", "correctness"]), ["common-slip"]);
    assert_eq!(rules(&["--category", "correctness", "--rule", "wordy-phrase"]), ["common-slip", "wordy-phrase"]);
    for (arguments, said) in [
        (&["--rule", "wordy-phrases"][..], "unknown rule `wordy-phrases`; did you mean `wordy-phrase`?"),
        (&["--rule", "nonsense"], "unknown rule `nonsense`; `cargo rules list`"),
        (&["--category", "correctnes"], "unknown category `correctnes`; did you mean `correctness`?"),
        (&["--category", "style"], "there are: correctness, structure, "),
    ] {
        let (code, out, err) = root.run(&[&[letter.as_str()], arguments].concat());
        assert!(code == 2 && out.is_empty() && err.contains(said), "{err}");
    }
}

#[test]
fn a_rule_leaves_places_to_others_also_alone() {
    let root = Root::new();
    root.rule("rest", "vocabulary", "version: 1.0.0\nsubstitute:\n  fin: final\n");
    root.put(
        "rules/rest/metric.yaml",
        b"id: rest\nkind: rule\ncategory: vocabulary\norder: 2\nyields_to: [wordy-phrase]\n",
    );
    let letter = root.put("carta.txt", "Vino con el fin de ver el fin.\n".as_bytes());
    let (code, out, err) = root.run(&[&letter, "--format", "lines", "--rule", "rest"]);
    assert_eq!((code, out.lines().count()), (0, 1), "{out}{err}");
    assert!(out.starts_with("carta.txt:1:27:"), "{out}");
}

#[test]
fn exit_codes_are_those_of_gates() {
    let root = Root::new();
    let letter = root.put("carta.txt", "Vino con el fin de ver.\n".as_bytes());
    let code = |arguments: &[&str]| root.run(&[&[letter.as_str(), "--format", "lines"], arguments].concat()).0;
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&["--fail-on", "note"]), 1);
    assert_eq!(code(&["--fail-on", "warning"]), 0);
    assert_eq!(code(&["--fail-on", "error"]), 0);
    assert_eq!(code(&["--fail-on", "note", "--category", "correctness"]), 0);
    assert_eq!(code(&["missing.txt"]), 2);
    let wrong = root.put("roto.txt", b"Vino\xFF");
    let (code, _, err) = root.run(&[&wrong]);
    assert!(code == 2 && err.contains("roto.txt: not UTF-8 (byte 5)") && err.contains("--encoding"), "{err}");
}

#[test]
fn sarif_holds_what_the_standard_asks_for() {
    let root = Root::new();
    let letter = root.put("una carta.txt", LETTER.as_bytes());
    let (code, out, _) = root.run(&[&letter, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &log["version"]), (0, &Value::from("2.1.0")));
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "glosa");
    let rules = driver["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert_eq!((rules.len(), results.len()), (2, 3));
    for rule in rules {
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[text]["text"].is_string(), "{rule}");
        }
        assert!(["error", "note"].contains(&rule["defaultConfiguration"]["level"].as_str().expect("a level")));
    }
    let source: Vec<char> = LETTER.chars().collect();
    for result in results {
        let number = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[number]["id"], result["ruleId"]);
        assert!(result["message"]["text"].is_string());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].as_str().expect("an address").ends_with("una%20carta.txt"));
        let region = &place["region"];
        let (at, len) =
            (region["charOffset"].as_u64().expect("an offset"), region["charLength"].as_u64().expect("a length"));
        let slice: String = source[at as usize..(at + len) as usize].iter().collect();
        assert_eq!(region["snippet"]["text"], slice.as_str());
        assert!(region["startLine"].as_u64() >= Some(1) && region["startColumn"].as_u64() >= Some(1));
        let change = &result["fixes"][0]["artifactChanges"][0];
        let replacement = &change["replacements"][0];
        assert!(change["artifactLocation"]["uri"].is_string() && replacement["insertedContent"]["text"].is_string());
        assert!(replacement["deletedRegion"]["startLine"].is_u64(), "{replacement}");
    }
}

#[test]
fn ready_edits_are_carried_out_and_nothing_else() {
    let root = Root::new();
    // Ends of lines, byte-order mark, a missing last end, white space, the mode of the file and what is in doubt stay.
    let before = "\u{FEFF}Vino  con el fin de ver.\r\n\r\nLa gestion,\tsí, mucho nuevo.\nFin";
    let after = "\u{FEFF}Vino  para ver.\r\n\r\nLa gestión,\tsí, mucho nuevo.\nFin";
    let letter = root.put("carta.txt", before.as_bytes());
    fs::set_permissions(&letter, fs::Permissions::from_mode(0o640)).expect("a mode");
    let link = root.path("enlace.txt");
    std::os::unix::fs::symlink(&letter, &link).expect("a link");
    let link = link.display().to_string();
    let (code, out, err) = root.run(&[&link, "--fix", "--yes", "--format", "lines", "--fail-on", "note"]);
    assert_eq!(fs::read_to_string(&letter).expect("text"), after);
    assert_eq!(fs::metadata(&letter).expect("facts").permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).expect("facts").is_symlink());
    assert_eq!(code, 1, "what is left is found");
    assert_eq!(out, "enlace.txt:3:17: error common-slip: Título de common-slip: «mucho nuevo»\n", "in the new text");
    assert!(err.contains("enlace.txt: 2 places changed"), "{err}");
    // A second time nothing changes, and nothing is written.
    let written = fs::metadata(&letter).expect("facts").modified().expect("a time");
    let (_, _, err) = root.run(&[&letter, "--fix", "--yes", "--format", "lines"]);
    assert!(err.contains("carta.txt: 0 places changed"), "{err}");
    assert_eq!(fs::metadata(&letter).expect("facts").modified().expect("a time"), written);
    assert_eq!(fs::read_dir(root.folder.path()).expect("a folder").count(), 4, "no file is left behind");
}

#[test]
fn each_edit_is_asked_for() {
    let root = Root::new();
    let text = "Vino con el fin de ver. La gestion. Es a nivel de España. Con el fin de ir.\n";
    let fixed = |answers: &[&'static str]| {
        let letter = root.put("carta.txt", text.as_bytes());
        let (code, desk) = root.asked(answers, &[&letter, "--genre", "test/note", "--fix", "--format", "lines"]);
        assert_eq!(code, 0);
        (fs::read_to_string(letter).expect("text"), desk.err)
    };
    let (after, asked) = fixed(&["y\n", "n\n", "what\n", "y\n", "n\n"]);
    assert_eq!(after, "Vino para ver. La gestion. Es en España. Con el fin de ir.\n");
    assert!(
        asked.contains("carta.txt:1:6: Título de wordy-phrase\n  - Vino [con el fin de] ver. La gestion."),
        "{asked}"
    );
    assert!(asked.contains("  + Vino [para] ver."), "{asked}");
    assert_eq!(asked.matches("Change it?").count(), 5, "an answer that says nothing is asked again");
    assert_eq!(fixed(&["n\n", "all\n"]).0, "Vino con el fin de ver. La gestión. Es en España. Para ir.\n");
    assert_eq!(fixed(&["y\n", "q\n"]).0, "Vino para ver. La gestion. Es a nivel de España. Con el fin de ir.\n");
    assert_eq!(fixed(&[]).0, text, "nobody to ask");
}

#[test]
fn other_encodings_are_kept() {
    let root = Root::new();
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let letter = root.put("latin.txt", &latin("La gestion de España.\r\n"));
    let fix = ["--fix", "--yes", "--format", "lines"];
    let (code, _, err) = root.run(&[&[letter.as_str(), "--encoding", "iso-8859-1"][..], &fix].concat());
    assert_eq!((code, fs::read(&letter).expect("bytes")), (0, latin("La gestión de España.\r\n")), "{err}");
    for little in [true, false] {
        let bytes = |text: &str| -> Vec<u8> {
            let both = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            text.encode_utf16().flat_map(both).collect()
        };
        let letter = root.put("wide.txt", &bytes("\u{FEFF}La gestion de España."));
        let (code, _, err) = root.run(&[&[letter.as_str()][..], &fix].concat());
        assert_eq!((code, fs::read(&letter).expect("bytes")), (0, bytes("\u{FEFF}La gestión de España.")), "{err}");
    }
    root.rule("arrow", "vocabulary", "version: 1.0.0\nsubstitute:\n  flecha: →\n");
    let letter = root.put("latin.txt", &latin("Una flecha, señora.\n"));
    let (code, _, err) = root.run(&[&[letter.as_str(), "--encoding", "iso-8859-1"][..], &fix].concat());
    assert!(code == 2 && err.contains("windows-1252 cannot write the corrected text; nothing was written"), "{err}");
    assert_eq!(fs::read(&letter).expect("bytes"), latin("Una flecha, señora.\n"));
}

#[test]
fn standard_input_is_not_asked() {
    let root = Root::new();
    let (code, _, err) = root.run(&["-", "--fix"]);
    assert!(code == 2 && err.contains("add --yes"), "{err}");
    assert_eq!(root.run(&["-", "-"]).0, 2);
}

#[test]
fn files_say_what_they_are() {
    let root = Root::new();
    let page = "---\ntitle: con el fin de\nglosa: {genre: test/note}\n---\n\nVino `con el fin de` y **con el fin de** ver.\n\n> Con el fin de citar.\n";
    let page = root.put("nota.md", page.as_bytes());
    let run = |arguments: &[&str]| {
        let (code, desk) = root.asked(&[], arguments);
        (
            code,
            String::from_utf8(desk.out).expect("text").replace(&format!("{}/", root.folder.path().display()), ""),
            desk.err,
        )
    };
    let (code, out, err) = run(&[&page, "--format", "lines"]);
    assert_eq!(
        (code, out.as_str()),
        (0, "nota.md:6:26: note wordy-phrase: Título de wordy-phrase: «con el fin de» → «para»\n"),
        "{err}"
    );
    let (code, _, err) = run(&[&page, "--syntax", "plain"]);
    assert!(code == 2 && err.contains("nota.md: no genre; write `--genre DOMAIN/TEXT_TYPE`"), "{err}");
    let wrong = root.put(
        "otra.md",
        "---\nglosa: {genre: test/notes}\n---\nVino.\n\n<!-- glosa off: wordy-phrases -->\n".as_bytes(),
    );
    let (code, _, err) = run(&[&wrong]);
    assert!(code == 2 && err.contains("otra.md:2:16: no genre `test/notes` in es"), "{err}");
    let (code, out, err) = run(&[&wrong.replace("otra.md", "nota.md"), "--format", "lines", "--fix", "--yes"]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(fs::read_to_string(&page).expect("text").contains("Vino `con el fin de` y **para** ver.\n\n> Con el fin"));
    let silent = root.put(
        "c.html",
        "<!-- glosa off: wordy-phrase, wordi-phrase --><p>Vino con el fin de ver la gestion.".as_bytes(),
    );
    let (code, out, err) = root.run(&[&silent, "--format", "lines"]);
    assert_eq!((code, out.lines().count()), (0, 1), "{out}");
    assert!(err.contains("c.html:1:31: unknown rule `wordi-phrase`; did you mean `wordy-phrase`?"), "{err}");
}

/// The guide of editors, hooks and CI shows commands, genres and rules that there are.
#[test]
fn the_guide_shows_what_there_is() {
    let read = |file: &str| fs::read_to_string(Path::new(TOP).join(file)).expect(file);
    let front = read("README.md").replace("cargo run -q -- ", "glosa ");
    let guide = read("server/lsp/README.md") + front.as_str();
    let hooks =
        read(".pre-commit-hooks.yaml").replace("entry: ", "\n").replace("--fail-on error", "--fail-on error FILE");
    let mut commands = 0;
    for line in guide.lines().chain(hooks.lines()).filter(|line| line.contains("glosa check ") && !line.contains('`')) {
        let command = &line[line.find("glosa check ").expect("a command") + "glosa ".len()..];
        let command = command.split(['>', '#']).next().unwrap_or(command);
        let words: Vec<&str> = command.split_whitespace().collect();
        if let Err(error) = Arguments::try_parse_from(&words) {
            panic!("{line}\n{error}");
        }
        for pair in words.windows(2) {
            let place = match pair[0] {
                "--genre" => format!("genres/{}", pair[1]),
                "--rule" => format!("rules/{}", pair[1]),
                _ => continue,
            };
            assert!(Path::new(TOP).join(&place).is_dir(), "{line}: there is no {place}");
        }
        commands += 1;
    }
    assert!(commands >= 9, "{commands} commands");
    for (from, to) in
        [("genre = '", "'"), ("genre = \"", "\""), (":genre \"", "\""), ("\"genre\": \"", "\""), ("{genre: ", ",")]
    {
        for part in guide.split(from).skip(1) {
            let name = part.split(to).next().expect("a name");
            assert!(name == "…" || Path::new(TOP).join("genres").join(name).is_dir(), "{from}{name}");
        }
    }
    for rule in guide.split("<!-- glosa off: ").skip(1).filter_map(|part| part.split(" -->").next()) {
        for rule in rule.split(", ") {
            assert!(Path::new(TOP).join("rules").join(rule).is_dir(), "{rule}");
        }
    }
}
