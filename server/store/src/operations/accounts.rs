//! Accounts; their keys are in [`keys`](super::keys).
use crate::account::name_problem;
use crate::driver::{FromRow, Row};
use crate::error::Fault;
use crate::statement::{ACCOUNT_ACTIVATE, ACCOUNT_CREATE, ACCOUNT_FIND, ACCOUNT_LIST};
use crate::store::{SqlStore, bounded};
use crate::{Account, AccountId, AccountStore, Caller, Fut, IssuedKey, KeyId, KeyRecord, StoreError};

impl FromRow for Account {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self {
            id: AccountId(row.get("account_id")?),
            name: row.get("name")?,
            active: row.get::<i64>("active")? == 1,
            created_at: row.instant("created_at")?,
        })
    }
}

impl AccountStore for SqlStore {
    fn create_account<'a>(&'a self, name: &'a str) -> Fut<'a, Account> {
        bounded("make an account", async move {
            if let Some(problem) = name_problem(name) {
                return Err(problem.into());
            }
            let turn = self.accepting().await?;
            let made = turn.query(ACCOUNT_CREATE).bind(self.time()).bind(AccountId::fresh().0).bind(name).first();
            Ok(made.await?.ok_or(StoreError::NameTaken)?)
        })
    }

    fn ensure_account<'a>(&'a self, name: &'a str) -> Fut<'a, Account> {
        bounded("find or make an account", async move {
            match self.create_account(name).await {
                Err(StoreError::NameTaken) => Ok(self.find_account(name).await?.ok_or(StoreError::UnknownAccount)?),
                other => Ok(other?),
            }
        })
    }

    fn find_account<'a>(&'a self, name: &'a str) -> Fut<'a, Option<Account>> {
        bounded("find an account", async move {
            if name_problem(name).is_some() {
                return Ok(None);
            }
            self.query(ACCOUNT_FIND).bind(name).first().await
        })
    }

    fn accounts(&self) -> Fut<'_, Vec<Account>> {
        bounded("list accounts", self.query(ACCOUNT_LIST).all())
    }

    fn set_account_active(&self, account: AccountId, active: bool) -> Fut<'_, ()> {
        bounded("change an account", async move {
            let turn = self.accepting().await?;
            let changed = turn.query(ACCOUNT_ACTIVATE).bind(account.0).bind(i64::from(active)).run().await?;
            if changed == 1 { Ok(()) } else { Err(StoreError::UnknownAccount.into()) }
        })
    }

    fn issue_key<'a>(&'a self, account: AccountId, label: &'a str) -> Fut<'a, IssuedKey> {
        bounded("make a key", self.make_key(account, label))
    }

    fn keys(&self, account: AccountId) -> Fut<'_, Vec<KeyRecord>> {
        bounded("list keys", self.list_keys(account))
    }

    fn revoke_key(&self, account: AccountId, key: KeyId) -> Fut<'_, bool> {
        bounded("revoke a key", self.end_key(account, key))
    }

    fn authenticate<'a>(&'a self, presented: &'a str) -> Fut<'a, Option<Caller>> {
        bounded("check a key", self.check_key(presented))
    }
}
