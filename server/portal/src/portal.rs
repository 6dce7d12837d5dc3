//! What all pages share.
use crate::password::Passwords;
use crate::{Letter, Mailer, Site};
use glosa_store::Store;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

const TRIES: u32 = 3;

/// What the portal needs to know.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its address.
    pub site: Site,
    /// Sends letters; without it there are neither reset letters nor a contact form.
    pub mailer: Option<Mailer>,
    /// Where messages of the contact form go; the sender of letters where absent.
    pub contact: Option<String>,
}

/// The portal. Cheap to clone.
#[derive(Clone)]
pub struct Portal(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    settings: Settings,
    passwords: Passwords,
}

impl fmt::Debug for Portal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Portal").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}

impl Portal {
    /// A portal over a store.
    pub fn new(store: Arc<dyn Store>, settings: Settings) -> Self {
        Self(Arc::new(Inner { store, settings, passwords: Passwords::new() }))
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.0.store
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn site(&self) -> &Site {
        &self.0.settings.site
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.0.passwords
    }

    pub(crate) fn has_mail(&self) -> bool {
        self.0.settings.mailer.is_some()
    }

    /// Where messages of the contact form go; none without mail.
    pub(crate) fn contact(&self) -> Option<String> {
        let mailer = self.0.settings.mailer.as_ref()?;
        Some(self.0.settings.contact.clone().unwrap_or_else(|| mailer.from_address()))
    }

    /// Sends a letter beside the request, so that the answer comes equally soon whether there is one to send or not.
    pub(crate) fn post(&self, to: String, letter: Letter) {
        let Some(mailer) = self.0.settings.mailer.clone() else { return };
        tokio::spawn(async move {
            for attempt in 1..=TRIES {
                match mailer.send(&to, None, letter.clone()).await {
                    Ok(()) => return,
                    Err(error) => tracing::warn!(attempt, kind = error.kind(), "a letter was not sent"),
                }
                tokio::time::sleep(Duration::from_secs(5) * attempt).await;
            }
        });
    }
}
