//! What a host is told when it is started.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// Settings of a host; they hold for its whole life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Its own socket: see [`host_socket`].
    pub socket: PathBuf,
    /// How long it stays with no living child and no server.
    pub linger: Duration,
    /// How long a child waits whose ring is full while there is no server.
    pub drain_limit: Duration,
    /// Time between HUP and KILL.
    pub kill_grace: Duration,
    /// How often a minute a server is started again that fails at its start. One that served for a second is always followed.
    pub restart_limit: usize,
}

impl Options {
    /// The usual settings for the host of the server at `server_socket`.
    pub fn new(server_socket: &Path) -> Options {
        Options {
            socket: host_socket(server_socket),
            linger: Duration::from_secs(60),
            drain_limit: Duration::from_secs(10),
            kill_grace: Duration::from_millis(500),
            restart_limit: 8,
        }
    }
}

/// The socket of the host that belongs to the server at `server_socket`: the same with `.host` behind it.
pub fn host_socket(server_socket: &Path) -> PathBuf {
    let mut path = server_socket.as_os_str().to_owned();
    path.push(".host");
    path.into()
}
