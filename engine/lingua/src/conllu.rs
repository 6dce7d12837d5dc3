//! CoNLL-U from raw text: `# text`, `SpaceAfter=No`, ranges of contractions, `# newpar`.

use crate::{AnalysedArc, Analysis, Runtime};
use glosa_text::{Language, Upos};
use std::fmt::Write;
use std::ops::Range;

/// The paragraphs of a raw text: what stands between blank lines, or each line where there is none.
pub fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut lines: Vec<(Range<usize>, bool)> = Vec::new();
    let mut start = 0;
    let mut blank_seen = false;
    for raw in text.split_inclusive(['\n', '\r', '\u{2029}']) {
        let blank = raw.trim().is_empty();
        let crlf = raw == "\n" && start > 0 && text.as_bytes()[start - 1] == b'\r';
        if !crlf {
            blank_seen |= blank && !lines.is_empty();
            lines.push((start..start + raw.len(), blank));
        }
        start += raw.len();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for (range, blank) in lines {
        if blank {
            open = false;
        } else if open && blank_seen {
            if let Some(last) = found.last_mut() {
                last.end = range.end;
            }
        } else {
            found.push(range);
            open = true;
        }
    }
    for range in &mut found {
        let body = &text[range.clone()];
        let lead = body.len() - body.trim_start().len();
        let trail = body.len() - body.trim_end().len();
        *range = range.start + lead..range.end - trail;
    }
    found
}

fn escape(spaces: &str) -> String {
    let mut out = String::new();
    for c in spaces.chars() {
        match c {
            ' ' => out.push_str("\\s"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '|' => out.push_str("\\p"),
            '\\' => out.push_str("\\\\"),
            c => out.push(c),
        }
    }
    out
}

fn line_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn field(value: &str) -> &str {
    if value.is_empty() { "_" } else { value }
}

/// MISC of a word that is read otherwise: what the tagger says of it where that differs.
fn tagged(misc: &str, other: &Reread, pos: Upos, lemma: &str, feats: &str) -> String {
    let mut said: Vec<String> = (misc != "_").then(|| misc.to_owned()).into_iter().collect();
    if other.feats != feats {
        said.push(format!("TaggerFeats={}", field(feats).replace('|', ",")));
    }
    if other.lemma != lemma {
        said.push(format!("TaggerLemma={}", field(lemma)));
    }
    if other.pos != pos {
        said.push(format!("TaggerUPOS={pos}"));
    }
    if said.is_empty() { "_".to_owned() } else { said.join("|") }
}

/// Head and relation of a word.
fn arc(analysis: &Analysis, place: usize) -> String {
    let named = |arc: &AnalysedArc| format!("{}\t{}", arc.head, analysis.string(arc.relation));
    analysis.tree.get(place).map_or_else(|| "_\t_".to_owned(), named)
}

/// A word that is read otherwise than the tagger does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reread {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// Part of speech.
    pub pos: Upos,
    /// Dictionary form.
    pub lemma: String,
    /// Features as the FEATS string.
    pub feats: String,
}

/// Analyses a raw text and writes it in CoNLL-U; `source` becomes the document's id and the prefix of sentence ids.
pub fn annotate(runtime: &Runtime, language: Language, text: &str, source: &str) -> String {
    annotate_with(runtime, language, text, source, &[])
}

/// Analyses a raw text as [`annotate`] does and shows some words as they are read instead; what the tagger says of them
/// stands in MISC: `TaggerUPOS`, `TaggerLemma` and `TaggerFeats`, whose features are joined by commas there.
pub fn annotate_with(runtime: &Runtime, language: Language, text: &str, source: &str, reread: &[Reread]) -> String {
    let blocks = paragraphs(text);
    let mut analysis = runtime.analyse_blocks(language, text, &blocks);
    runtime.parse(language, &mut analysis);
    let mut out = String::with_capacity(text.len() * 8);
    let mut open_block = None;
    let _ = writeln!(out, "# newdoc id = {source}");
    for (number, sentence) in analysis.sentences.iter().enumerate() {
        if open_block != Some(sentence.block) {
            open_block = Some(sentence.block);
            let _ = writeln!(out, "# newpar id = {source}-p{}", sentence.block + 1);
        }
        let _ = writeln!(out, "# sent_id = {source}-{}", number + 1);
        let _ = writeln!(out, "# text = {}", line_of(&text[sentence.bytes.clone()]));
        let mut id = 1;
        for (at, token) in analysis.tokens[sentence.tokens.clone()].iter().enumerate() {
            let index = sentence.tokens.start + at;
            let next = analysis.tokens.get(index + 1).map(|t| t.bytes.start);
            let gap = next.map_or("", |next| &text[token.bytes.end..next]);
            let misc = if next.is_none() {
                "_".to_owned()
            } else if gap.is_empty() {
                "SpaceAfter=No".to_owned()
            } else if gap == " " {
                "_".to_owned()
            } else {
                format!("SpacesAfter={}", escape(gap))
            };
            let words = analysis.words_of(token);
            if words.len() > 1 {
                let form = line_of(&text[token.bytes.clone()]);
                let _ = writeln!(out, "{}-{}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}", id, id + words.len() - 1);
            }
            for (place, word) in token.words.clone().zip(words) {
                let (lemma, feats) = (analysis.string(word.lemma), analysis.string(word.feats));
                let other = reread.iter().find(|other| words.len() == 1 && other.bytes == token.bytes);
                let misc = if words.len() > 1 { "_" } else { &misc };
                let misc = other.map_or_else(|| misc.to_owned(), |other| tagged(misc, other, word.pos, lemma, feats));
                let read = other.map(|other| (other.lemma.as_str(), other.pos, other.feats.as_str()));
                let (lemma, pos, feats) = read.unwrap_or((lemma, word.pos, feats));
                let form = field(analysis.string(word.form));
                let (lemma, feats, arc) = (field(lemma), field(feats), arc(&analysis, place));
                let _ = writeln!(out, "{id}\t{form}\t{lemma}\t{pos}\t_\t{feats}\t{arc}\t_\t{misc}");
                id += 1;
            }
        }
        out.push('\n');
    }
    out
}
