//! What every operation does, written once. The driver's types differ per database and its bounds cannot be named in one place, so
//! the same bodies are compiled for each store; what differs is the SQL and the way to a connection.
//!
//! A store gives `reading()`, `writing(..)` and `accepting(..)` (the way to a connection, the last for what must survive a power
//! cut), `time()` (the first parameter of a statement that reads the clock), `BEGIN`, `announce(..)` and `shared`.

macro_rules! operations {
    ($store:ty, $db:ty, $row:ty, $sql:ident) => {
        const _: () = {
            use crate::account::{ACTIVE_KEYS, name_problem};
            use crate::error::{during, lock_timed_out};
            use crate::fullness::{Fullness, Room};
            use crate::mac::same;
            use crate::pace::{Pace, Poll};
            use crate::protection::seconds_up;
            use crate::row::{instant, instant_or_none, phase, status, text};
            use crate::settings::micros;
            use crate::store::{bounded, hex_array};
            use crate::*;
            use sqlx::Row;
            use uuid::Uuid;

            fn account(row: &$row) -> Result<Account, StoreError> {
                let read = |error| during("read an account")(error);
                Ok(Account {
                    id: AccountId(row.try_get(0).map_err(read)?),
                    name: row.try_get(1).map_err(read)?,
                    active: row.try_get::<i64, _>(2).map_err(read)? == 1,
                    created_at: instant(row.try_get(3).map_err(read)?)?,
                })
            }

            fn key_record(row: &$row) -> Result<KeyRecord, StoreError> {
                let read = |error| during("read a key")(error);
                Ok(KeyRecord {
                    id: KeyId(row.try_get(0).map_err(read)?),
                    account: AccountId(row.try_get(1).map_err(read)?),
                    label: row.try_get(2).map_err(read)?,
                    hint: row.try_get(3).map_err(read)?,
                    created_at: instant(row.try_get(4).map_err(read)?)?,
                    revoked_at: instant_or_none(row.try_get(5).map_err(read)?)?,
                    last_used_at: instant_or_none(row.try_get(6).map_err(read)?)?,
                })
            }

            fn report(row: &$row) -> Result<Report, StoreError> {
                let read = |error| during("read a report")(error);
                Ok(Report {
                    report_id: ReportId(row.try_get(0).map_err(read)?),
                    status: status(row.try_get(1).map_err(read)?)?,
                    phase: phase(row.try_get(2).map_err(read)?)?,
                    external_id: row
                        .try_get::<Option<Vec<u8>>, _>(3)
                        .map_err(read)?
                        .map(|bytes| text("external id", bytes))
                        .transpose()?,
                    created_at: instant(row.try_get(4).map_err(read)?)?,
                    started_at: instant_or_none(row.try_get(5).map_err(read)?)?,
                    updated_at: instant(row.try_get(6).map_err(read)?)?,
                    finished_at: instant_or_none(row.try_get(7).map_err(read)?)?,
                    estimated_seconds: row.try_get::<Option<i64>, _>(8).map_err(read)?.map(|seconds| seconds as u32),
                    position_in_queue: row.try_get::<Option<i64>, _>(9).map_err(read)?.map(|place| place as u32),
                    result: row.try_get(10).map_err(read)?,
                    failure: row.try_get(11).map_err(read)?,
                    retry_after_seconds: None,
                    hold: std::time::Duration::ZERO,
                })
            }

            /// The promises of a report that is polled, with the time by the database's clock.
            fn pace(row: &$row) -> Result<(Pace, Option<Vec<u8>>, i64), StoreError> {
                let read = |error| during("read a report")(error);
                let stored: Option<Vec<u8>> = row.try_get(14).map_err(read)?;
                let pace = Pace::read(stored.as_deref(), row.try_get(12).map_err(read)?)?;
                Ok((pace, stored, row.try_get(13).map_err(read)?))
            }

            fn standing(row: &$row) -> Result<Standing, StoreError> {
                let read = |error| during("read a report")(error);
                Ok(Standing {
                    report_id: ReportId(row.try_get(0).map_err(read)?),
                    status: status(row.try_get(1).map_err(read)?)?,
                    created_at: instant(row.try_get(2).map_err(read)?)?,
                    started_at: instant_or_none(row.try_get(3).map_err(read)?)?,
                    updated_at: instant(row.try_get(4).map_err(read)?)?,
                })
            }

            fn job(row: &$row, attempts: u32) -> Result<Job, StoreError> {
                let read = |error| during("read a job")(error);
                let attempt = row.try_get::<i64, _>(6).map_err(read)? as u32;
                Ok(Job {
                    lease: Lease {
                        report_id: ReportId(row.try_get(0).map_err(read)?),
                        token: row.try_get(1).map_err(read)?,
                    },
                    text: text("text", row.try_get(2).map_err(read)?)?,
                    language: row.try_get(3).map_err(read)?,
                    domain_slug: row.try_get(4).map_err(read)?,
                    text_type_slug: row.try_get(5).map_err(read)?,
                    attempt,
                    is_last_attempt: attempt >= attempts,
                })
            }

            fn held(rows: u64) -> Held {
                if rows == 1 { Held::Held } else { Held::Lost }
            }

            enum Taken {
                New,
                Before(Accepted),
                Reused,
            }

            impl $store {
                /// Room in the whole queue; counted where there is little, so ask while no other report can come in between.
                async fn queue_is_full(&self) -> Result<bool, StoreError> {
                    if self.shared.fullness.had_plenty() {
                        return Ok(false);
                    }
                    let queue = self.shared.settings.queue;
                    let plenty = Fullness::plenty(queue);
                    let mut room = if plenty == 0 { Room::Little } else { Room::Plenty };
                    for (reports, leave) in [(queue - 1, Room::None), (plenty, Room::Little)] {
                        let beyond = sqlx::query($sql::QUEUE_FULL)
                            .bind(i64::from(reports))
                            .fetch_all(self.reading())
                            .await
                            .map_err(during("measure the queue"))?;
                        if !beyond.is_empty() {
                            room = leave;
                            break;
                        }
                    }
                    self.shared.fullness.learn(room);
                    Ok(room == Room::None)
                }

                /// Keeps the promises of a report, unless someone else has made others since they were read.
                async fn promise(
                    &self,
                    report: ReportId,
                    pace: &Pace,
                    read: Option<Vec<u8>>,
                ) -> Result<bool, StoreError> {
                    let turn = self.writing("show a report").await?;
                    let kept = sqlx::query($sql::PROMISE)
                        .bind(report.0)
                        .bind(pace.bytes())
                        .bind(read)
                        .execute(turn.pool)
                        .await
                        .map_err(during("show a report"))?;
                    Ok(kept.rows_affected() == 1)
                }

                /// Takes the key for `report`, or finds what it stands for. None when another transaction holds it too long.
                async fn take_key(
                    &self,
                    tx: &mut sqlx::Transaction<'static, $db>,
                    new: &NewReport,
                    idempotency: &Idempotency,
                    report: ReportId,
                ) -> Result<Option<Taken>, StoreError> {
                    let account = new.account;
                    let key = self.shared.mac.key(account, &idempotency.key);
                    let fingerprint = self.shared.mac.payload(account, &idempotency.payload);
                    loop {
                        let taken = sqlx::query($sql::IDEMPOTENCY_TAKE)
                            .bind(self.time())
                            .bind(account.0)
                            .bind(&key[..])
                            .bind(&fingerprint[..])
                            .bind(report.0)
                            .bind(micros(IDEMPOTENCY_WINDOW))
                            .fetch_all(&mut **tx)
                            .await;
                        match taken {
                            Ok(rows) if !rows.is_empty() => return Ok(Some(Taken::New)),
                            Ok(_) => {}
                            Err(error) if lock_timed_out(&error) => return Ok(None),
                            Err(error) => return Err(during("take an idempotency key")(error)),
                        }
                        let found = sqlx::query($sql::IDEMPOTENCY_FIND)
                            .bind(self.time())
                            .bind(account.0)
                            .bind(&key[..])
                            .fetch_all(&mut **tx)
                            .await
                            .map_err(during("find an idempotency key"))?;
                        let Some(row) = found.first() else { continue };
                        let read = |error| during("read an idempotency key")(error);
                        if !same(&row.try_get::<Vec<u8>, _>(0).map_err(read)?, &fingerprint) {
                            return Ok(Some(Taken::Reused));
                        }
                        let before: Uuid = row.try_get(1).map_err(read)?;
                        if let Some(next_poll_at) = row.try_get::<Option<i64>, _>(4).map_err(read)? {
                            let state = status(row.try_get(5).map_err(read)?)?;
                            let now: i64 = row.try_get(6).map_err(read)?;
                            let external_id: Option<Vec<u8>> = row.try_get(2).map_err(read)?;
                            let estimated: Option<i64> = row.try_get(3).map_err(read)?;
                            let wait = if state.is_terminal() { 1 } else { seconds_up(next_poll_at - now).max(1) };
                            if !state.is_terminal() && new.first_poll_seconds > 0 {
                                let stored: Option<Vec<u8>> = row.try_get(7).map_err(read)?;
                                let mut pace = Pace::read(stored.as_deref(), next_poll_at)?;
                                pace.promise(new.client, now, wait);
                                sqlx::query($sql::PROMISE)
                                    .bind(before)
                                    .bind(pace.bytes())
                                    .bind(stored)
                                    .execute(&mut **tx)
                                    .await
                                    .map_err(during("promise a poll"))?;
                            }
                            return Ok(Some(Taken::Before(Accepted {
                                report_id: ReportId(before),
                                external_id: external_id.map(|bytes| text("external id", bytes)).transpose()?,
                                estimated_seconds: estimated.map(|seconds| seconds as u32),
                                retry_after_seconds: wait,
                            })));
                        }
                        sqlx::query($sql::IDEMPOTENCY_FORGET)
                            .bind(account.0)
                            .bind(&key[..])
                            .bind(before)
                            .execute(&mut **tx)
                            .await
                            .map_err(during("forget an idempotency key"))?;
                    }
                }

                pub(crate) async fn prepare_mac(pool: &sqlx::Pool<$db>) -> Result<crate::mac::MacKey, StoreError> {
                    sqlx::query($sql::SECRET_PUT)
                        .bind("mac")
                        .bind(&crate::mac::MacKey::fresh()[..])
                        .execute(pool)
                        .await
                        .map_err(during("store its secret"))?;
                    let row = sqlx::query($sql::SECRET_GET)
                        .bind("mac")
                        .fetch_one(pool)
                        .await
                        .map_err(during("read its secret"))?;
                    let value: Vec<u8> = row.try_get(0).map_err(during("read its secret"))?;
                    crate::mac::MacKey::new(&value)
                }

                /// Looks once a second for what no wake-up told: changes of other processes and work whose lease ran out.
                pub(crate) async fn watch(pool: sqlx::Pool<$db>, bell: crate::change::Bell, settings: Settings) {
                    let mut news = crate::change::News::default();
                    let mut answered = true;
                    loop {
                        tokio::time::sleep(crate::change::WATCH_EVERY).await;
                        if !bell.has_listeners() {
                            news = Default::default();
                            continue;
                        }
                        match Self::glance(&pool, &settings, &news).await {
                            Ok((now, work, changed)) => {
                                if !answered {
                                    bell.ring(Change::Unknown);
                                }
                                answered = true;
                                if changed.len() >= crate::change::MOST_TOLD {
                                    bell.ring(Change::Unknown);
                                }
                                for report in news.tell(now, changed) {
                                    bell.ring(Change::Report(report));
                                }
                                if work {
                                    bell.ring(Change::Work);
                                }
                            }
                            Err(error) => {
                                if answered {
                                    tracing::warn!(%error, "no look at the queue");
                                }
                                answered = false;
                            }
                        }
                    }
                }

                async fn glance(
                    pool: &sqlx::Pool<$db>,
                    settings: &Settings,
                    news: &crate::change::News,
                ) -> Result<(i64, bool, Vec<(ReportId, i64)>), sqlx::Error> {
                    let pulse = sqlx::query($sql::PULSE).bind(Self::clock(settings)).fetch_one(pool).await?;
                    let now: i64 = pulse.try_get(0)?;
                    let work: i64 = pulse.try_get(1)?;
                    let mut changed = Vec::new();
                    if let Some(since) = news.since() {
                        for row in sqlx::query($sql::CHANGED)
                            .bind(since)
                            .bind(crate::change::MOST_TOLD as i64)
                            .fetch_all(pool)
                            .await?
                        {
                            changed.push((ReportId(row.try_get(0)?), row.try_get(1)?));
                        }
                    }
                    Ok((now, work == 1, changed))
                }
            }

            impl ReportStore for $store {
                fn submit(&self, new: NewReport) -> Fut<'_, Submitted> {
                    bounded("accept a report", async move {
                        let turn = self.accepting("accept a report").await?;
                        let full = self.queue_is_full().await?;
                        let mut tx = turn.pool.begin_with(Self::BEGIN).await.map_err(during("accept a report"))?;
                        let report_id = ReportId::new();
                        if let Some(idempotency) = &new.idempotency {
                            match self.take_key(&mut tx, &new, idempotency, report_id).await? {
                                Some(Taken::New) => {}
                                Some(Taken::Before(accepted)) => {
                                    tx.commit().await.map_err(during("accept a report"))?;
                                    return Ok(Submitted::Replayed(accepted));
                                }
                                Some(Taken::Reused) => return Ok(Submitted::KeyReused),
                                None => return Ok(Submitted::InFlight),
                            }
                        }
                        if full {
                            return Ok(Submitted::QueueFull);
                        }
                        sqlx::query($sql::ACCOUNT_LOCK)
                            .bind(new.account.0)
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(during("accept a report"))?;
                        let promises = (new.first_poll_seconds > 0).then(|| Pace::first(new.client));
                        let stored = sqlx::query($sql::SUBMIT)
                            .bind(self.time())
                            .bind(report_id.0)
                            .bind(new.account.0)
                            .bind(new.text.as_bytes())
                            .bind(&new.language)
                            .bind(&new.domain_slug)
                            .bind(&new.text_type_slug)
                            .bind(new.external_id.as_deref().map(str::as_bytes))
                            .bind(new.estimated_seconds.map(i64::from))
                            .bind(i64::from(new.first_poll_seconds))
                            .bind(i64::from(self.shared.settings.account_queue))
                            .bind(promises)
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(during("accept a report"))?;
                        if stored.is_empty() {
                            return Ok(Submitted::AccountQueueFull);
                        }
                        tx.commit().await.map_err(during("accept a report"))?;
                        turn.end();
                        self.announce(&[Change::Work]);
                        Ok(Submitted::Created(Accepted {
                            report_id,
                            external_id: new.external_id,
                            estimated_seconds: new.estimated_seconds,
                            retry_after_seconds: new.first_poll_seconds.max(1),
                        }))
                    })
                }

                fn observe(&self, owner: AccountId, id: ReportId, look: Look) -> Fut<'_, Observed> {
                    bounded("show a report", async move {
                        let (poll, read_all) = match look {
                            Look::Poll(interval, client, arrived) => (Some((interval, client, arrived)), 1i64),
                            Look::Answer => (None, 1),
                            Look::Stream => (None, 0),
                        };
                        loop {
                            let rows = sqlx::query($sql::OBSERVE)
                                .bind(self.time())
                                .bind(id.0)
                                .bind(owner.0)
                                .bind(read_all)
                                .fetch_all(self.reading())
                                .await
                                .map_err(during("show a report"))?;
                            let Some(row) = rows.first() else {
                                return Ok(Observed::Missing);
                            };
                            let mut report = report(row)?;
                            let Some((bounds, client, arrived)) = poll.filter(|_| !report.status.is_terminal()) else {
                                return Ok(Observed::Found(Box::new(report)));
                            };
                            let (mut pace, stored, now) = pace(row)?;
                            let came = now - micros(arrived.elapsed());
                            let running_for = report.started_at.map_or(0, |started| now - started.as_microsecond());
                            let running_for = std::time::Duration::from_micros(running_for.max(0).cast_unsigned());
                            let wait = bounds.seconds(report.estimated_seconds, running_for);
                            report.retry_after_seconds = Some(wait);
                            if bounds.min_seconds == 0 {
                                return Ok(Observed::Found(Box::new(report)));
                            }
                            let before = pace.clone();
                            let answer = match pace.poll(client, came, now, wait) {
                                Poll::Welcome { hold } => {
                                    report.hold = hold;
                                    Observed::Found(Box::new(report))
                                }
                                Poll::TooSoon { seconds, hold } => {
                                    Observed::TooSoon { retry_after_seconds: seconds, hold }
                                }
                            };
                            if pace == before || self.promise(id, &pace, stored).await? {
                                return Ok(answer);
                            }
                        }
                    })
                }

                fn standings<'a>(&'a self, reports: &'a [ReportId]) -> Fut<'a, Vec<Standing>> {
                    bounded("show reports", async move {
                        sqlx::query($sql::STANDINGS)
                            .bind(self.time())
                            .bind(hex_array(reports.iter().map(|report| report.0)))
                            .fetch_all(self.reading())
                            .await
                            .map_err(during("show reports"))?
                            .iter()
                            .map(standing)
                            .collect()
                    })
                }

                fn claim<'a>(&'a self, worker: &'a str, at_most: u32) -> Fut<'a, Vec<Job>> {
                    bounded("claim work", async move {
                        let settings = &self.shared.settings;
                        let turn = self.writing("claim work").await?;
                        let rows = sqlx::query($sql::CLAIM)
                            .bind(self.time())
                            .bind(worker)
                            .bind(i64::from(at_most))
                            .bind(micros(settings.lease))
                            .bind(i64::from(settings.attempts))
                            .fetch_all(turn.pool)
                            .await
                            .map_err(during("claim work"))?;
                        turn.end();
                        let mut jobs =
                            rows.iter().map(|row| job(row, settings.attempts)).collect::<Result<Vec<_>, _>>()?;
                        jobs.sort_by_key(|job| job.lease.report_id);
                        let started: Vec<_> = jobs.iter().map(|job| Change::Report(job.lease.report_id)).collect();
                        self.announce(&started);
                        Ok(jobs)
                    })
                }

                fn renew(&self, lease: Lease, phase: ReportPhase) -> Fut<'_, Held> {
                    bounded("renew a lease", async move {
                        let turn = self.writing("renew a lease").await?;
                        sqlx::query($sql::RENEW)
                            .bind(self.time())
                            .bind(lease.report_id.0)
                            .bind(lease.token)
                            .bind(phase.code())
                            .bind(micros(self.shared.settings.lease))
                            .bind(micros(self.shared.settings.job_deadline))
                            .execute(turn.pool)
                            .await
                            .map(|done| held(done.rows_affected()))
                            .map_err(during("renew a lease"))
                    })
                }

                fn finish(&self, lease: Lease, outcome: Outcome) -> Fut<'_, Held> {
                    bounded("store an outcome", async move {
                        let (state, result, failure) = match outcome {
                            Outcome::Completed(result) => (2i64, Some(result), None),
                            Outcome::Failed(message) => (3i64, None, Some(message.replace('\0', " "))),
                        };
                        let turn = self.writing("store an outcome").await?;
                        let held = sqlx::query($sql::FINISH)
                            .bind(self.time())
                            .bind(lease.report_id.0)
                            .bind(lease.token)
                            .bind(state)
                            .bind(result)
                            .bind(failure)
                            .bind(micros(self.shared.settings.retention))
                            .execute(turn.pool)
                            .await
                            .map(|done| held(done.rows_affected()))
                            .map_err(during("store an outcome"))?;
                        turn.end();
                        if held == Held::Held {
                            self.announce(&[Change::Report(lease.report_id)]);
                        }
                        Ok(held)
                    })
                }

                fn release(&self, lease: Lease, how: Release) -> Fut<'_, Held> {
                    bounded("give back a lease", async move {
                        let turn = self.writing("give back a lease").await?;
                        let held = sqlx::query($sql::RELEASE)
                            .bind(self.time())
                            .bind(lease.report_id.0)
                            .bind(lease.token)
                            .bind(i64::from(how == Release::Retry))
                            .execute(turn.pool)
                            .await
                            .map(|done| held(done.rows_affected()))
                            .map_err(during("give back a lease"))?;
                        turn.end();
                        self.announce(&[Change::Work]);
                        Ok(held)
                    })
                }

                fn sweep(&self) -> Fut<'_, Swept> {
                    Box::pin(async move {
                        const BATCH: u64 = 1000;
                        const BATCHES: u32 = 50;
                        let settings = &self.shared.settings;
                        let mut swept = Swept::default();
                        for _ in 0..BATCHES {
                            let turn = self.writing("end overdue reports").await?;
                            let failed = sqlx::query($sql::FAIL_OVERDUE)
                                .bind(self.time())
                                .bind(i64::from(settings.attempts))
                                .bind(micros(settings.queue_age))
                                .bind(micros(settings.retention))
                                .fetch_all(turn.pool)
                                .await
                                .map_err(during("end overdue reports"))?;
                            turn.end();
                            let mut changes = Vec::with_capacity(failed.len());
                            for row in &failed {
                                let id = row.try_get(0).map_err(during("end overdue reports"))?;
                                changes.push(Change::Report(ReportId(id)));
                            }
                            self.announce(&changes);
                            swept.failed += changes.len() as u64;
                            if (changes.len() as u64) < BATCH {
                                break;
                            }
                        }
                        for (sql, deleted) in
                            [($sql::DELETE_EXPIRED, &mut swept.expired), ($sql::DELETE_IDEMPOTENCY, &mut swept.keys)]
                        {
                            for _ in 0..BATCHES {
                                let turn = self.writing("delete what has expired").await?;
                                let rows = sqlx::query(sql)
                                    .bind(self.time())
                                    .execute(turn.pool)
                                    .await
                                    .map_err(during("delete what has expired"))?
                                    .rows_affected();
                                turn.end();
                                *deleted += rows;
                                if rows < BATCH {
                                    break;
                                }
                            }
                        }
                        for sql in [$sql::DELETE_RATES, $sql::DELETE_STREAMS, $sql::DELETE_SESSIONS, $sql::DELETE_LINKS]
                        {
                            let turn = self.writing("delete spent limits").await?;
                            sqlx::query(sql)
                                .bind(self.time())
                                .execute(turn.pool)
                                .await
                                .map_err(during("delete spent limits"))?;
                        }
                        self.tidy().await?;
                        Ok(swept)
                    })
                }

                fn backlog(&self) -> Fut<'_, Backlog> {
                    bounded("measure the queue", async move {
                        let read = |error| during("measure the queue")(error);
                        let row = sqlx::query($sql::BACKLOG)
                            .bind(self.time())
                            .fetch_one(self.reading())
                            .await
                            .map_err(read)?;
                        let now: i64 = row.try_get(4).map_err(read)?;
                        let age = |since: Option<i64>| since.map(|since| ((now - since).max(0) / 1_000_000) as u64);
                        Ok(Backlog {
                            queued: row.try_get::<i64, _>(0).map_err(read)? as u64,
                            running: row.try_get::<i64, _>(1).map_err(read)? as u64,
                            oldest_queued_seconds: age(row.try_get(2).map_err(read)?),
                            oldest_running_seconds: age(row.try_get(3).map_err(read)?),
                        })
                    })
                }

                fn changes(&self) -> Changes {
                    self.shared.bell.listen()
                }
            }

            impl AccountStore for $store {
                fn create_account<'a>(&'a self, name: &'a str) -> Fut<'a, Account> {
                    bounded("make an account", async move {
                        if let Some(problem) = name_problem(name) {
                            return Err(problem);
                        }
                        let turn = self.accepting("make an account").await?;
                        let rows = sqlx::query($sql::ACCOUNT_CREATE)
                            .bind(self.time())
                            .bind(AccountId::fresh().0)
                            .bind(name)
                            .fetch_all(turn.pool)
                            .await
                            .map_err(during("make an account"))?;
                        rows.first().map_or(Err(StoreError::NameTaken), account)
                    })
                }

                fn ensure_account<'a>(&'a self, name: &'a str) -> Fut<'a, Account> {
                    bounded("find or make an account", async move {
                        match self.create_account(name).await {
                            Err(StoreError::NameTaken) => {
                                self.find_account(name).await?.ok_or(StoreError::UnknownAccount)
                            }
                            other => other,
                        }
                    })
                }

                fn find_account<'a>(&'a self, name: &'a str) -> Fut<'a, Option<Account>> {
                    bounded("find an account", async move {
                        if name_problem(name).is_some() {
                            return Ok(None);
                        }
                        sqlx::query($sql::ACCOUNT_FIND)
                            .bind(name)
                            .fetch_all(self.reading())
                            .await
                            .map_err(during("find an account"))?
                            .first()
                            .map(account)
                            .transpose()
                    })
                }

                fn accounts(&self) -> Fut<'_, Vec<Account>> {
                    bounded("list accounts", async move {
                        sqlx::query($sql::ACCOUNT_LIST)
                            .fetch_all(self.reading())
                            .await
                            .map_err(during("list accounts"))?
                            .iter()
                            .map(account)
                            .collect()
                    })
                }

                fn set_account_active(&self, account: AccountId, active: bool) -> Fut<'_, ()> {
                    bounded("change an account", async move {
                        let turn = self.accepting("change an account").await?;
                        let changed = sqlx::query($sql::ACCOUNT_ACTIVATE)
                            .bind(account.0)
                            .bind(i64::from(active))
                            .execute(turn.pool)
                            .await
                            .map_err(during("change an account"))?
                            .rows_affected();
                        if changed == 1 { Ok(()) } else { Err(StoreError::UnknownAccount) }
                    })
                }

                fn issue_key<'a>(&'a self, owner: AccountId, label: &'a str) -> Fut<'a, IssuedKey> {
                    bounded("make a key", async move {
                        let failed = || during("make a key");
                        let value = ApiKey::generate();
                        let digest = value.digest();
                        let turn = self.accepting("make a key").await?;
                        let mut tx = turn.pool.begin_with(Self::BEGIN).await.map_err(failed())?;
                        let known =
                            sqlx::query($sql::ACCOUNT_LOCK).bind(owner.0).fetch_all(&mut *tx).await.map_err(failed())?;
                        if known.is_empty() {
                            return Err(StoreError::UnknownAccount);
                        }
                        let active: i64 = sqlx::query($sql::KEY_COUNT)
                            .bind(owner.0)
                            .fetch_one(&mut *tx)
                            .await
                            .and_then(|row| row.try_get(0))
                            .map_err(failed())?;
                        if active >= i64::from(ACTIVE_KEYS) {
                            return Err(StoreError::TooManyKeys { limit: ACTIVE_KEYS });
                        }
                        let row = sqlx::query($sql::KEY_CREATE)
                            .bind(self.time())
                            .bind(KeyId::fresh().0)
                            .bind(owner.0)
                            .bind(label.replace('\0', " "))
                            .bind(value.hint())
                            .bind(&digest[..8])
                            .bind(&digest[..])
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(failed())?;
                        let record = row.first().map_or(Err(StoreError::Damaged { what: "key" }), key_record)?;
                        tx.commit().await.map_err(failed())?;
                        Ok(IssuedKey { value, record })
                    })
                }

                fn keys(&self, account: AccountId) -> Fut<'_, Vec<KeyRecord>> {
                    bounded("list keys", async move {
                        sqlx::query($sql::KEY_LIST)
                            .bind(account.0)
                            .fetch_all(self.reading())
                            .await
                            .map_err(during("list keys"))?
                            .iter()
                            .map(key_record)
                            .collect()
                    })
                }

                fn revoke_key(&self, account: AccountId, key: KeyId) -> Fut<'_, bool> {
                    bounded("revoke a key", async move {
                        let turn = self.accepting("revoke a key").await?;
                        sqlx::query($sql::KEY_REVOKE)
                            .bind(self.time())
                            .bind(key.0)
                            .bind(account.0)
                            .execute(turn.pool)
                            .await
                            .map(|done| done.rows_affected() == 1)
                            .map_err(during("revoke a key"))
                    })
                }

                fn authenticate<'a>(&'a self, presented: &'a str) -> Fut<'a, Option<Caller>> {
                    bounded("check a key", async move {
                        let read = |error| during("check a key")(error);
                        let Some(key) = ApiKey::parse(presented) else {
                            return Ok(None);
                        };
                        let digest = key.digest();
                        let rows = sqlx::query($sql::KEY_LOOKUP)
                            .bind(&digest[..8])
                            .fetch_all(self.reading())
                            .await
                            .map_err(read)?;
                        let mut caller = None;
                        for row in &rows {
                            if same(&row.try_get::<Vec<u8>, _>(0).map_err(read)?, &digest) {
                                caller = Some(Caller {
                                    account: AccountId(row.try_get(1).map_err(read)?),
                                    key: KeyId(row.try_get(2).map_err(read)?),
                                });
                            }
                        }
                        Ok(caller)
                    })
                }
            }

            impl ProtectionStore for $store {
                fn admit(&self, account: AccountId, policy: RatePolicy) -> Fut<'_, Admission> {
                    bounded("count a request", async move {
                        let read = |error| during("count a request")(error);
                        loop {
                            let turn = self.writing("count a request").await?;
                            let rows = sqlx::query($sql::ADMIT)
                                .bind(self.time())
                                .bind(account.0)
                                .bind(policy.name)
                                .bind(policy.spacing())
                                .bind(policy.horizon())
                                .fetch_all(turn.pool)
                                .await
                                .map_err(read)?;
                            turn.end();
                            let (admitted, rows) = if rows.is_empty() {
                                let rows = sqlx::query($sql::ADMIT_LOOK)
                                    .bind(self.time())
                                    .bind(account.0)
                                    .bind(policy.name)
                                    .fetch_all(self.reading())
                                    .await
                                    .map_err(read)?;
                                (false, rows)
                            } else {
                                (true, rows)
                            };
                            let Some(row) = rows.first() else { continue };
                            return Ok(Admission::decide(
                                &policy,
                                admitted,
                                row.try_get(0).map_err(read)?,
                                row.try_get(1).map_err(read)?,
                            ));
                        }
                    })
                }

                fn open_stream(&self, account: AccountId, cap: u32) -> Fut<'_, Option<StreamId>> {
                    bounded("open a stream", async move {
                        let failed = || during("open a stream");
                        let stream = StreamId::fresh();
                        let turn = self.writing("open a stream").await?;
                        let mut tx = turn.pool.begin_with(Self::BEGIN).await.map_err(failed())?;
                        sqlx::query($sql::ACCOUNT_LOCK).bind(account.0).fetch_all(&mut *tx).await.map_err(failed())?;
                        let opened = sqlx::query($sql::STREAM_OPEN)
                            .bind(self.time())
                            .bind(stream.0)
                            .bind(account.0)
                            .bind(micros(STREAM_LEASE))
                            .bind(i64::from(cap))
                            .fetch_all(&mut *tx)
                            .await
                            .map_err(failed())?;
                        tx.commit().await.map_err(failed())?;
                        Ok((!opened.is_empty()).then_some(stream))
                    })
                }

                fn renew_streams<'a>(&'a self, streams: &'a [StreamId]) -> Fut<'a, ()> {
                    bounded("renew streams", async move {
                        let turn = self.writing("renew streams").await?;
                        sqlx::query($sql::STREAM_RENEW)
                            .bind(self.time())
                            .bind(micros(STREAM_LEASE))
                            .bind(hex_array(streams.iter().map(|stream| stream.0)))
                            .execute(turn.pool)
                            .await
                            .map_err(during("renew streams"))?;
                        Ok(())
                    })
                }

                fn close_stream(&self, stream: StreamId) -> Fut<'_, ()> {
                    bounded("close a stream", async move {
                        let turn = self.writing("close a stream").await?;
                        sqlx::query($sql::STREAM_CLOSE)
                            .bind(stream.0)
                            .execute(turn.pool)
                            .await
                            .map_err(during("close a stream"))?;
                        Ok(())
                    })
                }
            }
        };
    };
}

