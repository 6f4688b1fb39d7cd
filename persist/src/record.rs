//! What is kept of a pane, a window, a session and the server: plain data with a version in front.
//!
//! A record is two bytes of version and its postcard encoding. To add a field, keep the present struct as the old
//! version's, raise [`Record::VERSION`] and convert in [`Record::from_older`]: a newer program reads the older file,
//! an older one refuses the newer with words. Nothing here knows the model; its side converts.

use crate::key::Kind;
use crate::over::OverRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use term::Terminal;

/// Longest encoded record, in bytes.
pub const RECORD_MAX: usize = 2 << 20;

/// Bytes of paste buffers that a [`ServerRecord`] holds at most.
pub const BUFFERS_MAX: usize = 1 << 20;

/// Why a record can't be used. `Display` gives words that follow the file's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// From a newer program.
    #[error("was written by a newer rove ({name} version {found}, this one reads up to {newest})")]
    Newer {
        /// What kind of record.
        name: &'static str,
        /// The version it has.
        found: u16,
        /// The newest version that can be read.
        newest: u16,
    },
    /// Of a version that never was.
    #[error("has an unknown {name} version {found}")]
    Version {
        /// What kind of record.
        name: &'static str,
        /// The version it has.
        found: u16,
    },
    /// Not what the version promises.
    #[error("holds no readable {name}")]
    Content {
        /// What kind of record.
        name: &'static str,
    },
    /// Beyond [`RECORD_MAX`].
    #[error("holds too large a {name} ({bytes} bytes)")]
    TooLarge {
        /// What kind of record.
        name: &'static str,
        /// Its length.
        bytes: usize,
    },
}

/// A versioned record.
pub trait Record: Serialize + DeserializeOwned {
    /// The version that is written.
    const VERSION: u16;
    /// What it is called in messages.
    const NAME: &'static str;

    /// A record of an older `version` from its postcard bytes.
    fn from_older(version: u16, _bytes: &[u8]) -> Result<Self, RecordError> {
        Err(RecordError::Version { name: Self::NAME, found: version })
    }

    /// The bytes to save.
    fn encode(&self) -> Result<Vec<u8>, RecordError> {
        let start = Self::VERSION.to_le_bytes().to_vec();
        let bytes = postcard::to_extend(self, start).map_err(|_| RecordError::Content { name: Self::NAME })?;
        if bytes.len() > RECORD_MAX {
            return Err(RecordError::TooLarge { name: Self::NAME, bytes: bytes.len() });
        }
        Ok(bytes)
    }

    /// The record of saved bytes.
    fn decode(bytes: &[u8]) -> Result<Self, RecordError> {
        let name = Self::NAME;
        if bytes.len() > RECORD_MAX {
            return Err(RecordError::TooLarge { name, bytes: bytes.len() });
        }
        let Some((version, rest)) = bytes.split_first_chunk::<2>() else {
            return Err(RecordError::Content { name });
        };
        match u16::from_le_bytes(*version) {
            found if found > Self::VERSION => Err(RecordError::Newer { name, found, newest: Self::VERSION }),
            found if found < Self::VERSION => Self::from_older(found, rest),
            _ => read(name, rest),
        }
    }
}

/// Whether the payload of a saved file makes sense to this version; the words follow the file's name. For
/// [`crate::Store::checked`].
pub fn check(kind: Kind, payload: &[u8]) -> Result<(), String> {
    let words = |error: RecordError| error.to_string();
    match kind {
        Kind::Pane => PaneRecord::decode(payload).map(drop).map_err(words),
        Kind::Session => SessionRecord::decode(payload).map(drop).map_err(words),
        Kind::Server => ServerRecord::decode(payload).map(drop).map_err(words),
        Kind::Screen => Terminal::check_snapshot(payload).map_err(|error| error.to_string()),
        Kind::Home => Ok(()),
    }
}

/// Postcard bytes as a value, all of them; for [`Record::from_older`] too.
pub fn read<T: DeserializeOwned>(name: &'static str, bytes: &[u8]) -> Result<T, RecordError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(RecordError::Content { name }),
    }
}

/// An option set away from its default: name and value as `show-options` prints it, unquoted. Of an array first the
/// empty whole, then each item as `name[index]`. Hooks are options too.
pub type OptionSetting = (String, String);

