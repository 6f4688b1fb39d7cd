//! What reaches the model from outside. Variants are kinds of IO; a feature never adds one.

use crate::id::{ClientId, JobId, PaneId};
use std::time::{Duration, Instant};

/// The time of one turn: the monotonic clock for timers, the wall clock for what users see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Monotonic.
    pub instant: Instant,
    /// Since the Unix epoch.
    pub unix: Duration,
}

impl Now {
    /// Whole seconds since the Unix epoch.
    pub fn seconds(&self) -> i64 {
        self.unix.as_secs() as i64
    }
}

/// How a client speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// One command, its output on stdout; it may become a terminal client by attaching.
    Command,
    /// Control mode, `-C`.
    Control,
    /// Control mode on a terminal, `-CC`.
    ControlTerminal,
}

/// What a client says of itself when it connects.
#[derive(Clone, Debug)]
pub struct Hello {
    /// How it speaks.
    pub manner: Manner,
    /// Its process.
    pub pid: u32,
    /// The user it runs as.
    pub uid: u32,
    /// The group it runs as.
    pub gid: u32,
    /// The path of its terminal, empty without one.
    pub tty: String,
    /// `$TERM`.
    pub term: String,
    /// Names of terminal features it claims (`-T`), and what its environment tells (`RGB`).
    pub features: Vec<String>,
    /// True when it shows UTF-8.
    pub utf8: bool,
    /// Columns and rows of its terminal, when it has one.
    pub size: Option<(u16, u16)>,
    /// Working directory.
    pub cwd: String,
    /// Environment, in order.
    pub environment: Vec<(String, String)>,
    /// The command line, empty for the default command.
    pub argv: Vec<String>,
    /// True when it was called as rove: chooses the wording and the default command.
    pub rove: bool,
    /// True when only reading is allowed for this user (`server-access -r`).
    pub read_only: bool,
}

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Exit {
    /// It exited with this status.
    Status(i32),
    /// This signal ended it.
    Signal(i32),
}

/// Something that happened outside.
#[derive(Debug)]
pub enum Input<'a> {
    /// A client connected and said who it is.
    ClientConnected(ClientId, Box<Hello>),
    /// Keys from a client's terminal.
    ClientBytes(ClientId, &'a [u8]),
    /// A line from a control client, without its line feed.
    ClientLine(ClientId, &'a [u8]),
    /// A client's terminal has a new size in columns and rows.
    ClientResized(ClientId, (u16, u16)),
    /// A client came back from a suspension or from a command it ran in place of the screen.
    ClientResumed(ClientId),
    /// A client's connection is gone.
    ClientGone(ClientId),
    /// A pane's program wrote.
    PaneOutput(PaneId, &'a [u8]),
    /// A pane's program ended.
    PaneExited(PaneId, Exit),
    /// A job wrote; it may write more.
    JobOutput(JobId, &'a [u8]),
    /// A job ended.
    JobDone(JobId, Exit),
    /// Bytes of the client's standard input, asked for by `Effect::ReadStdin`; `None` at its end.
    ClientInput(ClientId, Option<&'a [u8]>),
    /// A deadline may have passed.
    Tick,
}
