//! Syllables of a written word: rules for Spanish and Catalan, an exception table and a vowel-group rule for English.

use glosa_text::{Language, normal_form};
use rustc_hash::FxHashMap;

/// Counts the syllables of words of one language.
#[derive(Debug)]
pub struct Syllables {
    language: Language,
    exceptions: FxHashMap<&'static str, u8>,
}

impl Syllables {
    /// The counter of a language with its exceptions (`word`, tab, count).
    pub fn new(language: Language) -> Self {
        let data = match language {
            Language::Es => include_str!("../models/es/syllables.tsv"),
            Language::Ca => include_str!("../models/ca/syllables.tsv"),
            Language::En => include_str!("../models/en/syllables.tsv"),
        };
        let exceptions = data
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('\t'))
            .filter_map(|(word, count)| Some((word, count.parse().ok()?)))
            .collect();
        Syllables { language, exceptions }
    }

    /// Syllables of an orthographic word; 0 for numbers and acronyms, which are not counted.
    pub fn count(&self, word: &str) -> u16 {
        if word.chars().any(|c| c.is_numeric()) || is_acronym(word) {
            return 0;
        }
        let norm = normal_form(word);
        if let Some(&known) = self.exceptions.get(norm.as_str()) {
            return u16::from(known);
        }
        if self.language == Language::Ca && norm.contains('\'') {
            return catalan_elided(&norm, |part| self.plain(part));
        }
        norm.split(['-', '\'', '·']).map(|part| self.part(part, &norm)).fold(0, u16::saturating_add)
    }

    /// What the rules alone say, without the exception table.
    pub fn by_rule(&self, norm: &str) -> u16 {
        self.plain(norm)
    }

    fn part(&self, part: &str, whole: &str) -> u16 {
        match self.language {
            Language::En if part.len() < whole.len() && matches!(part, "s" | "t" | "ll" | "d" | "m" | "re" | "ve") => {
                let head = whole.split('\'').next().unwrap_or("");
                let sibilant = ["s", "x", "z", "ch", "sh", "ce", "ge", "se", "ze"].iter().any(|e| head.ends_with(e));
                u16::from(part == "s" && sibilant || part == "ve" && head.ends_with('d'))
            }
            _ => match self.exceptions.get(part) {
                Some(&known) => u16::from(known),
                None => self.plain(part),
            },
        }
    }

    fn plain(&self, norm: &str) -> u16 {
        if norm.is_empty() {
            return 0;
        }
        let count = match self.language {
            Language::Es => spanish(norm),
            Language::Ca => catalan(norm),
            Language::En => english(norm),
        };
        count.max(u16::from(norm.chars().any(char::is_alphabetic)))
    }
}

fn is_acronym(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    letters > 1
        && word.chars().all(|c| !c.is_alphabetic() || c.is_uppercase())
        && (letters <= 4 && !word.chars().any(|c| "ÁÉÍÓÚÀÈÒ".contains(c))
            || !word.chars().any(|c| "AEIOUÁÉÍÓÚÀÈÒ".contains(c)))
}

fn strong(c: char) -> bool {
    matches!(
        c,
        'a' | 'e'
            | 'o'
            | 'á'
            | 'é'
            | 'ó'
            | 'à'
            | 'è'
            | 'ò'
            | 'â'
            | 'ê'
            | 'ô'
            | 'ä'
            | 'ö'
            | 'ã'
            | 'õ'
            | 'å'
            | 'æ'
            | 'ø'
    )
}

fn spanish(word: &str) -> u16 {
    let mut letters: Vec<char> = Vec::with_capacity(word.len());
    let source: Vec<char> = word.chars().collect();
    for (i, &c) in source.iter().enumerate() {
        let previous = letters.last().copied();
        let next = source.get(i + 1).copied();
        let silent_u = c == 'u' && matches!(previous, Some('q' | 'g')) && matches!(next, Some('e' | 'i' | 'é' | 'í'));
        if silent_u || c == 'h' && i > 0 && previous != Some('c') {
            continue;
        }
        letters.push(c);
    }
    let stressed = |c: char| matches!(c, 'í' | 'ú' | 'ï');
    let weak = |i: usize| match letters[i] {
        'i' | 'u' | 'ü' => true,
        'y' => {
            i + 1 == letters.len()
                || !letters.get(i + 1).is_some_and(|c| strong(*c) || matches!(c, 'i' | 'u' | 'í' | 'ú'))
        }
        _ => false,
    };
    let mut count = 0;
    let mut previous_vowel: Option<usize> = None;
    for i in 0..letters.len() {
        let c = letters[i];
        let vowel = strong(c) || stressed(c) || weak(i);
        if !vowel {
            previous_vowel = None;
            continue;
        }
        let joins = previous_vowel.is_some_and(|p| {
            let pair_weak = weak(p) || weak(i);
            let hiatus = stressed(letters[p]) && !weak(i) || stressed(c) && !weak(p);
            pair_weak && !hiatus && letters[p] != c
        });
        if !joins {
            count = u16::saturating_add(count, 1);
        }
        previous_vowel = Some(i);
    }
    count
}

