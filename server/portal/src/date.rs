//! Times as people read them, in coordinated universal time.
use crate::Language;
use crate::texts::fill;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A time for machines and for people.
#[derive(Debug)]
pub(crate) struct Moment {
    /// RFC 3339, for the attribute `datetime`.
    pub(crate) machine: String,
    /// Words.
    pub(crate) words: String,
}

impl Moment {
    pub(crate) fn of(at: Timestamp, language: Language) -> Self {
        let zoned = at.to_zoned(TimeZone::UTC);
        let texts = &language.texts().dates;
        let month = &texts.months[usize::from(zoned.month().unsigned_abs().saturating_sub(1)).min(11)];
        let (day, year) = (zoned.day().to_string(), zoned.year().to_string());
        let date = fill(&texts.date, &[("day", &day), ("month", month), ("year", &year)]);
        let time = format!("{:02}:{:02}", zoned.hour(), zoned.minute());
        Self {
            machine: zoned.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            words: fill(&texts.moment, &[("date", &date), ("time", &time)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_language() {
        let at = "2026-04-01T09:05:07Z".parse().unwrap();
        let words = |language| Moment::of(at, language).words;
        assert_eq!(words(Language::Es), "1 de abril de 2026, 09:05 UTC");
        assert_eq!(words(Language::Ca), "1 d'abril de 2026, 09:05 UTC");
        assert_eq!(words(Language::En), "1 April 2026, 09:05 UTC");
        assert_eq!(Moment::of(at, Language::Es).machine, "2026-04-01T09:05:07Z");
    }
}
