UPDATE report
SET state = ?4, result = ?5, failure = ?6, text = NULL, phase = NULL, lease_until = NULL, worker = NULL,
    updated_at = max(?1, updated_at), finished_at = max(?1, updated_at),
    expires_at = max(?1, updated_at) + ?7
WHERE report_id = ?2 AND lease_token = ?3 AND state = 1
