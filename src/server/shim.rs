//! A `tmux` that is this program, for what runs in panes: plugins and agents call `tmux`, and mean the server they are in
//! (option `tmux-shim`). It is a link in a directory beside the socket.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The directory of a server's link.
pub(super) fn directory(socket: &Path) -> PathBuf {
    let mut path = socket.as_os_str().to_owned();
    path.push(OsStr::new(".bin"));
    path.into()
}

/// The link, made when the first program has it on its path.
#[derive(Debug)]
pub(super) struct Shim {
    directory: PathBuf,
    made: bool,
}

impl Shim {
    /// For the server at this socket; nothing is made yet.
    pub(super) fn new(socket: &Path) -> Shim {
        Shim { directory: directory(socket), made: false }
    }

    /// Sees to it that the link is there when the path of this environment begins with its directory. What can't be made,
    /// or is not ours alone, comes off the path: whoever put it there would choose what a `tmux` does.
    pub(super) fn provide<'a>(&mut self, environment: &'a [(String, String)]) -> Cow<'a, [(String, String)]> {
        let is_wanted = |(name, value): &(String, String)| name == "PATH" && self.rest_of(value).is_some();
        let Some(at) = environment.iter().position(is_wanted) else { return environment.into() };
        if !self.made {
            self.made = self.make().is_some();
        }
        if self.made {
            return environment.into();
        }
        let mut environment = environment.to_vec();
        environment[at].1 = self.rest_of(&environment[at].1).unwrap_or_default().to_owned();
        environment.into()
    }

    /// Takes the link away, at the server's end; one that took over may not have made it.
    pub(super) fn remove(&self) {
        let _ = std::fs::remove_file(self.directory.join("tmux"));
        let _ = std::fs::remove_dir(&self.directory);
    }

    fn rest_of<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(self.directory.to_str()?)?.strip_prefix(':')
    }

    fn make(&self) -> Option<()> {
        let program = std::env::current_exe().ok()?;
        let _ = std::fs::DirBuilder::new().mode(0o700).create(&self.directory);
        let found = std::fs::symlink_metadata(&self.directory).ok()?;
        let ours = found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o022 == 0;
        if !ours {
            return None;
        }
        let link = self.directory.join("tmux");
        if std::fs::read_link(&link).ok().as_ref() != Some(&program) {
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(&program, &link).ok()?;
        }
        Some(())
    }
}
