//! The pty host: parent of every child, keeper of every pty and of every pane's memory; and the server's half of its
//! protocol ([`Client`]).
//!
//! [`start`] forks the host off a server. The host spawns children on request and passes their ptys and memories to
//! the server, which reads them directly. When the server ends unasked the host starts another, and meanwhile reads the
//! ptys itself. It knows nothing of screens, keys or sessions, parses nothing a child writes, and depends on no other
//! crate of ours.

#![warn(missing_docs)]
// This crate is one of the places that touch the world: processes, descriptors, time.
#![allow(clippy::disallowed_methods)]

mod child;
mod client;
mod doubled;
mod journal;
mod map;
mod memory;
mod options;
mod orphans;
mod pages;
mod panes;
mod path;
mod peer;
mod protocol;
mod register;
mod requests;
mod restart;
mod serve;
mod session;
mod spawn;
mod start;
mod state;
mod wire;

pub use client::{Adopted, Adoption, Client, HostError, Notice, Spawned};
pub use journal::{Journal, READ_LIMIT, RING, Since};
pub use memory::{CHECKPOINT_LIMIT, Checkpoint, MARKS, Mark, PaneMemory};
pub use options::{Options, host_socket};
pub use orphans::Orphans;
pub use pages::{PAGE_LIMIT, Pages};
pub use protocol::{
    Command, Exit, FRAME_LIMIT, Goodbye, METADATA_LIMIT, PaneUuid, ProtocolError, Size, Spawn, SpawnError, VERSION,
};
pub use session::continue_stopped;
pub use start::{is_started, start};
pub use state::{STATE_LIMIT, StateMemory};
