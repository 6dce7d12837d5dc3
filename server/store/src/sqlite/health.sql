SELECT count(*) FROM (SELECT 1 FROM report LIMIT 1) any_report
