//! The plan of a genre: what runs, in linguistic order, with which values.

use std::sync::Arc;

use glosa_metric::{Capability, Glossaries, ParamValues, Variant};

/// The metrics that a genre runs in one language, rules and measurements in linguistic order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<Step>,
    /// Numbers of all phrase tables that the steps read, sorted.
    pub tables: Vec<u32>,
}

impl Plan {
    /// Whether a step requires something of the runtime.
    pub fn needs(&self, capability: Capability) -> bool {
        self.steps.iter().any(|step| step.variant.needs.has(capability))
    }
}

/// One metric of a plan.
#[derive(Clone, Debug)]
pub struct Step {
    /// What runs.
    pub variant: Arc<Variant>,
    /// Effective thresholds.
    pub params: Arc<ParamValues>,
    /// Glossaries that it reads.
    pub glossaries: Arc<Glossaries>,
    /// Rules whose findings win at the same place.
    pub yields_to: Arc<[String]>,
}
