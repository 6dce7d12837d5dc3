DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency WHERE expires_at <= (SELECT glosa_now($1))
    ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED))
