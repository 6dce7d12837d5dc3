INSERT INTO person (person_id, account_id, email, language, created_at) VALUES (?2, ?3, ?4, ?5, ?1)
ON CONFLICT (email) DO UPDATE SET language = excluded.language WHERE person.account_id = excluded.account_id
RETURNING person_id
