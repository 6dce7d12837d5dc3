WITH clock AS MATERIALIZED (SELECT glosa_now($1) AS now)
SELECT r.report_id, r.state, r.phase, r.external_id, r.created_at, r.started_at, r.updated_at, r.finished_at,
       r.estimated_seconds,
       CASE WHEN $4 = 1 AND r.state = 0 THEN 1 + (
           SELECT count(*) FROM (
               SELECT 1 FROM report q
               WHERE q.state = 0 AND (q.turn, q.created_at, q.report_id) < (r.turn, r.created_at, r.report_id)
               LIMIT 999) ahead)
       END AS place,
       CASE WHEN $4 = 1 THEN r.result END AS result,
       r.failure, r.next_poll_at, clock.now, r.promises
FROM report r, clock
WHERE r.report_id = $2 AND r.account_id = $3 AND (r.expires_at IS NULL OR r.expires_at > clock.now)
