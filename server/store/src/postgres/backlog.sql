SELECT (SELECT count(*) FROM report WHERE state = 0) AS queued,
       (SELECT count(*) FROM report WHERE state = 1) AS running,
       (SELECT created_at FROM report WHERE state = 0 ORDER BY created_at LIMIT 1) AS oldest_queued_at,
       (SELECT started_at FROM report WHERE state = 1 ORDER BY started_at LIMIT 1) AS oldest_running_at,
       glosa_now($1) AS now
