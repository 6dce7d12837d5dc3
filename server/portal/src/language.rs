//! The languages of the portal, and which one a request wants.
use crate::texts::Texts;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;

/// A language of the portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Spanish.
    Es,
    /// Catalan.
    Ca,
    /// English.
    En,
}

impl Language {
    /// All of them, in the order of the interface.
    pub const ALL: [Self; 3] = [Self::Es, Self::Ca, Self::En];

    /// The code of the interface, also a BCP 47 tag.
    pub fn code(self) -> &'static str {
        match self {
            Self::Es => "es",
            Self::Ca => "ca",
            Self::En => "en",
        }
    }

    /// The language of a code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Its texts.
    pub(crate) fn texts(self) -> &'static Texts {
        Texts::of(self)
    }

    /// The best of `Accept-Language` (RFC 9110, section 12.5.4); English where none fits.
    pub(crate) fn accepted(headers: &HeaderMap) -> Self {
        let wanted = headers.get_all(ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
        let mut best = (0.0, Self::En);
        for range in wanted.flat_map(|value| value.split(',')) {
            let mut parts = range.split(';');
            let tag = parts.next().unwrap_or_default().trim();
            let weight = parts
                .find_map(|part| part.trim().strip_prefix("q="))
                .map_or(1.0, |weight| weight.trim().parse::<f32>().unwrap_or(0.0));
            let primary = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
            if let Some(language) = Self::of_code(&primary)
                && weight > best.0
            {
                best = (weight, language);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_language_wins() {
        let best = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, value.parse().unwrap());
            Language::accepted(&headers)
        };
        for (value, language) in [
            ("ca", Language::Ca),
            ("es-MX,en;q=0.5", Language::Es),
            ("fr, en;q=0.4, ca-ES-valencia;q=0.9", Language::Ca),
            ("de, fr", Language::En),
            ("es;q=0, ca;q=0.1", Language::Ca),
            ("ca;q=x", Language::En),
            ("", Language::En),
        ] {
            assert_eq!(best(value), language, "{value}");
        }
        assert_eq!(Language::accepted(&HeaderMap::new()), Language::En);
    }
}
