//! The server's half: a connection to its host. Blocks only where it says so.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::sockopt::socket_peercred;

use crate::memory::PaneMemory;
use crate::protocol::{
    Answer, Command, Exit, FRAME_LIMIT, Goodbye, HELLO_LIMIT, PaneRecord, PaneUuid, ProtocolError, Request, Size,
    Spawn, SpawnError, VERSION, frame, hello_frame, read_hello, read_value,
};
use crate::state::StateMemory;
use crate::wire::{Wire, WireError};

/// How long an answer of the host may take.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// How long a host may be silent before it is looked at.
const CONTINUE_AFTER: Duration = Duration::from_millis(500);
/// More than this unsent means that the host is stuck.
const BACKLOG_LIMIT: usize = 8 * 1024 * 1024;
/// Descriptors that a new pane takes in the server, and one to spare.
const DESCRIPTORS_A_PANE: usize = 3;

/// Why there is no talking to a host.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The system's.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It says what is not understood, or is of another version.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// It does not want this server, and says why.
    #[error("{0}")]
    Refused(String),
    /// [`crate::start`]: there is one already.
    #[error("a host is running at this socket")]
    Running,
    /// It is gone.
    #[error("the host is gone")]
    Gone,
    /// It does not answer.
    #[error("the host does not answer")]
    Stuck,
    /// A new pane could not be made; the host is well.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
}

impl From<WireError> for HostError {
    fn from(error: WireError) -> HostError {
        match error {
            WireError::Protocol(error) => HostError::Protocol(error),
            WireError::Io(error) => HostError::Io(error),
            WireError::Closed => HostError::Gone,
        }
    }
}

/// What the host says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// A child ended. Its terminal may still have output, and other processes.
    Exited {
        /// The pane.
        id: PaneUuid,
        /// How.
        exit: Exit,
    },
    /// The host is gone, and with it all children. Said once.
    Gone,
}

/// A new pane.
#[derive(Debug)]
pub struct Spawned {
    /// Pid of the child, which is also its session and process group.
    pub pid: i32,
    /// Path of the terminal.
    pub tty: String,
    /// The pty's master, non-blocking. The host has it too.
    pub master: OwnedFd,
    /// The pane's memory, empty.
    pub memory: PaneMemory,
}

/// A pane that was there before this server.
#[derive(Debug)]
pub struct Adopted {
    /// Its id.
    pub id: PaneUuid,
    /// Pid of the child.
    pub pid: i32,
    /// Path of the terminal.
    pub tty: String,
    /// The pty's master.
    pub master: OwnedFd,
    /// The pane's memory; call [`PaneMemory::recover`] before anything else. An error when it is not usable at all.
    pub memory: io::Result<PaneMemory>,
    /// What the server before had put there.
    pub metadata: Vec<u8>,
    /// How the child ended, if it did.
    pub exited: Option<Exit>,
    /// Size of the terminal.
    pub size: Size,
}

/// Everything the host kept.
#[derive(Debug)]
pub struct Adoption {
    /// The listening socket given by an earlier server; clients may wait in it.
    pub listener: Option<OwnedFd>,
    /// The newest whole state.
    pub state: Option<Vec<u8>>,
    /// All panes, by id.
    pub panes: Vec<Adopted>,
}

/// A server's connection to its host. Dropped without a [`Client::goodbye`] it counts as a crash, and the host
/// starts the recorded command.
pub struct Client {
    wire: Wire,
    notices: Vec<Notice>,
    state: StateMemory,
    gone: bool,
    /// Answers to spawns that nobody waits for any more: their panes are forgotten when they come.
    late: Vec<PaneUuid>,
}

impl Client {
    /// Connects to the host at `socket`. Blocks until it has answered. Errors: `Io` when nobody is there,
    /// `Refused` with words (another server is connected, another version), `Stuck`.
    pub fn connect(socket: &Path) -> Result<Client, HostError> {
        let stream = UnixStream::connect(crate::path::Address::new(socket)?.path())?;
        if socket_peercred(&stream).map_err(io::Error::from)?.uid != rustix::process::geteuid() {
            return Err(HostError::Refused("the host belongs to another user".to_owned()));
        }
        stream.set_nonblocking(true)?;
        let mut wire = Wire::new(stream.into());
        wire.queue(hello_frame(VERSION, env!("CARGO_PKG_VERSION")), Vec::new());
        let (version, words) = read_hello(&wait_frame(&mut wire, HELLO_LIMIT)?)?;
        if version != VERSION {
            return Err(ProtocolError::Version { host: version, server: VERSION }.into());
        }
        if !words.is_empty() {
            return Err(HostError::Refused(words));
        }
        let answer = read_value(&wait_frame(&mut wire, FRAME_LIMIT)?)?;
        let fd = wire.take_fds(1)?.pop().filter(|_| matches!(answer, Answer::State));
        let state = StateMemory::open(fd.ok_or(ProtocolError::Garbage)?)?;
        Ok(Client { wire, notices: Vec::new(), state, gone: false, late: Vec::new() })
    }

