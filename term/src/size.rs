//! The size of a screen in cells.

pub use crate::terminal::Size;
