WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now)
UPDATE report
SET lease_until = now + $5, phase = greatest(phase, $4)
FROM clock
WHERE report_id = $2 AND lease_token = $3 AND state = 1 AND claimed_at + $6 > now
