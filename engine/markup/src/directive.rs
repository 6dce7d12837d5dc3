//! What an author tells in a comment: `glosa off`, `glosa on`, `glosa off: rule-id, rule-id`, `glosa on: rule-id`.

/// What a comment asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// Nothing is analysed from here on.
    Off,
    /// Everything is analysed from here on.
    On,
    /// Rules, by id, are silent from here on.
    RulesOff(Vec<String>),
    /// Rules, by id, speak again.
    RulesOn(Vec<String>),
    /// It speaks to glosa, and says nothing that is known.
    Unknown(String),
}

/// Reads a comment without its marks; `None` for one that does not speak to glosa.
pub(crate) fn parse(comment: &str) -> Option<Directive> {
    let said = comment.trim().strip_prefix("glosa")?;
    if !said.starts_with(char::is_whitespace) {
        return None;
    }
    let said = said.trim();
    let (word, rules) = match said.split_once(':') {
        Some((word, rules)) => (word.trim(), Some(rules)),
        None => (said, None),
    };
    let ids = |rules: &str| -> Vec<String> {
        rules.split([',', ' ', '\t', '\n', '\r']).filter(|id| !id.is_empty()).map(str::to_owned).collect()
    };
    Some(match (word, rules.map(ids)) {
        ("off", None) => Directive::Off,
        ("on", None) => Directive::On,
        ("off", Some(rules)) if !rules.is_empty() => Directive::RulesOff(rules),
        ("on", Some(rules)) if !rules.is_empty() => Directive::RulesOn(rules),
        _ => Directive::Unknown(said.split_whitespace().collect::<Vec<_>>().join(" ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_speak_to_glosa() {
        let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(parse(" glosa off "), Some(Directive::Off));
        assert_eq!(parse("glosa on"), Some(Directive::On));
        assert_eq!(
            parse(" glosa off: nominalisation,  long-sentence "),
            Some(Directive::RulesOff(ids(&["nominalisation", "long-sentence"])))
        );
        assert_eq!(parse(" glosa on : nominalisation"), Some(Directive::RulesOn(ids(&["nominalisation"]))));
        assert_eq!(parse(" glosa of"), Some(Directive::Unknown("of".into())));
        assert_eq!(parse(" glosa off:"), Some(Directive::Unknown("off:".into())));
        for other in [" TODO ", "glosario off", "glosa", ""] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
