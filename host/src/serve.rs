//! The host's loop: one thread, one epoll, no wakeup while nothing happens. What peers ask for is in `requests.rs`.
//! It parses nothing that a child writes.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::process::{Rlimit, Signal, WaitOptions};

use crate::options::Options;
use crate::panes::{Drain, Pane};
use crate::peer::Peer;
use crate::protocol::{Answer, Command, Exit, PaneUuid};
use crate::register::Register;
use crate::restart::{Life, Restarts};
use crate::state::StateMemory;
use crate::{session, spawn};

const LISTENER: u64 = 0;
const SIGNALS: u64 = 1;
/// Tokens from here on are peers, counted.
const PEERS: u64 = 1 << 32;
/// Tokens from here on are ptys, by their pane's serial number.
const PTYS: u64 = 1 << 48;
/// How long a started server may take to connect.
const START_LIMIT: Duration = Duration::from_secs(30);
/// How long children that were killed may take to be gone.
const REAP_LIMIT: Duration = Duration::from_secs(2);
/// How long nobody is accepted after descriptors ran out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long a handed-over pane set waits for the server that was to come by itself.
pub(crate) const HANDOVER_LIMIT: Duration = Duration::from_secs(5);

/// What the start of the process prepared.
pub(crate) struct Inherited {
    pub(crate) listener: OwnedFd,
    pub(crate) signals: OwnedFd,
    /// The limit of open files that children get.
    pub(crate) files: Rlimit,
}

/// A session that was hung up and will be killed.
pub(crate) struct Killing {
    due: Instant,
    pid: i32,
}

/// Everything the host knows.
pub(crate) struct Host {
    pub(crate) options: Options,
    pub(crate) inherited: Inherited,
    pub(crate) epoll: OwnedFd,
    pub(crate) panes: BTreeMap<PaneUuid, Pane>,
    /// Children that live but whose pane is forgotten.
    pub(crate) forgotten: BTreeSet<i32>,
    pub(crate) killings: Vec<Killing>,
    pub(crate) peers: Vec<Peer>,
    pub(crate) peer_count: u64,
    pub(crate) pane_count: u64,
    /// The token of the peer that is the server.
    pub(crate) server: Option<u64>,
    /// Since when that server was ready.
    pub(crate) ready: Option<Instant>,
    pub(crate) state: Rc<OwnedFd>,
    pub(crate) kept_listener: Option<Rc<OwnedFd>>,
    pub(crate) recorded: Option<Command>,
    /// The command of a server that has served: it is started when a successor does not come.
    pub(crate) proven: Option<Command>,
    pub(crate) restarts: Restarts,
    /// When to start a server.
    pub(crate) start_at: Option<Instant>,
    /// The server that was started and did not connect yet, and until when it may.
    starting: Option<(i32, Instant)>,
    /// The server left for good.
    pub(crate) leaving: bool,
    /// Children are being ended; at this time they are killed, or given up when they were.
    ending: Option<(Instant, bool)>,
    accept_again: Option<Instant>,
    empty_since: Option<Instant>,
    pub(crate) register: Register,
}

/// Runs until the host is to exit; then removes its socket.
pub(crate) fn run(options: Options, inherited: Inherited) -> io::Result<()> {
    let state = StateMemory::create()?.into_fd();
    let restarts = Restarts::new(options.restart_limit);
    let register = Register::new(&options.socket);
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    epoll::add(&epoll, &inherited.listener, EventData::new_u64(LISTENER), EventFlags::IN)?;
    epoll::add(&epoll, &inherited.signals, EventData::new_u64(SIGNALS), EventFlags::IN)?;
    let mut host = Host {
        options,
        inherited,
        epoll,
        panes: BTreeMap::new(),
        forgotten: BTreeSet::new(),
        killings: Vec::new(),
        peers: Vec::new(),
        peer_count: 0,
        pane_count: 0,
        server: None,
        ready: None,
        state: Rc::new(state),
        kept_listener: None,
        recorded: None,
        proven: None,
        restarts,
        start_at: None,
        starting: None,
        leaving: false,
        ending: None,
        accept_again: None,
        empty_since: None,
        register,
    };
    while !host.turn()? {}
    remove_socket(&host.options.socket);
    Ok(())
}

