UPDATE report SET promises = ?2 WHERE report_id = ?1 AND state < 2 AND promises IS ?3
