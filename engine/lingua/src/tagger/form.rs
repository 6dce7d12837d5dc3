//! Normal forms of words, and the keys under which the tables hold them.

use crate::hash::{hash_bytes, hash_str, mix};
use crate::tagger::TagId;
use crate::tokenize::is_extension;
use std::borrow::Cow;

fn key(hash: u64) -> u32 {
    (hash >> 32) as u32 ^ hash as u32
}

/// The 32-bit keys of a form in the tables: as written, and in small letters. Addresses of one kind share theirs, and so
/// do numbers of one pattern.
pub fn form_keys(form: &str, lower: &str) -> (u32, u32) {
    let general = general_form(lower);
    let small = key(hash_str(&general));
    if *general == *lower { (key(hash_str(form)), small) } else { (small, small) }
}

/// The key of an ending of `length` characters under a shape.
pub fn ending_key(ending: &str, length: usize, shape: u64) -> u32 {
    key(mix(hash_str(ending), length as u64 | shape << 8))
}

/// The last `n` characters.
pub fn ending(word: &str, n: usize) -> &str {
    word.char_indices().rev().nth(n.saturating_sub(1)).map_or(word, |(i, _)| &word[i..])
}

/// The first `n` characters.
pub(super) fn beginning(word: &str, n: usize) -> &str {
    word.char_indices().nth(n).map_or(word, |(i, _)| &word[..i])
}

/// Letter case, digits and marks of a form in a few bits.
pub fn shape(form: &str) -> u64 {
    let (mut upper, mut lower, mut digits, mut other, mut first, mut hyphen) = (0u64, 0u64, 0u64, 0u64, 0u64, 0u64);
    for (i, c) in form.chars().enumerate() {
        if c.is_uppercase() {
            upper += 1;
            first |= u64::from(i == 0);
        } else if c.is_alphabetic() {
            lower += 1;
        } else if c.is_numeric() {
            digits += 1;
        } else {
            other += 1;
            hyphen |= u64::from(c == '-');
        }
    }
    first
        | upper.min(2) << 1
        | u64::from(lower > 0) << 3
        | u64::from(digits > 0) << 4
        | u64::from(other > 0) << 5
        | hyphen << 6
}

/// The lower-case form as the tables have it: straight apostrophes.
pub fn lower_form(form: &str) -> String {
    if form.is_ascii() { form.to_ascii_lowercase() } else { form.replace(['’', 'ʼ'], "'").to_lowercase() }
}

/// A lower-case form for features and endings: addresses of one kind are alike, and so are names of files and numbers of
/// one pattern.
pub fn general_form(lower: &str) -> Cow<'_, str> {
    if lower.len() > 4 {
        if lower.starts_with("http") && lower.contains("://") || lower.starts_with("www.") {
            return Cow::Borrowed("http://");
        }
        if let Some((_, host)) = lower.split_once('@').filter(|(name, _)| !name.is_empty()) {
            return Cow::Borrowed(if host.contains('.') { "a@b.c" } else { "a@b" });
        }
        if lower.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && is_extension(end)) {
            return Cow::Borrowed("a.doc");
        }
    }
    if !lower.bytes().any(|b| b.is_ascii_digit()) {
        return Cow::Borrowed(lower);
    }
    let mut general = String::with_capacity(lower.len());
    let (mut run, mut longest, mut before) = (0, 5, ' ');
    for (i, c) in lower.char_indices() {
        if !c.is_ascii_digit() {
            (run, before) = (0, c);
            general.push(c);
            continue;
        }
        if run == 0 {
            let decimals =
                matches!(before, '.' | ',') && lower[i..].bytes().take_while(u8::is_ascii_digit).count() != 3;
            longest = if decimals { 1 } else { 5 };
        }
        run += 1;
        if run <= longest {
            general.push('0');
        }
    }
    Cow::Owned(general)
}

/// A lexicon tag without the mark of a regional variant, which says nothing of the context.
pub fn general_tag(tag: &str) -> &str {
    if tag.len() > 7 && tag.starts_with('V') { tag.get(..7).unwrap_or(tag) } else { tag }
}

/// Hash of a form and a tag, for the lemma table.
pub fn lemma_key(form: &str, tag: TagId) -> u32 {
    key(mix(hash_bytes(form.as_bytes()), u64::from(tag) + 1))
}
