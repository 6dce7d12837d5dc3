DELETE FROM report WHERE report_id IN (
    SELECT report_id FROM report WHERE expires_at IS NOT NULL AND expires_at <= ?1 ORDER BY expires_at LIMIT 1000)
