UPDATE report
SET state = 1,
    phase = coalesce(phase, 0),
    attempt = attempt + 1,
    lease_token = lease_token + 1,
    lease_until = ?1 + ?4,
    claimed_at = ?1,
    worker = ?2,
    started_at = coalesce(started_at, max(?1, updated_at)),
    updated_at = CASE WHEN state = 0 THEN max(?1, updated_at) ELSE updated_at END
WHERE report_id IN (
    SELECT report_id FROM (
        SELECT report_id FROM (
            SELECT report_id FROM report
            WHERE state = 1 AND lease_until <= ?1 AND attempt < ?5
            ORDER BY lease_until LIMIT ?3)
        UNION ALL
        SELECT report_id FROM (
            SELECT report_id FROM report
            WHERE state = 0
            ORDER BY turn, created_at, report_id LIMIT ?3))
    LIMIT ?3)
RETURNING report_id, lease_token, text, language, domain_slug, text_type_slug, attempt
