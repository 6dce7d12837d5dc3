SELECT i.fingerprint, i.report_id, r.external_id, r.estimated_seconds, r.next_poll_at, r.state, glosa_now($1) AS now, r.promises
FROM idempotency i LEFT JOIN report r ON r.report_id = i.report_id
WHERE i.account_id = $2 AND i.key_mac = $3
