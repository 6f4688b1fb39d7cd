//! The host as real processes.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod adopt;
mod end;
mod fake;
mod hostile;
mod spawn;
mod support;
