//! What the operations of the portal do, written once for both databases, like [`operations`](crate).

macro_rules! portal_operations {
    ($store:ty, $db:ty, $row:ty, $sql:ident) => {
        const _: () = {
            use crate::error::during;
            use crate::person::language_problem;
            use crate::row::instant;
            use crate::settings::micros;
            use crate::store::bounded;
            use crate::*;
            use sqlx::Row;
            use uuid::Uuid;

            fn credentials(row: &$row) -> Result<Credentials, StoreError> {
                let read = |error| during("read a person")(error);
                let email: String = row.try_get(3).map_err(read)?;
                let password: Option<String> = row.try_get(6).map_err(read)?;
                let person = Person {
                    id: PersonId(row.try_get(0).map_err(read)?),
                    account: AccountId(row.try_get(1).map_err(read)?),
                    account_name: row.try_get(2).map_err(read)?,
                    email: Email::parse(&email).ok_or(StoreError::Damaged { what: "e-mail" })?,
                    language: row.try_get(4).map_err(read)?,
                    created_at: instant(row.try_get(5).map_err(read)?)?,
                    has_password: password.is_some(),
                };
                Ok(Credentials { person, password })
            }

            fn person(row: &$row) -> Result<Person, StoreError> {
                Ok(credentials(row)?.person)
            }

            impl $store {
                /// A link of a person in place of earlier ones of the same purpose.
                async fn put_link(
                    &self,
                    tx: &mut sqlx::Transaction<'static, $db>,
                    person: PersonId,
                    purpose: LinkPurpose,
                ) -> Result<Token, sqlx::Error> {
                    let token = Token::new();
                    sqlx::query($sql::LINK_CLEAR).bind(person.0).bind(purpose.code()).execute(&mut **tx).await?;
                    sqlx::query($sql::LINK_PUT)
                        .bind(self.time())
                        .bind(&token.digest()[..])
                        .bind(person.0)
                        .bind(purpose.code())
                        .bind(micros(purpose.life()))
                        .execute(&mut **tx)
                        .await?;
                    Ok(token)
                }

                fn visitor(&self, visitor: &str) -> AccountId {
                    let digest = self.shared.mac.visitor(visitor);
                    let mut half = [0; 16];
                    half.copy_from_slice(&digest[..16]);
                    AccountId(Uuid::from_bytes(half))
                }
            }

            impl PersonStore for $store {
                fn invite<'a>(&'a self, account: AccountId, email: &'a Email, language: &'a str) -> Fut<'a, Token> {
                    bounded("invite a person", async move {
                        let failed = || during("invite a person");
                        if let Some(problem) = language_problem(language) {
                            return Err(problem);
                        }
                        let turn = self.accepting("invite a person").await?;
                        let mut tx = turn.pool.begin_with(Self::BEGIN).await.map_err(failed())?;
                        let known = sqlx::query($sql::ACCOUNT_LOCK)
                            .bind(account.0)
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(failed())?;
                        if known.is_empty() {
                            return Err(StoreError::UnknownAccount);
                        }
                        let put = sqlx::query($sql::PERSON_PUT)
                            .bind(self.time())
                            .bind(PersonId::fresh().0)
                            .bind(account.0)
                            .bind(email.as_str())
                            .bind(language)
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(failed())?;
                        let Some(row) = put.first() else {
                            return Err(StoreError::EmailTaken);
                        };
                        let person = PersonId(row.try_get(0).map_err(failed())?);
                        let active = sqlx::query($sql::PERSON_FIND)
                            .bind(email.as_str())
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(failed())?;
                        if active.is_empty() {
                            return Err(StoreError::AccountInactive);
                        }
                        let token = self.put_link(&mut tx, person, LinkPurpose::Invitation).await.map_err(failed())?;
                        tx.commit().await.map_err(failed())?;
                        Ok(token)
                    })
                }

                fn people(&self, account: AccountId) -> Fut<'_, Vec<Person>> {
                    bounded("list people", async move {
                        sqlx::query($sql::PERSON_LIST)
                            .bind(account.0)
                            .fetch_all(self.reading())
                            .await
                            .map_err(during("list people"))?
                            .iter()
                            .map(person)
                            .collect()
                    })
                }

                fn dismiss<'a>(&'a self, account: AccountId, email: &'a Email) -> Fut<'a, bool> {
                    bounded("dismiss a person", async move {
                        let turn = self.accepting("dismiss a person").await?;
                        sqlx::query($sql::PERSON_DELETE)
                            .bind(account.0)
                            .bind(email.as_str())
                            .execute(turn.pool)
                            .await
                            .map(|done| done.rows_affected() == 1)
                            .map_err(during("dismiss a person"))
                    })
                }

                fn credentials<'a>(&'a self, email: &'a Email) -> Fut<'a, Option<Credentials>> {
                    bounded("find a person", async move {
                        sqlx::query($sql::PERSON_FIND)
                            .bind(email.as_str())
                            .fetch_all(self.reading())
                            .await
                            .map_err(during("find a person"))?
                            .first()
                            .map(credentials)
                            .transpose()
                    })
                }

                fn reset_link<'a>(&'a self, email: &'a Email) -> Fut<'a, Option<(Person, Token)>> {
                    bounded("make a reset link", async move {
                        let failed = || during("make a reset link");
                        let turn = self.accepting("make a reset link").await?;
                        let mut tx = turn.pool.begin_with(Self::BEGIN).await.map_err(failed())?;
                        let found = sqlx::query($sql::PERSON_FIND)
                            .bind(email.as_str())
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(failed())?;
                        let Some(row) = found.first() else { return Ok(None) };
                        let person = person(row)?;
                        if !person.has_password {
                            return Ok(None);
                        }
                        let token = self.put_link(&mut tx, person.id, LinkPurpose::Reset).await.map_err(failed())?;
                        tx.commit().await.map_err(failed())?;
                        Ok(Some((person, token)))
                    })
                }

                fn link_owner<'a>(&'a self, link: &'a Token, purpose: LinkPurpose) -> Fut<'a, Option<Person>> {
                    bounded("look at a link", async move {
                        sqlx::query($sql::LINK_FIND)
                            .bind(self.time())
                            .bind(&link.digest()[..])
                            .bind(purpose.code())
                            .fetch_all(self.reading())
                            .await
                            .map_err(during("look at a link"))?
                            .first()
                            .map(person)
                            .transpose()
                    })
                }

                fn set_password<'a>(
                    &'a self,
                    link: &'a Token,
                    purpose: LinkPurpose,
                    password_hash: &'a str,
                ) -> Fut<'a, Option<Person>> {
                    bounded("set a password", async move {
                        let failed = || during("set a password");
                        let turn = self.accepting("set a password").await?;
                        let mut tx = turn.pool.begin_with(Self::BEGIN).await.map_err(failed())?;
                        let found = sqlx::query($sql::LINK_FIND)
                            .bind(self.time())
                            .bind(&link.digest()[..])
                            .bind(purpose.code())
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(failed())?;
                        let Some(row) = found.first() else { return Ok(None) };
                        let person = person(row)?;
                        let taken = sqlx::query($sql::LINK_TAKE)
                            .bind(self.time())
                            .bind(&link.digest()[..])
                            .bind(purpose.code())
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(failed())?;
                        if taken.is_empty() {
                            return Ok(None);
                        }
                        sqlx::query($sql::PERSON_PASSWORD)
                            .bind(person.id.0)
                            .bind(password_hash)
                            .execute(&mut *tx)
                            .await
                            .map_err(failed())?;
                        for sql in [$sql::LINK_CLEAR_ALL, $sql::SESSION_CLEAR] {
                            sqlx::query(sql).bind(person.id.0).execute(&mut *tx).await.map_err(failed())?;
                        }
                        tx.commit().await.map_err(failed())?;
                        Ok(Some(Person { has_password: true, ..person }))
                    })
                }
            }

            impl SessionStore for $store {
                fn begin_session<'a>(&'a self, person: PersonId, password_hash: &'a str) -> Fut<'a, Option<Token>> {
                    bounded("begin a session", async move {
                        let session = Token::new();
                        let turn = self.accepting("begin a session").await?;
                        let begun = sqlx::query($sql::SESSION_PUT)
                            .bind(self.time())
                            .bind(&session.digest()[..])
                            .bind(person.0)
                            .bind(password_hash)
                            .bind(micros(SESSION_IDLE))
                            .execute(turn.pool)
                            .await
                            .map_err(during("begin a session"))?
                            .rows_affected();
                        Ok((begun == 1).then_some(session))
                    })
                }

                fn session<'a>(&'a self, session: &'a Token) -> Fut<'a, Option<Person>> {
                    bounded("look at a session", async move {
                        const GRAIN: i64 = 60_000_000;
                        let failed = || during("look at a session");
                        let digest = session.digest();
                        let found = sqlx::query($sql::SESSION_FIND)
                            .bind(self.time())
                            .bind(&digest[..])
                            .fetch_all(self.reading())
                            .await
                            .map_err(failed())?;
                        let Some(row) = found.first() else { return Ok(None) };
                        let person = person(row)?;
                        let left: i64 = row.try_get(7).map_err(failed())?;
                        if left < micros(SESSION_IDLE) - GRAIN {
                            let turn = self.writing("look at a session").await?;
                            sqlx::query($sql::SESSION_RENEW)
                                .bind(self.time())
                                .bind(&digest[..])
                                .bind(micros(SESSION_IDLE))
                                .execute(turn.pool)
                                .await
                                .map_err(failed())?;
                        }
                        Ok(Some(person))
                    })
                }

                fn take_form<'a>(&'a self, session: &'a Token, form: &'a Token) -> Fut<'a, bool> {
                    bounded("take a form", async move {
                        let turn = self.accepting("take a form").await?;
                        sqlx::query($sql::SESSION_FORM)
                            .bind(&session.digest()[..])
                            .bind(&form.digest()[..])
                            .execute(turn.pool)
                            .await
                            .map(|done| done.rows_affected() == 1)
                            .map_err(during("take a form"))
                    })
                }

                fn end_session<'a>(&'a self, session: &'a Token) -> Fut<'a, ()> {
                    bounded("end a session", async move {
                        let turn = self.accepting("end a session").await?;
                        sqlx::query($sql::SESSION_DELETE)
                            .bind(&session.digest()[..])
                            .execute(turn.pool)
                            .await
                            .map_err(during("end a session"))?;
                        Ok(())
                    })
                }

                fn admit_visitor<'a>(&'a self, visitor: &'a str, policy: RatePolicy) -> Fut<'a, Admission> {
                    self.admit(self.visitor(visitor), policy)
                }

                fn forgive_visitor<'a>(&'a self, visitor: &'a str, policy: RatePolicy) -> Fut<'a, ()> {
                    bounded("forget attempts", async move {
                        let turn = self.writing("forget attempts").await?;
                        sqlx::query($sql::RATE_FORGET)
                            .bind(self.visitor(visitor).0)
                            .bind(policy.name)
                            .execute(turn.pool)
                            .await
                            .map_err(during("forget attempts"))?;
                        Ok(())
                    })
                }

                fn key_used(&self, key: KeyId) -> Fut<'_, ()> {
                    bounded("note the use of a key", async move {
                        let turn = self.writing("note the use of a key").await?;
                        sqlx::query($sql::KEY_USED)
                            .bind(self.time())
                            .bind(key.0)
                            .bind(micros(KEY_USE_GRAIN))
                            .execute(turn.pool)
                            .await
                            .map_err(during("note the use of a key"))?;
                        Ok(())
                    })
                }
            }
        };
    };
}

/// The statements of the portal that every dialect has.
macro_rules! portal_dialect {
    ($folder:literal) => {
        statements! { $folder:
            PERSON_PUT = "person_put", PERSON_FIND = "person_find", PERSON_LIST = "person_list",
            PERSON_DELETE = "person_delete", PERSON_PASSWORD = "person_password",
            LINK_PUT = "link_put", LINK_CLEAR = "link_clear", LINK_CLEAR_ALL = "link_clear_all",
            LINK_FIND = "link_find", LINK_TAKE = "link_take",
            SESSION_PUT = "session_put", SESSION_FIND = "session_find", SESSION_RENEW = "session_renew",
            SESSION_FORM = "session_form", SESSION_DELETE = "session_delete", SESSION_CLEAR = "session_clear",
            DELETE_SESSIONS = "delete_sessions", DELETE_LINKS = "delete_links",
            KEY_USED = "key_used", RATE_FORGET = "rate_forget",
        }
    };
}
