//! What host and server say to each other. No IO: frames to bytes and back, and the bounds of both.
//!
//! A frame is a length (u32, little endian) and as many bytes, a postcard value. The first frame each way is a hello in a
//! fixed form that every version can read: [`MAGIC`], the version, and words for a person. File descriptors travel
//! with SCM_RIGHTS, with or before the frame that says it has them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Version of this protocol.
pub const VERSION: u32 = 1;
/// The longest frame.
pub const FRAME_LIMIT: usize = 1024 * 1024;
/// The longest hello.
pub(crate) const HELLO_LIMIT: usize = 4096;
/// The most bytes of metadata a pane may have.
pub const METADATA_LIMIT: usize = 64 * 1024;
pub(crate) const MAGIC: &[u8; 8] = b"rovehost";

/// A pane's id, the number of its uuid.
pub type PaneUuid = u128;

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// It exited with this status.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

/// Size of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Width in pixels, 0 when not known.
    pub pixel_width: u16,
    /// Height in pixels, 0 when not known.
    pub pixel_height: u16,
}

/// What to run in a new pane. Strings are bytes, as the kernel has them; none may hold a NUL.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Command {
    /// Path of the program; without a slash it is looked for in `PATH` of `env`.
    pub program: Vec<u8>,
    /// `argv[0]` (`-bash` for a login shell); `None` is the program as given.
    pub argv0: Option<Vec<u8>>,
    /// The arguments after `argv[0]`.
    pub args: Vec<Vec<u8>>,
    /// The whole environment.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Working directory; when it can't be entered, `HOME` of `env`, then `/`.
    pub cwd: Vec<u8>,
}

/// A new pane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawn {
    /// Its id; refused when it is in use.
    pub id: PaneUuid,
    /// What runs in it.
    pub command: Command,
    /// Size of its terminal.
    pub size: Size,
    /// Control characters (`c_cc` of termios, in its order) to set, as many as there are; usually the first client's.
    pub control_chars: Vec<u8>,
    /// The erase character (`VERASE`), from the option `backspace`.
    pub erase: Option<u8>,
    /// Whatever the server wants to find again at an adoption; at most [`METADATA_LIMIT`] bytes.
    pub metadata: Vec<u8>,
}

/// How a server leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goodbye {
    /// Another takes over. `start`: the host starts it, from the command last recorded; else it comes by itself (and
    /// when it has not after 5 s, the host starts it all the same).
    Handover {
        /// Whether the host starts it.
        start: bool,
    },
    /// End all children (HUP, grace, KILL), then exit.
    Teardown,
    /// Leave for good: the host exits at once when it has no living child, else when the last one ended, or a new
    /// server comes.
    Leave,
}

/// From server to host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Give me everything.
    Adopt,
    /// Keep this listening socket (one fd).
    Listener,
    /// Start this when a server ends unasked.
    Record(Command),
    Spawn(Spawn),
    Metadata {
        id: PaneUuid,
        bytes: Vec<u8>,
    },
    Signal {
        id: PaneUuid,
        signal: i32,
        group: bool,
    },
    Kill {
        id: PaneUuid,
    },
    Forget {
        id: PaneUuid,
    },
    Goodbye(Goodbye),
}

/// From host to server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// After the hello: the state memory (one fd).
    State,
    /// The listening socket (one fd).
    Listener,
    /// A pane (two fds: master, memory).
    Pane(PaneRecord),
    /// That was everything.
    Adopted,
    /// A new pane (two fds: master, memory).
    Spawned(PaneRecord),
    /// There is no new pane, and why.
    Failed(SpawnError),
    Exited {
        id: PaneUuid,
        exit: Exit,
    },
}

/// Why there is no new pane. The texts are tmux's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum SpawnError {
    /// No terminal or no process could be made: limits of the system.
    #[error("fork failed: {0}")]
    Fork(String),
    /// The program could not be run. tmux shows a pane that exits with status 1 at once.
    #[error("{program}: {reason}")]
    Exec {
        /// As it was asked for.
        program: String,
        /// The system's words.
        reason: String,
    },
    /// The request itself is not possible.
    #[error("{0}")]
    Refused(String),
}

