UPDATE report
SET lease_token = lease_token + 1,
    lease_until = glosa_now($1) + CASE WHEN $4 = 0 THEN 0 WHEN attempt = 1 THEN 1000000 ELSE 10000000 END,
    attempt = attempt - CASE WHEN $4 = 0 THEN 1 ELSE 0 END,
    worker = NULL
WHERE report_id = $2 AND lease_token = $3 AND state = 1
