SELECT account_id, name, active::int::bigint, created_at FROM account WHERE name = $1
