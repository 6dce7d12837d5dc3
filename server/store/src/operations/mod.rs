//! What every operation does, by subject. Each is written once for both databases; what differs is the SQL, which is in files, and
//! the way to a connection, which is in [`Connections`](crate::store::Connections).
//!
//! `bounded` gives every operation its end and its errors their place: inside, `?` is enough.

mod accounts;
mod keys;
mod people;
mod polling;
mod protection;
mod queue;
mod reports;
mod secret;
mod sessions;
mod submission;
mod sweeping;
mod watching;

pub(crate) use secret::secret;
pub(crate) use watching::watch;
