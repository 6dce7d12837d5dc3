//! Which coding of an answer the caller accepts: gzip, or the answer as it is. No wish of a caller is a reason to refuse a request, so
//! whatever else `Accept-Encoding` says, even that nothing is welcome, gets the answer as it is (RFC 9110, 12.5.3 leaves it to us).
use axum::extract::Request;
use axum::http::header::ACCEPT_ENCODING;
use axum::http::{HeaderMap, HeaderValue};

/// Leaves the request with a plain wish for gzip or none.
pub fn simplified(mut request: Request) -> Request {
    let gzip = accepts_gzip(request.headers());
    request.headers_mut().remove(ACCEPT_ENCODING);
    if gzip {
        request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    request
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let mut any = false;
    for wish in
        headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(','))
    {
        let mut parts = wish.split(';').map(str::trim);
        let coding = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight =
            parts.filter_map(|part| part.split_once('=')).find(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
        let wanted = weight.is_none_or(|(_, weight)| weight.trim().parse::<f32>().is_ok_and(|weight| weight > 0.0));
        match coding.as_str() {
            "gzip" | "x-gzip" => return wanted,
            "*" => any = wanted,
            _ => {}
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_a_wish_among_others() {
        for (wishes, gzip) in [
            (&["gzip"][..], true),
            (&["br, GZIP;q=0.5"], true),
            (&["br", "x-gzip"], true),
            (&["*"], true),
            (&["identity;q=0, *;q=0.1"], true),
            (&["*;q=0, gzip"], true),
            (&["gzip;q=0, *"], false),
            (&["gzip; Q=0.000"], false),
            (&["gzip;q=much"], false),
            (&["br, *;q=0"], false),
            (&["identity;q=0"], false),
            (&[""], false),
            (&[], false),
        ] {
            let headers = wishes.iter().map(|wish| (ACCEPT_ENCODING, HeaderValue::from_static(wish)));
            assert_eq!(accepts_gzip(&headers.collect()), gzip, "{wishes:?}");
        }
    }
}
