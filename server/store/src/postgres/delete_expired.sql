DELETE FROM report WHERE report_id = ANY (ARRAY(
    SELECT report_id FROM report WHERE expires_at IS NOT NULL AND expires_at <= (SELECT glosa_now($1))
    ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED))
