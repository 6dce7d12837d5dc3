//! From variant files to metrics, whatever their form.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glosa_lingua::Runtime;
use glosa_lingua::clitic::{Side, is_clitic, with_clitics};
use glosa_lingua::roles;
use glosa_metric::pattern::Condition;
use glosa_metric::yaml::At;
use glosa_metric::{
    Capability, CompileContext, Form, FormReading, Inflect, Kind, Located, Metric, MetricFile, Needs, Origin, Problem,
    Repair, Selection, Variant, WordLists, compile, compile_selection, did_you_mean,
};
use glosa_script::{Allowance, Declared, Formula, Script, Shared};
use glosa_text::{Language, feature};

use crate::Roots;
use crate::glossary_files::ReadGlossary;
use crate::metric_folder::VariantFolder;
use crate::phrase_tables::{Conditions, tokenise};
use crate::plugins::Plugins;
use crate::remembered::Remembered;
use crate::word_lists::{Participles, SharedLists, lemmas_of_form};

/// What a script may compute. Sound scripts need a few thousand operations; the rest is room for what nobody thought of.
const SCRIPT_ALLOWANCE: Allowance = Allowance { per_thousand_tokens: 2_000_000 };

/// Inflection by the runtime.
struct Inflector {
    runtime: Arc<Runtime>,
}

fn repair(found: glosa_lingua::Repair) -> Repair {
    let tenths = |number: u8| f64::from(number) / 10.0;
    Repair { form: found.form, cost: tenths(found.cost), zipf: tenths(found.zipf), accents: found.accents }
}

impl Inflect for Inflector {
    fn inflect(&self, language: Language, lemma: &str, pos: &str, feats: &str) -> Option<String> {
        self.runtime.inflect(language, lemma, pos.parse().ok()?, feats)
    }

    fn attach(
        &self,
        language: Language,
        verb: &str,
        feats: &str,
        pronouns: &[&str],
        before: Option<&str>,
    ) -> Option<String> {
        let side = match (feature(feats, "VerbForm"), feature(feats, "Mood")) {
            (Some("Inf" | "Ger"), _) | (_, Some("Imp")) => Side::After,
            (Some("Part"), _) => return None,
            (Some("Fin"), _) | (None, Some(_)) if !before.is_some_and(|word| is_clitic(language, word)) => Side::Before,
            _ => return None,
        };
        with_clitics(language, verb, pronouns, side)
    }

    fn readings(&self, language: Language, form: &str) -> Vec<FormReading> {
        let readings = self.runtime.readings(language, form);
        readings.into_iter().map(|(pos, lemma, feats)| FormReading { pos, lemma, feats }).collect()
    }

    fn repairs(&self, language: Language, word: &str) -> Vec<Repair> {
        self.runtime.repairs(language, word).into_iter().map(repair).collect()
    }

    fn accents(&self, language: Language, word: &str) -> Vec<Repair> {
        self.runtime.accents(language, word).into_iter().map(repair).collect()
    }

    fn is_known(&self, language: Language, form: &str) -> bool {
        self.runtime.lexicon(language).is_known(form)
    }

    fn frequency(&self, language: Language, form: &str) -> f64 {
        f64::from(self.runtime.zipf_of_form(language, form)) / 10.0
    }

    fn is_listed(&self, language: Language, role: &str, words: &str) -> bool {
        roles::is_listed(language, role, words)
    }

    fn counterpart(&self, language: Language, form: &str, gender: &str) -> Option<String> {
        roles::counterpart(language, form, gender).map(str::to_owned)
    }

    fn join(&self, language: Language, left: &str, right: &str) -> String {
        self.runtime.join(language, left, right)
    }
}

/// The inflection of the runtime, as templates ask for it.
pub(crate) fn inflector(runtime: &Arc<Runtime>) -> Arc<dyn Inflect> {
    Arc::new(Remembered::new(Arc::new(Inflector { runtime: runtime.clone() })))
}

/// What the runtime offers in a language.
pub(crate) fn offered(runtime: &Runtime, language: Language) -> Needs {
    let has = runtime.capabilities(language);
    let offers = [
        (Capability::Syllables, has.syllables),
        (Capability::Lemma, has.lemma),
        (Capability::Pos, has.tags),
        (Capability::Morph, has.tags),
        (Capability::Inflect, has.inflection),
        (Capability::Frequency, has.frequency),
        (Capability::Dependency, has.syntax),
    ];
    offers.into_iter().filter(|(_, has)| *has).map(|(capability, _)| capability).collect()
}

