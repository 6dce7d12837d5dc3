WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now)
INSERT INTO report (report_id, account_id, text, language, domain_slug, text_type_slug, external_id, estimated_seconds,
                    created_at, updated_at, next_poll_at, promises, turn)
SELECT $2, $3, $4, $5, $6, $7, $8, $9, now, now, now + $10 * 1000000, $12,
       1 + octet_length($4::bytea) / 1024
       + greatest(coalesce((SELECT turn FROM report WHERE account_id = $3 AND state = 0 ORDER BY turn DESC LIMIT 1), 0),
                  coalesce((SELECT turn - 1 - octet_length(text) / 1024 FROM report WHERE state = 0 ORDER BY turn LIMIT 1), 0))
FROM clock
WHERE NOT EXISTS (SELECT 1 FROM report WHERE account_id = $3 AND state = 0 ORDER BY turn OFFSET $11 - 1 LIMIT 1)
RETURNING created_at
