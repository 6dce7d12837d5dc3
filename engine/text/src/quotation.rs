//! Quotations: which opening mark goes with which closing one. They are looked for paragraph by paragraph, in one pass.

use crate::{Document, Token};

/// Quotations that may be open at once; the rest of a paragraph that opens more is not read.
const DEEPEST: usize = 6;

/// Kinds of quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteStyle {
    /// `«»`
    Angle,
    /// `“”`
    Curly,
    /// `""`
    Straight,
    /// `‘’`
    Single,
    /// `''`
    Typed,
}

/// A quotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotation {
    /// Number of the token that opens it.
    pub open: u32,
    /// Number of the token that closes it.
    pub close: u32,
    /// The kind of its marks; where they are mixed, that of the opening one unless it is straight.
    pub style: QuoteStyle,
    /// Quotations around it.
    pub depth: u32,
    /// The two marks are of different kinds.
    pub mixed: bool,
    inside: u8,
}

impl QuoteStyle {
    const ALL: [QuoteStyle; 5] =
        [QuoteStyle::Angle, QuoteStyle::Curly, QuoteStyle::Straight, QuoteStyle::Single, QuoteStyle::Typed];

    /// Its name: `angle`, `curly`, `straight`, `single` or `typed`.
    pub fn name(self) -> &'static str {
        match self {
            QuoteStyle::Angle => "angle",
            QuoteStyle::Curly => "curly",
            QuoteStyle::Straight => "straight",
            QuoteStyle::Single => "single",
            QuoteStyle::Typed => "typed",
        }
    }

    /// The style of a name.
    pub fn named(name: &str) -> Option<QuoteStyle> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }

    /// The style of a mark.
    pub fn of(mark: &str) -> Option<QuoteStyle> {
        Self::ALL.into_iter().find(|style| style.marks().contains(&mark))
    }

    /// Its opening and its closing mark.
    pub fn marks(self) -> [&'static str; 2] {
        match self {
            QuoteStyle::Angle => ["«", "»"],
            QuoteStyle::Curly => ["“", "”"],
            QuoteStyle::Straight => ["\"", "\""],
            QuoteStyle::Single => ["‘", "’"],
            QuoteStyle::Typed => ["'", "'"],
        }
    }

    fn is_single(self) -> bool {
        matches!(self, QuoteStyle::Single | QuoteStyle::Typed)
    }
}

impl Quotation {
    /// Whether a quotation of a style stands inside it.
    pub fn holds(&self, style: QuoteStyle) -> bool {
        self.inside & bit(style) != 0
    }
}

fn bit(style: QuoteStyle) -> u8 {
    1 << style as u8
}

/// A quotation mark of the text.
#[derive(Clone, Copy)]
struct Mark {
    token: u32,
    style: QuoteStyle,
    opening: bool,
    closing: bool,
}

/// What comes after a mark: whether the single marks close something before another opens in the same sentence, and
/// which styles are closed before they are opened again in the same paragraph.
#[derive(Clone, Copy, Default)]
struct Ahead {
    sentence: u32,
    closed_in_sentence: u8,
    closed_in_block: u8,
}

struct Reader<'d> {
    document: &'d Document,
    /// Words before which a typed apostrophe stands for letters; without it typed single marks quote nothing.
    elided: Option<&'d dyn Fn(&str) -> bool>,
    open: Vec<Mark>,
    counts: [u32; 5],
    found: Vec<Quotation>,
    /// Numbers in `found` of quotations that no later one holds yet.
    outermost: Vec<usize>,
}

impl Document {
    /// The quotations of the text, in the order of their closing marks. `elided` says of a normal form that an
    /// apostrophe before it stands for letters, as in `'tis`; without it `'` is no quotation mark.
    pub fn quotations(&self, elided: Option<&dyn Fn(&str) -> bool>) -> Vec<Quotation> {
        let mut reader = Reader {
            document: self,
            elided,
            open: Vec::new(),
            counts: [0; 5],
            found: Vec::new(),
            outermost: Vec::new(),
        };
        let mut tokens: Vec<u32> =
            ["\"", "«", "»", "“", "”", "'"].iter().flat_map(|m| self.with_norm(m)).copied().collect();
        tokens.sort_unstable();
        let marks: Vec<Mark> = tokens.into_iter().filter_map(|token| reader.mark(token)).collect();
        let block = |mark: &Mark| self.sentences()[self.tokens()[mark.token as usize].sentence as usize].block;
        for paragraph in marks.chunk_by(|a, b| block(a) == block(b)) {
            reader.read(paragraph);
        }
        reader.found
    }
}

