DELETE FROM idempotency WHERE account_id = ?1 AND key_mac = ?2 AND report_id = ?3
