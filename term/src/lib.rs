//! Pty bytes in, screen out: parser, grid, history, modes, captures, snapshots and the frame diff.
//!
//! Nothing here reads a clock, a file or an environment variable; the same bytes always give the same screen.

#![warn(missing_docs)]

pub mod caps;
pub mod cell;
pub mod frame;
pub mod paint;
pub mod size;
pub mod style;
