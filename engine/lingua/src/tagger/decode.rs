//! Decoding: scores of the candidates, and the choice of a tag for each word of a sentence.

use crate::tagger::{NO_TAG, Position, TagId, TagModel, UPOS_SLOTS, Weights};

/// Candidates that are added up at once, and their slots with those of their parts of speech.
const MOST_AT_ONCE: usize = 32;
pub(super) const MOST_SLOTS: usize = MOST_AT_ONCE + UPOS_SLOTS;

impl TagModel {
    /// Index of the weights of a tag and of its part of speech, relative to the base of a feature.
    #[inline]
    pub fn slots(&self, tag: TagId) -> (u32, u32) {
        (u32::from(tag) + UPOS_SLOTS as u32, u32::from(self.upos[usize::from(tag)]))
    }

    /// The index of a slot of a feature.
    #[inline]
    pub fn index(feature: u32, slot: u32, mask: u32) -> usize {
        (feature.rotate_left(13).wrapping_add(slot) & mask) as usize
    }

    /// Adds the scores of features for each candidate to `scores`.
    #[inline]
    pub fn add_scores(&self, weights: &impl Weights, features: &[u32], candidates: &[TagId], scores: &mut [f32]) {
        for (scores, candidates) in scores.chunks_mut(MOST_AT_ONCE).zip(candidates.chunks(MOST_AT_ONCE)) {
            let (mut slots, mut coarse_at) = ([0u32; MOST_SLOTS], [0u8; MOST_AT_ONCE]);
            let mut count = candidates.len();
            for (i, tag) in candidates.iter().enumerate() {
                let (slot, coarse) = self.slots(*tag);
                slots[i] = slot;
                let known = (candidates.len()..count).find(|at| slots[*at] == coarse);
                let at = known.unwrap_or_else(|| {
                    slots[count] = coarse;
                    count += 1;
                    count - 1
                });
                coarse_at[i] = at as u8;
            }
            let mut sums = [0f32; MOST_SLOTS];
            weights.sums(features, &slots[..count], &mut sums[..count]);
            for (i, score) in scores.iter_mut().enumerate() {
                *score += sums[i] + sums[usize::from(coarse_at[i])];
            }
        }
    }

    /// The scores of the candidates of a position, given the tags around it; `after` only in the second pass.
    fn score(
        &self,
        weights: &impl Weights,
        position: &Position,
        before: [TagId; 3],
        after: Option<[TagId; 3]>,
        features: &mut Vec<u32>,
        scores: &mut Vec<f32>,
    ) {
        self.history(weights, position, before, features);
        if let Some(after) = after {
            self.ahead(weights, position, [before[0], before[1]], after, features);
        }
        features.extend_from_slice(&position.features);
        scores.clear();
        scores.extend_from_slice(&position.base);
        scores.resize(position.candidates.len(), 0.0);
        self.add_scores(weights, features, &position.candidates, scores);
    }

    /// Tags a prepared sentence from left to right, then once more the words that were doubtful, with a view of the
    /// tags after them.
    pub fn tag(&self, weights: &impl Weights, positions: &[Position], tags: &mut Vec<TagId>) {
        let doubt = self.tables.doubt as f32;
        tags.clear();
        let mut features = Vec::with_capacity(128);
        let mut scores: Vec<f32> = Vec::with_capacity(32);
        let mut doubtful: Vec<usize> = Vec::new();
        for (i, position) in positions.iter().enumerate() {
            if let [only] = position.candidates[..] {
                tags.push(only);
                continue;
            }
            let before = |k: usize| i.checked_sub(k).map_or(NO_TAG, |j| tags[j]);
            self.score(weights, position, [before(1), before(2), before(3)], None, &mut features, &mut scores);
            let (best, lead) = best_of(&scores);
            if lead < doubt {
                doubtful.push(i);
            }
            tags.push(position.candidates[best]);
        }
        for i in doubtful {
            let at = |k: isize| {
                let at = i.checked_add_signed(k);
                at.and_then(|j| tags.get(j)).copied().unwrap_or(NO_TAG)
            };
            let (before, after) = ([at(-1), at(-2), at(-3)], [at(1), at(2), at(3)]);
            self.score(weights, &positions[i], before, Some(after), &mut features, &mut scores);
            tags[i] = positions[i].candidates[best_of(&scores).0];
        }
    }
}

/// The first of the highest scores, and how far the next lies below it.
fn best_of(scores: &[f32]) -> (usize, f32) {
    let (mut best, mut next) = (0, f32::NEG_INFINITY);
    for (c, score) in scores.iter().enumerate().skip(1) {
        if *score > scores[best] {
            next = scores[best];
            best = c;
        } else if *score > next {
            next = *score;
        }
    }
    (best, scores[best] - next)
}
