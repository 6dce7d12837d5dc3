//! The letters of the portal, as plain text in the language of the reader.
use crate::Language;
use crate::texts::fill;

/// A letter.
#[derive(Clone)]
pub struct Letter {
    /// Its subject, one line.
    pub subject: String,
    /// Its text.
    pub body: String,
}

impl std::fmt::Debug for Letter {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Letter(..)")
    }
}

/// The letter that brings an invitation.
pub fn invitation(language: Language, account: &str, link: &str) -> Letter {
    let texts = &language.texts().mail;
    let body = fill(&texts.invitation_body, &[("account", account), ("link", link)]);
    Letter { subject: texts.invitation_subject.clone(), body }
}

/// The letter that brings a link to another password.
pub fn reset(language: Language, account: &str, link: &str) -> Letter {
    let texts = &language.texts().mail;
    let body = fill(&texts.reset_body, &[("account", account), ("link", link)]);
    Letter { subject: texts.reset_subject.clone(), body }
}

/// A message of the contact form, for the operator.
pub(crate) fn contact(language: Language, person: &str, organisation: &str, email: &str, message: &str) -> Letter {
    let texts = &language.texts().mail;
    let organisation = if organisation.is_empty() { "-" } else { organisation };
    let values = [("person", person), ("organisation", organisation), ("email", email), ("message", message)];
    Letter { subject: texts.contact_subject.clone(), body: fill(&texts.contact_body, &values) }
}
