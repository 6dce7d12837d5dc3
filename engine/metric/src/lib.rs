//! The contract of a measurement or rule, YAML patterns, phrase tables, registry.
