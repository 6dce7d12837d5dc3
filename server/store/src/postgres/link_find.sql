SELECT p.person_id, p.account_id, a.name, p.email, p.language, p.created_at, p.password
FROM password_link l JOIN person p ON p.person_id = l.person_id JOIN account a ON a.account_id = p.account_id
WHERE l.digest = $2 AND l.purpose = $3 AND l.expires_at > (SELECT glosa_now($1)) AND a.active
