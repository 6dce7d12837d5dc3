//! Identifiers. All are UUIDv7 inside: creation order is index order. A report id is shown as `rep_` and 26 lower-case Crockford
//! base-32 digits; callers treat it as opaque.
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const PREFIX: &str = "rep_";

/// Names one report.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReportId(pub(crate) Uuid);

impl ReportId {
    /// A new id, later than every earlier one of this process.
    #[expect(clippy::new_without_default, reason = "every call gives another value")]
    pub fn new() -> Self {
        Self(Uuid::now_v7())
    }
}

impl fmt::Display for ReportId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0.as_u128();
        out.write_str(PREFIX)?;
        for place in (0..26).rev() {
            let digit = (value >> (place * 5)) & 31;
            write!(out, "{}", DIGITS[digit as usize] as char)?;
        }
        Ok(())
    }
}

impl fmt::Debug for ReportId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The text is not a report id; such a report cannot exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a report id")]
pub struct NotAReportId;

impl FromStr for ReportId {
    type Err = NotAReportId;

    /// Accepts exactly the form that `Display` writes, so that one report has one address.
    fn from_str(text: &str) -> Result<Self, NotAReportId> {
        let digits = text.strip_prefix(PREFIX).ok_or(NotAReportId)?.as_bytes();
        if digits.len() != 26 || digits[0] > b'7' {
            return Err(NotAReportId);
        }
        let mut value = 0u128;
        for byte in digits {
            let digit = DIGITS.iter().position(|known| known == byte).ok_or(NotAReportId)?;
            value = (value << 5) | digit as u128;
        }
        Ok(Self(Uuid::from_u128(value)))
    }
}

macro_rules! uuid_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) Uuid);

        impl $name {
            pub(crate) fn fresh() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, "{}", self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, "{}", self.0)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }
    };
}

uuid_id! {
    /// Names an account: the owner of reports, keys and limits.
    AccountId
}
uuid_id! {
    /// Names an API key without being one.
    KeyId
}
uuid_id! {
    /// Names a person who logs in to the portal.
    PersonId
}
uuid_id! {
    /// Names one open event stream.
    StreamId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_id_has_one_spelling() {
        for value in [0, 1, u128::MAX, Uuid::now_v7().as_u128()] {
            let id = ReportId(Uuid::from_u128(value));
            let shown = id.to_string();
            assert_eq!(shown.len(), 30);
            assert_eq!(shown.parse(), Ok(id));
            assert_eq!(shown.to_uppercase().parse::<ReportId>(), Err(NotAReportId));
        }
        for wrong in [
            "",
            "rep_",
            "rep_80000000000000000000000000",
            "rep_0000000000000000000000000i",
            "rep_ñ0000000000000000000000000",
        ] {
            assert_eq!(wrong.parse::<ReportId>(), Err(NotAReportId), "{wrong}");
        }
    }

    #[test]
    fn report_ids_grow() {
        let ids: Vec<_> = (0..10_000).map(|_| ReportId::new()).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1] && pair[0].to_string() < pair[1].to_string()));
    }

    #[test]
    fn a_hundred_thousand_ids_of_many_threads_are_different() {
        let threads: Vec<_> = (0..8)
            .map(|_| std::thread::spawn(|| (0..12_500).map(|_| ReportId::new().to_string()).collect::<Vec<_>>()))
            .collect();
        let ids: std::collections::HashSet<String> =
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert_eq!(ids.len(), 100_000);
    }
}
