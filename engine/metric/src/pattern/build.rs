//! From steps as written to programs, with every problem on the way.

use std::collections::BTreeSet;
use std::sync::Arc;

use glosa_text::{BlockKind, ClauseKind, Upos, normal_form};
use regex::{Regex, RegexBuilder};
use rustc_hash::FxHashSet;

use super::anchor::{Anchor, Words};
use super::program::{Bound, Instruction, LookProgram, Phrases, Program, Side};
use super::step::{BLOCKS, Look, Sequence, Step, Tests, What};
use super::test::{TokenTest, TreeTest, WordSet};
use crate::amount::{Amount, Times};
use crate::compile::CompileContext;
use crate::problem::valid_names;
use crate::yaml::At;
use crate::yaml_reader::{Located, Reader};
use crate::{Capability, Needs, ParamType, WordList};

/// The relations of Universal Dependencies.
const RELATIONS: [&str; 37] = [
    "acl",
    "advcl",
    "advmod",
    "amod",
    "appos",
    "aux",
    "case",
    "cc",
    "ccomp",
    "clf",
    "compound",
    "conj",
    "cop",
    "csubj",
    "dep",
    "det",
    "discourse",
    "dislocated",
    "expl",
    "fixed",
    "flat",
    "goeswith",
    "iobj",
    "list",
    "mark",
    "nmod",
    "nsubj",
    "nummod",
    "obj",
    "obl",
    "orphan",
    "parataxis",
    "punct",
    "reparandum",
    "root",
    "vocative",
    "xcomp",
];

const LARGEST_PROGRAM: usize = 4_000;
const LARGEST_REGEX: usize = 1 << 16;
const ANY: u32 = u32::MAX;

/// How many tokens a part of a pattern covers; [`ANY`] where that depends on terms.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Width {
    pub(crate) min: u32,
    pub(crate) max: u32,
}

impl Width {
    fn plus(self, other: Width) -> Width {
        Width { min: self.min.saturating_add(other.min), max: self.max.checked_add(other.max).unwrap_or(ANY) }
    }
}

/// What the sequences of one variant share: names of captures, thresholds and glossaries, problems.
pub(crate) struct Builder<'b, 's> {
    pub(crate) context: &'b CompileContext<'b>,
    pub(crate) reader: &'b mut Reader<'s>,
    pub(crate) names: Vec<String>,
    /// For each name the glossaries whose terms it may be.
    pub(crate) terms: Vec<Vec<u32>>,
    pub(crate) params: Vec<String>,
    pub(crate) glossaries: Vec<String>,
    /// Glossaries that the variant lists.
    pub(crate) listed: &'b [String],
    /// Lists of words that it reads.
    pub(crate) lists: BTreeSet<String>,
    pub(crate) needs: Vec<Capability>,
    /// Parts of the file could not be read.
    pub(crate) partial: bool,
}

/// One sequence, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    pub(crate) program: Program,
    /// The program without its tests of trees, where it has any.
    pub(crate) loose: Option<Program>,
    pub(crate) anchors: Vec<Anchor>,
}

struct Emit {
    program: Program,
    anchors: Vec<Anchor>,
}

impl<'b, 's> Builder<'b, 's> {
    /// A builder without names, glossaries or lists of its own.
    pub(crate) fn new(context: &'b CompileContext<'b>, reader: &'b mut Reader<'s>) -> Self {
        Builder {
            context,
            reader,
            names: Vec::new(),
            terms: Vec::new(),
            params: Vec::new(),
            glossaries: Vec::new(),
            listed: &[],
            lists: BTreeSet::new(),
            needs: Vec::new(),
            partial: false,
        }
    }
}

