//! `rules`: the loop of a linguist, from an empty folder to a tested rule.

mod accept;
mod docs;
mod list;
pub(crate) mod new;
mod precision;
mod proofread;
mod run;
mod scaffold;
mod schema;
mod stats;
mod test;
mod time;

use std::path::PathBuf;

use glosa_text::Language;

use crate::{Failure, RootOptions};

/// What to do with rules.
#[derive(Debug, clap::Subcommand)]
pub enum Rules {
    /// Make the folder of a new metric, with commented files to fill in
    New {
        /// Public name: lower case, words joined by hyphens
        id: String,
        /// Languages of the first variants and of the documentation
        #[arg(long, value_delimiter = ',', default_value = "es,ca,en")]
        language: Vec<Language>,
        /// What the first variants are
        #[arg(long, value_enum, default_value = "match")]
        form: new::FormOption,
    },
    /// List all metrics in linguistic order
    List {
        /// Only variants of this language
        #[arg(long)]
        language: Option<Language>,
    },
    /// Load everything and show every problem, failing examples included, and what is hardly meant
    Check {
        /// Fail on remarks too
        #[arg(long)]
        strict: bool,
    },
    /// Run the examples of one metric, or of all, and compare their pictures
    Test {
        /// The metric; all when absent
        id: Option<String>,
    },
    /// Take the pictures of the examples as they are now
    Accept {
        /// The metric; all when absent
        id: Option<String>,
    },
    /// Run one metric on a text
    Run {
        /// The metric
        id: String,
        /// Text file, or - for standard input
        #[arg(long)]
        text: PathBuf,
        /// Language of the text
        #[arg(long, default_value = "es")]
        language: Language,
        /// Thresholds as KEY=VALUE
        #[arg(long = "set", value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// Genre whose glossaries, structure and thresholds are used
        #[arg(long)]
        genre: Option<String>,
    },
    /// Write a page a metric in three languages
    Docs {
        /// Folder of the pages [default: target/rules-docs]
        #[arg(long)]
        out: Option<PathBuf>,
        /// Write nothing; fail when a metric has no complete page in a language, when its figures (rules/judged.yaml) are not those of the
        /// judged documents or, with --out, when a page there differs
        #[arg(long)]
        check: bool,
    },
    /// Show what each metric costs on a text, slowest first
    Time {
        /// Text file
        #[arg(long)]
        text: PathBuf,
        /// Language of the text
        #[arg(long, default_value = "es")]
        language: Language,
        /// Genre whose plan is timed
        #[arg(long)]
        genre: String,
    },
    /// Count what each rule marks in the texts of a folder, per 1,000 words
    Stats {
        /// Folder of text files
        #[arg(long)]
        corpus: PathBuf,
        /// Language of the texts
        #[arg(long, default_value = "es")]
        language: Language,
        /// Genre whose plan is run
        #[arg(long)]
        genre: String,
        /// Show places of this rule in context
        #[arg(long, value_name = "ID")]
        show: Option<String>,
        /// How many places are shown, spread over the corpus
        #[arg(long, value_name = "N", default_value_t = 30, requires = "show")]
        sample: usize,
        /// Keep the counts in this file, for --against
        #[arg(long, value_name = "FILE")]
        save: Option<PathBuf>,
        /// Compare with the counts that an earlier run kept
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
    },
    /// Carry out every edit and first suggestion in texts, each by itself, and show what is wrong in the sentences then
    Proofread {
        /// Text file, or folder of text files
        #[arg(long, value_name = "DIR")]
        text: PathBuf,
        /// Language of the texts
        #[arg(long, default_value = "es")]
        language: Language,
        /// Genre whose rules are used [default: the one with most rules]
        #[arg(long)]
        genre: Option<String>,
    },
    /// Compare reports with judged documents, and show how often each rule is right
    Precision {
        /// Folder with a folder of judged documents a language [default: tests/rules/judged of the first root]
        #[arg(long, value_name = "DIR")]
        judged: Option<PathBuf>,
        /// Only documents of this language
        #[arg(long)]
        language: Option<Language>,
        /// Keep the figures of each rule in rules/judged.yaml, which the pages of the rules show
        #[arg(long, conflicts_with_all = ["judged", "language"])]
        write: bool,
    },
    /// Write the sheets in which a reader judges reports on texts
    Review {
        /// Text file, or folder of text files
        #[arg(long)]
        corpus: PathBuf,
        /// Language of the texts
        #[arg(long, default_value = "es")]
        language: Language,
        /// Genre of the texts
        #[arg(long)]
        genre: String,
        /// Folder of the sheets
        #[arg(long, default_value = "target/review")]
        out: PathBuf,
    },
    /// Write the JSON Schemas of the YAML files, for editors, and the line that names its schema into every file
    Schema {
        /// Folder of the schemas [default: rules/schemas of the last root]
        #[arg(long)]
        out: Option<PathBuf>,
        /// Write nothing; fail when a schema or a line is missing or differs
        #[arg(long)]
        check: bool,
    },
}

impl Rules {
    /// Runs the command.
    pub fn run(&self, roots: &RootOptions) -> Result<(), Failure> {
        match self {
            Rules::New { id, language, form } => new::run(roots, id, language, *form),
            Rules::List { language } => list::run(roots, *language),
            Rules::Check { strict } => test::check(roots, *strict),
            Rules::Test { id } => test::run(roots, id.as_deref()),
            Rules::Accept { id } => accept::run(roots, id.as_deref()),
            Rules::Run { id, text, language, set, genre } => {
                run::run(roots, id, text, *language, set, genre.as_deref())
            }
            Rules::Docs { out, check } => docs::run(roots, out.as_deref(), *check),
            Rules::Time { text, language, genre } => time::run(roots, text, *language, genre),
            Rules::Stats { corpus, language, genre, show, sample, save, against } => {
                let asked = stats::Asked {
                    show: show.as_deref(),
                    sample: *sample,
                    save: save.as_deref(),
                    against: against.as_deref(),
                };
                stats::run(roots, corpus, *language, genre, &asked)
            }
            Rules::Proofread { text, language, genre } => proofread::run(roots, text, *language, genre.as_deref()),
            Rules::Precision { judged, language, write } => precision::run(roots, judged.as_deref(), *language, *write),
            Rules::Review { corpus, language, genre, out } => precision::review(roots, corpus, *language, genre, out),
            Rules::Schema { out, check } => schema::run(roots, out.as_deref(), *check),
        }
    }
}

/// The names of the metrics that an optional argument chooses.
fn chosen(snapshot: &glosa_host::Snapshot, id: Option<&str>) -> Result<Vec<String>, Failure> {
    let known = snapshot.engine.registry.entries().iter().map(|e| e.manifest.id.as_str());
    match id {
        None => Ok(known.map(str::to_owned).collect()),
        Some(id) if known.clone().any(|k| k == id) => Ok(vec![id.to_owned()]),
        Some(id) => {
            let near = glosa_metric::did_you_mean(id, known).map(|n| format!("; did you mean `{n}`?"));
            Err(Failure::usage(format!("no metric `{id}`{}", near.unwrap_or_default())))
        }
    }
}
