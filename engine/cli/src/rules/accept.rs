//! `rules accept`: the pictures of the examples become the snapshots.

use std::fs;

use glosa_host::picture;
use glosa_text::Language;

use super::scaffold;
use super::test::{file, with_head};
use crate::{Failure, RootOptions};

pub(super) fn run(roots: &RootOptions, id: Option<&str>) -> Result<(), Failure> {
    let snapshot = roots.load_for(id)?;
    scaffold::refuse_untouched(&snapshot, &super::chosen(&snapshot, id)?)?;
    let mut written = 0;
    for id in super::chosen(&snapshot, id)? {
        for language in Language::ALL {
            let Some(now) = picture(&snapshot, &id, language) else { continue };
            let path = file(&snapshot, roots, &id, language)?;
            let text = with_head(&now);
            if fs::read_to_string(&path).is_ok_and(|old| old == text) {
                continue;
            }
            let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
            made.map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
            written += 1;
        }
    }
    anstream::eprintln!("{written} pictures written");
    Ok(())
}
