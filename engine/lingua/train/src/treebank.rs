//! CoNLL-U treebanks: documents with their raw text rebuilt and the gold places of sentences, tokens and words.

use anyhow::{Result, bail, ensure};
use glosa_text::Upos;
use std::ops::Range;

/// A gold syntactic word.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// Form.
    pub form: String,
    /// Lemma.
    pub lemma: String,
    /// Part of speech.
    pub upos: String,
    /// FEATS, `_` when there are none.
    pub feats: String,
    /// The annotation comes from a model, not from a person.
    pub silver: bool,
    /// Where that model was in doubt: parts of speech, FEATS (`_` for none) and their probabilities.
    pub chances: Vec<(String, String, f32)>,
    /// Number of its head in the sentence, from 1; 0 is the root. `None` where the treebank has no tree.
    pub head: Option<u32>,
    /// Relation to the head, with its subtype.
    pub relation: String,
}

/// A gold surface token.
#[derive(Clone, Debug)]
pub struct Token {
    /// Bytes in the document's text.
    pub bytes: Range<usize>,
    /// Its words in the sentence.
    pub words: Range<usize>,
}

/// A gold sentence.
#[derive(Clone, Debug, Default)]
pub struct Sentence {
    /// `sent_id`, empty where it has none.
    pub id: String,
    /// Its words.
    pub words: Vec<Word>,
    /// Its surface tokens.
    pub tokens: Vec<Token>,
    /// Bytes in the document's text.
    pub bytes: Range<usize>,
}

/// A gold document.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The text as a user would submit it: paragraphs separated by blank lines.
    pub text: String,
    /// Its sentences.
    pub sentences: Vec<Sentence>,
}

/// Reads a treebank. A document ends at `# newdoc`; a treebank without it is one document.
///
/// # Errors
/// The first line that is no CoNLL-U, by its number: a word that is left out in silence would be learnt as if it were not
/// in the text.
pub fn read(conllu: &str) -> Result<Vec<Document>> {
    for (number, line) in (1..).zip(conllu.lines()) {
        check(line).map_err(|problem| anyhow::anyhow!("line {number}: {problem}"))?;
    }
    let mut documents: Vec<Document> = Vec::new();
    let mut open = Document::default();
    let mut new_paragraph = false;
    for block in conllu.split("\n\n") {
        if block.trim().is_empty() {
            continue;
        }
        let (mut text, mut id) = (String::new(), "");
        let mut new_document = false;
        for line in block.lines().take_while(|l| l.starts_with('#')) {
            if line.starts_with("# newdoc") {
                new_document = true;
            } else if line.starts_with("# newpar") {
                new_paragraph = true;
            } else if let Some(rest) = line.strip_prefix("# text = ") {
                text = rest.to_owned();
            } else if let Some(rest) = line.strip_prefix("# sent_id = ") {
                id = rest;
            }
        }
        if new_document && !open.sentences.is_empty() {
            documents.push(std::mem::take(&mut open));
        }
        if !open.text.is_empty() {
            open.text.push_str(if new_paragraph { "\n\n" } else { " " });
        }
        new_paragraph = false;
        let mut sentence = sentence(block, &text, &mut open.text);
        id.clone_into(&mut sentence.id);
        if !sentence.words.is_empty() {
            open.sentences.push(sentence);
        }
    }
    if !open.sentences.is_empty() {
        documents.push(open);
    }
    ensure!(
        !documents.is_empty(),
        "there is no sentence in it: a treebank has ten columns a word and a blank line a sentence"
    );
    Ok(documents)
}

