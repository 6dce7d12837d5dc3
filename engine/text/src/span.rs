//! A place in the submitted text, in Unicode code points.

use serde::{Deserialize, Serialize};

/// A half-open range of code points of the submitted text: `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Span {
    /// First code point of the range.
    pub start: u32,
    /// Code point after the last one of the range; never smaller than `start`.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end`; the bounds are swapped when they come in the wrong order.
    pub fn new(start: u32, end: u32) -> Self {
        if start <= end { Span { start, end } } else { Span { start: end, end: start } }
    }

    /// The smallest span that covers both.
    pub fn cover(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether the two spans share at least one code point.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether `other` lies wholly inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Number of code points.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span holds no code point.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