impl Builder<'_, '_> {
    pub(crate) fn sequence(&mut self, sequence: &Sequence) -> Built {
        for name in captures(sequence) {
            if !self.names.contains(&name.value) {
                self.names.push(name.value.clone());
                self.terms.push(Vec::new());
            }
        }
        let mut emit = Emit { program: Program::default(), anchors: Vec::new() };
        let width = self.steps(&mut emit, sequence, Some(Width::default()));
        emit.program.code.push(Instruction::Match);
        emit.program.longest = if width.max == ANY { 0 } else { width.max };
        emit.program.slots = self.names.len() * 3;
        if emit.program.code.len() > LARGEST_PROGRAM {
            self.reader.problem(
                sequence.first().map(|s| s.at).unwrap_or_default(),
                "the pattern is too large once its repetitions are written out",
                "use fewer or smaller `repeat` and `gap` inside one another",
            );
        }
        if width.min == 0
            && !self.partial
            && let Some(first) = sequence.first()
        {
            self.reader.problem(first.at, "the pattern can match no word at all", "make at least one step obligatory");
        }
        Built { loose: emit.program.loose(), program: emit.program, anchors: emit.anchors }
    }

    /// A step of one token as two programs: its tests with what stands before it, and what stands behind, to be started where the
    /// phrase of a row ends.
    pub(crate) fn place(&mut self, step: &Step) -> (Program, Program) {
        let (before, behind): (Vec<_>, Vec<_>) = step.looks.iter().cloned().partition(|look| look.behind);
        let first = Step { looks: before, ..step.clone() };
        let first = self.sequence(&vec![first]).program;
        let mut emit = Emit { program: Program::default(), anchors: Vec::new() };
        for look in &behind {
            self.look(&mut emit, look, Side::Ahead);
        }
        emit.program.code.push(Instruction::Match);
        emit.program.slots = self.names.len() * 3;
        (first, emit.program)
    }

    /// Emits the steps; `before` is the width of what stands before them, `None` where no anchor is wanted.
    fn steps(&mut self, emit: &mut Emit, sequence: &Sequence, before: Option<Width>) -> Width {
        let mut total = Width::default();
        for step in sequence {
            let before = before.map(|before| before.plus(total));
            total = total.plus(self.step(emit, step, before));
            if emit.program.code.len() > LARGEST_PROGRAM {
                break;
            }
        }
        total
    }

    fn step(&mut self, emit: &mut Emit, step: &Step, before: Option<Width>) -> Width {
        // What stands before a step is looked at last where the step says by itself how many tokens it covers: its own tests are cheaper.
        let tokens = self.tokens_of(step);
        let behind = |builder: &mut Self, emit: &mut Emit, back: u32| {
            for look in step.looks.iter().filter(|look| look.behind) {
                builder.look(emit, look, Side::Behind { back });
            }
        };
        if tokens.is_none() {
            behind(self, emit, 0);
        }
        let name = self.capture_name(step);
        if let Some(name) = name {
            emit.program.code.push(Instruction::Save(name * 2));
        }
        let width = match (&step.what, &step.repeat) {
            (What::Gap(times, tests), _) => {
                let (min, max, most) = self.times(times);
                self.repeat(emit, min, max, most, true, None, &mut |builder, emit, _| {
                    let width = builder.token(emit, tests, None, None);
                    builder.count(emit, name);
                    width
                })
            }
            (_, Some(times)) => {
                let (min, max, most) = self.times(times);
                self.repeat(emit, min, max, most, false, before, &mut |builder, emit, before| {
                    builder.body(emit, step, name, before)
                })
            }
            (_, None) => self.body(emit, step, name, before),
        };
        if let Some(name) = name {
            emit.program.code.push(Instruction::Save(name * 2 + 1));
        }
        for look in step.looks.iter().filter(|look| !look.behind) {
            self.look(emit, look, Side::Ahead);
        }
        if let Some(tokens) = tokens {
            behind(self, emit, tokens);
        }
        width
    }

    /// How many tokens a step covers, where that is known.
    fn tokens_of(&self, step: &Step) -> Option<u32> {
        match &step.what {
            _ if step.repeat.is_some() => None,
            What::Words(text) => Some((self.context.tokenize)(text).len() as u32),
            What::Tests(tests) if tests.glossary.is_empty() => {
                let lists = tests.norm.iter().filter_map(|word| self.context.lists.get(word.strip_prefix('$')?));
                lists.into_iter().all(|list| list.longest() == 1).then_some(1)
            }
            _ => None,
        }
    }

