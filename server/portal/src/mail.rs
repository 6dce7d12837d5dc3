//! Letters out of the house, over SMTP. The server is a setting of the operator; nothing that a caller sends chooses a host.
use crate::Letter;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

/// Why there is no mail.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// The address of the server is no such address.
    #[error("{0}; expected smtps://USER:PASSWORD@HOST, smtp://HOST?tls=required or smtp://HOST:PORT")]
    Server(String),
    /// A mail address is none.
    #[error("{what}: {cause}; expected name@example.org or Name <name@example.org>")]
    Address {
        /// Whose.
        what: &'static str,
        /// What is wrong.
        cause: String,
    },
    /// The letter cannot be written.
    #[error("the letter cannot be written: {0}")]
    Letter(String),
    /// The server did not take the letter. The words of the server may name the address: they are for the operator's eyes, not for logs.
    #[error("the mail server did not take the letter: {words}")]
    Refused {
        /// The words of the server.
        words: String,
        /// The same without what they may name.
        kind: String,
    },
}

impl MailError {
    /// The error for a log, without addresses.
    pub fn kind(&self) -> &str {
        match self {
            Self::Server(_) => "server address",
            Self::Address { what, .. } => what,
            Self::Letter(_) => "letter",
            Self::Refused { kind, .. } => kind,
        }
    }
}

/// Sends letters.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Mailer(..)")
    }
}

fn mailbox(what: &'static str, address: &str) -> Result<Mailbox, MailError> {
    address
        .parse()
        .map_err(|error: lettre::address::AddressError| MailError::Address { what, cause: error.to_string() })
}

impl Mailer {
    /// A mailer over `smtps://…` (TLS), `smtp://…?tls=required` (STARTTLS) or `smtp://…` (plain), for letters from `from`.
    ///
    /// # Errors
    /// `Server`, `Address`.
    pub fn new(server: &str, from: &str) -> Result<Self, MailError> {
        let from = mailbox("sender", from)?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(server)
            .map_err(|error| MailError::Server(error.to_string()))?
            .timeout(Some(PATIENCE))
            .build();
        Ok(Self { transport, from })
    }

    /// The address of the sender.
    pub fn from_address(&self) -> String {
        self.from.email.to_string()
    }

    /// Sends a letter. `answer_to` is where an answer goes.
    ///
    /// # Errors
    /// All of [`MailError`].
    pub async fn send(&self, to: &str, answer_to: Option<&str>, letter: Letter) -> Result<(), MailError> {
        let id = format!("<{}@{}>", uuid::Uuid::now_v7().simple(), self.from.email.domain());
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(mailbox("recipient", to)?)
            .subject(letter.subject)
            .message_id(Some(id))
            .header(ContentType::TEXT_PLAIN);
        if let Some(address) = answer_to {
            message = message.reply_to(mailbox("sender of the message", address)?);
        }
        let message = message.body(letter.body).map_err(|error| MailError::Letter(error.to_string()))?;
        self.transport.send(message).await.map(drop).map_err(|error| {
            let code = error.status().map_or("no code".to_owned(), |code| format!("code {code}"));
            let kind = if error.is_permanent() {
                "refused for good"
            } else if error.is_transient() {
                "refused for now"
            } else if error.is_timeout() {
                "no answer in time"
            } else {
                "no connection"
            };
            MailError::Refused { words: error.to_string(), kind: format!("{kind}, {code}") }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_cannot_hold_are_named() {
        assert!(matches!(Mailer::new("http://example.org", "a@b.org"), Err(MailError::Server(_))));
        assert!(matches!(Mailer::new("smtp://example.org", "nobody"), Err(MailError::Address { what: "sender", .. })));
        let mailer = Mailer::new("smtp://example.org", "Glosa <a@b.org>").unwrap();
        assert_eq!(mailer.from_address(), "a@b.org");
        Mailer::new("smtps://user:word@example.org", "a@b.org").unwrap();
        Mailer::new("smtp://user:word@example.org:587?tls=required", "a@b.org").unwrap();
    }

    #[tokio::test]
    async fn an_address_cannot_add_headers() {
        let mailer = Mailer::new("smtp://127.0.0.1:1", "a@b.org").unwrap();
        let letter = Letter { subject: "s".into(), body: "b".into() };
        let error = mailer.send("c@d.org\r\nBcc: e@f.org", None, letter.clone()).await.unwrap_err();
        assert!(matches!(error, MailError::Address { what: "recipient", .. }), "{error}");
        let error = mailer.send("c@d.org", Some("x@y.org\nBcc: e@f.org"), letter.clone()).await.unwrap_err();
        assert!(matches!(error, MailError::Address { .. }), "{error}");
        let error = mailer.send("c@d.org", None, letter).await.unwrap_err();
        assert_eq!(error.kind(), "no connection, no code");
    }
}
