//! From bytes to code points and back, without a table as large as the text.
//!
//! Every `STEP` bytes the number of code points before it is kept; a look-up counts the rest. Texts that are
//! wholly ASCII need no table at all.

use crate::Span;

const STEP: usize = 128;

/// Maps byte offsets of one text to code-point offsets and back.
#[derive(Clone, Debug)]
pub struct CodePoints {
    marks: Vec<u32>,
    bytes: Vec<u8>,
    total: u32,
}

fn is_boundary(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

fn count(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|b| is_boundary(**b)).count() as u32
}

impl CodePoints {
    /// Reads the text once. An ASCII text costs nothing to keep.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        if text.is_ascii() {
            return CodePoints { marks: Vec::new(), bytes: Vec::new(), total: bytes.len() as u32 };
        }
        let mut marks = Vec::with_capacity(bytes.len() / STEP + 1);
        let mut total = 0;
        for chunk in bytes.chunks(STEP) {
            marks.push(total);
            total += count(chunk);
        }
        CodePoints { marks, bytes: bytes.to_vec(), total }
    }

    /// Number of code points of the text.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The code-point offset of a byte offset; the offset must lie on a character boundary.
    pub fn at_byte(&self, byte: usize) -> u32 {
        if self.marks.is_empty() {
            return byte as u32;
        }
        match self.marks.get(byte / STEP) {
            None => self.total,
            Some(mark) => {
                let from = byte / STEP * STEP;
                mark + count(&self.bytes[from..byte])
            }
        }
    }

    /// The byte offset of a code-point offset; offsets after the end give the end.
    pub fn to_byte(&self, code_point: u32) -> usize {
        if self.marks.is_empty() {
            return code_point.min(self.total) as usize;
        }
        if code_point >= self.total {
            return self.bytes.len();
        }
        let chunk = self.marks.partition_point(|mark| *mark <= code_point) - 1;
        let mut seen = self.marks[chunk];
        for (i, byte) in self.bytes[chunk * STEP..].iter().enumerate() {
            if is_boundary(*byte) {
                if seen == code_point {
                    return chunk * STEP + i;
                }
                seen += 1;
            }
        }
        self.bytes.len()
    }

    /// The part of `text` (the text this index was made from) that a span covers.
    pub fn slice<'t>(&self, text: &'t str, span: Span) -> &'t str {
        &text[self.to_byte(span.start)..self.to_byte(span.end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_boundary_goes_there_and_back(text in any::<String>(), times in 1usize..40) {
            let text = text.repeat(times);
            let index = CodePoints::new(&text);
            prop_assert_eq!(index.total() as usize, text.chars().count());
            for (n, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(index.at_byte(byte), n as u32);
                prop_assert_eq!(index.to_byte(n as u32), byte);
            }
            prop_assert_eq!(index.at_byte(text.len()), index.total());
            prop_assert_eq!(index.to_byte(index.total()), text.len());
        }
    }
}
