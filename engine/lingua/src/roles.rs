//! Which words may stand where: adverbs that modify an adjective, conjunctions that only open a sentence, words that link or that
//! open a relative clause. Replacements ask for it before they are offered.
//!
//! The words are data, `roles/<language>.tsv`.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use glosa_text::{Language, normal_form};

/// The words of one role: whole ones, and endings.
#[derive(Debug, Default)]
struct Role {
    words: HashSet<&'static str>,
    order: Vec<&'static str>,
    endings: Vec<&'static str>,
}

type Roles = HashMap<&'static str, Role>;

fn read(data: &'static str) -> Roles {
    let mut roles = Roles::new();
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, words)) = line.split_once('\t') else { continue };
        let role = roles.entry(name).or_default();
        for word in words.split('\t') {
            match word.strip_prefix('-') {
                Some(ending) => role.endings.push(ending),
                None => {
                    role.words.insert(word);
                    role.order.push(word);
                }
            }
        }
    }
    roles
}

/// Whether words of a language have a role; a role that the language does not list has none.
pub fn is_listed(language: Language, role: &str, words: &str) -> bool {
    let Some(role) = roles(language).get(role) else { return false };
    let words = normal_form(words);
    role.words.contains(words.as_str()) || role.endings.iter().any(|ending| words.ends_with(ending))
}

/// A determiner of one gender as the other: `masculine` and `feminine` list them in the same order.
pub fn counterpart(language: Language, form: &str, gender: &str) -> Option<&'static str> {
    let (masculine, feminine) = (roles(language).get("masculine")?, roles(language).get("feminine")?);
    let form = normal_form(form);
    let at = [masculine, feminine].iter().find_map(|role| role.order.iter().position(|word| *word == form))?;
    match gender {
        "Masc" => masculine.order.get(at).copied(),
        "Fem" => feminine.order.get(at).copied(),
        _ => None,
    }
}

fn roles(language: Language) -> &'static Roles {
    static ALL: OnceLock<[Roles; 3]> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        [
            read(include_str!("../roles/es.tsv")),
            read(include_str!("../roles/ca.tsv")),
            read(include_str!("../roles/en.tsv")),
        ]
    });
    match language {
        Language::Es => &all[0],
        Language::Ca => &all[1],
        Language::En => &all[2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_endings() {
        assert!(is_listed(Language::Es, "modifier", "Muy") && is_listed(Language::Es, "modifier", "totalmente"));
        assert!(!is_listed(Language::Es, "modifier", "enseguida") && !is_listed(Language::En, "modifier", "before"));
        assert!(is_listed(Language::Ca, "opening", "com que") && !is_listed(Language::Ca, "opening", "perquè"));
        assert!(!is_listed(Language::Ca, "no such role", "perquè"));
    }

    #[test]
    fn determiners_have_a_counterpart() {
        for (language, form, gender, other) in [
            (Language::Es, "el", "Fem", Some("la")),
            (Language::Es, "Las", "Masc", Some("los")),
            (Language::Es, "este", "Masc", Some("este")),
            (Language::Ca, "les seves", "Masc", None),
            (Language::Ca, "dues", "Masc", Some("dos")),
            (Language::En, "the", "Masc", None),
        ] {
            assert_eq!(counterpart(language, form, gender), other, "{form}");
        }
        for language in [Language::Es, Language::Ca] {
            let pairs = roles(language);
            assert_eq!(pairs["masculine"].order.len(), pairs["feminine"].order.len());
        }
    }
}
