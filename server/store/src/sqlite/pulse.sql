SELECT ?1 AS now, EXISTS (SELECT 1 FROM report WHERE state = 0)
        OR EXISTS (SELECT 1 FROM report WHERE state = 1 AND lease_until <= ?1) AS work
