UPDATE person SET password = ?2 WHERE person_id = ?1
