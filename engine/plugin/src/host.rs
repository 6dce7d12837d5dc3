//! What the host offers a plugin during one call.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use crate::abi;
use crate::abi::Range;
use crate::{Fact, Finding, NounPhrase, Sentence, Syntax};

/// Why a metric ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub(crate) status: u32,
    pub(crate) why: Option<String>,
}

impl Failure {
    /// A failure of the metric's own.
    pub fn new(why: impl Into<String>) -> Failure {
        Failure { status: abi::GLOSA_FAILED, why: Some(why.into()) }
    }

    fn check(status: u32) -> Result<(), Failure> {
        if status == abi::GLOSA_OK { Ok(()) } else { Err(Failure { status, why: None }) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Some(why) => f.write_str(why),
            None => write!(f, "the host answered with status {}", self.status),
        }
    }
}

impl std::error::Error for Failure {}

/// The host, for the time of one call.
#[derive(Debug)]
pub struct Host<'h> {
    raw: &'h abi::Host,
    call: PhantomData<*mut ()>,
}

impl<'h> Host<'h> {
    /// Reads a host that was lent.
    ///
    /// # Safety
    /// `raw` points to a table of functions that may be called with its `ctx` for `'h`, on this thread.
    pub unsafe fn new(raw: *const abi::Host) -> Option<Host<'h>> {
        // SAFETY: the caller answers for the pointer.
        let raw = unsafe { raw.as_ref()? };
        (raw.size as usize >= size_of::<abi::Host>()).then_some(Host { raw, call: PhantomData })
    }

    fn param(&self, key: &str, kind: u32) -> Result<abi::Value, Failure> {
        let mut value =
            abi::Value { kind, flag: false, integer: 0, number: 0.0, text: abi::Str::NONE, list: abi::Array::EMPTY };
        // SAFETY: the function may be called with its ctx during the call.
        let status = unsafe { (self.raw.param)(self.raw.ctx, abi::Str::new(key), kind, &mut value) };
        Failure::check(status)?;
        Ok(value)
    }

    /// Reads a parameter that is a whole number.
    pub fn integer(&self, key: &str) -> Result<i64, Failure> {
        Ok(self.param(key, abi::GLOSA_INTEGER)?.integer)
    }

    /// Reads a parameter that is a number.
    pub fn number(&self, key: &str) -> Result<f64, Failure> {
        Ok(self.param(key, abi::GLOSA_NUMBER)?.number)
    }

    /// Reads a parameter that is a flag.
    pub fn flag(&self, key: &str) -> Result<bool, Failure> {
        Ok(self.param(key, abi::GLOSA_FLAG)?.flag)
    }

    /// Reads a parameter that is a word.
    pub fn text(&self, key: &str) -> Result<String, Failure> {
        let value = self.param(key, abi::GLOSA_TEXT)?;
        // SAFETY: the string is lent for the duration of the call.
        Ok(unsafe { value.text.get() }.unwrap_or("").to_owned())
    }

    /// Reads a parameter that is a list of words.
    pub fn list(&self, key: &str) -> Result<Vec<String>, Failure> {
        let value = self.param(key, abi::GLOSA_LIST)?;
        // SAFETY: as for text.
        Ok(unsafe { strings(value.list) }.into_iter().map(str::to_owned).collect())
    }

    /// Adds an occurrence.
    pub fn find(&mut self, finding: &Finding) -> Result<(), Failure> {
        // SAFETY: the finding is lent for the duration of the call and copied.
        Failure::check(finding.lend(|raw| unsafe { (self.raw.find)(self.raw.ctx, raw) }))
    }

    /// Sets the value of a measurement to a count.
    pub fn measure_integer(&mut self, value: i64) -> Result<(), Failure> {
        // SAFETY: as for param.
        Failure::check(unsafe { (self.raw.measure_integer)(self.raw.ctx, value) })
    }

    /// Sets the value of a measurement to a ratio or score.
    pub fn measure_number(&mut self, value: f64) -> Result<(), Failure> {
        // SAFETY: as for param.
        Failure::check(unsafe { (self.raw.measure_number)(self.raw.ctx, value) })
    }

    /// Sets a value for the wording of the whole recommendation.
    pub fn fact(&mut self, name: &str, value: impl Into<Fact>) -> Result<(), Failure> {
        let value = value.into();
        // SAFETY: the fact is lent for the duration of the call and copied.
        Failure::check(unsafe { (self.raw.fact)(self.raw.ctx, &value.lend(name)) })
    }

    /// Ends with a failure when the host wants the metric to stop; call it in long loops.
    pub fn check_stop(&self) -> Result<(), Failure> {
        // SAFETY: as for param.
        if unsafe { (self.raw.stop)(self.raw.ctx) } {
            return Err(Failure { status: abi::GLOSA_STOPPED, why: None });
        }
        Ok(())
    }

    pub(crate) fn fail(&self, why: &str) {
        // SAFETY: as for param.
        unsafe { (self.raw.fail)(self.raw.ctx, abi::Str::new(why)) }
    }

    fn extension<T>(&self, id: &str) -> Result<&'h T, Failure> {
        // SAFETY: the host gives the table of that name and revision, or null; each starts with its size.
        let table: Option<&'h u32> =
            unsafe { (self.raw.extension)(self.raw.ctx, abi::Str::new(id)).cast::<u32>().as_ref() };
        match table {
            Some(size) if *size as usize >= size_of::<T>() => {
                // SAFETY: the table is as large as it says.
                Ok(unsafe { &*std::ptr::from_ref(size).cast::<T>() })
            }
            _ => Err(Failure::new(format!("the host does not offer `{id}`"))),
        }
    }

    /// A glossary that the variant lists.
    pub fn glossary(&self, key: &str) -> Result<Glossary<'h>, Failure> {
        let table: &abi::Glossary1 = self.extension("glossary/1")?;
        let ctx = self.raw.ctx;
        let mut rows = 0;
        let mut hits = abi::Array::EMPTY;
        // SAFETY: the functions may be called with ctx during the call; the arrays are lent for it.
        unsafe {
            Failure::check((table.rows)(ctx, abi::Str::new(key), &mut rows))?;
            Failure::check((table.hits)(ctx, abi::Str::new(key), &mut hits))?;
        }
        Ok(Glossary { table, ctx, key: key.to_owned(), rows, hits })
    }

    /// The recommended structure of the genre.
    pub fn structure(&self) -> Result<Structure, Failure> {
        let table: &abi::Structure1 = self.extension("structure/1")?;
        let mut sections = abi::Array::EMPTY;
        // SAFETY: as for the glossary.
        unsafe {
            Failure::check((table.sections)(self.raw.ctx, &mut sections))?;
            Ok(Structure {
                free_order: (table.free_order)(self.raw.ctx),
                sections: sections.iter().map(|s| Section::copy(s)).collect(),
            })
        }
    }

    /// Tree and clauses of a sentence, made when they are asked for; `None` where the document has no trees: ask for
    /// `Needs::DEPENDENCY`.
    pub fn syntax(&self, sentence: Sentence<'_>) -> Option<Syntax> {
        let table: &abi::Syntax3 = self.extension("syntax/3").ok()?;
        let (mut arcs, mut clauses) = (abi::Array::EMPTY, abi::Array::EMPTY);
        let number = sentence.number();
        // SAFETY: as for the glossary.
        unsafe {
            let parsed = (table.arcs)(self.raw.ctx, number, &mut arcs) == abi::GLOSA_OK
                && (table.clauses)(self.raw.ctx, number, &mut clauses) == abi::GLOSA_OK;
            parsed.then(|| Syntax::new(sentence.token_range().start, arcs, clauses))
        }
    }

    /// The noun phrases of a sentence in the order of their heads, those inside others among them; none where the document
    /// has no trees: ask for `Needs::DEPENDENCY`.
    pub fn noun_phrases(&self, sentence: Sentence<'_>) -> Vec<NounPhrase> {
        let Ok(table) = self.extension::<abi::Syntax3>("syntax/3") else { return Vec::new() };
        let mut phrases = abi::Array::EMPTY;
        // SAFETY: as for the glossary.
        unsafe {
            let parsed = (table.phrases)(self.raw.ctx, sentence.number(), &mut phrases) == abi::GLOSA_OK;
            if parsed { NounPhrase::copy_all(phrases) } else { Vec::new() }
        }
    }

    /// The form of a lemma with a part of speech and features; `None` where the runtime does not know it.
    pub fn inflect(&self, lemma: &str, pos: &str, feats: &str) -> Option<String> {
        let table: &abi::Inflect1 = self.extension("inflect/1").ok()?;
        let mut form = abi::Str::NONE;
        // SAFETY: as for the glossary.
        unsafe {
            let status =
                (table.form)(self.raw.ctx, abi::Str::new(lemma), abi::Str::new(pos), abi::Str::new(feats), &mut form);
            (status == abi::GLOSA_OK).then(|| form.get().map(str::to_owned))?
        }
    }
}

