//! The binary interface between the host and a plugin: plain C structs and nothing else.
//!
//! One sentence on ownership: **everything is borrowed for the duration of the call, and the receiver copies.**
//! Nothing is freed across the border. Strings are UTF-8 without a final zero. Numbers of things (tokens, rows,
//! symbols) are indexes into the arrays of the same document. The host may call `run` of one metric from several
//! threads at once; a plugin calls the host only from the thread, and during the call, in which it got it.
//!
//! Structs grow at the end only; arrays carry the size of their items, so an item may grow too. What is added raises the
//! second number of the version: a host loads the plugins of its own version and of the earlier ones down to
//! GLOSA_ABI_EARLIEST.
//!
//! `include/glosa_plugin.h` is made from this file by a test of this crate.

use std::ffi::c_void;

/// First number of the interface version; another first number is another interface.
pub const GLOSA_ABI_MAJOR: u16 = 0;
/// Second number of the interface version; that of a plugin may be lower than that of the host, not higher.
pub const GLOSA_ABI_MINOR: u16 = 2;
/// The earliest second number that a host of this version still loads.
pub const GLOSA_ABI_EARLIEST: u16 = 1;

/// All went well.
pub const GLOSA_OK: u32 = 0;
/// No such parameter, glossary, row or column.
pub const GLOSA_UNKNOWN: u32 = 1;
/// The parameter has another type than was asked for.
pub const GLOSA_MISMATCH: u32 = 2;
/// An argument is not valid: a span outside the text, bytes that are not UTF-8, a struct that is too small.
pub const GLOSA_INVALID: u32 = 3;
/// The host wants the metric to stop.
pub const GLOSA_STOPPED: u32 = 4;
/// The metric gave up; `fail` says why.
pub const GLOSA_FAILED: u32 = 5;
/// The metric panicked; `fail` says why.
pub const GLOSA_PANICKED: u32 = 6;

/// Spanish: the number of the language in a document; `1 << GLOSA_ES` in a set of languages.
pub const GLOSA_ES: u32 = 0;
/// Catalan.
pub const GLOSA_CA: u32 = 1;
/// English.
pub const GLOSA_EN: u32 = 2;

/// The metric calculates one number.
pub const GLOSA_MEASUREMENT: u32 = 0;
/// The metric finds issues.
pub const GLOSA_RULE: u32 = 1;

/// A paragraph.
pub const GLOSA_PARAGRAPH: u32 = 0;
/// A heading.
pub const GLOSA_HEADING: u32 = 1;
/// An item of a list.
pub const GLOSA_LIST_ITEM: u32 = 2;

/// A whole number.
pub const GLOSA_INTEGER: u32 = 0;
/// A number with decimals; a parameter that is a whole number can be read as one.
pub const GLOSA_NUMBER: u32 = 1;
/// True or false.
pub const GLOSA_FLAG: u32 = 2;
/// A word.
pub const GLOSA_TEXT: u32 = 3;
/// A list of words.
pub const GLOSA_LIST: u32 = 4;

/// White space (or the start of the text) stands before the token.
pub const GLOSA_SPACE_BEFORE: u8 = 1;
/// The first letter of the token is a capital.
pub const GLOSA_CAPITALISED: u8 = 2;
/// All letters of the token are capitals.
pub const GLOSA_ALL_CAPS: u8 = 4;
/// The token has a letter.
pub const GLOSA_WORD: u8 = 8;
/// The token has digits and no letter.
pub const GLOSA_DIGITS: u8 = 16;
/// The token is punctuation only.
pub const GLOSA_PUNCTUATION: u8 = 32;
/// The lexicon of the language knows the token.
pub const GLOSA_KNOWN: u8 = 64;

/// The metric requires syllables.
pub const GLOSA_NEEDS_SYLLABLES: u64 = 1;
/// The metric requires lemmas.
pub const GLOSA_NEEDS_LEMMA: u64 = 2;
/// The metric requires parts of speech.
pub const GLOSA_NEEDS_POS: u64 = 4;
/// The metric requires morphological features.
pub const GLOSA_NEEDS_MORPH: u64 = 8;
/// The metric requires the making of inflected forms.
pub const GLOSA_NEEDS_INFLECT: u64 = 16;
/// The metric requires frequencies of words.
pub const GLOSA_NEEDS_FREQUENCY: u64 = 32;
/// The metric requires dependency trees.
pub const GLOSA_NEEDS_DEPENDENCY: u64 = 64;

