INSERT INTO stream (stream_id, account_id, expires_at)
SELECT ?2, ?3, ?1 + ?4
WHERE (SELECT count(*) FROM stream WHERE account_id = ?3 AND expires_at > ?1) < ?5
RETURNING stream_id
