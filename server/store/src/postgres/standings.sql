SELECT report_id, state, created_at, started_at, updated_at
FROM report
WHERE report_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text($2::json)))
  AND (expires_at IS NULL OR expires_at > (SELECT glosa_now($1)))
