//! Documents tagged by hand, and variants that run on them.
//!
//! A word is `form/POS/lemma/Feats`, all but the form optional; `~` before it leaves the space out; a contraction
//! adds its syntactic words after a fifth slash: `del/ADP/de//de:ADP:de+el:DET:el`. `|` ends a sentence, `¶` a
//! paragraph.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;
use std::sync::Arc;

use glosa_metric::phrases::{PhraseIndex, PhraseIndexBuilder, PhraseRow};
use glosa_metric::{
    Budget, CompileContext, Compiled, EntryKind, Finding, Glossaries, Glossary, GlossaryEntry, Inflect, Input,
    MetricFile, ParamSpec, ParamValues, Params, Problem, Sink, SourceLevel, Structure, VariantFile, WordList,
    WordLists, compile, phrase_rows,
};
use glosa_text::{Block, BlockKind, Document, DocumentBuilder, Language, Layout, TokenInput, Upos};

pub fn tokenize(text: &str) -> Vec<String> {
    text.split_whitespace().map(glosa_text::normal_form).collect()
}

struct Word<'w> {
    form: &'w str,
    fields: Vec<&'w str>,
    bytes: std::ops::Range<usize>,
}

pub fn document(tagged: &str) -> Document {
    let mut text = String::new();
    let mut blocks: Vec<Vec<Vec<Word<'_>>>> = vec![vec![Vec::new()]];
    for word in tagged.split_whitespace() {
        match word {
            "|" => blocks.last_mut().unwrap().push(Vec::new()),
            "¶" => {
                text.push_str("\n\n");
                blocks.push(vec![Vec::new()]);
            }
            _ => {
                let (tight, word) = match word.strip_prefix('~') {
                    Some(rest) => (true, rest),
                    None => (false, word),
                };
                let fields: Vec<&str> = if word == "/" { vec!["/"] } else { word.split('/').collect() };
                if !tight && !text.is_empty() && !text.ends_with('\n') {
                    text.push(' ');
                }
                let start = text.len();
                text.push_str(fields[0]);
                let sentence = blocks.last_mut().unwrap().last_mut().unwrap();
                sentence.push(Word { form: fields[0], fields, bytes: start..text.len() });
            }
        }
    }
    for block in &mut blocks {
        block.retain(|sentence| !sentence.is_empty());
    }
    blocks.retain(|block| !block.is_empty());
    let layout = Layout {
        blocks: blocks
            .iter()
            .map(|block| {
                let start = block[0][0].bytes.start;
                let end = block.last().unwrap().last().unwrap().bytes.end;
                Block { kind: BlockKind::Paragraph, bytes: start..end, content: start..end }
            })
            .collect(),
    };
    let mut builder = DocumentBuilder::new(Language::Es, &text, layout);
    for (number, block) in blocks.iter().enumerate() {
        for sentence in block {
            builder.sentence(number, sentence[0].bytes.start..sentence.last().unwrap().bytes.end);
            for word in sentence {
                let norm = glosa_text::normal_form(word.form);
                let field = |n: usize| word.fields.get(n).copied().filter(|f| !f.is_empty());
                builder.token(TokenInput {
                    bytes: word.bytes.clone(),
                    norm: &norm,
                    lemma: field(2).unwrap_or(&norm),
                    pos: field(1).map_or(Upos::X, |tag| tag.parse().unwrap()),
                    feats: field(3).unwrap_or(""),
                    zipf: 0,
                    known: false,
                });
                for part in field(4).into_iter().flat_map(|parts| parts.split('+')) {
                    let fields: Vec<&str> = part.split(':').collect();
                    builder.part(fields[0], fields[2], fields[1].parse().unwrap(), "");
                }
            }
        }
    }
    builder.finish(|_| 1)
}

/// Knows the third person of a few verbs and the plural in -s.
pub struct ToyInflection;

impl Inflect for ToyInflection {
    fn inflect(&self, _: Language, lemma: &str, pos: &str, feats: &str) -> Option<String> {
        match (pos, feats) {
            ("NOUN", "Number=Plur") => Some(format!("{lemma}s")),
            ("VERB", "Tense=Past") => Some(format!("{}ó", lemma.strip_suffix("ar")?)),
            ("VERB", feats) if feats.contains("VerbForm=") => Some(format!("{lemma}[{feats}]")),
            _ => None,
        }
    }

    fn join(&self, _: Language, left: &str, right: &str) -> String {
        match (left.rsplit_once(' '), right) {
            (Some((before, "a")), "el") => format!("{before} al"),
            (None, "el") if left == "a" => "al".to_owned(),
            _ => format!("{left} {right}"),
        }
    }
}

