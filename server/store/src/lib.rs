//! Reports, accounts, keys and limits on SQLite and PostgreSQL, behind one trait.
//!
//! The store knows nothing of texts, genres or results: language and slugs are words, text and result are bytes. It must never know
//! the engine, HTTP or JSON.
//!
//! What it promises, on both databases and over any number of processes:
//! 1. A report is committed before `submit` answers, in one transaction with its idempotency key: one key, one report.
//! 2. The public state only moves forward: queued, running, then completed or failed, once. A report that fails while queued passes
//!    through running in the same statement. A report whose worker died stays running.
//! 3. Every write of a worker names its lease token. A write with an old token changes nothing and says so.
//! 4. The text is deleted by the statement that stores the outcome. No other table, error or log holds text, external id, key or
//!    idempotency key; the last two are kept as digests. On SQLite the bytes are gone from the files with the next sweep; PostgreSQL
//!    keeps dead rows until they are vacuumed and overwritten, and its write-ahead log until it is recycled.
//! 5. Time is the database's clock, in microseconds. On SQLite that is the clock of the machine.
//! 6. An account sees its own reports alone; unknown, foreign and expired ones are the same `Missing`.
//! 7. Wake-ups carry no state, see [`Change`].
//!
//! What an operation does is in `src/operations/` by subject, SQL in `src/{sqlite,postgres}/*.sql`, the schema in `migrations/{sqlite,postgres}` at the top of the repository; one suite in
//! `tests/` holds both databases to the same behaviour.
mod account;
mod change;
mod driver;
mod error;
mod fullness;
mod id;
mod key;
mod keyring;
mod mac;
mod operations;
mod pace;
mod person;
mod postgres;
mod protection;
mod report;
mod row;
mod schema;
mod session;
mod settings;
mod sqlite;
mod statement;
mod store;
mod token;

pub use account::{ACTIVE_KEYS, Account, AccountStore, Caller, IssuedKey, KeyRecord};
pub use change::{Change, Changes};
pub use error::{Cause, StoreError};
pub use id::{AccountId, KeyId, NotAReportId, PersonId, ReportId, StreamId};
pub use key::ApiKey;
pub use keyring::KeyRing;
pub use pace::PollClient;
pub use person::{Credentials, Email, LinkPurpose, Person, PersonStore};
pub use protection::{Admission, ProtectionStore, RatePolicy, STREAM_LEASE};
pub use report::{
    Accepted, Backlog, Held, Idempotency, Job, Lease, Look, NewReport, Observed, Outcome, PollInterval, Release,
    Report, ReportPhase, ReportStatus, ReportStore, Standing, Submitted, Swept,
};
pub use session::{KEY_USE_GRAIN, SESSION_IDLE, SessionStore};
pub use settings::{IDEMPOTENCY_WINDOW, Location, Settings};
pub use store::{Fut, Store, open};
pub use token::Token;