/// Names the SQL files of one dialect.
macro_rules! statements {
    ($folder:literal: $($name:ident = $file:literal),* $(,)?) => {
        $(pub(crate) const $name: &str = include_str!(concat!($folder, "/", $file, ".sql"));)*
    };
}

/// The statements that every dialect has.
macro_rules! dialect {
    ($folder:literal) => {
        statements! { $folder:
            QUEUE_FULL = "queue_full", IDEMPOTENCY_TAKE = "idempotency_take",
            IDEMPOTENCY_FIND = "idempotency_find", IDEMPOTENCY_FORGET = "idempotency_forget",
            SUBMIT = "submit", PROMISE = "promise", OBSERVE = "observe", STANDINGS = "standings",
            CLAIM = "claim", RENEW = "renew", FINISH = "finish", RELEASE = "release",
            FAIL_OVERDUE = "fail_overdue", DELETE_EXPIRED = "delete_expired",
            DELETE_IDEMPOTENCY = "delete_idempotency", DELETE_RATES = "delete_rates",
            DELETE_STREAMS = "delete_streams", BACKLOG = "backlog", CHANGED = "changed",
            PULSE = "pulse", ACCOUNT_CREATE = "account_create", ACCOUNT_FIND = "account_find",
            ACCOUNT_LIST = "account_list", ACCOUNT_ACTIVATE = "account_activate",
            ACCOUNT_LOCK = "account_lock", KEY_COUNT = "key_count", KEY_CREATE = "key_create",
            KEY_LIST = "key_list", KEY_REVOKE = "key_revoke", KEY_LOOKUP = "key_lookup",
            ADMIT = "admit", ADMIT_LOOK = "admit_look", STREAM_OPEN = "stream_open",
            STREAM_RENEW = "stream_renew", STREAM_CLOSE = "stream_close",
            SECRET_PUT = "secret_put", SECRET_GET = "secret_get", HEALTH = "health",
        }
    };
}
