UPDATE report
SET next_poll_at = ?1 + 1000000 * min(?5, max(?4,
    (coalesce(estimated_seconds, 0) * 1000000 - (?1 - coalesce(started_at, ?1)) + 3999999) / 4000000))
WHERE report_id = ?2 AND account_id = ?3 AND state < 2 AND next_poll_at <= ?1 + ?6