fn catalan_vowel(c: char) -> bool {
    strong(c) || matches!(c, 'i' | 'u' | 'í' | 'ú' | 'ï' | 'ü')
}

fn catalan(word: &str) -> u16 {
    let w: Vec<char> = word.chars().collect();
    let prefix = hiatus_prefix(word);
    let mut nucleus = vec![false; w.len()];
    let mut after_falling = false;
    for i in 0..w.len() {
        let c = w[i];
        if !catalan_vowel(c) {
            nucleus[i] = c == 'y'
                && (i == 0 || !catalan_vowel(w[i - 1]) && w[i - 1] != 'n')
                && !w.get(i + 1).is_some_and(|n| catalan_vowel(*n) || *n == 'y');
            after_falling = false;
            continue;
        }
        let previous = i.checked_sub(1).map(|p| w[p]);
        let next = w.get(i + 1).copied();
        let previous_vowel = previous.is_some_and(catalan_vowel);
        let next_vowel = next.is_some_and(catalan_vowel);
        let velar = matches!(previous, Some('q' | 'g'));
        let glide = match c {
            'u' if velar && next_vowel && matches!(next, Some('e' | 'i' | 'é' | 'è' | 'í' | 'ï' | 'ê')) => true,
            'u' if velar && matches!(next, Some('a' | 'o' | 'à' | 'ò' | 'ó')) => true,
            'ü' if velar && next_vowel => true,
            'i' if i == 0 && matches!(next, Some('a' | 'o' | 'u' | 'e' | 'à' | 'ò' | 'ó' | 'é' | 'è')) => true,
            'i' if i == 1
                && previous == Some('h')
                && matches!(next, Some('a' | 'e' | 'o' | 'à' | 'ò' | 'ó' | 'è' | 'é')) =>
            {
                true
            }
            'u' if previous == Some('i') && w[i + 1..] == ['m'] => false,
            'i' | 'u' if previous_vowel && nucleus[i - 1] => {
                let same = previous == Some(c);
                !same && !hiatus_ending(&w, i) && prefix != i
            }
            'i' | 'u' if previous_vowel && !nucleus[i - 1] && after_falling && next_vowel => true,
            _ => false,
        };
        after_falling = glide && previous_vowel;
        nucleus[i] = !glide;
    }
    u16::try_from(nucleus.iter().filter(|n| **n).count()).unwrap_or(u16::MAX)
}

/// Letters of a prefix after which `i` or `u` opens a syllable of its own (`re-unir`, `co-incidir`); 0 for none.
fn hiatus_prefix(word: &str) -> usize {
    let stem = |rest: &str| {
        let mut letters = rest.chars();
        let (first, second, third) = (letters.next(), letters.next(), letters.next());
        match (first, second) {
            (Some('u'), Some('n')) => third.is_some(),
            (Some('i'), Some('n' | 'm' | 'r' | 'l')) => third.is_some_and(|c| !catalan_vowel(c)),
            _ => false,
        }
    };
    let long = ["contra", "auto", "intra", "infra", "extra", "semi", "anti", "micro", "macro", "neo"];
    for prefix in long {
        if word.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(['i', 'u'])) {
            return prefix.len();
        }
    }
    ["pre", "re", "co"].into_iter().find(|p| word.strip_prefix(p).is_some_and(stem)).map_or(0, str::len)
}

fn hiatus_ending(w: &[char], i: usize) -> bool {
    if w[i] != 'i' || i == 0 {
        return false;
    }
    let rest: String = w[i..].iter().collect();
    let stem_vowel = matches!(w[i - 1], 'a' | 'e' | 'o' | 'u');
    if !stem_vowel {
        return false;
    }
    let long_enough = i >= 2 || rest == "ir";
    let endings = [
        "isme", "ismes", "ista", "istes", "ir", "int", "iré", "iràs", "irà", "irem", "ireu", "iran", "iria", "iries",
        "iríem", "iríeu", "irien", "ir-se", "int-se",
    ];
    long_enough && endings.contains(&rest.as_str())
}

fn catalan_elided(norm: &str, count: impl Fn(&str) -> u16) -> u16 {
    norm.split(['\'', '-'])
        .map(|part| if part.chars().any(|c| catalan_vowel(c) || c == 'y') { count(part) } else { 0 })
        .fold(0, u16::saturating_add)
        .max(1)
}

