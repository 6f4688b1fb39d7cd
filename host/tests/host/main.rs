//! The host as real processes.

#![allow(clippy::disallowed_methods)]

mod adopt;
mod fake;
mod spawn;
mod support;
