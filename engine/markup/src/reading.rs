//! A file that was read: its prose, and the way from each place of the prose to the file and back.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use glosa_text::{CodePoints, Layout, Span};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::directive::Directive;
use crate::front_matter::{self, FileSettings};
use crate::prose::{Kind, Piece, Writer};
use crate::{Syntax, html, markdown};

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Something in a file that its author meant otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its place: bytes of the file.
    pub bytes: Range<usize>,
    /// Cause and cure.
    pub message: String,
}

/// A part of the file in which a rule is silent.
#[derive(Clone, Debug)]
struct Silence {
    rule: String,
    bytes: Range<usize>,
}

/// What comments of the file ask for.
#[derive(Default)]
pub(crate) struct Marks {
    silences: Vec<Silence>,
    open: Vec<(String, usize)>,
    named: Vec<(String, Range<usize>)>,
    faults: Vec<Fault>,
}

impl Marks {
    /// Carries out what the comment at a place asks for.
    pub(crate) fn take(&mut self, writer: &mut Writer<'_>, directive: Directive, bytes: Range<usize>) {
        match directive {
            Directive::Off => writer.off = true,
            Directive::On => {
                writer.off = false;
                self.end(bytes.start, |_| true);
            }
            Directive::RulesOff(rules) => {
                self.name(writer.source, &rules, &bytes);
                for rule in rules {
                    if !self.open.iter().any(|(open, _)| *open == rule) {
                        self.open.push((rule, bytes.end));
                    }
                }
            }
            Directive::RulesOn(rules) => {
                self.name(writer.source, &rules, &bytes);
                self.end(bytes.start, |rule| rules.iter().any(|ended| ended == rule));
            }
            Directive::Unknown(said) => self.faults.push(Fault {
                bytes,
                message: format!(
                    "`glosa {said}` is no instruction; write `glosa off`, `glosa on`, or `glosa off: ` and ids of rules"
                ),
            }),
        }
    }

    fn name(&mut self, source: &str, rules: &[String], bytes: &Range<usize>) {
        let comment = source.get(bytes.clone()).unwrap_or_default();
        for rule in rules {
            let at = comment.rfind(rule.as_str()).map_or(bytes.clone(), |at| {
                let start = bytes.start + at;
                start..start + rule.len()
            });
            self.named.push((rule.clone(), at));
        }
    }

    fn end(&mut self, at: usize, ends: impl Fn(&str) -> bool) {
        let (ended, left) = std::mem::take(&mut self.open).into_iter().partition(|(rule, _)| ends(rule));
        self.open = left;
        let silence = |(rule, start): (String, usize)| Silence { rule, bytes: start..at.max(start) };
        self.silences.extend(Vec::into_iter(ended).map(silence));
    }
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    source: String,
    syntax: Syntax,
    prose: String,
    layout: Option<Layout>,
    pieces: Vec<Piece>,
    source_index: CodePoints,
    prose_index: CodePoints,
    silences: Vec<Silence>,
    named: Vec<(String, Range<usize>)>,
    settings: FileSettings,
    faults: Vec<Fault>,
}

impl Reading {
    /// Reads a file. Every text is a file of every syntax, so nothing fails; what an author meant otherwise is among the
    /// [faults](Self::faults).
    pub fn new(source: &str, syntax: Syntax) -> Reading {
        let source_index = CodePoints::new(source);
        let mut reading = Reading {
            source: source.to_owned(),
            syntax,
            prose: source.to_owned(),
            layout: None,
            pieces: vec![Piece { prose: 0..source.len(), source: 0..source.len(), kind: Kind::Verbatim }],
            prose_index: source_index.clone(),
            source_index,
            silences: Vec::new(),
            named: Vec::new(),
            settings: FileSettings::default(),
            faults: Vec::new(),
        };
        if syntax != Syntax::Plain {
            reading.take_prose();
        }
        reading
    }

    fn take_prose(&mut self) {
        let source = &self.source;
        let mut faults = Vec::new();
        let start = if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let (settings, text) = front_matter::read(source, start, &mut faults);
        let read = catch_unwind(AssertUnwindSafe(|| {
            let mut writer = Writer::new(source);
            let mut marks = Marks::default();
            match self.syntax {
                Syntax::Html => html::read(&mut writer, &mut marks, text..source.len()),
                _ => markdown::read(&mut writer, &mut marks, text..source.len()),
            }
            writer.end_block();
            (writer.prose, writer.pieces, writer.blocks, marks)
        }));
        let (prose, pieces, blocks, mut marks) = read.unwrap_or_else(|_| {
            let message =
                "the reader of this syntax failed, so nothing was analysed; try another `--syntax`".to_owned();
            faults.push(Fault { bytes: 0..0, message });
            Default::default()
        });
        marks.end(self.source.len(), |_| true);
        faults.append(&mut marks.faults);
        self.settings = settings;
        self.prose_index = CodePoints::new(&prose);
        self.prose = prose;
        self.pieces = pieces;
        self.layout = Some(Layout { blocks });
        self.silences = marks.silences;
        self.named = marks.named;
        self.faults = faults;
    }

