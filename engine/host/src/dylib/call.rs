//! One call of a plugin: the functions that it may call back, and what it gave.

use std::ffi::c_void;

use glosa_metric::{Connector, Edit, Fact, Finding, Glossary, Input, MetricError, Number, ParamValue, Place, Sink};
use glosa_plugin::abi;
use glosa_text::{Document, NounPhrase, Span, Syntax, Upos};

use super::view::{range, span};

struct Call<'a> {
    input: &'a Input,
    sink: &'a mut Sink,
    error: Option<MetricError>,
    why: Option<String>,
    strings: Vec<String>,
    lists: Vec<Vec<abi::Str>>,
    hits: Vec<Vec<abi::GlossaryHit>>,
    contents: Vec<Vec<abi::Content>>,
    sections: Vec<Vec<abi::Section>>,
    arcs: Vec<Vec<abi::Arc>>,
    clauses: Vec<Vec<abi::Clause>>,
    phrases: Vec<(Vec<abi::Phrase>, Vec<NounPhrase>)>,
}

/// Runs a plugin with the host's functions; its status becomes a result.
pub(super) fn with(
    input: &Input,
    sink: &mut Sink,
    run: impl FnOnce(*const abi::Host) -> u32,
) -> Result<(), MetricError> {
    let mut call = Call {
        input,
        sink,
        error: None,
        why: None,
        strings: Vec::new(),
        lists: Vec::new(),
        hits: Vec::new(),
        contents: Vec::new(),
        sections: Vec::new(),
        arcs: Vec::new(),
        clauses: Vec::new(),
        phrases: Vec::new(),
    };
    let host = abi::Host {
        size: size_of::<abi::Host>() as u32,
        ctx: std::ptr::from_mut(&mut call).cast(),
        param,
        find,
        measure_integer,
        measure_number,
        fact,
        stop,
        fail,
        extension,
    };
    let status = run(&host);
    let why = call.why.take();
    match (status, call.error.take()) {
        (abi::GLOSA_PANICKED, _) => Err(MetricError::Panicked(why.unwrap_or_else(|| "no message".into()))),
        (abi::GLOSA_STOPPED, _) => Err(MetricError::Budget("the time of the metric is used up".into())),
        (_, Some(error)) => Err(error),
        (abi::GLOSA_OK, None) => Ok(()),
        (status, None) => Err(MetricError::Failed(
            why.unwrap_or_else(|| format!("the plugin ended with status {status} and did not say why")),
        )),
    }
}

impl Call<'_> {
    /// Keeps the first error, which fails the run whatever the plugin makes of the status.
    fn refuse(&mut self, status: u32, error: MetricError) -> u32 {
        self.error.get_or_insert(error);
        status
    }

    fn invalid(&mut self, what: &str) -> u32 {
        self.refuse(abi::GLOSA_INVALID, MetricError::Failed(format!("the plugin gave the host {what}")))
    }

    fn lend_list(&mut self, items: &[String]) -> abi::Array {
        let list: Vec<_> = items.iter().map(|s| abi::Str::new(s)).collect();
        let array = abi::Array::new(&list);
        self.lists.push(list);
        array
    }

    fn glossary(&mut self, key: abi::Str) -> Result<Option<&Glossary>, u32> {
        // SAFETY: the plugin lends the string for the call.
        let Some(key) = (unsafe { key.get() }) else {
            return Err(self.invalid("a glossary key that is not UTF-8"));
        };
        match self.input.glossaries.get(key) {
            Some(glossary) => Ok(Some(glossary)),
            None => Ok(None),
        }
    }
}

/// # Safety
/// `ctx` is the one of a host table made by [`with`], during its call.
unsafe fn call<'c>(ctx: *mut c_void) -> &'c mut Call<'c> {
    // SAFETY: the caller answers for ctx; callbacks of one call do not run at the same time.
    unsafe { &mut *ctx.cast::<Call<'c>>() }
}

fn lend_optional(string: Option<&String>) -> abi::Str {
    string.map_or(abi::Str::NONE, |s| abi::Str::new(s))
}