    fn count(&self, emit: &mut Emit, name: Option<u32>) {
        if let Some(name) = name {
            emit.program.code.push(Instruction::Count(self.names.len() as u32 * 2 + name));
        }
    }

    fn capture_name(&mut self, step: &Step) -> Option<u32> {
        let name = implied_name(step)?;
        if let Some(given) = &step.name {
            let legal = given.starts_with(|c: char| c.is_ascii_alphabetic())
                && given.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !legal || given.value == "match" {
                self.reader.problem(
                    given.at,
                    format!("`{}` is no name for a capture", **given),
                    "use letters, digits and `_`; `match` is the whole match",
                );
            }
        }
        let number = self.names.iter().position(|n| *n == name)?;
        Some(number as u32)
    }

    fn body(&mut self, emit: &mut Emit, step: &Step, name: Option<u32>, before: Option<Width>) -> Width {
        let width = match &step.what {
            What::Words(text) => self.words(emit, text, step.at, before),
            What::Tests(tests) => self.token(emit, tests, name, before),
            What::Any(sequences) => self.any(emit, sequences, before),
            What::Gap(..) => Width::default(),
        };
        self.count(emit, name);
        width
    }

    fn words(&mut self, emit: &mut Emit, text: &str, at: At, before: Option<Width>) -> Width {
        let words = (self.context.tokenize)(text);
        if words.is_empty() {
            self.reader.problem(at, "an empty word", "write a word, or leave the step out");
        }
        let mut total = Width::default();
        for word in words {
            let test = TokenTest {
                norm: WordSet { literals: FxHashSet::from_iter([word]), ..WordSet::default() },
                ..TokenTest::default()
            };
            anchor_of(&test, before.map(|b| b.plus(total)), emit);
            push_test(emit, test);
            total = total.plus(Width { min: 1, max: 1 });
        }
        total
    }

    fn token(&mut self, emit: &mut Emit, tests: &Tests, name: Option<u32>, before: Option<Width>) -> Width {
        for (model, beginning) in [(&tests.agrees_with, false), (&tests.begins_like, true)] {
            let Some(model) = model else { continue };
            match self.names.iter().position(|n| *n == **model) {
                Some(slot) => {
                    emit.program.compares = true;
                    self.needs.extend((!beginning).then_some(Capability::Morph));
                    emit.program.code.push(Instruction::Agree { slot: slot as u32 * 2, beginning });
                }
                None => self.unknown_capture(model),
            }
        }
        if tests.glossary.is_empty() {
            let test = self.tests(tests, Place::Step);
            anchor_of(&test, before, emit);
            if test.norm.has_phrases() {
                return push_phrases(emit, test);
            }
            push_test(emit, test);
            return Width { min: 1, max: 1 };
        }
        let mut rest = tests.clone();
        rest.glossary.clear();
        if !rest.is_empty() {
            let test = self.tests(&rest, Place::Beside);
            let program = Program {
                tests: vec![test],
                code: vec![Instruction::Test(0), Instruction::Match],
                slots: 0,
                ..Program::default()
            };
            push_look(emit, LookProgram { program, end: None, side: Side::Ahead, negative: false });
        }
        let glossaries: Vec<u32> = tests.glossary.iter().filter_map(|g| self.glossary(g)).collect();
        if let Some(name) = name {
            self.terms[name as usize].extend(&glossaries);
        }
        if let Some(before) = before.filter(|before| before.max != ANY) {
            emit.anchors
                .push(Anchor::union(glossaries.iter().map(|g| Anchor::term(*g, before.min, before.max)).collect()));
        }
        let alternatives = glossaries.into_iter().map(|g| vec![Instruction::Term(g)]).collect();
        emit_alternatives(&mut emit.program, alternatives);
        Width { min: 1, max: ANY }
    }

