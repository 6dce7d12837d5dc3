//! Sessions of the portal, and the limits for people who are not logged in.
use crate::driver::{FromRow, Row};
use crate::error::Fault;
use crate::settings::micros;
use crate::statement::{SESSION_DELETE, SESSION_FIND, SESSION_FORM, SESSION_PUT, SESSION_RENEW};
use crate::store::{SqlStore, bounded};
use crate::{AccountId, Admission, Fut, KeyId, Person, PersonId, RatePolicy, SESSION_IDLE, SessionStore, Token};
use uuid::Uuid;

/// A sign of life is written down when the last one is older than this, microseconds.
const GRAIN: i64 = 60_000_000;

/// A session that has not ended.
struct Open {
    person: Person,
    /// Microseconds until it ends by itself.
    remaining: i64,
}

impl FromRow for Open {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self { person: Person::from_row(row)?, remaining: row.get("remaining")? })
    }
}

impl SessionStore for SqlStore {
    fn begin_session<'a>(&'a self, person: PersonId, password_hash: &'a str) -> Fut<'a, Option<Token>> {
        bounded("begin a session", async move {
            let session = Token::new();
            let turn = self.accepting().await?;
            let begun = turn
                .query(SESSION_PUT)
                .bind(self.time())
                .bind(&session.digest()[..])
                .bind(person.0)
                .bind(password_hash)
                .bind(micros(SESSION_IDLE))
                .run()
                .await?;
            Ok((begun == 1).then_some(session))
        })
    }

    fn session<'a>(&'a self, session: &'a Token) -> Fut<'a, Option<Person>> {
        bounded("look at a session", async move {
            let digest = session.digest();
            let found = self.query(SESSION_FIND).bind(self.time()).bind(&digest[..]).first::<Open>();
            let Some(Open { person, remaining }) = found.await? else { return Ok(None) };
            if remaining < micros(SESSION_IDLE) - GRAIN {
                let turn = self.writing().await?;
                let renew = turn.query(SESSION_RENEW).bind(self.time()).bind(&digest[..]).bind(micros(SESSION_IDLE));
                renew.run().await?;
            }
            Ok(Some(person))
        })
    }

    fn take_form<'a>(&'a self, session: &'a Token, form: &'a Token) -> Fut<'a, bool> {
        bounded("take a form", async move {
            let turn = self.accepting().await?;
            let taken = turn.query(SESSION_FORM).bind(&session.digest()[..]).bind(&form.digest()[..]).run();
            Ok(taken.await? == 1)
        })
    }

    fn end_session<'a>(&'a self, session: &'a Token) -> Fut<'a, ()> {
        bounded("end a session", async move {
            let turn = self.accepting().await?;
            turn.query(SESSION_DELETE).bind(&session.digest()[..]).run().await?;
            Ok(())
        })
    }

    fn admit_visitor<'a>(&'a self, visitor: &'a str, policy: RatePolicy) -> Fut<'a, Admission> {
        bounded("count a request", self.count(self.visitor(visitor), policy))
    }

    fn forgive_visitor<'a>(&'a self, visitor: &'a str, policy: RatePolicy) -> Fut<'a, ()> {
        bounded("forget attempts", self.forget_count(self.visitor(visitor), policy))
    }

    fn key_used(&self, key: KeyId) -> Fut<'_, ()> {
        bounded("note the use of a key", self.note_use(key))
    }
}

impl SqlStore {
    /// The account under which the attempts of a visitor are counted: half of a keyed digest, which no account has.
    fn visitor(&self, visitor: &str) -> AccountId {
        let digest = self.mac.visitor(visitor);
        let mut half = [0; 16];
        half.copy_from_slice(&digest[..16]);
        AccountId(Uuid::from_bytes(half))
    }
}
