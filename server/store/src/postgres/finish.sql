WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now)
UPDATE report
SET state = $4, result = $5, failure = $6, text = NULL, phase = NULL, lease_until = NULL, worker = NULL,
    updated_at = greatest(now, updated_at), finished_at = greatest(now, updated_at),
    expires_at = greatest(now, updated_at) + $7
FROM clock
WHERE report_id = $2 AND lease_token = $3 AND state = 1
