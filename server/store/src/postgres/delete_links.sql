DELETE FROM password_link WHERE expires_at <= (SELECT glosa_now($1))