impl<'d> Reader<'d> {
    fn token(&self, number: u32) -> &'d Token {
        &self.document.tokens()[number as usize]
    }

    fn form(&self, token: &Token) -> &'d str {
        self.document.string(token.form)
    }

    /// The token beside another in the same sentence.
    fn beside(&self, number: u32, step: i32) -> Option<(u32, &'d Token)> {
        let sentence = self.token(number).sentence;
        let number = number.checked_add_signed(step)?;
        let token = self.document.tokens().get(number as usize)?;
        (token.sentence == sentence).then_some((number, token))
    }

    fn mark(&self, number: u32) -> Option<Mark> {
        let style = QuoteStyle::of(self.form(self.token(number)))?;
        Some(Mark { token: number, style, opening: self.opens(number), closing: self.closes(number) })
    }

    fn opens(&self, number: u32) -> bool {
        let Some((_, next)) = self.beside(number, 1) else { return false };
        let form = self.form(next);
        if next.flags.space_before()
            || [".", ",", ";", ":", ")"].contains(&form)
            || form.starts_with("http")
            || form.starts_with("www")
        {
            return false;
        }
        let token = self.token(number);
        let Some((at, previous)) = self.beside(number, -1) else { return true };
        let before = self.form(previous);
        let call = before == "("
            && !token.flags.space_before()
            && !previous.flags.space_before()
            && self.beside(at, -1).is_some_and(|(_, t)| t.flags.word());
        !call
            && (token.flags.space_before() || ["(", "[", "¿", "¡", "—", "–", "-", "«", "“", "‘", "/"].contains(&before))
    }

    fn closes(&self, number: u32) -> bool {
        if self.token(number).flags.space_before() || self.beside(number, -1).is_none() {
            return false;
        }
        self.beside(number, 1).is_none_or(|(_, next)| next.flags.space_before() || next.flags.punctuation())
    }

    /// Whether a single mark opens a quotation and is no apostrophe.
    fn opens_single(&self, mark: &Mark) -> bool {
        let Some((elided, (_, next))) = self.elided.zip(self.beside(mark.token, 1)) else { return false };
        mark.opening
            && next.flags.word()
            && !elided(self.document.string(next.norm))
            && !self.form(next).starts_with(|c: char| c.is_ascii_digit())
    }

    fn previous_is(&self, mark: &Mark, test: impl Fn(&Token) -> bool) -> bool {
        self.beside(mark.token, -1).is_some_and(|(_, token)| test(token))
    }

    /// What comes after each mark of a paragraph.
    fn ahead(&self, marks: &[Mark]) -> Vec<Ahead> {
        let mut all = vec![Ahead::default(); marks.len()];
        let mut next = Ahead { sentence: u32::MAX, ..Ahead::default() };
        for (mark, slot) in marks.iter().zip(&mut all).rev() {
            let sentence = self.token(mark.token).sentence;
            *slot = if next.sentence == sentence { next } else { Ahead { closed_in_sentence: 0, ..next } };
            next = Ahead { sentence, ..*slot };
            let [open, close] = mark.style.marks();
            let form = self.form(self.token(mark.token));
            if form == "‘" || (mark.style == QuoteStyle::Typed && self.opens_single(mark)) {
                next.closed_in_sentence = 0;
            } else if mark.style.is_single() && mark.closing {
                next.closed_in_sentence |= bit(mark.style);
            }
            if form == open {
                next.closed_in_block &= !bit(mark.style);
            } else if form == close {
                next.closed_in_block |= bit(mark.style);
            }
        }
        all
    }

    fn read(&mut self, marks: &[Mark]) {
        self.open.clear();
        self.counts = [0; 5];
        let ahead = self.ahead(marks);
        for (mark, ahead) in marks.iter().zip(&ahead) {
            match self.form(self.token(mark.token)) {
                "«" | "“" if self.open.len() > DEEPEST => return,
                "«" | "“" | "‘" => self.push(*mark),
                "»" | "”" => self.close(mark),
                "\"" => self.straight(mark, ahead),
                form => {
                    let apostrophe = self.previous_is(mark, |t| self.document.string(t.norm).ends_with('s'))
                        && ahead.closed_in_sentence & bit(mark.style) != 0;
                    if form == "'" && self.opens_single(mark) {
                        if self.open.last().is_none_or(|top| top.style != QuoteStyle::Typed) {
                            self.push(*mark);
                        }
                    } else if self.counts[mark.style as usize] > 0 && mark.closing && !apostrophe {
                        self.close(mark);
                    }
                }
            }
        }
    }

    fn straight(&mut self, mark: &Mark, ahead: &Ahead) {
        let is_open = self.counts[QuoteStyle::Straight as usize] > 0;
        let top = self.open.last().map(|top| top.style);
        if !is_open && mark.opening {
            self.push(*mark);
        } else if mark.closing && (is_open || top.is_some_and(|top| ahead.closed_in_block & bit(top) == 0)) {
            let inches = !is_open && self.previous_is(mark, |t| t.flags.number());
            if !inches {
                self.close(mark);
            }
        }
    }

    fn push(&mut self, mark: Mark) {
        self.counts[mark.style as usize] += 1;
        self.open.push(mark);
    }

    fn pop(&mut self) -> Option<Mark> {
        let mark = self.open.pop()?;
        self.counts[mark.style as usize] -= 1;
        Some(mark)
    }

    fn close(&mut self, mark: &Mark) {
        if self.counts[mark.style as usize] == 0 {
            let fits = self.open.last().is_some_and(|top| !mark.style.is_single() && !top.style.is_single());
            if let Some(top) = fits.then(|| self.pop()).flatten() {
                let style = if top.style == QuoteStyle::Straight { mark.style } else { top.style };
                self.add(&top, mark, style, true);
            }
            return;
        }
        while let Some(open) = self.pop() {
            if open.style != mark.style {
                continue;
            }
            let same_sentence = self.token(open.token).sentence == self.token(mark.token).sentence;
            let empty = same_sentence && open.token + 1 == mark.token;
            if !empty && (same_sentence || !mark.style.is_single()) {
                self.add(&open, mark, mark.style, false);
            }
            return;
        }
    }

    fn add(&mut self, open: &Mark, close: &Mark, style: QuoteStyle, mixed: bool) {
        let mut inside = 0;
        while let Some(inner) = self.outermost.pop_if(|inner| self.found[*inner].open > open.token) {
            inside |= self.found[inner].inside | bit(self.found[inner].style);
        }
        self.outermost.push(self.found.len());
        let depth = self.open.len() as u32;
        self.found.push(Quotation { open: open.token, close: close.token, style, depth, mixed, inside });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{DocumentBuilder, Language, Layout, TokenInput, Upos};

    /// A document whose tokens are words and single signs.
    fn document(text: &str) -> Document {
        let layout = Layout::new(text, &HashSet::new());
        let blocks: Vec<_> = layout.blocks.iter().map(|b| b.content.clone()).collect();
        let mut builder = DocumentBuilder::new(Language::En, text, layout);
        for (n, content) in blocks.into_iter().enumerate() {
            builder.sentence(n, content.clone());
            let mut from = content.start;
            for (at, c) in text[content.clone()].char_indices().map(|(at, c)| (at + content.start, c)) {
                let mut token = |from: usize, to: usize| {
                    let norm = crate::normal_form(&text[from..to]);
                    let (norm, lemma) = (norm.as_str(), norm.as_str());
                    if from < to {
                        builder.token(TokenInput {
                            bytes: from..to,
                            norm,
                            lemma,
                            pos: Upos::X,
                            feats: "",
                            zipf: 0,
                            known: true,
                        });
                    }
                };
                let to = at + c.len_utf8();
                if !c.is_alphanumeric() {
                    token(from, at);
                    token(at, if c.is_whitespace() { at } else { to });
                    from = to;
                } else if to == content.end {
                    token(from, to);
                }
            }
        }
        builder.finish(|_| 1)
    }

    /// Each quotation with its style, depth and `!` where the marks are mixed.
    fn quoted(text: &str) -> Vec<String> {
        let document = document(text);
        let found = document.quotations(Some(&|word| word == "tis"));
        let span = |q: &Quotation| document.slice(document.span_of_tokens(q.open as usize..q.close as usize + 1));
        found
            .iter()
            .map(|q| format!("{} {} {}{}", span(q), q.style.name(), q.depth, if q.mixed { "!" } else { "" }))
            .collect()
    }

    #[test]
    fn marks_go_with_those_of_their_kind() {
        assert_eq!(
            quoted("a «b “c” d» e \"f\" ‘g’"),
            ["“c” curly 1", "«b “c” d» angle 0", "\"f\" straight 0", "‘g’ single 0"]
        );
        assert_eq!(quoted("a «b\" c"), ["«b\" angle 0!"]);
        assert_eq!(quoted("a «b\" c «d» e"), ["«b\" angle 0!", "«d» angle 0"]);
        assert_eq!(quoted("a «b\n\nc» d"), [""; 0], "a paragraph ends what is open");
    }

    #[test]
    fn apostrophes_and_inches_are_no_marks() {
        assert_eq!(quoted("the 'boys' form' is"), ["'boys' form' typed 0"]);
        assert_eq!(quoted("and 'tis the boys' form"), [""; 0]);
        assert_eq!(quoted("a 15\" one and a 17\" one"), [""; 0]);
        assert_eq!(quoted("type print(\"a\") and «b»"), ["«b» angle 0"]);
    }

    #[test]
    fn a_quotation_knows_what_it_holds() {
        let document = document("\"a «b ‘c’» d\"");
        let found = document.quotations(None);
        let held = |q: &Quotation| QuoteStyle::ALL.into_iter().filter(|s| q.holds(*s)).collect::<Vec<_>>();
        let held: Vec<_> = found.iter().map(held).collect();
        assert_eq!(held, [vec![], vec![QuoteStyle::Single], vec![QuoteStyle::Angle, QuoteStyle::Single]]);
    }

    #[test]
    fn many_marks_cost_what_they_are_many() {
        for piece in ["‘a ", "a’ ", "“a ", "\"a", "s’ ‘", "«\" ", "'s "] {
            let document = document(&piece.repeat(50_000));
            let started = std::time::Instant::now();
            document.quotations(Some(&|_| false));
            assert!(started.elapsed().as_secs() < 2, "{piece}");
        }
    }
}
