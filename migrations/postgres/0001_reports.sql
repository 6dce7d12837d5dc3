-- Times are microseconds since 1970-01-01T00:00:00Z. Ids are UUIDv7. Everything a caller writes freely is bytes: U+0000 is valid text.

CREATE FUNCTION glosa_now(shift bigint) RETURNS bigint LANGUAGE sql VOLATILE
    AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + $1';

CREATE TABLE account (
    account_id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    active boolean NOT NULL DEFAULT true,
    created_at bigint NOT NULL
);

CREATE TABLE api_key (
    key_id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    label text NOT NULL,
    hint text NOT NULL,
    lookup bytea NOT NULL,
    digest bytea NOT NULL UNIQUE,
    created_at bigint NOT NULL,
    revoked_at bigint
);
CREATE INDEX api_key_lookup ON api_key (lookup);
CREATE INDEX api_key_account ON api_key (account_id);

CREATE TABLE report (
    report_id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    -- 0 queued, 1 running, 2 completed, 3 failed
    state bigint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3),
    -- 0 analyzing, 1 building
    phase bigint CHECK (phase BETWEEN 0 AND 1),
    estimated_seconds bigint,
    created_at bigint NOT NULL,
    started_at bigint,
    updated_at bigint NOT NULL,
    finished_at bigint,
    expires_at bigint,
    next_poll_at bigint NOT NULL,
    -- place of the report in the round of accounts, given at acceptance
    turn bigint NOT NULL,
    attempt bigint NOT NULL DEFAULT 0,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until bigint,
    claimed_at bigint,
    worker text,
    language text NOT NULL,
    domain_slug text NOT NULL,
    text_type_slug text NOT NULL,
    external_id bytea,
    failure text,
    text bytea,
    result bytea,
    CHECK ((state >= 1) = (started_at IS NOT NULL)),
    CHECK ((state >= 2) = (finished_at IS NOT NULL)),
    CHECK ((state >= 2) = (expires_at IS NOT NULL)),
    CHECK ((state >= 2) = (text IS NULL)),
    CHECK ((state = 2) = (result IS NOT NULL)),
    CHECK ((state = 3) = (failure IS NOT NULL)),
    CHECK ((state = 1) = (lease_until IS NOT NULL)),
    CHECK (state = 1 OR phase IS NULL)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX report_turn ON report (turn, created_at, report_id) WHERE state = 0;
CREATE INDEX report_waiting ON report (account_id, turn) WHERE state = 0;
CREATE INDEX report_arrival ON report (created_at) WHERE state = 0;
CREATE INDEX report_lease ON report (lease_until) WHERE state = 1;
CREATE INDEX report_start ON report (started_at) WHERE state = 1;
CREATE INDEX report_expiry ON report (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX report_change ON report (updated_at);

CREATE TABLE idempotency (
    account_id uuid NOT NULL,
    key_mac bytea NOT NULL,
    fingerprint bytea NOT NULL,
    report_id uuid NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (account_id, key_mac)
);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

-- Both forget everything after a crash of the database: limits start afresh, which is harmless and cheap.
CREATE UNLOGGED TABLE rate_bucket (
    account_id uuid NOT NULL,
    name text NOT NULL,
    arrival bigint NOT NULL,
    PRIMARY KEY (account_id, name)
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE stream (
    stream_id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX stream_account ON stream (account_id, expires_at);
CREATE INDEX stream_expiry ON stream (expires_at);

CREATE TABLE secret (
    name text PRIMARY KEY,
    value bytea NOT NULL
);
