//! Limits that hold over all processes: request rates and open event streams.
use crate::driver::{FromRow, Row};
use crate::error::Fault;
use crate::settings::micros;
use crate::statement::{ACCOUNT_LOCK, ADMIT, ADMIT_LOOK, RATE_FORGET, STREAM_CLOSE, STREAM_OPEN, STREAM_RENEW};
use crate::store::{SqlStore, bounded, hex_array};
use crate::{AccountId, Admission, Fut, ProtectionStore, RatePolicy, STREAM_LEASE, StreamId};

/// A bucket after a decision: the theoretical arrival time of the next request, and the time.
struct Bucket {
    arrival: i64,
    now: i64,
}

impl FromRow for Bucket {
    fn from_row(row: &Row) -> Result<Self, Fault> {
        Ok(Self { arrival: row.get("arrival")?, now: row.get("now")? })
    }
}

impl ProtectionStore for SqlStore {
    fn admit(&self, account: AccountId, policy: RatePolicy) -> Fut<'_, Admission> {
        bounded("count a request", self.count(account, policy))
    }

    fn open_stream(&self, account: AccountId, cap: u32) -> Fut<'_, Option<StreamId>> {
        bounded("open a stream", async move {
            let stream = StreamId::fresh();
            let turn = self.writing().await?;
            let mut tx = turn.begin().await?;
            tx.query(ACCOUNT_LOCK).bind(account.0).rows().await?;
            let opened = tx
                .query(STREAM_OPEN)
                .bind(self.time())
                .bind(stream.0)
                .bind(account.0)
                .bind(micros(STREAM_LEASE))
                .bind(i64::from(cap))
                .any()
                .await?;
            tx.commit().await?;
            Ok(opened.then_some(stream))
        })
    }

    fn renew_streams<'a>(&'a self, streams: &'a [StreamId]) -> Fut<'a, ()> {
        bounded("renew streams", async move {
            let streams = hex_array(streams.iter().map(|stream| stream.0));
            let turn = self.writing().await?;
            turn.query(STREAM_RENEW).bind(self.time()).bind(micros(STREAM_LEASE)).bind(streams).run().await?;
            Ok(())
        })
    }

    fn close_stream(&self, stream: StreamId) -> Fut<'_, ()> {
        bounded("close a stream", async move {
            let turn = self.writing().await?;
            turn.query(STREAM_CLOSE).bind(stream.0).run().await?;
            Ok(())
        })
    }
}

impl SqlStore {
    /// Counts one request of an account. A refused one is only looked at, so that refusals write nothing.
    pub(super) async fn count(&self, account: AccountId, policy: RatePolicy) -> Result<Admission, Fault> {
        loop {
            let turn = self.writing().await?;
            let admitted = turn
                .query(ADMIT)
                .bind(self.time())
                .bind(account.0)
                .bind(policy.name)
                .bind(policy.spacing())
                .bind(policy.horizon())
                .first::<Bucket>()
                .await?;
            turn.end();
            if let Some(bucket) = admitted {
                return Ok(Admission::decide(&policy, true, bucket.arrival, bucket.now));
            }
            let refused = self.query(ADMIT_LOOK).bind(self.time()).bind(account.0).bind(policy.name);
            if let Some(bucket) = refused.first::<Bucket>().await? {
                return Ok(Admission::decide(&policy, false, bucket.arrival, bucket.now));
            }
        }
    }

    /// Forgets what was counted.
    pub(super) async fn forget_count(&self, account: AccountId, policy: RatePolicy) -> Result<(), Fault> {
        let turn = self.writing().await?;
        turn.query(RATE_FORGET).bind(account.0).bind(policy.name).run().await?;
        Ok(())
    }
}
