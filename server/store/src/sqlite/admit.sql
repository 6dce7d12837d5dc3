INSERT INTO rate_bucket AS bucket (account_id, name, arrival)
VALUES (?2, ?3, ?1 + ?4)
ON CONFLICT (account_id, name) DO UPDATE
SET arrival = max(bucket.arrival, ?1) + ?4
WHERE max(bucket.arrival, ?1) + ?4 - ?1 <= ?5
RETURNING arrival, ?1 AS now