/// The sentence index of a heading, which is no sentence.
pub const GLOSA_NO_INDEX: u32 = 4294967295;

/// No token or clause: the head of a root, a subject that is left out.
pub const GLOSA_NONE: u32 = 4294967295;

/// The clause of the root.
pub const GLOSA_CLAUSE_MAIN: u32 = 0;
/// A clause joined to another one.
pub const GLOSA_CLAUSE_COORDINATE: u32 = 1;
/// A clause beside another one, without a word that joins them.
pub const GLOSA_CLAUSE_INSERTED: u32 = 2;
/// A relative clause.
pub const GLOSA_CLAUSE_RELATIVE: u32 = 3;
/// A clause that is subject, object or content.
pub const GLOSA_CLAUSE_COMPLEMENT: u32 = 4;
/// A condition.
pub const GLOSA_CLAUSE_CONDITIONAL: u32 = 5;
/// A cause.
pub const GLOSA_CLAUSE_CAUSAL: u32 = 6;
/// A purpose.
pub const GLOSA_CLAUSE_PURPOSE: u32 = 7;
/// A time.
pub const GLOSA_CLAUSE_TEMPORAL: u32 = 8;
/// A concession.
pub const GLOSA_CLAUSE_CONCESSIVE: u32 = 9;
/// A result.
pub const GLOSA_CLAUSE_RESULT: u32 = 10;
/// A comparison or contrast.
pub const GLOSA_CLAUSE_COMPARATIVE: u32 = 11;
/// Any other adverbial clause.
pub const GLOSA_CLAUSE_ADVERBIAL: u32 = 12;

/// A string: UTF-8, not terminated. A null `ptr` is an absent string, which is not an empty one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Str {
    /// First byte.
    pub ptr: *const u8,
    /// Number of bytes.
    pub len: usize,
}

/// An array whose items lie `stride` bytes apart; `stride` is at least the size of the item that the reader knows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// First item; null only when `count` is 0.
    pub items: *const c_void,
    /// Number of items.
    pub count: u32,
    /// Bytes from one item to the next.
    pub stride: u32,
}

/// A half-open range: code points of the text, bytes of the text, or numbers of tokens, words or sentences.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// First.
    pub start: u32,
    /// One after the last.
    pub end: u32,
}

/// A surface token.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Place in code points.
    pub span: Range,
    /// Place in bytes.
    pub bytes: Range,
    /// Symbol of the form as written.
    pub form: u32,
    /// Symbol of the normal form: lower case, composed, straight apostrophe.
    pub norm: u32,
    /// Symbol of the lemma of its first syntactic word.
    pub lemma: u32,
    /// Symbol of the Universal Dependencies features of its first syntactic word; the empty string without any.
    pub feats: u32,
    /// Number of its sentence.
    pub sentence: u32,
    /// Its syntactic words; empty unless it has two or more.
    pub parts: Range,
    /// Universal part of speech: its number in the alphabetical list from ADJ (0) to X (16).
    pub pos: u8,
    /// Facts of its form: GLOSA_SPACE_BEFORE to GLOSA_KNOWN.
    pub flags: u8,
    /// Zipf frequency times 10; 0 is unknown.
    pub zipf: u8,
    /// Always 0.
    pub reserved: u8,
}

/// A syntactic word of a contraction or of a verb with clitics.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Symbol of its form.
    pub form: u32,
    /// Symbol of its lemma.
    pub lemma: u32,
    /// Symbol of its features.
    pub feats: u32,
    /// Universal part of speech, as in a token.
    pub pos: u32,
}

/// A sentence, a list item's sentence or a whole heading.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Sentence {
    /// Place in code points, surrounding white space excluded.
    pub span: Range,
    /// Place in bytes.
    pub bytes: Range,
    /// Its tokens.
    pub tokens: Range,
    /// Its orthographic words.
    pub words: Range,
    /// Number of its block.
    pub block: u32,
    /// Its number among the sentences of the document; GLOSA_NO_INDEX for a heading.
    pub index: u32,
}

