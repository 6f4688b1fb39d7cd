//! The model: sessions, windows, panes, layouts, options, formats, commands. One owner, no IO, no clock.

#![warn(missing_docs)]

pub mod command;
pub mod format;
pub mod style;
