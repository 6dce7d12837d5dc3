//! `genres`: the folder of a new genre, from commented templates.

use glosa_text::Language;

use crate::rules::new::{well_formed, with_schema, write};
use crate::{Failure, RootOptions};

/// What to do with genres.
#[derive(Debug, clap::Subcommand)]
pub enum Genres {
    /// Make the folder of a new genre, and of its domain where that is new, with commented files to fill in
    New {
        /// Public names as DOMAIN/TEXT_TYPE: lower case, words joined by hyphens
        genre: String,
        /// Languages in which the genre exists
        #[arg(long, value_delimiter = ',', default_value = "es,ca,en")]
        language: Vec<Language>,
        /// The profile that is nearest
        #[arg(long, default_value = "clear")]
        profile: String,
    },
    /// List all genres by domain
    List,
}

impl Genres {
    /// Runs the command.
    pub fn run(&self, roots: &RootOptions) -> Result<(), Failure> {
        match self {
            Genres::New { genre, language, profile } => new(roots, genre, language, profile),
            Genres::List => list(roots),
        }
    }
}

fn list(roots: &RootOptions) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    for genre in snapshot.catalog.genres() {
        let languages: Vec<_> = genre.editions.keys().map(|language| language.code()).collect();
        let name = format!("{}/{}", genre.domain.slug, genre.slug);
        anstream::println!("{name:<48} {:<10} {}", languages.join(" "), genre.names.es);
    }
    Ok(())
}

/// A name for people, to be replaced: the public one with spaces and a capital.
fn readable(slug: &str) -> String {
    let words = slug.replace('-', " ");
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn new(roots: &RootOptions, genre: &str, languages: &[Language], profile: &str) -> Result<(), Failure> {
    let names = genre.split_once('/').filter(|(domain, slug)| well_formed(domain) && well_formed(slug));
    let Some((domain, slug)) = names else {
        return Err(Failure::usage(format!(
            "`{genre}`: write DOMAIN/TEXT_TYPE in lower-case letters and digits, words joined by hyphens"
        )));
    };
    let found = roots.find()?;
    let base = found.folders.first().expect("roots have a first folder");
    let root = found.folders.last().expect("roots have a first folder");
    let inside = |path: &str| found.folders.iter().any(|folder| folder.join(path).is_file());
    if found.folders.iter().any(|folder| folder.join("genres").join(domain).join(slug).exists()) {
        return Err(Failure::usage(format!("genres/{genre} exists already")));
    }
    if !inside(&format!("genres/profiles/{profile}.yaml")) {
        return Err(Failure::usage(format!(
            "there is no genres/profiles/{profile}.yaml; genres/README.md lists the profiles"
        )));
    }
    let fill = |text: &str| {
        text.replace("{domain}", &readable(domain)).replace("{name}", &readable(slug)).replace("{profile}", profile)
    };
    let top = root.join("genres").join(domain);
    let dir = top.join(slug);
    let mut files = vec![(dir.join("genre.yaml"), include_str!("../templates/genre/genre.yaml"))];
    if !inside(&format!("genres/{domain}/domain.yaml")) {
        files.push((top.join("domain.yaml"), include_str!("../templates/genre/domain.yaml")));
    }
    let structure = include_str!("../templates/genre/structure.yaml");
    files.extend(languages.iter().map(|language| (dir.join(format!("{language}.yaml")), structure)));
    for (path, text) in &files {
        write(path, &with_schema(&fill(text), path, root, base))?;
    }
    anstream::eprintln!("{}: {} files; next: edit them, then `cargo rules check`", dir.display(), files.len());
    anstream::println!("{}", dir.display());
    Ok(())
}
