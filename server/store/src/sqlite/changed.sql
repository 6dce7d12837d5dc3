SELECT report_id, updated_at FROM report WHERE updated_at > ?1 ORDER BY updated_at LIMIT ?2
