//! The lexicon: a minimal automaton from written form to its readings (lemma and lexicon tag).
//!
//! Two byte files make one lexicon, so that the data of another licence stays a separate, replaceable part:
//! the automaton (`lexicon.fst`) gives a class number, the table (`lexicon.tbl`) what the class means.

use crate::ModelError;
use crate::bytes::{Reader, Writer};
use fst::Map;
use std::borrow::Cow;

/// How a lemma is made of a form: drop bytes at its end, append a suffix.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EditScript {
    /// Bytes to drop.
    pub drop: u8,
    /// Text to append.
    pub append: Box<str>,
}

impl EditScript {
    /// The script that leads from `form` to `lemma`; `None` where more than 255 bytes would change.
    pub fn between(form: &str, lemma: &str) -> Option<Self> {
        let common: usize =
            form.chars().zip(lemma.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        Some(EditScript { drop: u8::try_from(form.len() - common).ok()?, append: lemma[common..].into() })
    }

    /// Applies the script; `None` where the form is too short or would be cut inside a character.
    pub fn apply(&self, form: &str) -> Option<String> {
        let keep = form.len().checked_sub(usize::from(self.drop))?;
        let stem = form.get(..keep)?;
        let mut lemma = String::with_capacity(keep + self.append.len());
        lemma.push_str(stem);
        lemma.push_str(&self.append);
        Some(lemma)
    }
}

/// One reading of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reading {
    /// Number of the lexicon tag.
    pub tag: u16,
    /// Number of the edit script that gives the lemma.
    pub script: u16,
}

/// A lexicon of one language; the empty one knows nothing.
#[derive(Debug, Default)]
pub struct Lexicon {
    map: Option<Map<Cow<'static, [u8]>>>,
    tags: Vec<Box<str>>,
    scripts: Vec<EditScript>,
    class_ends: Vec<u32>,
    readings: Vec<Reading>,
}

/// The table of a lexicon as the trainer writes it.
#[derive(Debug, Default)]
pub struct LexiconTable {
    /// Lexicon tags.
    pub tags: Vec<String>,
    /// Edit scripts.
    pub scripts: Vec<EditScript>,
    /// Readings of each class.
    pub classes: Vec<Vec<Reading>>,
}

impl LexiconTable {
    /// The bytes of `lexicon.tbl`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(b"GLX1");
        out.number(self.tags.len() as u64);
        self.tags.iter().for_each(|tag| out.text(tag));
        out.number(self.scripts.len() as u64);
        for script in &self.scripts {
            out.number(u64::from(script.drop));
            out.text(&script.append);
        }
        out.number(self.classes.len() as u64);
        for class in &self.classes {
            out.number(class.len() as u64);
            for reading in class {
                out.number(u64::from(reading.tag));
                out.number(u64::from(reading.script));
            }
        }
        out.finish()
    }
}

impl Lexicon {
    /// Reads a lexicon from its two parts; empty parts make the empty lexicon.
    ///
    /// # Errors
    /// [`ModelError`] when a part is damaged or of another version.
    pub fn new(fst: Cow<'static, [u8]>, table: &[u8]) -> Result<Self, ModelError> {
        if fst.is_empty() || table.is_empty() {
            return Ok(Lexicon::default());
        }
        let map = Map::new(fst).map_err(|cause| ModelError::Automaton(cause.to_string()))?;
        let mut reader = Reader::new(table, b"GLX1", "lexicon table")?;
        let tags =
            (0..reader.count()?).map(|_| Ok(reader.text()?.into())).collect::<Result<Vec<Box<str>>, ModelError>>()?;
        let mut scripts = Vec::new();
        for _ in 0..reader.count()? {
            let drop = reader.number()? as u8;
            scripts.push(EditScript { drop, append: reader.text()?.into() });
        }
        let classes = reader.count()?;
        let mut class_ends = Vec::with_capacity(classes);
        let mut readings = Vec::with_capacity(classes * 3);
        for _ in 0..classes {
            for _ in 0..reader.count()? {
                let reading = Reading { tag: reader.number()? as u16, script: reader.number()? as u16 };
                if usize::from(reading.tag) >= tags.len() || usize::from(reading.script) >= scripts.len() {
                    return Err(ModelError::Damaged("lexicon table"));
                }
                readings.push(reading);
            }
            class_ends.push(readings.len() as u32);
        }
        Ok(Lexicon { map: Some(map), tags, scripts, class_ends, readings })
    }