/// What the host knows of a pane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PaneRecord {
    pub(crate) id: PaneUuid,
    pub(crate) pid: i32,
    pub(crate) tty: String,
    pub(crate) metadata: Vec<u8>,
    pub(crate) exited: Option<Exit>,
}

impl Request {
    /// How many fds come with it.
    pub(crate) fn fds(&self) -> usize {
        usize::from(matches!(self, Request::Listener))
    }
}

impl Answer {
    /// How many fds come with it.
    pub(crate) fn fds(&self) -> usize {
        match self {
            Answer::State | Answer::Listener => 1,
            Answer::Pane(_) | Answer::Spawned(_) => 2,
            Answer::Adopted | Answer::Failed(_) | Answer::Exited { .. } => 0,
        }
    }
}

/// Why bytes from the other end are not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// A length above the bound.
    #[error("frame of {0} bytes is too long")]
    TooLong(usize),
    /// Not a value of ours.
    #[error("frame not understood")]
    Garbage,
    /// Not our protocol at all.
    #[error("not a host or server of rove")]
    NotOurs,
    /// Another version of it.
    #[error("protocol version mismatch (host {host}, server {server})")]
    Version {
        /// The host's.
        host: u32,
        /// The server's.
        server: u32,
    },
    /// More or fewer file descriptors than the frames say.
    #[error("file descriptors do not match the frames")]
    Descriptors,
}

/// The frame of a value. `None` when it is longer than [`FRAME_LIMIT`].
pub(crate) fn frame(value: &impl Serialize) -> Option<Vec<u8>> {
    let bytes = postcard::to_extend(value, vec![0; 4]).ok()?;
    finish_frame(bytes)
}

/// The frame of a hello.
pub(crate) fn hello_frame(version: u32, words: &str) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend(words.bytes().take(HELLO_LIMIT - MAGIC.len() - 4));
    finish_frame(bytes).expect("a hello is shorter than the limit")
}

/// Version and words of a hello.
pub(crate) fn read_hello(payload: &[u8]) -> Result<(u32, String), ProtocolError> {
    let rest = payload.strip_prefix(MAGIC.as_slice()).ok_or(ProtocolError::NotOurs)?;
    let (version, words) = rest.split_first_chunk::<4>().ok_or(ProtocolError::NotOurs)?;
    Ok((u32::from_le_bytes(*version), String::from_utf8_lossy(words).into_owned()))
}

/// The value of a frame's payload; all of it has to be used.
pub(crate) fn read_value<T: DeserializeOwned>(payload: &[u8]) -> Result<T, ProtocolError> {
    match postcard::take_from_bytes(payload) {
        Ok((value, [])) => Ok(value),
        _ => Err(ProtocolError::Garbage),
    }
}

/// Length of the first frame's payload in `bytes`, when the length is there. `limit` bounds it.
pub(crate) fn frame_length(bytes: &[u8], limit: usize) -> Result<Option<usize>, ProtocolError> {
    let Some(length) = bytes.first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_le_bytes(*length) as usize;
    if length > limit { Err(ProtocolError::TooLong(length)) } else { Ok(Some(length)) }
}

fn finish_frame(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let length = bytes.len() - 4;
    bytes[..4].copy_from_slice(&(length as u32).to_le_bytes());
    (length <= FRAME_LIMIT).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read_hello(&bytes);
            let _ = frame_length(&bytes, FRAME_LIMIT);
            if let Ok(request) = read_value::<Request>(&bytes) {
                let framed = frame(&request).unwrap();
                prop_assert_eq!(read_value::<Request>(&framed[4..]).unwrap(), request);
            }
            let _ = read_value::<Answer>(&bytes);
        }
    }

    #[test]
    fn too_long_a_frame_is_neither_made_nor_taken() {
        let request = Request::Metadata { id: 1, bytes: vec![0; FRAME_LIMIT] };
        assert_eq!(frame(&request), None);
        assert_eq!(frame_length(&(1u32 << 31).to_le_bytes(), FRAME_LIMIT), Err(ProtocolError::TooLong(1 << 31)));
        assert_eq!(frame_length(&[1, 0, 0], FRAME_LIMIT), Ok(None));
    }
}
