//! Figures as they are written: the digits of the whole part and what groups them, the decimals, and what stands behind
//! them in one word. What is right in a language is not said here.

/// Characters of the longest figure; what is longer is a code.
const LONGEST: usize = 24;

/// What separates groups of digits, or the decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// One character of white space.
    Space,
    /// `.`
    Point,
    /// `,`
    Comma,
    /// `'` or `’`
    Apostrophe,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure<'t> {
    /// Digits of the whole part, without what separates them.
    pub whole: String,
    /// What separates them into groups of three, if anything does.
    pub grouping: Option<Separator>,
    /// Digits of the decimals, perhaps none.
    pub decimals: &'t str,
    /// What separates the decimals, where there are any.
    pub decimal: Option<Separator>,
    /// A point or comma before three last digits, as in `1.250`: it groups them, or it opens decimals.
    pub ambiguous: bool,
    /// What is written behind the digits, such as `%`.
    pub unit: &'t str,
}

impl Separator {
    const ALL: [Separator; 4] = [Separator::Space, Separator::Point, Separator::Comma, Separator::Apostrophe];

    /// Its name: `space`, `point`, `comma` or `apostrophe`.
    pub fn name(self) -> &'static str {
        match self {
            Separator::Space => "space",
            Separator::Point => "point",
            Separator::Comma => "comma",
            Separator::Apostrophe => "apostrophe",
        }
    }

    /// The separator of a name.
    pub fn named(name: &str) -> Option<Separator> {
        Self::ALL.into_iter().find(|separator| separator.name() == name)
    }

    /// As it is written.
    pub fn mark(self) -> char {
        match self {
            Separator::Space => ' ',
            Separator::Point => '.',
            Separator::Comma => ',',
            Separator::Apostrophe => '\'',
        }
    }

    fn of(c: char) -> Option<Separator> {
        match c {
            '.' => Some(Separator::Point),
            ',' => Some(Separator::Comma),
            '\'' | '’' => Some(Separator::Apostrophe),
            c if c.is_whitespace() => Some(Separator::Space),
            _ => None,
        }
    }
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn parts(text: &str, separator: Separator) -> impl Iterator<Item = &str> + Clone {
    text.split(move |c| Separator::of(c) == Some(separator))
}

/// One to three digits that do not begin with 0, then groups of three.
fn grouped<'t>(mut groups: impl Iterator<Item = &'t str>) -> bool {
    let first = groups.next().unwrap_or_default();
    digits(first) && first.len() <= 3 && !first.starts_with('0') && groups.all(|g| digits(g) && g.len() == 3)
}

/// Four groups up to 255 are the address of a computer.
fn address(text: &str) -> bool {
    text.split('.').count() == 4 && text.split('.').all(|g| digits(g) && g.len() <= 3 && g.parse::<u8>().is_ok())
}

impl<'t> Figure<'t> {
    /// Reads a figure; `None` where the text is none, or one whose parts cannot be told.
    pub fn read(text: &'t str) -> Option<Figure<'t>> {
        if text.chars().take(LONGEST + 1).count() > LONGEST || !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let (number, unit) = text.split_at(end);
        if address(number) {
            return None;
        }
        let mut kinds: Vec<(Separator, usize)> = Vec::new();
        for c in number.chars().filter(|c| !c.is_ascii_digit()) {
            let kind = Separator::of(c)?;
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((kind, 1)),
            }
        }
        let figure = |whole: &str, grouping| Figure {
            whole: whole.chars().filter(char::is_ascii_digit).collect(),
            grouping,
            decimals: "",
            decimal: None,
            ambiguous: false,
            unit,
        };
        let halves = |decimal: Separator| {
            let at = number.rfind(|c| Separator::of(c) == Some(decimal))?;
            Some((&number[..at], &number[at + 1..])).filter(|(_, decimals)| digits(decimals))
        };
        let is_grouped = |text: &str, by: Separator| grouped(parts(text, by));
        let of_decimals = |by: Separator| matches!(by, Separator::Point | Separator::Comma);
        match kinds.as_slice() {
            [] => Some(figure(number, None)),
            [(by, 1)] if of_decimals(*by) => {
                let (whole, decimals) = halves(*by)?;
                if is_grouped(number, *by) {
                    return Some(Figure { ambiguous: true, ..figure(number, Some(*by)) });
                }
                digits(whole).then(|| Figure { decimals, decimal: Some(*by), ..figure(whole, None) })
            }
            [(Separator::Apostrophe, 1)] => None,
            [(by, _)] => is_grouped(number, *by).then(|| figure(number, Some(*by))),
            [(by, _), (decimal, 1)] if of_decimals(*decimal) => {
                let (whole, decimals) = halves(*decimal)?;
                is_grouped(whole, *by).then(|| Figure { decimals, decimal: Some(*decimal), ..figure(whole, Some(*by)) })
            }
            _ => None,
        }
    }