/// A paragraph, heading or list item.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Place in code points, markers included.
    pub span: Range,
    /// Place in bytes, markers included.
    pub bytes: Range,
    /// Place in bytes without bullet, number or Markdown marks.
    pub content: Range,
    /// Its sentence units.
    pub sentences: Range,
    /// GLOSA_PARAGRAPH, GLOSA_HEADING or GLOSA_LIST_ITEM.
    pub kind: u32,
}

/// An orthographic word: what writers count.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Place in code points.
    pub span: Range,
    /// Place in bytes.
    pub bytes: Range,
    /// Number of its sentence unit.
    pub sentence: u32,
    /// Syllables; 0 where they are not counted.
    pub syllables: u16,
    /// Letters.
    pub letters: u16,
}

/// The analysed text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// Size of this struct in bytes, as the host knows it.
    pub size: u32,
    /// GLOSA_ES, GLOSA_CA or GLOSA_EN.
    pub language: u32,
    /// The submitted text, untouched.
    pub text: Str,
    /// Its code points.
    pub code_points: u32,
    /// Surface tokens in reading order: items are `glosa_token`.
    pub tokens: Array,
    /// Syntactic words of contractions: items are `glosa_part`.
    pub parts: Array,
    /// Sentence units in reading order: items are `glosa_sentence`.
    pub sentences: Array,
    /// Blocks in reading order: items are `glosa_block`.
    pub blocks: Array,
    /// Orthographic words in reading order: items are `glosa_word`.
    pub words: Array,
    /// The string table: items are `glosa_str`; symbol 0 is the empty string.
    pub symbols: Array,
}

/// The value of a parameter. Only the member that `kind` names is set.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// GLOSA_INTEGER to GLOSA_LIST.
    pub kind: u32,
    /// For GLOSA_FLAG.
    pub flag: bool,
    /// For GLOSA_INTEGER.
    pub integer: i64,
    /// For GLOSA_NUMBER.
    pub number: f64,
    /// For GLOSA_TEXT.
    pub text: Str,
    /// For GLOSA_LIST: items are `glosa_str`.
    pub list: Array,
}

/// A change of the text; an empty text deletes, an empty span inserts.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// What is replaced, in code points.
    pub span: Range,
    /// What stands there afterwards.
    pub text: Str,
}

/// A connector inside a long sentence.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Connector {
    /// Its place in code points.
    pub span: Range,
    /// The relation that it expresses.
    pub relation: Str,
    /// Connectors that can open the second half: items are `glosa_str`.
    pub alternatives: Array,
}

/// A value that the wording may show: a whole number, a number or a text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// Its name, as the wording writes it between braces.
    pub name: Str,
    /// GLOSA_INTEGER, GLOSA_NUMBER or GLOSA_TEXT.
    pub kind: u32,
    /// For GLOSA_INTEGER.
    pub integer: i64,
    /// For GLOSA_NUMBER.
    pub number: f64,
    /// For GLOSA_TEXT.
    pub text: Str,
}

/// One occurrence of a rule.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// Size of this struct in bytes, as the plugin knows it.
    pub size: u32,
    /// Where, in code points. Ignored when `missing` is set.
    pub span: Range,
    /// Name of something that is not in the text, such as a missing section; null for a finding with a place.
    pub missing: Str,
    /// Further places of the same unit, without the first: items are `glosa_range`.
    pub also: Array,
    /// Preferred replacement of the whole place; null without one.
    pub replacement: Str,
    /// Other replacements: items are `glosa_str`.
    pub alternatives: Array,
    /// Changes that carry out the replacement: items are `glosa_edit`.
    pub edits: Array,
    /// Connectors inside the place: items are `glosa_connector`.
    pub connectors: Array,
    /// Values for the wording: items are `glosa_fact`.
    pub facts: Array,
}

