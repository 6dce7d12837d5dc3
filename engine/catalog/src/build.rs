//! From files to a catalogue: everything is checked against the metrics and glossaries that there are.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use glosa_metric::{
    Content, Glossaries, MetricEntry, MetricFile, ParamValues, Problem, Registry, Section, Structure, did_you_mean,
};
use glosa_text::{Language, fold_heading};

use crate::files::{Setting, Settings};
use crate::{
    Catalog, Domain, DomainFile, Genre, GenreEdition, GenreFile, GlossaryShelf, MetricScope, OccurrenceFile, Plan,
    ProfileFile, ResolvedGlossary, Step, StructureFile,
};

/// A profile and where it was found.
#[derive(Clone, Debug)]
pub struct ProfileSource {
    /// Its name.
    pub name: String,
    /// Path, for messages.
    pub file: String,
    /// Text of the file, for messages.
    pub text: String,
    /// Content.
    pub profile: ProfileFile,
}

/// A file of a genre and where it was found.
#[derive(Clone, Debug)]
pub struct GenreSource {
    /// Slug of its domain folder.
    pub domain: String,
    /// Slug of its folder.
    pub text_type: String,
    /// Path, for messages.
    pub file: String,
    /// Text of the file, for messages.
    pub text: String,
    /// Content.
    pub genre: GenreFile,
}

/// A structure file and where it was found.
#[derive(Clone, Debug)]
pub struct StructureSource {
    /// Slug of its domain folder.
    pub domain: String,
    /// Slug of its genre folder.
    pub text_type: String,
    /// Its language.
    pub language: Language,
    /// Path, for messages.
    pub file: String,
    /// Text of the file, for messages.
    pub text: String,
    /// Content.
    pub structure: StructureFile,
}

/// Everything that was read from the genre folders.
#[derive(Clone, Debug, Default)]
pub struct CatalogSources {
    /// Profiles.
    pub profiles: Vec<ProfileSource>,
    /// Domains: slug, path, content.
    pub domains: Vec<(String, String, DomainFile)>,
    /// Genres.
    pub genres: Vec<GenreSource>,
    /// Structures.
    pub structures: Vec<StructureSource>,
    /// Names of occurrence keys, with the path of their file.
    pub occurrences: (String, OccurrenceFile),
    /// Glossaries.
    pub shelf: GlossaryShelf,
    /// What is there but could not be read.
    pub unread: Unread,
}

/// Files that are there but could not be read: what refers to them is no problem of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// Ids of metrics.
    pub metrics: BTreeSet<String>,
    /// Names of profiles.
    pub profiles: BTreeSet<String>,
    /// Slugs of domains.
    pub domains: BTreeSet<String>,
    /// Domain and slug of genres.
    pub genres: BTreeSet<(String, String)>,
    /// The file of occurrences.
    pub occurrences: bool,
}

impl Catalog {
    /// Resolves all genres; beside them everything that is wrong. What is right is there however much is wrong.
    pub fn build(sources: &CatalogSources, registry: &Registry) -> (Catalog, Vec<Problem>) {
        let unread = &sources.unread;
        let mut problems = Vec::new();
        let mut profiles = BTreeMap::new();
        for source in &sources.profiles {
            check_settings(&source.profile.metrics, (&source.file, &source.text), registry, unread, &mut problems);
            profiles.insert(source.name.as_str(), &source.profile.metrics);
        }
        let mut domains: Vec<Arc<Domain>> = sources.domains.iter().map(|(slug, _, file)| domain(slug, file)).collect();
        domains.sort_by(|a, b| a.slug.cmp(&b.slug));
        let mut genres = Vec::new();
        for source in &sources.genres {
            check_settings(&source.genre.metrics, (&source.file, &source.text), registry, unread, &mut problems);
            let Some(domain) = domains.iter().find(|d| d.slug == source.domain) else {
                if unread.domains.contains(&source.domain) {
                    continue;
                }
                let path = format!("genres/{}/domain.yaml", source.domain);
                problems.push(
                    Problem::of(&source.file, format!("its domain has no file {path}")).help(format!("write {path}")),
                );
                continue;
            };
            let profile = source.genre.profile.as_deref().map(|name| (name, profiles.get(name)));
            if let Some((name, None)) = profile
                && !unread.profiles.contains(name)
            {
                let known = profiles.keys().copied();
                let problem = unknown(&source.file, "profile", name, known).near(&source.text, &["profile:", name]);
                problems.push(problem.help_if_none(format!("write genres/profiles/{name}.yaml")));
            }
            let profile = profile.and_then(|(_, found)| found).copied();
            let editions =
                sources.structures.iter().filter(|s| s.domain == source.domain && s.text_type == source.text_type);
            let editions = editions
                .map(|s| (s.language, edition(source, profile, s, sources, registry, &mut problems)))
                .collect::<BTreeMap<_, _>>();
            let id = (source.domain.clone(), source.text_type.clone());
            if editions.is_empty() && !unread.genres.contains(&id) {
                problems.push(
                    Problem::of(&source.file, "the genre exists in no language")
                        .help("write es.yaml, ca.yaml or en.yaml beside it; `sections: []` is enough"),
                );
            }
            genres.push(Genre {
                domain: domain.clone(),
                slug: source.text_type.clone(),
                names: source.genre.names.clone(),
                clear_language: source.genre.clear_language || domain.clear_language,
                editions,
            });
        }
        for orphan in sources
            .structures
            .iter()
            .filter(|s| !sources.genres.iter().any(|g| g.domain == s.domain && g.text_type == s.text_type))
            .filter(|s| !unread.genres.contains(&(s.domain.clone(), s.text_type.clone())))
        {
            problems.push(
                Problem::of(&orphan.file, "there is no genre.yaml beside it")
                    .help("write genre.yaml with the names of the genre"),
            );
        }
        genres.sort_by(|a, b| (&a.domain.slug, &a.slug).cmp(&(&b.domain.slug, &b.slug)));
        let occurrences = sources.occurrences.1.0.clone();
        (Catalog { domains, genres, occurrences }, problems)
    }
}

