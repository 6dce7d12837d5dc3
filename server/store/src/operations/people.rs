//! People of the portal, and the links under which they set a password.
use crate::driver::{FromRow, Row, Transaction};
use crate::error::Fault;
use crate::person::language_problem;
use crate::settings::micros;
use crate::statement::{
    ACCOUNT_LOCK, LINK_CLEAR, LINK_CLEAR_ALL, LINK_FIND, LINK_PUT, LINK_TAKE, PERSON_DELETE, PERSON_FIND, PERSON_LIST,
    PERSON_PASSWORD, PERSON_PUT, SESSION_CLEAR,
};
use crate::store::{SqlStore, bounded};
use crate::{AccountId, Credentials, Email, Fut, LinkPurpose, Person, PersonId, PersonStore, StoreError, Token};

impl FromRow for Credentials {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        let email: String = row.get("email")?;
        let password: Option<String> = row.get("password")?;
        let person = Person {
            id: PersonId(row.get("person_id")?),
            account: AccountId(row.get("account_id")?),
            account_name: row.get("name")?,
            email: Email::parse(&email).ok_or(StoreError::Damaged { what: "e-mail" })?,
            language: row.get("language")?,
            created_at: row.instant("created_at")?,
            has_password: password.is_some(),
        };
        Ok(Self { person, password })
    }
}

impl FromRow for Person {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Credentials::from_row(row)?.person)
    }
}

impl PersonStore for SqlStore {
    fn invite<'a>(&'a self, account: AccountId, email: &'a Email, language: &'a str) -> Fut<'a, Token> {
        bounded("invite a person", async move {
            if let Some(problem) = language_problem(language) {
                return Err(problem.into());
            }
            let turn = self.accepting().await?;
            let mut tx = turn.begin().await?;
            if !tx.query(ACCOUNT_LOCK).bind(account.0).any().await? {
                return Err(StoreError::UnknownAccount.into());
            }
            let put = tx
                .query(PERSON_PUT)
                .bind(self.time())
                .bind(PersonId::fresh().0)
                .bind(account.0)
                .bind(email.as_str())
                .bind(language)
                .first_row()
                .await?;
            let person = PersonId(put.ok_or(StoreError::EmailTaken)?.get("person_id")?);
            if !tx.query(PERSON_FIND).bind(email.as_str()).any().await? {
                return Err(StoreError::AccountInactive.into());
            }
            let token = self.put_link(&mut tx, person, LinkPurpose::Invitation).await?;
            tx.commit().await?;
            Ok(token)
        })
    }

    fn people(&self, account: AccountId) -> Fut<'_, Vec<Person>> {
        bounded("list people", self.query(PERSON_LIST).bind(account.0).all())
    }

    fn dismiss<'a>(&'a self, account: AccountId, email: &'a Email) -> Fut<'a, bool> {
        bounded("dismiss a person", async move {
            let turn = self.accepting().await?;
            Ok(turn.query(PERSON_DELETE).bind(account.0).bind(email.as_str()).run().await? == 1)
        })
    }

    fn credentials<'a>(&'a self, email: &'a Email) -> Fut<'a, Option<Credentials>> {
        bounded("find a person", self.query(PERSON_FIND).bind(email.as_str()).first())
    }

    fn reset_link<'a>(&'a self, email: &'a Email) -> Fut<'a, Option<(Person, Token)>> {
        bounded("make a reset link", async move {
            let turn = self.accepting().await?;
            let mut tx = turn.begin().await?;
            let found: Option<Person> = tx.query(PERSON_FIND).bind(email.as_str()).first().await?;
            let Some(person) = found.filter(|person| person.has_password) else {
                return Ok(None);
            };
            let token = self.put_link(&mut tx, person.id, LinkPurpose::Reset).await?;
            tx.commit().await?;
            Ok(Some((person, token)))
        })
    }

    fn link_owner<'a>(&'a self, link: &'a Token, purpose: LinkPurpose) -> Fut<'a, Option<Person>> {
        bounded("look at a link", async move {
            let found = self.query(LINK_FIND).bind(self.time()).bind(&link.digest()[..]).bind(purpose.code());
            found.first().await
        })
    }

    fn set_password<'a>(
        &'a self,
        link: &'a Token,
        purpose: LinkPurpose,
        password_hash: &'a str,
    ) -> Fut<'a, Option<Person>> {
        bounded("set a password", async move {
            let digest = link.digest();
            let turn = self.accepting().await?;
            let mut tx = turn.begin().await?;
            let found = tx.query(LINK_FIND).bind(self.time()).bind(&digest[..]).bind(purpose.code());
            let Some(person) = found.first::<Person>().await? else { return Ok(None) };
            let taken = tx.query(LINK_TAKE).bind(self.time()).bind(&digest[..]).bind(purpose.code());
            if !taken.any().await? {
                return Ok(None);
            }
            tx.query(PERSON_PASSWORD).bind(person.id.0).bind(password_hash).run().await?;
            for statement in [LINK_CLEAR_ALL, SESSION_CLEAR] {
                tx.query(statement).bind(person.id.0).run().await?;
            }
            tx.commit().await?;
            Ok(Some(Person { has_password: true, ..person }))
        })
    }
}

impl SqlStore {
    /// A link of a person in place of earlier ones of the same purpose.
    async fn put_link(
        &self,
        tx: &mut Transaction,
        person: PersonId,
        purpose: LinkPurpose,
    ) -> Result<Token, sqlx::Error> {
        let token = Token::new();
        tx.query(LINK_CLEAR).bind(person.0).bind(purpose.code()).run().await?;
        tx.query(LINK_PUT)
            .bind(self.time())
            .bind(&token.digest()[..])
            .bind(person.0)
            .bind(purpose.code())
            .bind(micros(purpose.life()))
            .run()
            .await?;
        Ok(token)
    }
}
