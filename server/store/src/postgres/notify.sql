SELECT pg_notify('glosa_changes', $1)
