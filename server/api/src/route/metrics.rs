//! `GET /v1/metrics` and `GET /v1/metrics/{metric_id}`.
use crate::Service;
use crate::engine::Question;
use crate::extract::{Caller, PathParts, QueryReader};
use crate::problem::{Code, Fault, Problem};
use crate::refusals::{Unchanged, refusals};
use crate::route::catalog::answer;
use crate::view::{
    Genre as GenreView, LanguageCode, Metric, MetricCatalog, MetricDocumentation, MetricGenreScope, TextDomain,
    TextType,
};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use glosa_catalog::Genre;
use glosa_host::Snapshot;
use glosa_metric::{DocsFile, Documentation, Kind, MetricEntry, Variant};
use glosa_text::Language;
use serde_json::Value;
use std::sync::Arc;

fn kind(word: &str) -> Option<Kind> {
    [Kind::Measurement, Kind::Rule].into_iter().find(|kind| kind.name() == word)
}

refusals!(ListRefusals: ValidationError UnsupportedLanguage IncompleteGenreFilter UnknownGenre);

/// List measurements and rules
///
/// All language variants, inactive ones too, with documentation. With a genre, each says whether the genre evaluates it and with which
/// thresholds.
#[utoipa::path(
    get, path = "/v1/metrics", tag = "Catalogs", operation_id = "list_metrics",
    params(
        ("analysis_language" = Option<LanguageCode>, Query, description = "Only variants for this language.", nullable = false),
        ("documentation_language" = Option<LanguageCode>, Query, description = "Language of names and documentation; es when absent.", nullable = false),
        ("kind" = Option<String>, Query, description = "Only measurements or only rules.", pattern = "^(measurement|rule)$", nullable = false),
        ("enabled" = Option<bool>, Query, description = "Only variants that reports evaluate, or only the others.", nullable = false),
        ("domain_slug" = Option<String>, Query, description = "Genre filter; goes together with text_type_slug.", min_length = 1, nullable = false),
        ("text_type_slug" = Option<String>, Query, description = "Genre filter; goes together with domain_slug.", min_length = 1, nullable = false),
    ),
    responses((status = 200, description = "The variants.", body = MetricCatalog), Unchanged, ListRefusals)
)]
pub async fn list_metrics(
    State(service): State<Service>,
    _: Caller,
    Ok(mut query): Result<QueryReader, std::convert::Infallible>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let analysis = query.language("analysis_language");
    let documentation = query.language("documentation_language").unwrap_or(Language::Es);
    let wanted = query.one_of("kind", "measurement or rule", kind);
    let enabled = query.flag("enabled");
    let slugs = query.genre();
    query.check()?;
    let slugs = slugs?;
    let generation = service.engine().current();
    let snapshot = generation.snapshot();
    let genre = slugs.map(|slugs| find(snapshot, &slugs, analysis)).transpose()?;
    let key = Question::Metrics { analysis, documentation, kind: wanted, enabled, genre: genre.map(names) };
    Ok(answer(&generation, &headers, key, || {
        let entries = snapshot.engine.registry.entries().iter();
        let metrics = entries.flat_map(|entry| entry.variants.iter().map(move |variant| (entry, variant)));
        MetricCatalog {
            metrics: metrics
                .filter(|(_, variant)| analysis.is_none_or(|language| variant.language == language))
                .filter(|(_, variant)| wanted.is_none_or(|kind| variant.kind == kind))
                .filter(|(_, variant)| enabled.is_none_or(|enabled| variant.active() == enabled))
                .filter_map(|(entry, variant)| {
                    Some(metric(snapshot, entry, variant, documentation, entry.docs(documentation)?, genre))
                })
                .collect(),
            genre: genre.map(|genre| genre_view(genre, documentation)),
        }
    }))
}

refusals!(MetricRefusals: MetricNotFound ValidationError UnsupportedLanguage IncompleteGenreFilter UnknownGenre);

