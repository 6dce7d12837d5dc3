//! From scores of all possible heads to the best tree: the maximum spanning arborescence (Chu and Liu 1965, Edmonds
//! 1967) with one word at the root.
//!
//! Most sentences need no more than the best head of each word, since these already form a tree. Where more cycles than
//! [`CYCLES`] have to be broken, the word at the root is an unlikely one, or there was nothing to find out about the
//! sentence (a row of signs, random words): the tree with that word at the root grows greedily, and the cost stays that of
//! scoring the heads.

/// Finds the heads of a sentence of `n` words. `scores` has a row for each word with the scores of all heads: the root,
/// then the words; `heads` receives the head of each word (0 is the root, words count from 1).
pub fn best_tree(n: usize, scores: &[f32], heads: &mut Vec<u32>) {
    let width = n + 1;
    heads.clear();
    if n == 0 {
        return;
    }
    let score = |d: usize, h: usize| if h == d + 1 { f32::NEG_INFINITY } else { scores[d * width + h] };
    for d in 0..n {
        let best = (0..width).filter(|h| *h != d + 1).max_by(|a, b| score(d, *a).total_cmp(&score(d, *b)));
        heads.push(best.unwrap_or(0) as u32);
    }
    if heads.iter().filter(|h| **h == 0).count() == 1 && is_tree(heads) {
        return;
    }
    // With several words at the root, or none: the best of the trees with each likely word alone at the root.
    let mut roots: Vec<usize> = (0..n).collect();
    let lead = |d: usize| {
        let other = (1..width).map(|h| score(d, h)).fold(f32::NEG_INFINITY, f32::max);
        score(d, 0) - other.max(f32::MIN)
    };
    roots.sort_by(|a, b| lead(*b).total_cmp(&lead(*a)).then(a.cmp(b)));
    roots.truncate(ROOTS_TRIED);
    let mut best = (f32::NEG_INFINITY, Vec::new());
    for root in roots {
        let table = |d: usize, h: usize| match (h == 0, d == root) {
            (true, true) => score(d, h),
            (true, false) | (false, true) => f32::NEG_INFINITY,
            (false, false) => score(d, h),
        };
        let found = arborescence(n, &table).unwrap_or_else(|| grown(n, &table));
        let total: f32 = found.iter().enumerate().map(|(d, h)| table(d, *h as usize)).sum();
        if best.1.is_empty() || total > best.0 {
            best = (total, found);
        }
    }
    *heads = best.1;
}

/// Words that are tried as the root, those most likely first.
const ROOTS_TRIED: usize = 3;

/// Cycles of a sentence that are broken in the best way. With its likeliest word at the root no sentence of running prose
/// has as many; with another, each word on the way from the one to the other may be in a cycle.
const CYCLES: usize = 12;

/// Whether every word reaches the root.
fn is_tree(heads: &[u32]) -> bool {
    cycle(heads).is_none()
}

/// The words of a cycle, if there is one.
fn cycle(heads: &[u32]) -> Option<Vec<usize>> {
    let mut mark = vec![0u32; heads.len()];
    for start in 0..heads.len() {
        let (mut at, visit) = (start, start as u32 + 1);
        while mark[at] == 0 {
            mark[at] = visit;
            match heads[at] {
                0 => break,
                head => at = head as usize - 1,
            }
        }
        if mark[at] == visit && heads[at] != 0 {
            let mut words = vec![at];
            let mut next = heads[at] as usize - 1;
            while next != at {
                words.push(next);
                next = heads[next] as usize - 1;
            }
            return Some(words);
        }
    }
    None
}

/// The best arborescence: cycles of best heads are broken where that costs least, taking all cycles as one node each in
/// turn; none if there are more than [`CYCLES`]. `table(d, h)` may be minus infinity.
fn arborescence(n: usize, table: &dyn Fn(usize, usize) -> f32) -> Option<Vec<u32>> {
    let width = n + 1;
    let mut scores = vec![f32::NEG_INFINITY; n * width];
    for d in 0..n {
        for h in (0..width).filter(|h| *h != d + 1) {
            scores[d * width + h] = table(d, h).max(LEAST);
        }
    }
    contract(n, scores, CYCLES)
}

/// A tree that takes the best arc from a word that is in it to one that is not, again and again (as Prim 1957), in time
/// quadratic in the words.
fn grown(n: usize, table: &dyn Fn(usize, usize) -> f32) -> Vec<u32> {
    let mut heads = vec![0u32; n];
    let mut reach: Vec<f32> = (0..n).map(|d| table(d, 0).max(LEAST)).collect();
    let mut outside: Vec<usize> = (0..n).collect();
    while let Some(at) = (0..outside.len()).max_by(|a, b| reach[outside[*a]].total_cmp(&reach[outside[*b]])) {
        let taken = outside.swap_remove(at);
        for d in &outside {
            let score = table(*d, taken + 1).max(LEAST);
            if score > reach[*d] {
                (reach[*d], heads[*d]) = (score, taken as u32 + 1);
            }
        }
    }
    heads
}

/// In the place of minus infinity, so that differences stay numbers.
const LEAST: f32 = -1e9;

