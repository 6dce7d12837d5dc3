SELECT account_id, name, active, created_at FROM account WHERE name = ?1