/// Get a measurement or rule
///
/// The variant of a metric for one language.
#[utoipa::path(
    get, path = "/v1/metrics/{metric_id}", tag = "Catalogs", operation_id = "get_metric",
    params(
        ("metric_id" = String, Path, description = "Stable metric identifier.", example = "long-sentence"),
        ("analysis_language" = LanguageCode, Query, description = "Language of the variant."),
        ("documentation_language" = Option<LanguageCode>, Query, description = "Language of names and documentation; es when absent.", nullable = false),
        ("domain_slug" = Option<String>, Query, description = "Genre filter; goes together with text_type_slug.", min_length = 1, nullable = false),
        ("text_type_slug" = Option<String>, Query, description = "Genre filter; goes together with domain_slug.", min_length = 1, nullable = false),
    ),
    responses((status = 200, description = "The variant.", body = Metric), Unchanged, MetricRefusals)
)]
pub async fn get_metric(
    State(service): State<Service>,
    _: Caller,
    path: PathParts,
    Ok(mut query): Result<QueryReader, std::convert::Infallible>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let analysis = query.required_language("analysis_language");
    let documentation = query.language("documentation_language").unwrap_or(Language::Es);
    let slugs = query.genre();
    query.check()?;
    let slugs = slugs?;
    let missing = || {
        let detail = "There is no measurement or rule of this identifier for the analysis language.";
        Problem::new(Code::MetricNotFound, detail)
    };
    let analysis = analysis.ok_or_else(missing)?;
    let generation = service.engine().current();
    let snapshot = generation.snapshot();
    let genre = slugs.map(|slugs| find(snapshot, &slugs, Some(analysis))).transpose()?;
    let entry = snapshot.engine.registry.get(path.get("metric_id")).ok_or_else(missing)?;
    let variant = entry.variant(analysis).ok_or_else(missing)?;
    let docs = entry.docs(documentation).ok_or_else(missing)?;
    let metric_id = entry.manifest.id.clone();
    let key = Question::Metric { metric_id, analysis, documentation, genre: genre.map(names) };
    Ok(answer(&generation, &headers, key, || metric(snapshot, entry, variant, documentation, docs, genre)))
}

fn find<'s>(
    snapshot: &'s Snapshot,
    (domain, text_type): &(String, String),
    language: Option<Language>,
) -> Result<&'s Genre, Problem> {
    let languages = Language::ALL.into_iter().filter(|known| language.is_none_or(|wanted| wanted == *known));
    let mut found = languages.filter_map(|language| snapshot.catalog.find(language, Some(domain), text_type).ok());
    found.next().map(|(genre, _)| genre).ok_or_else(|| {
        let fault = Fault::of_parameter("query", "text_type_slug", "unknown_genre", "Expected a genre of the language");
        let detail = "The slugs name no genre of the language; GET /v1/text-types lists them.";
        Problem::faults(Code::UnknownGenre, detail, vec![fault])
    })
}

fn names(genre: &Genre) -> (String, String) {
    (genre.domain.slug.clone(), genre.slug.clone())
}

fn genre_view(genre: &Genre, language: Language) -> GenreView {
    GenreView {
        domain: TextDomain { slug: genre.domain.slug.clone(), name: genre.domain.names.get(language).to_owned() },
        text_type: TextType { slug: genre.slug.clone(), name: genre.names.get(language).to_owned() },
    }
}

fn metric(
    snapshot: &Snapshot,
    entry: &MetricEntry,
    variant: &Variant,
    documentation: Language,
    (documentation_language, docs): (Language, &Arc<DocsFile>),
    genre: Option<&Genre>,
) -> Metric {
    let docs = &docs.documentation;
    let is_current = entry.variant(variant.language).is_some_and(|current| std::ptr::eq(&**current, variant));
    let example = snapshot.example(&entry.manifest.id, variant.language);
    Metric {
        id: entry.manifest.id.clone(),
        kind: variant.kind.name(),
        analysis_language: variant.language.code(),
        enabled: variant.active(),
        implementation_version: variant.version.clone(),
        category: entry.manifest.category.clone(),
        documentation_language: documentation_language.code(),
        documentation: MetricDocumentation {
            title: docs.title.clone(),
            summary: docs.summary.clone(),
            methodology: docs.methodology.clone(),
            interpretation: docs.interpretation.clone(),
            limitations: limitations(snapshot, entry, variant, documentation_language, docs),
        },
        unit: entry.manifest.unit.clone(),
        references: entry.manifest.references.clone(),
        example: example.filter(|_| is_current).map(|example| Arc::new(example.clone())),
        available: variant.available(),
        availability_note: snapshot.availability_note(variant, documentation),
        genre_scope: genre.map(|genre| scope(genre, entry, variant)),
    }
}

/// The limits that the documentation tells, and how often people found the rule right.
fn limitations(
    snapshot: &Snapshot,
    entry: &MetricEntry,
    variant: &Variant,
    language: Language,
    docs: &Documentation,
) -> String {
    let note = snapshot.judged_note(&entry.manifest.id, variant.language, language);
    match (docs.limitations.trim(), note.as_str()) {
        (_, "") => docs.limitations.clone(),
        ("", note) => note.to_owned(),
        (limits, note) => format!("{limits}\n\n{note}"),
    }
}

fn scope(genre: &Genre, entry: &MetricEntry, variant: &Variant) -> MetricGenreScope {
    let scope = genre.editions.get(&variant.language).and_then(|edition| edition.scope.get(&entry.manifest.id));
    let params = scope.into_iter().flat_map(|scope| &scope.params);
    MetricGenreScope {
        enabled: variant.active() && scope.is_some_and(|scope| scope.enabled),
        params: params.map(|(key, value)| (key.clone(), serde_json::to_value(value).unwrap_or(Value::Null))).collect(),
    }
}