    /// The file, untouched.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// How it was read.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Its prose.
    pub fn prose(&self) -> &str {
        &self.prose
    }

    /// The blocks of the prose; `None` for plain text, whose blocks show by the look of the lines.
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// What the file says of itself.
    pub fn settings(&self) -> &FileSettings {
        &self.settings
    }

    /// What its author meant otherwise.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The rules that comments of the file name, each with its place in bytes.
    pub fn named_rules(&self) -> &[(String, Range<usize>)] {
        &self.named
    }

    /// The offsets of the file.
    pub fn index(&self) -> &CodePoints {
        &self.source_index
    }

    /// Whether a comment silences a rule at a place of the prose; without a place, whether it does so for the whole text.
    pub fn silences(&self, rule: &str, place: Option<Span>) -> bool {
        let mut of_rule = self.silences.iter().filter(|silence| silence.rule == rule).peekable();
        if of_rule.peek().is_none() {
            return false;
        }
        let bytes = match place {
            Some(span) => self.place(span).map(|place| self.bytes(place)),
            None => self.pieces.first().zip(self.pieces.last()).map(|(a, z)| a.source.start..z.source.end),
        };
        let Some(bytes) = bytes else { return false };
        of_rule.any(|silence| match place {
            Some(_) => silence.bytes.start <= bytes.start && bytes.start < silence.bytes.end,
            None => silence.bytes.start <= bytes.start && bytes.end <= silence.bytes.end,
        })
    }

    fn bytes(&self, span: Span) -> Range<usize> {
        self.source_index.to_byte(span.start)..self.source_index.to_byte(span.end)
    }

    /// The piece that holds a byte of the prose, or the next one.
    fn piece(&self, byte: usize) -> Option<usize> {
        let at = self.pieces.partition_point(|piece| piece.prose.end <= byte);
        (at < self.pieces.len()).then_some(at)
    }

    /// Where the file shows a place of the prose; `None` where it shows nothing of it.
    pub fn place(&self, span: Span) -> Option<Span> {
        let bytes = self.prose_index.to_byte(span.start)..self.prose_index.to_byte(span.end);
        let from = self.piece(bytes.start).or_else(|| self.pieces.len().checked_sub(1))?;
        let first = &self.pieces[from];
        let start = match first.kind {
            Kind::Verbatim => {
                first.source.start + bytes.start.clamp(first.prose.start, first.prose.end) - first.prose.start
            }
            _ if bytes.start >= first.prose.end => first.source.end,
            _ => first.source.start,
        };
        let end = if bytes.is_empty() {
            start
        } else {
            let last = self.piece(bytes.end - 1).unwrap_or(self.pieces.len() - 1);
            let last = &self.pieces[last];
            match last.kind {
                // The place ends in the gap before this piece.
                _ if bytes.end <= last.prose.start => self.end_before(bytes.end)?,
                Kind::Verbatim => last.source.start + bytes.end.min(last.prose.end) - last.prose.start,
                _ => last.source.end,
            }
        };
        let whole = self.whole(start..end.max(start));
        Some(Span::new(self.source_index.at_byte(whole.start), self.source_index.at_byte(whole.end)))
    }

    /// Where the last piece before a byte of the prose ends in the file.
    fn end_before(&self, byte: usize) -> Option<usize> {
        let at = self.pieces.partition_point(|piece| piece.prose.end <= byte);
        at.checked_sub(1).map(|at| self.pieces[at].source.end)
    }

    /// Widens a place of the file to whole user-perceived characters, as places of reports are.
    fn whole(&self, bytes: Range<usize>) -> Range<usize> {
        if self.syntax == Syntax::Plain {
            return bytes;
        }
        let (mut start, mut end) = (bytes.start, bytes.end);
        if self.cuts(start) {
            let before = self.source[..start].graphemes(true).next_back().map_or(0, str::len);
            let mut cursor = GraphemeCursor::new(start, self.source.len(), true);
            start = cursor.prev_boundary(&self.source, 0).ok().flatten().unwrap_or(start - before);
        }
        if self.cuts(end) {
            let mut cursor = GraphemeCursor::new(end, self.source.len(), true);
            end = cursor.next_boundary(&self.source, 0).ok().flatten().unwrap_or(self.source.len());
        }
        start..end
    }

    /// Whether a byte of the file lies inside a user-perceived character.
    fn cuts(&self, byte: usize) -> bool {
        let mut cursor = GraphemeCursor::new(byte, self.source.len(), true);
        !cursor.is_boundary(&self.source, 0).unwrap_or(true)
    }