    /// Readings of a form exactly as written (letter case counts); empty when it is unknown.
    pub fn readings(&self, form: &str) -> &[Reading] {
        let Some(class) = self.map.as_ref().and_then(|map| map.get(form)) else { return &[] };
        let class = class as usize;
        let Some(&end) = self.class_ends.get(class) else { return &[] };
        let start = class.checked_sub(1).map_or(0, |c| self.class_ends[c]);
        &self.readings[start as usize..end as usize]
    }

    /// Whether the lexicon has the form as written.
    pub fn is_known(&self, form: &str) -> bool {
        !self.readings(form).is_empty()
    }

    /// Whether a reading of the form has a tag that starts with `prefix`.
    pub fn has_tag(&self, form: &str, prefix: &str) -> bool {
        self.readings(form).iter().any(|r| self.tags[usize::from(r.tag)].starts_with(prefix))
    }

    /// `written` as the lemma of the noun that the lexicon has under `form` (in small letters), where it is another one;
    /// the letter case of `written` stays.
    pub fn singular(&self, form: &str, written: &str) -> Option<String> {
        let noun = |reading: &&Reading| self.tags[usize::from(reading.tag)].starts_with('N');
        let reading = self.readings(form).iter().find(noun)?;
        let script = self.scripts.get(usize::from(reading.script))?;
        if script.drop == 0 && script.append.is_empty() || usize::from(script.drop) >= form.len() {
            return None;
        }
        script.apply(written)
    }

    /// All lexicon tags, by number.
    pub fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    /// The lemma of a reading of a form.
    pub fn lemma(&self, form: &str, reading: Reading) -> Option<String> {
        self.scripts.get(usize::from(reading.script))?.apply(form)
    }

    /// Number of forms.
    pub fn len(&self) -> usize {
        self.map.as_ref().map_or(0, Map::len)
    }

    /// Whether there is no form at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a reading of a form leads to `lemma`, without making the lemma.
    pub fn is_lemma_of(&self, form: &str, reading: Reading, lemma: &str) -> bool {
        let Some(script) = self.scripts.get(usize::from(reading.script)) else { return false };
        let Some(keep) = form.len().checked_sub(usize::from(script.drop)) else { return false };
        lemma.len() == keep + script.append.len()
            && form.as_bytes()[..keep] == lemma.as_bytes()[..keep]
            && lemma.as_bytes()[keep..] == *script.append.as_bytes()
    }

    /// Every form that begins with `prefix`, with its readings, in byte order.
    pub fn for_each_with_prefix(&self, prefix: &str, mut visit: impl FnMut(&str, &[Reading])) {
        use fst::{IntoStreamer, Streamer};
        let Some(map) = &self.map else { return };
        let mut range = map.range().ge(prefix);
        let mut after = prefix.as_bytes().to_vec();
        while let Some(last) = after.pop() {
            if last < u8::MAX {
                after.push(last + 1);
                range = range.lt(&after);
                break;
            }
        }
        let mut stream = range.into_stream();
        while let Some((form, class)) = stream.next() {
            let class = class as usize;
            let start = class.checked_sub(1).map_or(0, |c| self.class_ends[c]);
            if let (Ok(form), Some(&end)) = (std::str::from_utf8(form), self.class_ends.get(class)) {
                visit(form, &self.readings[start as usize..end as usize]);
            }
        }
    }

    /// Every form of small letters (`a` to `z`) that a single change makes of `word`: a letter more, less or another
    /// after the first, or two neighbours in the other order. `word` has at most 60 such letters.
    pub fn for_each_within_one_change(&self, word: &str, mut visit: impl FnMut(&str)) {
        use fst::{IntoStreamer, Streamer};
        let Some(map) = self.map.as_ref().filter(|_| word.len() <= 60) else { return };
        let mut stream = map.search(OneChange { word: word.as_bytes() }).into_stream();
        while let Some((form, _)) = stream.next() {
            if let Ok(form) = std::str::from_utf8(form) {
                visit(form);
            }
        }
    }