struct Implementation {
    version: String,
    needs: Needs,
    origin: Origin,
    /// Names of the lists of words that it reads.
    lists: BTreeSet<String>,
    run: Arc<dyn Metric>,
}

/// The version that a variant file gives itself.
fn version_of(folder: &VariantFolder) -> String {
    folder.variant.version.as_ref().map(|version| version.value.clone()).unwrap_or_default()
}

/// Makes metrics of variant files and notes what cannot be made.
pub(crate) struct Compiler<'l> {
    runtime: &'l Runtime,
    plugins: Plugins<'l>,
    /// Shared scripts by name: file and text.
    shared: &'l BTreeMap<String, (String, String)>,
    lists: SharedLists,
    participles: &'l Participles<'l>,
    problems: &'l mut Vec<Problem>,
}

/// Further columns of the glossaries of a language.
type Columns<'c> = &'c dyn Fn(&str) -> Option<Vec<String>>;

impl<'l> Compiler<'l> {
    pub(crate) fn new(
        runtime: &'l Runtime,
        roots: &'l Roots,
        shared: &'l BTreeMap<String, (String, String)>,
        lists: SharedLists,
        participles: &'l Participles<'l>,
        problems: &'l mut Vec<Problem>,
    ) -> Self {
        Compiler { runtime, plugins: Plugins::new(roots), shared, lists, participles, problems }
    }

    /// What can be said only after the last variant of all languages (`whole`), and only when all could be compiled.
    pub(crate) fn finish(self, whole: bool) {
        if whole && self.problems.is_empty() {
            self.lists.unread(self.problems);
        }
    }

    /// The conditions of the rows of glossaries.
    pub(crate) fn conditions(&mut self, glossaries: &[ReadGlossary]) -> Conditions {
        let (runtime, participles) = (self.runtime, self.participles);
        let mut found = Conditions::new();
        // The rows that stand in the files themselves; then those that others take over from them.
        for glossary in glossaries {
            let language = glossary.language;
            for (row, number) in glossary.rows.iter().zip(0..).filter(|(row, _)| row.from.is_none()) {
                let Some(when) = &row.when else { continue };
                let made = Condition::read(
                    when,
                    &CompileContext {
                        file: &glossary.file,
                        source: &glossary.source,
                        params: &BTreeMap::new(),
                        tokenize: &|text| tokenise(runtime, language, text),
                        table: None,
                        columns: &|_| None,
                        lists: &self.lists.of_language(runtime, language),
                        lemmas: &|word| lemmas_of_form(runtime, language, word),
                        participles: &|verb| participles.of(language, verb),
                    },
                );
                match made {
                    Ok(condition) => {
                        self.lists.note_row(language, condition.lists());
                        found.insert((language, glossary.table, number), Arc::new(condition));
                    }
                    Err(wrong) => self.problems.extend(wrong),
                }
            }
        }
        for glossary in glossaries {
            for (row, number) in glossary.rows.iter().zip(0..) {
                let Some((file, at)) = row.from else { continue };
                if let Some(condition) = found.get(&(glossary.language, glossaries[file].table, at)).cloned() {
                    found.insert((glossary.language, glossary.table, number), condition);
                }
            }
        }
        found
    }

    pub(crate) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// The variants that a file stands for: one, or one for each version of a plugin that holds the metric.
    pub(crate) fn variants(
        &mut self,
        manifest: &MetricFile,
        language: Language,
        folder: &VariantFolder,
        table: Option<u32>,
        columns: Columns<'_>,
    ) -> Vec<Variant> {
        let file = &folder.variant;
        let Some(form) = &file.form else { return Vec::new() };
        self.check_version(form, folder);
        self.check_kind(manifest.kind, form, folder);
        let lists = self.lists.of_variant(self.runtime, language, manifest, folder, self.problems);
        let lists = Arc::new(lists);
        let made = match &form.value {
            Form::Substitute(_) | Form::Match(..) => {
                self.pattern(manifest, language, folder, table, columns, &lists).into_iter().collect()
            }
            Form::Script(_) => self.script(manifest, language, folder, columns, &lists).into_iter().collect(),
            Form::Measure(formula) => self.formula(folder, &formula.body, form.at, &lists).into_iter().collect(),
            Form::Native(plugin) => self.native(manifest, language, folder, plugin),
        };
        if let [made, ..] = &made[..]
            && !file.partial
        {
            self.lists.note(language, folder, &made.lists, self.problems);
        }
        let examples = &file.examples;
        let example = examples.bad.first().map(|e| e.text.value.clone());
        let example =
            example.or_else(|| examples.values.iter().find(|e| e.value.is_some()).map(|e| e.text.value.clone()));
        let offered = offered(self.runtime, language);
        let declared: Needs = file.needs.iter().copied().collect();
        let variant = |made: Implementation| {
            let needs = Needs::from_bits(made.needs.bits() | declared.bits());
            Variant {
                metric: manifest.id.as_str().into(),
                kind: manifest.kind,
                language,
                version: made.version,
                enabled: file.enabled,
                needs,
                missing: needs.missing(offered),
                unavailable: file.unavailable.clone().map(Arc::new),
                defaults: Arc::new(manifest.defaults(language)),
                glossaries: file.glossaries.clone(),
                table,
                origin: made.origin,
                example: example.clone(),
                run: made.run,
            }
        };
        made.into_iter().map(variant).collect()
    }

