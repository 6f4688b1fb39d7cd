//! From a scene to cells: one frame for a tty client, composed of panes, borders, the status line and overlays.
//!
//! A [`scene::Scene`] says what is to be seen, with every option looked up and every format expanded; nothing here
//! knows sessions, options or formats, and nothing writes to a terminal.

#![warn(missing_docs)]

pub mod border;
pub mod compose;
pub mod overlay;
pub mod pane;
pub mod project;
pub mod run;
pub mod scene;
pub mod status;
#[cfg(test)]
mod tests;

pub use compose::{Seen, compose};
pub use project::Projection;
