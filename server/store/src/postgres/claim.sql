WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now),
lapsed AS MATERIALIZED (
    SELECT report_id FROM report
    WHERE state = 1 AND lease_until <= (SELECT now FROM clock) AND attempt < $5
    ORDER BY lease_until LIMIT $3
    FOR UPDATE SKIP LOCKED
),
fresh AS MATERIALIZED (
    SELECT report_id FROM report
    WHERE state = 0
    ORDER BY turn, created_at, report_id LIMIT $3 - (SELECT count(*) FROM lapsed)
    FOR UPDATE SKIP LOCKED
),
chosen AS MATERIALIZED (SELECT report_id FROM lapsed UNION ALL SELECT report_id FROM fresh)
UPDATE report r
SET state = 1,
    phase = coalesce(r.phase, 0),
    attempt = r.attempt + 1,
    lease_token = r.lease_token + 1,
    lease_until = clock.now + $4,
    claimed_at = clock.now,
    worker = $2,
    started_at = coalesce(r.started_at, greatest(clock.now, r.updated_at)),
    updated_at = CASE WHEN r.state = 0 THEN greatest(clock.now, r.updated_at) ELSE r.updated_at END
FROM clock, chosen
WHERE r.report_id = chosen.report_id
RETURNING r.report_id, r.lease_token, r.text, r.language, r.domain_slug, r.text_type_slug, r.attempt
