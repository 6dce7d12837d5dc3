DELETE FROM rate_bucket WHERE arrival <= (SELECT glosa_now($1))
