//! The HTTP service: /v1, events, worker loop.
