//! Native family: rules that read whole sentences.
