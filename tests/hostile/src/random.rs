//! Numbers that look random and are the same in every run (SplitMix64).

#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(crate) fn any_char(&mut self) -> char {
        loop {
            if let Some(c) = char::from_u32((self.next() % 0x11_0000) as u32) {
                return c;
            }
        }
    }

    /// A word of the letters of no language in particular.
    pub(crate) fn word(&mut self) -> String {
        const ONSETS: [&str; 12] = ["b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t"];
        const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
        (0..2 + self.below(3)).flat_map(|_| [ONSETS[self.below(12)], VOWELS[self.below(5)]]).collect()
    }

    pub(crate) fn acronym(&mut self) -> String {
        (0..3 + self.below(3)).map(|_| char::from(b'A' + self.below(26) as u8)).collect()
    }
}
