SELECT arrival, glosa_now($1) FROM rate_bucket WHERE account_id = $2 AND name = $3
