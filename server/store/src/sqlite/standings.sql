SELECT report_id, state, created_at, started_at, updated_at
FROM report
WHERE report_id IN (SELECT unhex(value) FROM json_each(?2))
  AND (expires_at IS NULL OR expires_at > ?1)
