//! Catalan articles, prepositions and pronouns that an apostrophe joins to a word, by their letters.

/// Letters of the longest word that [`carries_enclitic`].
const LONGEST_CARRIER: usize = 3;

/// What stands before an apostrophe and is a token with it: *l'home*, *d'aquí*, *n'hi ha*.
pub(super) fn is_proclitic(head: &str) -> bool {
    matches!(head, "l" | "d" | "s" | "n" | "m" | "t" | "L" | "D" | "S" | "N" | "M" | "T")
}

/// What stands after an apostrophe: *veure'n*, *donar-me'ls*.
pub(super) fn is_enclitic(tail: &str) -> bool {
    matches!(tail, "n" | "ls" | "ns" | "l" | "s" | "m" | "t" | "us")
}

/// The same where the apostrophe begins the token; also what a writer joins by mistake (*'hi*), and capitals.
pub(super) fn is_detached_enclitic(tail: &str) -> bool {
    is_enclitic(tail) || matches!(tail, "hi" | "ho" | "N" | "LS" | "NS")
}

/// Words with a vowel at the end that an enclitic follows without being part of a verb: *se'n va*, *que'l*.
pub(super) fn carries_enclitic(head: &str) -> bool {
    head.len() <= LONGEST_CARRIER
        && matches!(
            &*head.to_lowercase(),
            "se" | "me" | "te" | "li" | "que" | "no" | "ho" | "hi" | "la" | "us" | "ja" | "jo"
        )
}
