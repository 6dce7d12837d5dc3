SELECT account_id, name, active::int::bigint AS active, created_at FROM account WHERE name = $1
