//! The model: sessions, windows, panes, layouts, options, formats, commands. One owner, no IO, no clock.

#![warn(missing_docs)]

pub mod id;
pub mod layout;
pub mod number;
