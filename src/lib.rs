//! The program: command line, server loop, client.

#![warn(missing_docs)]

pub mod tty;
