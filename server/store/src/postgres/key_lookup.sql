SELECT k.digest, k.account_id, k.key_id
FROM api_key k JOIN account a ON a.account_id = k.account_id
WHERE k.lookup = $1 AND k.revoked_at IS NULL AND a.active
