UPDATE portal_session SET expires_at = (SELECT glosa_now($1)) + $3 WHERE digest = $2