    /// The figure with other separators: groups of three where the whole part has `from` digits or more.
    pub fn written(&self, grouping: Separator, decimal: Separator, from: usize) -> String {
        let mut out = String::with_capacity(self.whole.len() * 4 / 3 + self.decimals.len() + 2);
        for (at, digit) in self.whole.chars().enumerate() {
            let left = self.whole.len() - at;
            if at > 0 && left.is_multiple_of(3) && self.whole.len() >= from {
                out.push(grouping.mark());
            }
            out.push(digit);
        }
        if !self.decimals.is_empty() {
            out.push(decimal.mark());
            out.push_str(self.decimals);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Separator::{Apostrophe, Comma, Point, Space};

    /// Whole digits, grouping, decimals, decimal mark, whether it is ambiguous, unit.
    type Read<'t> = Option<(String, Option<Separator>, &'t str, Option<Separator>, bool, &'t str)>;

    fn read(text: &str) -> Read<'_> {
        let f = Figure::read(text)?;
        Some((f.whole, f.grouping, f.decimals, f.decimal, f.ambiguous, f.unit))
    }

    fn whole(digits: &str, grouping: Option<Separator>) -> Read<'_> {
        Some((digits.to_owned(), grouping, "", None, false, ""))
    }

    #[test]
    fn figures_are_read_by_their_parts() {
        assert_eq!(read("12500"), whole("12500", None));
        assert_eq!(read("1.250.000"), whole("1250000", Some(Point)));
        assert_eq!(read("1'250'000"), whole("1250000", Some(Apostrophe)));
        assert_eq!(read("1’250’000"), whole("1250000", Some(Apostrophe)));
        assert_eq!(read("1 250\u{A0}000"), whole("1250000", Some(Space)));
        assert_eq!(read("1.250"), Some(("1250".to_owned(), Some(Point), "", None, true, "")));
        assert_eq!(read("0.125"), Some(("0".to_owned(), None, "125", Some(Point), false, "")));
        assert_eq!(read("1250,5mg"), Some(("1250".to_owned(), None, "5", Some(Comma), false, "mg")));
        assert_eq!(read("1.250,50€"), Some(("1250".to_owned(), Some(Point), "50", Some(Comma), false, "€")));
        assert_eq!(read("1,250.5"), Some(("1250".to_owned(), Some(Comma), "5", Some(Point), false, "")));
        assert_eq!(read("1 250,5"), Some(("1250".to_owned(), Some(Space), "5", Some(Comma), false, "")));
    }

    #[test]
    fn what_is_no_figure_is_not_read() {
        for text in
            ["", "x5", "5x5", "1.25.3", "1,250,00", "6'2", "192.168.100.200", "1.2,3.4", "1,5.250", "1..5", "²5"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"1".repeat(25)), None);
    }

    #[test]
    fn figures_are_written_in_any_style() {
        let figure = Figure::read("1250000.5").expect("a figure");
        assert_eq!(figure.written(Space, Comma, 5), "1 250 000,5");
        assert_eq!(figure.written(Point, Comma, 5), "1.250.000,5");
        let short = Figure::read("1,250").expect("a figure");
        assert_eq!((short.written(Comma, Point, 5), short.written(Comma, Point, 4)), ("1250".into(), "1,250".into()));
    }
}
