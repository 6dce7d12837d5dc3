//! Weak pronouns and their verb: «envió» with *le* is «le envió», «enviar» with *se, lo* «enviárselo»; Catalan «enviem»
//! with *vos* is «us enviem», «enviar» with it «enviar-vos».
//!
//! Which forms there are is data, `clitics/<language>.tsv`; where the accent of a Spanish verb moves to follows the rules
//! of spelling.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use glosa_text::{Language, normal_form};

use crate::junction::join;

/// Where pronouns stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before a finite verb.
    Before,
    /// After an infinitive, a gerund or an imperative.
    After,
}

/// A pronoun by its place.
#[derive(Debug, Default)]
struct Written {
    before_consonant: &'static str,
    before_vowel: &'static str,
    after_consonant: &'static str,
    after_vowel: &'static str,
}

#[derive(Debug, Default)]
struct Table {
    /// The name of a pronoun by each of its forms: the first form.
    names: BTreeMap<&'static str, &'static str>,
    one: BTreeMap<&'static str, Written>,
    two: BTreeMap<(&'static str, &'static str), Written>,
}

impl Table {
    fn read(data: &'static str) -> Table {
        let mut table = Table::default();
        for line in data.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&'static str> = line.split('\t').collect();
            let field = |n: usize| fields.get(n).copied().unwrap_or_default();
            let written = Written {
                before_consonant: field(2),
                before_vowel: field(3),
                after_consonant: field(4),
                after_vowel: field(5),
            };
            let mut forms = field(1).split(' ');
            let Some(name) = forms.next() else { continue };
            match field(0) {
                "one" => {
                    table.names.extend(std::iter::once(name).chain(forms).map(|form| (form, name)));
                    table.one.insert(name, written);
                }
                "two" => drop(table.two.insert((name, forms.next().unwrap_or_default()), written)),
                _ => {}
            }
        }
        table
    }

    fn of(language: Language) -> Option<&'static Table> {
        static ALL: OnceLock<[Table; 2]> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            [Table::read(include_str!("../clitics/es.tsv")), Table::read(include_str!("../clitics/ca.tsv"))]
        });
        match language {
            Language::Es => Some(&all[0]),
            Language::Ca => Some(&all[1]),
            Language::En => None,
        }
    }

    fn name(&self, form: &str) -> Option<&'static str> {
        self.names.get(normal_form(form).as_str()).copied()
    }
}

/// Whether a form is a weak pronoun of the language.
pub fn is_clitic(language: Language, form: &str) -> bool {
    Table::of(language).is_some_and(|table| table.name(form).is_some())
}

/// A verb with its weak pronouns, given in any of their forms and in their order; `None` where nobody can say how that is
/// written.
pub fn with_clitics(language: Language, verb: &str, clitics: &[&str], side: Side) -> Option<String> {
    let table = Table::of(language)?;
    let names: Vec<&'static str> = clitics.iter().map(|form| table.name(form)).collect::<Option<_>>()?;
    match (language, side) {
        (Language::Es, Side::Before) => Some(format!("{} {verb}", names.join(" "))),
        (Language::Es, Side::After) => spanish_enclitics(verb, &names),
        (_, Side::Before) => {
            let written = match names[..] {
                [one] => table.one.get(one)?,
                [first, second] => table.two.get(&(first, second))?,
                _ => return None,
            };
            let vowel = join(language, "em", verb).starts_with("m'");
            let before = if vowel { written.before_vowel } else { written.before_consonant };
            let space = if before.ends_with('\'') { "" } else { " " };
            Some(format!("{before}{space}{verb}"))
        }
        (_, Side::After) => {
            let [one] = names[..] else { return None };
            let written = table.one.get(one)?;
            let vowel = verb.ends_with(['a', 'e', 'i', 'o', 'à', 'é', 'è', 'í', 'ó', 'ò']);
            Some(format!("{verb}{}", if vowel { written.after_vowel } else { written.after_consonant }))
        }
    }
}

/// One word of a Spanish verb and pronouns, with the accent that the longer word needs.
fn spanish_enclitics(verb: &str, clitics: &[&str]) -> Option<String> {
    let host = match clitics.first() {
        Some(&"nos") if verb.ends_with("mos") => verb.strip_suffix('s')?,
        Some(&"se") if verb.ends_with("mos") => verb.strip_suffix('s')?,
        Some(&"os") if verb.ends_with('d') && verb.len() > 2 => verb.strip_suffix('d')?,
        _ => verb,
    };
    let nuclei = nuclei(verb);
    let stressed = stress(verb, &nuclei)?;
    let (at, vowel) = nuclei[stressed];
    if at >= host.len() {
        return None;
    }
    let whole = format!("{host}{}", clitics.concat());
    let behind = self::nuclei(&whole).len().checked_sub(stressed + 1)?;
    let open = whole.ends_with(['a', 'e', 'i', 'o', 'u', 'n', 's', 'á', 'é', 'í', 'ó', 'ú']);
    let needed = match behind {
        0 => open,
        1 => !open,
        _ => true,
    };
    let hiatus = matches!(vowel, 'í' | 'ú') && verb[..at].ends_with(['a', 'e', 'o']);
    let written = if needed || hiatus { accented(vowel) } else { bare(vowel) };
    Some(format!("{}{written}{}", &whole[..at], &whole[at + vowel.len_utf8()..]))
}