unsafe fn strings<'a>(array: abi::Array) -> Vec<&'a str> {
    // SAFETY: the caller answers for the array.
    unsafe { array.iter::<abi::Str>().map(|s| s.get().unwrap_or("")).collect() }
}

unsafe fn owned(array: abi::Array) -> Vec<String> {
    // SAFETY: the caller answers for the array.
    unsafe { strings(array).into_iter().map(str::to_owned).collect() }
}

/// A glossary resolved for the genre, and where its terms stand in the text.
#[derive(Debug)]
pub struct Glossary<'h> {
    table: &'h abi::Glossary1,
    ctx: *mut c_void,
    key: String,
    rows: u32,
    hits: abi::Array,
}

/// A place where a term of a glossary stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Numbers of its tokens.
    pub tokens: Range,
    /// Number of its row.
    pub row: u32,
    /// Syntactic words of the last token that the term leaves over.
    pub rest: u32,
}

/// A row of a glossary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlossaryRow {
    /// The term as the file writes it.
    pub term: String,
    /// Preferred replacement.
    pub replacement: Option<String>,
    /// Other replacements.
    pub alternatives: Vec<String>,
    /// `replace`, `explain`, `prefer`, `forbid` or `allow`.
    pub kind: String,
    /// `safe`, `suggest` or `term`.
    pub status: String,
    /// Why, and when to keep the term.
    pub note: Option<String>,
    /// Whether it is applied.
    pub active: bool,
}

