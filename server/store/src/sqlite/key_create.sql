INSERT INTO api_key (key_id, account_id, label, hint, lookup, digest, created_at)
VALUES (?2, ?3, ?4, ?5, ?6, ?7, ?1)
RETURNING key_id, account_id, label, hint, created_at, revoked_at, last_used_at
