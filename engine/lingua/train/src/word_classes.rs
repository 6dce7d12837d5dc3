//! Word clusters from raw text: the exchange algorithm for bigram class models (Martin, Liermann and Ney 1998). Each
//! word moves to the class under which the text is most likely, until few words move.

use rustc_hash::FxHashMap;

const UNKNOWN: usize = 0;
const EDGE: usize = 1;
const ROUNDS: usize = 12;

/// Words in order of frequency, with the words that follow them.
#[derive(Debug, Default)]
struct Bigrams {
    after: Vec<Vec<(u32, u32)>>,
    before: Vec<Vec<(u32, u32)>>,
    counts: Vec<u32>,
}

impl Bigrams {
    fn new(size: usize, pairs: &FxHashMap<(u32, u32), u32>) -> Self {
        let mut sorted: Vec<_> = pairs.iter().map(|(pair, n)| (*pair, *n)).collect();
        sorted.sort_unstable();
        let mut bigrams =
            Bigrams { after: vec![Vec::new(); size], before: vec![Vec::new(); size], counts: vec![0; size] };
        for ((left, right), n) in sorted {
            bigrams.after[left as usize].push((right, n));
            bigrams.before[right as usize].push((left, n));
            bigrams.counts[left as usize] += n;
        }
        bigrams
    }

    /// The class of each word. The first two words keep classes of their own.
    fn classes(&self, number: usize) -> Vec<usize> {
        let total: u32 = self.counts.iter().sum();
        let entropy: Vec<f64> =
            (0..=total as usize).map(|n| if n < 2 { 0.0 } else { n as f64 * (n as f64).ln() }).collect();
        let f = |n: u32| entropy[n as usize];
        let size = self.counts.len();
        let mut class: Vec<usize> = (0..size).map(|w| if w < 2 { w } else { 2 + (w - 2) % (number - 2) }).collect();
        let mut pairs = vec![0u32; number * number];
        let mut counts = vec![0u32; number];
        for (word, after) in self.after.iter().enumerate() {
            counts[class[word]] += self.counts[word];
            for (next, n) in after {
                pairs[class[word] * number + class[*next as usize]] += n;
            }
        }
        let (mut left, mut right) = (vec![0u32; number], vec![0u32; number]);
        for _ in 0..ROUNDS {
            let mut moved = 0;
            for word in 2..size {
                left.fill(0);
                right.fill(0);
                let mut own = 0;
                for (next, n) in &self.after[word] {
                    if *next as usize == word {
                        own = *n;
                    } else {
                        right[class[*next as usize]] += n;
                    }
                }
                for (previous, n) in self.before[word].iter().filter(|(p, _)| *p as usize != word) {
                    left[class[*previous as usize]] += n;
                }
                let lefts: Vec<usize> = (0..number).filter(|c| left[*c] > 0).collect();
                let rights: Vec<usize> = (0..number).filter(|c| right[*c] > 0).collect();
                let from = class[word];
                for g in &lefts {
                    pairs[g * number + from] -= left[*g];
                }
                for g in &rights {
                    pairs[from * number + g] -= right[*g];
                }
                pairs[from * number + from] -= own;
                counts[from] -= self.counts[word];
                let mut best = (f64::MIN, from);
                for to in 2..number {
                    let mut gain = 2.0 * (f(counts[to]) - f(counts[to] + self.counts[word]));
                    for g in lefts.iter().filter(|g| **g != to) {
                        let n = pairs[g * number + to];
                        gain += f(n + left[*g]) - f(n);
                    }
                    for g in rights.iter().filter(|g| **g != to) {
                        let n = pairs[to * number + g];
                        gain += f(n + right[*g]) - f(n);
                    }
                    let n = pairs[to * number + to];
                    gain += f(n + left[to] + right[to] + own) - f(n);
                    if gain > best.0 {
                        best = (gain, to);
                    }
                }
                let to = best.1;
                moved += usize::from(to != from);
                for g in &lefts {
                    pairs[g * number + to] += left[*g];
                }
                for g in &rights {
                    pairs[to * number + g] += right[*g];
                }
                pairs[to * number + to] += own;
                counts[to] += self.counts[word];
                class[word] = to;
            }
            if moved * 100 < size {
                break;
            }
        }
        class
    }
}

/// Clusters the words of tokenised sentences that occur at least `least` times into `fine` classes, and these into
/// `coarse` ones (at most 63): each word with the number of its fine class above the six bits of its coarse one.
pub fn cluster<'t>(sentences: &[Vec<&'t str>], least: u32, fine: usize, coarse: usize) -> Vec<(&'t str, u32)> {
    let mut times: FxHashMap<&str, u32> = FxHashMap::default();
    for word in sentences.iter().flatten() {
        *times.entry(word).or_default() += 1;
    }
    let mut words: Vec<(&str, u32)> = times.into_iter().filter(|(_, n)| *n >= least).collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let numbers: FxHashMap<&str, u32> = words.iter().enumerate().map(|(i, (w, _))| (*w, i as u32 + 2)).collect();
    let mut pairs: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for sentence in sentences {
        let mut last = EDGE as u32;
        for word in sentence {
            let number = numbers.get(word).copied().unwrap_or(UNKNOWN as u32);
            *pairs.entry((last, number)).or_default() += 1;
            last = number;
        }
        *pairs.entry((last, EDGE as u32)).or_default() += 1;
    }
    let classes = Bigrams::new(words.len() + 2, &pairs).classes(fine);
    let mut merged: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for ((a, b), n) in &pairs {
        *merged.entry((classes[*a as usize] as u32, classes[*b as usize] as u32)).or_default() += n;
    }
    let above = Bigrams::new(fine, &merged).classes(coarse);
    let path = |class: usize| (class as u32) << 6 | above[class] as u32;
    words.iter().enumerate().map(|(i, (word, _))| (*word, path(classes[i + 2]))).collect()
}
