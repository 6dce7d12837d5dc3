//! Figures in scripts: `figure(text)` and what it says.

use glosa_text::{Figure as Read, Separator};
use rhai::{Dynamic, Engine, EvalAltResult, INT, ImmutableString};

/// A figure that a script holds.
#[derive(Clone)]
pub(crate) struct Figure {
    whole: ImmutableString,
    decimals: ImmutableString,
    unit: ImmutableString,
    grouping: Option<Separator>,
    decimal: Option<Separator>,
    ambiguous: bool,
}

fn figure(text: &str) -> Dynamic {
    let Some(read) = Read::read(text) else { return Dynamic::UNIT };
    Dynamic::from(Figure {
        whole: read.whole.into(),
        decimals: read.decimals.into(),
        unit: read.unit.into(),
        grouping: read.grouping,
        decimal: read.decimal,
        ambiguous: read.ambiguous,
    })
}

fn named(separator: Option<Separator>) -> ImmutableString {
    separator.map_or("", Separator::name).into()
}

fn separator(name: &str) -> Result<Separator, Box<EvalAltResult>> {
    Separator::named(name)
        .ok_or_else(|| format!("`{name}` separates nothing; write space, point, comma or apostrophe").into())
}

impl Figure {
    fn written(&self, grouping: &str, decimal: &str, from: INT) -> Result<ImmutableString, Box<EvalAltResult>> {
        let read = Read {
            whole: self.whole.to_string(),
            grouping: self.grouping,
            decimals: &self.decimals,
            decimal: self.decimal,
            ambiguous: self.ambiguous,
            unit: &self.unit,
        };
        let from = usize::try_from(from).unwrap_or(0);
        Ok(read.written(separator(grouping)?, separator(decimal)?, from).into())
    }
}

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Figure>("Figure")
        .register_fn("figure", figure)
        .register_get("whole", |f: &mut Figure| f.whole.clone())
        .register_get("decimals", |f: &mut Figure| f.decimals.clone())
        .register_get("unit", |f: &mut Figure| f.unit.clone())
        .register_get("grouping", |f: &mut Figure| named(f.grouping))
        .register_get("decimal", |f: &mut Figure| named(f.decimal))
        .register_get("ambiguous", |f: &mut Figure| f.ambiguous)
        .register_fn("written", |f: &mut Figure, grouping: &str, decimal: &str, from: INT| {
            f.written(grouping, decimal, from)
        });
}
