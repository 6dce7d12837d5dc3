UPDATE account SET active = ($2 = 1) WHERE account_id = $1
