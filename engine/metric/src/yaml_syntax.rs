//! What is wrong with a text that is no YAML, for people who do not know YAML's words: the line that is the cause, which
//! is often not the one where the reader stopped, and what to write instead.

/// Place, cause and cure.
pub(crate) struct Explained {
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) message: String,
    pub(crate) help: String,
}

const QUOTE: &str = "quote the value if it holds `: ` or ` #`, or begins with a sign such as [ { * & @ ! % or a quotation mark; \
                     indent with spaces";

/// Explains where and why a reader stopped; `said` is its own sentence.
pub(crate) fn explain(said: &str, source: &str, line: u64, column: u64) -> Option<Explained> {
    let lines: Vec<&str> = source.lines().collect();
    let number = usize::try_from(line).ok()?.checked_sub(1)?;
    let at = usize::try_from(column).ok()?.saturating_sub(1);
    let text = lines.get(number).copied().unwrap_or_default();
    let reader = Stop { lines: &lines, number, at, text };
    let tabbed = [number, number + 1].into_iter().find(|n| {
        let indent = lines.get(*n).map_or("", |l| &l[..l.len() - l.trim_start().len()]);
        indent.contains('\t')
    });
    if let Some(tabbed) =
        tabbed.filter(|_| said.contains("tab") || said.contains("not allowed") || said.contains("expected"))
    {
        let column = lines[tabbed].find('\t').unwrap_or_default();
        return Some(told(tabbed, column, "a tab in the indentation", "indent with spaces"));
    }
    Some(match said {
        _ if said.contains("mapping values are not allowed") => reader.second_colon(),
        _ if said.contains("simple key expected") => {
            reader.here("expected `key: value`", "write a colon and a value after it, or delete the line")
        }
        _ if said.contains("unexpected character") || said.contains("anchor") => {
            let sign = text.chars().nth(at).unwrap_or('@');
            reader.here(
                format!("a value cannot begin with `{sign}`"),
                format!("quote it: `{}`", quoted(&text.chars().skip(at).collect::<String>())),
            )
        }
        _ if said.contains("multiline quoted scalar") || said.contains("unexpected end of stream") => {
            reader.open_quote()
        }
        _ if said.contains("trailing content after") => reader.after_quote(),
        _ if said.contains("unknown escape") => reader.here(
            "a backslash inside \"…\" begins an escape that does not exist",
            "write the text between '…', or the backslash twice",
        ),
        _ if said.contains("misplaced bracket") => {
            reader.here("a closing bracket that nothing opened", "delete it, or quote the value")
        }
        _ if said.contains("bracket") || said.contains("illegal placement") || said.contains("',' or") => {
            reader.open_bracket()
        }
        _ if said.contains("expected key") && text.trim_start().starts_with('-') => reader.here(
            "an entry of a list among keys",
            "a list stands under its key: write `key:` and below it, indented, `- entry`",
        ),
        _ if said.contains("expected key") => reader.here(
            "the indentation of this line is that of no line above it",
            "begin the line in the same column as the keys that it belongs to",
        ),
        _ if said.contains("'-' indicator") => reader.here(
            "a key among the entries of a list",
            "begin the line with `- ` if it is an entry, or in the column of the key above the list",
        ),
        _ if said.contains("multiple YAML documents") => {
            reader.here("a second document begins here", "a file is one document: delete the line `---`")
        }
        _ => return None,
    })
}

/// The cure where nothing better is known.
pub(crate) fn general_cure() -> String {
    QUOTE.to_owned()
}

struct Stop<'s> {
    lines: &'s [&'s str],
    number: usize,
    at: usize,
    text: &'s str,
}

fn told(number: usize, column: usize, message: impl Into<String>, help: impl Into<String>) -> Explained {
    Explained { line: number as u64 + 1, column: column as u64 + 1, message: message.into(), help: help.into() }
}

/// A text between quotation marks that it does not hold.
fn quoted(text: &str) -> String {
    let text = text.trim();
    if text.contains('\'') && !text.contains(['"', '\\']) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|c| *c == ' ').count()
}

