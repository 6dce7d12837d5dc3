//! Lines and columns of a file, as editors and people count them.

use glosa_text::CodePoints;

/// What columns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Unicode code points.
    CodePoints,
    /// UTF-16 code units.
    Utf16,
    /// Bytes of UTF-8.
    Utf8,
}

/// A line and a column, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Where the lines of a file begin. A line ends with `\n`, `\r\n` or `\r`; a byte-order mark is no column.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Reads the file once.
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = |at: &usize| bytes[*at] == b'\n' || bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let first = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        Lines { starts: std::iter::once(first).chain((0..bytes.len()).filter(ends).map(|at| at + 1)).collect() }
    }

    /// The position of a byte.
    pub fn position(&self, text: &str, byte: usize, unit: Unit) -> Position {
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let part = &text[self.starts[line].min(byte)..byte];
        let column = match unit {
            Unit::CodePoints => part.chars().count(),
            Unit::Utf16 => part.encode_utf16().count(),
            Unit::Utf8 => part.len(),
        };
        Position { line: line as u32, column: column as u32 }
    }

    /// The position of a code point.
    pub fn at(&self, text: &str, index: &CodePoints, code_point: u32, unit: Unit) -> Position {
        self.position(text, index.to_byte(code_point), unit)
    }

    /// The byte at a position; the end of the line, or of the file, for one beyond it.
    pub fn byte(&self, text: &str, position: Position, unit: Unit) -> usize {
        let Some(start) = self.starts.get(position.line as usize).copied() else { return text.len() };
        let end = self.starts.get(position.line as usize + 1).map_or(text.len(), |next| *next);
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, c) in line.char_indices() {
            if column >= position.column as usize {
                return start + at;
            }
            column += match unit {
                Unit::CodePoints => 1,
                Unit::Utf16 => c.len_utf16(),
                Unit::Utf8 => c.len_utf8(),
            };
        }
        start + line.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_go_there_and_back() {
        let text = "\u{FEFF}aé\r\n👩x\ry\n\nz";
        let lines = Lines::new(text);
        for (word, code_points, utf16, utf8) in [
            ("a", (0, 0), (0, 0), (0, 0)),
            ("x", (1, 1), (1, 2), (1, 4)),
            ("y", (2, 0), (2, 0), (2, 0)),
            ("z", (4, 0), (4, 0), (4, 0)),
        ] {
            let byte = text.find(word).expect("a place");
            for (unit, (line, column)) in [(Unit::CodePoints, code_points), (Unit::Utf16, utf16), (Unit::Utf8, utf8)] {
                assert_eq!(lines.position(text, byte, unit), Position { line, column }, "{word} in {unit:?}");
                assert_eq!(lines.byte(text, Position { line, column }, unit), byte, "{word} in {unit:?}");
            }
        }
        let far = |line, column| lines.byte(text, Position { line, column }, Unit::Utf16);
        assert_eq!((far(0, 99), far(9, 0)), (text.find('\r').expect("an end"), text.len()));
    }
}
