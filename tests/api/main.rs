//! Black-box tests of the HTTP service: they start the program and talk to it over sockets, on SQLite and on a private PostgreSQL.
//!
//! Every test names the statements of the interface that it covers; `CHECKLIST.md` is the table of statements and tests, made from
//! these names. `UPDATE_CHECKLIST=1 cargo test -p glosa --test api checklist` writes it anew.
#![allow(clippy::disallowed_methods, reason = "starts processes and reads their files")]

mod harness;

/// Tests that run on both databases, with the numbers of the statements that each covers.
macro_rules! statements {
    ($($(#[doc = $doc:literal])* [$($number:literal),+ $(,)?] fn $name:ident($world:ident) $body:block)+) => {
        $(
            $(#[doc = $doc])*
            fn $name($world: &World) $body
        )+

        mod on_sqlite {
            $(#[test] fn $name() { super::$name($crate::harness::World::of($crate::harness::Kind::Sqlite)); })+
        }

        mod on_postgres {
            $(#[test] fn $name() { super::$name($crate::harness::World::of($crate::harness::Kind::Postgres)); })+
        }

        /// Tests of this module and the statements they cover.
        pub const COVERED: &[(&str, &[u16])] = &[$((stringify!($name), &[$($number),+])),+];
    };
}

mod authentication;
mod catalogs;
mod checklist;
mod description;
mod errors;
mod events;
mod hostile;
mod idempotency;
mod limits;
mod load;
mod operators;
mod outage;
mod page;
mod reports;
mod results;
mod secrets;
mod states;
