UPDATE portal_session SET form = ?2 WHERE digest = ?1 AND (form IS NULL OR form <> ?2)
