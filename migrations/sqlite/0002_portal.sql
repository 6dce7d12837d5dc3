-- People who log in to the portal, their sessions, and the links with which they set a password. Secrets are kept as digests.

CREATE TABLE person (
    person_id BLOB NOT NULL PRIMARY KEY,
    account_id BLOB NOT NULL REFERENCES account,
    email TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    -- Argon2id in the PHC string format; none until the invitation is accepted
    password TEXT,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX person_account ON person (account_id);

CREATE TABLE password_link (
    digest BLOB NOT NULL PRIMARY KEY,
    person_id BLOB NOT NULL REFERENCES person ON DELETE CASCADE,
    -- 0 invitation, 1 reset
    purpose INTEGER NOT NULL CHECK (purpose BETWEEN 0 AND 1),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX password_link_person ON password_link (person_id);
CREATE INDEX password_link_expiry ON password_link (expires_at);

CREATE TABLE portal_session (
    digest BLOB NOT NULL PRIMARY KEY,
    person_id BLOB NOT NULL REFERENCES person ON DELETE CASCADE,
    -- the last form that was acted upon, so that sending it twice acts once
    form BLOB,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX portal_session_person ON portal_session (person_id);
CREATE INDEX portal_session_expiry ON portal_session (expires_at);

ALTER TABLE api_key ADD COLUMN last_used_at INTEGER;
