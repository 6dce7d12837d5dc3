//! What the tests stand on: databases of both kinds, server processes, a raw HTTP client that holds every answer to the description
//! of the interface.
pub mod client;
pub mod database;
pub mod files;
pub mod inside;
pub mod kept;
pub mod process;
pub mod schema;
pub mod stream;
pub mod world;

#[allow(unused_imports, reason = "each test program uses its share of the harness")]
pub use client::{Client, Response};
pub use database::{Database, Kind};
pub use process::Process;
pub use world::World;

use std::time::{Duration, Instant};

/// Waits until something holds.
///
/// # Panics
/// After a minute.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
