//! Black-box HTTP tests on both databases.