fn remove_socket(path: &Path) {
    let _ = std::fs::remove_file(path);
}

impl Host {
    /// Waits for something and does it. True when it was the last turn.
    fn turn(&mut self) -> io::Result<bool> {
        let now = Instant::now();
        if self.is_done(now) {
            return Ok(true);
        }
        let timeout = self.deadline().map(|at| at.saturating_duration_since(now));
        let timeout = timeout.and_then(|it| rustix::event::Timespec::try_from(it).ok());
        let mut events = [const { std::mem::MaybeUninit::<epoll::Event>::uninit() }; 32];
        let (ready, _) = match epoll::wait(&self.epoll, &mut events, timeout.as_ref()) {
            Err(rustix::io::Errno::INTR) => return Ok(false),
            result => result?,
        };
        let tokens: Vec<u64> = ready.iter().map(|event| event.data.u64()).collect();
        let now = Instant::now();
        for token in tokens {
            match token {
                LISTENER => self.accept(now),
                SIGNALS => self.read_signals(now),
                PEERS..PTYS => self.peer_ready(token, now),
                _ => self.pty_ready(token - PTYS, now),
            }
        }
        self.run_timers(now);
        Ok(false)
    }

    /// Count of children that live.
    pub(crate) fn living(&self) -> usize {
        self.panes.values().filter(|pane| pane.exited.is_none()).count() + self.forgotten.len()
    }

    fn is_done(&mut self, now: Instant) -> bool {
        let living = self.living();
        if let Some((due, killed)) = self.ending {
            return living == 0 && (killed || self.sessions_are_empty()) || killed && now >= due;
        }
        let served = self.server.is_some() || self.starting.is_some() || self.start_at.is_some();
        if living > 0 || served || !self.killings.is_empty() {
            self.empty_since = None;
            return false;
        }
        let since = *self.empty_since.get_or_insert(now);
        self.leaving || now >= since + self.options.linger
    }

    fn deadline(&self) -> Option<Instant> {
        let limit = self.options.drain_limit;
        let drains = self.panes.values().filter_map(|pane| pane.drain.as_ref()?.deadline(limit));
        let peers = self.peers.iter().filter_map(|peer| peer.hello_by);
        let killings = self.killings.iter().map(|killing| killing.due);
        let others = [
            self.start_at,
            self.starting.map(|(_, until)| until),
            self.ending.map(|(due, _)| due),
            self.accept_again,
            self.empty_since.map(|since| since + self.options.linger),
        ];
        drains.chain(peers).chain(killings).chain(others.into_iter().flatten()).min()
    }

    fn run_timers(&mut self, now: Instant) {
        let due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if due(self.accept_again) {
            self.accept_again = None;
            let data = EventData::new_u64(LISTENER);
            let _ = epoll::add(&self.epoll, &self.inherited.listener, data, EventFlags::IN);
        }
        while let Some(index) = self.peers.iter().position(|peer| due(peer.hello_by)) {
            let peer = self.peers.swap_remove(index);
            self.drop_peer(peer, now);
        }
        if self.killings.iter().any(|killing| killing.due <= now) {
            self.kill_due(now);
        }
        if let Some((pid, _)) = self.starting.filter(|(_, until)| *until <= now) {
            session::signal_process(pid, Signal::KILL);
            self.starting = None;
            self.server_missing(now);
        }
        if due(self.start_at) {
            self.start_at = None;
            self.start_server(now);
        }
        if let Some((at, false)) = self.ending.filter(|(at, _)| *at <= now) {
            session::signal_sessions(&self.all_sessions(), Signal::KILL);
            self.ending = Some((at + REAP_LIMIT, true));
        }
        self.lose_due(now);
    }