/// What the host offers during one call of `run`. `ctx` is the first argument of all its functions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Size of this struct in bytes, as the host knows it.
    pub size: u32,
    /// First argument of every function.
    pub ctx: *mut c_void,
    /// Reads a parameter as a type (GLOSA_INTEGER to GLOSA_LIST). The host notes that it was read.
    pub param: unsafe extern "C" fn(ctx: *mut c_void, key: Str, kind: u32, out: *mut Value) -> u32,
    /// Adds an occurrence; the host copies it.
    pub find: unsafe extern "C" fn(ctx: *mut c_void, finding: *const Finding) -> u32,
    /// Sets the value of a measurement to a whole number.
    pub measure_integer: unsafe extern "C" fn(ctx: *mut c_void, value: i64) -> u32,
    /// Sets the value of a measurement to a number with decimals.
    pub measure_number: unsafe extern "C" fn(ctx: *mut c_void, value: f64) -> u32,
    /// Sets a value for the wording of the whole recommendation.
    pub fact: unsafe extern "C" fn(ctx: *mut c_void, fact: *const Fact) -> u32,
    /// Whether the metric has to end now; ask in long loops, then return GLOSA_STOPPED.
    pub stop: unsafe extern "C" fn(ctx: *mut c_void) -> bool,
    /// Says why the metric gives up; then return GLOSA_FAILED.
    pub fail: unsafe extern "C" fn(ctx: *mut c_void, why: Str),
    /// An optional ability: a pointer to its table of functions, or null where the host has none of that name.
    /// `glossary/1`, `structure/1`, `inflect/1`, `syntax/2` and `syntax/3` are the tables below.
    pub extension: unsafe extern "C" fn(ctx: *mut c_void, id: Str) -> *const c_void,
}

/// A place where a term of a glossary stands.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GlossaryHit {
    /// Its tokens.
    pub tokens: Range,
    /// Number of its row.
    pub row: u32,
    /// Syntactic words of the last token that the term leaves over: `a través de` leaves the article of
    /// `a través del` over.
    pub rest: u32,
}

/// A row of a glossary. Columns of its own are read with `column`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GlossaryRow {
    /// The term as the file writes it.
    pub term: Str,
    /// Preferred replacement; null without one.
    pub replacement: Str,
    /// Other replacements: items are `glosa_str`.
    pub alternatives: Array,
    /// `replace`, `explain`, `prefer`, `forbid` or `allow`.
    pub kind: Str,
    /// `safe`, `suggest` or `term`.
    pub status: Str,
    /// Why, and when to keep the term; null without one.
    pub note: Str,
    /// Whether the row is applied; rows that are not have no hits.
    pub active: bool,
}

/// `glossary/1`: the glossaries that the variant lists. `ctx` is that of the host.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Glossary1 {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Hits of a glossary in reading order; they do not overlap. Items are `glosa_glossary_hit`. A glossary without
    /// rows for the genre has no hits and no rows.
    pub hits: unsafe extern "C" fn(ctx: *mut c_void, key: Str, out: *mut Array) -> u32,
    /// Number of rows of a glossary.
    pub rows: unsafe extern "C" fn(ctx: *mut c_void, key: Str, out: *mut u32) -> u32,
    /// A row.
    pub row: unsafe extern "C" fn(ctx: *mut c_void, key: Str, row: u32, out: *mut GlossaryRow) -> u32,
    /// A column of a row; `out` gets a null string where the row has no such column.
    pub column: unsafe extern "C" fn(ctx: *mut c_void, key: Str, row: u32, name: Str, out: *mut Str) -> u32,
}

/// A section of the recommended structure.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its usual heading.
    pub name: Str,
    /// Other headings that name it: items are `glosa_str`.
    pub synonyms: Array,
    /// What it should cover: items are `glosa_content`.
    pub contents: Array,
}

/// A content of a section.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Content {
    /// What it is.
    pub name: Str,
    /// `always`, `usual`, `optional` …; null where nothing is known.
    pub occurrence: Str,
    /// Words or phrases that show that the content is there: items are `glosa_str`.
    pub cues: Array,
    /// Suggested wording: items are `glosa_str`.
    pub phraseology: Array,
}

/// `structure/1`: the recommended structure of the genre. `ctx` is that of the host.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Structure1 {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Sections in reading order: items are `glosa_section`.
    pub sections: unsafe extern "C" fn(ctx: *mut c_void, out: *mut Array) -> u32,
    /// Whether the order of the sections is free.
    pub free_order: unsafe extern "C" fn(ctx: *mut c_void) -> bool,
}

