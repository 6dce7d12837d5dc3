//! The document: exact text, code-point spans, layout, sentences, tokens, postings.