    /// The connection, to wait for input on (and for output while [`Client::wants_output`]).
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.wire.as_fd()
    }

    /// Whether something could not be sent yet; [`Client::poll`] sends it.
    pub fn wants_output(&self) -> bool {
        !self.gone && self.wire.backlog() > 0
    }

    /// What the host has said since the last call. Never blocks.
    pub fn poll(&mut self) -> Vec<Notice> {
        if !self.gone && self.pump().is_err() {
            self.gone = true;
            self.notices.push(Notice::Gone);
        }
        std::mem::take(&mut self.notices)
    }

    /// The state memory. Write to it at the end of a turn that changed the model.
    pub fn state(&mut self) -> &mut StateMemory {
        &mut self.state
    }

    /// Takes over everything the host keeps. Blocks until it is here.
    pub fn adopt(&mut self) -> Result<Adoption, HostError> {
        self.send(&Request::Adopt, Vec::new())?;
        let mut adoption = Adoption { listener: None, state: self.state.read().map(<[u8]>::to_vec), panes: Vec::new() };
        loop {
            let (answer, mut fds) = self.wait_answer()?;
            match answer {
                Answer::Listener => adoption.listener = fds.pop(),
                Answer::Pane(record) => adoption.panes.push(adopted(record, fds)?),
                Answer::Adopted => return Ok(adoption),
                _ => return Err(ProtocolError::Garbage.into()),
            }
        }
    }

    /// Makes a new pane. Blocks for about the time of a fork. `Spawn` errors carry tmux's words.
    pub fn spawn(&mut self, request: Spawn) -> Result<Spawned, HostError> {
        // Descriptors that don't fit in our table would be lost on their way.
        let spare: Result<Vec<OwnedFd>, _> = (0..DESCRIPTORS_A_PANE).map(|_| self.fd().try_clone_to_owned()).collect();
        spare.map(drop).map_err(|error| SpawnError::Fork(crate::spawn::words(&error)))?;
        let program = String::from_utf8_lossy(&request.command.program).into_owned();
        let id = request.id;
        match self.send(&Request::Spawn(request), Vec::new()) {
            Err(HostError::Protocol(ProtocolError::TooLong(_))) => {
                return Err(SpawnError::Exec { program, reason: "Argument list too long".to_owned() }.into());
            }
            sent => sent?,
        }
        let answer = self.wait_answer();
        if matches!(answer, Err(HostError::Stuck)) {
            self.late.push(id);
        }
        match answer? {
            (Answer::Spawned(record), fds) => {
                let (master, memory) = master_and_memory(fds)?;
                Ok(Spawned { pid: record.pid, tty: record.tty, master, memory: memory? })
            }
            (Answer::Failed(error), _) => Err(error.into()),
            _ => Err(ProtocolError::Garbage.into()),
        }
    }

    /// Replaces a pane's metadata (at most [`crate::METADATA_LIMIT`] bytes).
    pub fn set_metadata(&mut self, id: PaneUuid, bytes: &[u8]) -> Result<(), HostError> {
        self.send(&Request::Metadata { id, bytes: bytes.to_vec() }, Vec::new())
    }

    /// Signals the child, or with `group` its process group and the terminal's foreground group.
    pub fn signal(&mut self, id: PaneUuid, signal: i32, group: bool) -> Result<(), HostError> {
        self.send(&Request::Signal { id, signal, group }, Vec::new())
    }

    /// Hangs the pane up: HUP to its groups, and after a grace KILL to all that is left of its session.
    pub fn kill(&mut self, id: PaneUuid) -> Result<(), HostError> {
        self.send(&Request::Kill { id }, Vec::new())
    }

    /// The pane is no more: the host closes its master and memory. A living child is killed as by [`Client::kill`].
    pub fn forget(&mut self, id: PaneUuid) -> Result<(), HostError> {
        self.send(&Request::Forget { id }, Vec::new())
    }

    /// Records how to start a server when this one ends unasked. `ROVE_ADOPT=<host socket>` is added to its environment.
    /// A server says it once it is ready: one that ends before counts as failed, and the next one is started later.
    pub fn record(&mut self, command: Command) -> Result<(), HostError> {
        self.send(&Request::Record(command), Vec::new())
    }

    /// Gives the host the listening socket to keep.
    pub fn keep_listener(&mut self, listener: impl AsFd) -> Result<(), HostError> {
        let listener = listener.as_fd().try_clone_to_owned()?;
        self.send(&Request::Listener, vec![Rc::new(listener)])
    }

    /// Leaves. No pty may be read from then on. Blocks until the host has it.
    pub fn goodbye(mut self, how: Goodbye) -> Result<(), HostError> {
        self.send(&Request::Goodbye(how), Vec::new())?;
        let until = Instant::now() + ANSWER_TIME;
        while self.wire.backlog() > 0 {
            wait(&self.wire, until)?;
            self.wire.flush()?;
        }
        Ok(())
    }

    fn send(&mut self, request: &Request, fds: Vec<Rc<OwnedFd>>) -> Result<(), HostError> {
        debug_assert_eq!(request.fds(), fds.len());
        let bytes = frame(request).ok_or(ProtocolError::TooLong(FRAME_LIMIT))?;
        if self.wire.backlog() > BACKLOG_LIMIT {
            return Err(HostError::Stuck);
        }
        self.wire.queue(bytes, fds);
        Ok(self.wire.flush()?)
    }

    fn pump(&mut self) -> Result<(), HostError> {
        self.wire.flush()?;
        loop {
            while let Some(payload) = self.wire.next(FRAME_LIMIT)? {
                match read_value(&payload)? {
                    Answer::Exited { id, exit } => self.notices.push(Notice::Exited { id, exit }),
                    answer => self.take_late(&answer)?,
                }
            }
            if !self.wire.fill()? {
                return Ok(());
            }
        }
    }

    /// An answer that comes after the wait for it was given up, as of a host that had been stopped.
    fn take_late(&mut self, answer: &Answer) -> Result<(), HostError> {
        if self.late.is_empty() || !matches!(answer, Answer::Spawned(_) | Answer::Failed(_)) {
            return Err(ProtocolError::Garbage.into());
        }
        self.wire.take_fds(answer.fds())?;
        let id = self.late.remove(0);
        if matches!(answer, Answer::Spawned(_)) {
            self.forget(id)?;
        }
        Ok(())
    }

    /// The next answer that is no notice, and its descriptors.
    fn wait_answer(&mut self) -> Result<(Answer, Vec<OwnedFd>), HostError> {
        loop {
            match read_value(&wait_frame(&mut self.wire, FRAME_LIMIT)?)? {
                Answer::Exited { id, exit } => self.notices.push(Notice::Exited { id, exit }),
                answer @ (Answer::Spawned(_) | Answer::Failed(_)) if !self.late.is_empty() => {
                    self.take_late(&answer)?
                }
                answer => {
                    let fds = self.wire.take_fds(answer.fds())?;
                    return Ok((answer, fds));
                }
            }
        }
    }
}

