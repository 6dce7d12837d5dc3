//! How the answers of operations are described beside their bodies: refusals from the table of problem codes, so that each stands once
//! and an operation only names its own, and answers without a body of JSON.
use crate::problem::Code;
use std::collections::BTreeMap;
use utoipa::IntoResponses;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{ContentBuilder, Header, Ref, RefOr, Response, ResponseBuilder};

/// Answers by status.
pub type Described = BTreeMap<String, RefOr<Response>>;

/// What every operation can be refused with.
const ALWAYS: &[Code] = &[
    Code::BadRequest,
    Code::Unauthorized,
    Code::MethodNotAllowed,
    Code::UriTooLong,
    Code::RateLimited,
    Code::HeadersTooLarge,
    Code::InternalError,
    Code::ProtectionUnavailable,
];

fn header(description: &str) -> Header {
    let text = ObjectBuilder::new().schema_type(SchemaType::Type(Type::String));
    HeaderBuilder::new().schema(Some(text)).description(Some(description)).build()
}

fn refusal(codes: &[Code]) -> Response {
    let told: Vec<String> = codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.meaning())).collect();
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("ApiProblem"))).build();
    let response = ResponseBuilder::new().description(told.join("\n\n")).content("application/problem+json", problem);
    match codes.first().map_or(500, |code| code.status().as_u16()) {
        401 => response.header("WWW-Authenticate", header("`Bearer`.")),
        405 => response.header("Allow", header("The methods that the address has.")),
        429 | 503 => response.header("Retry-After", header("Seconds to wait before the request may come again.")),
        _ => response,
    }
    .build()
}

/// The refusals of an operation that has these codes of its own.
pub fn described(own: &[Code]) -> Described {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in own.iter().chain(ALWAYS) {
        by_status.entry(code.status().as_u16()).or_default().push(*code);
    }
    by_status.into_iter().map(|(status, codes)| (status.to_string(), refusal(&codes).into())).collect()
}

/// Names the refusals of an operation.
macro_rules! refusals {
    ($name:ident: $($code:ident)+) => {
        struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> crate::refusals::Described {
                crate::refusals::described(&[$(crate::problem::Code::$code),+])
            }
        }
    };
}
pub(crate) use refusals;

/// A catalog that the caller has already.
pub struct Unchanged;

impl IntoResponses for Unchanged {
    fn responses() -> Described {
        let response = ResponseBuilder::new()
            .description("The catalog is the one whose tag was sent in `If-None-Match`.")
            .header("ETag", header("Tag of the catalog in this state."))
            .header("Vary", header("`Accept-Encoding`."));
        BTreeMap::from([("304".to_owned(), response.build().into())])
    }
}

/// An event stream.
pub struct Events;

impl IntoResponses for Events {
    fn responses() -> Described {
        let response = ResponseBuilder::new()
            .description("The event stream; the data of each event is a ReportEvent.")
            .content("text/event-stream", ContentBuilder::new().build())
            .header("X-Accel-Buffering", header("`no`: proxies pass events on as they come."));
        BTreeMap::from([("200".to_owned(), response.build().into())])
    }
}
