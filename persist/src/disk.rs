//! The calls that touch the disk, behind a trait so that tests can fail any one of them; and the clock and
//! the thread of the writer. Nothing else in the crate does IO.
#![allow(clippy::disallowed_methods, reason = "this is the one file of the crate that touches the world")]

use rustix::fs::OFlags;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Instant, UNIX_EPOCH};

/// A file of a directory, as [`Disk::list`] gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name; one that is not UTF-8 is left out of the list, as it can't be ours.
    pub name: String,
    /// When it was last written, in milliseconds of Unix time.
    pub modified_ms: u64,
    /// Its length; 0 for what is no file.
    pub bytes: u64,
}

/// The disk as the store sees it. Every call may fail; none may hang on what it finds (a FIFO, say).
pub trait Disk: Send {
    /// Makes sure that `path` is a directory of our own with mode 0700. Missing parents are made, with the same mode.
    fn make_dir(&mut self, path: &Path) -> io::Result<()>;
    /// The files of a directory, at most [`LIST_MAX`] of them.
    fn list(&mut self, directory: &Path) -> io::Result<Vec<Listed>>;
    /// The whole of a regular file of our own that may be read and has at most `limit` bytes; all else is an error.
    /// Links are not followed.
    fn read(&mut self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;
    /// Makes a new file with mode 0600 (an error if the name is there) and writes `bytes`. What is written may still be in memory.
    fn write_new(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Brings what [`Disk::write_new`] wrote to `path` onto the disk.
    fn sync(&mut self, path: &Path) -> io::Result<()>;
    /// Gives a file another name, replacing what has it.
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&mut self, path: &Path) -> io::Result<()>;
    /// Brings the names of a directory onto the disk.
    fn sync_dir(&mut self, directory: &Path) -> io::Result<()>;
}

/// Most files of a directory that are looked at.
pub const LIST_MAX: usize = 100_000;

/// The machine's own disk.
#[derive(Debug, Default)]
pub struct RealDisk {
    // The file just written stays open until it is synced: an error of the write-back is told to this descriptor.
    written: Option<(PathBuf, File)>,
}

impl Disk for RealDisk {
    fn make_dir(&mut self, path: &Path) -> io::Result<()> {
        match DirBuilder::new().recursive(true).mode(0o700).create(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let found = fs::symlink_metadata(path)?;
        if !found.is_dir() {
            return Err(refused("is not a directory"));
        }
        if found.uid() != rustix::process::geteuid().as_raw() {
            return Err(refused("belongs to another user"));
        }
        if found.mode() & 0o077 != 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    fn list(&mut self, directory: &Path) -> io::Result<Vec<Listed>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(directory)?.take(LIST_MAX) {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let found = entry.metadata().ok();
            let modified = found.as_ref().and_then(|found| found.modified().ok());
            let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let bytes = found.filter(fs::Metadata::is_file).map_or(0, |found| found.len());
            files.push(Listed { name, modified_ms: since.map_or(0, |since| since.as_millis() as u64), bytes });
        }
        Ok(files)
    }

    fn read(&mut self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        // Looked at before it is opened, since opening a device can have effects; and again once it is open.
        check_file(&fs::symlink_metadata(path)?, limit)?;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)?;
        let found = file.metadata()?;
        check_file(&found, limit)?;
        let mut bytes = Vec::with_capacity(found.len() as usize);
        file.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(refused("is too large"));
        }
        Ok(bytes)
    }

    fn write_new(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.written = None;
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(bytes)?;
        self.written = Some((path.to_owned(), file));
        Ok(())
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        match self.written.take() {
            Some((written, file)) if written == path => file.sync_all(),
            _ => File::open(path)?.sync_all(),
        }
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_dir(&mut self, directory: &Path) -> io::Result<()> {
        File::open(directory)?.sync_all()
    }
}

fn check_file(found: &fs::Metadata, limit: u64) -> io::Result<()> {
    if found.is_symlink() {
        return Err(refused("is a symbolic link"));
    }
    if !found.is_file() {
        return Err(refused("is not a regular file"));
    }
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(refused("belongs to another user"));
    }
    if found.mode() & 0o400 == 0 {
        return Err(refused("may not be read (its mode)"));
    }
    if found.len() > limit {
        return Err(refused("is too large"));
    }
    Ok(())
}

fn refused(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A clock for the writer: milliseconds since it was made, never going back.
pub(crate) fn clock() -> impl Fn() -> u64 + Send {
    let start = Instant::now();
    move || start.elapsed().as_millis() as u64
}

/// Starts the writer's thread.
pub(crate) fn start_thread(body: impl FnOnce() + Send + 'static) -> io::Result<std::thread::JoinHandle<()>> {
    std::thread::Builder::new().name("persist".into()).spawn(body)
}

#[cfg(test)]
#[path = "disk_tests.rs"]
mod tests;
