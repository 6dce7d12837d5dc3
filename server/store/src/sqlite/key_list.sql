SELECT key_id, account_id, label, hint, created_at, revoked_at, last_used_at FROM api_key WHERE account_id = ?1 ORDER BY created_at DESC, key_id DESC
