SELECT account_id FROM account WHERE account_id = ?1
