//! The files of a saved server: each replaced in one step, the generation before it kept, a delete final.
//!
//! Every step goes through [`Disk`]. Whatever call is the last before the power goes, each key afterwards has its
//! old or its new value. The store does not throttle and has no thread: that is [`crate::Writer`].

use crate::disk::{Disk, Listed};
use crate::frame::{self, FrameError};
use crate::key::{Key, Kind, OLD, TEMPORARY};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// Name of the store's directory below the home.
pub const DIRECTORY: &str = "pty-sessions";

/// Most keys that are loaded; more can only be an accident or an attack.
pub const KEYS_MAX: usize = 20_000;

/// Why a store can't be used or a value not be written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The directory is not there, not ours or not a directory.
    #[error("{}: {error}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said, or what is wrong with it.
        error: io::Error,
    },
    /// The value was not written; the one before it stands.
    #[error("{file}: {error}")]
    Write {
        /// The file's name.
        file: String,
        /// What the system said.
        error: io::Error,
    },
    /// The value is too large for a file.
    #[error("{file} {error}")]
    Frame {
        /// The file's name.
        file: String,
        /// What is wrong.
        error: FrameError,
    },
}

/// One value that was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Whose it is.
    pub key: Key,
    /// What was written for it last, or before that if the last is not whole.
    pub payload: Vec<u8>,
}

/// A file that is not used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file's name.
    pub file: String,
    /// Why, in words that follow the name: `is damaged (checksum)`.
    pub what: String,
}

impl Problem {
    /// All problems as one message of one line, `None` when there are none. At most ten are spelled out.
    pub fn summary(problems: &[Problem]) -> Option<String> {
        let said: Vec<String> = problems.iter().take(10).map(|one| format!("{} {}", one.file, one.what)).collect();
        match problems.len() {
            0 => None,
            count @ 1..=10 => Some(format!("not restored ({count}): {}", said.join("; "))),
            count => Some(format!("not restored ({count}): {}; and {} more", said.join("; "), count - 10)),
        }
    }
}

/// What [`Store::load`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Every record that is whole, ordered by key. Screens are not among them: see `screens`.
    pub entries: Vec<Entry>,
    /// Keys of the screens there are; [`Store::read`] them one at a time, as they are wanted.
    pub screens: Vec<Key>,
    /// Files that are not used.
    pub problems: Vec<Problem>,
}

/// Says whether what a file holds makes sense, in words that follow the file's name when it does not.
pub type Check = fn(Kind, &[u8]) -> Result<(), String>;

/// How much the saved files take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Space {
    /// How many there are, of both generations.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// The saved files below one home directory.
pub struct Store {
    check: Check,
    disk: Box<dyn Disk>,
    home: PathBuf,
    directory: PathBuf,
    start_ms: u64,
    written: u64,
    // Keys whose newest file can't be used: it must not become the generation before, which may be good.
    damaged: HashSet<Key>,
}

impl Store {
    /// The store below `home`, its directory made when missing. Temporary files from before `start_ms` (now, in
    /// milliseconds of Unix time) are removed: they are halves of writes that never ended.
    pub fn open(mut disk: Box<dyn Disk>, home: &Path, start_ms: u64) -> Result<Store, StoreError> {
        let directory = home.join(DIRECTORY);
        let failed = |error| StoreError::Directory { path: directory.clone(), error };
        disk.make_dir(&directory).map_err(failed)?;
        for place in [home, &directory] {
            for file in disk.list(place).map_err(failed)? {
                if is_temporary(&file.name) && file.modified_ms < start_ms {
                    // One that can't be removed does no harm.
                    let _ = disk.remove(&place.join(&file.name));
                }
            }
        }
        Ok(Store { start_ms, ..Store::look(disk, home) })
    }

    /// The store below `home` as it is: nothing is made and nothing removed. For reading only.
    pub fn look(disk: Box<dyn Disk>, home: &Path) -> Store {
        let (directory, home) = (home.join(DIRECTORY), home.to_owned());
        let check: Check = |_, _| Ok(());
        Store { check, disk, home, directory, start_ms: 0, written: 0, damaged: HashSet::new() }
    }

    /// The same, which takes what does not pass `check` for damaged.
    pub fn checked(self, check: Check) -> Store {
        Store { check, ..self }
    }

    /// How much is there.
    pub fn space(&mut self) -> Result<Space, StoreError> {
        let failed = |error| StoreError::Directory { path: self.directory.clone(), error };
        let files = self.disk.list(&self.directory).map_err(failed)?;
        Ok(Space { files: files.len(), bytes: files.iter().map(|file| file.bytes).sum() })
    }

    /// All records that are whole, and the names of those that are not.
    pub fn load(&mut self) -> Result<Loaded, StoreError> {
        let files = self
            .disk
            .list(&self.directory)
            .map_err(|error| StoreError::Directory { path: self.directory.clone(), error })?;
        let mut loaded = Loaded::default();
        let keys: BTreeSet<Key> = files.iter().filter_map(key_of).collect();
        if keys.len() > KEYS_MAX {
            let what = format!("holds {} records, of which {KEYS_MAX} are read", keys.len());
            loaded.problems.push(Problem { file: DIRECTORY.into(), what });
        }
        for key in keys.into_iter().take(KEYS_MAX) {
            if key.kind() == Kind::Screen {
                loaded.screens.push(key);
                continue;
            }
            let (payload, problem) = self.read(&key);
            loaded.problems.extend(problem);
            loaded.entries.extend(payload.map(|payload| Entry { key, payload }));
        }
        Ok(loaded)
    }