#[allow(clippy::needless_range_loop, reason = "heads count from the root, words from 0")]
fn contract(n: usize, scores: Vec<f32>, cycles: usize) -> Option<Vec<u32>> {
    let width = n + 1;
    let best = |d: usize| {
        let row = &scores[d * width..(d + 1) * width];
        (0..width).filter(|h| *h != d + 1).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap_or(0) as u32
    };
    let mut heads: Vec<u32> = (0..n).map(best).collect();
    let Some(circle) = cycle(&heads) else { return Some(heads) };
    let cycles = cycles.checked_sub(1)?;
    // Words outside the cycle keep their order and come first; the cycle is the last word of the smaller sentence.
    let mut inside = vec![false; n];
    circle.iter().for_each(|d| inside[*d] = true);
    let outside: Vec<usize> = (0..n).filter(|d| !inside[*d]).collect();
    let (m, place) = (outside.len() + 1, outside.len());
    let small = m + 1;
    let mut reduced = vec![f32::NEG_INFINITY; m * small];
    // Where an arc from or to the cycle really starts or ends.
    let (mut leaves, mut enters) = (vec![0usize; m], vec![0usize; small]);
    for (i, d) in outside.iter().enumerate() {
        for h in 0..small - 1 {
            let from = if h == 0 { 0 } else { outside[h - 1] + 1 };
            if h != i + 1 {
                reduced[i * small + h] = scores[d * width + from];
            }
        }
        let from =
            circle.iter().copied().max_by(|a, b| scores[d * width + a + 1].total_cmp(&scores[d * width + b + 1]));
        leaves[i] = from.unwrap_or(0);
        reduced[i * small + place + 1] = scores[d * width + leaves[i] + 1];
    }
    for h in 0..small - 1 {
        let from = if h == 0 { 0 } else { outside[h - 1] + 1 };
        let gain = |d: usize| scores[d * width + from] - scores[d * width + heads[d] as usize];
        let entry = circle.iter().copied().max_by(|a, b| gain(*a).total_cmp(&gain(*b))).unwrap_or(0);
        enters[h] = entry;
        reduced[place * small + h] = gain(entry);
    }
    let solved = contract(m, reduced, cycles)?;
    for (i, d) in outside.iter().enumerate() {
        heads[*d] = match solved[i] as usize {
            0 => 0,
            h if h == place + 1 => leaves[i] as u32 + 1,
            h => outside[h - 1] as u32 + 1,
        };
    }
    let h = solved[place] as usize;
    heads[enters[h]] = if h == 0 { 0 } else { outside[h - 1] as u32 + 1 };
    Some(heads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn total(scores: &[f32], heads: &[u32]) -> f32 {
        heads.iter().enumerate().map(|(d, h)| scores[d * (heads.len() + 1) + *h as usize]).sum()
    }

    /// The best tree by trying all of them.
    fn by_force(n: usize, scores: &[f32]) -> f32 {
        let mut best = f32::NEG_INFINITY;
        for number in 0..(n + 1).pow(n as u32) {
            let mut rest = number;
            let heads: Vec<u32> = (0..n)
                .map(|_| {
                    let head = rest % (n + 1);
                    rest /= n + 1;
                    head as u32
                })
                .collect();
            let own = heads.iter().enumerate().any(|(d, h)| *h as usize == d + 1);
            if !own && heads.iter().filter(|h| **h == 0).count() == 1 && is_tree(&heads) {
                best = best.max(total(scores, &heads));
            }
        }
        best
    }

    #[test]
    fn a_chain_of_best_heads_is_taken_as_it_is() {
        let scores = [9.0, 0.0, 1.0, 0.0, 9.0, 0.0];
        let mut heads = Vec::new();
        best_tree(2, &scores, &mut heads);
        assert_eq!(heads, [0, 1]);
    }

    /// Pairs of words that are each other's best head: as many cycles as there can be.
    #[test]
    fn many_cycles_make_a_tree_all_the_same() {
        let n = 160;
        let scores: Vec<f32> =
            (0..n * (n + 1)).map(|at| if at % (n + 1) == ((at / (n + 1)) ^ 1) + 1 { 9.0 } else { 0.0 }).collect();
        let mut heads = Vec::new();
        best_tree(n, &scores, &mut heads);
        assert!(is_tree(&heads));
        assert_eq!(heads.iter().filter(|head| **head == 0).count(), 1);
    }

    /// Each word depends on the one before it, and the last would do as the root as well: a tree with it there takes a
    /// cycle for each word.
    #[test]
    fn a_root_that_takes_many_cycles_decides_nothing() {
        let n = 40;
        let score = |d: usize, h: usize| match h {
            0 if d == 0 => 10.0,
            0 if d == n - 1 => 9.5,
            0 => -10.0,
            h if h == d => 9.0,
            h if h == d + 2 => 1.0,
            _ => 0.0,
        };
        let scores: Vec<f32> = (0..n * (n + 1)).map(|at| score(at / (n + 1), at % (n + 1))).collect();
        let mut heads = Vec::new();
        best_tree(n, &scores, &mut heads);
        assert_eq!(heads, (0..n as u32).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn a_grown_tree_has_one_word_at_the_root(scores in proptest::collection::vec(-20i32..20, 30), root in 0usize..5) {
            let table = |d: usize, h: usize| match (h == 0, d == root) {
                (true, true) => 0.0,
                (true, false) | (false, true) => f32::NEG_INFINITY,
                (false, false) => scores[d * 6 + h] as f32,
            };
            let heads = grown(5, &table);
            prop_assert!(is_tree(&heads));
            prop_assert_eq!(heads.iter().filter(|head| **head == 0).count(), 1);
            prop_assert_eq!(heads[root], 0);
        }

        #[test]
        fn the_best_of_all_trees(scores in proptest::collection::vec(-20i32..20, 12)) {
            let scores: Vec<f32> = scores.into_iter().map(|s| s as f32).collect();
            let mut heads = Vec::new();
            best_tree(3, &scores, &mut heads);
            prop_assert!(is_tree(&heads));
            prop_assert_eq!(total(&scores, &heads), by_force(3, &scores));
        }
    }
}