fn domain(slug: &str, file: &DomainFile) -> Arc<Domain> {
    Arc::new(Domain { slug: slug.to_owned(), names: file.names.clone(), clear_language: file.clear_language })
}

fn unknown<'n>(file: &str, what: &str, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> Problem {
    let problem = Problem::of(file, format!("unknown {what} `{name}`"));
    match did_you_mean(name, known.clone()) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => match known.collect::<Vec<_>>().join(", ") {
            names if names.is_empty() => problem,
            names => problem.help(format!("known: {names}")),
        },
    }
}

/// Metric ids exist; thresholds are declared, of the right type and in range.
fn check_settings(
    settings: &Settings,
    (file, text): (&str, &str),
    registry: &Registry,
    unread: &Unread,
    problems: &mut Vec<Problem>,
) {
    for (id, setting) in settings.iter().filter(|(id, _)| !unread.metrics.contains(*id)) {
        let at = (setting.referenced.line(), setting.referenced.column());
        let Some(entry) = registry.get(id) else {
            let known = registry.entries().iter().map(|e| e.manifest.id.as_str());
            let near = did_you_mean(id, known)
                .map_or("`glosa rules list` lists all metrics".to_owned(), |n| format!("did you mean `{n}`?"));
            problems.push(Problem::of(file, format!("unknown metric `{id}`")).at(at.0, at.1).show(text).help(near));
            continue;
        };
        let Setting::Thresholds(thresholds) = &setting.value else {
            continue;
        };
        for (key, threshold) in thresholds {
            match entry.manifest.params.get(key) {
                None => {
                    let known = entry.manifest.params.keys().map(String::as_str);
                    let place = format!("threshold of {id}");
                    problems.push(unknown(file, &place, key, known).near(text, &[&format!("{key}:")]));
                }
                Some(spec) => {
                    for value in threshold.values.values() {
                        if let Err(wrong) = spec.accept(value) {
                            let message = format!("threshold `{key}` of `{id}`: {wrong}");
                            problems
                                .push(Problem::of(file, message).at(at.0, at.1).show(text).help(spec.meaning.clone()));
                        }
                    }
                }
            }
        }
    }
}

/// What profile and genre together say of a metric: whether it runs and the thresholds that they set.
fn setting(
    manifest: &MetricFile,
    profile: Option<&Settings>,
    genre: &Settings,
    language: Language,
) -> (bool, ParamValues) {
    let mut on = manifest.default_switch.is_on();
    let mut params = ParamValues::new();
    for settings in profile.into_iter().chain([genre]) {
        match settings.get(&manifest.id).map(|s| &s.value) {
            None => {}
            Some(Setting::On) => on = true,
            Some(Setting::Off) => on = false,
            Some(Setting::Thresholds(thresholds)) => {
                on = true;
                for (key, threshold) in thresholds {
                    let spec = manifest.params.get(key);
                    if let Some(value) = threshold.get(language).and_then(|v| spec?.accept(v).ok()) {
                        params.insert(key.clone(), value);
                    }
                }
            }
        }
    }
    (on, params)
}