    /// The change of the file that carries out a change of the prose; `None` where it would touch markup.
    pub(crate) fn edit(&self, span: Span, text: &str) -> Option<(Span, String)> {
        let bytes = self.prose_index.to_byte(span.start)..self.prose_index.to_byte(span.end);
        self.whole_edit(bytes.clone(), text).or_else(|| {
            let (kept_before, kept_after) = same_ends(&self.prose[bytes.clone()], text);
            let inner = bytes.start + kept_before..bytes.end - kept_after;
            let text = &text[kept_before..text.len() - kept_after];
            (inner != bytes).then(|| self.whole_edit(inner, text)).flatten()
        })
    }

    fn whole_edit(&self, bytes: Range<usize>, text: &str) -> Option<(Span, String)> {
        let source = if bytes.is_empty() { self.insertion(bytes.start)? } else { self.contiguous(&bytes)? };
        if self.cuts(source.start) || self.cuts(source.end) {
            return None;
        }
        let span = Span::new(self.source_index.at_byte(source.start), self.source_index.at_byte(source.end));
        Some((span, self.written(text)))
    }

    /// Where the file has room between two characters of the prose, and nothing between them.
    fn insertion(&self, byte: usize) -> Option<Range<usize>> {
        let after = self.pieces.iter().position(|piece| piece.prose.start <= byte && byte < piece.prose.end);
        let before = self.pieces.iter().position(|piece| piece.prose.start < byte && byte <= piece.prose.end);
        let open = |at: usize| self.pieces[at].kind != Kind::Hidden;
        let at = match (before, after) {
            (Some(before), Some(after)) if before == after => {
                let piece = &self.pieces[before];
                (piece.kind == Kind::Verbatim).then_some(piece.source.start + byte - piece.prose.start)?
            }
            (Some(before), Some(after)) => {
                let (left, right) = (&self.pieces[before], &self.pieces[after]);
                (left.source.end == right.source.start && open(before) && open(after)).then_some(left.source.end)?
            }
            (Some(before), None) => open(before).then_some(self.pieces[before].source.end)?,
            (None, Some(after)) => open(after).then_some(self.pieces[after].source.start)?,
            (None, None) if self.source.is_empty() => 0,
            (None, None) => return None,
        };
        Some(at..at)
    }

    /// The bytes of the file that stand for bytes of the prose, where these are so many whole characters of it and nothing else.
    fn contiguous(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let first = self.piece(bytes.start)?;
        let last = self.piece(bytes.end - 1)?;
        let touched = &self.pieces[first..=last];
        let joined = touched
            .windows(2)
            .all(|pair| pair[0].source.end == pair[1].source.start && pair[0].prose.end == pair[1].prose.start);
        if !joined || touched.iter().any(|piece| piece.kind == Kind::Hidden) {
            return None;
        }
        let (head, tail) = (touched.first()?, touched.last()?);
        let start = match head.kind {
            Kind::Verbatim => head.source.start + bytes.start.checked_sub(head.prose.start)?,
            _ => (bytes.start == head.prose.start).then_some(head.source.start)?,
        };
        let end = match tail.kind {
            Kind::Verbatim => tail.source.start + bytes.end.checked_sub(tail.prose.start)?,
            _ => (bytes.end == tail.prose.end).then_some(tail.source.end)?,
        };
        Some(start..end)
    }

    /// Other words for a place of the file, as the file writes them; `None` where the place is not letter by letter prose.
    pub fn words_for(&self, place: Span, text: &str) -> Option<String> {
        let bytes = self.bytes(place);
        let holds = |piece: &Piece| {
            piece.kind == Kind::Verbatim && piece.source.start <= bytes.start && bytes.end <= piece.source.end
        };
        self.pieces.iter().any(holds).then(|| self.written(text))
    }

    /// Words as this file writes them: HTML has its references, and a file without any letter beyond ASCII gets none.
    fn written(&self, text: &str) -> String {
        if self.syntax != Syntax::Html {
            return text.to_owned();
        }
        let ascii = self.source.is_ascii();
        let mut written = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '&' => written.push_str("&amp;"),
                '<' => written.push_str("&lt;"),
                '>' => written.push_str("&gt;"),
                c if ascii && !c.is_ascii() => written.push_str(&self.own_reference(c)),
                c => written.push(c),
            }
        }
        written
    }

    /// The reference that the file has for a character, or its number.
    fn own_reference(&self, c: char) -> String {
        let mut buffer = [0; 4];
        let c_text: &str = c.encode_utf8(&mut buffer);
        let own =
            self.pieces.iter().find(|piece| piece.kind == Kind::Folded && self.prose[piece.prose.clone()] == *c_text);
        own.map_or_else(|| format!("&#{};", u32::from(c)), |piece| self.source[piece.source.clone()].to_owned())
    }
}

/// How many bytes two texts share at their beginning, and then at their end.
fn same_ends(a: &str, b: &str) -> (usize, usize) {
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        pairs.take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum::<usize>()
    };
    let before = same(&mut a.chars().zip(b.chars()));
    let after = same(&mut a[before..].chars().rev().zip(b[before..].chars().rev()));
    (before, after)
}
