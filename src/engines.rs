//! The user's file of engines: where it is, when it is read, and which engines there are with it.

// Reads a file and asks the environment where it is.
#![allow(clippy::disallowed_methods)]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use agents::{Problem, Table};

use crate::os::paths;

/// `engines.toml` in rove's home. `None` without a home.
pub fn file() -> Option<PathBuf> {
    paths::rove_home(&|name| std::env::var_os(name)).map(|home| home.join("engines.toml"))
}

/// The engines there are: the program's and those of the file.
pub fn load() -> Table {
    file().map_or_else(Table::default, |file| read(&file))
}

fn read(file: &Path) -> Table {
    let name = file.display().to_string();
    let mut bytes = Vec::new();
    // One byte more than may be shows that it is too long.
    let limit = agents::custom::TEXT_MAX as u64 + 1;
    let read = std::fs::File::open(file).and_then(|opened| {
        if opened.metadata()?.is_file() { opened.take(limit).read_to_end(&mut bytes) } else { Ok(0) }
    });
    let whole =
        |words: String| Table::new(Vec::new(), vec![Problem { id: String::new(), file: name.clone(), line: 1, words }]);
    match read {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Table::default(),
        Err(error) => return whole(format!("it can't be read: {}", crate::os::words(&error))),
        Ok(_) if bytes.len() as u64 == limit => {
            return whole(format!("it is longer than {} bytes and is not read", limit - 1));
        }
        Ok(_) => {}
    }
    let Ok(text) = String::from_utf8(bytes) else { return whole("it is no UTF-8 text".to_owned()) };
    let mut table = agents::custom::read(&name, &text);
    table.retain(&name, |id| !is_command(id));
    table
}

/// Whether a word is the whole name of a command, of tmux's or rove's own.
fn is_command(word: &str) -> bool {
    let same = |row: &&mux::commands::Row| row.signature.name == word || row.signature.alias == Some(word);
    crate::cli::find(word).is_some() || mux::commands::rows(mux::Face::Rove).any(|row| same(&row))
}

/// What a file was when it was last read: changed when, and how long. `None`: it wasn't there.
type Stamp = Option<(SystemTime, u64)>;

/// The file as a server has read it.
#[derive(Debug, Default)]
pub struct Watched {
    file: Option<PathBuf>,
    stamp: Stamp,
}

impl Watched {
    /// Reads it for the first time.
    pub fn new() -> (Watched, Table) {
        let file = file();
        let stamp = file.as_deref().and_then(stamp);
        let table = file.as_deref().map_or_else(Table::default, read);
        (Watched { file, stamp }, table)
    }

    /// Reads it again when it was changed.
    pub fn again(&mut self) -> Option<Table> {
        let file = self.file.as_deref()?;
        let now = stamp(file);
        if now == self.stamp {
            return None;
        }
        self.stamp = now;
        Some(read(file))
    }
}

fn stamp(file: &Path) -> Stamp {
    let data = std::fs::metadata(file).ok()?;
    Some((data.modified().ok()?, data.len()))
}