/// `inflect/1`: forms of words in the language of the document. `ctx` is that of the host.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Inflect1 {
    /// Size of this struct in bytes.
    pub size: u32,
    /// The form of `lemma` with a part of speech (`VERB`) and features (`Mood=Ind|Number=Sing`). GLOSA_UNKNOWN where
    /// the host does not know it: then offer no replacement.
    pub form: unsafe extern "C" fn(ctx: *mut c_void, lemma: Str, pos: Str, feats: Str, out: *mut Str) -> u32,
}

/// Where a token stands in the tree of its sentence.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    /// Number of the token that is its head; GLOSA_NONE for a root.
    pub head: u32,
    /// Symbol of the Universal Dependencies relation to the head.
    pub relation: u32,
}

/// A finite clause. Tokens are numbers of the document.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// Place in code points, punctuation at its ends excluded.
    pub span: Range,
    /// From its first token to its last, the clauses inside it included; those joined to it after it are not.
    pub tokens: Range,
    /// The words that introduce it; empty without any.
    pub introducer: Range,
    /// From the first word of its verb group to the last.
    pub verbs: Range,
    /// GLOSA_CLAUSE_MAIN to GLOSA_CLAUSE_ADVERBIAL.
    pub kind: u32,
    /// Clauses that hold it; a main clause has 0.
    pub depth: u32,
    /// The clause that it hangs on or is joined to, by its number in the sentence; GLOSA_NONE without one.
    pub parent: u32,
    /// The word that heads it.
    pub head: u32,
    /// The finite verb.
    pub finite: u32,
    /// Head of the subject; GLOSA_NONE where it is left out.
    pub subject: u32,
    /// Head of the agent of a passive; GLOSA_NONE without one.
    pub agent: u32,
    /// 1 where the verb is passive, else 0.
    pub passive: u32,
    /// The person of its subject, 1 to 3, also where the subject is left out. Since 0.2.
    pub person: u32,
}

/// A noun with what belongs to it. Tokens are numbers of the document. Since 0.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Phrase {
    /// From its first token to its last, without a gap: determiners, adjectives, complements.
    pub tokens: Range,
    /// The noun, name or pronoun that heads it.
    pub head: u32,
    /// Heads of what modifies it, in reading order: items are `uint32_t`.
    pub modifiers: Array,
}

/// `syntax/2`: tree and clauses of a sentence, which are made when they are asked for: ask for what is needed. `ctx` is that
/// of the host.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Syntax2 {
    /// Size of this struct in bytes.
    pub size: u32,
    /// The arcs of the tokens of a sentence unit, by its number: items are `glosa_arc`. GLOSA_UNKNOWN where the document
    /// has no such sentence or no trees, which happens where no metric of the genre has GLOSA_NEEDS_DEPENDENCY.
    pub arcs: unsafe extern "C" fn(ctx: *mut c_void, sentence: u32, out: *mut Array) -> u32,
    /// Its finite clauses in the order of their first tokens: items are `glosa_clause`. GLOSA_UNKNOWN as above.
    pub clauses: unsafe extern "C" fn(ctx: *mut c_void, sentence: u32, out: *mut Array) -> u32,
}

/// `syntax/3`: that of `syntax/2` and the noun phrases. Since 0.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Syntax3 {
    /// Size of this struct in bytes.
    pub size: u32,
    /// As in `syntax/2`.
    pub arcs: unsafe extern "C" fn(ctx: *mut c_void, sentence: u32, out: *mut Array) -> u32,
    /// As in `syntax/2`.
    pub clauses: unsafe extern "C" fn(ctx: *mut c_void, sentence: u32, out: *mut Array) -> u32,
    /// The noun phrases of a sentence unit in the order of their heads, those inside others among them: items are
    /// `glosa_phrase`. GLOSA_UNKNOWN as in `syntax/2`.
    pub phrases: unsafe extern "C" fn(ctx: *mut c_void, sentence: u32, out: *mut Array) -> u32,
}

