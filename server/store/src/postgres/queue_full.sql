SELECT 1::bigint FROM report WHERE state = 0 ORDER BY created_at OFFSET $1 LIMIT 1
