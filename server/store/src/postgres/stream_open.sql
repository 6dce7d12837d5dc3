WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now)
INSERT INTO stream (stream_id, account_id, expires_at)
SELECT $2, $3, now + $4 FROM clock
WHERE (SELECT count(*) FROM stream WHERE account_id = $3 AND expires_at > (SELECT now FROM clock)) < $5
RETURNING stream_id
