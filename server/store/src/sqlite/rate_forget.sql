DELETE FROM rate_bucket WHERE account_id = ?1 AND name = ?2
