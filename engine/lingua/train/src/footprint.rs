//! What the shipped models cost: bytes on disk, time to load, resident memory.

use anyhow::Result;
use glosa_lingua::Runtime;
use glosa_text::Language;
use std::path::Path;
use std::time::Instant;

fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find(|l| l.starts_with("VmRSS"))
        .map_or_else(|| "VmRSS unknown".to_owned(), |l| l.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Prints the size of each language's folder, and the best of some loads of all three languages with the memory after it.
pub fn print(models: &Path) -> Result<()> {
    for language in Language::ALL {
        let mut bytes = 0;
        for entry in std::fs::read_dir(models.join(language.code()))? {
            bytes += entry?.metadata()?.len();
        }
        println!("{language}: {:.2} MiB on disk", bytes as f64 / f64::from(1 << 20));
    }
    let before = resident();
    let mut best = f64::MAX;
    let mut runtime = None;
    for _ in 0..5 {
        drop(runtime.take());
        let start = Instant::now();
        runtime = Some(Runtime::new()?);
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("all three loaded in {:.0} ms; {before} before, {} after", best * 1000.0, resident());
    drop(runtime);
    Ok(())
}