    fn any(&mut self, emit: &mut Emit, sequences: &[Sequence], before: Option<Width>) -> Width {
        if sequences.is_empty() {
            return Width::default();
        }
        let mut total: Option<Width> = None;
        let mut jumps = Vec::new();
        let mut bests = Vec::new();
        for (number, sequence) in sequences.iter().enumerate() {
            let last = number + 1 == sequences.len();
            let split = emit.program.code.len();
            if !last {
                emit.program.code.push(Instruction::Split(split as u32 + 1, 0));
            }
            let outer = std::mem::take(&mut emit.anchors);
            let width = self.steps(emit, sequence, before);
            bests.push(std::mem::replace(&mut emit.anchors, outer));
            total = Some(total.map_or(width, |t| Width { min: t.min.min(width.min), max: t.max.max(width.max) }));
            if !last {
                jumps.push(emit.program.code.len());
                emit.program.code.push(Instruction::Jump(0));
                let next = emit.program.code.len() as u32;
                emit.program.code[split] = Instruction::Split(split as u32 + 1, next);
            }
        }
        let out = emit.program.code.len() as u32;
        for jump in jumps {
            emit.program.code[jump] = Instruction::Jump(out);
        }
        if bests.iter().all(|anchors| !anchors.is_empty()) {
            emit.anchors.push(Anchor::every(bests));
        }
        total.unwrap_or_default()
    }

