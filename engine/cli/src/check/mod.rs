//! `glosa check`: files, their genres, and what could be better; shown, gated on, or put right.

mod choice;
mod fix;
mod input;
mod lines;
mod sarif;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use encoding_rs::Encoding;
use glosa_catalog::{Catalog, Genre, GenreEdition, GenreError};
use glosa_host::{Severity, Snapshot};
use glosa_markup::{Lines, Reading, Syntax, Unit};
use glosa_report::{Progress, ReportResult};
use glosa_text::Language;

use self::choice::Choice;
pub use self::choice::unknown_name;
use self::fix::Mood;
use self::input::Input;
use crate::console::{Console, Terminal};
use crate::{Failure, RootOptions, html, text_report};

/// Analyse texts and show what could be better for their genre
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
A file may name its own genre and language in its front matter, which goes before the options:

    ---
    glosa: {genre: administracion-clara/carta, language: es}
    ---

In Markdown and HTML, `<!-- glosa off -->` and `<!-- glosa on -->` leave a part out, `<!-- glosa off: RULE, RULE -->` silences rules.

Exit codes: 0 nothing at or above --fail-on was found (without --fail-on: the report was made); 1 something was found;
2 wrong usage, or a file, a genre or the rules cannot be read, or a rule failed.")]
pub struct Check {
    /// Files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Genre as DOMAIN/TEXT_TYPE, or TEXT_TYPE alone where it is unique; files that name none have this one
    #[arg(long, env = "GLOSA_GENRE")]
    pub genre: Option<String>,
    /// Language of the texts: es, ca or en; files that name none have this one
    #[arg(long, env = "GLOSA_LANGUAGE", default_value = "es")]
    pub language: Language,
    /// How the files are written [default: by their names; plain for standard input]
    #[arg(long, env = "GLOSA_SYNTAX", value_enum)]
    pub syntax: Option<Syntax>,
    /// Encoding of files without a byte-order mark, by its label, such as windows-1252 [default: utf-8]
    #[arg(long, env = "GLOSA_ENCODING", value_parser = input::encoding, value_name = "LABEL")]
    pub encoding: Option<&'static Encoding>,
    /// Only this rule; may be given several times
    #[arg(long = "rule", env = "GLOSA_RULES", value_name = "ID", value_delimiter = ',')]
    pub rules: Vec<String>,
    /// Only the rules and measurements of this category; may be given several times
    #[arg(long = "category", env = "GLOSA_CATEGORIES", value_name = "CATEGORY", value_delimiter = ',')]
    pub categories: Vec<String>,
    /// How reports are printed
    #[arg(long, env = "GLOSA_FORMAT", value_enum, default_value = "text")]
    pub format: Format,
    /// Exit with 1 where something of this severity or above is found
    #[arg(long, env = "GLOSA_FAIL_ON", value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<Gate>,
    /// Carry out ready edits, each after asking; what is left is reported. Standard input goes to standard output
    #[arg(long)]
    pub fix: bool,
    /// With --fix: carry out all ready edits without asking
    #[arg(long, requires = "fix")]
    pub yes: bool,
    /// Where rules are
    #[command(flatten)]
    pub roots: RootOptions,
}

/// How a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Excerpts with carets and a summary
    Text,
    /// The report result as the service returns it; of several files, a list of `file` and `result`
    Json,
    /// A page with the text and its marks
    Html,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// path:line:column: severity rule: message
    Lines,
}

/// A severity that decides over the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Gate {
    /// Advice too
    Note,
    /// What goes against what people expect of a written text
    Warning,
    /// Only what is wrong in any text
    Error,
}

impl Gate {
    fn severity(self) -> Severity {
        match self {
            Gate::Note => Severity::Note,
            Gate::Warning => Severity::Warning,
            Gate::Error => Severity::Error,
        }
    }
}

/// A file with what it is analysed as.
struct Text {
    input: Input,
    reading: Reading,
    language: Language,
    genre: String,
}

