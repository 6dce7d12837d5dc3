//! A report for the terminal: excerpts with carets, advice, and a summary.

use std::fmt::Write;

use anstyle::{AnsiColor, Effects, Style};
use glosa_report::{MeasurementValue, Occurrence, Recommendation, ReportResult};
use glosa_text::CodePoints;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

const WIDTH: usize = 100;
const BEFORE: usize = 30;
/// Code points of a line from its place on that are looked at: people see fewer, however many marks each carries.
const MOST: usize = 1_000;
const TITLE: Style = Style::new().effects(Effects::BOLD).fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
const PLACE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Blue)));
const CARET: Style = Style::new().effects(Effects::BOLD).fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));
const FIX: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// The report as text with terminal colours, which the caller's stream strips where they are not wanted.
pub(crate) fn render(result: &ReportResult, text: &str) -> String {
    let mut out = recommendations(result, text);
    summary(result, &mut out);
    out
}

/// The recommendations without the summary.
pub(crate) fn recommendations(result: &ReportResult, text: &str) -> String {
    let page = Page::new(text);
    let mut out = String::new();
    for recommendation in &result.recommendations {
        page.recommendation(recommendation, &mut out);
    }
    out
}

struct Page<'t> {
    text: &'t str,
    index: CodePoints,
    /// Where lines begin, in code points.
    lines: Vec<u32>,
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

impl<'t> Page<'t> {
    fn new(text: &'t str) -> Self {
        let ends = text.chars().zip(1..).filter(|(c, _)| *c == '\n').map(|(_, next)| next);
        Self { text, index: CodePoints::new(text), lines: std::iter::once(0).chain(ends).collect() }
    }

    /// Number of the line of a code point, from 0.
    fn line(&self, at: u32) -> usize {
        self.lines.partition_point(|start| *start <= at).saturating_sub(1)
    }

    fn recommendation(&self, r: &Recommendation, out: &mut String) {
        let _ = writeln!(out, "{} {}", painted(TITLE, &r.metric_title), painted(FAINT, &format!("({})", r.metric_id)));
        let _ = writeln!(out, "{}", r.summary);
        for occurrence in &r.occurrences {
            self.occurrence(occurrence, out);
        }
        for advice in &r.guidance {
            let _ = writeln!(out, "  {} {advice}", painted(FAINT, "·"));
        }
        out.push('\n');
    }

    fn occurrence(&self, o: &Occurrence, out: &mut String) {
        match (o.start, o.end) {
            (Some(start), Some(end)) => self.excerpt(start, end, out),
            _ => {
                let _ = writeln!(out, "  {} {}", painted(PLACE, "–"), o.text);
            }
        }
        let also: Vec<String> = o.spans.iter().skip(1).map(|s| self.line_column(s.start)).collect();
        if !also.is_empty() {
            let _ = writeln!(out, "        {}", painted(FAINT, &format!("also at {}", also.join(", "))));
        }
        if let Some(replacement) = &o.replacement {
            let shown = if replacement.is_empty() { "(delete)" } else { replacement };
            let _ = writeln!(out, "        {}", painted(FIX, &format!("→ {shown}")));
        } else if !o.edits.is_empty() {
            let _ = writeln!(out, "        {}", painted(FIX, &format!("→ {}", self.edited(o))));
        }
        if !o.alternatives.is_empty() {
            let _ = writeln!(out, "        {}", painted(FAINT, &format!("or: {}", o.alternatives.join(" | "))));
        }
        for c in &o.connectors {
            let what = format!("{} «{}» ({})", self.line_column(c.start), c.text, c.relation);
            let instead = c.alternatives.join(" | ");
            let _ = writeln!(out, "        {}", painted(FAINT, &format!("split at {what}: {instead}")));
        }
    }

    /// What the place reads like after its edits.
    fn edited(&self, o: &Occurrence) -> String {
        let from = o.edits.iter().map(|e| e.start).min().into_iter().chain(o.start).min().unwrap_or(0);
        let to = o.edits.iter().map(|e| e.end).max().into_iter().chain(o.end).max().unwrap_or(0);
        let mut part: Vec<char> = self.slice(from, to).chars().collect();
        for e in &o.edits {
            part.splice((e.start - from) as usize..(e.end - from) as usize, e.text.chars());
        }
        if part.is_empty() { "(delete)".to_owned() } else { format!("«{}»", part.into_iter().collect::<String>()) }
    }

    fn slice(&self, start: u32, end: u32) -> &str {
        &self.text[self.index.to_byte(start)..self.index.to_byte(end)]
    }

    fn line_column(&self, at: u32) -> String {
        let line = self.line(at);
        format!("{}:{}", line + 1, at - self.lines[line] + 1)
    }

