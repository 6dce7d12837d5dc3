SELECT 1 FROM report WHERE state = 0 ORDER BY created_at LIMIT 1 OFFSET ?1
