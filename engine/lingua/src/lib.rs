//! The linguistic runtime: text and language to an analysed document.
