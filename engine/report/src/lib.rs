//! Plan and text to report: owns every promise of the result contract.
