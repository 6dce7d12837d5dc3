//! What can go wrong in the store, told apart by what a caller should do about it. Messages carry the database's own words but
//! never its row details, so no text, key or identifier of a caller can leak through an error.
use std::fmt;

/// A failed store operation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database cannot be reached, is shutting down, is locked by another process beyond the time-out, or has no room left.
    /// Nothing was written; the same call may succeed later.
    #[error("the database is unavailable while it should {during}: {cause}")]
    Unavailable {
        /// What the store was doing.
        during: &'static str,
        /// The database's words.
        cause: Cause,
    },
    /// The database refused a statement: a defect or a damaged database, not a passing condition.
    #[error("the database refused to {during}: {cause}")]
    Refused {
        /// What the store was doing.
        during: &'static str,
        /// The database's words.
        cause: Cause,
    },
    /// The schema could not be brought to the version this program needs.
    #[error(
        "the database schema could not be migrated: {cause}; restore a backup or run the program version that wrote it"
    )]
    Migration {
        /// The migrator's words.
        cause: Cause,
    },
    /// A setting has no usable value.
    #[error("setting {name}: {problem}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// A stored value cannot be read back.
    #[error("stored value of {what} is not readable; the database was changed by something else or is damaged")]
    Damaged {
        /// The column or object.
        what: &'static str,
    },
    /// An account of this name exists.
    #[error("an account of that name exists already; choose another name")]
    NameTaken,
    /// The address belongs to a person of another account.
    #[error("a person of another account has that e-mail address; dismiss them there first or use another address")]
    EmailTaken,
    /// The account is inactive.
    #[error("the account is inactive; `glosa accounts activate` makes it active again")]
    AccountInactive,
    /// There is no such account.
    #[error("no such account")]
    UnknownAccount,
    /// The account holds as many active keys as it may.
    #[error("the account has {limit} active keys, the most it may have; revoke one first")]
    TooManyKeys {
        /// The limit.
        limit: u32,
    },
}

impl StoreError {
    /// Whether waiting and trying again is the cure (the service answers 503).
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

/// The words of the database without the values of any row.
pub struct Cause(String);

impl Cause {
    pub(crate) fn new(words: impl fmt::Display) -> Self {
        Self(words.to_string())
    }

    fn of(error: &sqlx::Error) -> Self {
        match error.as_database_error() {
            Some(database) => match database.code() {
                Some(code) => Self(format!("{} (code {code})", database.message())),
                None => Self(database.message().to_owned()),
            },
            None => Self(error.to_string()),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, out)
    }
}

/// A failure inside an operation, before it is said what the store was doing: `?` makes it of both kinds of error.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Of the driver.
    Driver(sqlx::Error),
    /// Other writers took too long.
    Busy,
    /// With its own words.
    Said(StoreError),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Driver(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Said(error)
    }
}

impl Fault {
    /// The error of the operation, which sorts those of the driver into "try later" and "defect".
    pub(crate) fn during(self, during: &'static str) -> StoreError {
        match self {
            Self::Said(error) => error,
            Self::Busy => {
                StoreError::Unavailable { during, cause: Cause::new("other writes took more than 5 seconds") }
            }
            Self::Driver(error) => {
                let cause = Cause::of(&error);
                if passing(&error) {
                    StoreError::Unavailable { during, cause }
                } else {
                    StoreError::Refused { during, cause }
                }
            }
        }
    }
}

/// Says what the store was doing when something failed.
pub(crate) trait During<T> {
    /// `during` reads on after *the database refused to*.
    fn during(self, during: &'static str) -> Result<T, StoreError>;
}

impl<T, E: Into<Fault>> During<T> for Result<T, E> {
    fn during(self, during: &'static str) -> Result<T, StoreError> {
        self.map_err(|error| error.into().during(during))
    }
}

/// SQLSTATE classes 08 (connection), 53 (resources), 57 (operator intervention), 25006 (read only after failover), 40001/40P01
/// (serialisation, deadlock), 55P03 (lock time-out), 58 (system); SQLite primary codes 5 busy, 6 locked, 10 I/O, 13 full, 14 cannot open.
fn passing(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::BeginFailed => true,
        sqlx::Error::Database(database) => {
            let Some(code) = database.code() else {
                return false;
            };
            if database.try_downcast_ref::<sqlx::postgres::PgDatabaseError>().is_some() {
                return ["08", "53", "57", "58"].iter().any(|class| code.starts_with(class))
                    || matches!(&*code, "25006" | "40001" | "40P01" | "55P03");
            }
            code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 10 | 13 | 14))
        }
        _ => false,
    }
}

/// Whether a PostgreSQL statement gave up waiting for a lock (SQLSTATE 55P03).
pub(crate) fn lock_timed_out(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|database| database.code()).is_some_and(|code| code == "55P03")
}
