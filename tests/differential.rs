//! The engine against others: recorded streams against what tmux 3.7c showed of them, random ones against termwiz's
//! parser and wezterm's screen.
//!
//! Differences that are meant stand in tables with their reasons. A row of a table that no longer differs fails too.
#![allow(clippy::unwrap_used, reason = "all of it is test")]

mod expect;
mod oracle;
mod ours;
mod random;
mod recorded;
