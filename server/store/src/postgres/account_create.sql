INSERT INTO account (account_id, name, created_at) VALUES ($2, $3, glosa_now($1))
ON CONFLICT (name) DO NOTHING
RETURNING account_id, name, active::int::bigint AS active, created_at
