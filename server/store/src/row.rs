//! From stored numbers and bytes to values, with an error for what cannot have been stored by this program.
use crate::{ReportPhase, ReportStatus, StoreError};
use jiff::Timestamp;

pub(crate) fn instant(microseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(microseconds).map_err(|_| StoreError::Damaged { what: "time" })
}

pub(crate) fn instant_or_none(microseconds: Option<i64>) -> Result<Option<Timestamp>, StoreError> {
    microseconds.map(instant).transpose()
}

pub(crate) fn status(code: i64) -> Result<ReportStatus, StoreError> {
    ReportStatus::from_code(code).ok_or(StoreError::Damaged { what: "state" })
}

pub(crate) fn phase(code: Option<i64>) -> Result<Option<ReportPhase>, StoreError> {
    code.map(|code| ReportPhase::from_code(code).ok_or(StoreError::Damaged { what: "phase" })).transpose()
}

pub(crate) fn text(what: &'static str, bytes: Vec<u8>) -> Result<String, StoreError> {
    String::from_utf8(bytes).map_err(|_| StoreError::Damaged { what })
}
