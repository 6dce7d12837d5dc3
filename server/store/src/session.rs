//! Sessions of the portal and the limits for people who are not logged in.
use crate::{Admission, Fut, KeyId, Person, PersonId, RatePolicy, Token};
use std::time::Duration;

/// How long a session lasts without a request.
pub const SESSION_IDLE: Duration = Duration::from_secs(12 * 3600);

/// A use of a key is written down when the last one written is this old.
pub const KEY_USE_GRAIN: Duration = Duration::from_secs(5 * 60);

/// Sessions of the portal.
pub trait SessionStore: Send + Sync {
    /// Begins a session of a person whose password was just found to match this hash. None when the password was changed meanwhile.
    fn begin_session<'a>(&'a self, person: PersonId, password_hash: &'a str) -> Fut<'a, Option<Token>>;

    /// Whose session this is, if it has not ended; counts as a sign of life.
    fn session<'a>(&'a self, session: &'a Token) -> Fut<'a, Option<Person>>;

    /// Whether a form of the session is acted upon for the first time; true once for the same form in a row.
    fn take_form<'a>(&'a self, session: &'a Token, form: &'a Token) -> Fut<'a, bool>;

    /// Ends a session.
    fn end_session<'a>(&'a self, session: &'a Token) -> Fut<'a, ()>;

    /// Counts one attempt of somebody without an account, known by an address or by what was typed; kept as a keyed digest.
    fn admit_visitor<'a>(&'a self, visitor: &'a str, policy: RatePolicy) -> Fut<'a, Admission>;

    /// Forgets the attempts of a visitor.
    fn forgive_visitor<'a>(&'a self, visitor: &'a str, policy: RatePolicy) -> Fut<'a, ()>;

    /// Writes down that a key was used, at most once in [`KEY_USE_GRAIN`].
    fn key_used(&self, key: KeyId) -> Fut<'_, ()>;
}
