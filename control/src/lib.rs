//! From model to text: control mode's framing, blocks, notifications and pacing (tmux(1), CONTROL MODE).
//!
//! A [`Session`] is one control client's half of the conversation. It is told of events and pane output and gives the
//! bytes to be written. It does no IO, and what it holds is bounded.

#![warn(missing_docs)]

mod notify;
mod session;
#[cfg(test)]
mod tests;
pub mod wire;

pub use session::{OUTPUT_HIGH, Session};
