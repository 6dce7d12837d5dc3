//! Where a request comes from, also through a proxy.
use axum::http::{Extensions, HeaderMap};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The address at the other end of the connection of a request, as the server leaves it in the extensions of the request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The network that a request comes from: an IPv4 address, or the 64 bits of an IPv6 address that one subscriber has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    network: IpAddr,
    shared: bool,
}

impl Origin {
    /// Reads the extensions and headers of a request. A peer on a loopback or private address may be a proxy, so the last entry of its
    /// `X-Forwarded-For` counts. None without a [`Peer`].
    pub fn of(extensions: &Extensions, headers: &HeaderMap) -> Option<Self> {
        let peer = extensions.get::<Peer>()?.0.to_canonical();
        if !is_private(peer) {
            return Some(Self { network: network(peer), shared: false });
        }
        Some(match forwarded(headers) {
            Some(client) => Self { network: network(client), shared: false },
            None => Self { network: network(peer), shared: true },
        })
    }

    /// The first address of the network.
    pub fn network(&self) -> IpAddr {
        self.network
    }

    /// Whether others may be behind the same address: that of a proxy which does not say for whom it speaks.
    pub fn is_shared(&self) -> bool {
        self.shared
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.network {
            IpAddr::V4(address) => write!(out, "{address}"),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                write!(out, "{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }
}

fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    let last = last.rsplit(',').next()?.trim();
    let address = last.parse::<IpAddr>().ok().or_else(|| Some(last.parse::<SocketAddr>().ok()?.ip()))?;
    Some(address.to_canonical())
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

    fn origin(peer: &str, forwarded: &str) -> Option<(String, bool)> {
        let mut extensions = Extensions::new();
        extensions.insert(Peer(peer.parse().unwrap()));
        let mut headers = HeaderMap::new();
        if !forwarded.is_empty() {
            headers.insert("x-forwarded-for", forwarded.parse().unwrap());
        }
        Origin::of(&extensions, &headers).map(|origin| (origin.to_string(), origin.is_shared()))
    }

    #[test]
    fn proxies_speak_for_their_clients() {
        for (peer, forwarded, told, shared) in [
            ("198.51.100.7", "203.0.113.1", "198.51.100.7", false),
            ("127.0.0.1", "203.0.113.9, 203.0.113.1", "203.0.113.1", false),
            ("10.0.0.2", "[2001:db8:1:2:3::9]:443", "2001:db8:1:2::/64", false),
            ("2001:db8:0:0:1::9", "", "2001:db8:0:0::/64", false),
            ("::ffff:192.0.2.9", "", "192.0.2.9", false),
            ("10.0.0.2", "nobody", "10.0.0.2", true),
            ("127.0.0.1", "", "127.0.0.1", true),
            ("::1", "", "0:0:0:0::/64", true),
        ] {
            assert_eq!(origin(peer, forwarded), Some((told.to_owned(), shared)), "{peer} {forwarded}");
        }
        assert_eq!(Origin::of(&Extensions::new(), &HeaderMap::new()), None);
    }
}
