//! User-perceived characters: where one ends and the next begins.
//!
//! A place that is marked and a change that is offered never cut a letter from its accent, a flag in two or a family of emoji apart
//! (extended grapheme clusters of Unicode Standard Annex 29).

use std::cell::OnceCell;

use glosa_metric::Edit;
use glosa_text::{CodePoints, Span};
use unicode_segmentation::UnicodeSegmentation;

/// The clusters of a text that are longer than one code point; they are looked for only where a place stands beside a character that
/// may be part of one.
pub(crate) struct Clusters<'t> {
    text: &'t str,
    index: &'t CodePoints,
    long: OnceCell<Vec<Span>>,
}

/// Whether a character may be part of a longer cluster; false for those of plain prose.
fn may_join(c: char) -> bool {
    match c {
        '\r' => true,
        c if c < '\u{300}' => false,
        '\u{2010}'..='\u{2029}' | '\u{202F}'..='\u{205E}' | '\u{20A0}'..='\u{20CF}' => false,
        _ => true,
    }
}

impl<'t> Clusters<'t> {
    pub(crate) fn new(text: &'t str, index: &'t CodePoints) -> Self {
        Clusters { text, index, long: OnceCell::new() }
    }

    fn long(&self) -> &[Span] {
        self.long.get_or_init(|| {
            let mut start = 0;
            let mut found = Vec::new();
            for cluster in self.text.graphemes(true) {
                let end = start + if cluster.len() == 1 { 1 } else { cluster.chars().count() as u32 };
                if end - start > 1 {
                    found.push(Span { start, end });
                }
                start = end;
            }
            found
        })
    }

    /// The cluster that a place between two code points cuts.
    fn cut(&self, at: u32) -> Option<Span> {
        let byte = self.index.to_byte(at);
        let (before, after) = self.text.split_at(byte);
        let beside = [before.chars().next_back()?, after.chars().next()?];
        if !beside.into_iter().any(may_join) {
            return None;
        }
        let long = self.long();
        let before = long.partition_point(|cluster| cluster.start < at);
        long[..before].last().copied().filter(|cluster| at < cluster.end)
    }

    /// Whether a span begins and ends between clusters.
    pub(crate) fn keep(&self, span: Span) -> bool {
        self.cut(span.start).is_none() && self.cut(span.end).is_none()
    }

    /// The smallest span that covers this one and cuts no cluster.
    pub(crate) fn widen(&self, span: Span) -> Span {
        let start = self.cut(span.start).map_or(span.start, |cluster| cluster.start);
        let end = self.cut(span.end).map_or(span.end, |cluster| cluster.end);
        Span { start, end }
    }

    /// The same change of the text over whole clusters: what the span gains stays in the new text.
    pub(crate) fn widen_edit(&self, edit: Edit) -> Edit {
        let span = self.widen(edit.span);
        if span == edit.span {
            return edit;
        }
        let before = self.index.slice(self.text, Span { start: span.start, end: edit.span.start });
        let after = self.index.slice(self.text, Span { start: edit.span.end, end: span.end });
        Edit { span, text: format!("{before}{}{after}", edit.text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    #[test]
    fn places_are_widened_to_whole_clusters() {
        let text = "e\u{301}s 👩\u{200D}👧 🇪🇸\r\nx";
        let index = CodePoints::new(text);
        let clusters = Clusters::new(text, &index);
        assert_eq!(clusters.widen(span(1, 2)), span(0, 2));
        assert_eq!(clusters.widen(span(0, 1)), span(0, 2));
        assert_eq!(clusters.widen(span(2, 3)), span(2, 3));
        assert_eq!(clusters.widen(span(5, 6)), span(4, 7));
        assert_eq!(clusters.widen(span(9, 11)), span(8, 12));
        assert!(clusters.keep(span(10, 12)) && !clusters.keep(span(11, 12)));
        assert!(clusters.long.get().is_some());
    }

    #[test]
    fn places_in_plain_prose_need_no_table() {
        let text = "«así» – 3 €… 👩\u{200D}👧";
        let index = CodePoints::new(text);
        let clusters = Clusters::new(text, &index);
        assert!((0..13).all(|at| clusters.widen(span(0, at)) == span(0, at)) && clusters.long.get().is_none());
        assert_eq!(clusters.widen(span(0, 14)), span(0, 16));
    }

    #[test]
    fn edits_keep_what_they_gain() {
        let text = "re\u{301}s";
        let index = CodePoints::new(text);
        let clusters = Clusters::new(text, &index);
        let edit = Edit { span: span(1, 2), text: "a".into() };
        assert_eq!(clusters.widen_edit(edit), Edit { span: span(1, 3), text: "a\u{301}".into() });
    }
}
