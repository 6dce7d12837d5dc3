//! `GET /v1/text-types`, the detail of a genre and its glossaries.
use crate::Service;
use crate::engine::Question;
use crate::extract::{Caller, PathParts, QueryReader};
use crate::problem::{Code, Problem};
use crate::refusals::{Unchanged, refusals};
use crate::route::catalog::answer;
use crate::view::{
    GenreGlossaries, Glossary, LanguageCode, PublicPhraseology, PublicTextContent, PublicTextDomain, PublicTextSection,
    PublicTextType, PublicTextTypeCatalog, PublicTextTypeDetail, ReportDefaults,
};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use glosa_catalog::{Catalog, Domain, Genre, GenreEdition};
use glosa_metric::{Section, SourceLevel};
use glosa_text::Language;
use std::convert::Infallible;

refusals!(ListRefusals: ValidationError UnsupportedLanguage);
refusals!(GenreRefusals: GenreNotFound ValidationError UnsupportedLanguage);

/// List domains and genres
///
/// The domains of a language with their genres. The pair of slugs is what the creation of a report expects.
#[utoipa::path(
    get, path = "/v1/text-types", tag = "Catalogs", operation_id = "list_text_types",
    params(("language" = Option<LanguageCode>, Query, description = "Language; es when absent.", nullable = false)),
    responses((status = 200, description = "Domains and genres.", body = PublicTextTypeCatalog), Unchanged, ListRefusals)
)]
pub async fn list_text_types(
    State(service): State<Service>,
    _: Caller,
    Ok(mut query): Result<QueryReader, Infallible>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let language = query.language("language").unwrap_or(Language::Es);
    query.check()?;
    let generation = service.engine().current();
    let catalog = &generation.snapshot().catalog;
    Ok(answer(&generation, &headers, Question::TextTypes { language }, || {
        let domains = catalog.domains().iter().map(|domain| {
            let genres = catalog.genres_of(&domain.slug, language);
            domain_view(domain, language, genres.map(|genre| genre_view(genre, language)).collect())
        });
        PublicTextTypeCatalog {
            language: language.code(),
            domains: domains.filter(|domain| !domain.text_types.is_empty()).collect(),
        }
    }))
}

/// Get a genre
///
/// One genre: recommended sections and contents, and the fields to forward to the creation of a report.
#[utoipa::path(
    get, path = "/v1/text-types/{domain_slug}/{text_type_slug}", tag = "Catalogs", operation_id = "get_text_type",
    params(
        ("domain_slug" = String, Path, description = "Domain.", example = "administracion-clara"),
        ("text_type_slug" = String, Path, description = "Genre inside the domain.", example = "notificacion"),
        ("language" = Option<LanguageCode>, Query, description = "Language; es when absent.", nullable = false),
    ),
    responses((status = 200, description = "The genre.", body = PublicTextTypeDetail), Unchanged, GenreRefusals)
)]
pub async fn get_text_type(
    State(service): State<Service>,
    _: Caller,
    path: PathParts,
    Ok(mut query): Result<QueryReader, Infallible>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let language = query.language("language").unwrap_or(Language::Es);
    query.check()?;
    let generation = service.engine().current();
    let catalog = &generation.snapshot().catalog;
    let (genre, edition) = find(catalog, &path, language)?;
    let key = Question::TextType { language, domain: genre.domain.slug.clone(), text_type: genre.slug.clone() };
    Ok(answer(&generation, &headers, key, || PublicTextTypeDetail {
        language: language.code(),
        domain: domain_view(&genre.domain, language, Vec::new()),
        text_type: genre_view(genre, language),
        report_defaults: ReportDefaults {
            language: language.code(),
            domain_slug: genre.domain.slug.clone(),
            text_type_slug: genre.slug.clone(),
        },
        structure: edition.structure.sections.iter().map(|section| section_view(catalog, section, language)).collect(),
    }))
}

/// List the glossaries of a genre
///
/// Which glossaries apply to a genre, how many entries each resolves and from which level of the cascade. Contents are not shown.
#[utoipa::path(
    get, path = "/v1/text-types/{domain_slug}/{text_type_slug}/glossaries", tag = "Catalogs", operation_id = "list_genre_glossaries",
    params(
        ("domain_slug" = String, Path, description = "Domain.", example = "administracion-clara"),
        ("text_type_slug" = String, Path, description = "Genre inside the domain.", example = "notificacion"),
        ("language" = Option<LanguageCode>, Query, description = "Language; es when absent.", nullable = false),
    ),
    responses((status = 200, description = "The glossaries.", body = GenreGlossaries), Unchanged, GenreRefusals)
)]
pub async fn list_genre_glossaries(
    State(service): State<Service>,
    _: Caller,
    path: PathParts,
    Ok(mut query): Result<QueryReader, Infallible>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let language = query.language("language").unwrap_or(Language::Es);
    query.check()?;
    let generation = service.engine().current();
    let (genre, edition) = find(&generation.snapshot().catalog, &path, language)?;
    let key = Question::Glossaries { language, domain: genre.domain.slug.clone(), text_type: genre.slug.clone() };
    Ok(answer(&generation, &headers, key, || GenreGlossaries {
        language: language.code(),
        domain_slug: genre.domain.slug.clone(),
        text_type_slug: genre.slug.clone(),
        glossaries: glossaries(edition),
    }))
}

fn find<'c>(
    catalog: &'c Catalog,
    path: &PathParts,
    language: Language,
) -> Result<(&'c Genre, &'c GenreEdition), Problem> {
    let found = catalog.find(language, Some(path.get("domain_slug")), path.get("text_type_slug"));
    found.map_err(|_| {
        let detail = "The domain and text type name no genre of the language.";
        Problem::new(Code::GenreNotFound, detail)
    })
}

fn domain_view(domain: &Domain, language: Language, text_types: Vec<PublicTextType>) -> PublicTextDomain {
    PublicTextDomain {
        slug: domain.slug.clone(),
        name: domain.names.get(language).to_owned(),
        clear_language: domain.clear_language,
        text_types,
    }
}

fn genre_view(genre: &Genre, language: Language) -> PublicTextType {
    PublicTextType {
        slug: genre.slug.clone(),
        name: genre.names.get(language).to_owned(),
        clear_language: genre.clear_language,
    }
}

fn section_view(catalog: &Catalog, section: &Section, language: Language) -> PublicTextSection {
    let contents = section.contents.iter().map(|content| PublicTextContent {
        name: content.name.clone(),
        occurrence: content
            .occurrence
            .as_deref()
            .map(|key| catalog.occurrence_name(key, language).unwrap_or(key).to_owned()),
        phraseology: content.phraseology.iter().map(|value| PublicPhraseology { value: value.clone() }).collect(),
    });
    PublicTextSection { name: section.name.clone(), contents: contents.collect() }
}

fn glossaries(edition: &GenreEdition) -> Vec<Glossary> {
    let views = edition.glossaries.iter().map(|resolved| Glossary {
        key: resolved.glossary.key.clone(),
        title: resolved.glossary.title.clone(),
        entry_count: resolved.glossary.entries.len(),
        active_entry_count: resolved.glossary.active_entries(),
        source_level: match resolved.glossary.level {
            SourceLevel::TextType => "text_type",
            SourceLevel::Domain => "domain",
            SourceLevel::Global => "global",
        },
        inherited: resolved.inherited(),
        used_by_metrics: resolved.used_by.clone(),
    });
    views.collect()
}
