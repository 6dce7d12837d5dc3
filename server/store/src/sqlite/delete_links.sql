DELETE FROM password_link WHERE expires_at <= ?1
