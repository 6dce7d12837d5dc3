SELECT count(*) AS active_keys FROM api_key WHERE account_id = ?1 AND revoked_at IS NULL
