DELETE FROM stream WHERE expires_at <= (SELECT glosa_now($1))
