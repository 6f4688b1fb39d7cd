//! All integration tests, in one binary: the real program on real terminals, and what must hold of the tree.
//!
//! One test: `cargo test --test run e2e::attach::a_typed_line_is_echoed`. Long variants run with `ROVE_LONG=1`.

// Tests touch the world, wait on its clock, and fail by panicking.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod claims;
mod differential;
mod docs;
mod e2e;
mod effects;
mod harness;
mod login_shell;
mod manual;
mod parity;
mod real_engines;
mod tidy;
mod transcripts;
