//! What the end-to-end tests stand on: a private home, calls with a limit, clients on real ptys and on pipes, and what `/proc` knows.
//! Nothing here knows what a single test is about, and nothing waits for a time instead of a condition.

mod control;
mod home;
mod lines;
pub mod process;
mod pty;
pub mod recorder;
mod stage;
mod tty;
pub mod wait;

pub use control::Control;
pub use home::Home;
pub use lines::{Lines, feeder};
pub use stage::Stage;
pub use tty::{Screen, Tty};
pub use wait::{LIMIT, observe_for, wait_for, wait_some};

/// The root of the tree.
pub fn root() -> std::path::PathBuf {
    // Cargo says it at run time too, where the tree may have been moved after the build.
    std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into()).into()
}

/// Whether the long variants of tests are asked for.
pub fn long() -> bool {
    std::env::var_os("ROVE_LONG").is_some_and(|value| !value.is_empty() && value != "0")
}
