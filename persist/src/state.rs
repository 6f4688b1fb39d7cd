//! The whole durable model as plain data: what a new server needs to have the same one.
//!
//! It lives in memory that the host keeps, never on disk, so it may hold every variable of the environment. Versioned
//! as the records of [`crate::record`] are.

use crate::over::OverRecord;
use crate::record::{BufferRecord, RecordError, read};
use mux::Exit;
use mux::access::Access;
use mux::adopt::{Inner, KeyChange};
use mux::environment::Environment;
use mux::heard::Heard;
use mux::option::OptionValue;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version that is written.
pub const VERSION: u16 = 4;

/// The version that had not what was heard of hooks and shells.
const UNHEARD: u16 = 3;

/// The version that had no floating panes, and nobody let in besides the owner either.
const OLDER: u16 = 2;

/// What it is called in messages.
const NAME: &str = "state";

/// Bytes of one paste buffer that are kept at most.
pub const BUFFER_MAX: usize = 1 << 20;

/// Bytes of all paste buffers that are kept at most, the newest first.
pub const BUFFERS_MAX: usize = 8 << 20;

/// The greatest number of an id that is believed: beyond it counting on would overflow some day.
pub const ID_MAX: u32 = u32::MAX / 2;

/// Options of one owner.
pub type Options = Vec<(String, OptionValue)>;

/// What configuration files, or the start itself, gave: not a change that has to be kept on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// Changed options of the server, of sessions and of windows.
    pub options: [Options; 3],
    /// Changes of the key tables.
    pub keys: Vec<KeyChange>,
}

/// The model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The next ids of sessions, windows and panes.
    pub next: (u32, u32, u32),
    /// The marked pane.
    pub marked: Option<u32>,
    /// Changed options of the server, of sessions and of windows.
    pub options: [Options; 3],
    /// The global environment.
    pub environment: Environment,
    /// Changes of the key tables.
    pub keys: Vec<KeyChange>,
    /// Paste buffers, oldest first.
    pub buffers: Vec<BufferRecord>,
    /// The number of the next automatic buffer.
    pub next_buffer: u32,
    /// What lies behind the model's fields.
    pub inner: Inner,
    /// Configuration files that were read, and problems in them that nobody has seen yet.
    pub config: (Vec<String>, Vec<String>),
    /// What the configuration gave.
    pub baseline: Baseline,
    /// Panes.
    pub panes: Vec<PaneState>,
    /// Windows.
    pub windows: Vec<WindowState>,
    /// Sessions.
    pub sessions: Vec<SessionState>,
    /// Who is let in besides the owner; encoded behind the rest.
    #[serde(skip)]
    pub access: Access,
    /// What was heard of hooks and shells; encoded behind that.
    #[serde(skip)]
    pub heard: Heard,
    /// What is particular about panes that float; the last field, as version 2 ends before it.
    pub over: Vec<OverRecord>,
}

/// A pane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PaneState {
    /// The number of its id.
    pub id: u32,
    /// Its lasting id.
    pub uuid: u128,
    /// The number of its window's id.
    pub window: u32,
    /// Its program when this was written.
    pub program: ProgramState,
    /// The program's process.
    pub pid: u32,
    /// The path of its terminal.
    pub tty: String,
    /// The directory it was started in.
    pub cwd: String,
    /// The command it was started with.
    pub argv: Vec<String>,
    /// The shell.
    pub shell: String,
    /// Its title.
    pub title: String,
    /// Its options.
    pub options: Options,
    /// Keys typed do not reach it.
    pub input_off: bool,
    /// The agent that was launched in it.
    pub agent: Option<mux::adopt::AgentRecord>,
    /// That agent ran.
    pub agent_runs: bool,
    /// When it was active, as a count.
    pub used: u64,
    /// Columns and rows.
    pub size: (u16, u16),
    /// Most rows of its history.
    pub history_limit: u32,
}

/// A pane's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProgramState {
    /// It ran.
    Running,
    /// It ended, and the pane stays.
    Dead(Exit, Duration),
    /// It was to be started again at an attach.
    Frozen,
    /// There never was one.
    None,
}

/// A window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WindowState {
    /// The number of its id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its layout as `#{window_layout}` prints it, unzoomed.
    pub layout: String,
    /// Columns and rows.
    pub size: (u32, u32),
    /// Numbers of its panes, in order.
    pub panes: Vec<u32>,
    /// The preset chosen last.
    pub preset: Option<String>,
    /// The layout before the last choice.
    pub old_layout: Option<String>,
    /// True while the active pane fills it.
    pub zoomed: bool,
    /// The number of its active pane.
    pub active: u32,
    /// Panes active before, the newest last.
    pub last: Vec<u32>,
    /// The size it was given by hand.
    pub manual_size: Option<(u32, u32)>,
    /// Its options.
    pub options: Options,
    /// When it was created.
    pub created: Duration,
    /// When a pane of it last wrote.
    pub activity: Duration,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionState {
    /// The number of its id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created: Duration,
    /// When it was last used.
    pub activity: Duration,
    /// When a client was last attached.
    pub last_attached: Option<Duration>,
    /// Directory of new windows.
    pub cwd: String,
    /// Its windows by index, each with its alerts: bell, activity, silence.
    pub windows: Vec<(i32, u32, [bool; 3])>,
    /// Index of the current window.
    pub current: i32,
    /// Indexes that were current before, the newest last.
    pub last: Vec<i32>,
    /// Its options.
    pub options: Options,
    /// Its environment.
    pub environment: Environment,
    /// It waits for an attach to be started.
    pub frozen: bool,
    /// The group whose windows it shares.
    pub group: Option<String>,
}

impl State {
    /// The bytes to keep.
    pub fn encode(&self) -> Vec<u8> {
        let start = VERSION.to_le_bytes().to_vec();
        postcard::to_extend(&(self, &self.access, &self.heard), start)
            .expect("plain data always has an encoding, and a vector always has room")
    }

    /// The model of kept bytes.
    ///
    /// # Errors
    /// Of a newer version, or not what the version promises.
    pub fn decode(bytes: &[u8]) -> Result<State, RecordError> {
        let Some((version, rest)) = bytes.split_first_chunk::<2>() else {
            return Err(RecordError::Content { name: NAME });
        };
        match u16::from_le_bytes(*version) {
            VERSION => {
                read(NAME, rest).map(|(state, access, heard): (State, Access, Heard)| State { access, heard, ..state })
            }
            UNHEARD => read(NAME, rest).map(|(state, access): (State, Access)| State { access, ..state }),
            OLDER => read(NAME, &[rest, &[0]].concat()),
            found if found > VERSION => Err(RecordError::Newer { name: NAME, found, newest: VERSION }),
            found => Err(RecordError::Version { name: NAME, found }),
        }
    }
}
