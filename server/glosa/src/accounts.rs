//! `glosa accounts …`.
use crate::database::{DatabaseOptions, failure};
use crate::print;
use glosa_cli::Failure;
use glosa_store::{Account, Store};

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
    /// Refuse all keys of an account
    Deactivate {
        /// Its name
        name: String,
    },
    /// Accept the keys of an account again
    Activate {
        /// Its name
        name: String,
    },
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
