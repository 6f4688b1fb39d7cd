//! The host's record of a pane, and the draining of its pty while no server is there.

use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::journal::READ_LIMIT;
use crate::memory::PaneMemory;
use crate::protocol::{Exit, PaneRecord, PaneUuid};

/// Reads of one pane before the others get their turn.
const READS_A_TURN: usize = 16;

/// A pane: its child, its pty, its memory. The descriptors are counted because they may wait to be sent.
pub(crate) struct Pane {
    /// Unlike the pid never given twice.
    pub(crate) serial: u64,
    pub(crate) pid: i32,
    pub(crate) tty: Box<str>,
    pub(crate) metadata: Box<[u8]>,
    pub(crate) exited: Option<Exit>,
    pub(crate) master: Rc<OwnedFd>,
    pub(crate) memory: Rc<OwnedFd>,
    pub(crate) drain: Option<Box<Drain>>,
}

impl Pane {
    pub(crate) fn record(&self, id: PaneUuid) -> PaneRecord {
        PaneRecord {
            id,
            pid: self.pid,
            tty: self.tty.to_string(),
            metadata: self.metadata.to_vec(),
            exited: self.exited,
        }
    }

    pub(crate) fn fds(&self) -> Vec<Rc<OwnedFd>> {
        vec![self.master.clone(), self.memory.clone()]
    }
}

/// A pane being read by the host.
pub(crate) struct Drain {
    memory: PaneMemory,
    state: DrainState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DrainState {
    Reading,
    /// The ring is full; the child waits since then.
    Full(Instant),
    /// It waited long enough: the oldest goes.
    Losing,
    Ended,
}

impl Drain {
    /// Takes the memory over. `None` when it can't be believed: the child then waits for a server.
    pub(crate) fn new(memory: &OwnedFd) -> Option<Drain> {
        let mut memory = PaneMemory::open(memory.try_clone().ok()?).ok()?;
        memory.recover().ok()?;
        Some(Drain { memory, state: DrainState::Reading })
    }

    /// Reads what is there, as far as it may.
    pub(crate) fn read(&mut self, master: &OwnedFd, now: Instant) {
        for _ in 0..READS_A_TURN {
            let journal = self.memory.journal();
            match self.state {
                DrainState::Full(_) | DrainState::Ended => return,
                DrainState::Losing => journal.make_room(READ_LIMIT),
                DrainState::Reading => {}
            }
            match journal.read_from(master) {
                Ok(0) => self.state = DrainState::Ended,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::StorageFull => self.state = DrainState::Full(now),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.state = DrainState::Ended,
            }
        }
    }

    /// Whether the pty is to be watched.
    pub(crate) fn wants_input(&self) -> bool {
        matches!(self.state, DrainState::Reading | DrainState::Losing)
    }

    /// When the child has waited long enough.
    pub(crate) fn deadline(&self, limit: Duration) -> Option<Instant> {
        match self.state {
            DrainState::Full(since) => Some(since + limit),
            _ => None,
        }
    }

    /// From now on the oldest goes.
    pub(crate) fn lose(&mut self) {
        self.state = DrainState::Losing;
    }
}
