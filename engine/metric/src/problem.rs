//! One thing that is wrong with a file of rules, genres or glossaries: place, cause and cure.

use std::fmt;

use crate::yaml::YamlError;

/// A problem found while loading. All problems of a load are listed, never only the first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// File, as a path from the root it was found under.
    pub file: String,
    /// Line, from 1; 0 where the problem is about the whole file.
    pub line: u64,
    /// Column, from 1.
    pub column: u64,
    /// What is wrong and what was expected.
    pub message: String,
    /// The line of the file with a caret under the place.
    pub snippet: Option<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Problem {
    /// A problem of a whole file.
    pub fn of(file: impl Into<String>, message: impl Into<String>) -> Self {
        Problem { file: file.into(), line: 0, column: 0, message: message.into(), snippet: None, help: None }
    }

    /// A problem of a YAML document, as its reader told it.
    pub fn yaml(file: impl Into<String>, error: &YamlError) -> Self {
        Problem {
            line: error.line,
            column: error.column,
            snippet: error.snippet.clone(),
            help: error.help.clone(),
            ..Problem::of(file, &error.message)
        }
    }

    /// Names the place.
    pub fn at(mut self, line: u64, column: u64) -> Self {
        self.line = line;
        self.column = column;
        self
    }

    /// Shows the line of `source` that the problem is in.
    pub fn show(mut self, source: &str) -> Self {
        self.snippet = snippet(source, self.line, self.column);
        self
    }

    /// Names and shows the last line of `source` that holds all of these words; without one the problem stays that of
    /// the whole file.
    pub fn near(self, source: &str, words: &[&str]) -> Self {
        let holds = |line: &&str| words.iter().all(|word| line.contains(word));
        let Some((number, line)) = source.lines().zip(1u64..).filter(|(l, _)| holds(l)).map(|(l, n)| (n, l)).last()
        else {
            return self;
        };
        let before = words.last().and_then(|word| line.find(word)).map_or("", |at| &line[..at]);
        self.at(number, before.chars().count() as u64 + 1).show(source)
    }

    /// Adds a cure where there is none yet.
    pub fn help_if_none(mut self, help: impl Into<String>) -> Self {
        self.help.get_or_insert_with(|| help.into());
        self
    }

    /// Adds the cure.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message)?,
            line => write!(f, "{}:{}:{}: {}", self.file, line, self.column, self.message)?,
        }
        if let Some(snippet) = &self.snippet {
            write!(f, "\n{snippet}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

const SNIPPET_WIDTH: usize = 100;

/// The line of a place and a caret under it; a long line is shown around the place. `None` where the source has no
/// such line.
pub(crate) fn snippet(source: &str, line: u64, column: u64) -> Option<String> {
    let text = source.lines().nth(line.checked_sub(1)? as usize)?;
    let at = (column as usize).saturating_sub(1);
    let skip = at.saturating_sub(SNIPPET_WIDTH / 2);
    let shown: String = text.chars().skip(skip).take(SNIPPET_WIDTH).collect();
    let number = line.to_string();
    let indent: String = shown.chars().take(at - skip).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    Some(format!("  {number} | {shown}\n  {} | {indent}^", " ".repeat(number.len())))
}

/// "did you mean" and the list of valid names.
pub(crate) fn valid_names<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str> + Clone) -> String {
    let all = known.clone().into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match did_you_mean(wrong, known) {
        Some(near) => format!("did you mean `{near}`? Valid here: {all}"),
        None if all.is_empty() => "no name is valid here".to_owned(),
        None => format!("valid here: {all}"),
    }
}

/// The known name that is nearest to a wrong one, if one is near enough to be what was meant.
pub fn did_you_mean<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = 1 + wrong.chars().count() / 4;
    let near = known.into_iter().map(|name| (strsim::levenshtein(wrong, name), name)).min()?;
    (near.0 <= limit).then_some(near.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_offered() {
        assert_eq!(did_you_mean("lema", ["form", "lemma", "pos"]), Some("lemma"));
        assert_eq!(did_you_mean("colour", ["form", "lemma", "pos"]), None);
    }
}