/// Thresholds that follow those of another metric, where profile or genre set that one and not these.
fn followed(
    manifest: &MetricFile,
    (profile, genre): (Option<&Settings>, &Settings),
    language: Language,
    registry: &Registry,
    params: &mut ParamValues,
) {
    for (key, spec) in manifest.params.iter().filter(|(_, spec)| spec.of.is_some()) {
        let other = spec.of.as_ref().and_then(|id| registry.get(id));
        let Some(other) = other.filter(|_| !params.contains_key(key)) else { continue };
        let (_, mut others) = setting(&other.manifest, profile, genre, language);
        if let Some(value) = others.remove(key).and_then(|value| spec.accept(&value).ok()) {
            params.insert(key.clone(), value);
        }
    }
}

fn structure(source: &GenreSource, file: &StructureFile) -> Structure {
    let sections = file.sections.iter().map(|section| Section {
        name: section.name.clone(),
        synonyms: section.synonyms.clone(),
        contents: section
            .contents
            .iter()
            .map(|c| Content {
                name: c.name.clone(),
                occurrence: c.occurrence.clone(),
                cues: c.cues.clone(),
                phraseology: c.phraseology.clone(),
            })
            .collect(),
    });
    Structure { sections: sections.collect(), free_order: source.genre.free_order }
}

fn edition(
    source: &GenreSource,
    profile: Option<&Settings>,
    file: &StructureSource,
    sources: &CatalogSources,
    registry: &Registry,
    problems: &mut Vec<Problem>,
) -> GenreEdition {
    let language = file.language;
    for content in file.structure.sections.iter().flat_map(|s| &s.contents) {
        if let Some(key) = content
            .occurrence
            .as_deref()
            .filter(|k| !sources.unread.occurrences && !sources.occurrences.1.0.contains_key(*k))
        {
            let known = sources.occurrences.1.0.keys().map(String::as_str);
            let problem = unknown(&file.file, &format!("occurrence of `{}`:", content.name), key, known);
            problems.push(problem.near(&file.text, &["occurrence:", key]));
        }
    }
    let mut plan = Plan::default();
    let mut scope = BTreeMap::new();
    let mut used: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut tables = BTreeSet::new();
    for entry in registry.entries() {
        let Some(variant) = entry.variant(language) else {
            continue;
        };
        let (opted, mut configured) = setting(&entry.manifest, profile, &source.genre.metrics, language);
        followed(&entry.manifest, (profile, &source.genre.metrics), language, registry, &mut configured);
        let enabled = opted && variant.active();
        let glossaries = resolve(source, language, &variant.glossaries, &sources.shelf);
        for key in &variant.glossaries {
            let users = used.entry(key.clone()).or_default();
            if enabled {
                users.push(entry.manifest.id.clone());
            }
        }
        if enabled {
            tables.extend(glossaries.iter().map(|(_, g)| g.table).chain(variant.table));
            plan.steps.push(step(entry, variant, &configured, glossaries));
        }
        scope.insert(entry.manifest.id.clone(), MetricScope { enabled, params: configured });
    }
    plan.tables = tables.into_iter().collect();
    let glossaries = used.into_iter().filter_map(|(key, used_by)| {
        let glossary = sources.shelf.resolve(language, &source.domain, &source.text_type, &key)?.clone();
        Some(ResolvedGlossary { glossary, used_by })
    });
    let structure = structure(source, &file.structure);
    let names = structure.sections.iter().flat_map(|s| std::iter::once(&s.name).chain(&s.synonyms));
    let headings: HashSet<String> = names.map(|n| fold_heading(n)).filter(|n| !n.is_empty()).collect();
    GenreEdition {
        headings: Arc::new(headings),
        structure: Arc::new(structure),
        plan,
        scope,
        glossaries: glossaries.collect(),
    }
}

fn resolve(source: &GenreSource, language: Language, keys: &[String], shelf: &GlossaryShelf) -> Glossaries {
    let found = keys.iter().filter_map(|key| {
        let glossary = shelf.resolve(language, &source.domain, &source.text_type, key)?;
        Some((key.clone(), glossary.clone()))
    });
    Glossaries::new(found.collect())
}

fn step(
    entry: &MetricEntry,
    variant: &Arc<glosa_metric::Variant>,
    configured: &ParamValues,
    glossaries: Glossaries,
) -> Step {
    let mut params = variant.defaults.clone();
    if !configured.is_empty() {
        Arc::make_mut(&mut params).extend(configured.clone());
    }
    Step {
        variant: variant.clone(),
        params,
        glossaries: Arc::new(glossaries),
        yields_to: entry.manifest.yields_to.clone().into(),
    }
}
