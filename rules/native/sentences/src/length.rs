//! How long a sentence is for its reader: orthographic words, a law citation as one, a long quoted title as none. What
//! somebody says between quotation marks counts, unless it is the whole sentence.

use glosa_plugin::{Doc, Range, Sentence};

const QUOTED_TITLE_WORDS: usize = 8;
const NAME_WORDS_BEFORE: usize = 4;
const LINK_LETTERS: usize = 4;

struct Word<'d> {
    form: &'d str,
    span: Range,
    before: &'d str,
}

fn capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

fn digits(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// The words of a sentence, each with what stands between it and the one before.
fn words<'d>(doc: Doc<'d>, sentence: Sentence<'d>) -> Vec<Word<'d>> {
    let text = doc.text();
    let mut end = None;
    sentence
        .words()
        .map(|w| {
            let start = w.byte_range().start as usize;
            let before = text.get(end.unwrap_or(start)..start).unwrap_or("");
            end = Some(w.byte_range().end as usize);
            Word { form: w.form(), span: w.span(), before }
        })
        .collect()
}

/// The quoted parts of a sentence, in code points.
pub(crate) fn quotes(sentence: Sentence<'_>) -> Vec<Range> {
    let mut found = Vec::new();
    let mut open: Option<(u32, char)> = None;
    for (at, c) in (sentence.span().start..).zip(sentence.text().chars()) {
        match (c, open) {
            ('«', None) => open = Some((at, '»')),
            ('“', None) => open = Some((at, '”')),
            ('"', None) => open = Some((at, '"')),
            (c, Some((start, close))) if c == close => {
                found.push(Range { start, end: at + 1 });
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// A quotation that names something: it opens with a capital, right behind a word, and no mark ends it.
fn is_title(sentence: Sentence<'_>, quote: &Range) -> bool {
    let at = |place: u32| (place - sentence.span().start) as usize;
    let chars: Vec<char> = sentence.text().chars().collect();
    let (Some(before), Some(inside)) =
        (chars.get(..at(quote.start)), chars.get(at(quote.start) + 1..at(quote.end) - 1))
    else {
        return false;
    };
    let last = |text: &[char]| text.iter().rev().find(|c| !c.is_whitespace()).copied();
    let first = inside.iter().find(|c| c.is_alphanumeric());
    first.is_some_and(|c| c.is_uppercase())
        && last(before).is_some_and(char::is_alphanumeric)
        && last(inside).is_some_and(|c| !matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '…'))
}

/// Ranges of words that cite a law: `Ley 39/2015, de 1 de octubre, del Procedimiento Administrativo Común`.
fn citations(words: &[Word<'_>]) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for year in 1..words.len() {
        let number = year - 1;
        let cites = words[year].before == "/"
            && digits(words[number].form)
            && digits(words[year].form)
            && matches!(words[year].form.len(), 2 | 4);
        if !cites || found.last().is_some_and(|last| last.end >= year) {
            continue;
        }
        let mut start = number;
        while start > 0
            && number - start < NAME_WORDS_BEFORE
            && words[start].before.trim().is_empty()
            && capitalised(words[start - 1].form)
        {
            start -= 1;
        }
        if start == number {
            continue;
        }
        let end = title_end(words, date_end(words, year + 1));
        if found.last().is_none_or(|last| last.end <= start) {
            found.push(start..end);
        }
    }
    found
}

/// After the number: `, de 1 de octubre`.
fn date_end(words: &[Word<'_>], at: usize) -> usize {
    match words.get(at..) {
        Some([of, day, of_month, month, ..])
            if of.before.trim() == ","
                && digits(day.form)
                && of.form.chars().count() <= 2
                && of_month.form.chars().count() <= LINK_LETTERS
                && month.before.trim().is_empty() =>
        {
            at + 4
        }
        _ => at,
    }
}

/// After the date: the capitalised title with the short words that link it.
fn title_end(words: &[Word<'_>], at: usize) -> usize {
    let mut end = at;
    for (number, word) in words.iter().enumerate().skip(at) {
        let joined = word.before.trim().is_empty() || (number == at && word.before.trim() == ",");
        if !joined {
            break;
        }
        if capitalised(word.form) {
            end = number + 1;
        } else if word.form.chars().count() > LINK_LETTERS {
            break;
        }
    }
    end
}

/// The words that count, in the longest part of the sentence that a reader takes at once: the whole sentence, or,
/// where semicolons end a part, its longest segment.
pub(crate) fn reading_length(doc: Doc<'_>, sentence: Sentence<'_>, semicolon: bool, citation: bool) -> i64 {
    let words = words(doc, sentence);
    let mut counts = vec![1i64; words.len()];
    for quote in &quotes(sentence) {
        let first = words.partition_point(|w| w.span.start < quote.start);
        let end = words.partition_point(|w| w.span.end <= quote.end);
        let whole = first == 0 && end == words.len();
        if end.saturating_sub(first) > QUOTED_TITLE_WORDS && (whole || is_title(sentence, quote)) {
            counts[first..end].fill(0);
        }
    }
    if citation {
        for range in citations(&words) {
            counts[range.start + 1..range.end].fill(0);
        }
    }
    let mut longest = 0;
    let mut current = 0;
    for (count, word) in counts.iter().zip(&words) {
        if semicolon && word.before.contains(';') {
            current = 0;
        }
        current += count;
        longest = longest.max(current);
    }
    longest
}
