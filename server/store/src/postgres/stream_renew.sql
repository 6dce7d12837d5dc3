UPDATE stream SET expires_at = (SELECT glosa_now($1)) + $2
WHERE stream_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text($3::json)))
