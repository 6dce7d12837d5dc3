//! Black-box tests of the account portal: they start the program, use its pages as a browser without script does, and read the letters
//! it sends, on SQLite and on a private PostgreSQL.
//!
//! Every test names the statements of the interface that it covers; `covered.tsv` is made from these names and goes into the checklist of
//! `tests/api`. `UPDATE_CHECKLIST=1 cargo test -p glosa --test portal covered` writes it anew.
#![allow(clippy::disallowed_methods, reason = "starts processes and reads their files")]

#[path = "../api/harness/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the portal uses its share of the harness")]
mod harness;

/// Tests that run on both databases, with the numbers of the statements that each covers.
macro_rules! statements {
    ($($(#[doc = $doc:literal])* [$($number:literal),* $(,)?] fn $name:ident($kind:ident) $body:block)+) => {
        $(
            $(#[doc = $doc])*
            fn $name($kind: $crate::harness::Kind) $body
        )+

        mod on_sqlite {
            $(#[test] fn $name() { super::$name($crate::harness::Kind::Sqlite); })+
        }

        mod on_postgres {
            $(#[test] fn $name() { super::$name($crate::harness::Kind::Postgres); })+
        }

        /// Tests of this module and the statements they cover.
        pub const COVERED: &[(&str, &[u16])] = &[$((stringify!($name), &[$($number),*])),+];
    };
}

mod browser;
mod covered;
mod forms;
mod invitations;
mod keys;
mod letters;
mod log_in;
mod routes;
mod secrets;
mod town;
