//! The SQL of every operation, one file for each database, by the name of the file.

/// One statement in the words of both databases. Its parameters have the same numbers in both, its columns the same names.
#[derive(Clone, Copy)]
pub(crate) struct Statement {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

macro_rules! statements {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(
            pub(crate) const $name: Statement = Statement {
                sqlite: include_str!(concat!("sqlite/", $file, ".sql")),
                postgres: include_str!(concat!("postgres/", $file, ".sql")),
            };
        )*
    };
}

statements! {
    ACCOUNT_ACTIVATE = "account_activate",
    ACCOUNT_CREATE = "account_create",
    ACCOUNT_FIND = "account_find",
    ACCOUNT_LIST = "account_list",
    ACCOUNT_LOCK = "account_lock",
    ADMIT = "admit",
    ADMIT_LOOK = "admit_look",
    BACKLOG = "backlog",
    CHANGED = "changed",
    CLAIM = "claim",
    DELETE_EXPIRED = "delete_expired",
    DELETE_IDEMPOTENCY = "delete_idempotency",
    DELETE_LINKS = "delete_links",
    DELETE_RATES = "delete_rates",
    DELETE_SESSIONS = "delete_sessions",
    DELETE_STREAMS = "delete_streams",
    FAIL_OVERDUE = "fail_overdue",
    FINISH = "finish",
    HEALTH = "health",
    IDEMPOTENCY_FIND = "idempotency_find",
    IDEMPOTENCY_FORGET = "idempotency_forget",
    IDEMPOTENCY_TAKE = "idempotency_take",
    KEY_COUNT = "key_count",
    KEY_CREATE = "key_create",
    KEY_LIST = "key_list",
    KEY_LOOKUP = "key_lookup",
    KEY_REVOKE = "key_revoke",
    KEY_USED = "key_used",
    LINK_CLEAR = "link_clear",
    LINK_CLEAR_ALL = "link_clear_all",
    LINK_FIND = "link_find",
    LINK_PUT = "link_put",
    LINK_TAKE = "link_take",
    OBSERVE = "observe",
    PERSON_DELETE = "person_delete",
    PERSON_FIND = "person_find",
    PERSON_LIST = "person_list",
    PERSON_PASSWORD = "person_password",
    PERSON_PUT = "person_put",
    PROMISE = "promise",
    PULSE = "pulse",
    QUEUE_FULL = "queue_full",
    RATE_FORGET = "rate_forget",
    RELEASE = "release",
    RENEW = "renew",
    SECRET_GET = "secret_get",
    SECRET_PUT = "secret_put",
    SESSION_CLEAR = "session_clear",
    SESSION_DELETE = "session_delete",
    SESSION_FIND = "session_find",
    SESSION_FORM = "session_form",
    SESSION_PUT = "session_put",
    SESSION_RENEW = "session_renew",
    STANDINGS = "standings",
    STREAM_CLOSE = "stream_close",
    STREAM_OPEN = "stream_open",
    STREAM_RENEW = "stream_renew",
    SUBMIT = "submit",
}
