WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now)
UPDATE report
SET next_poll_at = now + 1000000 * least($5, greatest($4,
    (coalesce(estimated_seconds, 0) * 1000000 - (now - coalesce(started_at, now)) + 3999999) / 4000000))
FROM clock
WHERE report_id = $2 AND account_id = $3 AND state < 2 AND next_poll_at <= now + $6
