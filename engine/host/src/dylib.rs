//! Loading of compiled plugins, with a named refusal for each thing that can be wrong with one.
//!
//! A library is looked at before the system's loader may touch it: a file that is no library, that was cut short or
//! that is for another processor is refused without mapping it. What is loaded is a private copy, so that whatever
//! happens to the file afterwards changes nothing in a running service; the same bytes are loaded once. Loaded libraries
//! are never unloaded. Plugins are trusted code; a panic in one fails the report that it happened in.
#![allow(unsafe_code, reason = "libraries are loaded and called through the C interface here")]
#![allow(clippy::disallowed_methods, reason = "the host is the reader of the disk")]

mod call;
mod image;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use glosa_metric::{Input, Kind, Metric, MetricError, Needs, Sink};
use glosa_plugin::{Linked, abi};
use glosa_text::Language;
use libloading::Library;
use sha2::{Digest, Sha256};

/// Why a plugin was not loaded: the file, the cause and the cure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The file cannot be read.
    #[error("{}: the plugin cannot be read ({cause}); check the path and its permissions", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// The file is no shared library.
    #[error("{}: not a shared library; build the plugin as one (in Rust `crate-type = [\"cdylib\"]`, in C `-shared -fPIC`)", file.display())]
    NotALibrary {
        /// The file.
        file: PathBuf,
    },
    /// The file ends before the library does.
    #[error("{}: the library is cut short: {found} bytes of at least {needed}; copy or build it again", file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// Bytes of the file.
        found: u64,
        /// Bytes that its tables ask for.
        needed: u64,
    },
    /// The library is for another processor.
    #[error("{}: built for {found}, but this program runs on {here}; build the plugin for {here}", file.display())]
    OtherArchitecture {
        /// The file.
        file: PathBuf,
        /// Processor of the library.
        found: String,
        /// Processor of this program.
        here: &'static str,
    },
    /// The loader of the system refuses the library.
    #[error("{}: the system does not load the library: {cause}; install what it depends on, or build it on this system", file.display())]
    Unloadable {
        /// The file.
        file: PathBuf,
        /// What the loader says.
        cause: String,
    },
    /// The library has no entry function.
    #[error("{}: no entry function (looked for {}); export it with `export_plugin!` under the name of the file, or rename the file after the plugin", file.display(), tried.join(", "))]
    MissingSymbol {
        /// The file.
        file: PathBuf,
        /// Names that were looked for.
        tried: Vec<String>,
    },
    /// The plugin was built for another version of the interface.
    #[error("{}: built for plugin interface {}.{}, but this program has {}.{}; {}", file.display(), plugin.0, plugin.1, host.0, host.1, cure(*plugin, *host))]
    OtherAbi {
        /// The file.
        file: PathBuf,
        /// Version of the plugin.
        plugin: (u16, u16),
        /// Version of this program.
        host: (u16, u16),
    },
    /// The description of the plugin makes no sense.
    #[error("{}: the description of the plugin is not valid: {what}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
}

fn cure(plugin: (u16, u16), host: (u16, u16)) -> String {
    if plugin > host {
        format!("update this program, or build the plugin against glosa-plugin {}.{}", host.0, host.1)
    } else {
        format!("build the plugin again against glosa-plugin {}.{}", host.0, host.1)
    }
}

/// A loaded plugin.
#[derive(Clone, Debug)]
pub struct Plugin {
    name: String,
    version: String,
    file: PathBuf,
    /// Of the bytes of the library; a linked plugin has none.
    digest: Option<Digested>,
    metrics: Vec<NativeMetric>,
}

/// A metric of a plugin; runs for all its languages.
#[derive(Clone)]
pub struct NativeMetric {
    /// Public name.
    pub id: String,
    /// Version of the implementation, from the binary.
    pub version: String,
    /// Measurement or rule.
    pub kind: Kind,
    /// Languages that it analyses.
    pub languages: Vec<Language>,
    /// What it requires of the runtime; bits that this program does not know are kept, so they are never met.
    pub needs: Needs,
    run: Arc<dyn Metric>,
}

impl NativeMetric {
    /// The implementation.
    pub fn metric(&self) -> Arc<dyn Metric> {
        Arc::clone(&self.run)
    }
}

impl From<&NativeMetric> for Arc<dyn Metric> {
    fn from(native: &NativeMetric) -> Self {
        native.metric()
    }
}