/// A pane: what to start, where, and whose it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaneRecord {
    /// The pane's own name for ever.
    pub uuid: String,
    /// The number of `%number`.
    pub number: u32,
    /// The window it stands in, by uuid.
    pub window: String,
    /// The pane's title.
    pub title: String,
    /// The directory its program last was in.
    pub cwd: String,
    /// The program and its arguments; empty means the login shell alone.
    pub command: Vec<String>,
    /// The shell that runs, or ran, the command.
    pub shell: String,
    /// True when the shell is started as a login shell.
    pub login: bool,
    /// Columns and rows.
    pub size: (u16, u16),
    /// What the side of the agents wants kept of it, in its own encoding.
    pub agent: Option<String>,
    /// Most rows of its history.
    pub history_limit: u32,
    /// Keys typed do not reach it.
    pub input_off: bool,
    /// How its program ended, when it has and the pane stays.
    pub dead: Option<DeadRecord>,
    /// True for a pane that never had a program.
    pub empty: bool,
    /// Options of the pane.
    pub options: Vec<OptionSetting>,
}

/// How the program of a pane that stays ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadRecord {
    /// Its exit code, when it exited.
    pub code: Option<i32>,
    /// The signal, when one ended it.
    pub signal: Option<i32>,
    /// When, in seconds of Unix time.
    pub time_s: u64,
}

/// A window: its panes and how they lie.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowRecord {
    /// The window's own name for ever: the same window in two sessions has one.
    pub uuid: String,
    /// The number of `@id`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The layout as `#{window_layout}` prints it, unzoomed.
    pub layout: String,
    /// The preset layout that was chosen last.
    pub preset: Option<String>,
    /// Panes by uuid, in order.
    pub panes: Vec<String>,
    /// The numbers of those panes, by which the layout names them.
    pub numbers: Vec<u32>,
    /// The active pane's place in `panes`.
    pub active: u32,
    /// Places in `panes` of those that were active before, newest first.
    pub last: Vec<u32>,
    /// True while the active pane fills the window.
    pub zoomed: bool,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The size it was given by hand.
    pub manual_size: Option<(u16, u16)>,
    /// When it was made, in seconds of Unix time.
    pub created_s: u64,
    /// Options of the window.
    pub options: Vec<OptionSetting>,
}

/// A window's place in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// Its index.
    pub index: i32,
    /// The window.
    pub window: WindowRecord,
}

/// A session and its windows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// The number of `$id`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// When it was made, in seconds of Unix time.
    pub created_s: u64,
    /// When it was last attached, in seconds of Unix time; 0 for never.
    pub attached_s: u64,
    /// Windows in order of their indexes.
    pub windows: Vec<LinkRecord>,
    /// Index of the current window.
    pub current: i32,
    /// Indexes of the windows that were current before, newest first.
    pub last: Vec<i32>,
    /// Directory of new windows.
    pub cwd: String,
    /// Variables of the allow-list that the session sets.
    pub environment: Vec<(String, String)>,
    /// Options of the session.
    pub options: Vec<OptionSetting>,
    /// Name of the group it is in.
    pub group: Option<String>,
    /// The task it belongs to, by its id.
    pub task: Option<String>,
    /// What is particular about panes that float; the last field, as version 1 ends before it.
    pub over: Vec<OverRecord>,
}

/// A paste buffer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferRecord {
    /// Its name.
    pub name: String,
    /// True when it was named by the server.
    pub automatic: bool,
    /// When it was made, in seconds of Unix time.
    pub created_s: u64,
    /// What is in it.
    pub data: Vec<u8>,
}

/// What belongs to no session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerRecord {
    /// The next numbers of `$`, `@` and `%`.
    pub next_session: u32,
    /// See `next_session`.
    pub next_window: u32,
    /// See `next_session`.
    pub next_pane: u32,
    /// The next number of `bufferN`.
    pub next_buffer: u32,
    /// Server options away from their defaults.
    pub server_options: Vec<OptionSetting>,
    /// Global session options away from their defaults.
    pub session_options: Vec<OptionSetting>,
    /// Global window options away from their defaults.
    pub window_options: Vec<OptionSetting>,
    /// Key bindings away from the defaults, as `bind-key` and `unbind-key` commands.
    pub bindings: Vec<String>,
    /// Paste buffers, newest first, see [`ServerRecord::bound_buffers`].
    pub buffers: Vec<BufferRecord>,
    /// Names of the global environment (no values).
    pub environment: Vec<String>,
}

impl ServerRecord {
    /// Drops the oldest buffers until the rest has at most [`BUFFERS_MAX`] bytes.
    pub fn bound_buffers(&mut self) {
        let mut room = BUFFERS_MAX;
        self.buffers.retain(|buffer| {
            let fits = buffer.data.len() <= room;
            room = if fits { room - buffer.data.len() } else { 0 };
            fits
        });
    }
}

impl Record for PaneRecord {
    const VERSION: u16 = 1;
    const NAME: &'static str = "pane record";
}

