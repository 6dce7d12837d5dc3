DELETE FROM portal_session WHERE person_id = ?1
