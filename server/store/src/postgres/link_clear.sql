DELETE FROM password_link WHERE person_id = $1 AND purpose = $2
