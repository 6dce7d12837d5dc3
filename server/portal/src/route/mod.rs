//! The pages, one file each.
pub(crate) mod contact;
pub(crate) mod keys;
pub(crate) mod log_in;
pub(crate) mod password;
pub(crate) mod reset;
pub(crate) mod style;
