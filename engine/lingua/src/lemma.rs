//! Lemmas: exceptions learnt from gold data, then the lexicon, then the edit script of the longest known ending.

use crate::ModelError;
use crate::bytes::{Reader, Writer};
use crate::hash::{hash_str, mix};
use crate::lexicon::{EditScript, Lexicon};
use crate::tagger::{TagId, TagModel, ending, lemma_key};
use glosa_text::Upos;
use rustc_hash::FxHashMap;

/// Longest ending that has a rule, in characters.
pub const LONGEST_ENDING: usize = 7;

/// The tables of the lemmatiser.
#[derive(Clone, Debug, Default)]
pub struct LemmaTables {
    /// Edit scripts.
    pub scripts: Vec<EditScript>,
    /// Form and tag to script, where the other ways are wrong.
    pub exceptions: FxHashMap<u32, u16>,
    /// Ending and tag to script.
    pub rules: FxHashMap<u32, u16>,
    /// Tags for which the rules come before the lexicon.
    pub rules_first: Vec<TagId>,
}

/// Key of the rule of an ending of `length` characters for a tag.
pub fn rule_key(ending: &str, length: usize, tag: TagId) -> u32 {
    let hash = mix(hash_str(ending), u64::from(tag) * 16 + length as u64);
    (hash >> 32) as u32 ^ hash as u32
}

impl LemmaTables {
    /// The lemma of a form with a tag. `lower` is its lower-case form.
    pub fn lemma(&self, model: &TagModel, lexicon: &Lexicon, form: &str, lower: &str, tag: TagId) -> String {
        self.exception(form, lower, tag).unwrap_or_else(|| self.regular(model, lexicon, form, lower, tag))
    }

    fn exception(&self, form: &str, lower: &str, tag: TagId) -> Option<String> {
        for key in [form, lower] {
            if let Some(script) = self.exceptions.get(&lemma_key(key, tag)) {
                return self.scripts.get(usize::from(*script))?.apply(key);
            }
        }
        None
    }

    /// The lemma without the table of exceptions.
    pub fn regular(&self, model: &TagModel, lexicon: &Lexicon, form: &str, lower: &str, tag: TagId) -> String {
        let upos = model.upos(tag);
        if matches!(upos, Upos::Propn | Upos::Num | Upos::Sym) && form.chars().next().is_some_and(|c| !c.is_lowercase())
            || upos == Upos::Propn
        {
            return form.to_owned();
        }
        let rules_first = self.rules_first.binary_search(&tag).is_ok();
        let rule = || self.rule(lower, tag);
        let found = if rules_first {
            rule().or_else(|| lexicon_lemma(model, lexicon, form, lower, tag))
        } else {
            lexicon_lemma(model, lexicon, form, lower, tag).or_else(rule)
        };
        found.unwrap_or_else(|| lower.to_owned())
    }

    /// What the rule of the longest known ending gives.
    pub fn rule(&self, lower: &str, tag: TagId) -> Option<String> {
        let length = lower.chars().take(LONGEST_ENDING).count();
        (0..=length).rev().find_map(|k| {
            let end = if k == 0 { "" } else { ending(lower, k) };
            let script = self.rules.get(&rule_key(end, k, tag))?;
            self.scripts.get(usize::from(*script))?.apply(lower)
        })
    }
}

/// The lemma of the lexicon reading that fits a tag best.
pub fn lexicon_lemma(model: &TagModel, lexicon: &Lexicon, form: &str, lower: &str, tag: TagId) -> Option<String> {
    let upos = model.upos(tag);
    let forms = [form, lower];
    for form in &forms[..if form == lower { 1 } else { 2 }] {
        let mut best = None;
        for reading in lexicon.readings(form) {
            let tags = model.of_lexicon_tag(reading.tag);
            let fit = if tags.first() == Some(&tag) {
                3
            } else if tags.contains(&tag) {
                2
            } else {
                u8::from(tags.iter().any(|t| model.upos(*t) == upos))
            };
            if fit > 0 && best.is_none_or(|(b, _)| fit > b) {
                best = Some((fit, *reading));
            }
        }
        if let Some((_, reading)) = best {
            return lexicon.lemma(form, reading);
        }
    }
    None
}

impl LemmaTables {
    /// The bytes of `lemmas.bin`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(b"GLM1");
        out.number(self.scripts.len() as u64);
        for script in &self.scripts {
            out.number(u64::from(script.drop));
            out.text(&script.append);
        }
        for table in [&self.exceptions, &self.rules] {
            let mut keys: Vec<_> = table.iter().collect();
            keys.sort();
            out.number(keys.len() as u64);
            for (key, script) in keys {
                out.word(*key);
                out.number(u64::from(*script));
            }
        }
        out.number(self.rules_first.len() as u64);
        self.rules_first.iter().for_each(|t| out.number(u64::from(*t)));
        out.finish()
    }

    /// Reads `lemmas.bin`.
    ///
    /// # Errors
    /// [`ModelError`] when the file is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = Reader::new(bytes, b"GLM1", "lemma tables")?;
        let mut tables = LemmaTables::default();
        for _ in 0..reader.count()? {
            let drop = reader.number()? as u8;
            tables.scripts.push(EditScript { drop, append: reader.text()?.into() });
        }
        for table in [&mut tables.exceptions, &mut tables.rules] {
            let size = reader.count()?;
            table.reserve(size);
            for _ in 0..size {
                let key = reader.word()?;
                table.insert(key, reader.number()? as u16);
            }
        }
        for _ in 0..reader.count()? {
            tables.rules_first.push(reader.number()? as TagId);
        }
        Ok(tables)
    }
}
