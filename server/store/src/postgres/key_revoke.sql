UPDATE api_key SET revoked_at = glosa_now($1) WHERE key_id = $2 AND account_id = $3 AND revoked_at IS NULL
