//! What a command must know or have at once: facts of processes, users and files, and the birth of a child.
//!
//! Everything that takes time is an [`crate::Effect`] instead. Tests give a fake.

use crate::format::Local;
use crate::id::PaneId;

/// A program to start in a pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spawn {
    /// The pane's lasting id.
    pub uuid: u128,
    /// Program and arguments; never empty.
    pub argv: Vec<String>,
    /// The zeroth argument when it differs from the program (a login shell's begins with `-`).
    pub argv0: Option<String>,
    /// Whole environment.
    pub environment: Vec<(String, String)>,
    /// Directory.
    pub cwd: String,
    /// Columns and rows.
    pub size: (u16, u16),
    /// Lines of history its screen keeps.
    pub history_limit: u32,
}

/// A program that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spawned {
    /// Its process.
    pub pid: u32,
    /// The path of its terminal.
    pub tty: String,
}

/// The outside, as far as the model sees it directly.
pub trait World {
    /// Start a program; the error is the system's words, such as `fork failed: Resource temporarily unavailable`.
    fn spawn(&mut self, pane: PaneId, spawn: &Spawn) -> Result<Spawned, String>;
    /// End what runs in a pane and let go of its terminal; nothing of the pane itself is forgotten.
    fn stop(&mut self, pane: PaneId);
    /// What runs under one name goes on under another one that nothing runs under.
    fn pass_on(&mut self, _from: PaneId, _to: PaneId) {}
    /// Whether a program that was ended by [`crate::Effect::StopPane`] is still on its way out.
    fn is_parting(&self, _pane: PaneId) -> bool {
        false
    }
    /// Where the pane's closed history pages shall live; taken once, after its spawn.
    fn page_store(&mut self, pane: PaneId) -> Option<Box<dyn term::PageStore>>;
    /// Name of the program in the foreground of a pane, `None` when it can't be told.
    fn foreground_command(&self, pane: PaneId) -> Option<String>;
    /// Whether the process that a pane was started with is itself in the foreground: a shell at its prompt. `None` when
    /// it can't be told.
    fn is_at_shell(&self, pane: PaneId) -> Option<bool>;
    /// Directory of the program in the foreground of a pane.
    fn foreground_path(&self, pane: PaneId) -> Option<String>;
    /// True for a directory that exists.
    fn is_directory(&self, path: &str) -> bool;
    /// A whole file; the error is the system's words.
    fn read_file(&self, path: &str) -> Result<Vec<u8>, String>;
    /// Replace a file's content, or append to it; the error is the system's words.
    fn write_file(&mut self, path: &str, data: &[u8], append: bool) -> Result<(), String>;
    /// Take a file away, if it is there.
    fn remove_file(&mut self, path: &str);
    /// Paths that match a glob pattern, sorted.
    fn glob(&self, pattern: &str) -> Vec<String>;
    /// The home directory of a user, or of the server's own.
    fn home(&self, user: Option<&str>) -> Option<String>;
    /// The name of a user id.
    fn user_name(&self, uid: u32) -> Option<String>;
    /// The number of a user.
    fn user_id(&self, name: &str) -> Option<u32>;
    /// The name of a group.
    fn group_name(&self, gid: u32) -> Option<String>;
    /// The number of a group.
    fn group_id(&self, name: &str) -> Option<u32>;
    /// The host's name.
    fn host_name(&self) -> String;
    /// Broken-down local time of seconds since the epoch.
    fn local(&self, unix: i64) -> Local;
    /// True for a file that can be executed.
    fn is_program(&self, path: &str) -> bool;
    /// A path with its symbolic links resolved; `None` when it does not exist.
    fn real_path(&self, path: &str) -> Option<String>;
    /// Give a file another name; the error is the system's words.
    fn rename_file(&mut self, from: &str, to: &str) -> Result<(), String>;
    /// A new random id.
    fn random(&mut self) -> u128;
    /// The answer to an engine's probe about a pane; `None` when it can't be had.
    fn probe(&self, pane: PaneId, probe: &agents::Probe) -> Option<agents::Answer>;
}
