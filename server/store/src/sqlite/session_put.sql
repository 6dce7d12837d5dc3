INSERT INTO portal_session (digest, person_id, expires_at)
SELECT ?2, person_id, ?1 + ?5 FROM person WHERE person_id = ?3 AND password = ?4
