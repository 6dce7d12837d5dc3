//! What the files of a database hold.
use std::path::Path;

/// The files under a folder that hold one of these texts, as `file: text`. Each file is read once; those that vanish meanwhile are
/// passed over.
pub fn holding(folder: &Path, texts: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, texts));
        } else if let Ok(content) = std::fs::read(&path) {
            let content = String::from_utf8_lossy(&content);
            let held = texts.iter().filter(|text| content.contains(**text));
            found.extend(held.map(|text| format!("{}: {text}", path.display())));
        }
    }
    found
}
