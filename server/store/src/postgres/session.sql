SELECT set_config('client_min_messages', 'error', false),
       set_config('lock_timeout', '5s', false),
       set_config('statement_timeout', '25s', false),
       set_config('idle_in_transaction_session_timeout', '30s', false),
       set_config('log_parameter_max_length_on_error', '0', false)
