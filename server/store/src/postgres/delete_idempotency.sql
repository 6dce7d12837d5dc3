DELETE FROM idempotency WHERE (account_id, key_mac) IN (
    SELECT account_id, key_mac FROM idempotency WHERE expires_at <= (SELECT glosa_now($1))
    ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED)
