-- People who log in to the portal, their sessions, and the links with which they set a password. Secrets are kept as digests.

CREATE TABLE person (
    person_id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    email text NOT NULL UNIQUE,
    language text NOT NULL,
    -- Argon2id in the PHC string format; none until the invitation is accepted
    password text,
    created_at bigint NOT NULL
);
CREATE INDEX person_account ON person (account_id);

CREATE TABLE password_link (
    digest bytea PRIMARY KEY,
    person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
    -- 0 invitation, 1 reset
    purpose bigint NOT NULL CHECK (purpose BETWEEN 0 AND 1),
    expires_at bigint NOT NULL
);
CREATE INDEX password_link_person ON password_link (person_id);
CREATE INDEX password_link_expiry ON password_link (expires_at);

CREATE TABLE portal_session (
    digest bytea PRIMARY KEY,
    person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
    -- the last form that was acted upon, so that sending it twice acts once
    form bytea,
    expires_at bigint NOT NULL
);
CREATE INDEX portal_session_person ON portal_session (person_id);
CREATE INDEX portal_session_expiry ON portal_session (expires_at);

ALTER TABLE api_key ADD COLUMN last_used_at bigint;