/// What is wrong with a line, and what would be right.
fn check(line: &str) -> Result<()> {
    if line.trim().is_empty() || line.starts_with('#') {
        return Ok(());
    }
    let columns: Vec<&str> = line.split('\t').collect();
    ensure!(
        columns.len() == 10,
        "{} columns where CoNLL-U has 10; part them with one tab each and write `_` for nothing",
        columns.len()
    );
    let number = |text: &str| text.parse::<usize>().is_ok_and(|number| number > 0);
    let empty_word = columns[0].split_once('.').is_some_and(|(a, b)| a.parse::<usize>().is_ok() && number(b));
    let range = columns[0].split_once('-').is_some_and(|(a, b)| {
        number(a) && number(b) && a.parse::<usize>().unwrap_or(0) < b.parse::<usize>().unwrap_or(0)
    });
    ensure!(
        number(columns[0]) || range || empty_word,
        "`{}` is no number of a word; write 1, 2, 3 and 3-4 for a contraction of the third and the fourth",
        columns[0]
    );
    ensure!(!columns[1].is_empty(), "the form is empty; write `_` for nothing");
    if number(columns[0]) && columns[3] != "_" && columns[3].parse::<Upos>().is_err() {
        let all: Vec<&str> = Upos::ALL.iter().map(|upos| upos.as_str()).collect();
        bail!("`{}` is no part of speech; write one of {}", columns[3], all.join(", "));
    }
    Ok(())
}

fn sentence(block: &str, text: &str, out: &mut String) -> Sentence {
    let mut found = Sentence::default();
    let start = out.len();
    let mut at = start;
    let mut range_end = 0usize;
    let has_text = !text.is_empty();
    if has_text {
        out.push_str(text);
    }
    let mut surface = |form: &str, space_after: bool, out: &mut String| -> Range<usize> {
        if !has_text {
            let from = out.len();
            out.push_str(form);
            let to = out.len();
            if space_after {
                out.push(' ');
            }
            return from..to;
        }
        while out[at..].starts_with(char::is_whitespace) {
            at += out[at..].chars().next().map_or(1, char::len_utf8);
        }
        let from = at;
        for c in form.chars().filter(|c| !c.is_whitespace()) {
            while let Some(d) = out[at..].chars().next() {
                if d == c {
                    at += d.len_utf8();
                    break;
                }
                if !d.is_whitespace() {
                    break;
                }
                at += d.len_utf8();
            }
        }
        from..at
    };
    for line in block.lines().filter(|l| !l.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        if columns.len() < 10 || columns[0].contains('.') {
            continue;
        }
        let space_after = !columns[9].split('|').any(|m| m == "SpaceAfter=No");
        if let Some((a, b)) = columns[0].split_once('-') {
            let bytes = surface(columns[1], space_after, out);
            range_end = b.parse().unwrap_or(0);
            let count = range_end + 1 - a.parse::<usize>().unwrap_or(range_end);
            found.tokens.push(Token { bytes, words: found.words.len()..found.words.len() + count });
            continue;
        }
        let id: usize = columns[0].parse().unwrap_or(0);
        if id > range_end {
            let bytes = surface(columns[1], space_after, out);
            found.tokens.push(Token { bytes, words: found.words.len()..found.words.len() + 1 });
        }
        found.words.push(Word {
            form: columns[1].to_owned(),
            lemma: columns[2].to_owned(),
            upos: columns[3].to_owned(),
            feats: columns[5].to_owned(),
            silver: columns[9].contains("Silver=Yes"),
            chances: chances(columns[9]),
            head: columns[6].parse().ok(),
            relation: columns[7].to_owned(),
        });
    }
    while out.ends_with(' ') {
        out.pop();
    }
    found.bytes =
        found.tokens.first().map_or(start, |t| t.bytes.start)..found.tokens.last().map_or(start, |t| t.bytes.end);
    found
}

/// Reads `Chances=NOUN/Number=Sing:0.61;VERB/VerbForm=Inf:0.37`; the pairs of FEATS are parted by commas there.
fn chances(misc: &str) -> Vec<(String, String, f32)> {
    let Some(list) = misc.split('|').find_map(|value| value.strip_prefix("Chances=")) else { return Vec::new() };
    let read = |entry: &str| {
        let (tag, chance) = entry.rsplit_once(':')?;
        let (upos, feats) = tag.split_once('/')?;
        let feats = if feats.is_empty() { "_".to_owned() } else { feats.replace(',', "|") };
        Some((upos.to_owned(), feats, chance.parse().ok()?))
    };
    list.split(';').filter_map(read).collect()
}