/// What compiling says of a file.
pub fn compile_problems(file: &VariantFile, source: &str) -> String {
    let context = CompileContext {
        file: "rules/toy/es.yaml",
        source,
        params: &BTreeMap::new(),
        tokenize: &tokenize,
        table: Some(0),
        columns: &|_| None,
        lists: &WordLists::default(),
        lemmas: &|_| Vec::new(),
        participles: &|verb| verb.strip_suffix("ar").map(|stem| format!("{stem}ado")).into_iter().collect(),
    };
    let problems = compile(file, &context).err().unwrap_or_default();
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

pub fn entry(term: &str) -> GlossaryEntry {
    GlossaryEntry {
        examples: Default::default(),
        term: term.to_owned(),
        replacement: None,
        alternatives: Vec::new(),
        kind: EntryKind::Replace,
        status: Default::default(),
        by: Default::default(),
        pos: None,
        note: None,
        active: true,
        data: BTreeMap::new(),
    }
}

#[derive(Default)]
pub struct Bench {
    pub params: BTreeMap<String, ParamSpec>,
    pub values: ParamValues,
    pub glossaries: BTreeMap<String, Vec<GlossaryEntry>>,
    pub trial: bool,
}

impl Bench {
    pub fn params(mut self, manifest: &str) -> Self {
        let manifest = format!("id: toy\nkind: rule\ncategory: toy\norder: 1\nparams:\n{manifest}");
        let manifest: MetricFile = glosa_metric::yaml::read(&manifest).unwrap();
        self.values = manifest.defaults(Language::Es);
        self.params = manifest.params;
        self
    }

    pub fn glossary(mut self, key: &str, rows: Vec<GlossaryEntry>) -> Self {
        self.glossaries.insert(key.to_owned(), rows);
        self
    }

    pub fn compile(&self, yaml: &str) -> Result<(VariantFile, Compiled), Vec<Problem>> {
        let file = VariantFile::read("rules/toy/es.yaml", yaml)?;
        let mut lists = WordLists::default();
        file.lists.iter().for_each(|list| lists.add(Arc::new(WordList::new(list, &tokenize))));
        let context = CompileContext {
            file: "rules/toy/es.yaml",
            source: yaml,
            params: &self.params,
            tokenize: &tokenize,
            table: Some(0),
            columns: &|key| self.columns(key),
            lists: &lists,
            lemmas: &|word| if word == "denegada" { vec!["denegar".to_owned()] } else { Vec::new() },
            participles: &|verb| verb.strip_suffix("ar").map(|stem| format!("{stem}ado")).into_iter().collect(),
        };
        let compiled = compile(&file, &context)?;
        Ok((file, compiled))
    }

    pub fn problems(&self, yaml: &str) -> String {
        match self.compile(yaml) {
            Ok(_) => "no problem".to_owned(),
            Err(problems) => {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                problems.join("\n")
            }
        }
    }

    pub fn run(&self, yaml: &str, tagged: &str) -> (Arc<Document>, Sink) {
        let (file, compiled) = self.compile(yaml).unwrap_or_else(|problems| {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            panic!("{}", problems.join("\n"))
        });
        let document = Arc::new(document(tagged));
        let index = self.index(phrase_rows(&file));
        let active: Vec<u32> = (0..=self.glossaries.len() as u32).collect();
        let glossaries = self.glossaries.iter().enumerate().map(|(number, (key, rows))| {
            let glossary = Glossary {
                key: key.clone(),
                title: key.clone(),
                level: SourceLevel::Global,
                table: number as u32 + 1,
                entries: rows.clone(),
                rows: Default::default(),
            };
            (key.clone(), Arc::new(glossary))
        });
        let input = Input {
            document: document.clone(),
            params: Arc::new(Params::new(Arc::new(self.values.clone()))),
            glossaries: Arc::new(Glossaries::new(glossaries.collect())),
            views: Arc::default(),
            hits: Arc::new(index.scan(&document, &active)),
            structure: Arc::new(Structure::default()),
            inflect: Arc::new(ToyInflection),
            budget: Budget::default(),
            occurrences: 0,
            trial: self.trial,
        };
        let mut sink = Sink::default();
        compiled.run.run(&input, &mut sink).unwrap();
        (document, sink)
    }

    fn columns(&self, key: &str) -> Option<Vec<String>> {
        let rows = self.glossaries.get(key)?;
        Some(rows.iter().flat_map(|row| row.data.keys().cloned()).collect())
    }

    fn index(&self, own: Vec<PhraseRow>) -> PhraseIndex {
        let mut builder = PhraseIndexBuilder::new(&tokenize);
        builder.table(0, own);
        for (number, rows) in self.glossaries.values().enumerate() {
            builder.table(
                number as u32 + 1,
                rows.iter().map(|row| PhraseRow {
                    when: None,
                    phrase: row.term.clone(),
                    by: row.by,
                    pos: row.pos.iter().filter_map(|tag| tag.parse().ok()).collect(),
                    allow: row.kind == EntryKind::Allow,
                    active: row.active,
                }),
            );
        }
        builder.build().unwrap()
    }

    /// The text with `<…>` around what is found.
    pub fn marked(&self, yaml: &str, tagged: &str) -> String {
        let (document, sink) = self.run(yaml, tagged);
        let mut places: Vec<_> =
            sink.findings.iter().flat_map(|f| f.span().into_iter().chain(f.also.iter().copied())).collect();
        places.sort();
        let mut text = String::new();
        let mut from = 0;
        for place in places {
            let bytes = document.bytes_of_span(place);
            text.push_str(&document.text()[from..bytes.start]);
            text.push('<');
            text.push_str(document.slice(place));
            text.push('>');
            from = bytes.end;
        }
        text + &document.text()[from..]
    }

    /// The text after all edits.
    pub fn fixed(&self, yaml: &str, tagged: &str) -> String {
        let (document, sink) = self.run(yaml, tagged);
        apply(&document, &sink.findings)
    }
}

pub fn apply(document: &Document, findings: &[Finding]) -> String {
    let mut edits: Vec<_> = findings.iter().flat_map(|f| f.edits.clone()).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut text = document.text().to_owned();
    for edit in edits {
        text.replace_range(document.bytes_of_span(edit.span), &edit.text);
    }
    text
}
