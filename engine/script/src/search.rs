//! Searches over the whole text that scripts ask for by name: what stands twice, too far apart, too often, at a start
//! or an end. They select places natively and in one walk; what a place means is for the script to judge.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use glosa_metric::Quotation;
use glosa_text::{BlockKind, Document, Sym, Token, Upos, normal_form};
use rhai::{Array, Dynamic, Engine, INT};
use rustc_hash::FxHashMap;

use crate::list::{Items, List};
use crate::source::Src;
use crate::units::{Doc, Sentence};
use crate::words::Words;

/// Parts of a run-in title: «Quinta. Precio. El cliente paga…».
const TITLE_PARTS: usize = 3;
/// Words that all parts of a run-in title have together, at most.
const TITLE_WORDS: usize = 9;
/// Items of the longest list that is compared item by item; a longer one is a table.
const LONGEST_LIST: usize = 1000;

/// Each token with the one before it in the same sentence.
fn pairs(document: &Document) -> impl Iterator<Item = (&Token, &Token, u32)> {
    let tokens = document.tokens();
    tokens.windows(2).zip(1u32..).filter_map(|(pair, number)| match pair {
        [before, token] if before.sentence == token.sentence => Some((before, token, number)),
        _ => None,
    })
}

/// Tokens with two or more characters of white space before them in their sentence.
fn gaps(document: &Document) -> impl Iterator<Item = u32> {
    pairs(document).filter_map(|(before, token, number)| {
        let white = document.text().get(before.bytes.end as usize..token.bytes.start as usize)?;
        white.chars().nth(1).map(|_| number)
    })
}

/// Words that are the word before them, with white space between.
fn repeats(document: &Document) -> impl Iterator<Item = u32> {
    let same = |(before, token, _): &(&Token, &Token, u32)| {
        before.norm == token.norm && token.flags.word() && token.flags.space_before()
    };
    pairs(document).filter(same).map(|(_, _, number)| number)
}

/// Sentences with at least so many tokens of these normal forms; headings are none.
fn crowded(document: &Document, norms: &[&str], least: usize) -> Vec<u32> {
    let mut counts: Vec<(u32, usize)> = Vec::new();
    let mut tokens: Vec<u32> = norms.iter().flat_map(|norm| document.with_norm(norm)).copied().collect();
    tokens.sort_unstable();
    for token in tokens {
        let sentence = document.tokens()[token as usize].sentence;
        match counts.last_mut() {
            Some((last, count)) if *last == sentence => *count += 1,
            _ => counts.push((sentence, 1)),
        }
    }
    let titled = |sentence: u32| document.sentences()[sentence as usize].index.is_none();
    counts.retain(|(sentence, count)| *count >= least && !titled(*sentence));
    counts.into_iter().map(|(sentence, _)| sentence).collect()
}

/// How many tokens with a normal form stand in a sentence.
fn times(sentence: &Sentence, norm: &str) -> INT {
    let tokens = &sentence.raw().tokens;
    let places = sentence.src.document().with_norm(norm);
    let before = |end: u32| places.partition_point(|place| *place < end);
    (before(tokens.end) - before(tokens.start)) as INT
}

/// Brackets and quotation marks without a partner in their block: `marks` are opening and closing ones by turns.
fn unpaired(document: &Document, marks: &[&str]) -> Vec<u32> {
    let mut found = Vec::new();
    let mut open: Vec<(u32, usize)> = Vec::new();
    let mut block = u32::MAX;
    for (token, number) in document.tokens().iter().zip(0u32..).filter(|(token, _)| token.flags.punctuation()) {
        let form = document.string(token.form);
        let Some(kind) = marks.iter().position(|mark| *mark == form) else { continue };
        let here = document.sentences()[token.sentence as usize].block;
        if here != block {
            found.extend(open.drain(..).map(|(number, _)| number));
            block = here;
        }
        match open.last() {
            _ if kind % 2 == 0 => open.push((number, kind)),
            Some((_, last)) if last + 1 == kind => drop(open.pop()),
            _ => found.push(number),
        }
    }
    found.extend(open.into_iter().map(|(number, _)| number));
    found.sort_unstable();
    found
}

/// Whether a quotation is open before each token in its sentence.
pub(crate) fn quoted(document: &Document) -> Vec<bool> {
    let start = Quotation::of(document);
    let (mut sentence, mut quotation) = (u32::MAX, start);
    let before = |token: &Token| {
        if token.sentence != sentence {
            (sentence, quotation) = (token.sentence, start);
        }
        let open = quotation.open();
        quotation.read(token.norm);
        open
    };
    document.tokens().iter().map(before).collect()
}