impl fmt::Debug for NativeMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:?}", self.id, self.version, self.languages)
    }
}

impl Plugin {
    /// Its name, as variants write it under `native:`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Version of the plugin.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The library; for a linked plugin its name.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Whether another plugin is the same library, wherever its file stands.
    pub fn is(&self, other: &Plugin) -> bool {
        self.digest.is_some() && self.digest == other.digest
    }

    /// Its metrics.
    pub fn metrics(&self) -> &[NativeMetric] {
        &self.metrics
    }

    /// A metric by id.
    pub fn metric(&self, id: &str) -> Option<&NativeMetric> {
        self.metrics.iter().find(|m| m.id == id)
    }
}

/// Loads a library `lib<name>[-<version>].so` (or what the system calls it). The name of the plugin is what the
/// entry function says: `glosa_plugin_` and the file's name, or the end of the file's name after an underscore, so
/// that `libglosa_native_sentences.so` may hold the plugin `sentences`. The library stays loaded until the process
/// ends.
pub fn load(path: &Path) -> Result<Plugin, Refusal> {
    let bytes = image::read(path)?;
    let digest = Digested(Sha256::digest(&bytes).into());
    let library = loaded(&bytes, &digest).map_err(|cause| Refusal::Unloadable { file: path.to_owned(), cause })?;
    let names = symbol_names(path);
    let entry = names.iter().find_map(|name| {
        // SAFETY: a symbol of this name has this type.
        unsafe { library.get::<abi::Entry>(name.as_str()) }.ok().map(|entry| *entry)
    });
    let Some(entry) = entry else {
        return Err(Refusal::MissingSymbol { file: path.to_owned(), tried: names });
    };
    // SAFETY: the library stays loaded, and an entry function has no requirements.
    let plugin = unsafe { entry().as_ref() };
    let plugin = plugin.ok_or_else(|| malformed(path, "the entry function gives nothing"))?;
    // SAFETY: the description of a library lives as long as the process.
    unsafe { read(path, Some(digest), plugin) }
}

/// What tells the bytes of one library from those of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Digested([u8; 32]);

/// A copy of the library, loaded until the process ends; the same bytes are loaded once.
fn loaded(bytes: &[u8], digest: &Digested) -> Result<&'static Library, String> {
    static LOADED: Mutex<BTreeMap<Digested, &'static Library>> = Mutex::new(BTreeMap::new());
    let mut all = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(library) = all.get(digest) {
        return Ok(library);
    }
    let copy = image::Copy::of(bytes).map_err(|error| format!("no room for a copy of it: {error}"))?;
    // SAFETY: plugins are trusted code; their initialisers may run.
    let library = unsafe { Library::new(&copy.path) }.map_err(|error| {
        let said = error.to_string();
        said.replace(&format!("{}: ", copy.path.display()), "")
    })?;
    let library: &'static Library = Box::leak(Box::new(library));
    std::mem::forget(copy);
    all.insert(digest.clone(), library);
    Ok(library)
}

/// Takes a plugin that is part of this program. There is no other difference from a loaded one.
pub fn linked(plugin: Linked) -> Result<Plugin, Refusal> {
    // SAFETY: whoever made the value vouched for the description.
    unsafe { read(Path::new(plugin.name()), None, plugin.raw()) }
}

fn malformed(file: &Path, what: impl Into<String>) -> Refusal {
    Refusal::Malformed { file: file.to_owned(), what: what.into() }
}

/// The name of a library without the system's affixes and without a version: `word_lists` of `libword-lists-1.2.0.so`.
pub(crate) fn stem(path: &Path) -> Option<String> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = file.strip_suffix(std::env::consts::DLL_SUFFIX)?;
    let stem = stem.strip_prefix(std::env::consts::DLL_PREFIX).unwrap_or(stem);
    let versioned =
        stem.char_indices().find(|(at, c)| *c == '-' && stem[at + 1..].starts_with(|next: char| next.is_ascii_digit()));
    Some(versioned.map_or(stem, |(at, _)| &stem[..at]).replace('-', "_"))
}

fn symbol_names(path: &Path) -> Vec<String> {
    let stem = stem(path).or_else(|| Some(path.file_stem()?.to_string_lossy().into_owned())).unwrap_or_default();
    let ends = stem.match_indices('_').map(|(at, _)| &stem[at + 1..]);
    std::iter::once(stem.as_str())
        .chain(ends)
        .filter(|end| !end.is_empty())
        .map(|end| format!("glosa_plugin_{end}"))
        .collect()
}

