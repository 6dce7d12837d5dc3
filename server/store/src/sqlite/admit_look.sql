SELECT arrival, ?1 AS now FROM rate_bucket WHERE account_id = ?2 AND name = ?3
