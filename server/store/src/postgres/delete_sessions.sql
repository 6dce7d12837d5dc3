DELETE FROM portal_session WHERE expires_at <= (SELECT glosa_now($1))