/// Whether a line of its own says something: no comment, not empty.
fn speaks(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

impl Stop<'_> {
    fn here(&self, message: impl Into<String>, help: impl Into<String>) -> Explained {
        told(self.number, self.at, message, help)
    }

    /// The line above that says something.
    fn above(&self) -> Option<(usize, &str)> {
        (0..self.number).rev().map(|n| (n, self.lines[n])).find(|(_, line)| speaks(line))
    }

    /// A `: ` where none can be: a second one of the line, or one below a value.
    fn second_colon(&self) -> Explained {
        let body = self.text.trim_start().trim_start_matches("- ").trim_start();
        let start = self.text.chars().count() - body.chars().count();
        if body.starts_with(['{', '[']) {
            return told(
                self.number,
                start,
                "a text cannot begin with a bracket",
                format!("quote it: `{}`", quoted(body)),
            );
        }
        if let Some((key, value)) = body.split_once(": ")
            && (value.contains(": ") || value.ends_with(':'))
        {
            let one_word = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            let cure = if one_word && !(self.text.trim_start().starts_with("- ") && key.starts_with(char::is_uppercase))
            {
                format!("{key}: {}", quoted(value))
            } else {
                quoted(body)
            };
            return self.here("a text that holds `: ` has to be quoted", format!("write `{cure}`"));
        }
        let Some((number, above)) = self.above() else {
            return self.here("expected `key: value`", "write a key, a colon, a space and the value");
        };
        let key = above.trim_start().trim_start_matches("- ");
        if !key.contains(": ") && !key.ends_with(':') {
            let column = above.chars().count() - key.chars().count();
            return match key.split_once(':') {
                Some((name, value)) if !value.is_empty() => {
                    told(number, column, "a space is missing after `:`", format!("write `{name}: {value}`"))
                }
                _ => told(
                    number,
                    column,
                    "expected `key: value`",
                    "write a colon and a value after it, or delete the line",
                ),
            };
        }
        if indent(self.text) > indent(above) {
            let name = key.split(':').next().unwrap_or_default();
            return told(
                self.number,
                indent(self.text),
                format!("this line stands below `{name}`, which has a value already"),
                format!("begin it in the same column as `{name}`; or, if it belongs to the value, quote the value"),
            );
        }
        self.here("a text that holds `: ` has to be quoted", QUOTE)
    }

    /// The line above in which a quotation mark was opened.
    fn open_quote(&self) -> Explained {
        let odd = |line: &str, mark: char| line.chars().filter(|c| *c == mark).count() % 2 == 1;
        let open = (0..=self.number.min(self.lines.len().saturating_sub(1))).rev().find_map(|n| {
            let line = self.lines[n];
            let first = line.find(['\'', '"'])?;
            let mark = line[first..].chars().next()?;
            odd(line, mark).then_some((n, line[..first].chars().count(), mark))
        });
        match open {
            Some((number, column, mark)) => told(
                number,
                column,
                format!("a quotation mark {mark} is not closed"),
                format!("write {mark} at the end of the text too; an apostrophe inside '…' is written twice"),
            ),
            None => self.here("a quotation mark is not closed", "close it where the text ends"),
        }
    }

    fn after_quote(&self) -> Explained {
        let before: String = self.text.chars().take(self.at).collect();
        let help = if before.trim_end().ends_with('"') {
            "write \\\" for a quotation mark inside \"…\", or write the text between '…'"
        } else {
            "an apostrophe inside '…' is written twice, or write the text between \"…\""
        };
        self.here("the text goes on after its closing quotation mark", help)
    }

    /// The line above in which a bracket was opened.
    fn open_bracket(&self) -> Explained {
        let count = |line: &str, signs: [char; 2]| line.matches(signs).count();
        let open = (0..=self.number.min(self.lines.len().saturating_sub(1)))
            .rev()
            .map(|n| (n, self.lines[n]))
            .find(|(_, line)| count(line, ['[', '{']) > count(line, [']', '}']));
        match open {
            Some((number, line)) => {
                let column = line.find(['[', '{']).map_or(0, |at| line[..at].chars().count());
                let (sign, closing) = if line.chars().nth(column) == Some('{') { ('{', '}') } else { ('[', ']') };
                told(number, column, format!("a `{sign}` is not closed"), format!("write `{closing}` where it ends"))
            }
            None => {
                self.here("a `:` or `,` that cannot stand here", "quote a text inside brackets that holds `: ` or `,`")
            }
        }
    }
}
