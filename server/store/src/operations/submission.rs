//! A new report, in one transaction with its idempotency key.
use crate::driver::{FromRow, Row, Transaction};
use crate::error::{During, Fault, lock_timed_out};
use crate::fullness::{Fullness, Room};
use crate::mac::same;
use crate::pace::Pace;
use crate::protection::seconds_up;
use crate::settings::micros;
use crate::statement::{
    ACCOUNT_LOCK, IDEMPOTENCY_FIND, IDEMPOTENCY_FORGET, IDEMPOTENCY_TAKE, PROMISE, QUEUE_FULL, SUBMIT,
};
use crate::store::SqlStore;
use crate::{
    Accepted, AccountId, Change, IDEMPOTENCY_WINDOW, Idempotency, NewReport, ReportId, ReportStatus, Submitted,
};

/// What an idempotency key stands for.
enum Key {
    /// This request: it was taken.
    Taken,
    /// An earlier request with the same payload.
    Replays(Accepted),
    /// An earlier request with another payload.
    Reused,
    /// Nobody can say: another transaction has held it too long.
    InFlight,
}

/// The digests of an idempotency key and of its request.
struct Digests {
    account: AccountId,
    key: [u8; 32],
    payload: [u8; 32],
}

/// A stored key with the report that it stands for.
struct Earlier {
    payload: Vec<u8>,
    report_id: ReportId,
    /// None when the report has been deleted.
    report: Option<EarlierReport>,
}

struct EarlierReport {
    status: ReportStatus,
    external_id: Option<String>,
    estimated_seconds: Option<u32>,
    next_poll_at: i64,
    now: i64,
    promises: Option<Vec<u8>>,
}

impl FromRow for Earlier {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        let report = match row.get::<Option<i64>>("next_poll_at")? {
            Some(next_poll_at) => Some(EarlierReport {
                status: row.status("state")?,
                external_id: row.utf8_or_none("external_id", "external id")?,
                estimated_seconds: row.count_or_none("estimated_seconds")?,
                next_poll_at,
                now: row.get("now")?,
                promises: row.get("promises")?,
            }),
            None => None,
        };
        Ok(Self { payload: row.get("fingerprint")?, report_id: ReportId(row.get("report_id")?), report })
    }
}

impl SqlStore {
    pub(super) async fn accept(&self, new: NewReport) -> Result<Submitted, Fault> {
        let turn = self.accepting().await?;
        let full = self.queue_is_full().await.during("measure the queue")?;
        let mut tx = turn.begin().await?;
        let report_id = ReportId::new();
        if let Some(idempotency) = &new.idempotency {
            match self.take_key(&mut tx, &new, idempotency, report_id).await? {
                Key::Taken => {}
                Key::Replays(accepted) => {
                    tx.commit().await?;
                    return Ok(Submitted::Replayed(accepted));
                }
                Key::Reused => return Ok(Submitted::KeyReused),
                Key::InFlight => return Ok(Submitted::InFlight),
            }
        }
        if full {
            return Ok(Submitted::QueueFull);
        }
        tx.query(ACCOUNT_LOCK).bind(new.account.0).rows().await?;
        let stored = tx
            .query(SUBMIT)
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
            .bind(i64::from(self.settings.account_queue))
            .bind((new.first_poll_seconds > 0).then(|| Pace::first(new.client)))
            .any()
            .await?;
        if !stored {
            return Ok(Submitted::AccountQueueFull);
        }
        tx.commit().await?;
        turn.end();
        self.announce(&[Change::Work]);
        Ok(Submitted::Created(Accepted {
            report_id,
            external_id: new.external_id,
            estimated_seconds: new.estimated_seconds,
            retry_after_seconds: new.first_poll_seconds.max(1),
        }))
    }

    /// Room in the whole queue; counted where there is little, so ask while no other report can come in between.
    async fn queue_is_full(&self) -> Result<bool, Fault> {
        if self.fullness.had_plenty() {
            return Ok(false);
        }
        let queue = self.settings.queue;
        let plenty = Fullness::plenty(queue);
        let mut room = if plenty == 0 { Room::Little } else { Room::Plenty };
        for (reports, leave) in [(queue - 1, Room::None), (plenty, Room::Little)] {
            if self.query(QUEUE_FULL).bind(i64::from(reports)).any().await? {
                room = leave;
                break;
            }
        }
        self.fullness.learn(room);
        Ok(room == Room::None)
    }

    /// Takes the key for `report`, or finds what it stands for. A key whose report was deleted is forgotten and taken anew.
    async fn take_key(
        &self,
        tx: &mut Transaction,
        new: &NewReport,
        idempotency: &Idempotency,
        report: ReportId,
    ) -> Result<Key, Fault> {
        let account = new.account;
        let digests = Digests {
            account,
            key: self.mac.key(account, &idempotency.key),
            payload: self.mac.payload(account, &idempotency.payload),
        };
        loop {
            let taken = tx
                .query(IDEMPOTENCY_TAKE)
                .bind(self.time())
                .bind(account.0)
                .bind(&digests.key[..])
                .bind(&digests.payload[..])
                .bind(report.0)
                .bind(micros(IDEMPOTENCY_WINDOW))
                .any()
                .await;
            match taken {
                Ok(true) => return Ok(Key::Taken),
                Ok(false) => {}
                Err(error) if lock_timed_out(&error) => return Ok(Key::InFlight),
                Err(error) => return Err(Fault::from(error).during("take an idempotency key").into()),
            }
            if let Some(found) = self.find_key(tx, new, &digests).await.during("find an idempotency key")? {
                return Ok(found);
            }
        }
    }

    /// What a key that could not be taken stands for; none when it stands for nothing any more.
    async fn find_key(&self, tx: &mut Transaction, new: &NewReport, digests: &Digests) -> Result<Option<Key>, Fault> {
        let found = tx.query(IDEMPOTENCY_FIND).bind(self.time()).bind(digests.account.0).bind(&digests.key[..]).first();
        let Some(Earlier { payload, report_id, report }) = found.await? else { return Ok(None) };
        if !same(&payload, &digests.payload) {
            return Ok(Some(Key::Reused));
        }
        let Some(report) = report else {
            let forget = tx.query(IDEMPOTENCY_FORGET).bind(digests.account.0).bind(&digests.key[..]);
            forget.bind(report_id.0).run().await?;
            return Ok(None);
        };
        let terminal = report.status.is_terminal();
        let wait = if terminal { 1 } else { seconds_up(report.next_poll_at - report.now).max(1) };
        if !terminal && new.first_poll_seconds > 0 {
            let mut pace = Pace::read(report.promises.as_deref(), report.next_poll_at)?;
            pace.promise(new.client, report.now, wait);
            tx.query(PROMISE).bind(report_id.0).bind(pace.bytes()).bind(report.promises).run().await?;
        }
        Ok(Some(Key::Replays(Accepted {
            report_id,
            external_id: report.external_id,
            estimated_seconds: report.estimated_seconds,
            retry_after_seconds: wait,
        })))
    }
}
