DELETE FROM person WHERE account_id = ?1 AND email = ?2
