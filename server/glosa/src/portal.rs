//! The account portal: how it writes to people, and its place beside the API.
use glosa_cli::Failure;
use glosa_portal::{Mailer, Portal, Settings, Site};
use glosa_store::Store;
use std::net::SocketAddr;
use std::sync::Arc;

/// How letters are sent.
#[derive(Clone, Debug, clap::Args)]
pub struct MailOptions {
    /// Mail server: smtps://USER:PASSWORD@HOST (TLS), smtp://USER:PASSWORD@HOST:587?tls=required (STARTTLS) or smtp://HOST:25. No mail is
    /// sent where absent
    #[arg(long, env = "GLOSA_SMTP_URL", value_name = "URL", hide_env_values = true)]
    pub smtp_url: Option<String>,
    /// Sender of letters, `name@example.org` or `Name <name@example.org>`
    #[arg(long, env = "GLOSA_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,
}

impl MailOptions {
    /// What sends letters; none where no server is set.
    pub fn mailer(&self) -> Result<Option<Mailer>, Failure> {
        let set = |value: &'_ Option<String>| value.clone().filter(|value| !value.is_empty());
        let Some(server) = set(&self.smtp_url) else { return Ok(None) };
        let Some(from) = set(&self.mail_from) else {
            return Err(Failure::usage("--mail-from: letters need a sender; set it beside --smtp-url"));
        };
        Mailer::new(&server, &from)
            .map(Some)
            .map_err(|error| Failure::usage(format!("--smtp-url, --mail-from: {error}")))
    }
}

/// The portal.
#[derive(Clone, Debug, clap::Args)]
pub struct PortalOptions {
    #[command(flatten)]
    mail: MailOptions,
    /// Where messages of the contact form go [default: the sender of letters]
    #[arg(long, env = "GLOSA_CONTACT_ADDRESS", value_name = "ADDRESS")]
    contact_address: Option<String>,
}

impl PortalOptions {
    /// The portal of a server that listens on `address`.
    pub fn portal(&self, store: Arc<dyn Store>, base: Option<&str>, address: SocketAddr) -> Result<Portal, Failure> {
        let site = Site::new(base, address);
        let mailer = self.mail.mailer()?;
        if mailer.is_some() && base.is_none() && site.is_secure() {
            let problem = "--base-url: letters hold links to the portal, so set the address under which people know it";
            return Err(Failure::usage(problem));
        }
        let settings =
            Settings { site, mailer, contact: self.contact_address.clone().filter(|address| !address.is_empty()) };
        Ok(Portal::new(store, settings))
    }
}
