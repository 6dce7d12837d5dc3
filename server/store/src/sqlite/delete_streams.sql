DELETE FROM stream WHERE expires_at <= ?1
