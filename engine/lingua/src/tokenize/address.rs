//! Web and mail addresses, and extensions of file names.

use crate::tokenize::chunk::{Chunk, is_word_char};

/// Longest host or local part that is looked at, in bytes (RFC 1035 allows hosts of 253 characters).
const MAX_ADDRESS_PART: usize = 253;
/// Letters of the longest extension.
const LONGEST_EXTENSION: usize = 4;
const EXTENSIONS: &str = include_str!("../../models/extensions.txt");
const TOP_LEVEL_DOMAINS: &str = include_str!("../../models/domains.txt");

/// Whether a word is the extension of a file name.
pub fn is_extension(word: &str) -> bool {
    word.len() <= LONGEST_EXTENSION && EXTENSIONS.lines().any(|line| line.eq_ignore_ascii_case(word))
}

/// Where the address ends that begins at a place.
pub(super) fn of(chunk: &Chunk<'_>, pos: usize) -> Option<usize> {
    if !(chunk.has_slashes || chunk.has_at || chunk.has_dot) {
        return None;
    }
    let text = &chunk.text[pos..chunk.end];
    let head = &text.as_bytes()[..text.len().min(8)];
    let lower = head.to_ascii_lowercase();
    let scheme = chunk.has_slashes && {
        let letters = text.bytes().take(10).take_while(u8::is_ascii_alphabetic).count();
        letters >= 3 && text[letters..].starts_with("://")
    };
    if scheme || lower.starts_with(b"www.") || lower.starts_with(b"mailto:") {
        return Some(trimmed(chunk, pos, chunk.end));
    }
    if chunk.has_at {
        let window = &text.as_bytes()[..text.len().min(MAX_ADDRESS_PART)];
        let local = window.iter().take_while(|b| b.is_ascii_alphanumeric() || b"._%+-".contains(b)).count();
        if local > 0 && window.get(local) == Some(&b'@') {
            let from = pos + local + 1;
            if let Some(end) = domain(chunk, from, false) {
                return Some(end);
            }
        }
    }
    let end = domain(chunk, pos, true)?;
    if chunk.at(end) == Some('/') {
        let stop = (end + MAX_ADDRESS_PART * 4).min(chunk.end);
        let stop = (end..=stop).rev().find(|&i| chunk.text.is_char_boundary(i)).unwrap_or(end);
        return Some(trimmed(chunk, pos, stop));
    }
    Some(end)
}

/// Where an address ends that goes on to `stop` at most: marks that close the sentence around it are not part of it.
fn trimmed(chunk: &Chunk<'_>, pos: usize, stop: usize) -> usize {
    let mut end = stop;
    let opened =
        chunk.text.as_bytes()[pos..stop].iter().take(2048).position(|b| *b == b'(').map_or(stop, |at| pos + at);
    while let Some(c) = chunk.text[pos..end].chars().next_back() {
        let closes = match c {
            '.' | ',' | ';' | ':' | '!' | '?' | '"' | '\'' | '»' | '”' | '’' | ']' | '}' | '>' | '*' => true,
            ')' => opened >= end,
            _ => false,
        };
        if !closes || end - c.len_utf8() <= pos {
            break;
        }
        end -= c.len_utf8();
    }
    end
}

/// Where the host name ends that begins at a place. `known_ending`: nothing else tells that it is one.
fn domain(chunk: &Chunk<'_>, from: usize, known_ending: bool) -> Option<usize> {
    let window = &chunk.text.as_bytes()[from..chunk.end.min(from + MAX_ADDRESS_PART)];
    let span = window.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-' || **b == b'.').count();
    let host = &window[..span];
    let trimmed = host.len() - host.iter().rev().take_while(|b| **b == b'.' || **b == b'-').count();
    let host = std::str::from_utf8(&host[..trimmed]).ok()?;
    let (head, last) = host.rsplit_once('.')?;
    if head.is_empty() || head.contains("..") || last.len() < 2 || !last.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    if known_ending {
        let known = TOP_LEVEL_DOMAINS.lines().any(|line| line == last);
        let short = head.rsplit('.').next().is_some_and(|label| label.len() < 2);
        let after = from + trimmed;
        if !known
            || short
            || chunk.at(after).is_some_and(is_word_char)
            || head.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        {
            return None;
        }
    }
    Some(from + trimmed)
}
