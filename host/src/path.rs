//! Socket paths of any length: an address holds 108 bytes, and a home may lie deep.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// Most bytes of a path in a socket's address (`sun_path`, with its NUL).
const ADDRESS_LIMIT: usize = 108;

/// A path by which a socket can be bound and connected to; valid while this lives.
pub(crate) struct Address {
    path: PathBuf,
    _directory: Option<OwnedFd>,
}

impl Address {
    /// The path itself, or one through its directory's descriptor when it is too long. Errors: those of the system.
    pub(crate) fn new(path: &Path) -> io::Result<Address> {
        let (Some(parent), Some(name), true) =
            (path.parent(), path.file_name(), path.as_os_str().len() >= ADDRESS_LIMIT)
        else {
            return Ok(Address { path: path.to_owned(), _directory: None });
        };
        let directory = rustix::fs::open(parent, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let path = Path::new("/proc/self/fd").join(directory.as_raw_fd().to_string()).join(name);
        Ok(Address { path, _directory: Some(directory) })
    }

    /// The path to use.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::{UnixListener, UnixStream};

    #[test]
    fn a_deep_socket_is_bound_and_found() {
        let deep = std::env::temp_dir().join(format!("rove-path-{}", std::process::id()));
        let folder = deep.join("a".repeat(60)).join("b".repeat(60));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("socket.host");
        assert!(UnixListener::bind(&path).is_err());
        let _listener = UnixListener::bind(Address::new(&path).unwrap().path()).unwrap();
        UnixStream::connect(Address::new(&path).unwrap().path()).unwrap();
        let short = deep.join("s");
        assert_eq!(Address::new(&short).unwrap().path(), short);
        assert!(Address::new(&folder.join("none").join("s")).is_err());
        std::fs::remove_dir_all(&deep).unwrap();
    }
}
