//! The C ABI of native rules and the safe SDK over it.
