//! One suite for both databases: whatever is promised holds on SQLite and on PostgreSQL, over several stores on one database, which
//! is what several processes are to it.
mod accounts;
mod deletion;
mod given_up;
mod idempotency;
mod killed;
mod leases;
mod machine;
mod opening;
mod outage;
mod people;
mod plans;
mod protection;
mod reports;
mod wakeups;
mod world;