/// The brackets of each outermost pair of a sentence that holds further ones, opening and closing, in their order.
fn nested(document: &Document) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let (mut group, mut depth, mut deepest, mut sentence) = (Vec::new(), 0usize, 0, u32::MAX);
    let mut brackets: Vec<(u32, bool)> = Vec::new();
    for (mark, opens) in [("(", true), ("[", true), (")", false), ("]", false)] {
        brackets.extend(document.with_norm(mark).iter().map(|number| (*number, opens)));
    }
    brackets.sort_unstable();
    for (number, opens) in brackets {
        let here = document.tokens()[number as usize].sentence;
        if here != sentence {
            group.clear();
            (depth, deepest, sentence) = (0, 0, here);
        }
        if opens {
            depth += 1;
            deepest = deepest.max(depth);
        } else if depth == 0 {
            continue;
        } else {
            depth -= 1;
        }
        group.push(number);
        if depth == 0 {
            groups.extend((deepest > 1).then(|| std::mem::take(&mut group)));
            group.clear();
            deepest = 0;
        }
    }
    groups
}

/// Runs of at least so many sentences of one paragraph that open with the same words.
fn same_starts(document: &Document, words: usize, least: usize) -> Vec<Vec<u32>> {
    let text = document.text();
    let mut runs: Vec<Vec<u32>> = Vec::new();
    let mut run: Vec<u32> = Vec::new();
    let (mut block, mut start) = (u32::MAX, Vec::new());
    for (sentence, number) in document.sentences().iter().zip(0u32..) {
        let opening: Vec<String> = match document.blocks()[sentence.block as usize].kind {
            BlockKind::Paragraph if sentence.words.len() > words => {
                let opening = document.words_of(sentence).iter().take(words);
                opening.map(|w| normal_form(&text[w.bytes.start as usize..w.bytes.end as usize])).collect()
            }
            _ => Vec::new(),
        };
        if opening.is_empty() || sentence.block != block || opening != start {
            runs.extend((run.len() >= least).then(|| std::mem::take(&mut run)));
            run.clear();
        }
        if !opening.is_empty() {
            run.push(number);
        }
        (block, start) = (sentence.block, opening);
    }
    runs.extend((run.len() >= least).then_some(run));
    runs
}

/// Runs of at least so many sentences of one paragraph with so many words each.
fn long_runs(document: &Document, words: RangeInclusive<usize>, least: usize) -> Vec<Vec<u32>> {
    let mut runs: Vec<Vec<u32>> = Vec::new();
    let mut run: Vec<u32> = Vec::new();
    let mut block = u32::MAX;
    for (sentence, number) in document.sentences().iter().zip(0u32..) {
        let fits = words.contains(&sentence.words.len())
            && document.blocks()[sentence.block as usize].kind == BlockKind::Paragraph;
        if !fits || sentence.block != block {
            runs.extend((run.len() >= least).then(|| std::mem::take(&mut run)));
            run.clear();
        }
        if fits {
            run.push(number);
        }
        block = sentence.block;
    }
    runs.extend((run.len() >= least).then_some(run));
    runs.retain(|run| !run.is_empty());
    runs
}

/// Nouns, verbs and adjectives by lemma, where at least so many of one lemma stand within so many sentences.
fn recurring(document: &Document, least: usize, window: u32) -> Vec<Vec<u32>> {
    let content = |token: &&Token| matches!(token.pos, Upos::Noun | Upos::Verb | Upos::Adj);
    let seen: BTreeSet<Sym> = document.tokens().iter().filter(content).map(|token| token.lemma).collect();
    let mut places = Vec::with_capacity(document.sentences().len());
    let mut next = 0;
    for sentence in document.sentences() {
        places.push(next);
        next += u32::from(sentence.index.is_some());
    }
    let place = |token: u32| places[document.tokens()[token as usize].sentence as usize];
    let near = |some: &[u32]| match some {
        [first, .., last] => place(*last) - place(*first) < window,
        _ => least < 2,
    };
    let of_lemma = |lemma: Sym| document.with_lemma(document.string(lemma));
    let mut groups: Vec<Vec<u32>> = seen
        .into_iter()
        .map(of_lemma)
        .filter(|tokens| least > 0 && tokens.windows(least).any(near))
        .map(<[u32]>::to_vec)
        .collect();
    groups.sort_unstable();
    groups
}

