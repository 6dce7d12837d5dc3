//! A JSON body, strictly: content type, size, encoding, one value, no key twice, bounded depth. What the value must look like is the
//! business of its route.
use crate::Service;
use crate::problem::{Code, Fault, Problem};
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::time::Duration;
use tokio::time::timeout;
use tokio_stream::StreamExt;

/// What is set aside for a body before any of it is there; its stated length may be a lie.
const FIRST_BYTES: u64 = 64 << 10;

/// Some programs begin a file with it; JSON has no use for it (RFC 8259, 8.1).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The value of the body.
#[derive(Debug)]
pub struct JsonBody(pub Value);

impl FromRequest<Service> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Service) -> Result<Self, Problem> {
        let cap = service.limits().body_bytes;
        let (parts, body) = request.into_parts();
        let patience = service.limits().body_patience;
        let arrived = timeout(patience, read(&parts.headers, body, cap)).await;
        let bytes = arrived.map_err(|_| late(patience))??;
        check_type(&parts.headers)?;
        parse(&bytes).map(Self).map_err(|fault| invalid(vec![fault]))
    }
}

/// The answer to a body with faults.
pub(crate) fn invalid(faults: Vec<Fault>) -> Problem {
    let detail = "The request body is not as the interface describes it.";
    Problem::faults(Code::ValidationError, detail, faults)
}

fn late(patience: Duration) -> Problem {
    let detail = format!("The request body did not arrive within {} seconds.", patience.as_secs());
    Problem::new(Code::RequestTimeout, detail).header(CONNECTION, "close")
}

async fn read(headers: &HeaderMap, body: Body, cap: usize) -> Result<Vec<u8>, Problem> {
    let too_large = || {
        let detail = format!("The request body may have at most {cap} bytes.");
        Problem::new(Code::RequestTooLarge, detail)
    };
    let stated = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if stated.is_some_and(|length| length > cap as u64) {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(stated.unwrap_or(0).min(FIRST_BYTES) as usize);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk
            .map_err(|_| invalid(vec![Fault::of_body("body_incomplete", "The body ended before it was complete")]))?;
        if bytes.len() + chunk.len() > cap {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn check_type(headers: &HeaderMap) -> Result<(), Problem> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let is_json = types.next().is_some_and(|value| value.to_str().is_ok_and(is_json)) && types.next().is_none();
    let is_plain =
        headers.get_all(CONTENT_ENCODING).iter().all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"));
    let mut faults = Vec::new();
    if !is_json {
        faults.push(Fault::of_parameter(
            "header",
            "content-type",
            "content_type",
            "Expected application/json once, in UTF-8",
        ));
    }
    if !is_plain {
        faults.push(Fault::of_parameter(
            "header",
            "content-encoding",
            "content_encoding",
            "Expected a body without content encoding",
        ));
    }
    if faults.is_empty() { Ok(()) } else { Err(invalid(faults)) }
}

/// `application/json`; a parameter may say UTF-8 and nothing else about the characters.
fn is_json(value: &str) -> bool {
    let mut parts = value.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let mut charsets =
        parts.filter_map(|part| part.split_once('=')).filter(|(name, _)| name.eq_ignore_ascii_case("charset"));
    essence.eq_ignore_ascii_case("application/json")
        && charsets.all(|(_, charset)| charset.trim_matches('"').eq_ignore_ascii_case("utf-8"))
}

fn parse(bytes: &[u8]) -> Result<Value, Fault> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if bytes.is_empty() {
        return Err(Fault::of_body("missing", "A JSON object is required"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Fault::of_body("string_unicode", "Expected UTF-8"))?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict.deserialize(&mut reader).and_then(|value| {
        reader.end()?;
        Ok(value)
    });
    value.map_err(|error| {
        let kind = if error.is_data() { "json_duplicate_key" } else { "json_invalid" };
        let place = format!("line {}, column {}", error.line(), error.column());
        let what = match kind {
            "json_duplicate_key" => "An object has the same property twice",
            _ if error.to_string().starts_with("recursion limit") => "The JSON is nested too deeply",
            _ => "Expected one JSON value",
        };
        Fault::of_body(kind, format!("{what} ({place})"))
    })
}

/// Builds a value and refuses a repeated property, which `serde_json::Value` would swallow.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

struct StrictValue(Value);

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Strict.deserialize(deserializer).map(Self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(StrictValue(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, StrictValue(value))) = entries.next_entry::<String, _>()? {
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("repeated property"));
            }
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_property_is_a_fault_at_any_depth() {
        for text in [r#"{"a":1,"a":1}"#, r#"{"b":[{"a":1,"\u0061":2}]}"#] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().kind, "json_duplicate_key", "{text}");
        }
    }

    #[test]
    fn what_is_not_one_json_value_is_a_fault() {
        let deep = "[".repeat(100_000);
        for text in ["{", "{} {}", r#"{"a":"\ud800"}"#, "nul", "'a'", "{\"a\":1e999}", deep.as_str()] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().kind, "json_invalid");
        }
        assert_eq!(parse(b"").unwrap_err().kind, "missing");
        assert_eq!(parse(b"\"\xff\"").unwrap_err().kind, "string_unicode");
    }

    #[test]
    fn every_character_passes_unchanged() {
        let text = "\u{0}\u{feff} e\u{301}\r\n👩\u{200d}👩";
        let body = serde_json::json!({ "text": text }).to_string();
        assert_eq!(parse(body.as_bytes()).unwrap()["text"], text);
    }
}
