//! `glosa accounts …`.
use crate::database::{DatabaseOptions, failure};
use crate::portal::MailOptions;
use crate::print;
use crate::serve::base_url;
use glosa_cli::Failure;
use glosa_portal::{Language, invitation};
use glosa_store::{Account, Email, Store};

/// What to do with accounts.
#[derive(clap::Subcommand)]
pub enum Accounts {
    /// Make an account
    Create {
        /// Its name
        name: String,
    },
    /// List accounts
    List,
    /// Invite a person to the portal of an account, which is made where missing
    ///
    /// The letter has a link that works once, within 72 hours; earlier invitations of the person stop working. Without a mail server the
    /// link is printed on standard error, to be handed over.
    Invite {
        /// Its name
        #[arg(long, value_name = "NAME")]
        account: String,
        /// E-mail address of the person
        #[arg(long, value_name = "ADDRESS", value_parser = email)]
        email: Email,
        /// Language of letters to the person: es, ca or en
        #[arg(long, value_name = "LANGUAGE", default_value = "es", value_parser = ["es", "ca", "en"])]
        language: String,
        /// Address under which people know the service
        #[arg(long, env = "GLOSA_BASE_URL", value_name = "URL", value_parser = base_url, default_value = "http://127.0.0.1:8080")]
        base_url: String,
        #[command(flatten)]
        mail: MailOptions,
    },
    /// List the people of an account
    People {
        /// Its name
        #[arg(long, value_name = "NAME")]
        account: String,
    },
    /// Take a person out of an account; sessions and links of the person end
    Dismiss {
        /// Its name
        #[arg(long, value_name = "NAME")]
        account: String,
        /// E-mail address of the person
        #[arg(long, value_name = "ADDRESS", value_parser = email)]
        email: Email,
    },
    /// Refuse all keys and people of an account
    Deactivate {
        /// Its name
        name: String,
    },
    /// Accept the keys and people of an account again
    Activate {
        /// Its name
        name: String,
    },
}

fn email(text: &str) -> Result<Email, String> {
    Email::parse(text).ok_or_else(|| "expected an address such as name@example.org".to_owned())
}

/// The account of a name, or a failure that says what to do.
pub async fn named(store: &dyn Store, name: &str) -> Result<Account, Failure> {
    let account = store.find_account(name).await.map_err(failure)?;
    account.ok_or_else(|| Failure::failed(format!("no account is named {name}; `glosa accounts list` lists them")))
}

impl Accounts {
    /// Runs the command.
    pub async fn run(self, database: DatabaseOptions) -> Result<(), Failure> {
        let store = database.open().await?;
        let outcome = self.act(&*store).await;
        store.close().await;
        outcome
    }

    async fn act(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Create { name } => {
                let account = store.create_account(&name).await.map_err(failure)?;
                print(&format!("{}\n", account.id))
            }
            Self::List => {
                let mut table = String::new();
                for account in store.accounts().await.map_err(failure)? {
                    let state = if account.active { "active" } else { "inactive" };
                    table.push_str(&format!("{}\t{state}\t{}\t{}\n", account.id, account.created_at, account.name));
                }
                print(&table)
            }
            Self::Invite { account, email, language, base_url, mail } => {
                let mailer = mail.mailer()?;
                let is_new = store.find_account(&account).await.map_err(failure)?.is_none();
                let owner = store.ensure_account(&account).await.map_err(failure)?;
                let token = store.invite(owner.id, &email, &language).await.map_err(failure)?;
                if is_new {
                    eprintln!("Made the account {account}.");
                }
                let link = format!("{base_url}/portal/invitation/{}", token.expose());
                let hand_over = format!("Hand this link over; it works once, within 72 hours:\n{link}");
                let Some(mailer) = mailer else {
                    eprintln!("No mail server is set. {hand_over}");
                    return Ok(());
                };
                let language = Language::of_code(&language).unwrap_or(Language::Es);
                let letter = invitation(language, &owner.name, &link);
                match mailer.send(email.as_str(), None, letter).await {
                    Ok(()) => eprintln!("The invitation is on its way to {}.", email.as_str()),
                    Err(error) => return Err(Failure::failed(format!("{error}. {hand_over}"))),
                }
                Ok(())
            }
            Self::People { account } => {
                let account = named(store, &account).await?;
                let mut table = String::new();
                for person in store.people(account.id).await.map_err(failure)? {
                    let state = if person.has_password { "active" } else { "invited" };
                    let (email, language) = (person.email.as_str(), &person.language);
                    table.push_str(&format!("{email}\t{state}\t{language}\t{}\n", person.created_at));
                }
                print(&table)
            }
            Self::Dismiss { account: name, email } => {
                let account = named(store, &name).await?;
                if !store.dismiss(account.id, &email).await.map_err(failure)? {
                    return Err(Failure::failed(format!("{name} has no person {}", email.as_str())));
                }
                eprintln!("{} is no longer a person of {name}.", email.as_str());
                Ok(())
            }
            Self::Deactivate { name } => Self::switch(store, &name, false).await,
            Self::Activate { name } => Self::switch(store, &name, true).await,
        }
    }

    async fn switch(store: &dyn Store, name: &str, active: bool) -> Result<(), Failure> {
        let account = named(store, name).await?;
        store.set_account_active(account.id, active).await.map_err(failure)?;
        eprintln!("{name} is {}.", if active { "active" } else { "inactive" });
        Ok(())
    }
}
