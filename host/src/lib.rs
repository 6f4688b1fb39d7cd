//! The pty host: parent of every child, keeper of every pty and of every pane's memory.

#![warn(missing_docs)]
