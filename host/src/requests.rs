//! What peers ask of the host, one connection at a time. A peer that breaks a rule is dropped; nothing else happens.

use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::Instant;

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::process::Signal;

use crate::memory::PaneMemory;
use crate::panes::Pane;
use crate::peer::Peer;
use crate::protocol::{
    Answer, FRAME_LIMIT, Goodbye, HELLO_LIMIT, METADATA_LIMIT, PaneRecord, PaneUuid, ProtocolError, Request, Spawn,
    SpawnError, VERSION, frame, hello_frame, read_hello, read_value,
};
use crate::serve::{HANDOVER_LIMIT, Host};
use crate::wire::WireError;
use crate::{session, spawn};

/// While a peer has this much to read, its requests wait.
const BACKLOG_LIMIT: usize = 1024 * 1024;
/// At most this many connections.
const PEER_LIMIT: usize = 16;
/// Reads of one peer before the others get their turn.
const READS_A_TURN: usize = 16;

impl Host {
    /// Whether one more may connect.
    pub(crate) fn has_room_for_peer(&self) -> bool {
        self.peers.len() < PEER_LIMIT
    }

    /// Reads from a peer and writes to it, as far as it goes.
    pub(crate) fn peer_ready(&mut self, token: u64, now: Instant) {
        let Some(index) = self.peers.iter().position(|peer| peer.token == token) else { return };
        let mut peer = self.peers.swap_remove(index);
        match self.serve_peer(&mut peer, now) {
            Ok(()) => self.peers.push(peer),
            Err(_) => self.drop_peer(peer, now),
        }
    }

    /// Closes a connection. The server's, without a goodbye, means that it died.
    pub(crate) fn drop_peer(&mut self, mut peer: Peer, now: Instant) {
        // What was said before the fault is still good.
        let _ = peer.wire.flush();
        let _ = epoll::delete(&self.epoll, &peer.wire);
        if self.server != Some(peer.token) {
            return;
        }
        self.server = None;
        self.begin_draining();
        if !peer.left {
            self.server_missing(now);
        }
    }

    /// The host is to end: its server learns that before any child does, so that it keeps what they were and takes none
    /// for having ended by itself. It reads the ptys to their end.
    pub(crate) fn part_with_server(&mut self) {
        let Some(token) = self.server.take() else { return };
        if let Some(index) = self.peers.iter().position(|peer| peer.token == token) {
            let mut peer = self.peers.swap_remove(index);
            let _ = peer.wire.flush();
            let _ = epoll::delete(&self.epoll, &peer.wire);
        }
    }

    /// Sends to the server, when there is one.
    pub(crate) fn tell_server(&mut self, answer: &Answer, fds: Vec<Rc<OwnedFd>>, now: Instant) {
        let Some(token) = self.server else { return };
        if let Some(peer) = self.peers.iter_mut().find(|peer| peer.token == token) {
            send(peer, answer, fds);
            self.peer_ready(token, now);
        }
    }

    fn serve_peer(&mut self, peer: &mut Peer, now: Instant) -> Result<(), WireError> {
        for _ in 0..READS_A_TURN {
            self.handle_frames(peer, now)?;
            if peer.wire.backlog() >= BACKLOG_LIMIT || !peer.wire.fill()? {
                break;
            }
        }
        self.handle_frames(peer, now)?;
        self.send_adopted(peer);
        peer.wire.flush()?;
        self.send_adopted(peer);
        self.watch(peer)
    }

    fn watch(&self, peer: &Peer) -> Result<(), WireError> {
        let backlog = peer.wire.backlog();
        let mut flags = EventFlags::empty();
        flags.set(EventFlags::IN, backlog < BACKLOG_LIMIT);
        flags.set(EventFlags::OUT, backlog > 0);
        epoll::modify(&self.epoll, &peer.wire, EventData::new_u64(peer.token), flags)?;
        Ok(())
    }

    fn handle_frames(&mut self, peer: &mut Peer, now: Instant) -> Result<(), WireError> {
        while peer.wire.backlog() < BACKLOG_LIMIT {
            let limit = if peer.hello_by.is_some() { HELLO_LIMIT } else { FRAME_LIMIT };
            let Some(payload) = peer.wire.next(limit)? else { break };
            if peer.hello_by.is_some() {
                self.greet(peer, &payload)?;
            } else {
                let request: Request = read_value(&payload)?;
                let fds = peer.wire.take_fds(request.fds())?;
                self.handle(peer, request, fds, now)?;
            }
        }
        Ok(())
    }

    fn greet(&mut self, peer: &mut Peer, payload: &[u8]) -> Result<(), WireError> {
        let (version, _) = read_hello(payload)?;
        let server = self.server.and_then(|token| self.peers.iter().find(|peer| peer.token == token));
        let refusal = match server {
            _ if version != VERSION => ProtocolError::Version { host: VERSION, server: version }.to_string(),
            _ if self.is_ending() => "the host is ending".to_owned(),
            Some(server) => format!("a server (pid {}) is connected to the host", server.pid),
            None => String::new(),
        };
        peer.wire.queue(hello_frame(VERSION, &refusal), Vec::new());
        if !refusal.is_empty() {
            peer.wire.flush()?;
            return Err(WireError::Closed);
        }
        peer.hello_by = None;
        self.server = Some(peer.token);
        self.server_came();
        send(peer, &Answer::State, vec![self.state.clone()]);
        Ok(())
    }