fn english(word: &str) -> u16 {
    let w: Vec<char> = word.chars().collect();
    let n = w.len();
    let vowel = |i: usize| {
        matches!(
            w[i],
            'a' | 'e'
                | 'i'
                | 'o'
                | 'u'
                | 'é'
                | 'è'
                | 'ê'
                | 'á'
                | 'à'
                | 'ä'
                | 'ö'
                | 'ü'
                | 'í'
                | 'ï'
                | 'ó'
                | 'ô'
                | 'ú'
                | 'ñ'
        ) && w[i] != 'ñ'
            || w[i] == 'y' && i > 0
    };
    let mut count: i32 = 0;
    let mut inside = false;
    for i in 0..n {
        let is = vowel(i);
        if is && !inside {
            count += 1;
        }
        inside = is;
    }
    let ends = |s: &str| word.ends_with(s);
    let consonant_before = |back: usize| n > back && !vowel(n - 1 - back);
    let metre = ends("re") && n > 3 && !vowel(n - 3) && w[n - 3] != 'r';
    if ends("e") && !metre && n > 2 && !vowel(n - 2) && !(ends("le") && consonant_before(2)) {
        count -= 1;
    } else if ends("es") && n > 3 && consonant_before(2) {
        let sibilant = ["ses", "zes", "xes", "ces", "ges", "ches", "shes"].iter().any(|e| ends(e));
        let syllabic = ends("les") && consonant_before(3);
        if !sibilant && !syllabic {
            count -= 1;
        }
    } else if ends("ed") && n > 3 && consonant_before(2) && !ends("ted") && !ends("ded") {
        let syllabic = ends("led") && consonant_before(3) && w[n - 4] != 'l' && w[n - 4] != 'r';
        if !syllabic {
            count -= 1;
        }
    }
    for hiatus in ["ia", "io", "iu", "ua", "eo", "ie", "uo"] {
        for (at, _) in word.match_indices(hiatus) {
            let rest = &word[at..];
            let before = &word[..at];
            let fused = match hiatus {
                "ia" => before.ends_with(['c', 't', 's', 'g']) && !rest.starts_with("iat") && !rest.starts_with("iang"),
                "io" => {
                    before.ends_with(['c', 't', 's', 'g', 'l', 'n', 'x', 'h'])
                        && (rest.starts_with("ion") || rest.starts_with("iou"))
                }
                "iu" => false,
                "ua" => before.ends_with(['q', 'g']) || !(rest.starts_with("ual") || rest.starts_with("uat")),
                "eo" => rest.starts_with("eou") || rest.starts_with("eop") || before.ends_with('g'),
                "ie" => {
                    !(rest.starts_with("ier") && before.len() > 3
                        || rest.starts_with("iet")
                        || rest.starts_with("ient") && !before.ends_with(['c', 't']))
                }
                _ => !before.ends_with("d"),
            };
            if !fused {
                count += 1;
            }
        }
    }
    if ends("ism") || ends("isms") || ends("thm") {
        count += 1;
    }
    if ends("ely") || ends("eful") || ends("eless") || ends("ement") || ends("ements") {
        let stem = n - if ends("ely") {
            3
        } else if ends("eful") {
            4
        } else if ends("eless") || ends("ement") {
            5
        } else {
            6
        };
        if stem > 1 && !vowel(stem - 1) {
            count -= 1;
        }
    }
    if word.starts_with("mc") && n > 2 {
        count += 1;
    }
    u16::try_from(count.max(1)).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, words: &[(&str, u16)]) {
        let counter = Syllables::new(language);
        for (word, count) in words {
            assert_eq!(counter.count(word), *count, "{word}");
        }
    }

    #[test]
    fn spanish_rules() {
        check(
            Language::Es,
            &[
                ("día", 2),
                ("baúl", 2),
                ("poeta", 3),
                ("ahumar", 2),
                ("ciudad", 2),
                ("construir", 2),
                ("buey", 1),
                ("guerra", 2),
                ("pingüino", 3),
                ("rey", 1),
                ("reyes", 2),
                ("yo", 1),
                ("administración", 5),
                ("prohíbe", 3),
                ("BOE", 0),
                ("12", 0),
                ("averiguáis", 4),
                ("y", 1),
                ("leer", 2),
                ("chiita", 3),
                ("muy", 1),
                ("hoy", 1),
                ("donación", 3),
                ("a", 1),
                ("aéreo", 4),
            ],
        );
    }

    #[test]
    fn catalan_rules() {
        check(
            Language::Ca,
            &[
                ("quatre", 2),
                ("qüestió", 3),
                ("ciència", 4),
                ("història", 4),
                ("dues", 2),
                ("aire", 2),
                ("meu", 1),
                ("noia", 2),
                ("diuen", 2),
                ("cauen", 2),
                ("iode", 2),
                ("veïna", 3),
                ("país", 2),
                ("agrair", 3),
                ("traduint", 3),
                ("l'escola", 3),
                ("donar-los", 3),
                ("col·lecció", 4),
                ("guerra", 2),
                ("aigua", 2),
                ("peix", 1),
                ("hi", 1),
                ("s'hi", 1),
                ("egoisme", 4),
            ],
        );
    }
}
