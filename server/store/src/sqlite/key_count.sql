SELECT count(*) FROM api_key WHERE account_id = ?1 AND revoked_at IS NULL
