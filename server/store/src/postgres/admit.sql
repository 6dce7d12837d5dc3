WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now)
INSERT INTO rate_bucket AS bucket (account_id, name, arrival)
SELECT $2, $3, now + $4 FROM clock
ON CONFLICT (account_id, name) DO UPDATE
SET arrival = greatest(bucket.arrival, excluded.arrival - $4) + $4
WHERE greatest(bucket.arrival, excluded.arrival - $4) + $4 - (excluded.arrival - $4) <= $5
RETURNING arrival, (SELECT now FROM clock) AS now
