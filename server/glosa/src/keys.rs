//! `glosa keys …`. The value of a key is printed once, alone on standard output, so that a script can keep it.
use crate::accounts::named;
use crate::database::{DatabaseOptions, failure};
use crate::print;
use glosa_cli::Failure;
use glosa_store::{KeyId, Store};

/// What to do with keys.
#[derive(clap::Subcommand)]
pub enum Keys {
    /// Make a key and print it, once
    Create {
        /// Owner; made where missing
        #[arg(long, value_name = "NAME")]
        account: String,
        /// Name of the key for its owner
        #[arg(long, default_value = "command line")]
        label: String,
    },
    /// List the keys of an account, without their values
    List {
        /// Owner
        #[arg(long, value_name = "NAME")]
        account: String,
    },
    /// Revoke a key for good
    Revoke {
        /// Its id, as `keys list` shows it
        id: KeyId,
        /// Owner
        #[arg(long, value_name = "NAME")]
        account: String,
    },
}

impl Keys {
    /// Runs the command.
    pub async fn run(self, database: DatabaseOptions) -> Result<(), Failure> {
        let store = database.open().await?;
        let outcome = self.act(&*store).await;
        store.close().await;
        outcome
    }

    async fn act(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Create { account: name, label } => {
                let is_new = store.find_account(&name).await.map_err(failure)?.is_none();
                let account = store.ensure_account(&name).await.map_err(failure)?;
                let key = store.issue_key(account.id, &label).await.map_err(failure)?;
                if is_new {
                    eprintln!("Made the account {name}.");
                }
                eprintln!("This is the only time that the key is shown:");
                print(&format!("{}\n", key.value.expose()))
            }
            Self::List { account } => {
                let account = named(store, &account).await?;
                let mut table = String::new();
                for key in store.keys(account.id).await.map_err(failure)? {
                    let state = key.revoked_at.map_or("active".to_owned(), |at| format!("revoked {at}"));
                    table.push_str(&format!("{}\t{}…\t{}\t{state}\t{}\n", key.id, key.hint, key.created_at, key.label));
                }
                print(&table)
            }
            Self::Revoke { id, account: name } => {
                let account = named(store, &name).await?;
                if !store.revoke_key(account.id, id).await.map_err(failure)? {
                    return Err(Failure::failed(format!("{name} has no active key {id}")));
                }
                eprintln!("The key is revoked; every process refuses it within five seconds.");
                Ok(())
            }
        }
    }
}
