SELECT p.person_id, p.account_id, a.name, p.email, p.language, p.created_at, p.password, s.expires_at - (SELECT glosa_now($1)) AS remaining
FROM portal_session s JOIN person p ON p.person_id = s.person_id JOIN account a ON a.account_id = p.account_id
WHERE s.digest = $2 AND s.expires_at > (SELECT glosa_now($1)) AND a.active
