//! Pty bytes in, screen out: parser, grid, history, modes, captures, snapshots and the frame diff.
//!
//! Nothing here reads a clock, a file or an environment variable; the same bytes always give the same screen.

#![warn(missing_docs)]

pub mod caps;
pub mod capture;
pub mod cell;
pub mod colour;
mod dump;
pub mod event;
pub mod frame;
mod grid;
pub mod modes;
pub mod paint;
mod parser;
mod screen;
pub mod settings;
pub mod size;
pub mod snapshot;
pub mod style;
pub mod terminal;
mod text;
pub mod width;

pub use capture::{Capture, LineNumber};
pub use event::{Event, PromptMark};
pub use grid::history::{PAGE_BYTES, PageStore, VecStore};
pub use modes::Modes;
pub use settings::Settings;
pub use snapshot::SnapshotError;
pub use terminal::{Cursor, OwnedRow, Row, Size, Terminal};
