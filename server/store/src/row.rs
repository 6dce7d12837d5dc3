//! From stored numbers and bytes to values, with an error for what cannot have been stored by this program.
use crate::driver::Row;
use crate::error::Fault;
use crate::{ReportPhase, ReportStatus, StoreError};
use jiff::Timestamp;

impl Row {
    /// A time, stored as microseconds.
    pub(crate) fn instant(&self, column: &'static str) -> Result<Timestamp, Fault> {
        Ok(instant(self.get(column)?)?)
    }

    /// A time or none.
    pub(crate) fn instant_or_none(&self, column: &'static str) -> Result<Option<Timestamp>, Fault> {
        Ok(self.get::<Option<i64>>(column)?.map(instant).transpose()?)
    }

    /// A whole number that is never negative, or none.
    pub(crate) fn count_or_none(&self, column: &'static str) -> Result<Option<u32>, Fault> {
        Ok(self.get::<Option<i64>>(column)?.map(|number| number as u32))
    }

    /// The state of a report.
    pub(crate) fn status(&self, column: &'static str) -> Result<ReportStatus, Fault> {
        Ok(ReportStatus::from_code(self.get(column)?).ok_or(StoreError::Damaged { what: "state" })?)
    }

    /// What a running analysis is doing, or none.
    pub(crate) fn phase_or_none(&self, column: &'static str) -> Result<Option<ReportPhase>, Fault> {
        let phase = |code| ReportPhase::from_code(code).ok_or(StoreError::Damaged { what: "phase" });
        Ok(self.get::<Option<i64>>(column)?.map(phase).transpose()?)
    }

    /// Text that is stored as bytes, because PostgreSQL's own text has no U+0000. `what` names it in errors.
    pub(crate) fn utf8(&self, column: &'static str, what: &'static str) -> Result<String, Fault> {
        Ok(utf8(what, self.get(column)?)?)
    }

    /// The same, or none.
    pub(crate) fn utf8_or_none(&self, column: &'static str, what: &'static str) -> Result<Option<String>, Fault> {
        Ok(self.get::<Option<Vec<u8>>>(column)?.map(|bytes| utf8(what, bytes)).transpose()?)
    }
}

fn instant(microseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(microseconds).map_err(|_| StoreError::Damaged { what: "time" })
}

fn utf8(what: &'static str, bytes: Vec<u8>) -> Result<String, StoreError> {
    String::from_utf8(bytes).map_err(|_| StoreError::Damaged { what })
}
