//! `/problems/{code}`: a page for people behind the `type` of every problem.
use crate::extract::PathParts;
use crate::problem::{Code, Problem};
use axum::response::Html;

/// The page of a problem type.
pub async fn page(path: PathParts) -> Result<Html<String>, Problem> {
    let wanted = path.get("code");
    let code = Code::ALL.iter().find(|code| code.as_str() == wanted);
    let code = code.ok_or_else(|| Problem::new(Code::NotFound, "There is no such problem type."))?;
    let (title, status, meaning) = (code.title(), code.status().as_u16(), code.meaning());
    Ok(Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <h1>{title}</h1><p>HTTP status {status}, code <code>{wanted}</code></p><p>{meaning}</p></html>\n",
        meaning = escape(meaning),
    )))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
