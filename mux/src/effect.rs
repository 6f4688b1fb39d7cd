//! What the model wants done outside. Variants are kinds of IO; a feature never adds one.

use crate::id::{ClientId, JobId, PaneId};

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Write to a pane's program.
    WritePane(PaneId, Vec<u8>),
    /// Tell a pane's program its size in columns and rows.
    ResizePane(PaneId, (u16, u16)),
    /// End a pane's program (HUP, a grace, KILL) and let its pty and memory go.
    ClosePane(PaneId),
    /// End a pane's program the same way, but nothing of the pane is forgotten.
    StopPane(PaneId),
    /// The pane's screen was changed by something that its program did not write.
    MarkPane(PaneId, Mark),
    /// Run a shell command.
    RunJob(Job),
    /// End a job.
    KillJob(JobId),
    /// Write to a job's standard input; empty closes it.
    WriteJob(JobId, Vec<u8>),
    /// Write text to a client's standard output.
    Stdout(ClientId, Vec<u8>),
    /// Write text to a client's standard error.
    Stderr(ClientId, Vec<u8>),
    /// Read the client's standard input to its end.
    ReadStdin(ClientId),
    /// Bytes for the client's terminal besides what is drawn there (bell, clipboard, passthrough).
    Terminal(ClientId, Vec<u8>),
    /// The client is done.
    EndClient(ClientId, Farewell),
    /// The client's process shall stop itself (suspend).
    SuspendClient(ClientId),
    /// The client runs a command in place of the screen (lock-command).
    ExecClient(ClientId, String),
    /// The records of what this names are stale.
    Persist(Stale),
    /// The server ends.
    Exit(End),
}

/// What changed a pane's screen besides its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It was resized to columns and rows.
    Resized(u16, u16),
    /// Its history was cleared.
    HistoryCleared,
    /// It is another screen altogether: what the program wrote before no longer leads to it.
    Replaced,
}

/// A shell command to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id, for what comes back.
    pub id: JobId,
    /// Shell and command; a single element is run by the shell given in `shell`.
    pub command: String,
    /// The shell.
    pub shell: String,
    /// Directory.
    pub cwd: String,
    /// Whole environment.
    pub environment: Vec<(String, String)>,
    /// True when its standard input stays open for [`Effect::WriteJob`].
    pub input: bool,
    /// True when its output is wanted.
    pub output: bool,
    /// True when what it writes to its standard error is output too.
    pub errors: bool,
}

/// How a client leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Farewell {
    /// A one-shot command is done; its exit status.
    Done(i32),
    /// Detached; what is printed, such as `detached (from session 0)`.
    Detached(String),
    /// Detached, and the parent process is to be hung up (`detach-client -P`).
    DetachedKill(String),
    /// Detached to run this shell command (`detach-client -E`).
    Exec(String),
    /// Its session is gone; what is printed, such as `exited`.
    Exited(String),
    /// A control client's reason after `%exit`, and its status.
    Control(Option<String>, i32),
}

/// What a stale record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stale {
    /// A pane was closed on purpose: its records go for good.
    PaneForgotten(u128),
}

/// Why the server ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// On purpose (`kill-server`): nothing is kept.
    Forget,
    /// There is no session left. What was forgotten is forgotten already; what could not be read is left alone.
    Empty,
    /// Stopped (`rove stop`, SIGTERM): everything is frozen first.
    Freeze,
    /// Handed over to a newer server.
    HandOver,
}