fn accented(vowel: char) -> char {
    match vowel {
        'a' => 'á',
        'e' => 'é',
        'i' => 'í',
        'o' => 'ó',
        'u' => 'ú',
        other => other,
    }
}

fn bare(vowel: char) -> char {
    match vowel {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' => 'u',
        other => other,
    }
}

/// The vowel of each Spanish syllable that can bear the stress: its place and itself.
fn nuclei(word: &str) -> Vec<(usize, char)> {
    let strong = |c: char| matches!(c, 'a' | 'e' | 'o' | 'á' | 'é' | 'ó' | 'í' | 'ú');
    let vowel = |c: char| strong(c) || matches!(c, 'i' | 'u' | 'ü');
    let mut found: Vec<(usize, char)> = Vec::new();
    let mut before: Option<char> = None;
    let mut inside = false;
    for (at, c) in word.char_indices() {
        let next = word[at + c.len_utf8()..].chars().next();
        let silent = c == 'u' && matches!(before, Some('q' | 'g')) && next.is_some_and(|n| "eiéí".contains(n));
        if !vowel(c) || silent {
            inside = false;
        } else {
            match found.last_mut() {
                Some(last) if inside && !(strong(c) && strong(last.1)) => {
                    if strong(c) || !strong(last.1) {
                        *last = (at, c);
                    }
                }
                _ => found.push((at, c)),
            }
            inside = true;
        }
        before = Some(c);
    }
    found
}

/// The stressed syllable of a Spanish word.
fn stress(word: &str, nuclei: &[(usize, char)]) -> Option<usize> {
    let written = nuclei.iter().position(|(_, vowel)| bare(*vowel) != *vowel);
    let open = word.ends_with(['a', 'e', 'i', 'o', 'u', 'n', 's']);
    let by_rule = nuclei.len().checked_sub(if open && nuclei.len() > 1 { 2 } else { 1 });
    written.or(by_rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_before_and_after() {
        let rows: [(Language, &str, &[&str], Side, &str); 31] = [
            (Language::Es, "envió", &["le"], Side::Before, "le envió"),
            (Language::Es, "entregaron", &["se", "lo"], Side::Before, "se lo entregaron"),
            (Language::Es, "enviar", &["le"], Side::After, "enviarle"),
            (Language::Es, "enviar", &["se", "lo"], Side::After, "enviárselo"),
            (Language::Es, "enviando", &["le"], Side::After, "enviándole"),
            (Language::Es, "enviando", &["se", "lo"], Side::After, "enviándoselo"),
            (Language::Es, "envía", &["me"], Side::After, "envíame"),
            (Language::Es, "envíe", &["nos"], Side::After, "envíenos"),
            (Language::Es, "da", &["me"], Side::After, "dame"),
            (Language::Es, "dé", &["le"], Side::After, "dele"),
            (Language::Es, "da", &["me", "lo"], Side::After, "dámelo"),
            (Language::Es, "reír", &["se"], Side::After, "reírse"),
            (Language::Es, "pague", &["lo"], Side::After, "páguelo"),
            (Language::Es, "consiga", &["lo"], Side::After, "consígalo"),
            (Language::Es, "averigüe", &["lo"], Side::After, "averígüelo"),
            (Language::Es, "vamos", &["nos"], Side::After, "vámonos"),
            (Language::Es, "enviad", &["os"], Side::After, "enviaos"),
            (Language::Ca, "enviem", &["vos"], Side::Before, "us enviem"),
            (Language::Ca, "envia", &["-me"], Side::Before, ""),
            (Language::Ca, "envia", &["me"], Side::Before, "m'envia"),
            (Language::Ca, "paga", &["me"], Side::Before, "em paga"),
            (Language::Ca, "obre", &["ne"], Side::Before, "n'obre"),
            (Language::Ca, "notifica", &["'ls"], Side::Before, "els notifica"),
            (Language::Ca, "notifica", &["nos", "ho"], Side::Before, "ens ho notifica"),
            (Language::Ca, "envia", &["se", "lo"], Side::Before, "se l'envia"),
            (Language::Ca, "enviar", &["us"], Side::After, "enviar-vos"),
            (Language::Ca, "perdre", &["lo"], Side::After, "perdre'l"),
            (Language::Ca, "enviant", &["li"], Side::After, "enviant-li"),
            (Language::Ca, "enviar", &["li", "ho"], Side::After, ""),
            (Language::En, "send", &["it"], Side::After, ""),
            (Language::Es, "envió", &["ello"], Side::Before, ""),
        ];
        for (language, verb, clitics, side, written) in rows {
            let made = with_clitics(language, verb, clitics, side).unwrap_or_default();
            assert_eq!(made, written, "{verb} {clitics:?} {side:?}");
        }
    }
}
