DELETE FROM rate_bucket WHERE arrival <= ?1
