//! How far apart words stand that belong together, and sentences that take up one another, for formulas.

use glosa_text::{Document, Sym, Upos, has_feature};
use rustc_hash::{FxHashMap, FxHashSet};

/// The mean number of words from a word to its head in the tree, roots and signs left out; nothing where no word has a head.
pub fn dependency_distance(document: &Document) -> Option<f64> {
    let (mut sum, mut count) = (0u64, 0u64);
    for number in 0..document.sentences().len() as u32 {
        let Some(syntax) = document.syntax(number) else { continue };
        for token in document.sentences()[number as usize].tokens.clone() {
            if document.tokens()[token as usize].flags.word()
                && let Some(head) = syntax.head(token)
            {
                sum += u64::from(token.abs_diff(head));
                count += 1;
            }
        }
    }
    (count > 0).then(|| sum as f64 / count as f64)
}

/// The mean number of words from a subject to the finite verb of its clause; nothing where no clause has a subject.
pub fn subject_verb_distance(document: &Document) -> Option<f64> {
    let (mut sum, mut count) = (0u64, 0u64);
    for number in 0..document.sentences().len() as u32 {
        let clauses = document.syntax(number).map_or(&[][..], |syntax| syntax.clauses());
        for clause in clauses {
            if let Some(subject) = clause.subject {
                sum += u64::from(subject.abs_diff(clause.finite));
                count += 1;
            }
        }
    }
    (count > 0).then(|| sum as f64 / count as f64)
}

/// The sum over sentences of how deep their clauses stand in one another, 0 where none stands in another.
pub fn clause_depths(document: &Document) -> f64 {
    let depth = |number: u32| {
        let clauses = document.syntax(number).map_or(&[][..], |syntax| syntax.clauses());
        clauses.iter().map(|clause| clause.depth).max().unwrap_or(0)
    };
    let sentences = document.sentences().iter().zip(0u32..).filter(|(sentence, _)| sentence.index.is_some());
    sentences.map(|(_, number)| f64::from(depth(number))).sum()
}

/// Sentences that have a noun, verb or adjective, by its lemma, in common with the one before.
pub fn overlapping_sentences(document: &Document) -> f64 {
    let content = |pos: Upos| matches!(pos, Upos::Noun | Upos::Verb | Upos::Adj);
    let counted: FxHashSet<Sym> =
        document.tokens().iter().filter(|token| content(token.pos)).map(|token| token.lemma).collect();
    let mut seen: FxHashMap<Sym, u32> = FxHashMap::default();
    let mut overlapping = 0u32;
    for sentence in document.sentences() {
        let Some(index) = sentence.index else { continue };
        let mut overlaps = false;
        for token in document.tokens_of(sentence).iter().filter(|token| counted.contains(&token.lemma)) {
            let before = seen.insert(token.lemma, index);
            overlaps |= before.is_some_and(|before| before + 1 == index);
        }
        overlapping += u32::from(overlaps);
    }
    f64::from(overlapping)
}

/// Sentences that open with the same noun, name, verb, adjective or adverb, by its lemma, as the one before.
pub fn repeated_openings(document: &Document) -> f64 {
    let content = |pos: Upos| matches!(pos, Upos::Noun | Upos::Propn | Upos::Verb | Upos::Adj | Upos::Adv);
    let opening = |sentence| document.tokens_of(sentence).iter().find(|token| content(token.pos)).map(|t| t.lemma);
    let openings: Vec<Option<Sym>> =
        document.sentences().iter().filter(|sentence| sentence.index.is_some()).map(opening).collect();
    openings.windows(2).filter(|pair| pair[0].is_some() && pair[0] == pair[1]).count() as f64
}

/// The most links of a chain of nouns: each noun and the next joined by one of some prepositions, with determiners, numbers
/// and adjectives between.
pub fn longest_noun_chain(document: &Document, prepositions: &[String]) -> f64 {
    let tokens = document.tokens();
    let link = |at: usize| {
        tokens.get(at).is_some_and(|token| prepositions.iter().any(|word| word == document.string(token.norm)))
    };
    let here = |at: usize, sentence: u32| tokens.get(at).filter(|token| token.sentence == sentence).map(|t| t.pos);
    let mut longest = 0u32;
    for start in prepositions.iter().flat_map(|word| document.with_norm(word)) {
        let (mut at, mut links) = (*start as usize, 0);
        let sentence = tokens[at].sentence;
        let noun_before = at.checked_sub(1).and_then(|before| here(before, sentence));
        let mut open = matches!(noun_before, Some(Upos::Noun | Upos::Adj));
        while open {
            let mut noun = at + 1;
            while matches!(here(noun, sentence), Some(Upos::Det | Upos::Num | Upos::Adj)) {
                noun += 1;
            }
            if here(noun, sentence) != Some(Upos::Noun) {
                break;
            }
            links += 1;
            at = noun + 1;
            while here(at, sentence) == Some(Upos::Adj) {
                at += 1;
            }
            open = here(at, sentence).is_some() && link(at);
        }
        longest = longest.max(links);
    }
    f64::from(longest)
}

/// Tokens that have all of some features, written as in CoNLL-U: `Mood=Sub|Tense=Fut`.
pub fn forms_with(document: &Document, features: &str) -> f64 {
    let wanted: Vec<(&str, &str)> = features.split('|').filter_map(|one| one.split_once('=')).collect();
    let fits = |feats: &str| !wanted.is_empty() && wanted.iter().all(|(name, value)| has_feature(feats, name, value));
    let mut known: FxHashMap<Sym, bool> = FxHashMap::default();
    let mut has = |feats: Sym| *known.entry(feats).or_insert_with(|| fits(document.string(feats)));
    document.tokens().iter().filter(|token| has(token.feats)).count() as f64
}
