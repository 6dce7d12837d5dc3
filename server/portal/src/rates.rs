//! How often strangers may try. Counted in the database, so over all processes.
use glosa_store::RatePolicy;
use std::time::Duration;

const fn policy(name: &'static str, quantity: u32, seconds: u64) -> RatePolicy {
    RatePolicy { name, quantity, period: Duration::from_secs(seconds), burst: quantity }
}

/// Log-ins with one address; a log-in that succeeds forgets those before it.
pub(crate) const LOG_IN_ADDRESS: RatePolicy = policy("portal-log-in", 5, 15 * 60);
/// Log-ins from one network.
pub(crate) const LOG_IN_NETWORK: RatePolicy = policy("portal-log-in-network", 20, 60);
/// Reset letters to one address.
pub(crate) const RESET_ADDRESS: RatePolicy = policy("portal-reset", 5, 3600);
/// Reset requests from one network.
pub(crate) const RESET_NETWORK: RatePolicy = policy("portal-reset-network", 20, 3600);
/// Contact messages from one network.
pub(crate) const CONTACT_NETWORK: RatePolicy = policy("portal-contact", 5, 3600);