/// What stands before the first points or colons of paragraphs and items, in lower case: titles that run on into their
/// text, with a number before them or without.
pub(crate) fn run_in_titles(document: &Document) -> BTreeSet<String> {
    let mut titles = BTreeSet::new();
    for (block, number) in document.blocks().iter().zip(0usize..) {
        let sentences = document.sentences_of_block(number);
        let (Some(first), Some(last)) = (sentences.first(), sentences.last()) else { continue };
        if block.kind == BlockKind::Heading {
            continue;
        }
        let (mut title, mut parts, mut words, mut end) = (String::new(), 0, 0, 0);
        for token in &document.tokens()[first.tokens.start as usize..last.tokens.end as usize] {
            let form = document.string(token.form);
            if matches!(form, "." | ":" | "–" | "—") || form.ends_with(".-") {
                titles.insert(std::mem::take(&mut title));
                parts += 1;
                if parts == TITLE_PARTS {
                    break;
                }
            } else if token.flags.word() {
                words += 1;
                if words > TITLE_WORDS {
                    break;
                }
                if !title.is_empty() {
                    title.push_str(document.text().get(end..token.bytes.start as usize).unwrap_or(" "));
                }
                title.push_str(&form.to_lowercase());
            }
            end = token.bytes.end as usize;
        }
    }
    titles
}

/// What stands before the first token of a list item in its line.
fn before_item(document: &Document, token: u32) -> &str {
    let tokens = document.tokens();
    let before = token.checked_sub(1).map_or(0, |n| tokens[n as usize].bytes.end as usize);
    let white = document.text().get(before..tokens[token as usize].bytes.start as usize).unwrap_or_default();
    white.rsplit('\n').next().unwrap_or_default()
}

/// Whether an item is numbered 1.
fn is_first(document: &Document, token: u32) -> bool {
    let marker = before_item(document, token).trim_start_matches(|c: char| !c.is_ascii_digit());
    marker.trim_end_matches(|c: char| !c.is_ascii_digit()) == "1"
}

/// What opens a list item: how far it is indented, and whether its marker is a sign, a number or something else.
fn marker(document: &Document, token: u32) -> (usize, Option<char>) {
    let line = before_item(document, token);
    let indent = line.chars().take_while(|c| matches!(c, ' ' | '\t')).count();
    let kind = line.chars().nth(indent).map(|c| match c {
        '0'..='9' => '1',
        '-' | '•' | '*' | '–' | '—' | '·' | '▪' | '◦' => '-',
        _ => 'a',
    });
    (indent, kind)
}

/// How far an item is indented, and the kind of its marker.
type Marker = (usize, Option<char>);

/// The lists of at least so many items: items that follow one another, equally indented and with markers of one kind. A list
/// inside an item ends with it, and one that begins again at 1 is another list.
fn lists(document: &Document, least: usize) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = Vec::new();
    let mut open: Vec<(Marker, Vec<u32>)> = Vec::new();
    let mut next = 0;
    for (block, number) in document.blocks().iter().zip(0u32..) {
        let sentences = document.sentences_of_block(number as usize);
        let (Some(first), Some(last)) = (sentences.first(), sentences.last()) else { continue };
        if block.kind != BlockKind::ListItem || first.tokens.start == last.tokens.end {
            continue;
        }
        if number != next {
            found.extend(open.drain(..).map(|(_, items)| items));
        }
        next = number + 1;
        let marker = marker(document, first.tokens.start);
        match open.iter().position(|(known, _)| *known == marker) {
            // What was opened behind the last item stands inside it, and ends here.
            Some(known) => {
                found.extend(open.drain(known + 1..).map(|(_, items)| items));
                if is_first(document, first.tokens.start) {
                    found.push(std::mem::take(&mut open[known].1));
                }
                open[known].1.push(number);
            }
            None => open.push((marker, vec![number])),
        }
    }
    found.extend(open.into_iter().map(|(_, items)| items));
    found.retain(|items| (least..=LONGEST_LIST).contains(&items.len()));
    found
}

/// Paragraphs whose last token is a word.
fn ending_in_word(document: &Document) -> impl Iterator<Item = u32> {
    document.blocks().iter().zip(0u32..).filter_map(|(block, number)| {
        let last = document.sentences_of_block(number as usize).last()?;
        let token = document.tokens_of(last).last()?;
        (block.kind == BlockKind::Paragraph && token.flags.word()).then_some(number)
    })
}

/// Where the orthographic words of a text stand, by normal form: phrases are looked up, not searched.
pub(crate) struct WordIndex {
    /// A number for each normal form.
    ids: FxHashMap<String, u32>,
    /// The words that have it.
    places: Vec<Vec<u32>>,
    /// The normal form of each word.
    words: Vec<u32>,
    /// That of what stands behind an elided article or preposition, `ordre` of `l'ordre`; else that of the word.
    tails: Vec<u32>,
}

