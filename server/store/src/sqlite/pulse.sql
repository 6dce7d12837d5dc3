SELECT ?1, EXISTS (SELECT 1 FROM report WHERE state = 0)
        OR EXISTS (SELECT 1 FROM report WHERE state = 1 AND lease_until <= ?1)
