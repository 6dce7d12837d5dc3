//! Normal forms of a word. They live on tokens and in rules; the text itself is never normalised.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization, is_nfc};

fn plain(c: char) -> Option<char> {
    match c {
        '\u{AD}' | '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{FEFF}' => None,
        '’' | 'ʼ' | '‘' | '´' => Some('\''),
        '‐' | '‑' => Some('-'),
        c => Some(c),
    }
}

/// A word in its composed spelling (NFC), with its letter case and marks as they are.
pub(crate) fn composed(word: &str) -> Cow<'_, str> {
    if word.chars().all(|c| c < '\u{300}') || is_nfc(word) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.nfc().collect())
}

/// The form by which words are compared: composed (NFC), lower case, with straight apostrophes and hyphens and
/// without invisible characters; the one character `ŀ` is `l·`. `Sol·licitud’s`, its decomposed spelling and `Soŀlicitud’s`
/// have the same normal form.
pub fn normal_form(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let norm: String = word.nfc().filter_map(plain).flat_map(char::to_lowercase).collect();
    if norm.contains('ŀ') { norm.replace('ŀ', "l·") } else { norm }
}

/// The normal form without diacritics: for comparing headings and names, not words.
pub fn fold(word: &str) -> String {
    normal_form(word).nfd().filter(|c| !is_combining_mark(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_word_are_one() {
        assert_eq!(normal_form("Resolucio\u{301}n"), "resolución");
        assert_eq!(normal_form("L’escola"), "l'escola");
        assert_eq!(normal_form("ad\u{AD}mi\u{AD}nis"), "adminis");
        assert_eq!(normal_form("Co\u{140}legi"), "col·legi");
        assert_eq!(normal_form("CO\u{13F}LEGI"), "col·legi");
        assert_eq!(fold("Ámbito JURÍDICO"), "ambito juridico");
    }
}
