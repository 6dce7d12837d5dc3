UPDATE stream SET expires_at = ?1 + ?2 WHERE stream_id IN (SELECT unhex(value) FROM json_each(?3))
