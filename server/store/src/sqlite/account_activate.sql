UPDATE account SET active = ?2 WHERE account_id = ?1
