//! Files as people write them: what of a file is prose, which blocks it has, and where each word stands in the file.
//!
//! A [`Reading`] takes the prose out of plain text, Markdown or HTML. Code, addresses, quotations, front matter, tags and
//! comments stay outside, and so does what stands between `<!-- glosa off -->` and `<!-- glosa on -->`. [`report`] analyses the
//! prose and puts the result back onto the file: every offset is one of the file, every `text` is what stands there, and an edit
//! that would touch markup is withheld. Two libraries know the formats: `pulldown-cmark` reads Markdown, `html5gum` HTML.
//!
//! It must never know of: files on disk, HTTP, databases, editors.

mod directive;
mod front_matter;
mod html;
mod lines;
mod markdown;
mod prose;
mod reading;
mod report;
mod syntax;

pub use front_matter::{FileSettings, Stated};
pub use lines::{Lines, Position, Unit};
pub use reading::{Fault, Reading};
pub use report::report;
pub use syntax::Syntax;
