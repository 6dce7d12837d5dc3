//! A database with one server without limits, shared by the tests of a kind. Each test has an account of its own.
use super::{Client, Database, Kind, Process};
use std::sync::OnceLock;

/// A database and its server.
#[derive(Debug)]
pub struct World {
    /// The database.
    pub database: Database,
    /// The server.
    pub server: Process,
}

impl World {
    /// The shared world of a kind.
    pub fn of(kind: Kind) -> &'static World {
        static WORLDS: [OnceLock<World>; 2] = [OnceLock::new(), OnceLock::new()];
        WORLDS[kind as usize].get_or_init(|| World::new(kind, &[]))
    }

    /// A world of its own.
    pub fn new(kind: Kind, settings: &[(&str, &str)]) -> World {
        let database = Database::new(kind);
        let server = database.serve(settings);
        World { database, server }
    }

    /// A world of its own without workers: reports stay queued.
    pub fn without_workers(kind: Kind, settings: &[(&str, &str)]) -> World {
        let database = Database::new(kind);
        let server = database.serve_only(settings);
        World { database, server }
    }

    /// The kind of its database.
    pub fn kind(&self) -> Kind {
        self.database.kind
    }

    /// A client with the key of a new account.
    pub fn client(&self) -> Client {
        Client::new(&self.server.address, &self.database.key())
    }
}
