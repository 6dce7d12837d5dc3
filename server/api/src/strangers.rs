//! Addresses that present wrong keys again and again. Beyond a rate their keys are refused without being looked up, unless this process
//! knows the key already; the answer is the same 401, so nothing is learnt from it.
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const ADDRESSES: usize = 20_000;
const PERIOD: Duration = Duration::from_secs(60);

/// Counts wrong keys by address: `per_minute` at once, then at that rate (generic cell rate algorithm).
#[derive(Debug)]
pub struct Strangers {
    per_minute: u32,
    arrivals: Mutex<HashMap<IpAddr, Instant>>,
}

impl Strangers {
    /// 0 is no limit.
    pub fn new(per_minute: u32) -> Self {
        Self { per_minute, arrivals: Mutex::default() }
    }

    fn ahead(&self, address: IpAddr, now: Instant) -> Duration {
        let arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        arrivals.get(&address).map_or(Duration::ZERO, |arrival| arrival.saturating_duration_since(now))
    }

    /// Whether keys of this address are refused unseen now.
    pub fn is_refused(&self, address: Option<IpAddr>) -> bool {
        self.is_refused_at(address, Instant::now())
    }

    fn is_refused_at(&self, address: Option<IpAddr>, now: Instant) -> bool {
        match address {
            Some(address) if self.per_minute > 0 => self.ahead(address, now) + PERIOD / self.per_minute > PERIOD,
            _ => false,
        }
    }

    /// Counts a wrong key.
    pub fn count(&self, address: Option<IpAddr>) {
        self.count_at(address, Instant::now());
    }

    fn count_at(&self, address: Option<IpAddr>, now: Instant) {
        let Some(address) = address.filter(|_| self.per_minute > 0) else { return };
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        if arrivals.len() >= ADDRESSES && !arrivals.contains_key(&address) {
            arrivals.retain(|_, arrival| *arrival > now);
            if arrivals.len() >= ADDRESSES {
                return;
            }
        }
        let arrival = arrivals.entry(address).or_insert(now);
        *arrival = (*arrival).max(now) + PERIOD / self.per_minute;
    }
}

/// The address that a request comes from. A peer on a loopback or private address may be a proxy: the last entry of its
/// `X-Forwarded-For` counts, and without one nobody can be told apart. IPv6 networks of 64 bits are one address.
pub fn origin(peer: Option<IpAddr>, headers: &HeaderMap) -> Option<IpAddr> {
    let peer = peer?;
    if !is_private(peer) {
        return Some(network(peer));
    }
    let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    let last = last.rsplit(',').next()?.trim();
    let address = last.parse::<IpAddr>().ok().or_else(|| Some(last.parse::<std::net::SocketAddr>().ok()?.ip()))?;
    Some(network(address.to_canonical()))
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn an_address_is_refused_after_its_share_and_forgiven_with_time() {
        let strangers = Strangers::new(20);
        let (one, other) = (address("203.0.113.1"), address("203.0.113.2"));
        let now = Instant::now();
        for _ in 0..20 {
            assert!(!strangers.is_refused_at(one, now));
            strangers.count_at(one, now);
        }
        assert!(strangers.is_refused_at(one, now));
        assert!(!strangers.is_refused_at(other, now) && !strangers.is_refused_at(None, now));
        assert!(strangers.is_refused_at(one, now + Duration::from_secs(2)));
        assert!(!strangers.is_refused_at(one, now + Duration::from_secs(3)));
        assert!(!Strangers::new(0).is_refused_at(one, now));
    }

    #[test]
    fn proxies_speak_for_their_clients() {
        let forwarded = |value: &'static str| {
            HeaderMap::from_iter([("x-forwarded-for".parse().unwrap(), HeaderValue::from_static(value))])
        };
        let none = HeaderMap::new();
        assert_eq!(origin(address("198.51.100.7"), &forwarded("203.0.113.1")), address("198.51.100.7"));
        assert_eq!(origin(address("127.0.0.1"), &forwarded("203.0.113.9, 203.0.113.1")), address("203.0.113.1"));
        assert_eq!(origin(address("10.0.0.2"), &forwarded("[2001:db8::1]:443")), address("2001:db8::"));
        assert_eq!(origin(address("2001:db8:0:0:1::9"), &none), address("2001:db8::"));
        for (peer, headers) in [("127.0.0.1", &none), ("::1", &forwarded("nobody"))] {
            assert_eq!(origin(address(peer), headers), None);
        }
    }
}