    /// A measurement calculates, a rule finds.
    fn check_kind(&mut self, kind: Kind, form: &Located<Form>, folder: &VariantFolder) {
        let (message, help) = match (kind, &form.value) {
            (Kind::Measurement, Form::Substitute(_) | Form::Match(..) | Form::Script(_)) => (
                "a measurement needs a number, and this finds places",
                "write a formula, `measure: words / sentences`, or `kind: rule` in metric.yaml",
            ),
            (Kind::Rule, Form::Measure(_)) => {
                ("a rule finds places, and a formula has none", "write `kind: measurement` in metric.yaml")
            }
            (Kind::Rule, _) | (Kind::Measurement, Form::Native(_) | Form::Measure(_)) => return,
        };
        let problem = Problem::of(&folder.file, message).at(form.at.line.into(), form.at.column.into());
        self.problem(problem.show(&folder.source).help(help));
    }

    fn check_version(&mut self, form: &Form, folder: &VariantFolder) {
        let version = folder.variant.version.as_ref();
        let (line, column) = version.map_or((1, 1), |version| (version.at.line.into(), version.at.column.into()));
        let wrong = match (form, version) {
            (Form::Native(_), Some(_)) => Some(("a native variant has the version of its plugin", "delete `version`")),
            (Form::Native(_), None) => None,
            (_, None) => Some(("the variant has no version", "add `version: 0.1.0`")),
            (_, Some(version)) => {
                let parts: Vec<&str> = version.split('.').collect();
                let well = parts.len() == 3 && parts.iter().all(|p| p.parse::<u32>().is_ok());
                (!well).then_some(("the version is not of the form major.minor.patch", "write it like 1.0.0"))
            }
        };
        if let Some((message, help)) = wrong {
            self.problem(Problem::of(&folder.file, message).at(line, column).help(help));
        }
    }

