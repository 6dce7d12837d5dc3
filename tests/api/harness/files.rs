//! What the files of a database hold.
use aho_corasick::AhoCorasick;
use std::path::Path;

/// The files under a folder that hold one of these texts, as `file: text`. Files that vanish meanwhile are passed over.
///
/// # Panics
/// When the texts are too many to be looked for at once.
pub fn holding(folder: &Path, texts: &[&str]) -> Vec<String> {
    let search = AhoCorasick::new(texts).expect("a few texts");
    let mut found = Vec::new();
    walk(folder, &mut |path, content| {
        if let Some(first) = search.find(content) {
            found.push(format!("{}: {}", path.display(), texts[first.pattern()]));
        }
    });
    found
}

fn walk(folder: &Path, read: &mut impl FnMut(&Path, &[u8])) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, read);
        } else if let Ok(content) = std::fs::read(&path) {
            read(&path, &content);
        }
    }
}
