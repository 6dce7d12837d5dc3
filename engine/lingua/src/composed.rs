//! The composed (NFC) spelling of a text, with the way back to the text as it was sent.
//!
//! `é` may be one code point or two. Words, sentences and tags must not depend on that, so a text that is not composed is read in
//! a composed copy; every place is then told in bytes of the text itself.

use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Below this every character is its own composed form.
const FIRST_COMBINING: char = '\u{300}';

/// The same stretch in the copy and in the text.
struct Change {
    copy: Range<usize>,
    text: Range<usize>,
}

/// A composed copy of a text.
pub(crate) struct Composed {
    /// The copy.
    pub(crate) copy: String,
    /// The blocks in the copy.
    pub(crate) blocks: Vec<Range<usize>>,
    changes: Vec<Change>,
}

/// Whether a character begins a stretch that is composed for itself.
fn begins(c: char) -> bool {
    c < FIRST_COMBINING || canonical_combining_class(c) == 0 && is_nfc_quick(std::iter::once(c)) != IsNormalized::Maybe
}

impl Composed {
    /// The copy of a text with these blocks (byte ranges in reading order); `None` where the text is composed.
    pub(crate) fn of(text: &str, blocks: &[Range<usize>]) -> Option<Composed> {
        if text.chars().all(|c| c < FIRST_COMBINING) || is_nfc_quick(text.chars()) == IsNormalized::Yes {
            return None;
        }
        let mut made = Composed {
            copy: String::with_capacity(text.len()),
            blocks: Vec::with_capacity(blocks.len()),
            changes: Vec::new(),
        };
        let mut done = 0;
        for block in blocks {
            made.copy.push_str(&text[done..block.start]);
            let start = made.copy.len();
            made.block(text, block.clone());
            made.blocks.push(start..made.copy.len());
            done = block.end;
        }
        made.copy.push_str(&text[done..]);
        (!made.changes.is_empty()).then_some(made)
    }

    fn block(&mut self, text: &str, block: Range<usize>) {
        let part = &text[block.clone()];
        let mut starts = part.char_indices().filter(|(_, c)| begins(*c)).map(|(at, _)| at).filter(|at| *at > 0);
        let mut from = 0;
        while from < part.len() {
            let to = starts.next().unwrap_or(part.len());
            let stretch = &part[from..to];
            let copied = self.copy.len();
            if stretch.len() == 1 {
                self.copy.push_str(stretch);
            } else {
                self.copy.extend(stretch.nfc());
                if self.copy[copied..] != *stretch {
                    let text = block.start + from..block.start + to;
                    self.changes.push(Change { copy: copied..self.copy.len(), text });
                }
            }
            from = to;
        }
    }

    /// The byte of the text for a byte of the copy. Between the letters of a changed stretch it is the same number of letters on.
    pub(crate) fn byte(&self, text: &str, at: usize) -> usize {
        let passed = self.changes.partition_point(|change| change.copy.end <= at);
        if let Some(inside) = self.changes.get(passed).filter(|change| change.copy.start < at) {
            let letters = self.copy[inside.copy.start..at].chars().count();
            let stretch = &text[inside.text.clone()];
            return stretch.char_indices().nth(letters).map_or(inside.text.end, |(byte, _)| inside.text.start + byte);
        }
        match passed.checked_sub(1).map(|last| &self.changes[last]) {
            Some(last) => last.text.end + (at - last.copy.end),
            None => at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_lead_back() {
        let text = "Se utilizo\u{301} así. \u{AC00}\u{11A8} x";
        let composed = Composed::of(text, std::slice::from_ref(&(0..text.len()))).expect("a copy");
        assert_eq!(composed.copy, "Se utilizó así. \u{AC01} x");
        for word in ["Se", "así", "x"] {
            let at = composed.copy.find(word).expect(word);
            assert!(text[composed.byte(text, at)..].starts_with(word), "{word}");
        }
        let end = composed.copy.find(" así").expect("a space");
        assert_eq!(&text[3..composed.byte(text, end)], "utilizo\u{301}");
        assert!(Composed::of("utilizó «así»", std::slice::from_ref(&(0..15))).is_none());
    }

    proptest! {
        #[test]
        fn places_keep_their_order(text in "(\\PC|[aeo\u{301}\u{303}\u{1112}\u{1161}\u{11AB}\u{958}\u{344}=<\u{338} .]){0,40}") {
            if let Some(composed) = Composed::of(&text, std::slice::from_ref(&(0..text.len()))) {
                let bytes: Vec<usize> = composed.copy.char_indices().map(|(at, _)| composed.byte(&text, at)).collect();
                prop_assert!(bytes.is_sorted());
                prop_assert!(bytes.iter().all(|at| text.is_char_boundary(*at)));
                prop_assert_eq!(composed.byte(&text, composed.copy.len()), text.len());
            }
        }
    }
}