    fn pattern(
        &mut self,
        manifest: &MetricFile,
        language: Language,
        folder: &VariantFolder,
        table: Option<u32>,
        columns: Columns<'_>,
        lists: &WordLists,
    ) -> Option<Implementation> {
        let (runtime, participles) = (self.runtime, self.participles);
        let tokenize = |text: &str| tokenise(runtime, language, text);
        let context = CompileContext {
            file: &folder.file,
            source: &folder.source,
            params: &manifest.params,
            tokenize: &tokenize,
            table,
            columns,
            lists,
            lemmas: &|word| lemmas_of_form(runtime, language, word),
            participles: &|verb| participles.of(language, verb),
        };
        match compile(&folder.variant, &context) {
            Ok(compiled) => Some(Implementation {
                version: version_of(folder),
                needs: compiled.needs,
                origin: Origin::Yaml(folder.file.clone()),
                lists: compiled.lists,
                run: compiled.run,
            }),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    fn formula(
        &mut self,
        folder: &VariantFolder,
        body: &str,
        at: At,
        lists: &Arc<WordLists>,
    ) -> Option<Implementation> {
        let made = glosa_script::compile_formula(&Formula {
            body,
            file: &folder.file,
            source: &folder.source,
            line: at.line.into(),
            allowance: SCRIPT_ALLOWANCE,
            shared: self.shared_scripts(folder),
            lists: Arc::clone(lists),
        });
        let made = made.map_err(|problems| self.problems.extend(problems)).ok()?;
        let origin = Origin::Script(folder.file.clone());
        Some(Implementation {
            version: version_of(folder),
            needs: Needs::default(),
            origin,
            lists: made.lists,
            run: made.run,
        })
    }

    fn script(
        &mut self,
        manifest: &MetricFile,
        language: Language,
        folder: &VariantFolder,
        columns: Columns<'_>,
        lists: &Arc<WordLists>,
    ) -> Option<Implementation> {
        let (file, source) = folder.script.as_ref()?;
        let selection = self.selection(manifest, language, folder, columns, lists)?;
        let keys = &folder.variant.glossaries;
        let declared = Declared {
            params: manifest.params.keys().cloned().collect(),
            glossaries: keys.clone(),
            columns: keys.iter().filter_map(|key| columns(key)).flatten().collect(),
            lists: lists.names().map(str::to_owned).chain(folder.lists.iter().cloned()).collect(),
        };
        let made = glosa_script::compile(&Script {
            source,
            file,
            query: selection.query.map(Arc::new),
            reporting: selection.reporting,
            allowance: SCRIPT_ALLOWANCE,
            shared: self.shared_scripts(folder),
            captures: folder.captures.clone(),
            lists: Arc::clone(lists),
            declared: Some(declared),
        });
        let made = made.map_err(|problems| self.problems.extend(problems)).ok()?;
        Some(Implementation {
            version: version_of(folder),
            needs: selection.needs,
            origin: Origin::Script(file.clone()),
            lists: selection.lists.into_iter().chain(made.lists).collect(),
            run: made.run,
        })
    }

    /// The shared scripts that a variant uses.
    fn shared_scripts(&mut self, folder: &VariantFolder) -> Vec<Shared<'l>> {
        let shared: &'l BTreeMap<String, (String, String)> = self.shared;
        let mut found = Vec::new();
        for name in folder.variant.uses() {
            match shared.get(&name.value) {
                Some((file, source)) => found.push(Shared { file, source }),
                None => {
                    let near = did_you_mean(name, shared.keys().map(String::as_str));
                    let problem = Problem::of(&folder.file, format!("there is no shared script `{}`", name.value))
                        .at(name.at.line.into(), name.at.column.into())
                        .show(&folder.source);
                    self.problem(match near {
                        Some(near) => problem.help(format!("did you mean `{near}`?")),
                        None => problem.help(format!("write rules/scripts/{}.rhai", name.value)),
                    });
                }
            }
        }
        found
    }

    /// What stands beside a script.
    fn selection(
        &mut self,
        manifest: &MetricFile,
        language: Language,
        folder: &VariantFolder,
        columns: Columns<'_>,
        lists: &WordLists,
    ) -> Option<Selection> {
        let (runtime, participles) = (self.runtime, self.participles);
        let tokenize = |text: &str| tokenise(runtime, language, text);
        let context = CompileContext {
            file: &folder.file,
            source: &folder.source,
            params: &manifest.params,
            tokenize: &tokenize,
            table: None,
            columns,
            lists,
            lemmas: &|word| lemmas_of_form(runtime, language, word),
            participles: &|verb| participles.of(language, verb),
        };
        compile_selection(&folder.variant, &context).map_err(|problems| self.problems.extend(problems)).ok()
    }

    fn native(
        &mut self,
        manifest: &MetricFile,
        language: Language,
        folder: &VariantFolder,
        plugin: &str,
    ) -> Vec<Implementation> {
        let mut made = Vec::new();
        for found in self.plugins.versions(&manifest.id, language, (plugin, folder), self.problems) {
            let Some(metric) = found.plugin.metric(&manifest.id) else { continue };
            let file = found.plugin.file();
            if metric.kind != manifest.kind {
                let (wanted, given) = (manifest.kind.name(), metric.kind.name());
                let message = format!("metric.yaml says {wanted}, the plugin {} says {given}", file.display());
                self.problem(Problem::of(&folder.file, message).help("make both say the same"));
            } else if !metric.languages.contains(&language) {
                let has: Vec<_> = metric.languages.iter().map(|l| l.code()).collect();
                let has = has.join(", ");
                let message =
                    format!("the plugin {} has `{}` for {has}, not for {language}", file.display(), manifest.id);
                self.problem(Problem::of(&folder.file, message).help("delete this file or extend the plugin"));
            } else {
                made.push(Implementation {
                    version: metric.version.clone(),
                    needs: metric.needs,
                    origin: Origin::Native(file.file_name().unwrap_or_default().to_string_lossy().into_owned()),
                    lists: BTreeSet::new(),
                    run: metric.metric(),
                });
            }
        }
        made
    }
}
