DELETE FROM portal_session WHERE digest = ?1