    /// Every form with its readings, in byte order.
    pub fn for_each(&self, visit: impl FnMut(&str, &[Reading])) {
        self.for_each_with_prefix("", visit);
    }
}

/// The automaton of all words at one change from a word (optimal string alignment) that keep its first letter, which is
/// rarely the wrong one, or have it second: with any first letter half of the lexicon would be looked through.
struct OneChange<'w> {
    word: &'w [u8],
}

/// How far a candidate has been read.
#[derive(Clone, Copy)]
struct Read {
    /// Letters of the word that were read without a change.
    same: Option<usize>,
    /// Places in the word after a change, one bit each.
    changed: u64,
    /// The place whose letter has to follow, since the one after it came first.
    swapped: Option<usize>,
}

impl fst::Automaton for OneChange<'_> {
    type State = Read;

    fn start(&self) -> Read {
        Read { same: Some(0), changed: 0, swapped: None }
    }

    fn is_match(&self, read: &Read) -> bool {
        let end = self.word.len();
        read.changed >> end & 1 == 1 || read.same.is_some_and(|at| at + 1 == end)
    }

    fn can_match(&self, read: &Read) -> bool {
        read.same.is_some() || read.changed != 0 || read.swapped.is_some()
    }

    fn accept(&self, read: &Read, byte: u8) -> Read {
        let mut next = Read { same: None, changed: 0, swapped: None };
        if !byte.is_ascii_lowercase() {
            return next;
        }
        let letter = |at: usize| self.word.get(at).copied();
        if let Some(at) = read.same {
            if at > 0 {
                next.changed |= 1 << at;
                if letter(at).is_some() {
                    next.changed |= 1 << (at + 1);
                }
                if letter(at + 1) == Some(byte) {
                    next.changed |= 1 << (at + 2);
                }
            }
            if letter(at + 1) == Some(byte) {
                next.swapped = Some(at);
            }
            if letter(at) == Some(byte) {
                next.same = Some(at + 1);
            }
        }
        if let Some(at) = read.swapped
            && letter(at) == Some(byte)
        {
            next.changed |= 1 << (at + 2);
        }
        for (at, own) in self.word.iter().enumerate() {
            if read.changed >> at & 1 == 1 && *own == byte {
                next.changed |= 1 << (at + 1);
            }
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LanguageModels;
    use glosa_text::Language;
    use std::collections::BTreeSet;

    /// What a single change makes of a word, by trying them all.
    fn changed(word: &str) -> BTreeSet<String> {
        let letters: Vec<char> = word.chars().collect();
        let mut made = BTreeSet::new();
        let mut make = |change: &dyn Fn(&mut Vec<char>)| {
            let mut other = letters.clone();
            change(&mut other);
            made.insert(other.into_iter().collect());
        };
        for at in 1..=letters.len() {
            for c in 'a'..='z' {
                make(&|word| word.insert(at, c));
                make(&|word| word.iter_mut().skip(at).take(1).for_each(|own| *own = c));
            }
            make(&|word| drop(word.drain(at..(at + 1).min(word.len()))));
            make(&|word| word[at.saturating_sub(1)..(at + 1).min(letters.len())].reverse());
        }
        made.remove(word);
        made
    }

    #[test]
    fn the_automaton_finds_what_a_single_change_makes() {
        let models = LanguageModels::shipped(Language::En);
        let lexicon = Lexicon::new(models.lexicon, &models.lexicon_table).unwrap();
        for word in ["goverment", "recieve", "aa", "teh", "letters", "abbey"] {
            let mut found = BTreeSet::new();
            lexicon.for_each_within_one_change(word, |form| found.extend([form.to_owned()]));
            found.remove(word);
            let expected: BTreeSet<String> = changed(word).into_iter().filter(|form| lexicon.is_known(form)).collect();
            assert_eq!(found, expected, "{word}");
            assert!(!found.is_empty(), "{word}");
        }
    }
}