    fn handle(&mut self, peer: &mut Peer, request: Request, fds: Vec<OwnedFd>, now: Instant) -> Result<(), WireError> {
        if peer.left {
            return Err(ProtocolError::Garbage.into());
        }
        match request {
            Request::Adopt => self.begin_adoption(peer),
            Request::Listener => self.kept_listener = fds.into_iter().next().map(Rc::new),
            Request::Record(command) => {
                if self.ready.is_none() {
                    // What a server says of itself once it serves; later it may name a successor, which is to prove itself.
                    self.proven = Some(command.clone());
                }
                self.recorded = Some(command);
                self.ready.get_or_insert(now);
            }
            Request::Spawn(spawn) => self.spawn(peer, &spawn),
            Request::Metadata { id, bytes } => {
                if let Some(pane) = self.panes.get_mut(&id).filter(|_| bytes.len() <= METADATA_LIMIT) {
                    pane.metadata = bytes.into();
                }
            }
            Request::Signal { id, signal, group } => self.signal(id, signal, group),
            Request::Kill { id } => self.kill(id, now),
            Request::Forget { id } => self.forget(id, now),
            Request::Goodbye(goodbye) => self.take_leave(peer, goodbye, now),
        }
        Ok(())
    }

    fn begin_adoption(&mut self, peer: &mut Peer) {
        if let Some(listener) = &self.kept_listener {
            send(peer, &Answer::Listener, vec![listener.clone()]);
        }
        peer.adopting = Some(self.panes.keys().copied().collect());
    }

    /// Sends panes of an adoption while the peer takes them.
    fn send_adopted(&mut self, peer: &mut Peer) {
        let Some(mut waiting) = peer.adopting.take() else { return };
        while peer.wire.backlog() < BACKLOG_LIMIT {
            let Some(id) = waiting.pop_front() else {
                return send(peer, &Answer::Adopted, Vec::new());
            };
            if let Some(pane) = self.panes.get(&id) {
                send(peer, &Answer::Pane(pane.record(id)), pane.fds());
            }
        }
        peer.adopting = Some(waiting);
    }

    fn spawn(&mut self, peer: &mut Peer, request: &Spawn) {
        match self.try_spawn(request) {
            Ok((record, fds)) => send(peer, &Answer::Spawned(record), fds),
            Err(error) => send(peer, &Answer::Failed(error), Vec::new()),
        }
    }

    fn try_spawn(&mut self, request: &Spawn) -> Result<(PaneRecord, Vec<Rc<OwnedFd>>), SpawnError> {
        let refused = |why: &str| Err(SpawnError::Refused(why.to_owned()));
        if self.panes.contains_key(&request.id) {
            return refused("pane id in use");
        }
        if request.metadata.len() > METADATA_LIMIT {
            return refused("too much metadata");
        }
        if self.is_ending() {
            return refused("the host is ending");
        }
        let memory = PaneMemory::create().map_err(|error| SpawnError::Fork(spawn::words(&error)))?;
        let spawned = spawn::spawn(request, &self.inherited.files)?;
        self.register.add(spawned.pid, &request.command.env);
        let memory = memory.into_fd().expect("no page store of it was made");
        self.pane_count += 1;
        let pane = Pane {
            serial: self.pane_count,
            pid: spawned.pid,
            tty: spawned.tty.into(),
            metadata: request.metadata.as_slice().into(),
            exited: None,
            master: Rc::new(spawned.master),
            memory: Rc::new(memory),
            drain: None,
        };
        let answer = (pane.record(request.id), pane.fds());
        self.panes.insert(request.id, pane);
        Ok(answer)
    }

    fn signal(&mut self, id: PaneUuid, number: i32, group: bool) {
        let Some(signal) = Signal::from_named_raw(number) else { return };
        match self.panes.get(&id).filter(|pane| pane.exited.is_none()) {
            Some(pane) if group => session::signal_groups(pane.pid, &*pane.master, signal),
            Some(pane) => session::signal_process(pane.pid, signal),
            None => {}
        }
    }

    fn forget(&mut self, id: PaneUuid, now: Instant) {
        if self.panes.get(&id).is_some_and(|pane| pane.exited.is_none()) {
            self.kill(id, now);
        }
        if let Some(pane) = self.panes.remove(&id).filter(|pane| pane.exited.is_none()) {
            self.forgotten.insert(pane.pid);
        }
    }

    fn take_leave(&mut self, peer: &mut Peer, goodbye: Goodbye, now: Instant) {
        peer.left = true;
        self.server = None;
        self.ready = None;
        match goodbye {
            Goodbye::Handover { start: true } => self.start_at = Some(now),
            Goodbye::Handover { start: false } => self.start_at = Some(now + HANDOVER_LIMIT),
            Goodbye::Teardown => return self.end(now),
            Goodbye::Leave => self.leaving = true,
        }
        self.begin_draining();
    }
}

fn send(peer: &mut Peer, answer: &Answer, fds: Vec<Rc<OwnedFd>>) {
    debug_assert_eq!(answer.fds(), fds.len());
    if let Some(bytes) = frame(answer) {
        peer.wire.queue(bytes, fds);
    }
}
