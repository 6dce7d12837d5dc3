//! Trains the sentence splitter: an averaged perceptron with a margin over the gaps between tokens.

use crate::treebank::Document;
use glosa_lingua::{GapScratch, Splitter, SurfaceToken, Tokenizer, conllu};
use glosa_text::Language;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Bits of the weight table.
const BITS: u32 = 16;
const EPOCHS: usize = 12;
const MARGIN: f32 = 2.0;

/// The bytes of `sentences.bin`; `documents` with how often each is seen.
pub fn train(language: Language, documents: &[(&Document, usize)]) -> Vec<u8> {
    let tokenizer = Tokenizer::new(language);
    let splitter = Splitter::new(language, Cow::Borrowed(&[]));
    let mut gaps: Vec<(Vec<u32>, bool)> = Vec::new();
    let mut scratch = GapScratch::default();
    let mut tokens: Vec<SurfaceToken> = Vec::new();
    let (mut lost, mut total) = (0, 0);
    let mask = (1u64 << BITS) - 1;
    for (document, times) in documents {
        let ends: FxHashSet<usize> = document.sentences.iter().map(|s| s.bytes.end).collect();
        for block in conllu::paragraphs(&document.text) {
            tokens.clear();
            tokenizer.tokenize(&document.text, block.start, block.end, &mut tokens);
            splitter.prepare(&document.text, &tokens, &mut scratch);
            for i in 0..tokens.len().saturating_sub(1) {
                let gold = ends.contains(&(tokens[i].end as usize));
                total += usize::from(gold);
                if !splitter.is_candidate(&document.text, &tokens, &scratch, i) {
                    lost += usize::from(gold);
                    continue;
                }
                splitter.gap(&document.text, &tokens, &mut scratch, i);
                let features: Vec<u32> = scratch.features.iter().map(|f| (f & mask) as u32).collect();
                for _ in 0..*times {
                    gaps.push((features.clone(), gold));
                }
            }
        }
    }
    let size = 1usize << BITS;
    let mut weights = vec![0f32; size];
    let mut sums = vec![0f64; size];
    let mut step = 1f64;
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    for _ in 0..EPOCHS {
        for i in (1..gaps.len()).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            gaps.swap(i, (random >> 33) as usize % (i + 1));
        }
        for (features, gold) in &gaps {
            let score: f32 = features.iter().map(|f| weights[*f as usize]).sum();
            let sign = if *gold { 1.0 } else { -1.0 };
            if score * sign <= MARGIN {
                for f in features {
                    weights[*f as usize] += sign;
                    sums[*f as usize] += step * f64::from(sign);
                }
            }
            step += 1.0;
        }
    }
    let averaged: Vec<f64> = weights.iter().zip(&sums).map(|(w, s)| f64::from(*w) - s / step).collect();
    let largest = averaged.iter().fold(0f64, |m, w| m.max(w.abs())).max(1e-9);
    println!("{language} sentences: {} gaps, {lost} of {total} boundaries are no candidates", gaps.len());
    averaged.iter().map(|w| (w / largest * 127.0).round() as i8 as u8).collect()
}
