//! What every page has around its content.
use crate::Language;
use crate::texts::Texts;
use askama::Template;

/// The frame of a page.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) language: Language,
    pub(crate) title: String,
    /// "Logged in as …".
    pub(crate) person: Option<String>,
    /// The token of the forms.
    pub(crate) form: String,
    /// Whether the other languages are offered; not on answers that cannot be had again.
    pub(crate) may_switch: bool,
    /// Whether what was sent was refused.
    pub(crate) is_error: bool,
    pub(crate) notice: Option<&'static str>,
}

impl Frame {
    pub(crate) fn languages(&self) -> &'static [Language] {
        &Language::ALL
    }

    /// The frame of a refused form.
    pub(crate) fn with_error(self, is_error: bool) -> Self {
        Self { is_error, ..self }
    }

    pub(crate) fn texts(&self) -> &'static Texts {
        self.language.texts()
    }
}

/// A page of words and links.
#[derive(Debug, Template)]
#[template(path = "message.html")]
pub(crate) struct Message {
    pub(crate) t: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) paragraphs: Vec<String>,
    pub(crate) reference: Option<String>,
    pub(crate) links: Vec<(&'static str, &'static str)>,
}
