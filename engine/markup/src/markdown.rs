//! Markdown: blocks and inlines of CommonMark, with the tables, footnotes, notes and definition lists that people use.
//!
//! `pulldown-cmark` says what each part of the file is. A text event whose words are those of its place is prose letter by letter;
//! one that differs is a character reference. HTML inside goes the way of HTML files, so that `<q>` hides a quotation here too.

use std::ops::Range;

use glosa_text::BlockKind;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::html;
use crate::prose::{Held, Writer};
use crate::reading::Marks;

/// Names of what only Markdown has, beside those of elements.
const ITEM: &str = "item";
const HEADING: &str = "heading";
const LIST: &str = "list";
const LABEL: &str = "label";

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_DEFINITION_LIST
}

/// What the parser reads: the same bytes, with spaces for two control characters that its places get wrong
/// (pulldown-cmark issue 1129), and a letter for U+0000, which it would replace.
fn tamed(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\0' => 'x',
            '\u{B}' | '\u{C}' => ' ',
            c => c,
        })
        .collect()
}

/// Reads a part of a file as Markdown.
pub(crate) fn read(writer: &mut Writer<'_>, marks: &mut Marks, part: Range<usize>) {
    let base = part.start;
    let text = tamed(&writer.source[part]);
    let mut page = Page { writer, marks, text: &text, base, broken: None };
    for (event, range) in Parser::new_ext(&text, options()).into_offset_iter() {
        page.event(event, range);
    }
}

struct Page<'p, 's> {
    writer: &'p mut Writer<'s>,
    marks: &'p mut Marks,
    text: &'p str,
    /// Where the text begins in the file.
    base: usize,
    /// Where a line ended whose next one has not begun.
    broken: Option<usize>,
}

impl Page<'_, '_> {
    fn place(&self, range: &Range<usize>) -> Range<usize> {
        self.base + range.start..self.base + range.end
    }

    /// The break of a line, with what begins the next one.
    fn mend(&mut self, next: usize) {
        if let Some(from) = self.broken.take()
            && from <= next
        {
            let from = self.text[..from].trim_end_matches([' ', '\t']).len();
            let range = self.place(&(from..next));
            self.writer.space(range, "\n");
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match &event {
            Event::SoftBreak | Event::HardBreak => {
                self.broken.get_or_insert(range.start);
                return;
            }
            _ => self.mend(range.start),
        }
        let place = self.place(&range);
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(words) => {
                if self.text[range.clone()] == *words {
                    self.writer.text(place);
                } else {
                    self.writer.folded(place, &words);
                }
            }
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => self.writer.hide(place),
            Event::InlineHtml(_) => html::read(self.writer, self.marks, place),
            Event::Rule => self.writer.end_block(),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { .. } => self.writer.enter(HEADING, Some(Held::Block(BlockKind::Heading))),
            Tag::List(_) | Tag::Table(_) => self.writer.enter(LIST, None),
            Tag::Item => self.writer.enter(ITEM, Some(Held::Block(BlockKind::ListItem))),
            Tag::TableCell | Tag::DefinitionListTitle => self.writer.enter(LABEL, Some(Held::Label)),
            Tag::HtmlBlock => {
                self.writer.end_block();
                let place = self.place(&range);
                html::read(self.writer, self.marks, place);
                self.writer.end_block();
            }
            Tag::BlockQuote(None) => {
                self.writer.end_block();
                self.writer.cover("block quotation", false, false);
            }
            Tag::CodeBlock(_) | Tag::MetadataBlock(_) => {
                self.writer.end_block();
                self.writer.cover("code block", false, true);
            }
            Tag::Image { .. } => {
                let place = self.place(&range);
                self.writer.hide(place);
                self.writer.cover("image", true, true);
            }
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                self.writer.cover("address", true, false);
            }
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript | Tag::Link { .. } => {
            }
            _ => self.writer.end_block(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.block_ends(Some(HEADING)),
            TagEnd::List(_) | TagEnd::Table => self.block_ends(Some(LIST)),
            TagEnd::Item => self.block_ends(Some(ITEM)),
            TagEnd::TableCell | TagEnd::DefinitionListTitle => self.block_ends(Some(LABEL)),
            TagEnd::BlockQuote(None) => {
                self.block_ends(None);
                self.writer.uncover("block quotation");
            }
            TagEnd::CodeBlock | TagEnd::MetadataBlock(_) => self.writer.uncover("code block"),
            TagEnd::Image => self.writer.uncover("image"),
            TagEnd::Link => self.writer.uncover("address"),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript => {}
            TagEnd::HtmlBlock => {}
            _ => self.block_ends(None),
        }
    }

    fn block_ends(&mut self, name: Option<&str>) {
        self.broken = None;
        self.writer.end_block();
        self.writer.uncover_inline();
        if let Some(name) = name {
            self.writer.leave(name);
        }
    }
}