/// A measurement or rule of a plugin.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its public name, that of its folder.
    pub id: Str,
    /// Version of the implementation, `major.minor.patch`.
    pub version: Str,
    /// GLOSA_MEASUREMENT or GLOSA_RULE.
    pub kind: u32,
    /// The set of languages: bits `1 << GLOSA_ES` and so on.
    pub languages: u32,
    /// What it requires of the linguistic runtime: bits GLOSA_NEEDS_…
    pub needs: u64,
    /// Makes the state of the metric, once, at load; null where there is none. A null result refuses the plugin.
    pub create: Option<unsafe extern "C" fn() -> *mut c_void>,
    /// Analyses one document. Called from any thread, concurrently. `state` is what `create` gave, else null.
    pub run: unsafe extern "C" fn(state: *mut c_void, document: *const Document, host: *const Host) -> u32,
    /// Gives the state up; null where there is nothing to give up.
    pub destroy: Option<unsafe extern "C" fn(state: *mut c_void)>,
}

/// What a plugin library is. The only symbol of the library is a function without arguments, named `glosa_plugin_`
/// and the name of the plugin, that gives a pointer to this struct; it lives as long as the process.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Plugin {
    /// GLOSA_ABI_MAJOR of the header that it was built with. This and the next member never move.
    pub abi_major: u16,
    /// GLOSA_ABI_MINOR of the header that it was built with.
    pub abi_minor: u16,
    /// Its name.
    pub name: Str,
    /// Its version.
    pub version: Str,
    /// Its metrics: items are `glosa_metric`.
    pub metrics: Array,
}

/// The function that a plugin library exports.
pub type Entry = unsafe extern "C" fn() -> *const Plugin;

// SAFETY: descriptions are constant data behind pointers to data that lives as long as the process.
unsafe impl Sync for Metric {}
// SAFETY: as above.
unsafe impl Sync for Plugin {}
// SAFETY: as above; a metric is moved between threads as a description, its functions may be called from any.
unsafe impl Send for Metric {}

impl Str {
    /// An absent string.
    pub const NONE: Str = Str { ptr: std::ptr::null(), len: 0 };

    /// Lends a string.
    pub const fn new(string: &str) -> Str {
        Str { ptr: string.as_ptr(), len: string.len() }
    }

    /// The string, `None` where it is absent or not UTF-8.
    ///
    /// # Safety
    /// The bytes live and stay as they are for `'a`.
    pub unsafe fn get<'a>(self) -> Option<&'a str> {
        if self.ptr.is_null() {
            return None;
        }
        // SAFETY: not null, and the caller answers for the bytes.
        let bytes = unsafe { std::slice::from_raw_parts(self.ptr, self.len) };
        std::str::from_utf8(bytes).ok()
    }

    /// The string, its bytes not looked at; an absent string is empty.
    ///
    /// # Safety
    /// The bytes are UTF-8, and they live and stay as they are for `'a`.
    pub(crate) unsafe fn trusted<'a>(self) -> &'a str {
        if self.ptr.is_null() {
            return "";
        }
        // SAFETY: not null, and the caller answers for the bytes.
        unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(self.ptr, self.len)) }
    }
}

impl Array {
    /// An array without items.
    pub const EMPTY: Array = Array { items: std::ptr::null(), count: 0, stride: 0 };

    /// Lends a slice.
    pub const fn new<T>(items: &[T]) -> Array {
        Array { items: items.as_ptr().cast(), count: items.len() as u32, stride: size_of::<T>() as u32 }
    }

    /// Whether items of a type can be read from it.
    pub const fn holds<T>(self) -> bool {
        self.count == 0
            || (!self.items.is_null()
                && self.stride as usize >= size_of::<T>()
                && (self.stride as usize).is_multiple_of(align_of::<T>()))
    }

    /// An item, `None` after the last one and where the items are too small.
    ///
    /// # Safety
    /// The array holds items that start with a `T`, and they live and stay as they are for `'a`.
    pub unsafe fn get<'a, T>(self, number: u32) -> Option<&'a T> {
        if number >= self.count || !self.holds::<T>() {
            return None;
        }
        let at = number as usize * self.stride as usize;
        // SAFETY: inside the array, whose items the caller answers for.
        Some(unsafe { &*self.items.cast::<u8>().add(at).cast::<T>() })
    }

    /// All items.
    ///
    /// # Safety
    /// As for [`Array::get`].
    pub unsafe fn iter<'a, T: 'a>(self) -> impl Iterator<Item = &'a T> {
        // SAFETY: the caller answers for the items.
        (0..self.count).map_while(move |n| unsafe { self.get(n) })
    }
}
