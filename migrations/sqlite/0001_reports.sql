-- Times are microseconds since 1970-01-01T00:00:00Z. Ids are UUIDv7, 16 bytes. Everything a caller writes freely is bytes.

CREATE TABLE account (
    account_id BLOB NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
    key_id BLOB NOT NULL PRIMARY KEY,
    account_id BLOB NOT NULL REFERENCES account,
    label TEXT NOT NULL,
    hint TEXT NOT NULL,
    lookup BLOB NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE INDEX api_key_lookup ON api_key (lookup);
CREATE INDEX api_key_account ON api_key (account_id);

CREATE TABLE report (
    report_id BLOB NOT NULL PRIMARY KEY,
    account_id BLOB NOT NULL REFERENCES account,
    -- 0 queued, 1 running, 2 completed, 3 failed
    state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3),
    -- 0 analyzing, 1 building
    phase INTEGER CHECK (phase BETWEEN 0 AND 1),
    estimated_seconds INTEGER,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    updated_at INTEGER NOT NULL,
    finished_at INTEGER,
    expires_at INTEGER,
    next_poll_at INTEGER NOT NULL,
    -- place of the report in the round of accounts, given at acceptance
    turn INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    lease_token INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER,
    claimed_at INTEGER,
    worker TEXT,
    language TEXT NOT NULL,
    domain_slug TEXT NOT NULL,
    text_type_slug TEXT NOT NULL,
    external_id BLOB,
    failure TEXT,
    text BLOB,
    result BLOB,
    CHECK ((state >= 1) = (started_at IS NOT NULL)),
    CHECK ((state >= 2) = (finished_at IS NOT NULL)),
    CHECK ((state >= 2) = (expires_at IS NOT NULL)),
    CHECK ((state >= 2) = (text IS NULL)),
    CHECK ((state = 2) = (result IS NOT NULL)),
    CHECK ((state = 3) = (failure IS NOT NULL)),
    CHECK ((state = 1) = (lease_until IS NOT NULL)),
    CHECK (state = 1 OR phase IS NULL)
) STRICT;
CREATE INDEX report_turn ON report (turn, created_at, report_id) WHERE state = 0;
CREATE INDEX report_waiting ON report (account_id, turn) WHERE state = 0;
CREATE INDEX report_arrival ON report (created_at) WHERE state = 0;
CREATE INDEX report_lease ON report (lease_until) WHERE state = 1;
CREATE INDEX report_start ON report (started_at) WHERE state = 1;
CREATE INDEX report_expiry ON report (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX report_change ON report (updated_at);

CREATE TABLE idempotency (
    account_id BLOB NOT NULL,
    key_mac BLOB NOT NULL,
    fingerprint BLOB NOT NULL,
    report_id BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, key_mac)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

CREATE TABLE rate_bucket (
    account_id BLOB NOT NULL,
    name TEXT NOT NULL,
    arrival INTEGER NOT NULL,
    PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX rate_bucket_arrival ON rate_bucket (arrival);

CREATE TABLE stream (
    stream_id BLOB NOT NULL PRIMARY KEY,
    account_id BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX stream_account ON stream (account_id, expires_at);
CREATE INDEX stream_expiry ON stream (expires_at);

CREATE TABLE secret (
    name TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
