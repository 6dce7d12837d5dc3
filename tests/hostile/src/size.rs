//! How long a text may be.

/// Limits of a text; the one that is reached first ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Runs between white space.
    pub words: usize,
    /// Unicode code points.
    pub code_points: usize,
}

impl Size {
    /// The limits of the service.
    pub const SERVICE: Size = Size { words: 20_000, code_points: 400_000 };

    /// A fraction of the limits.
    pub fn over(self, divisor: usize) -> Size {
        Size { words: self.words / divisor, code_points: self.code_points / divisor }
    }
}

/// Words of a text: runs between white space.
pub fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A text that grows until a limit is reached.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    pub(crate) text: String,
    words: usize,
    code_points: usize,
    inside: bool,
}

impl Growing {
    /// Appends a piece; `false` when it would go beyond the size.
    pub(crate) fn push(&mut self, piece: &str, size: Size) -> bool {
        let (mut words, mut inside) = (self.words, self.inside);
        for c in piece.chars() {
            words += usize::from(!inside && !c.is_whitespace());
            inside = !c.is_whitespace();
        }
        let code_points = self.code_points + piece.chars().count();
        if words > size.words || code_points > size.code_points {
            return false;
        }
        self.text.push_str(piece);
        (self.words, self.code_points, self.inside) = (words, code_points, inside);
        true
    }
}