impl Check {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        self.run_on(&mut Terminal)
    }

    /// Runs the command on other streams.
    pub fn run_on(&self, console: &mut dyn Console) -> Result<(), Failure> {
        // Exit code 1 says that something was found; whatever keeps a report from being made is 2.
        self.check(console).map_err(|failure| match failure {
            Failure::Failed(message) => Failure::Usage(message),
            other => other,
        })
    }

    fn check(&self, console: &mut dyn Console) -> Result<(), Failure> {
        self.usage()?;
        let texts = self.files.iter().map(|file| self.read(file)).collect::<Result<Vec<_>, _>>()?;
        let languages: BTreeSet<Language> = texts.iter().map(|text| text.language).collect();
        let snapshot = match languages.first() {
            Some(only) if languages.len() == 1 => self.roots.load_language(*only)?,
            _ => self.roots.load()?,
        };
        let choice = Choice::new(&snapshot, &self.rules, &self.categories)?;
        for text in &texts {
            let (_, edition) = self.genre(&snapshot, text)?;
            for rule in choice.idle(&self.rules, edition) {
                console.err(&format!(
                    "note: {}: `{rule}` does not run for {} in {}\n",
                    text.input.name(),
                    text.genre,
                    text.language
                ));
            }
            remarks(text, &snapshot, console);
        }
        let mut mood = if self.yes { Mood::All } else { Mood::Ask };
        let mut printer =
            Printer { format: self.format, single: texts.len() == 1, list: Vec::new(), log: sarif::Log::default() };
        let mut found = false;
        for mut text in texts {
            let mut result = self.analyse(&snapshot, &choice, &text, console)?;
            if self.fix {
                let (fixed, places) = fix::fixed(&text.input.name(), &text.reading, &result, &mut mood, console);
                if text.input.is_stream() {
                    console.out_bytes(&text.input.encode(&fixed)?);
                }
                if places > 0 && fixed != text.input.text {
                    if !text.input.is_stream() {
                        text.input.replace(&fixed)?;
                    }
                    text.reading = Reading::new(&fixed, text.reading.syntax());
                    result = self.analyse(&snapshot, &choice, &text, console)?;
                }
                let changed = if places == 1 { "1 place".to_owned() } else { format!("{places} places") };
                console.err(&format!("{}: {changed} changed\n", text.input.name()));
            }
            let gate = self.fail_on.map(Gate::severity);
            found |=
                gate.is_some_and(|gate| result.recommendations.iter().any(|r| snapshot.severity(&r.category) >= gate));
            if !(self.fix && text.input.is_stream()) {
                printer.add(&text, &result, &snapshot, console)?;
            }
        }
        if !(self.fix && printer.nothing_to_print(&self.files)) {
            printer.finish(console)?;
        }
        if found { Err(Failure::Found) } else { Ok(()) }
    }

    /// What the types of the options do not hold.
    fn usage(&self) -> Result<(), Failure> {
        let streams = self.files.iter().filter(|file| file.as_os_str() == "-").count();
        if streams > 1 || (streams == 1 && self.fix && self.files.len() > 1) {
            return Err(Failure::usage("standard input can be read once, and with --fix only alone"));
        }
        if self.fix && !self.yes && streams > 0 {
            return Err(Failure::usage(
                "standard input holds the text, so nobody can be asked: add --yes; the corrected text goes to standard output",
            ));
        }
        if self.format == Format::Html && self.files.len() > 1 {
            return Err(Failure::usage("--format html makes the page of one file; give one"));
        }
        Ok(())
    }

    fn read(&self, file: &Path) -> Result<Text, Failure> {
        let input = Input::read(file, self.encoding)?;
        let syntax = self.syntax.unwrap_or_else(|| Syntax::of_path(file));
        let reading = Reading::new(&input.text, syntax);
        let own = reading.settings();
        let language = own.language.as_ref().map_or(self.language, |own| own.value);
        let genre = own.genre.as_ref().map(|own| own.value.clone()).or_else(|| self.genre.clone());
        let genre = genre.ok_or_else(|| {
            Failure::usage(format!(
                "{}: no genre; write `--genre DOMAIN/TEXT_TYPE`, set GLOSA_GENRE, or begin a Markdown or HTML file with the \
                 front matter `glosa: {{genre: DOMAIN/TEXT_TYPE}}`",
                input.name()
            ))
        })?;
        Ok(Text { input, reading, language, genre })
    }

    fn genre<'s>(&self, snapshot: &'s Snapshot, text: &Text) -> Result<(&'s Genre, &'s GenreEdition), Failure> {
        find(&snapshot.catalog, text.language, &text.genre).map_err(|failure| {
            match (failure, &text.reading.settings().genre) {
                (Failure::Usage(message), Some(own)) => {
                    Failure::Usage(format!("{}: {message}", place(text, own.bytes.start)))
                }
                (failure, _) => failure,
            }
        })
    }

    fn analyse(
        &self,
        snapshot: &Snapshot,
        choice: &Choice,
        text: &Text,
        console: &mut dyn Console,
    ) -> Result<ReportResult, Failure> {
        let (genre, edition) = self.genre(snapshot, text)?;
        let edition = choice.narrow(edition);
        let stop = Arc::new(AtomicBool::new(false));
        let mut on = |progress| {
            if let Progress::CutShort { metric, why, places, .. } = progress {
                console.err(&format!(
                    "note: {metric} did not reach the end of the text ({places} places until then): {why}\n"
                ));
            }
        };
        let made =
            glosa_markup::report(&snapshot.engine, (genre, &edition), text.language, &text.reading, &mut on, &stop);
        let mut result = made.map_err(|error| Failure::failed(format!("{}: {error}", text.input.name())))?;
        choice.keep(&mut result);
        Ok(result)
    }
}

