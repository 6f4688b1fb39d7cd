//! The state memory: a blob the server writes at each turn and a new server finds whole. Knows nothing of the model.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use crate::doubled::Doubled;
use crate::map::{self, Map, PAGE};

/// The longest state.
pub const STATE_LIMIT: usize = 64 * 1024 * 1024;
const STATE: Doubled = Doubled { descriptors: 1, area: STATE_LIMIT };
const MAGIC: u64 = u64::from_le_bytes(*b"rovestat");
const TOTAL: u64 = PAGE + 2 * STATE_LIMIT as u64;

/// The server's state, kept twice so that one torn write leaves the one before it.
#[derive(Debug)]
pub struct StateMemory {
    fd: OwnedFd,
    header: Map,
    areas: Map,
}

impl StateMemory {
    /// Makes an empty one. Errors are those of memfd_create and mmap.
    pub fn create() -> io::Result<StateMemory> {
        let fd = map::create("rove state", TOTAL)?;
        Map::new(&fd, 0, PAGE as usize)?.store(0, MAGIC);
        StateMemory::open(fd)
    }

    /// Maps one that came from elsewhere. Errors with `InvalidData` when it is not one of ours.
    pub fn open(fd: OwnedFd) -> io::Result<StateMemory> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a state memory");
        if !map::is_ours(&fd, TOTAL) {
            return Err(wrong());
        }
        let header = Map::new(&fd, 0, PAGE as usize)?;
        let areas = Map::new(&fd, PAGE, 2 * STATE_LIMIT)?;
        if header.load(0) == MAGIC { Ok(StateMemory { fd, header, areas }) } else { Err(wrong()) }
    }

    /// Makes `bytes` the newest state. Errors with `FileTooLarge` above [`STATE_LIMIT`].
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        STATE.write(&self.header, &mut self.areas, bytes, [0; crate::doubled::EXTRA]).map(drop)
    }

    /// The newest state that is whole.
    pub fn read(&self) -> Option<&[u8]> {
        STATE.newest(&self.header, &self.areas).map(|found| found.bytes)
    }

    /// Unmaps it, and leaves the memfd.
    pub(crate) fn into_fd(self) -> OwnedFd {
        self.fd
    }

    /// The memfd.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
