//! What a report is made of: a text, and what its file says of it beside its words.

use std::collections::HashSet;

use glosa_text::{BlockKind, Layout, Span, fold_heading};

/// Whether a rule, by its id, says nothing of a place, or of what the text lacks.
pub type Silenced<'p> = &'p dyn Fn(&str, Option<Span>) -> bool;

/// Prose to be analysed.
#[derive(Clone)]
pub struct Prose<'p> {
    /// The words.
    pub text: &'p str,
    /// The blocks, where the file marks them; `None` where they are found by the look of the lines.
    pub layout: Option<Layout>,
    /// What rules are not to say.
    pub silenced: Option<Silenced<'p>>,
}

impl<'p> Prose<'p> {
    /// A plain text.
    pub fn plain(text: &'p str) -> Self {
        Prose { text, layout: None, silenced: None }
    }

    /// Its blocks; a paragraph that is nothing but a section name of the genre, in the form of [`fold_heading`], is a heading.
    pub(crate) fn layout(&self, known: &HashSet<String>) -> Layout {
        let Some(mut layout) = self.layout.clone() else { return Layout::new(self.text, known) };
        for block in layout.blocks.iter_mut().filter(|block| block.kind == BlockKind::Paragraph) {
            if known.contains(&fold_heading(&self.text[block.content.clone()])) {
                block.kind = BlockKind::Heading;
            }
        }
        layout
    }
}

impl std::fmt::Debug for Prose<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prose of {} bytes", self.text.len())
    }
}
