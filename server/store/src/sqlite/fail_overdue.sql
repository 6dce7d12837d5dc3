UPDATE report
SET failure = CASE WHEN state = 1 THEN 'The analysis did not end after several attempts.'
                   ELSE 'The analysis could not be started in time.' END,
    state = 3, text = NULL, phase = NULL, lease_until = NULL, worker = NULL,
    lease_token = lease_token + 1,
    started_at = coalesce(started_at, max(?1, updated_at)),
    updated_at = max(?1, updated_at), finished_at = max(?1, updated_at),
    expires_at = max(?1, updated_at) + ?4
WHERE report_id IN (
    SELECT report_id FROM (
        SELECT report_id FROM report
        WHERE state = 1 AND lease_until <= ?1 AND attempt >= ?2
        ORDER BY lease_until LIMIT 1000)
    UNION ALL
    SELECT report_id FROM (
        SELECT report_id FROM report
        WHERE state = 0 AND created_at <= ?1 - ?3
        ORDER BY created_at LIMIT 1000))
RETURNING report_id
