//! A database with a server that sends letters, and people of its accounts.
use crate::browser::Browser;
use crate::harness::process::{Process, run};
use crate::harness::{Database, Kind};
use crate::letters::Post;

/// A password that is taken.
pub const PASSWORD: &str = "cuatro palabras y un río";

/// A database, a server, a mail server.
#[derive(Debug)]
pub struct Town {
    /// The database.
    pub database: Database,
    /// The mail server.
    pub post: Post,
    /// The server.
    pub server: Process,
}

impl Town {
    /// A town of its own.
    pub fn new(kind: Kind) -> Self {
        Self::with(kind, &[])
    }

    /// A town with more settings.
    pub fn with(kind: Kind, more: &[(&str, &str)]) -> Self {
        let database = Database::new(kind);
        let post = Post::open();
        let server = Self::another_server(&database, &post, more);
        Self { database, post, server }
    }

    fn another_server(database: &Database, post: &Post, more: &[(&str, &str)]) -> Process {
        let mail = [("GLOSA_SMTP_URL", post.url.as_str()), ("GLOSA_MAIL_FROM", "Glosa <glosa@example.org>")];
        let settings: Vec<_> = mail.iter().copied().chain(more.iter().copied()).collect();
        database.serve_only(&settings)
    }

    /// Another server on the same database, with more settings.
    pub fn beside(&self, more: &[(&str, &str)]) -> Process {
        Self::another_server(&self.database, &self.post, more)
    }

    /// Runs `accounts invite` with the mail server and gives its standard error.
    pub fn invite(&self, account: &str, email: &str, language: &str) -> String {
        let base = format!("http://{}", self.server.address);
        let settings = self.database.settings(&[
            ("GLOSA_SMTP_URL", &self.post.url),
            ("GLOSA_MAIL_FROM", "glosa@example.org"),
            ("GLOSA_BASE_URL", &base),
        ]);
        let arguments = ["accounts", "invite", "--account", account, "--email", email, "--language", language];
        let done = run(&arguments, &settings);
        let words = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success() && done.stdout.is_empty(), "{words}");
        words
    }

    /// A browser at the server.
    pub fn browser(&self) -> Browser {
        Browser::new(&self.server.address)
    }

    /// Invites somebody, accepts with [`PASSWORD`] and logs in.
    pub fn member(&self, account: &str, email: &str) -> Browser {
        let letters = self.post.letters().len();
        self.invite(account, email, "en");
        let link = self.post.letter(letters).link("/portal/invitation/");
        let mut browser = self.browser();
        let accepted = browser.fill(&link, &[("password", PASSWORD), ("again", PASSWORD)]);
        assert_eq!(accepted.status, 303, "{}", accepted.text());
        let entered = browser.log_in(email, PASSWORD);
        assert_eq!((entered.status, entered.header("location")), (303, Some("/portal/keys")), "{}", entered.text());
        browser
    }
}
