//! From a Rust type to the description of a metric, and from metrics to a plugin.

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::abi;
use crate::{Doc, Failure, Host, Language};

/// What a metric makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Measurement,
    /// Findings.
    Rule,
}

/// What a metric requires of the linguistic runtime. Tokens, sentences and paragraphs need no mention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs(u64);

impl Needs {
    /// Nothing beyond tokens, sentences and paragraphs.
    pub const NONE: Needs = Needs(0);
    /// Syllables.
    pub const SYLLABLES: Needs = Needs(abi::GLOSA_NEEDS_SYLLABLES);
    /// Lemmas.
    pub const LEMMA: Needs = Needs(abi::GLOSA_NEEDS_LEMMA);
    /// Parts of speech.
    pub const POS: Needs = Needs(abi::GLOSA_NEEDS_POS);
    /// Morphological features.
    pub const MORPH: Needs = Needs(abi::GLOSA_NEEDS_MORPH);
    /// Making inflected forms.
    pub const INFLECT: Needs = Needs(abi::GLOSA_NEEDS_INFLECT);
    /// Frequencies.
    pub const FREQUENCY: Needs = Needs(abi::GLOSA_NEEDS_FREQUENCY);
    /// Dependency trees.
    pub const DEPENDENCY: Needs = Needs(abi::GLOSA_NEEDS_DEPENDENCY);

    /// Both sets.
    pub const fn and(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }
}

/// A measurement or rule. One value is made at load and shared between threads.
pub trait NativeMetric: Default + Send + Sync + 'static {
    /// Its public name, that of its folder.
    const ID: &'static str;
    /// Version of the implementation, `major.minor.patch`.
    const VERSION: &'static str;
    /// What it makes.
    const KIND: Kind;
    /// The languages that it analyses.
    const LANGUAGES: &'static [Language];
    /// What it requires of the linguistic runtime.
    const NEEDS: Needs = Needs::NONE;

    /// Analyses one document.
    fn run(&self, doc: &Doc<'_>, host: &mut Host<'_>) -> Result<(), Failure>;
}

/// A plugin that is part of this program: the same description that a library exports.
#[derive(Clone, Copy, Debug)]
pub struct Linked(&'static abi::Plugin);

impl Linked {
    /// Vouches for a description.
    ///
    /// # Safety
    /// All that the description points to lives as long as the process and is what it says.
    pub const unsafe fn new(plugin: &'static abi::Plugin) -> Linked {
        Linked(plugin)
    }

    /// The description.
    pub fn raw(self) -> &'static abi::Plugin {
        self.0
    }

    /// Name of the plugin.
    pub fn name(self) -> &'static str {
        // SAFETY: whoever made this value vouched for it.
        unsafe { self.0.name.get().unwrap_or("") }
    }
}

/// Describes a metric.
#[doc(hidden)]
pub const fn describe<M: NativeMetric>() -> abi::Metric {
    let mut languages = 0;
    let mut n = 0;
    while n < M::LANGUAGES.len() {
        languages |= 1 << M::LANGUAGES[n].number();
        n += 1;
    }
    abi::Metric {
        id: abi::Str::new(M::ID),
        version: abi::Str::new(M::VERSION),
        kind: match M::KIND {
            Kind::Measurement => abi::GLOSA_MEASUREMENT,
            Kind::Rule => abi::GLOSA_RULE,
        },
        languages,
        needs: M::NEEDS.0,
        create: Some(create::<M>),
        run: run::<M>,
        destroy: Some(destroy::<M>),
    }
}

/// Describes a plugin.
#[doc(hidden)]
pub const fn plugin(name: &'static str, version: &'static str, metrics: &'static [abi::Metric]) -> abi::Plugin {
    abi::Plugin {
        abi_major: abi::GLOSA_ABI_MAJOR,
        abi_minor: abi::GLOSA_ABI_MINOR,
        name: abi::Str::new(name),
        version: abi::Str::new(version),
        metrics: abi::Array::new(metrics),
    }
}

unsafe extern "C" fn create<M: NativeMetric>() -> *mut c_void {
    match catch_unwind(M::default) {
        Ok(metric) => Box::into_raw(Box::new(metric)).cast(),
        Err(_) => std::ptr::null_mut(),
    }
}

unsafe extern "C" fn destroy<M: NativeMetric>(state: *mut c_void) {
    // SAFETY: the state came from `create::<M>` and is given up once.
    let metric = unsafe { Box::from_raw(state.cast::<M>()) };
    drop(catch_unwind(AssertUnwindSafe(|| drop(metric))));
}

unsafe extern "C" fn run<M: NativeMetric>(
    state: *mut c_void,
    document: *const abi::Document,
    host: *const abi::Host,
) -> u32 {
    // SAFETY: the host lends both for the duration of this call; the state came from `create::<M>`.
    let (doc, host, metric) = unsafe { (Doc::new(document), Host::new(host), state.cast::<M>().as_ref()) };
    let (Some(doc), Some(mut host), Some(metric)) = (doc, host, metric) else {
        return abi::GLOSA_INVALID;
    };
    match catch_unwind(AssertUnwindSafe(|| metric.run(&doc, &mut host))) {
        Ok(Ok(())) => abi::GLOSA_OK,
        Ok(Err(failure)) => {
            if let Some(why) = &failure.why {
                host.fail(why);
            }
            failure.status
        }
        Err(panic) => {
            host.fail(message(panic.as_ref()));
            drop(catch_unwind(AssertUnwindSafe(|| drop(panic))));
            abi::GLOSA_PANICKED
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// Exports a plugin: its one symbol `glosa_plugin_<name>`, and a function `linked` for programs that contain it.
///
/// `name` is an identifier; `metrics` are types that implement [`NativeMetric`].
#[macro_export]
macro_rules! export_plugin {
    (name: $name:ident, metrics: [$($metric:ty),+ $(,)?] $(,)?) => {
        const _: () = {
            #[allow(unsafe_code)]
            #[unsafe(export_name = concat!("glosa_plugin_", stringify!($name)))]
            extern "C" fn entry() -> *const $crate::abi::Plugin {
                linked().raw()
            }
        };

        /// The plugin, for a program that contains it.
        #[allow(unsafe_code)]
        pub fn linked() -> $crate::Linked {
            static METRICS: &[$crate::abi::Metric] = &[$($crate::describe::<$metric>()),+];
            static PLUGIN: $crate::abi::Plugin =
                $crate::plugin(stringify!($name), env!("CARGO_PKG_VERSION"), METRICS);
            // SAFETY: the description is a constant of this program.
            unsafe { $crate::Linked::new(&PLUGIN) }
        }
    };
}
