//! People who log in to the portal of their account. Nobody signs up: the operator invites an address, and the link in the letter is
//! the only way to a password. A link's secret exists in the answer that makes it and nowhere else.
use crate::{AccountId, Fut, PersonId, StoreError, Token};
use jiff::Timestamp;
use std::fmt;
use std::time::Duration;

/// What a password link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    /// The first password.
    Invitation,
    /// Another password.
    Reset,
}

impl LinkPurpose {
    /// How long such a link works: 72 hours for an invitation, one for a reset.
    pub fn life(self) -> Duration {
        match self {
            Self::Invitation => Duration::from_secs(72 * 3600),
            Self::Reset => Duration::from_secs(3600),
        }
    }

    pub(crate) fn code(self) -> i64 {
        match self {
            Self::Invitation => 0,
            Self::Reset => 1,
        }
    }
}

/// An e-mail address as people are known by it: without surrounding space, in lower case.
#[derive(Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Reads an address; none when it cannot be one (RFC 5321 limits it to 254 bytes).
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let (local, domain) = text.rsplit_once('@')?;
        let usable = !local.is_empty()
            && domain.contains(|letter: char| letter.is_alphanumeric())
            && text.len() <= 254
            && !text
                .contains(|letter: char| letter.is_whitespace() || letter.is_control() || "<>,;\"()".contains(letter));
        usable.then_some(Self(text))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Email(..)")
    }
}

/// Someone who may log in to the portal of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Who.
    pub id: PersonId,
    /// The account whose keys this person issues and revokes.
    pub account: AccountId,
    /// Its name.
    pub account_name: String,
    /// The address, unique in the service.
    pub email: Email,
    /// Language of letters to this person: `es`, `ca` or `en`.
    pub language: String,
    /// When first invited.
    pub created_at: Timestamp,
    /// Whether there is a password.
    pub has_password: bool,
}

/// A person with what a password is checked against.
#[derive(Clone)]
pub struct Credentials {
    /// Who.
    pub person: Person,
    /// Hash of the password in the PHC string format; none before the invitation is accepted.
    pub password: Option<String>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Credentials({})", self.person.id)
    }
}

/// People, their invitations and passwords. People of inactive accounts are treated as unknown.
pub trait PersonStore: Send + Sync {
    /// Makes a person of the account where missing, and an invitation; earlier invitations of this person stop working. Errors:
    /// `EmailTaken` when the address belongs to another account, `AccountInactive`.
    fn invite<'a>(&'a self, account: AccountId, email: &'a Email, language: &'a str) -> Fut<'a, Token>;

    /// The people of an account, oldest first.
    fn people(&self, account: AccountId) -> Fut<'_, Vec<Person>>;

    /// Takes a person out of the account, with all sessions and links. False when the account has no such person.
    fn dismiss<'a>(&'a self, account: AccountId, email: &'a Email) -> Fut<'a, bool>;

    /// Looks a person up for a log-in.
    fn credentials<'a>(&'a self, email: &'a Email) -> Fut<'a, Option<Credentials>>;

    /// Makes a reset link for a person who has a password; earlier ones stop working.
    fn reset_link<'a>(&'a self, email: &'a Email) -> Fut<'a, Option<(Person, Token)>>;

    /// Whose link this is: none for an unknown, used or expired one, without distinction.
    fn link_owner<'a>(&'a self, link: &'a Token, purpose: LinkPurpose) -> Fut<'a, Option<Person>>;

    /// Sets the password with a link, once: all links and sessions of the person end in the same transaction. None for an unknown,
    /// used or expired link, without distinction.
    fn set_password<'a>(
        &'a self,
        link: &'a Token,
        purpose: LinkPurpose,
        password_hash: &'a str,
    ) -> Fut<'a, Option<Person>>;
}

/// What makes a language unusable.
pub(crate) fn language_problem(language: &str) -> Option<StoreError> {
    let known = ["es", "ca", "en"].contains(&language);
    (!known).then(|| StoreError::Setting { name: "language", problem: "expected es, ca or en".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_spelling() {
        let email = Email::parse(" Núria@Exemple.CAT ").unwrap();
        assert_eq!(email.as_str(), "núria@exemple.cat");
        assert!(!format!("{email:?}").contains("exemple"));
        let long = format!("{}@x.org", "a".repeat(250));
        for wrong in ["", "@", "a@", "@b", "a b@c.org", "a@b\r\nBcc: c@d", "a@b,c@d", "<a@b>", &long] {
            assert_eq!(Email::parse(wrong), None, "{wrong}");
        }
    }
}
