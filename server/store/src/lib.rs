//! Reports, accounts and keys on SQLite and PostgreSQL.
