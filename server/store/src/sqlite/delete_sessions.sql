DELETE FROM portal_session WHERE expires_at <= ?1