/// Sends what is queued, and waits for a frame. A host that somebody has stopped is continued.
fn wait_frame(wire: &mut Wire, limit: usize) -> Result<Vec<u8>, HostError> {
    let until = Instant::now() + ANSWER_TIME;
    let mut look_at = Instant::now() + CONTINUE_AFTER;
    loop {
        // Again and again: a signal that stops reaches a process only once that gets its turn.
        if look_at <= Instant::now() {
            look_at = Instant::now() + CONTINUE_AFTER;
            if let Ok(host) = socket_peercred(&*wire) {
                crate::session::continue_stopped(host.pid.as_raw_nonzero().get());
            }
        }
        wire.flush()?;
        if let Some(payload) = wire.next(limit)? {
            return Ok(payload);
        }
        if !wire.fill()? {
            match wait(wire, look_at.min(until)) {
                Err(HostError::Stuck) if Instant::now() < until => {}
                waited => waited?,
            }
        }
    }
}

fn wait(wire: &Wire, until: Instant) -> Result<(), HostError> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(HostError::Stuck);
    }
    let mut flags = PollFlags::IN;
    flags.set(PollFlags::OUT, wire.backlog() > 0);
    let timeout = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
    match rustix::event::poll(&mut [PollFd::new(wire, flags)], Some(&timeout)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(errno) => Err(io::Error::from(errno).into()),
    }
}

fn adopted(record: PaneRecord, fds: Vec<OwnedFd>) -> Result<Adopted, HostError> {
    let (master, memory) = master_and_memory(fds)?;
    let size = rustix::termios::tcgetwinsize(&master).map_err(io::Error::from)?;
    Ok(Adopted {
        id: record.id,
        pid: record.pid,
        tty: record.tty,
        master,
        memory,
        metadata: record.metadata,
        exited: record.exited,
        size: Size { cols: size.ws_col, rows: size.ws_row, pixel_width: size.ws_xpixel, pixel_height: size.ws_ypixel },
    })
}

fn master_and_memory(fds: Vec<OwnedFd>) -> Result<(OwnedFd, io::Result<PaneMemory>), HostError> {
    let [master, memory] = <[OwnedFd; 2]>::try_from(fds).map_err(|_| ProtocolError::Descriptors)?;
    Ok((master, PaneMemory::open(memory)))
}
