//! Thresholds: declared in a metric's folder, set by genres, read through a recorder.
//!
//! `applied_thresholds` of a report is what each rule read, so a rule never receives a struct of values: it asks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::MetricError;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number, true or false, a word or a list of words")]
pub enum ParamValue {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number with decimals.
    Number(f64),
    /// A word.
    Text(String),
    /// A list of words.
    List(Vec<String>),
}

impl ParamValue {
    /// The name of its type, as metric.yaml writes it.
    pub fn type_name(&self) -> &'static str {
        match self {
            ParamValue::Flag(_) => "flag",
            ParamValue::Integer(_) => "integer",
            ParamValue::Number(_) => "number",
            ParamValue::Text(_) => "text",
            ParamValue::List(_) => "list",
        }
    }
}

/// Values by key.
pub type ParamValues = BTreeMap<String, ParamValue>;

/// The recording reader that one metric gets for one report.
#[derive(Debug)]
pub struct Params {
    values: Arc<ParamValues>,
    read: Mutex<BTreeSet<String>>,
}

impl Params {
    /// A reader over the effective values of a genre.
    pub fn new(values: Arc<ParamValues>) -> Self {
        Params { values, read: Mutex::new(BTreeSet::new()) }
    }

    /// Reads a value of any type.
    pub fn value(&self, key: &str) -> Result<&ParamValue, MetricError> {
        let value = self.values.get(key).ok_or_else(|| MetricError::UnknownParam {
            key: key.to_owned(),
            known: self.values.keys().cloned().collect(),
        })?;
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned());
        Ok(value)
    }

    /// Reads a whole number.
    pub fn integer(&self, key: &str) -> Result<i64, MetricError> {
        match self.value(key)? {
            ParamValue::Integer(n) => Ok(*n),
            other => Err(mismatch(key, other, "integer")),
        }
    }

    /// Reads a number; a whole number is one too.
    pub fn number(&self, key: &str) -> Result<f64, MetricError> {
        match self.value(key)? {
            ParamValue::Integer(n) => Ok(*n as f64),
            ParamValue::Number(n) => Ok(*n),
            other => Err(mismatch(key, other, "number")),
        }
    }

    /// Reads a flag.
    pub fn flag(&self, key: &str) -> Result<bool, MetricError> {
        match self.value(key)? {
            ParamValue::Flag(b) => Ok(*b),
            other => Err(mismatch(key, other, "flag")),
        }
    }

    /// Reads a word.
    pub fn text(&self, key: &str) -> Result<&str, MetricError> {
        match self.value(key)? {
            ParamValue::Text(s) => Ok(s),
            other => Err(mismatch(key, other, "text")),
        }
    }

    /// Reads a list of words.
    pub fn list(&self, key: &str) -> Result<&[String], MetricError> {
        match self.value(key)? {
            ParamValue::List(items) => Ok(items),
            other => Err(mismatch(key, other, "list")),
        }
    }

    /// What was read so far, with its values.
    pub fn applied(&self) -> ParamValues {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.iter().filter_map(|key| Some((key.clone(), self.values.get(key)?.clone()))).collect()
    }
}

fn mismatch(key: &str, found: &ParamValue, wanted: &'static str) -> MetricError {
    MetricError::ParamType { key: key.to_owned(), found: found.type_name(), wanted }
}
