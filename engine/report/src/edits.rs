//! Edits that apply cleanly: inside the text, free of overlaps, highest offset first.

use glosa_metric::Edit;

use crate::TextEdit;

fn meets(a: &TextEdit, b: &TextEdit) -> bool {
    (a.start < b.end && b.start < a.end) || a.start == b.start
}

/// The edits of one occurrence, sorted from the highest offset to the lowest; `None` when they leave the text, overlap
/// each other or change nothing.
pub(crate) fn ordered(edits: &[Edit], code_points: u32) -> Option<Vec<TextEdit>> {
    let mut sorted: Vec<TextEdit> =
        edits.iter().map(|e| TextEdit { start: e.span.start, end: e.span.end, text: e.text.clone() }).collect();
    sorted.sort_by_key(|e| std::cmp::Reverse((e.start, e.end)));
    let inside =
        sorted.iter().all(|e| e.start <= e.end && e.end <= code_points && (e.start < e.end || !e.text.is_empty()));
    let apart = sorted.windows(2).all(|pair| !meets(&pair[0], &pair[1]));
    (inside && apart).then_some(sorted)
}

/// The edits that a report already promises. Rules come in linguistic order, so the first one keeps its edits.
#[derive(Default)]
pub(crate) struct Taken {
    by_start: std::collections::BTreeMap<u32, (u32, String)>,
}

impl Taken {
    /// Takes the edits if none of them meets one that is taken.
    pub(crate) fn take(&mut self, edits: &[TextEdit]) -> bool {
        if edits.iter().any(|e| self.meets(e)) {
            return false;
        }
        self.by_start.extend(edits.iter().map(|e| (e.start, (e.end, e.text.clone()))));
        true
    }

    fn meets(&self, edit: &TextEdit) -> bool {
        let before = self.by_start.range(..=edit.start).next_back();
        let after = self.by_start.range(edit.start..).next();
        before
            .into_iter()
            .chain(after)
            .any(|(start, (end, text))| meets(edit, &TextEdit { start: *start, end: *end, text: text.clone() }))
    }
}

/// Applies edits that are ordered from the highest offset to the lowest and do not overlap.
pub fn apply(text: &str, edits: &[TextEdit]) -> String {
    let index = glosa_text::CodePoints::new(text);
    let mut changed = text.to_owned();
    for edit in edits {
        changed.replace_range(index.to_byte(edit.start)..index.to_byte(edit.end), &edit.text);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use glosa_text::Span;
    use proptest::prelude::*;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit { span: Span::new(start, end), text: text.into() }
    }

    #[test]
    fn highest_first() {
        let edits = ordered(&[edit(0, 1, "É"), edit(3, 3, "!")], 3).unwrap();
        assert_eq!(apply("éso", &edits), "Éso!");
    }

    #[test]
    fn overlaps_and_strays_are_refused() {
        assert!(ordered(&[edit(0, 2, ""), edit(1, 3, "")], 9).is_none());
        assert!(ordered(&[edit(0, 0, "a"), edit(0, 2, "")], 9).is_none());
        assert!(ordered(&[edit(4, 12, "")], 9).is_none());
    }

    proptest! {
        #[test]
        fn taken_edits_apply_together(wanted in prop::collection::vec((0u32..30, 0u32..6, "[a-z]{1,3}"), 0..20)) {
            let text = "é".repeat(40);
            let mut taken = Taken::default();
            let mut all = Vec::new();
            for (start, len, new) in wanted {
                let one = ordered(&[edit(start, start + len, &new)], 40).unwrap();
                if taken.take(&one) {
                    all.extend(one);
                }
            }
            all.sort_by_key(|e| std::cmp::Reverse((e.start, e.end)));
            let gone: u32 = all.iter().map(|e| e.end - e.start).sum();
            let come: usize = all.iter().map(|e| e.text.chars().count()).sum();
            prop_assert_eq!(apply(&text, &all).chars().count(), 40 - gone as usize + come);
        }
    }
}
