DELETE FROM password_link WHERE digest = $2 AND purpose = $3 AND expires_at > (SELECT glosa_now($1)) RETURNING person_id
