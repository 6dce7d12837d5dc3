//! How a word changes to become another form: letters at its end, and accents that move when the stress does
//! (es *joven, jóvenes*; ca *propi, pròpia*).

use glosa_text::Language;

/// What happens to the accent of a vowel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Mark {
    Bare,
    Stressed,
    Diaeresis,
}

/// A change that can be applied to another word with the same ending.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change {
    /// Vowels whose accent changes, counted from the end of what stays, with their new mark.
    marks: Box<[(u8, Mark)]>,
    /// Bytes to drop at the end.
    pub drop: u8,
    /// Text to append.
    append: Box<str>,
}

fn bare(c: char) -> char {
    match c {
        'à' | 'á' => 'a',
        'è' | 'é' => 'e',
        'í' | 'ï' => 'i',
        'ò' | 'ó' => 'o',
        'ú' | 'ü' => 'u',
        c => c,
    }
}

fn mark(c: char) -> Mark {
    match c {
        'ï' | 'ü' => Mark::Diaeresis,
        c if bare(c) != c => Mark::Stressed,
        _ => Mark::Bare,
    }
}

/// Whether a letter is a vowel, with or without a mark.
pub(crate) fn is_vowel(c: char) -> bool {
    matches!(bare(c), 'a' | 'e' | 'i' | 'o' | 'u')
}

fn marked(c: char, mark: Mark, language: Language) -> char {
    match (bare(c), mark, language) {
        (c, Mark::Bare, _) => c,
        ('i', Mark::Diaeresis, _) => 'ï',
        ('u', Mark::Diaeresis, _) => 'ü',
        ('i', ..) => 'í',
        ('u', ..) => 'ú',
        ('a', _, Language::Ca) => 'à',
        ('e', _, Language::Ca) => 'è',
        ('o', _, Language::Ca) => 'ò',
        ('a', ..) => 'á',
        ('e', ..) => 'é',
        ('o', ..) => 'ó',
        (c, ..) => c,
    }
}

impl Change {
    /// The change that leads from `word` to `form`; `None` where more than 255 bytes would change.
    pub fn between(word: &str, form: &str) -> Option<Self> {
        let same: Vec<(char, char)> =
            word.chars().zip(form.chars()).take_while(|(a, b)| a == b || bare(*a) == bare(*b)).collect();
        let marks = same
            .iter()
            .rev()
            .filter(|(a, _)| is_vowel(*a))
            .enumerate()
            .filter(|(_, (a, b))| a != b)
            .map(|(vowel, (_, b))| Some((u8::try_from(vowel).ok()?, mark(*b))))
            .collect::<Option<Box<[_]>>>()?;
        let kept: usize = same.iter().map(|(a, _)| a.len_utf8()).sum();
        let made: usize = same.iter().map(|(_, b)| b.len_utf8()).sum();
        Some(Change { marks, drop: u8::try_from(word.len() - kept).ok()?, append: form[made..].into() })
    }

    /// Applies the change; `None` where the word is too short or would be cut inside a character.
    pub fn apply(&self, word: &str, language: Language) -> Option<String> {
        let kept = word.get(..word.len().checked_sub(usize::from(self.drop))?)?;
        let mut letters: Vec<char> = kept.chars().collect();
        let vowels: Vec<usize> = (0..letters.len()).rev().filter(|i| is_vowel(letters[*i])).collect();
        for (vowel, mark) in &self.marks {
            let at = *vowels.get(usize::from(*vowel))?;
            letters[at] = marked(letters[at], *mark, language);
        }
        letters.extend(self.append.chars());
        Some(letters.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_move() {
        for (language, word, form, other, made) in [
            (Language::Es, "joven", "jóvenes", "orden", "órdenes"),
            (Language::Ca, "propi", "pròpia", "perpetu", "perpètua"),
            (Language::Ca, "propi", "pròpia", "eburni", "ebúrnia"),
            (Language::Es, "camión", "camiones", "reunión", "reuniones"),
            (Language::Es, "enviar", "envía", "expiar", "expía"),
            (Language::En, "carry", "carried", "tarry", "tarried"),
        ] {
            assert_eq!(Change::between(word, form).unwrap().apply(other, language).as_deref(), Some(made));
        }
        assert_eq!(Change::between("propi", "pròpia").unwrap().apply("x", Language::Ca), None);
    }
}
