WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now)
SELECT now, CASE WHEN EXISTS (SELECT 1 FROM report WHERE state = 0)
                   OR EXISTS (SELECT 1 FROM report WHERE state = 1 AND lease_until <= (SELECT now FROM clock))
            THEN 1::bigint ELSE 0::bigint END AS work
FROM clock
