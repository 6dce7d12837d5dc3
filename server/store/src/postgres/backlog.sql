SELECT (SELECT count(*) FROM report WHERE state = 0),
       (SELECT count(*) FROM report WHERE state = 1),
       (SELECT created_at FROM report WHERE state = 0 ORDER BY created_at LIMIT 1),
       (SELECT started_at FROM report WHERE state = 1 ORDER BY started_at LIMIT 1),
       glosa_now($1)