    fn look(&mut self, emit: &mut Emit, look: &Look, side: Side) {
        let Look { at, negative, sequence, .. } = look;
        let mut inner = Emit { program: Program::default(), anchors: Vec::new() };
        let width = self.steps(&mut inner, sequence, None);
        inner.program.code.push(Instruction::Match);
        inner.program.longest = if width.max == ANY { 0 } else { width.max };
        if inner.program.compares || captures(sequence).iter().any(|name| name.at != At::default()) {
            self.reader.problem(
                *at,
                "a capture cannot be made or compared in a condition beside the match",
                "make it a step of the match and report a part of it with `mark`",
            );
            inner.program.compares = false;
        }
        inner.program.slots = self.names.len() * 3;
        let one_token = sequence.last().is_some_and(|step| self.tokens_of(step) == Some(1));
        let tests = inner.program.code.iter().rev().filter_map(|instruction| match instruction {
            Instruction::Test(test) => Some(*test),
            _ => None,
        });
        let end = tests.take(1).find(|_| one_token);
        push_look(emit, LookProgram { program: inner.program, end, side, negative: *negative });
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a repetition")]
    fn repeat(
        &mut self,
        emit: &mut Emit,
        min: Bound,
        max: Bound,
        most: u32,
        lazy: bool,
        before: Option<Width>,
        body: &mut dyn FnMut(&mut Self, &mut Emit, Option<Width>) -> Width,
    ) -> Width {
        let least = match min {
            Bound::Fixed(n) => n,
            Bound::Param(_) => 0,
        };
        let exact = min == max && matches!(min, Bound::Fixed(_));
        let mut heads = Vec::new();
        let mut one = Width::default();
        for copy in 1..=most {
            if !exact {
                heads.push(emit.program.code.len());
                emit.program.code.push(Instruction::Repeat { copy, min, max, lazy, out: 0 });
            }
            let wanted = before.filter(|_| copy == 1 && least > 0);
            one = body(self, emit, wanted);
            if emit.program.code.len() > LARGEST_PROGRAM {
                break;
            }
        }
        let end = emit.program.code.len() as u32;
        for head in heads {
            if let Instruction::Repeat { out, .. } = &mut emit.program.code[head] {
                *out = end;
            }
        }
        Width {
            min: one.min.saturating_mul(least),
            max: if one.max == ANY { ANY } else { one.max.saturating_mul(most) },
        }
    }

    /// A range as bounds, and the most repetitions there can be.
    fn times(&mut self, times: &Times) -> (Bound, Bound, u32) {
        match (self.bound(&times.min), self.bound(&times.max)) {
            (Some(min), Some(max)) => (min, max, times.most),
            _ => (Bound::Fixed(0), Bound::Fixed(1), 1),
        }
    }

    fn bound(&mut self, amount: &Amount<u32>) -> Option<Bound> {
        match amount {
            Amount::Fixed(number) => Some(Bound::Fixed(*number)),
            Amount::Param(name) => self.param(name, name.at, &[ParamType::Integer, ParamType::Flag]).map(Bound::Param),
        }
    }

    /// The number of a threshold among those of the query.
    pub(crate) fn param(&mut self, name: &str, at: At, types: &[ParamType]) -> Option<u32> {
        let Some(spec) = self.context.params.get(name) else {
            let known = self.context.params.keys().map(String::as_str);
            let help = if self.context.params.is_empty() {
                "declare it under `params:` of metric.yaml".to_owned()
            } else {
                valid_names(name, known)
            };
            self.reader.problem(at, format!("unknown threshold `${name}`"), help);
            return None;
        };
        if !types.contains(&spec.kind) {
            let wanted: Vec<String> = types.iter().map(|t| format!("{t:?}").to_lowercase()).collect();
            self.reader.problem(
                at,
                format!(
                    "threshold `${name}` is {}, but is read as {} here",
                    format!("{:?}", spec.kind).to_lowercase(),
                    wanted.join(" or ")
                ),
                "change its type in metric.yaml or use another threshold",
            );
            return None;
        }
        let at = self.params.iter().position(|p| p == name);
        Some(at.unwrap_or_else(|| {
            self.params.push(name.to_owned());
            self.params.len() - 1
        }) as u32)
    }

    fn glossary(&mut self, key: &Located<String>) -> Option<u32> {
        if !self.listed.contains(&key.value) {
            let help = if self.listed.is_empty() {
                format!("add `glossaries: [{}]` to the file", **key)
            } else {
                valid_names(key, self.listed.iter().map(String::as_str))
            };
            self.reader.problem(key.at, format!("glossary `{}` is not listed under `glossaries:`", **key), help);
            return None;
        }
        let at = self.glossaries.iter().position(|g| *g == key.value);
        Some(at.unwrap_or_else(|| {
            self.glossaries.push(key.value.clone());
            self.glossaries.len() - 1
        }) as u32)
    }

    pub(crate) fn unknown_capture(&mut self, name: &Located<String>) {
        if self.partial {
            return;
        }
        let help = if self.names.is_empty() {
            "name a step with `as:` first".to_owned()
        } else {
            valid_names(name, self.names.iter().map(String::as_str))
        };
        self.reader.problem(name.at, format!("unknown capture `{}`", **name), help);
    }

    fn tests(&mut self, tests: &Tests, place: Place) -> TokenTest {
        if !tests.lemma.is_empty() {
            self.needs.push(Capability::Lemma);
        }
        if !tests.pos.is_empty() {
            self.needs.push(Capability::Pos);
        }
        if !tests.morph.is_empty() {
            self.needs.push(Capability::Morph);
        }
        TokenTest {
            form: self.word_set(&tests.form, Compared::Form, place),
            norm: self.word_set(&tests.norm, Compared::Norm, place),
            lemma: self.word_set(&tests.lemma, Compared::Lemma, place),
            participle: self.participles(&tests.participle),
            starts: tests.starts.iter().map(|s| normal_form(s)).collect(),
            ends: tests.ends.iter().map(|s| normal_form(s)).collect(),
            pos: self.pos(&tests.pos),
            morph: tests
                .morph
                .iter()
                .map(|(name, values)| {
                    let values = values.iter().map(|v| v.value.clone()).collect();
                    (name.value.clone(), values)
                })
                .collect(),
            glossaries: tests.glossary.iter().filter_map(|key| self.glossary(key)).collect(),
            part: tests.part.as_ref().map(|part| Box::new(self.inner(part))),
            tree: self.tree(tests).map(Box::new),
            blocks: tests.block.iter().filter_map(|name| self.block(name)).collect(),
            flags: tests.flags.clone(),
            not: tests.not.iter().map(|not| self.inner(not)).collect(),
        }
    }

    fn block(&mut self, name: &Located<String>) -> Option<BlockKind> {
        let found = BLOCKS.iter().find(|(known, _)| *known == name.value).map(|(_, kind)| *kind);
        if found.is_none() {
            let help = valid_names(name, BLOCKS.map(|(known, _)| known));
            self.reader.problem(name.at, format!("unknown kind of block `{}`", **name), help);
        }
        found
    }

    fn tree(&mut self, tests: &Tests) -> Option<TreeTest> {
        let Tests { relation, head, child, clause, .. } = tests;
        if relation.is_empty() && clause.is_empty() && head.is_none() && child.is_none() {
            return None;
        }
        self.needs.push(Capability::Dependency);
        for name in relation {
            let plain = name.split(':').next().unwrap_or_default();
            if !RELATIONS.contains(&plain) {
                let help = valid_names(plain, RELATIONS.iter().copied());
                self.reader.problem(name.at, format!("unknown relation `{}`", **name), help);
            }
        }
        let mut clauses = Vec::new();
        for name in clause {
            match ClauseKind::named(name) {
                Some(kind) => clauses.push(kind),
                None => {
                    let help = valid_names(name, ClauseKind::ALL.map(ClauseKind::name));
                    self.reader.problem(name.at, format!("unknown kind of clause `{}`", **name), help);
                }
            }
        }
        Some(TreeTest {
            relations: relation.iter().map(|name| name.value.clone()).collect(),
            head: head.as_ref().map(|test| self.inner(test)),
            child: child.as_ref().map(|test| self.inner(test)),
            clauses,
        })
    }

    /// Tests inside `not`, `part`, `head` and `child`, which compare with no capture.
    fn inner(&mut self, tests: &Tests) -> TokenTest {
        for misplaced in [&tests.agrees_with, &tests.begins_like].into_iter().flatten() {
            self.reader.problem(
                misplaced.at,
                "a capture cannot be compared inside `not`, `part`, `head` or `child`",
                "compare it in the step itself",
            );
        }
        self.tests(tests, Place::Beside)
    }

    fn pos(&mut self, tags: &[Located<String>]) -> u32 {
        let mut bits = 0;
        for tag in tags {
            bits |= self.upos(tag).map_or(0, |upos| 1 << upos as u32);
        }
        bits
    }

    pub(crate) fn upos(&mut self, tag: &Located<String>) -> Option<Upos> {
        let found = tag.parse().ok();
        if found.is_none() {
            let known = Upos::ALL.map(Upos::as_str);
            let help = valid_names(&tag.to_uppercase(), known);
            self.reader.problem(tag.at, format!("unknown part of speech `{}`", **tag), help);
        }
        found
    }

    /// The participles of verbs, in all genders and numbers.
    fn participles(&mut self, verbs: &[Located<String>]) -> WordSet {
        let mut set = WordSet::default();
        for verb in verbs {
            let words: Vec<String> = match verb.strip_prefix('$') {
                None => vec![verb.value.clone()],
                Some(name) => match self.word_list(name, verb.at) {
                    Some(list) => list.entries().iter().map(|entry| entry.word.value.clone()).collect(),
                    None if self.is_unknown(name, verb.at) => continue,
                    None => {
                        let message = format!("`${name}` is a threshold, and `participle` reads a list");
                        self.reader.problem(verb.at, message, "name a list of `lists:`");
                        continue;
                    }
                },
            };
            for word in words {
                let forms = (self.context.participles)(&word);
                if forms.is_empty() {
                    let message = format!("no participle of `{word}` is known");
                    self.reader.problem(
                        verb.at,
                        message,
                        "write a verb in its dictionary form, or test the words by `norm`",
                    );
                }
                set.literals.extend(forms.iter().map(|form| normal_form(form)));
            }
        }
        set
    }

    fn word_set(&mut self, words: &[Located<String>], compared: Compared, place: Place) -> WordSet {
        let mut set = WordSet::default();
        for word in words {
            if let Some(name) = word.strip_prefix('$').filter(|name| !name.is_empty()) {
                match self.word_list(name, word.at) {
                    Some(list) => {
                        self.entries_that_match(&list, word.at, compared, place);
                        set.lists.push(list);
                    }
                    None if self.is_unknown(name, word.at) => {}
                    None => set.params.extend(self.param(name, word.at, &[ParamType::Text, ParamType::List])),
                }
                continue;
            }
            match word.strip_prefix('/').filter(|rest| !rest.is_empty()) {
                Some(rest) => set.regexes.extend(self.regex(rest, word.at)),
                None if word.contains(char::is_whitespace) || word.is_empty() => {
                    self.reader.problem(
                        word.at,
                        format!("`{}` is not one word, so it never matches", **word),
                        "write the words as steps of their own, or as an alternative of `any`",
                    );
                }
                None => {
                    set.literals.insert(match compared {
                        Compared::Norm => normal_form(word),
                        _ => word.value.clone(),
                    });
                }
            }
        }
        set
    }

    /// The list of a name, noted as read.
    pub(crate) fn word_list(&mut self, name: &str, at: At) -> Option<Arc<WordList>> {
        let list = self.context.lists.get(name)?;
        self.lists.insert(name.to_owned());
        if list.entries().is_empty() {
            self.reader.problem(
                at,
                format!("the list `{name}` has no entries"),
                "write its words, or leave the step out",
            );
        }
        Some(Arc::clone(list))
    }

    /// Whether a name is neither a threshold nor a list, which is a problem.
    pub(crate) fn is_unknown(&mut self, name: &str, at: At) -> bool {
        let context = self.context;
        if context.params.contains_key(name) {
            return false;
        }
        let languages = context.lists.other_languages(name);
        if let Some(language) = languages.first() {
            let message = format!("the shared list `{name}` has no file in this language");
            self.reader.problem(at, message, format!("write one beside rules/lists/{name}.{language}.yaml"));
            return true;
        }
        let known: BTreeSet<&str> = context.params.keys().map(String::as_str).chain(context.lists.names()).collect();
        let help = match known.is_empty() {
            true => format!("write `lists: {{{name}: […]}}`, or declare a threshold under `params:` of metric.yaml"),
            false => valid_names(name, known),
        };
        self.reader.problem(at, format!("there is no list or threshold `${name}`"), help);
        true
    }

    /// Entries that cannot be met where a list is read are problems.
    fn entries_that_match(&mut self, list: &WordList, at: At, compared: Compared, place: Place) {
        let name = list.name();
        if let Some(phrase) = list.phrase().filter(|_| compared != Compared::Norm || place == Place::Beside) {
            self.reader.problem(
                at,
                format!("the list `{name}` has entries of several words, which one word never is: `{phrase}`"),
                format!("make the list a step, `${name}`, or put these entries into a list of their own"),
            );
        }
        if compared != Compared::Lemma {
            return;
        }
        for entry in list.entries() {
            let lemmas = (self.context.lemmas)(&entry.word);
            if let Some(lemma) = lemmas.first() {
                self.reader.problem(
                    at,
                    format!(
                        "`{}` of the list `{name}` is no dictionary form, so it never matches as a lemma",
                        *entry.word
                    ),
                    format!("write `{lemma}`"),
                );
            }
        }
    }

    fn regex(&mut self, rest: &str, at: At) -> Option<Regex> {
        let Some(pattern) = rest.strip_suffix('/') else {
            self.reader.problem(at, "a regular expression ends with `/`", format!("write `/{rest}/`"));
            return None;
        };
        let built = RegexBuilder::new(&format!("^(?:{pattern})$")).size_limit(LARGEST_REGEX).build();
        match built {
            Ok(regex) => Some(regex),
            Err(error) => {
                let cause = error.to_string();
                let cause = cause.lines().last().unwrap_or_default();
                self.reader.problem(
                    at,
                    format!("`/{pattern}/` is no regular expression: {cause}"),
                    "it is matched against one whole word; look-around and back-references do not exist",
                );
                None
            }
        }
    }
}

/// What of a token is compared with words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compared {
    Form,
    Norm,
    Lemma,
}

