//! `glosa check`: one text, one genre, the report.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glosa_catalog::{Catalog, Genre, GenreEdition, GenreError};
use glosa_report::{Progress, ReportResult, build};
use glosa_text::Language;

use crate::roots::read_text;
use crate::{Failure, RootOptions, html, text_report};

/// Analyse a text and show what could be better for its genre
#[derive(Debug, clap::Args)]
pub struct Check {
    /// Text file, or - for standard input
    pub file: PathBuf,
    /// Genre as DOMAIN/TEXT_TYPE, or TEXT_TYPE alone where it is unique
    #[arg(long, env = "GLOSA_GENRE")]
    pub genre: String,
    /// Language of the text: es, ca or en
    #[arg(long, env = "GLOSA_LANGUAGE", default_value = "es")]
    pub language: Language,
    /// How the report is printed
    #[arg(long, env = "GLOSA_FORMAT", value_enum, default_value = "text")]
    pub format: Format,
    /// Where rules are
    #[command(flatten)]
    pub roots: RootOptions,
}

/// How a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Excerpts with carets and a summary
    Text,
    /// The report result as the service returns it
    Json,
    /// A page with the text and its marks
    Html,
}

impl Check {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let text = read_text(&self.file)?;
        let snapshot = self.roots.load_language(self.language)?;
        let genre = find(&snapshot.catalog, self.language, &self.genre)?;
        let stop = Arc::new(AtomicBool::new(false));
        let mut on = |progress| {
            if let Progress::CutShort { metric, why, places, .. } = progress {
                anstream::eprintln!(
                    "note: {metric} did not reach the end of the text ({places} places until then): {why}"
                );
            }
        };
        let result = build(&snapshot.engine, genre, self.language, &text, &mut on, &stop)
            .map_err(|error| Failure::failed(error.to_string()))?;
        match self.format {
            Format::Text => anstream::print!("{}", text_report::render(&result, &text)),
            Format::Html => {
                let page = html::render(&result, &text).map_err(|error| Failure::failed(error.to_string()))?;
                anstream::print!("{page}");
            }
            Format::Json => anstream::println!("{}", json(&result)?),
        }
        Ok(())
    }
}

fn json(result: &ReportResult) -> Result<String, Failure> {
    serde_json::to_string_pretty(result).map_err(|error| Failure::failed(error.to_string()))
}

/// The genre that a user names, with advice when there is none.
pub(crate) fn find<'c>(
    catalog: &'c Catalog,
    language: Language,
    name: &str,
) -> Result<(&'c Genre, &'c GenreEdition), Failure> {
    let (domain, text_type) = name.split_once('/').map_or((None, name), |(d, t)| (Some(d), t));
    catalog.find(language, domain, text_type).map_err(|error| match error {
        GenreError::Ambiguous(domains) => {
            let full: Vec<_> = domains.iter().map(|d| format!("{d}/{text_type}")).collect();
            Failure::usage(format!("`{text_type}` names several genres: {}", full.join(", ")))
        }
        GenreError::Unknown => {
            let of_language = catalog.genres().iter().filter(|g| g.editions.contains_key(&language));
            let known: Vec<_> = of_language.map(|g| format!("  {}/{}", g.domain.slug, g.slug)).collect();
            Failure::usage(format!("no genre `{name}` in {language}; there are:\n{}", known.join("\n")))
        }
    })
}