impl WordIndex {
    pub(crate) fn new(document: &Document) -> WordIndex {
        let mut index =
            WordIndex { ids: FxHashMap::default(), places: Vec::new(), words: Vec::new(), tails: Vec::new() };
        let text = document.text();
        for (word, number) in document.words().iter().zip(0u32..) {
            let norm = normal_form(&text[word.bytes.start as usize..word.bytes.end as usize]);
            let tail = behind_elision(&norm).map(|tail| index.note(tail.to_owned(), number));
            let id = index.note(norm, number);
            index.words.push(id);
            index.tails.push(tail.unwrap_or(id));
        }
        index
    }

    /// Notes a place of a normal form; its number.
    fn note(&mut self, norm: String, word: u32) -> u32 {
        let next = self.places.len() as u32;
        let id = *self.ids.entry(norm).or_insert(next);
        if id == next {
            self.places.push(Vec::new());
        }
        self.places[id as usize].push(word);
        id
    }

    /// Whether words with these normal forms stand one after the other; before the first one an article or preposition may be
    /// elided.
    pub(crate) fn has(&self, phrase: &[String]) -> bool {
        let ids: Option<Vec<u32>> = phrase.iter().map(|norm| self.ids.get(norm).copied()).collect();
        let Some(ids) = ids else { return false };
        let places = |n: &usize| self.places[ids[*n] as usize].len();
        let Some(rarest) = (0..ids.len()).min_by_key(places) else { return false };
        self.places[ids[rarest] as usize].iter().any(|at| {
            let Some(start) = (*at as usize).checked_sub(rarest) else { return false };
            let Some(words) = self.words.get(start..start + ids.len()) else { return false };
            words[1..] == ids[1..] && (words[0] == ids[0] || self.tails[start] == ids[0])
        })
    }
}

/// What stands behind the apostrophe of an elided word of one or two letters.
fn behind_elision(norm: &str) -> Option<&str> {
    let (elided, tail) = norm.split_once('\'')?;
    (matches!(elided.chars().count(), 1 | 2) && tail.chars().nth(1).is_some()).then_some(tail)
}

fn runs(src: &Src, items: Items, runs: Vec<Vec<u32>>) -> Array {
    runs.into_iter().map(|run| Dynamic::from(List::chosen(src, items, run))).collect()
}

fn size(number: INT) -> usize {
    usize::try_from(number).unwrap_or(0)
}

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_get("gaps", |doc: &mut Doc| List::chosen(&doc.src, Items::Tokens, gaps(doc.src.document())))
        .register_get("repeats", |doc: &mut Doc| List::chosen(&doc.src, Items::Tokens, repeats(doc.src.document())))
        .register_get("ending_in_word", |doc: &mut Doc| {
            List::chosen(&doc.src, Items::Blocks, ending_in_word(doc.src.document()))
        })
        .register_fn("crowded", |doc: &mut Doc, norm: &str, least: INT| {
            List::chosen(&doc.src, Items::Sentences, crowded(doc.src.document(), &[norm], size(least)))
        })
        .register_fn("crowded", |doc: &mut Doc, norms: Words, least: INT| {
            let norms: Vec<&str> = norms.texts().collect();
            List::chosen(&doc.src, Items::Sentences, crowded(doc.src.document(), &norms, size(least)))
        })
        .register_fn("times", |s: &mut Sentence, norm: &str| times(s, norm))
        .register_fn("times", |s: &mut Sentence, norms: Words| norms.texts().map(|norm| times(s, norm)).sum::<INT>())
        .register_fn("unpaired", |doc: &mut Doc, marks: Array| {
            let marks: Vec<String> = marks.iter().map(ToString::to_string).collect();
            let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
            List::chosen(&doc.src, Items::Tokens, unpaired(doc.src.document(), &marks))
        })
        .register_get("nested", |doc: &mut Doc| runs(&doc.src, Items::Tokens, nested(doc.src.document())))
        .register_fn("same_starts", |doc: &mut Doc, words: INT, least: INT| {
            runs(&doc.src, Items::Sentences, same_starts(doc.src.document(), size(words), size(least)))
        })
        .register_fn("long_runs", |doc: &mut Doc, least_words: INT, most_words: INT, least: INT| {
            let words = size(least_words)..=size(most_words);
            runs(&doc.src, Items::Sentences, long_runs(doc.src.document(), words, size(least)))
        })
        .register_fn("lists", |doc: &mut Doc, least: INT| {
            runs(&doc.src, Items::Blocks, lists(doc.src.document(), size(least)))
        })
        .register_fn("recurring", |doc: &mut Doc, least: INT, window: INT| {
            let window = u32::try_from(window).unwrap_or(0);
            runs(&doc.src, Items::Tokens, recurring(doc.src.document(), size(least), window))
        })
        .register_fn("has_run_in_title", |doc: &mut Doc, title: &str| {
            doc.src.run_in_titles().contains(&title.to_lowercase())
        });
}