/// Where tests stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// They are a step, which covers an entry of several words.
    Step,
    /// They look at one token.
    Beside,
}

/// The name of a step: its own, or `term` for a glossary without one.
fn implied_name(step: &Step) -> Option<String> {
    if let Some(name) = &step.name {
        return Some(name.value.clone());
    }
    match &step.what {
        What::Tests(tests) if !tests.glossary.is_empty() => Some("term".to_owned()),
        _ => None,
    }
}

/// The names of all captures of a sequence; implied ones have no place.
pub(crate) fn captures(sequence: &Sequence) -> Vec<Located<String>> {
    let mut names = Vec::new();
    for step in sequence {
        match &step.name {
            Some(name) => names.push(name.clone()),
            None => names.extend(implied_name(step).map(Located::from)),
        }
        if let What::Any(sequences) = &step.what {
            names.extend(sequences.iter().flat_map(captures));
        }
        for look in &step.looks {
            let implied = captures(&look.sequence);
            names.extend(implied.into_iter().filter(|name| name.at == At::default()));
        }
    }
    names
}

fn push_test(emit: &mut Emit, test: TokenTest) {
    let number = emit.program.tests.len() as u32;
    emit.program.tests.push(test);
    emit.program.code.push(Instruction::Test(number));
}

/// An entry of a list, whose words are several or one.
fn push_phrases(emit: &mut Emit, test: TokenTest) -> Width {
    let lists = test.norm.lists.clone();
    let longest = lists.iter().map(|list| list.longest()).max().unwrap_or(1);
    let first = TokenTest { norm: WordSet::default(), ..test.clone() };
    let phrases = emit.program.phrases.len() as u32;
    emit.program.phrases.push(Phrases { lists, first });
    let number = emit.program.tests.len() as u32;
    emit.program.tests.push(test);
    let alternatives = vec![vec![Instruction::Phrase(phrases)], vec![Instruction::Test(number)]];
    emit_alternatives(&mut emit.program, alternatives);
    Width { min: 1, max: longest }
}

