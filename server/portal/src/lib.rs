//! The account portal: people of an account log in, issue its API keys and revoke them. Plain HTML forms that work without script;
//! texts in `texts/`, pages in `templates/`.
//!
//! What it promises:
//! 1. Nobody signs up. A person exists because the operator invited an address; the link in the letter sets the password, once.
//! 2. A key is shown in the answer to the form that made it, and that form makes one key however often it is sent.
//! 3. An account reaches its own keys alone; a key of another is the same page as one that does not exist.
//! 4. No answer tells whether an address is known: not its words, its status, nor the work done for it.
//! 5. Every form that changes something carries a token of the browser's cookie and comes from this site.
//! 6. Passwords, tokens, keys and addresses are never logged.
//!
//! It must never know: SQL, the engine, the routes of `/v1`. Limits are kept by the store, so that they hold over all processes.
mod date;
mod language;
mod letter;
mod mail;
mod page;
mod password;
mod portal;
mod rates;
mod refusal;
mod route;
mod server;
mod site;
mod submission;
mod texts;
mod visit;

pub use language::Language;
pub use letter::{Letter, invitation, reset};
pub use mail::{MailError, Mailer};
pub use portal::{Portal, Settings};
pub use server::router;
pub use site::Site;
