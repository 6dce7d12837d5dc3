//! Different words of a document, as measures of lexical diversity count them.

use std::collections::hash_map::Entry;

use glosa_text::{Document, normal_form};
use rustc_hash::FxHashMap;

/// The words of a document as numbers: two words have the same number if they have the same normal form.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// After each token with a letter: how many different ones stand up to it.
    token_types: Vec<u32>,
    /// Orthographic words with a letter.
    words: Vec<u32>,
    /// How many different words there are.
    different: usize,
}

/// As many of the first items as a formula asks for.
fn first(items: &[u32], most: f64) -> &[u32] {
    &items[..items.len().min(most.max(0.0) as usize)]
}

impl Vocabulary {
    pub(super) fn of(document: &Document) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        let mut seen = vec![false; document.symbols().len()];
        let mut types = 0;
        for token in document.tokens().iter().filter(|token| token.flags.word()) {
            let before = std::mem::replace(&mut seen[token.norm.0 as usize], true);
            types += u32::from(!before);
            vocabulary.token_types.push(types);
        }
        let text = document.text();
        let mut written: FxHashMap<&str, u32> = FxHashMap::default();
        let mut forms: FxHashMap<String, u32> = FxHashMap::default();
        for word in document.words().iter().filter(|word| word.letters > 0) {
            let number = match written.entry(&text[word.bytes.start as usize..word.bytes.end as usize]) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    let next = forms.len() as u32;
                    let number = *forms.entry(normal_form(new.key())).or_insert(next);
                    *new.insert(number)
                }
            };
            vocabulary.words.push(number);
        }
        vocabulary.different = forms.len();
        vocabulary
    }

    /// Different normal forms among the first tokens with a letter.
    pub fn types(&self, most: f64) -> f64 {
        first(&self.token_types, most).last().copied().unwrap_or(0).into()
    }

    /// Different words among the first orthographic words with a letter.
    pub fn word_types(&self, most: f64) -> f64 {
        self.times(most).iter().filter(|times| **times > 0).count() as f64
    }

    /// Words that stand only once among the first orthographic words with a letter.
    pub fn hapaxes(&self, most: f64) -> f64 {
        self.times(most).iter().filter(|times| **times == 1).count() as f64
    }

    fn times(&self, most: f64) -> Vec<u32> {
        let mut times = vec![0; self.different];
        for word in first(&self.words, most) {
            times[*word as usize] += 1;
        }
        times
    }

    /// Mean type-token ratio of all samples of so many words, drawn without putting back: for each different word the
    /// probability that a sample holds it, divided by the size of the sample (HD-D, McCarthy and Jarvis 2007). 0 in a text
    /// that is shorter than a sample.
    pub fn hdd(&self, sample: f64) -> f64 {
        let (all, sample) = (self.words.len() as f64, sample.floor());
        if sample < 1.0 || all < sample {
            return 0.0;
        }
        let mut words_of_times: FxHashMap<u32, f64> = FxHashMap::default();
        for times in self.times(f64::INFINITY) {
            *words_of_times.entry(times).or_default() += 1.0;
        }
        // In one order, so that sums are the same each time.
        let mut classes: Vec<(u32, f64)> = words_of_times.into_iter().collect();
        classes.sort_unstable_by_key(|(times, _)| *times);
        let present = |times: u32| {
            let absent: f64 = (0..sample as u32)
                .map(|taken| (all - f64::from(times) - f64::from(taken)).max(0.0) / (all - f64::from(taken)))
                .product();
            1.0 - absent
        };
        classes.into_iter().map(|(times, words)| words * present(times)).sum::<f64>() / sample
    }

    /// Mean type-token ratio of all windows of so many neighbouring words (Covington and McFall 2010); of the whole text
    /// where it is shorter; 0 without words.
    pub fn mattr(&self, window: f64) -> f64 {
        let window = window.max(1.0) as usize;
        let mut times = vec![0u32; self.different];
        let (mut types, mut sum, mut windows) = (0u32, 0.0, 0.0);
        for (at, word) in self.words.iter().enumerate() {
            if at >= window {
                let left = &mut times[self.words[at - window] as usize];
                *left -= 1;
                types -= u32::from(*left == 0);
            }
            let here = &mut times[*word as usize];
            types += u32::from(*here == 0);
            *here += 1;
            if at + 1 >= window {
                sum += f64::from(types) / window as f64;
                windows += 1.0;
            }
        }
        match self.words.len() {
            0 => 0.0,
            _ if windows > 0.0 => sum / windows,
            all => f64::from(types) / all as f64,
        }
    }

    /// Words per factor, the mean of both directions; a factor ends where the type-token ratio falls to the threshold
    /// (McCarthy and Jarvis 2010). 0 where there is no factor.
    pub fn mtld(&self, threshold: f64) -> f64 {
        let count = self.words.len() as f64;
        let forwards = self.factors(self.words.iter(), threshold);
        let backwards = self.factors(self.words.iter().rev(), threshold);
        if forwards > 0.0 && backwards > 0.0 { (count / forwards + count / backwards) / 2.0 } else { 0.0 }
    }

    fn factors<'w>(&self, words: impl Iterator<Item = &'w u32>, threshold: f64) -> f64 {
        // The factor in which each word stood last.
        let mut last = vec![0u32; self.different];
        let (mut factor, mut found) = (1, 0.0);
        let (mut types, mut all) = (0.0, 0.0);
        for word in words {
            let before = std::mem::replace(&mut last[*word as usize], factor);
            types += f64::from(before != factor);
            all += 1.0;
            if types / all <= threshold {
                found += 1.0;
                factor += 1;
                (types, all) = (0.0, 0.0);
            }
        }
        if all > 0.0 {
            found += (1.0 - types / all) / (1.0 - threshold);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of *a a b*, samples of two hold *a* always and *b* in two of three: (1 + 2/3) / 2.
    #[test]
    fn hdd_is_that_of_all_samples() {
        let vocabulary = Vocabulary { words: vec![0, 0, 1], different: 2, ..Vocabulary::default() };
        assert!((vocabulary.hdd(2.0) - 5.0 / 6.0).abs() < 1e-12);
        assert_eq!(vocabulary.hdd(4.0), 0.0);
    }
}
