//! `glosa annotate`: the linguistic analysis as CoNLL-U.

use std::path::PathBuf;

use glosa_lingua::{Runtime, conllu};
use glosa_text::Language;

use crate::Failure;
use crate::roots::read_text;

/// Print the linguistic analysis of a text as CoNLL-U
#[derive(Debug, clap::Args)]
pub struct Annotate {
    /// Text file, or - for standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,
    /// Language of the text: es, ca or en
    #[arg(long, env = "GLOSA_LANGUAGE")]
    pub language: Language,
}

impl Annotate {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let text = read_text(&self.file)?;
        let runtime = Runtime::new().map_err(|error| Failure::failed(error.to_string()))?;
        let source = self.file.file_stem().and_then(|s| s.to_str()).filter(|s| *s != "-").unwrap_or("text");
        anstream::print!("{}", conllu::annotate(&runtime, self.language, &text, source));
        Ok(())
    }
}
