//! The bytes of a library: what they say is checked before the system's loader sees them, and the loader gets a copy of
//! them that nobody else can write to.

use std::path::{Path, PathBuf};

use super::Refusal;

const HEADER: usize = 64;

fn machine(number: u16) -> String {
    match number {
        3 => "x86".into(),
        40 => "arm".into(),
        62 => "x86_64".into(),
        183 => "aarch64".into(),
        243 => "riscv64".into(),
        22 => "s390x".into(),
        21 => "powerpc64".into(),
        258 => "loongarch64".into(),
        other => format!("processor {other}"),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).and_then(|b| b.try_into().ok()).map_or(0, u16::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

fn table_end(bytes: &[u8], offset: usize, size: usize, count: usize) -> u64 {
    let items = u64::from(u16_at(bytes, size)) * u64::from(u16_at(bytes, count));
    u64_at(bytes, offset).saturating_add(items)
}

/// Bytes that the tables and segments of a 64-bit ELF file reach to.
fn extent(bytes: &[u8]) -> u64 {
    let segments = table_end(bytes, 0x20, 0x36, 0x38);
    let sections = table_end(bytes, 0x28, 0x3a, 0x3c);
    let first = u64_at(bytes, 0x20);
    let size = u64::from(u16_at(bytes, 0x36));
    let ends = (0..u64::from(u16_at(bytes, 0x38))).filter_map(|n| {
        let at = usize::try_from(first.checked_add(n.checked_mul(size)?)?).ok()?;
        bytes.get(at..at.checked_add(0x28)?)?;
        u64_at(bytes, at + 8).checked_add(u64_at(bytes, at + 0x20))
    });
    ends.fold(segments.max(sections), u64::max)
}

/// Reads a library; refuses what is none, cut short, or for another processor. Formats other than that of Linux are
/// left to the loader of their system.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    let bytes =
        std::fs::read(path).map_err(|error| Refusal::Unreadable { file: path.to_owned(), cause: error.to_string() })?;
    if cfg!(target_os = "linux") {
        inspect(path, &bytes)?;
    }
    Ok(bytes)
}

fn inspect(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let file = || path.to_owned();
    if !bytes.starts_with(b"\x7fELF") {
        return Err(Refusal::NotALibrary { file: file() });
    }
    if bytes.len() < HEADER {
        return Err(Refusal::Truncated { file: file(), found: bytes.len() as u64, needed: HEADER as u64 });
    }
    let here = std::env::consts::ARCH;
    let little_64 = bytes[4] == 2 && bytes[5] == 1;
    let found = machine(if bytes[5] == 1 { u16_at(bytes, 18) } else { u16_at(bytes, 18).swap_bytes() });
    if found != here {
        return Err(Refusal::OtherArchitecture { file: file(), found, here });
    }
    if !little_64 {
        return Ok(());
    }
    if u16_at(bytes, 16) != 3 {
        return Err(Refusal::NotALibrary { file: file() });
    }
    let needed = extent(bytes);
    if needed > bytes.len() as u64 {
        return Err(Refusal::Truncated { file: file(), found: bytes.len() as u64, needed });
    }
    Ok(())
}

/// A file that holds a copy of a library and that only this process knows.
pub(super) struct Copy {
    /// Where the loader finds it.
    pub(super) path: PathBuf,
    /// Keeps the file, and on Linux the number in its path, from being used for something else.
    _file: Held,
}

#[cfg(target_os = "linux")]
type Held = std::fs::File;
#[cfg(not(target_os = "linux"))]
type Held = tempfile::TempPath;

impl Copy {
    /// A file in memory, so that folders without the right to run programs do not matter.
    #[cfg(target_os = "linux")]
    pub(super) fn of(bytes: &[u8]) -> std::io::Result<Copy> {
        use std::io::Write;
        use std::os::fd::AsRawFd;
        let descriptor = rustix::fs::memfd_create("glosa-plugin", rustix::fs::MemfdFlags::CLOEXEC)?;
        let mut file = std::fs::File::from(descriptor);
        file.write_all(bytes)?;
        Ok(Copy { path: PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())), _file: file })
    }

    /// A file of a name that nothing else has.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn of(bytes: &[u8]) -> std::io::Result<Copy> {
        use std::io::Write;
        let mut file = tempfile::Builder::new().suffix(std::env::consts::DLL_SUFFIX).tempfile()?;
        file.write_all(bytes)?;
        let held = file.into_temp_path();
        Ok(Copy { path: held.to_path_buf(), _file: held })
    }
}
