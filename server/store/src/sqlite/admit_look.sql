SELECT arrival, ?1 FROM rate_bucket WHERE account_id = ?2 AND name = ?3
