SELECT account_id, name, active::int::bigint AS active, created_at FROM account ORDER BY created_at, account_id
