INSERT INTO password_link (digest, person_id, purpose, expires_at) VALUES ($2, $3, $4, glosa_now($1) + $5)
