//! How a file is written, told by its name or by whoever asks.

use std::path::Path;

/// How a file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Syntax {
    /// Words and nothing else
    #[default]
    Plain,
    /// CommonMark with tables, footnotes and front matter
    Markdown,
    /// HTML, or XHTML
    Html,
}

impl Syntax {
    /// The syntax that a name's ending tells; plain where it tells nothing.
    pub fn of_path(path: &Path) -> Syntax {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdown" | "mkd" | "mkdn" | "mdx" | "qmd" | "rmd" => Syntax::Markdown,
            "html" | "htm" | "xhtml" => Syntax::Html,
            _ => Syntax::Plain,
        }
    }

    /// The syntax of a language identifier of editors; `None` for one that tells nothing.
    pub fn of_language_id(id: &str) -> Option<Syntax> {
        match id.to_ascii_lowercase().as_str() {
            "markdown" | "mdx" | "quarto" | "rmd" => Some(Syntax::Markdown),
            "html" | "xhtml" => Some(Syntax::Html),
            "plaintext" | "text" => Some(Syntax::Plain),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_syntax() {
        for (name, syntax) in [
            ("carta.txt", Syntax::Plain),
            ("LEEME", Syntax::Plain),
            ("docs/README.md", Syntax::Markdown),
            ("a.MARKDOWN", Syntax::Markdown),
            ("a.b/index.htm", Syntax::Html),
            ("md", Syntax::Plain),
        ] {
            assert_eq!(Syntax::of_path(Path::new(name)), syntax, "{name}");
        }
        assert_eq!(Syntax::of_language_id("markdown"), Some(Syntax::Markdown));
        assert_eq!(Syntax::of_language_id("rust"), None);
    }
}