    /// When each screen was last written, in milliseconds of Unix time.
    pub fn screen_times(&mut self) -> HashMap<Key, u64> {
        let files = self.disk.list(&self.directory).unwrap_or_default();
        let newest = files.iter().filter(|file| !file.name.ends_with(OLD));
        let screens = newest.filter_map(|file| Some((key_of(file)?, file.modified_ms)));
        screens.filter(|(key, _)| key.kind() == Kind::Screen).collect()
    }

    /// The value of a key: the newest file when it is whole, else the one before it. The problem tells of a newest
    /// file that was not used; neither value nor problem means that there is none.
    pub fn read(&mut self, key: &Key) -> (Option<Vec<u8>>, Option<Problem>) {
        let newest = key.file_name();
        match self.read_file(key, &newest) {
            Ok(Some(payload)) => (Some(payload), None),
            Ok(None) => (self.read_file(key, &key.old_name()).ok().flatten(), None),
            Err(what) => {
                self.damaged.insert(key.clone());
                let before = self.read_file(key, &key.old_name()).ok().flatten();
                let what = if before.is_some() { format!("{what}; {} is used", key.old_name()) } else { what };
                (before, Some(Problem { file: newest, what }))
            }
        }
    }

    /// Replaces the value of a key. `wanted` is asked just before the step that makes the new value visible; when it
    /// says no nothing is changed. On an error the value before it stands.
    pub fn write(&mut self, key: &Key, payload: &[u8], wanted: &dyn Fn() -> bool) -> Result<(), StoreError> {
        let file = key.file_name();
        let framed;
        let bytes = match key.kind() {
            Kind::Home => payload,
            kind => {
                let error = |error| StoreError::Frame { file: file.clone(), error };
                framed = frame::encode(kind, payload).map_err(error)?;
                &framed
            }
        };
        self.written += 1;
        let temporary = self.place(key).join(format!(".{file}.{:x}-{}{TEMPORARY}", self.start_ms, self.written));
        let result = self.replace(key, &temporary, bytes, wanted);
        if !matches!(result, Ok(true)) {
            // It may not have been made at all.
            let _ = self.disk.remove(&temporary);
        }
        result.map(|_| ()).map_err(|error| StoreError::Write { file, error })
    }

    /// Forgets a key: afterwards neither generation is there. Nothing to forget is no error.
    ///
    /// The older goes first and for good, so that a power cut between the two can't bring it back alone.
    pub fn delete(&mut self, key: &Key) -> Result<(), StoreError> {
        let forget = |store: &mut Store| {
            let place = store.place(key).to_owned();
            for name in [key.old_name(), key.file_name()] {
                match store.disk.remove(&place.join(name)) {
                    Ok(()) => store.disk.sync_dir(&place)?,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
            // It may be anything, and is nothing that comes back.
            let _ = store.disk.remove(&place.join(key.bad_name()));
            Ok(())
        };
        forget(self).map_err(|error| StoreError::Write { file: key.file_name(), error })?;
        self.damaged.remove(key);
        Ok(())
    }

    // True when the new value is in its place.
    fn replace(&mut self, key: &Key, temporary: &Path, bytes: &[u8], wanted: &dyn Fn() -> bool) -> io::Result<bool> {
        let place = self.place(key).to_owned();
        let newest = place.join(key.file_name());
        self.disk.write_new(temporary, bytes)?;
        self.disk.sync(temporary)?;
        if !wanted() {
            return Ok(false);
        }
        // What can't be used is put aside: a newer program, or a person, may make sense of it.
        let before = if self.damaged.contains(key) { key.bad_name() } else { key.old_name() };
        match self.disk.rename(&newest, &place.join(before)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        self.disk.rename(temporary, &newest)?;
        self.damaged.remove(key);
        self.disk.sync_dir(&place)?;
        Ok(true)
    }

    fn read_file(&mut self, key: &Key, name: &str) -> Result<Option<Vec<u8>>, String> {
        let limit = (frame::HEADER + frame::MAX_PAYLOAD) as u64;
        let path = self.place(key).join(name);
        let mut bytes = match self.disk.read(&path, limit) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Err(error.to_string()),
            Err(error) => return Err(format!("can't be read: {error}")),
        };
        if key.kind() != Kind::Home {
            let payload = frame::decode(key.kind(), &bytes).map_err(|error| error.to_string())?;
            (self.check)(key.kind(), payload)?;
            bytes.drain(..frame::HEADER);
        }
        Ok(Some(bytes))
    }

    fn place(&self, key: &Key) -> &Path {
        if key.kind() == Kind::Home { &self.home } else { &self.directory }
    }
}

fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(TEMPORARY)
}

fn key_of(file: &Listed) -> Option<Key> {
    if is_temporary(&file.name) { None } else { Key::from_file_name(file.name.strip_suffix(OLD).unwrap_or(&file.name)) }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