impl Record for SessionRecord {
    const VERSION: u16 = 2;
    const NAME: &'static str = "session record";

    fn from_older(version: u16, bytes: &[u8]) -> Result<Self, RecordError> {
        match version {
            1 => read(Self::NAME, &[bytes, &[0]].concat()),
            found => Err(RecordError::Version { name: Self::NAME, found }),
        }
    }
}

impl Record for ServerRecord {
    const VERSION: u16 = 1;
    const NAME: &'static str = "server record";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Random;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct First {
        name: String,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Second {
        name: String,
        color: String,
    }

    impl Record for First {
        const VERSION: u16 = 1;
        const NAME: &'static str = "thing";
    }

    impl Record for Second {
        const VERSION: u16 = 2;
        const NAME: &'static str = "thing";

        fn from_older(version: u16, bytes: &[u8]) -> Result<Second, RecordError> {
            match version {
                1 => read::<First>(Self::NAME, bytes).map(|first| Second { name: first.name, color: "red".into() }),
                found => Err(RecordError::Version { name: Self::NAME, found }),
            }
        }
    }

    fn session() -> SessionRecord {
        let window = WindowRecord {
            uuid: "w-1".into(),
            layout: "b25d,80x24,0,0,0".into(),
            panes: vec!["p-1".into(), "p-2".into()],
            options: vec![("monitor-bell".into(), "off".into())],
            ..WindowRecord::default()
        };
        SessionRecord {
            name: "work".into(),
            windows: vec![LinkRecord { index: 3, window }],
            last: vec![-1, 2],
            group: Some("g".into()),
            ..SessionRecord::default()
        }
    }

    #[test]
    fn records_come_back() {
        let session = session();
        assert_eq!(SessionRecord::decode(&session.encode().unwrap()), Ok(session));
        let dead = Some(DeadRecord { code: None, signal: Some(11), time_s: 9 });
        let pane =
            PaneRecord { uuid: "p".into(), size: (80, 24), dead, agent: Some("{}".into()), ..Default::default() };
        assert_eq!(PaneRecord::decode(&pane.encode().unwrap()), Ok(pane));
        let buffer = BufferRecord { data: vec![0, 255], ..Default::default() };
        let server = ServerRecord { next_pane: 7, buffers: vec![buffer], ..Default::default() };
        assert_eq!(ServerRecord::decode(&server.encode().unwrap()), Ok(server));
    }

    #[test]
    fn a_newer_program_reads_an_older_record() {
        let old = First { name: "n".into() }.encode().unwrap();
        assert_eq!(Second::decode(&old), Ok(Second { name: "n".into(), color: "red".into() }));
    }

    #[test]
    fn an_older_program_refuses_a_newer_record_with_words() {
        let new = Second { name: "n".into(), color: "c".into() }.encode().unwrap();
        let error = First::decode(&new).unwrap_err().to_string();
        assert_eq!(error, "was written by a newer rove (thing version 2, this one reads up to 1)");
        assert_eq!(First::decode(&[0, 0]).unwrap_err().to_string(), "has an unknown thing version 0");
    }

    #[test]
    fn a_damaged_record_never_panics() {
        let good = session().encode().unwrap();
        for length in 0..good.len() {
            assert!(SessionRecord::decode(&good[..length]).is_err());
        }
        let mut random = Random::new(3);
        for _ in 0..10_000 {
            let mut bad = good.clone();
            let bit = random.below(good.len() as u64 * 8);
            bad[(bit / 8) as usize] ^= 1 << (bit % 8);
            // It may still be a record, if not the same one.
            let _ = SessionRecord::decode(&bad);
        }
        let mut longer = good;
        longer.push(0);
        assert!(SessionRecord::decode(&longer).is_err());
    }

    #[test]
    fn a_huge_count_takes_no_memory() {
        let mut bytes = 1u16.to_le_bytes().to_vec();
        bytes.extend([0xff; 9]);
        bytes.push(0x01);
        assert!(PaneRecord::decode(&bytes).is_err());
        assert!(PaneRecord::decode(&vec![0; RECORD_MAX + 1]).is_err());
    }

    #[test]
    fn buffers_are_bounded_oldest_first() {
        let buffer = |name: &str, size| BufferRecord { name: name.into(), data: vec![1; size], ..Default::default() };
        let buffers = vec![buffer("new", BUFFERS_MAX - 10), buffer("big", 11), buffer("small", 1)];
        let mut server = ServerRecord { buffers, ..Default::default() };
        server.bound_buffers();
        assert_eq!(server.buffers.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["new"]);
        assert!(server.encode().is_ok());
    }
}