unsafe extern "C" fn param(ctx: *mut c_void, key: abi::Str, kind: u32, out: *mut abi::Value) -> u32 {
    // SAFETY: the plugin passes its host's ctx, a lent string and a value to fill.
    let (call, key, out) = unsafe { (call(ctx), key.get(), out.as_mut()) };
    let (Some(key), Some(out)) = (key, out) else {
        return call.invalid("no parameter key or no place for the value");
    };
    let params = &call.input.params;
    let mut list = None;
    let read = match kind {
        abi::GLOSA_INTEGER => params.integer(key).map(|n| out.integer = n),
        abi::GLOSA_NUMBER => params.number(key).map(|n| out.number = n),
        abi::GLOSA_FLAG => params.flag(key).map(|b| out.flag = b),
        abi::GLOSA_TEXT => params.text(key).map(|s| out.text = abi::Str::new(s)),
        abi::GLOSA_LIST => params.value(key).and_then(|value| match value {
            ParamValue::List(items) => {
                list = Some(items.as_slice());
                Ok(())
            }
            _ => params.list(key).map(|_| ()),
        }),
        _ => return call.invalid("a parameter type that does not exist"),
    };
    if let Some(items) = list {
        out.list = call.lend_list(items);
    }
    out.kind = kind;
    match read {
        Ok(()) => abi::GLOSA_OK,
        Err(error @ MetricError::ParamType { .. }) => call.refuse(abi::GLOSA_MISMATCH, error),
        Err(error) => call.refuse(abi::GLOSA_UNKNOWN, error),
    }
}

/// What a plugin lends, copied; an error names what is wrong with it.
struct Copied<'t> {
    code_points: u32,
    what: &'t mut Option<&'static str>,
}

impl Copied<'_> {
    fn span(&mut self, range: abi::Range) -> Span {
        if range.start > range.end || range.end > self.code_points {
            self.what.get_or_insert("a span outside the text");
        }
        Span::new(range.start, range.end)
    }

    unsafe fn text(&mut self, string: abi::Str) -> String {
        // SAFETY: the plugin lends the string for the call.
        match unsafe { string.get() } {
            Some(text) => text.to_owned(),
            None => {
                self.what.get_or_insert("a string that is missing or not UTF-8");
                String::new()
            }
        }
    }

    unsafe fn optional(&mut self, string: abi::Str) -> Option<String> {
        // SAFETY: as for text.
        (!string.ptr.is_null()).then(|| unsafe { self.text(string) })
    }

    unsafe fn all<T: 'static, R>(&mut self, array: abi::Array, mut copy: impl FnMut(&mut Self, &T) -> R) -> Vec<R> {
        if !array.holds::<T>() {
            self.what.get_or_insert("an array whose items are too small");
            return Vec::new();
        }
        // SAFETY: the plugin lends the array for the call.
        unsafe { array.iter::<T>() }.map(|item| copy(self, item)).collect()
    }

    unsafe fn strings(&mut self, array: abi::Array) -> Vec<String> {
        // SAFETY: as for all.
        unsafe { self.all(array, |copied, string: &abi::Str| copied.text(*string)) }
    }

    unsafe fn fact(&mut self, raw: &abi::Fact) -> (String, Fact) {
        // SAFETY: as for all.
        unsafe {
            let value = match raw.kind {
                abi::GLOSA_NUMBER => Fact::Number(raw.number),
                abi::GLOSA_TEXT => Fact::Text(self.text(raw.text)),
                _ => Fact::Integer(raw.integer),
            };
            (self.text(raw.name), value)
        }
    }

    unsafe fn finding(&mut self, raw: &abi::Finding) -> Finding {
        // SAFETY: as for all.
        unsafe {
            let place = match self.optional(raw.missing) {
                Some(name) => Place::Unlocated(name),
                None => Place::At(self.span(raw.span)),
            };
            let mut finding = match place {
                Place::At(span) => Finding::at(span),
                Place::Unlocated(name) => Finding::unlocated(name),
            };
            finding.also = self.all(raw.also, |copied, range| copied.span(*range));
            finding.replacement = self.optional(raw.replacement);
            finding.alternatives = self.strings(raw.alternatives);
            finding.edits = self.all(raw.edits, |copied, edit: &abi::Edit| Edit {
                span: copied.span(edit.span),
                text: copied.text(edit.text),
            });
            finding.connectors = self.all(raw.connectors, |copied, c: &abi::Connector| Connector {
                span: copied.span(c.span),
                relation: copied.text(c.relation),
                alternatives: copied.strings(c.alternatives),
            });
            let facts = self.all(raw.facts, |copied, fact| copied.fact(fact));
            finding.facts = facts.into_iter().collect();
            finding
        }
    }
}

