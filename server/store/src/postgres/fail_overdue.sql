WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now),
spent AS MATERIALIZED (
    SELECT report_id FROM report
    WHERE state = 1 AND lease_until <= (SELECT now FROM clock) AND attempt >= $2
    ORDER BY lease_until LIMIT 1000
    FOR UPDATE SKIP LOCKED
),
aged AS MATERIALIZED (
    SELECT report_id FROM report
    WHERE state = 0 AND created_at <= (SELECT now FROM clock) - $3
    ORDER BY created_at LIMIT 1000
    FOR UPDATE SKIP LOCKED
),
chosen AS MATERIALIZED (
    SELECT report_id, 'The analysis did not end after several attempts.' AS failure FROM spent
    UNION ALL
    SELECT report_id, 'The analysis could not be started in time.' FROM aged
)
UPDATE report r
SET state = 3, failure = chosen.failure, text = NULL, phase = NULL, lease_until = NULL, worker = NULL,
    lease_token = r.lease_token + 1,
    started_at = coalesce(r.started_at, greatest(now, r.updated_at)),
    updated_at = greatest(now, r.updated_at), finished_at = greatest(now, r.updated_at),
    expires_at = greatest(now, r.updated_at) + $4
FROM clock, chosen
WHERE r.report_id = chosen.report_id
RETURNING r.report_id
