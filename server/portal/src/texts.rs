//! The words of the portal, from `texts/`. A file that lacks a text, or has one that nobody shows, does not load; a test loads them all.
use crate::Language;
use serde::Deserialize;
use std::sync::LazyLock;

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub(crate) struct $name { $(pub(crate) $field: $kind),* }
        )*
    };
}

texts! {
    /// All texts of one language.
    Texts {
        name: String,
        portal: String,
        skip: String,
        choose_language: String,
        error_prefix: String,
        leave: String,
        logged_in: String,
        to_keys: String,
        to_contact: String,
        to_documentation: String,
        dates: Dates,
        fields: Fields,
        log_in: LogIn,
        password: Password,
        dead_link: DeadLink,
        reset: Reset,
        keys: Keys,
        issued: Issued,
        revoke: Revoke,
        contact: Contact,
        notices: Notices,
        refused: Refused,
        mail: Mail,
    }
    Dates {
        months: [String; 12],
        date: String,
        moment: String,
    }
    Fields {
        email: String,
        password: String,
        new_password: String,
        password_again: String,
        password_help: String,
    }
    LogIn {
        title: String,
        lead: String,
        button: String,
        forgotten: String,
        no_account: String,
        ask: String,
        wrong: String,
    }
    Password {
        invitation_title: String,
        invitation_lead: String,
        invitation_button: String,
        reset_title: String,
        reset_lead: String,
        reset_button: String,
        short: String,
        long: String,
        easy: String,
        different: String,
    }
    DeadLink {
        title: String,
        text: String,
        cure: String,
    }
    Reset {
        title: String,
        lead: String,
        button: String,
        invalid: String,
        sent_title: String,
        sent: String,
        off: String,
    }
    Keys {
        title: String,
        lead: String,
        create_title: String,
        label: String,
        label_help: String,
        create: String,
        label_problem: String,
        full: String,
        active_title: String,
        none: String,
        revoked_title: String,
        column_label: String,
        column_hint: String,
        column_created: String,
        column_used: String,
        column_revoked: String,
        column_action: String,
        never: String,
        revoke: String,
        revoke_named: String,
    }
    Issued {
        title: String,
        lead: String,
        value: String,
        usage: String,
        lost: String,
        done: String,
    }
    Revoke {
        title: String,
        lead: String,
        effect: String,
        button: String,
        cancel: String,
    }
    Contact {
        title: String,
        lead: String,
        person: String,
        organisation: String,
        email: String,
        message: String,
        trap: String,
        button: String,
        missing: String,
        often: String,
        sent_title: String,
        sent: String,
        off: String,
        failed: String,
    }
    Notices {
        password_set: String,
        left: String,
        expired: String,
        revoked: String,
        once: String,
    }
    Refused {
        not_found_title: String,
        not_found: String,
        forbidden_title: String,
        forbidden: String,
        method_title: String,
        method: String,
        large_title: String,
        large: String,
        format_title: String,
        format: String,
        key_title: String,
        key: String,
        busy_title: String,
        busy: String,
        internal_title: String,
        internal: String,
        back: String,
    }
    Mail {
        invitation_subject: String,
        invitation_body: String,
        reset_subject: String,
        reset_body: String,
        contact_subject: String,
        contact_body: String,
    }
}

const SOURCES: [(Language, &str); 3] = [
    (Language::Es, include_str!("../texts/es.yaml")),
    (Language::Ca, include_str!("../texts/ca.yaml")),
    (Language::En, include_str!("../texts/en.yaml")),
];

fn load(wanted: Language) -> Texts {
    let (_, source) = SOURCES.iter().find(|(language, _)| *language == wanted).expect("every language has a file");
    serde_saphyr::from_str(source).unwrap_or_else(|error| panic!("texts/{}.yaml: {error}", wanted.code()))
}

impl Texts {
    /// The texts of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ES: LazyLock<Texts> = LazyLock::new(|| load(Language::Es));
        static CA: LazyLock<Texts> = LazyLock::new(|| load(Language::Ca));
        static EN: LazyLock<Texts> = LazyLock::new(|| load(Language::En));
        match language {
            Language::Es => &ES,
            Language::Ca => &CA,
            Language::En => &EN,
        }
    }
}

/// Puts values into the braces of a text, in one pass: what a value holds is never read as braces.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let Some(length) = rest[start..].find('}') else { break };
        let name = &rest[start + 1..start + length];
        out.push_str(&rest[..start]);
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => out.push_str(value),
            None => out.push_str(&rest[start..=start + length]),
        }
        rest = &rest[start + length + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn braces(text: &str) -> Vec<&str> {
        let mut names: Vec<_> = text.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
        names.sort_unstable();
        names
    }

    fn flat(source: &str) -> BTreeMap<String, String> {
        let tree: BTreeMap<String, serde_json::Value> = serde_saphyr::from_str(source).unwrap();
        let mut texts = BTreeMap::new();
        for (name, value) in tree {
            match value {
                serde_json::Value::Object(section) => {
                    texts.extend(section.into_iter().map(|(key, value)| (format!("{name}.{key}"), value.to_string())));
                }
                other => {
                    texts.insert(name, other.to_string());
                }
            }
        }
        texts
    }

    #[test]
    fn every_language_has_every_text_with_the_same_braces() {
        let english = flat(SOURCES[2].1);
        for (language, source) in SOURCES {
            assert!(!language.texts().name.is_empty());
            let texts = flat(source);
            assert_eq!(texts.keys().collect::<Vec<_>>(), english.keys().collect::<Vec<_>>(), "{language:?}");
            for (key, text) in &texts {
                assert_eq!(braces(text), braces(&english[key]), "{language:?}: {key}");
                assert!(text.len() > 2, "{language:?}: {key} is empty");
            }
        }
    }

    #[test]
    fn values_are_not_read_again() {
        assert_eq!(fill("{a} and {b}{c}", &[("a", "{b}"), ("b", "2")]), "{b} and 2{c}");
        assert_eq!(fill("no braces {", &[]), "no braces {");
    }
}
