INSERT INTO account (account_id, name, created_at) VALUES (?2, ?3, ?1)
ON CONFLICT (name) DO NOTHING
RETURNING account_id, name, active, created_at