/// A place of a file as people write it.
fn place(text: &Text, byte: usize) -> String {
    let at = Lines::new(text.reading.source()).position(text.reading.source(), byte, Unit::CodePoints);
    format!("{}:{}:{}", text.input.name(), at.line + 1, at.column + 1)
}

/// Tells what the author of a file meant otherwise.
fn remarks(text: &Text, snapshot: &Snapshot, console: &mut dyn Console) {
    for fault in text.reading.faults() {
        console.err(&format!("{}: {}\n", place(text, fault.bytes.start), fault.message));
    }
    let entries = snapshot.engine.registry.entries();
    let known: Vec<&str> = entries.iter().map(|entry| entry.manifest.id.as_str()).collect();
    for (rule, bytes) in text.reading.named_rules() {
        if !known.contains(&rule.as_str()) {
            console.err(&format!("{}: {}\n", place(text, bytes.start), unknown_name("rule", rule, &known)));
        }
    }
}

/// Prints reports one after another.
struct Printer {
    format: Format,
    single: bool,
    list: Vec<serde_json::Value>,
    log: sarif::Log,
}

impl Printer {
    fn add(
        &mut self,
        text: &Text,
        result: &ReportResult,
        snapshot: &Snapshot,
        console: &mut dyn Console,
    ) -> Result<(), Failure> {
        let name = text.input.name();
        let failed = |error: &dyn std::fmt::Display| Failure::failed(error.to_string());
        match self.format {
            Format::Text => {
                if !self.single {
                    console.out(&format!("{name}\n\n"));
                }
                console.out(&text_report::render(result, text.reading.source()));
                if !self.single {
                    console.out("\n");
                }
            }
            Format::Html => {
                console.out(&html::render(result, text.reading.source()).map_err(|error| failed(&error))?);
            }
            Format::Lines => console.out(&lines::render(&name, &text.reading, result, snapshot)),
            Format::Sarif => self.log.add(&name, &text.reading, result, snapshot),
            Format::Json if self.single => {
                let json = serde_json::to_string_pretty(result).map_err(|error| failed(&error))?;
                console.out(&format!("{json}\n"));
            }
            Format::Json => {
                let result = serde_json::to_value(result).map_err(|error| failed(&error))?;
                self.list.push(serde_json::json!({"file": name, "result": result}));
            }
        }
        Ok(())
    }

    /// Whether standard output holds a corrected text.
    fn nothing_to_print(&self, files: &[PathBuf]) -> bool {
        files.iter().any(|file| file.as_os_str() == "-")
    }

    fn finish(self, console: &mut dyn Console) -> Result<(), Failure> {
        let whole = match self.format {
            Format::Sarif => self.log.render(),
            Format::Json if !self.single => serde_json::Value::Array(self.list),
            _ => return Ok(()),
        };
        let json = serde_json::to_string_pretty(&whole).map_err(|error| Failure::failed(error.to_string()))?;
        console.out(&format!("{json}\n"));
        Ok(())
    }
}

/// The genre that a user names, with advice when there is none.
pub(crate) fn find<'c>(
    catalog: &'c Catalog,
    language: Language,
    name: &str,
) -> Result<(&'c Genre, &'c GenreEdition), Failure> {
    find_genre(catalog, language, name).map_err(Failure::Usage)
}

/// The genre of a name, `DOMAIN/TEXT_TYPE` or `TEXT_TYPE`, in a language.
///
/// # Errors
/// No genre or several have it: those that there are.
pub fn find_genre<'c>(
    catalog: &'c Catalog,
    language: Language,
    name: &str,
) -> Result<(&'c Genre, &'c GenreEdition), String> {
    let (domain, text_type) = name.split_once('/').map_or((None, name), |(d, t)| (Some(d), t));
    catalog.find(language, domain, text_type).map_err(|error| match error {
        GenreError::Ambiguous(domains) => {
            let full: Vec<_> = domains.iter().map(|d| format!("{d}/{text_type}")).collect();
            format!("`{text_type}` names several genres: {}", full.join(", "))
        }
        GenreError::Unknown => {
            let of_language = catalog.genres().iter().filter(|g| g.editions.contains_key(&language));
            let known: Vec<_> = of_language.map(|g| format!("  {}/{}", g.domain.slug, g.slug)).collect();
            format!("no genre `{name}` in {language}; there are:\n{}", known.join("\n"))
        }
    })
}