/// # Safety
/// The description and all that it points to live as long as the process.
unsafe fn read(file: &Path, digest: Option<Digested>, plugin: &'static abi::Plugin) -> Result<Plugin, Refusal> {
    let host = (abi::GLOSA_ABI_MAJOR, abi::GLOSA_ABI_MINOR);
    let theirs = (plugin.abi_major, plugin.abi_minor);
    if theirs.0 != host.0 || !(abi::GLOSA_ABI_EARLIEST..=host.1).contains(&theirs.1) {
        return Err(Refusal::OtherAbi { file: file.to_owned(), plugin: theirs, host });
    }
    // SAFETY: the caller answers for the description.
    let text = |string: abi::Str, what: &str| unsafe {
        string
            .get()
            .filter(|s| !s.is_empty())
            .map(str::to_owned)
            .ok_or_else(|| malformed(file, format!("{what} is missing or not UTF-8")))
    };
    let name = text(plugin.name, "its name")?;
    let version = text(plugin.version, "its version")?;
    if !plugin.metrics.holds::<abi::Metric>() {
        let what =
            format!("its metrics are {} bytes apart, but one has {}", plugin.metrics.stride, size_of::<abi::Metric>());
        return Err(malformed(file, what));
    }
    let mut seen = BTreeSet::new();
    let mut metrics = Vec::new();
    // SAFETY: as above.
    for raw in unsafe { plugin.metrics.iter::<abi::Metric>() } {
        let id = text(raw.id, "the id of a metric")?;
        let version = text(raw.version, &format!("the version of `{id}`"))?;
        let kind = match raw.kind {
            abi::GLOSA_MEASUREMENT => Kind::Measurement,
            abi::GLOSA_RULE => Kind::Rule,
            other => {
                let what = format!("`{id}` is of kind {other}, which is neither measurement nor rule");
                return Err(malformed(file, what));
            }
        };
        let languages: Vec<_> =
            [(abi::GLOSA_ES, Language::Es), (abi::GLOSA_CA, Language::Ca), (abi::GLOSA_EN, Language::En)]
                .into_iter()
                .filter(|(bit, _)| raw.languages & (1 << bit) != 0)
                .map(|(_, language)| language)
                .collect();
        if languages.is_empty() {
            return Err(malformed(file, format!("`{id}` has no language")));
        }
        if !seen.insert(id.clone()) {
            return Err(malformed(file, format!("it has two metrics `{id}`")));
        }
        let state = match raw.create {
            None => std::ptr::null_mut(),
            Some(create) => {
                // SAFETY: the plugin says that it may be called.
                let state = unsafe { create() };
                if state.is_null() {
                    return Err(malformed(file, format!("`{id}` could not be made ready")));
                }
                state
            }
        };
        metrics.push(NativeMetric {
            run: Arc::new(Instance { state, run: raw.run, destroy: raw.destroy.filter(|_| raw.create.is_some()) }),
            id,
            version,
            kind,
            languages,
            needs: Needs::from_bits(raw.needs),
        });
    }
    if metrics.is_empty() {
        return Err(malformed(file, "it has no metrics"));
    }
    Ok(Plugin { name, version, file: file.to_owned(), digest, metrics })
}

struct Instance {
    state: *mut c_void,
    run: unsafe extern "C" fn(*mut c_void, *const abi::Document, *const abi::Host) -> u32,
    destroy: Option<unsafe extern "C" fn(*mut c_void)>,
}

// SAFETY: the interface says that `run` is called from any thread, concurrently, with the same state.
unsafe impl Send for Instance {}
// SAFETY: as above.
unsafe impl Sync for Instance {}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some(destroy) = self.destroy {
            // SAFETY: the state came from `create` of the same metric and is given up once.
            unsafe { destroy(self.state) }
        }
    }
}

impl Metric for Instance {
    fn run(&self, input: &Input, out: &mut Sink) -> Result<(), MetricError> {
        let view = view::of(input);
        call::with(input, out, |host| {
            // SAFETY: view and host live for the call; the state is that of this metric.
            unsafe { (self.run)(self.state, view.raw(), host) }
        })
    }
}
