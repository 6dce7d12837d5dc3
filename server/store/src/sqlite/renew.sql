UPDATE report
SET lease_until = ?1 + ?5, phase = max(phase, ?4)
WHERE report_id = ?2 AND lease_token = ?3 AND state = 1 AND claimed_at + ?6 > ?1
