//! `glosa annotate`: the linguistic analysis as CoNLL-U or as trees, as rules see it: with the corrections of authors.

use std::collections::HashSet;
use std::path::PathBuf;

use glosa_lingua::Runtime;
use glosa_lingua::conllu::{Reread, annotate_with};
use glosa_metric::Readings;
use glosa_text::{Document, Language, Layout, Token};

use crate::clause_tree::trees;
use crate::roots::{read_text, show};
use crate::{Failure, RootOptions};

/// How the analysis is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum AnnotateFormat {
    /// CoNLL-U: tokens, lemmas, parts of speech, features, heads and relations
    #[default]
    Conllu,
    /// Each sentence with its clauses and its tree, for people
    Tree,
}

/// Print the linguistic analysis of a text as CoNLL-U or as trees
#[derive(Debug, clap::Args)]
pub struct Annotate {
    /// Text file, or - for standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,
    /// Language of the text: es, ca or en
    #[arg(long, env = "GLOSA_LANGUAGE")]
    pub language: Language,
    /// How the analysis is printed
    #[arg(long, value_enum, default_value_t)]
    pub format: AnnotateFormat,
    /// Where rules are
    #[command(flatten)]
    pub roots: RootOptions,
}

impl Annotate {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let text = read_text(&self.file)?;
        let runtime = Runtime::new().map_err(|error| Failure::failed(error.to_string()))?;
        let source = self.file.file_stem().and_then(|s| s.to_str()).filter(|s| *s != "-").unwrap_or("text");
        // The analysis needs no rules; where there are none, nobody corrects it.
        let readings = match (self.roots.find(), self.roots.root.is_some() || !self.roots.extra.is_empty()) {
            (Ok(roots), _) => glosa_host::load_readings(&roots, &runtime, self.language)
                .map_err(|problems| Failure::usage(show(&problems)))?,
            (Err(failure), true) => return Err(failure),
            (Err(_), false) => Readings::default(),
        };
        let printed = match self.format {
            AnnotateFormat::Conllu => {
                let reread = reread(&runtime, self.language, &text, &readings);
                annotate_with(&runtime, self.language, &text, source, &reread)
            }
            AnnotateFormat::Tree => {
                let document = runtime.analyse(self.language, &text, Layout::new(&text, &HashSet::new()));
                trees(&runtime.parse_document(readings.correct(document)))
            }
        };
        anstream::print!("{printed}");
        Ok(())
    }
}

/// The words that the corrections read anew.
fn reread(runtime: &Runtime, language: Language, text: &str, readings: &Readings) -> Vec<Reread> {
    if readings.all().is_empty() {
        return Vec::new();
    }
    let before = runtime.analyse(language, text, Layout::new(text, &HashSet::new()));
    let now = readings.correct(before.clone());
    let read = |document: &Document, token: &Token| {
        (token.pos, document.string(token.lemma).to_owned(), document.string(token.feats).to_owned())
    };
    let both = before.tokens().iter().zip(now.tokens());
    let changed = both.filter(|(was, is)| read(&before, was) != read(&now, is));
    changed
        .map(|(_, is)| {
            let (pos, lemma, feats) = read(&now, is);
            Reread { bytes: now.bytes_of_span(is.span), pos, lemma, feats }
        })
        .collect()
}
