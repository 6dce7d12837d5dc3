SELECT p.person_id, p.account_id, a.name, p.email, p.language, p.created_at, p.password
FROM person p JOIN account a ON a.account_id = p.account_id
WHERE p.email = ?1 AND a.active = 1
