INSERT INTO idempotency (account_id, key_mac, fingerprint, report_id, expires_at)
VALUES (?2, ?3, ?4, ?5, ?1 + ?6)
ON CONFLICT (account_id, key_mac) DO UPDATE
SET fingerprint = excluded.fingerprint, report_id = excluded.report_id, expires_at = excluded.expires_at
WHERE idempotency.expires_at <= ?1
RETURNING report_id
