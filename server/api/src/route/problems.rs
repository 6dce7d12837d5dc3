//! `/problems/{code}`: a page for people behind the `type` of every problem.
use crate::extract::PathParts;
use crate::problem::{Code, Problem};
use askama::Template;
use axum::response::Html;

#[derive(Template)]
#[template(path = "problem.html")]
struct Page {
    title: &'static str,
    status: u16,
    code: &'static str,
    meaning: &'static str,
}

/// The page of a problem type.
pub async fn page(path: PathParts) -> Result<Html<String>, Problem> {
    let wanted = path.get("code");
    let code = Code::ALL.iter().find(|code| code.as_str() == wanted);
    let code = code.ok_or_else(|| Problem::new(Code::NotFound, "There is no such problem type."))?;
    let page =
        Page { title: code.title(), status: code.status().as_u16(), code: code.as_str(), meaning: code.meaning() };
    page.render().map(Html).map_err(|_| Problem::internal())
}