    fn accept(&mut self, now: Instant) {
        match Peer::accept(&self.inherited.listener, PEERS + self.peer_count, now) {
            Ok(Some(peer)) => {
                self.peer_count += 1;
                let token = EventData::new_u64(peer.token);
                if self.has_room_for_peer() && epoll::add(&self.epoll, &peer.wire, token, EventFlags::IN).is_ok() {
                    self.peers.push(peer);
                }
            }
            Ok(None) => {}
            Err(_) => {
                // Out of descriptors, usually: the listener would be ready again at once.
                let _ = epoll::delete(&self.epoll, &self.inherited.listener);
                self.accept_again = Some(now + ACCEPT_PAUSE);
            }
        }
    }

    fn read_signals(&mut self, now: Instant) {
        let mut buffer = [0u8; 128 * 8];
        let length = rustix::io::read(&self.inherited.signals, &mut buffer).unwrap_or(0);
        // The number is the first field of each signalfd_siginfo (128 bytes).
        let numbers: Vec<u8> = buffer[..length].chunks_exact(128).map(|info| info[0]).collect();
        if numbers.contains(&(libc::SIGCHLD as u8)) {
            self.reap(now);
        }
        if numbers.contains(&(libc::SIGTERM as u8)) {
            self.part_with_server();
            self.end(now);
        }
    }