impl Glossary<'_> {
    /// Hits in reading order; they do not overlap.
    pub fn hits(&self) -> Vec<Hit> {
        // SAFETY: the array is lent for the duration of the call, which this value does not outlive.
        let hits = unsafe { self.hits.iter::<abi::GlossaryHit>() };
        hits.map(|h| Hit { tokens: h.tokens, row: h.row, rest: h.rest }).collect()
    }

    /// Number of its rows.
    pub fn len(&self) -> u32 {
        self.rows
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// A row.
    pub fn row(&self, number: u32) -> Option<GlossaryRow> {
        let mut row = abi::GlossaryRow {
            term: abi::Str::NONE,
            replacement: abi::Str::NONE,
            alternatives: abi::Array::EMPTY,
            kind: abi::Str::NONE,
            status: abi::Str::NONE,
            note: abi::Str::NONE,
            active: false,
        };
        // SAFETY: the function may be called with ctx during the call; what it lends is copied at once.
        unsafe {
            let status = (self.table.row)(self.ctx, abi::Str::new(&self.key), number, &mut row);
            (status == abi::GLOSA_OK).then(|| GlossaryRow {
                term: row.term.get().unwrap_or("").to_owned(),
                replacement: row.replacement.get().map(str::to_owned),
                alternatives: owned(row.alternatives),
                kind: row.kind.get().unwrap_or("").to_owned(),
                status: row.status.get().unwrap_or("").to_owned(),
                note: row.note.get().map(str::to_owned),
                active: row.active,
            })
        }
    }

    /// A column of a row.
    pub fn column(&self, row: u32, name: &str) -> Option<String> {
        let mut value = abi::Str::NONE;
        // SAFETY: as for row.
        unsafe {
            let key = abi::Str::new(&self.key);
            let status = (self.table.column)(self.ctx, key, row, abi::Str::new(name), &mut value);
            (status == abi::GLOSA_OK).then(|| value.get().map(str::to_owned))?
        }
    }
}

/// The recommended structure of a genre.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// Sections in reading order.
    pub sections: Vec<Section>,
    /// The order of the sections is free.
    pub free_order: bool,
}

/// A section of the recommended structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its usual heading.
    pub name: String,
    /// Other headings that name it.
    pub synonyms: Vec<String>,
    /// What it should cover.
    pub contents: Vec<Content>,
}

/// A content of a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// What it is.
    pub name: String,
    /// How often it appears.
    pub occurrence: Option<String>,
    /// Words or phrases that show that it is there.
    pub cues: Vec<String>,
    /// Suggested wording.
    pub phraseology: Vec<String>,
}

impl Section {
    unsafe fn copy(raw: &abi::Section) -> Section {
        // SAFETY: the caller answers for what the section points to.
        unsafe {
            Section {
                name: raw.name.get().unwrap_or("").to_owned(),
                synonyms: owned(raw.synonyms),
                contents: raw
                    .contents
                    .iter::<abi::Content>()
                    .map(|c| Content {
                        name: c.name.get().unwrap_or("").to_owned(),
                        occurrence: c.occurrence.get().map(str::to_owned),
                        cues: owned(c.cues),
                        phraseology: owned(c.phraseology),
                    })
                    .collect(),
            }
        }
    }
}
