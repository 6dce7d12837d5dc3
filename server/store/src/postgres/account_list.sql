SELECT account_id, name, active::int::bigint, created_at FROM account ORDER BY created_at, account_id