unsafe extern "C" fn find(ctx: *mut c_void, finding: *const abi::Finding) -> u32 {
    // SAFETY: the plugin passes its host's ctx and lends the finding for the call.
    let (call, raw) = unsafe { (call(ctx), finding.as_ref()) };
    let Some(raw) = raw.filter(|f| f.size as usize >= size_of::<abi::Finding>()) else {
        return call.invalid("a finding of another size");
    };
    let mut what = None;
    let mut copied = Copied { code_points: call.input.document.code_points(), what: &mut what };
    // SAFETY: as above.
    let finding = unsafe { copied.finding(raw) };
    match what {
        Some(what) => call.invalid(what),
        None => {
            call.sink.find(finding);
            abi::GLOSA_OK
        }
    }
}

unsafe extern "C" fn measure_integer(ctx: *mut c_void, value: i64) -> u32 {
    // SAFETY: the plugin passes its host's ctx.
    unsafe { call(ctx) }.sink.measure(Number::Integer(value));
    abi::GLOSA_OK
}

unsafe extern "C" fn measure_number(ctx: *mut c_void, value: f64) -> u32 {
    // SAFETY: as above.
    unsafe { call(ctx) }.sink.measure(Number::Real(value));
    abi::GLOSA_OK
}

unsafe extern "C" fn fact(ctx: *mut c_void, fact: *const abi::Fact) -> u32 {
    // SAFETY: the plugin passes its host's ctx and lends the fact for the call.
    let (call, raw) = unsafe { (call(ctx), fact.as_ref()) };
    let Some(raw) = raw else {
        return call.invalid("no fact");
    };
    let mut what = None;
    let mut copied = Copied { code_points: 0, what: &mut what };
    // SAFETY: as above.
    let (name, value) = unsafe { copied.fact(raw) };
    match what {
        Some(what) => call.invalid(what),
        None => {
            call.sink.facts.insert(name, value);
            abi::GLOSA_OK
        }
    }
}

unsafe extern "C" fn stop(ctx: *mut c_void) -> bool {
    // SAFETY: the plugin passes its host's ctx.
    unsafe { call(ctx) }.input.budget.exhausted()
}

unsafe extern "C" fn fail(ctx: *mut c_void, why: abi::Str) {
    // SAFETY: the plugin passes its host's ctx and lends the string for the call.
    let (call, why) = unsafe { (call(ctx), why.get()) };
    call.why = Some(why.unwrap_or("(a message that is not UTF-8)").to_owned());
}

static GLOSSARY_1: abi::Glossary1 =
    abi::Glossary1 { size: size_of::<abi::Glossary1>() as u32, hits, rows, row, column };
static STRUCTURE_1: abi::Structure1 =
    abi::Structure1 { size: size_of::<abi::Structure1>() as u32, sections, free_order };
static INFLECT_1: abi::Inflect1 = abi::Inflect1 { size: size_of::<abi::Inflect1>() as u32, form };

static SYNTAX_2: abi::Syntax2 = abi::Syntax2 { size: size_of::<abi::Syntax2>() as u32, arcs, clauses };
static SYNTAX_3: abi::Syntax3 = abi::Syntax3 { size: size_of::<abi::Syntax3>() as u32, arcs, clauses, phrases };

