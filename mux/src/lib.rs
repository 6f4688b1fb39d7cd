//! The model: sessions, windows, panes, layouts, options, formats, commands. One owner, no IO, no clock.

#![warn(missing_docs)]

pub mod environment;
pub mod fnmatch;
pub mod id;
pub mod layout;
pub mod number;
pub mod option;
pub mod strftime;