    fn reap(&mut self, now: Instant) {
        while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
            let exit = match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Exit::Code(code),
                (None, Some(signal)) => Exit::Signal(signal),
                (None, None) => continue,
            };
            self.child_ended(pid.as_raw_nonzero().get(), exit, now);
        }
    }

    fn child_ended(&mut self, pid: i32, exit: Exit, now: Instant) {
        if self.starting.is_some_and(|(starting, _)| starting == pid) {
            self.starting = None;
            self.server_missing(now);
        }
        self.forgotten.remove(&pid);
        let pane = self.panes.iter_mut().find(|(_, pane)| pane.pid == pid && pane.exited.is_none());
        if let Some((id, pane)) = pane {
            pane.exited = Some(exit);
            let id = *id;
            // What it leaves behind is its own affair, unless the pane is being closed. A host that ends drops it all at once.
            if self.ending.is_none() && !self.killings.iter().any(|killing| killing.pid == pid) {
                self.register.remove(pid);
            }
            self.tell_server(&Answer::Exited { id, exit }, Vec::new(), now);
        }
    }

    /// Ends all children, then the host.
    pub(crate) fn end(&mut self, now: Instant) {
        if self.ending.is_some() {
            return;
        }
        self.ending = Some((now + self.options.kill_grace, false));
        self.start_at = None;
        for pane in self.panes.values().filter(|pane| pane.exited.is_none()) {
            hang_up(pane);
        }
    }

    /// Whether children are being ended.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending.is_some()
    }

    /// Hangs a pane up; what is left of its session after the grace is killed.
    pub(crate) fn kill(&mut self, id: PaneUuid, now: Instant) {
        let Some(pane) = self.panes.get(&id) else { return };
        let pid = pane.pid;
        if pane.exited.is_none() {
            hang_up(pane);
        } else {
            session::signal_sessions(&[(pid, false)], Signal::HUP);
        }
        if !self.killings.iter().any(|killing| killing.pid == pid) {
            self.killings.push(Killing { due: now + self.options.kill_grace, pid });
        }
    }

    fn kill_due(&mut self, now: Instant) {
        let (due, rest) = std::mem::take(&mut self.killings).into_iter().partition(|killing| killing.due <= now);
        self.killings = rest;
        let due: Vec<Killing> = due;
        let sessions: Vec<_> = due.iter().map(|killing| (killing.pid, self.is_living(killing.pid))).collect();
        session::signal_sessions(&sessions, Signal::KILL);
        for killing in due {
            self.register.remove(killing.pid);
        }
    }

    fn is_living(&self, pid: i32) -> bool {
        let of_pane = |pane: &Pane| pane.pid == pid && pane.exited.is_none();
        self.forgotten.contains(&pid) || self.panes.values().any(of_pane)
    }

    fn all_sessions(&self) -> Vec<(i32, bool)> {
        let panes = self.panes.values().map(|pane| (pane.pid, pane.exited.is_none()));
        let forgotten = self.forgotten.iter().map(|pid| (*pid, true));
        let killings = self.killings.iter().map(|killing| (killing.pid, self.is_living(killing.pid)));
        panes.chain(forgotten).chain(killings).collect()
    }

    fn sessions_are_empty(&self) -> bool {
        session::members(&self.all_sessions()).is_empty()
    }

    /// There is no server any more: the host reads the ptys, and can be found by the next one.
    pub(crate) fn begin_draining(&mut self) {
        self.restore_socket();
        for pane in self.panes.values_mut().filter(|pane| pane.drain.is_none()) {
            pane.drain = Drain::new(&pane.memory).map(Box::new);
            if pane.drain.is_some() {
                let token = EventData::new_u64(PTYS + pane.serial);
                let _ = epoll::add(&self.epoll, &*pane.master, token, EventFlags::IN);
            }
        }
    }

    /// Makes the socket again if somebody removed it; in place of something else it is not put.
    fn restore_socket(&mut self) {
        let path = &self.options.socket;
        if !std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return;
        }
        let Ok(listener) = crate::start::bind(path) else { return };
        let _ = epoll::delete(&self.epoll, &self.inherited.listener);
        self.inherited.listener = listener;
        self.accept_again = None;
        let data = EventData::new_u64(LISTENER);
        let _ = epoll::add(&self.epoll, &self.inherited.listener, data, EventFlags::IN);
    }

    /// A server reads the ptys from now on.
    pub(crate) fn stop_draining(&mut self) {
        for pane in self.panes.values_mut() {
            if pane.drain.take().is_some_and(|drain| drain.wants_input()) {
                let _ = epoll::delete(&self.epoll, &*pane.master);
            }
        }
    }

    fn pty_ready(&mut self, serial: u64, now: Instant) {
        let Some(pane) = self.panes.values_mut().find(|pane| pane.serial == serial) else { return };
        let Some(drain) = pane.drain.as_mut().filter(|drain| drain.wants_input()) else { return };
        drain.read(&pane.master, now);
        if !drain.wants_input() {
            let _ = epoll::delete(&self.epoll, &*pane.master);
        }
    }

    fn lose_due(&mut self, now: Instant) {
        let limit = self.options.drain_limit;
        for pane in self.panes.values_mut() {
            let Some(drain) = pane.drain.as_mut() else { continue };
            if drain.deadline(limit).is_some_and(|at| at <= now) {
                drain.lose();
                let token = EventData::new_u64(PTYS + pane.serial);
                let _ = epoll::add(&self.epoll, &*pane.master, token, EventFlags::IN);
            }
        }
    }

    /// A server ended unasked, or one that was started did not come.
    pub(crate) fn server_missing(&mut self, now: Instant) {
        let life = self.ready.take().map_or(Life::Failed, Life::Served);
        if life == Life::Failed && self.proven.is_some() {
            self.recorded.clone_from(&self.proven);
        }
        let wanted = self.recorded.is_some() && self.server.is_none() && !self.leaving && self.ending.is_none();
        if wanted {
            self.start_at = self.restarts.next(now, life);
            if self.start_at.is_none() {
                // Else calls would wait at a socket that nobody serves. Refused, they start a server themselves.
                self.kept_listener = None;
            }
        }
    }

    /// A server connected.
    pub(crate) fn server_came(&mut self) {
        self.start_at = None;
        self.starting = None;
        self.ready = None;
        self.leaving = false;
        self.stop_draining();
    }

    fn start_server(&mut self, now: Instant) {
        let Some(recorded) = &self.recorded else { return };
        match spawn::start_server(recorded, &self.options.socket, &self.inherited.files) {
            Ok(pid) => self.starting = Some((pid, now + START_LIMIT)),
            Err(_) => self.server_missing(now),
        }
    }
}

fn hang_up(pane: &Pane) {
    session::signal_groups(pane.pid, pane.master.as_fd(), Signal::HUP);
    session::signal_groups(pane.pid, pane.master.as_fd(), Signal::CONT);
}