    fn excerpt(&self, start: u32, end: u32, out: &mut String) {
        let place = self.line_column(start);
        let bytes = self.index.to_byte(start)..self.index.to_byte(end);
        let line = self.line(start);
        let line_start = self.index.to_byte(self.lines[line]);
        let next = self.lines.get(line + 1).map_or(self.text.len(), |next| self.index.to_byte(*next));
        // No more is looked at than can be shown, however long the line is.
        let most = self.text[bytes.start..next].char_indices().nth(MOST).map_or(next, |(at, _)| bytes.start + at);
        let line_end = self.text[bytes.start..most].find(['\n', '\r']).map_or(most, |n| bytes.start + n);
        let lead = &self.text[line_start..bytes.start];
        let from = lead.grapheme_indices(true).rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
        let lead = format!("{}{}", if from > 0 { "…" } else { "" }, &lead[from..]);
        let marked = &self.text[bytes.start..bytes.end.min(line_end).max(bytes.start)];
        let rest = &self.text[bytes.end.min(line_end).max(bytes.start)..line_end.max(bytes.start)];
        let lead = printable(&lead);
        let marked = printable(marked);
        let shown = clip(&format!("{lead}{marked}{}", printable(rest)), WIDTH);
        let room = WIDTH.saturating_sub(lead.width()).max(1);
        let carets = marked.width().clamp(1, room);
        let _ = writeln!(out, "  {:>7} {} {shown}", painted(PLACE, &place), painted(FAINT, "│"));
        let pad = " ".repeat(lead.width());
        let _ = writeln!(
            out,
            "  {:>width$} {} {pad}{}",
            "",
            painted(FAINT, "│"),
            painted(CARET, &"^".repeat(carets)),
            width = place.width()
        );
    }
}

fn printable(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect()
}

fn clip(text: &str, width: usize) -> String {
    let mut used = 0;
    let mut shown = String::new();
    for cluster in text.graphemes(true) {
        used += cluster.width();
        if used > width {
            shown.push('…');
            break;
        }
        shown.push_str(cluster);
    }
    shown
}

fn summary(result: &ReportResult, out: &mut String) {
    let places: usize = result.recommendations.iter().map(|r| r.occurrences.len()).sum();
    let ready = result.recommendations.iter().flat_map(|r| &r.occurrences).filter(|o| !o.edits.is_empty()).count();
    let genre = format!("{} / {}", result.genre.domain.name, result.genre.text_type.name);
    let _ = writeln!(
        out,
        "{} {}",
        painted(
            TITLE,
            &format!("{} recommendations, {places} places, {ready} with a ready edit", result.recommendations.len())
        ),
        painted(FAINT, &format!("({genre}, {})", result.language))
    );
    let widest = result.measurements.iter().map(|m| m.metric_id.width()).max().unwrap_or(0);
    for m in &result.measurements {
        let value = match m.value {
            MeasurementValue::Integer(n) => n.to_string(),
            MeasurementValue::Number(x) => format!("{x:.2}"),
        };
        let _ = writeln!(out, "  {:<widest$} {value:>9} {}", m.metric_id, painted(FAINT, &m.unit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The excerpt of a place without colours: the text, and the carets below it.
    fn lines(text: &str, marked: &str) -> (String, String) {
        let start = text[..text.find(marked).expect("a place")].chars().count() as u32;
        let page = Page::new(text);
        let mut out = String::new();
        page.excerpt(start, start + marked.chars().count() as u32, &mut out);
        let plain = anstream::adapter::strip_str(&out).to_string();
        let mut lines = plain.lines().map(|line| line.split_once("│ ").expect("a margin").1.to_owned());
        (lines.next().expect("a text"), lines.next().expect("carets"))
    }

    #[test]
    fn carets_stand_right_under_what_people_see() {
        for (text, marked) in [
            ("👩\u{200D}👩\u{200D}👧 llega mañana", "mañana"),
            ("🇪🇸🇪🇸 👍🏽 e\u{301}s aquí", "aquí"),
            ("漢字 \u{1112}\u{1161}\u{11AB} fin", "fin"),
            ("uno 👩\u{200D}👧 dos", "👩\u{200D}👧"),
        ] {
            let (shown, carets) = lines(text, marked);
            let before = shown[..shown.find(marked).expect("shown")].width();
            assert_eq!(carets, format!("{}{}", " ".repeat(before), "^".repeat(marked.width())), "{text}");
        }
    }

    #[test]
    fn places_have_line_and_column() {
        let page = Page::new("a\r\nbé\n\nçd");
        let told: Vec<String> = (0..9).map(|at| page.line_column(at)).collect();
        assert_eq!(told, ["1:1", "1:2", "1:3", "2:1", "2:2", "2:3", "3:1", "4:1", "4:2"]);
    }

    #[test]
    fn a_long_line_is_shown_around_its_place() {
        let text = format!("{}aquí{}", "(".repeat(5_000), " y allí".repeat(5_000));
        let (shown, carets) = lines(&text, "aquí");
        assert_eq!(shown, format!("…{}aquí{}…", "(".repeat(BEFORE), &" y allí".repeat(10)[..WIDTH - BEFORE - 5 + 9]));
        assert_eq!(carets, format!("{}^^^^", " ".repeat(BEFORE + 1)));
    }
}