unsafe extern "C" fn extension(_: *mut c_void, id: abi::Str) -> *const c_void {
    // SAFETY: the plugin lends the string for the call.
    match unsafe { id.get() } {
        Some("glossary/1") => std::ptr::from_ref(&GLOSSARY_1).cast(),
        Some("structure/1") => std::ptr::from_ref(&STRUCTURE_1).cast(),
        Some("inflect/1") => std::ptr::from_ref(&INFLECT_1).cast(),
        Some("syntax/2") => std::ptr::from_ref(&SYNTAX_2).cast(),
        Some("syntax/3") => std::ptr::from_ref(&SYNTAX_3).cast(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn arcs(ctx: *mut c_void, sentence: u32, out: *mut abi::Array) -> u32 {
    // SAFETY: the plugin passes its host's ctx and an array to fill.
    let (call, out) = unsafe { (call(ctx), out.as_mut()) };
    let Some(out) = out else {
        return call.invalid("no place for the arcs");
    };
    let Some(syntax) = call.input.document.syntax(sentence) else { return abi::GLOSA_UNKNOWN };
    let arc =
        |token| abi::Arc { head: syntax.head(token).unwrap_or(abi::GLOSA_NONE), relation: syntax.relation(token).0 };
    let arcs: Vec<_> = syntax.tokens().map(arc).collect();
    *out = abi::Array::new(&arcs);
    call.arcs.push(arcs);
    abi::GLOSA_OK
}

unsafe extern "C" fn clauses(ctx: *mut c_void, sentence: u32, out: *mut abi::Array) -> u32 {
    // SAFETY: as for arcs.
    let (call, out) = unsafe { (call(ctx), out.as_mut()) };
    let Some(out) = out else {
        return call.invalid("no place for the clauses");
    };
    let Some(syntax) = call.input.document.syntax(sentence) else { return abi::GLOSA_UNKNOWN };
    let clauses = lend_clauses(&call.input.document, syntax);
    *out = abi::Array::new(&clauses);
    call.clauses.push(clauses);
    abi::GLOSA_OK
}

fn lend_clauses(document: &Document, syntax: &Syntax) -> Vec<abi::Clause> {
    let clauses = syntax.clauses().iter();
    let none = |number: Option<u32>| number.unwrap_or(abi::GLOSA_NONE);
    clauses
        .map(|clause| abi::Clause {
            span: span(clause.span),
            tokens: range(&clause.tokens),
            introducer: range(&clause.introducer),
            verbs: range(&clause.verbs),
            kind: clause.kind as u32,
            depth: clause.depth.into(),
            parent: none(clause.parent),
            head: clause.head,
            finite: clause.finite,
            subject: none(clause.subject),
            agent: none(clause.agent),
            passive: clause.passive.into(),
            person: clause.person(document),
        })
        .collect()
}

unsafe extern "C" fn phrases(ctx: *mut c_void, sentence: u32, out: *mut abi::Array) -> u32 {
    // SAFETY: as for arcs.
    let (call, out) = unsafe { (call(ctx), out.as_mut()) };
    let Some(out) = out else {
        return call.invalid("no place for the noun phrases");
    };
    let document = &call.input.document;
    let Some(syntax) = document.syntax(sentence) else { return abi::GLOSA_UNKNOWN };
    let nominal = |token: &u32| matches!(document.tokens()[*token as usize].pos, Upos::Noun | Upos::Propn | Upos::Pron);
    let found: Vec<NounPhrase> =
        syntax.tokens().filter(nominal).map(|head| NounPhrase::of(document, syntax, head)).collect();
    let lend = |phrase: &NounPhrase| abi::Phrase {
        tokens: range(&phrase.tokens),
        head: phrase.head,
        modifiers: abi::Array::new(&phrase.modifiers),
    };
    let phrases: Vec<_> = found.iter().map(lend).collect();
    *out = abi::Array::new(&phrases);
    call.phrases.push((phrases, found));
    abi::GLOSA_OK
}

unsafe extern "C" fn hits(ctx: *mut c_void, key: abi::Str, out: *mut abi::Array) -> u32 {
    // SAFETY: the plugin passes its host's ctx, a lent string and an array to fill.
    let (call, out) = unsafe { (call(ctx), out.as_mut()) };
    let Some(out) = out else {
        return call.invalid("no place for the hits");
    };
    let table = match call.glossary(key) {
        Ok(glossary) => glossary.map(|g| g.table),
        Err(status) => return status,
    };
    let found = table.map_or(&[][..], |table| call.input.hits.of(table));
    let found: Vec<_> = found
        .iter()
        .map(|h| abi::GlossaryHit {
            tokens: abi::Range { start: h.tokens.start, end: h.tokens.end },
            row: h.row,
            rest: h.rest,
        })
        .collect();
    *out = abi::Array::new(&found);
    call.hits.push(found);
    abi::GLOSA_OK
}

unsafe extern "C" fn rows(ctx: *mut c_void, key: abi::Str, out: *mut u32) -> u32 {
    // SAFETY: as for hits.
    let (call, out) = unsafe { (call(ctx), out.as_mut()) };
    let Some(out) = out else {
        return call.invalid("no place for the number of rows");
    };
    match call.glossary(key) {
        Ok(glossary) => {
            *out = glossary.map_or(0, |g| g.entries.len() as u32);
            abi::GLOSA_OK
        }
        Err(status) => status,
    }
}

unsafe extern "C" fn row(ctx: *mut c_void, key: abi::Str, number: u32, out: *mut abi::GlossaryRow) -> u32 {
    // SAFETY: as for hits.
    let (call, out) = unsafe { (call(ctx), out.as_mut()) };
    let Some(out) = out else {
        return call.invalid("no place for the row");
    };
    let mut alternatives = Vec::new();
    match call.glossary(key) {
        Err(status) => return status,
        Ok(glossary) => {
            let Some(entry) = glossary.and_then(|g| g.entries.get(number as usize)) else {
                return abi::GLOSA_UNKNOWN;
            };
            *out = abi::GlossaryRow {
                term: abi::Str::new(&entry.term),
                replacement: lend_optional(entry.replacement.as_ref()),
                alternatives: abi::Array::EMPTY,
                kind: abi::Str::new(kind_name(entry.kind)),
                status: abi::Str::new(status_name(entry.status)),
                note: lend_optional(entry.note.as_ref()),
                active: entry.active,
            };
            alternatives.extend(entry.alternatives.iter().map(|s| abi::Str::new(s)));
        }
    }
    out.alternatives = abi::Array::new(&alternatives);
    call.lists.push(alternatives);
    abi::GLOSA_OK
}

fn kind_name(kind: glosa_metric::EntryKind) -> &'static str {
    use glosa_metric::EntryKind;
    match kind {
        EntryKind::Replace => "replace",
        EntryKind::Explain => "explain",
        EntryKind::Prefer => "prefer",
        EntryKind::Forbid => "forbid",
        EntryKind::Allow => "allow",
    }
}

fn status_name(status: glosa_metric::EntryStatus) -> &'static str {
    use glosa_metric::EntryStatus;
    match status {
        EntryStatus::Safe => "safe",
        EntryStatus::Suggest => "suggest",
        EntryStatus::Term => "term",
    }
}

unsafe extern "C" fn column(ctx: *mut c_void, key: abi::Str, number: u32, name: abi::Str, out: *mut abi::Str) -> u32 {
    // SAFETY: as for hits.
    let (call, out, name) = unsafe { (call(ctx), out.as_mut(), name.get()) };
    let (Some(out), Some(name)) = (out, name) else {
        return call.invalid("no column or no place for its value");
    };
    match call.glossary(key) {
        Err(status) => status,
        Ok(glossary) => {
            let Some(entry) = glossary.and_then(|g| g.entries.get(number as usize)) else {
                return abi::GLOSA_UNKNOWN;
            };
            *out = lend_optional(entry.data.get(name));
            abi::GLOSA_OK
        }
    }
}

unsafe extern "C" fn sections(ctx: *mut c_void, out: *mut abi::Array) -> u32 {
    // SAFETY: the plugin passes its host's ctx and an array to fill.
    let (call, out) = unsafe { (call(ctx), out.as_mut()) };
    let Some(out) = out else {
        return call.invalid("no place for the sections");
    };
    let input = call.input;
    let mut sections = Vec::new();
    for section in &input.structure.sections {
        let mut contents = Vec::new();
        for content in &section.contents {
            contents.push(abi::Content {
                name: abi::Str::new(&content.name),
                occurrence: lend_optional(content.occurrence.as_ref()),
                cues: call.lend_list(&content.cues),
                phraseology: call.lend_list(&content.phraseology),
            });
        }
        sections.push(abi::Section {
            name: abi::Str::new(&section.name),
            synonyms: call.lend_list(&section.synonyms),
            contents: abi::Array::new(&contents),
        });
        call.contents.push(contents);
    }
    *out = abi::Array::new(&sections);
    call.sections.push(sections);
    abi::GLOSA_OK
}

unsafe extern "C" fn free_order(ctx: *mut c_void) -> bool {
    // SAFETY: the plugin passes its host's ctx.
    unsafe { call(ctx) }.input.structure.free_order
}

unsafe extern "C" fn form(
    ctx: *mut c_void,
    lemma: abi::Str,
    pos: abi::Str,
    feats: abi::Str,
    out: *mut abi::Str,
) -> u32 {
    // SAFETY: the plugin passes its host's ctx, lent strings and a string to fill.
    let (call, lemma, pos, feats, out) = unsafe { (call(ctx), lemma.get(), pos.get(), feats.get(), out.as_mut()) };
    let (Some(lemma), Some(pos), Some(feats), Some(out)) = (lemma, pos, feats, out) else {
        return call.invalid("no lemma, part of speech or features, or no place for the form");
    };
    let language = call.input.document.language();
    match call.input.inflect.inflect(language, lemma, pos, feats) {
        Some(form) => {
            *out = abi::Str::new(&form);
            call.strings.push(form);
            abi::GLOSA_OK
        }
        None => abi::GLOSA_UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::super::view;
    use super::*;

    #[test]
    fn spans_outside_the_text_are_named() {
        let mut what = None;
        let mut copied = Copied { code_points: 5, what: &mut what };
        assert_eq!(copied.span(abi::Range { start: 0, end: 5 }), Span::new(0, 5));
        copied.span(abi::Range { start: 2, end: 6 });
        assert_eq!(what, Some("a span outside the text"));
        assert_eq!(view::span(Span::new(1, 2)), abi::Range { start: 1, end: 2 });
    }
}
