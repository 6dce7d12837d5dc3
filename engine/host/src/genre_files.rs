//! Genre folders: profiles, domains, genres and their structures.

use glosa_catalog::{CatalogSources, GenreSource, ProfileSource, StructureSource};
use glosa_metric::Problem;
use glosa_text::Language;

use crate::reader::Reader;

/// Reads the genres of a root.
pub(crate) fn read(reader: &mut Reader<'_>, sources: &mut CatalogSources) {
    let top = reader.path("genres");
    for (name, path) in reader.list(&top) {
        match name.as_str() {
            "README.md" => {}
            "occurrences.yaml" => match reader.yaml(&path) {
                Some(file) => sources.occurrences = (reader.name(&path), file),
                None => reader.unread.catalog.occurrences = true,
            },
            "profiles" => {
                for (file, path) in reader.list_of(&path) {
                    let Some(name) = file.strip_suffix(".yaml") else { continue };
                    let Some((profile, text)) = reader.yaml_and_text(&path) else {
                        reader.unread.catalog.profiles.insert(name.to_owned());
                        continue;
                    };
                    let file = reader.name(&path);
                    sources.profiles.push(ProfileSource { name: name.to_owned(), file, text, profile });
                }
            }
            _ if path.is_dir() => domain(reader, sources, &name, &path),
            _ => {
                let at = reader.name(&path);
                reader.problems.push(
                    Problem::of(at, "nothing reads this file")
                        .help("a domain is a folder; names of occurrences stand in occurrences.yaml"),
                );
            }
        }
    }
}

fn domain(reader: &mut Reader<'_>, sources: &mut CatalogSources, slug: &str, dir: &std::path::Path) {
    for (name, path) in reader.list_of(dir) {
        if name == "domain.yaml" {
            match reader.yaml(&path) {
                Some(file) => sources.domains.push((slug.to_owned(), reader.name(&path), file)),
                None => drop(reader.unread.catalog.domains.insert(slug.to_owned())),
            }
        } else if path.is_dir() {
            genre(reader, sources, slug, &name, &path);
        } else if name != "README.md" {
            let at = reader.name(&path);
            reader
                .problems
                .push(Problem::of(at, "nothing reads this file").help("expected domain.yaml and one folder a genre"));
        }
    }
}

fn genre(reader: &mut Reader<'_>, sources: &mut CatalogSources, domain: &str, slug: &str, dir: &std::path::Path) {
    if reader.only().is_some_and(|only| !dir.join(format!("{only}.yaml")).is_file()) {
        return;
    }
    for (name, path) in reader.list_of(dir) {
        let language = name.strip_suffix(".yaml").and_then(|stem| stem.parse::<Language>().ok());
        if language.is_some_and(|language| !reader.wants(language)) {
            continue;
        }
        if name == "genre.yaml" {
            let (domain, text_type) = (domain.to_owned(), slug.to_owned());
            let Some((genre, text)) = reader.yaml_and_text(&path) else {
                reader.unread.catalog.genres.insert((domain, text_type));
                continue;
            };
            let file = reader.name(&path);
            sources.genres.push(GenreSource { domain, text_type, file, text, genre });
        } else if let Some(language) = language {
            let (domain, text_type) = (domain.to_owned(), slug.to_owned());
            let Some((structure, text)) = reader.yaml_and_text(&path) else {
                reader.unread.catalog.genres.insert((domain, text_type));
                continue;
            };
            let file = reader.name(&path);
            sources.structures.push(StructureSource { domain, text_type, language, file, text, structure });
        } else {
            let at = reader.name(&path);
            reader.problems.push(
                Problem::of(at, "nothing reads this file").help("expected genre.yaml, es.yaml, ca.yaml and en.yaml"),
            );
        }
    }
}
