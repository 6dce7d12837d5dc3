UPDATE portal_session SET expires_at = ?1 + ?3 WHERE digest = ?2
