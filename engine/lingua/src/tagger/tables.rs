//! `tags.bin`: everything of the tagger but its weights.

use crate::ModelError;
use crate::bytes::{Reader, Writer};
use crate::tagger::TagId;
use glosa_text::Upos;
use rustc_hash::FxHashMap;

/// Everything but the weights.
#[derive(Clone, Debug, Default)]
pub struct TagTables {
    /// Names of the tags: part of speech and FEATS (empty for none), the frequent ones first.
    pub tags: Vec<(Upos, Box<str>)>,
    /// Tags of a form seen in training, exactly as written; with counts up to 255.
    pub forms: FxHashMap<u32, Box<[(TagId, u8)]>>,
    /// The same by lower-case form.
    pub lower: FxHashMap<u32, Box<[(TagId, u8)]>>,
    /// Tags by ending and shape, most frequent first.
    pub endings: FxHashMap<u32, Box<[TagId]>>,
    /// Tags of proper names.
    pub names: Vec<TagId>,
    /// Lexicon tag name to tags.
    pub lexicon_tags: Vec<(Box<str>, Vec<TagId>)>,
    /// A word whose best tag leads by less than this is looked at again with the tags after it; 0 for one pass.
    pub doubt: u32,
    /// Tags that share their forms: a word that can have one of a row can have them all (English *demand* is an
    /// infinitive, a command and five persons of the present).
    pub alike: Vec<Vec<TagId>>,
    /// Lemmas that are auxiliaries; none where any verb of the lexicon may be one.
    pub auxiliaries: Vec<Box<str>>,
}

impl TagTables {
    /// The bytes of `tags.bin`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(b"GTG3");
        out.number(u64::from(self.doubt));
        out.number(self.tags.len() as u64);
        for (upos, feats) in &self.tags {
            out.number(*upos as u64);
            out.text(feats);
        }
        for table in [&self.forms, &self.lower] {
            let mut keys: Vec<_> = table.iter().collect();
            keys.sort_by_key(|(k, _)| **k);
            out.number(keys.len() as u64);
            for (key, entries) in keys {
                out.word(*key);
                out.number(entries.len() as u64);
                for (tag, count) in entries.iter() {
                    out.number(u64::from(*tag));
                    out.number(u64::from(*count));
                }
            }
        }
        let mut keys: Vec<_> = self.endings.iter().collect();
        keys.sort_by_key(|(k, _)| **k);
        out.number(keys.len() as u64);
        for (key, tags) in keys {
            out.word(*key);
            out.number(tags.len() as u64);
            tags.iter().for_each(|t| out.number(u64::from(*t)));
        }
        out.number(self.names.len() as u64);
        self.names.iter().for_each(|t| out.number(u64::from(*t)));
        out.number(self.lexicon_tags.len() as u64);
        for (name, tags) in &self.lexicon_tags {
            out.text(name);
            out.number(tags.len() as u64);
            tags.iter().for_each(|t| out.number(u64::from(*t)));
        }
        out.number(self.alike.len() as u64);
        for row in &self.alike {
            out.number(row.len() as u64);
            row.iter().for_each(|t| out.number(u64::from(*t)));
        }
        out.number(self.auxiliaries.len() as u64);
        self.auxiliaries.iter().for_each(|lemma| out.text(lemma));
        out.finish()
    }

    /// Reads `tags.bin`.
    ///
    /// # Errors
    /// [`ModelError`] when the file is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        const WHAT: &str = "tag tables";
        let mut reader = Reader::new(bytes, b"GTG3", WHAT)?;
        let mut tables = TagTables { doubt: reader.number()? as u32, ..TagTables::default() };
        for _ in 0..reader.count()? {
            let upos = *Upos::ALL.get(reader.number()? as usize).ok_or(ModelError::Damaged(WHAT))?;
            tables.tags.push((upos, reader.text()?.into()));
        }
        let known = tables.tags.len() as u64;
        let tag = |reader: &mut Reader<'_>| {
            let n = reader.number()?;
            if n < known { Ok(n as TagId) } else { Err(ModelError::Damaged(WHAT)) }
        };
        for table in [&mut tables.forms, &mut tables.lower] {
            let size = reader.count()?;
            table.reserve(size);
            for _ in 0..size {
                let key = reader.word()?;
                let entries = (0..reader.count()?)
                    .map(|_| Ok((tag(&mut reader)?, reader.number()? as u8)))
                    .collect::<Result<_, ModelError>>()?;
                table.insert(key, entries);
            }
        }
        for _ in 0..reader.count()? {
            let key = reader.word()?;
            let tags = (0..reader.count()?).map(|_| tag(&mut reader)).collect::<Result<_, ModelError>>()?;
            tables.endings.insert(key, tags);
        }
        tables.names = (0..reader.count()?).map(|_| tag(&mut reader)).collect::<Result<_, ModelError>>()?;
        for _ in 0..reader.count()? {
            let name = reader.text()?.into();
            let tags = (0..reader.count()?).map(|_| tag(&mut reader)).collect::<Result<_, ModelError>>()?;
            tables.lexicon_tags.push((name, tags));
        }
        for _ in 0..reader.count()? {
            tables.alike.push((0..reader.count()?).map(|_| tag(&mut reader)).collect::<Result<_, ModelError>>()?);
        }
        for _ in 0..reader.count()? {
            tables.auxiliaries.push(reader.text()?.into());
        }
        Ok(tables)
    }
}