fn push_look(emit: &mut Emit, look: LookProgram) {
    let number = emit.program.looks.len() as u32;
    emit.program.looks.push(look);
    emit.program.code.push(Instruction::Look(number));
}

fn emit_alternatives(program: &mut Program, alternatives: Vec<Vec<Instruction>>) {
    let count = alternatives.len();
    let mut jumps = Vec::new();
    for (number, alternative) in alternatives.into_iter().enumerate() {
        let here = program.code.len() as u32;
        let last = number + 1 == count;
        if !last {
            program.code.push(Instruction::Split(here + 1, here + 2 + alternative.len() as u32));
        }
        program.code.extend(alternative);
        if !last {
            jumps.push(program.code.len());
            program.code.push(Instruction::Jump(0));
        }
    }
    let out = program.code.len() as u32;
    for jump in jumps {
        program.code[jump] = Instruction::Jump(out);
    }
}

fn anchor_of(test: &TokenTest, before: Option<Width>, emit: &mut Emit) {
    let Some(before) = before.filter(|before| before.max != ANY) else {
        return;
    };
    let words = |set: &WordSet, phrases: bool| {
        let literals: BTreeSet<&String> = set.literals.iter().collect();
        Words { literals: literals.into_iter().cloned().collect(), lists: set.lists.clone(), phrases }
    };
    if test.norm.is_closed() {
        emit.anchors.push(Anchor::norms(words(&test.norm, true), before.min, before.max));
    }
    if test.participle.is_closed() {
        emit.anchors.push(Anchor::norms(words(&test.participle, false), before.min, before.max));
    }
    if test.form.is_closed() {
        let mut forms = words(&test.form, false);
        forms.literals.iter_mut().for_each(|form| *form = normal_form(form));
        emit.anchors.push(Anchor::norms(forms, before.min, before.max));
    }
    if test.lemma.is_closed() {
        emit.anchors.push(Anchor::lemmas(words(&test.lemma, false), before.min, before.max));
    }
    let words = [&test.norm, &test.participle, &test.form, &test.lemma];
    let closed = words.iter().any(|set| set.is_closed());
    if !closed && test.narrows() {
        emit.anchors.push(Anchor::test(test.clone(), before.min, before.max));
    }
}

/// The needs of a variant: those it declares and those its pattern shows.
pub(crate) fn needs(declared: &[Capability], shown: &[Capability]) -> Needs {
    declared.iter().chain(shown).copied().collect()
}
