UPDATE api_key SET last_used_at = ?1 WHERE key_id = ?2 AND (last_used_at IS NULL OR last_used_at <= ?1 - ?3)
