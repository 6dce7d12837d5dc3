//! `rules list`: all metrics in linguistic order.

use glosa_text::Language;

use crate::{Failure, RootOptions};

pub(super) fn run(roots: &RootOptions, language: Option<Language>) -> Result<(), Failure> {
    let snapshot = roots.load()?;
    for entry in snapshot.engine.registry.entries() {
        let variants = entry.variants.iter().filter(|v| language.is_none_or(|l| l == v.language));
        let shown: Vec<String> = variants
            .map(|v| {
                let state = match (v.enabled, v.available()) {
                    (false, _) => " off".to_owned(),
                    (_, false) => format!(" lacks {}", v.missing),
                    _ => String::new(),
                };
                format!("{} {}{state}", v.language, v.version)
            })
            .collect();
        if !shown.is_empty() {
            let m = &entry.manifest;
            anstream::println!("{:<12} {:<26} {:<32} {}", m.kind.name(), m.category, m.id, shown.join(" · "));
        }
    }
    Ok(())
}
