//! The program: command line, server loop, client.

#![warn(missing_docs)]

pub mod begin;
pub mod cli;
pub mod client;
pub mod conversations;
pub mod demo;
pub mod engines;
pub mod kept;
pub mod os;
pub mod protocol;
pub mod server;
mod tty;
