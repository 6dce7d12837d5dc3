INSERT INTO report (report_id, account_id, text, language, domain_slug, text_type_slug, external_id, estimated_seconds,
                    created_at, updated_at, next_poll_at, promises, turn)
SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?1, ?1, ?1 + ?10 * 1000000, ?12,
       1 + length(?4) / 1024
       + max(coalesce((SELECT turn FROM report WHERE account_id = ?3 AND state = 0 ORDER BY turn DESC LIMIT 1), 0),
             coalesce((SELECT turn - 1 - length(text) / 1024 FROM report WHERE state = 0 ORDER BY turn LIMIT 1), 0))
WHERE NOT EXISTS (SELECT 1 FROM report WHERE account_id = ?3 AND state = 0 ORDER BY turn LIMIT 1 OFFSET ?11 - 1)
RETURNING created_at
