DELETE FROM stream WHERE stream_id = $1
