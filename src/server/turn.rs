//! One turn of the server: read what is ready, run the model, write.

use super::connection::{Connection, Face};
use super::{FRAME_INTERVAL, Server};
use crate::os::poll::{Ready, Token};
use crate::protocol::{Attached, Bytes, Hello as Said, Manner, ToClient, ToServer};
use crate::tty::Tty;
use control::Session as Control;
use mux::{ClientId, Input, JobId, Now, PaneId};
use std::os::fd::AsFd;

/// What a client is told that shall know how to leave its terminal without a server.
fn attached(leave: Vec<u8>) -> ToClient {
    ToClient::Attached(Attached { leave: Bytes(leave), comes_back: true })
}

impl Server {
    /// One turn. True when nothing was ready and nothing is left to do.
    pub(super) fn turn(&mut self) -> bool {
        self.live.next_turn();
        let now = Server::now();
        let mut ready = self.poll.ready();
        let quiet = ready.is_empty();
        // Terminals first: a key must not wait for a flood. Commands come after what programs have written before them.
        ready.sort_by_key(|ready| match ready.token {
            Token::Host | Token::Keeper => 0,
            Token::Listener | Token::Input(_) | Token::Output(_) => 1,
            Token::Pane(_) => 2,
            Token::Socket(_) => 3,
            Token::JobOutput(_) | Token::JobInput(_) | Token::JobEnd(_) => 4,
        });
        self.busy = false;
        for ready in ready {
            self.serve_ready(now, ready);
        }
        self.read_unwatched(now);
        self.finish_due(now);
        self.mux.handle(now, &mut self.live, Input::Tick);
        self.settle(now);
        self.write_control(now);
        self.draw(now);
        self.mux.start_format_jobs(now);
        self.settle(now);
        self.mux.keep_moving(now);
        self.drop_broken(now);
        let Server { keeper, mux, live, .. } = self;
        keeper.turn(mux, live, now);
        quiet && !self.busy
    }

    fn serve_ready(&mut self, now: Now, ready: Ready) {
        match ready.token {
            Token::Listener => self.accept(),
            Token::Host => self.host_said(now),
            Token::Keeper => self.keeper.woken(),
            Token::Socket(client) => self.serve_socket(now, ClientId(client)),
            Token::Input(client) => self.serve_input(now, ClientId(client)),
            // It is watched for writing only: to be readable it must have lost its reader.
            Token::Output(client) if ready.read => self.output_lost(now, ClientId(client)),
            Token::Output(client) => self.flush_client(ClientId(client)),
            Token::Pane(pane) => {
                if ready.write {
                    self.flush_pane(PaneId(pane));
                }
                if ready.read {
                    self.read_pane(now, PaneId(pane));
                }
            }
            Token::JobOutput(job) => self.read_job(now, JobId(job)),
            Token::JobInput(job) => {
                if let Some(io) = self.jobs.get_mut(&JobId(job)) {
                    io.flush(JobId(job), &self.poll);
                }
            }
            Token::JobEnd(job) => {
                if let Some(io) = self.jobs.get_mut(&JobId(job)) {
                    io.reap(&self.poll);
                }
                self.finish_job(now, JobId(job));
            }
        }
    }

    /// Read inputs that can't be watched.
    fn read_unwatched(&mut self, now: Now) {
        let unwatched = |connection: &&Connection| connection.unwatched && !connection.input_ended && !connection.ended;
        let ids: Vec<ClientId> = self.connections.values().filter(unwatched).map(|connection| connection.id).collect();
        for id in ids {
            self.serve_input(now, id);
            self.busy = true;
        }
    }

    fn accept(&mut self) {
        if self.ending.is_some() {
            return;
        }
        // Whoever comes now may want an engine that was written down a moment ago.
        if let Some(engines) = self.engines_file.again() {
            self.mux.set_engines(engines);
        }
        while let Ok((stream, _)) = self.listener.accept() {
            let Ok(peer) = crate::os::socket::peer(&stream) else { continue };
            let allowed = self.mux.right_of(peer.uid, peer.gid).is_some();
            self.next_client += 1;
            let id = ClientId(self.next_client);
            if let Ok(mut connection) = Connection::new(id, stream, peer) {
                if !allowed {
                    connection.turn_away(mux::access::NOT_ALLOWED);
                }
                connection.watch(&self.poll);
                self.connections.insert(id, connection);
            }
        }
    }

    fn host_said(&mut self, now: Now) {
        for notice in self.live.host.poll() {
            match notice {
                host::Notice::Exited { id, exit } => {
                    if let Some(pane) = self.live.pane_of(id) {
                        if let Some(io) = self.live.panes.get_mut(&pane) {
                            io.exit = Some(exit);
                        }
                        self.read_pane(now, pane);
                        self.finish_pane(now, pane);
                    }
                }
                host::Notice::Gone => {
                    // The children end with it: what is on disk brings them back.
                    self.live.lose_host();
                    self.mux.stop_server(now, &mut self.live);
                }
            }
        }
    }

    fn serve_socket(&mut self, now: Now, id: ClientId) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        for frame in connection.receive() {
            self.frame(now, id, frame);
        }
        // What a command changed is on the terminals before its caller goes on, as in tmux.
        self.draw(now);
        self.flush_client(id);
    }

    fn frame(&mut self, now: Now, id: ClientId, frame: ToServer) {
        match frame {
            ToServer::Hello(hello) => self.hello(now, id, hello),
            ToServer::Resize(size) => {
                let taken = self.take_terminal(id);
                let size = size.cells();
                if let Some(Face::Drawn(tty)) = self.connections.get_mut(&id).map(|connection| &mut connection.face) {
                    tty.resize(size);
                }
                if self.mux.clients.get(&id).is_some_and(|client| client.size != Some(size)) || taken {
                    self.mux.handle(now, &mut self.live, Input::ClientResized(id, size));
                }
                self.undrawn = true;
            }
            ToServer::Stdin(bytes) => self.mux.handle(now, &mut self.live, Input::ClientInput(id, Some(&bytes))),
            ToServer::StdinEof => self.mux.handle(now, &mut self.live, Input::ClientInput(id, None)),
            ToServer::Resumed => {
                self.mux.handle(now, &mut self.live, Input::ClientResumed(id));
                if let Some(connection) = self.connections.get_mut(&id)
                    && let Face::Drawn(tty) = &mut connection.face
                {
                    tty.enter();
                    if let Some(input) = &connection.input {
                        self.poll.add(input.as_fd(), Token::Input(id.0), true, false);
                    }
                }
                self.undrawn = true;
            }
            ToServer::Exiting => {
                self.mux.handle(now, &mut self.live, Input::ClientGone(id));
                self.leave_terminal(id);
                if let Some(connection) = self.connections.get_mut(&id) {
                    connection.end(crate::protocol::Exit::done(0));
                }
            }
        }
    }

    fn hello(&mut self, now: Now, id: ClientId, said: Box<Said>) {
        let new = |connection: &&mut Connection| connection.hello.is_none() && !connection.ended;
        let Some(connection) = self.connections.get_mut(&id).filter(new) else { return };
        // It came a moment too late: what it wants would end with this server. The next one is for it.
        if self.ending.is_some() {
            connection.send(&ToClient::Restarting);
            connection.ended = true;
            connection.parts = true;
            return;
        }
        // What it may do can have changed since it came.
        let Some(right) = self.mux.right_of(connection.peer.uid, connection.peer.gid) else {
            return connection.turn_away(mux::access::NOT_ALLOWED);
        };
        connection.take_descriptors(&said);
        let control = matches!(said.manner, Manner::Control | Manner::ControlTerminal);
        if control {
            let opens = said.manner == Manner::ControlTerminal && said.reattach.is_none();
            connection.face = Face::Control(Box::new(Control::new(id, opens)));
            if let Some(output) = &connection.output {
                self.poll.add(output.as_fd(), Token::Output(id.0), false, false);
            }
        }
        if said.manner == Manner::Shell {
            let shell = self.mux.globals.session.text("default-shell");
            connection.end(crate::protocol::Exit {
                code: 0,
                message: None,
                how: crate::protocol::How::Shell(shell),
                wait_exit: false,
            });
            return;
        }
        let hello = super::hello::model_hello(&said, connection.peer, right == mux::access::Right::Read);
        connection.hello = Some(said);
        self.mux.handle(now, &mut self.live, Input::ClientConnected(id, Box::new(hello)));
        self.settle(now);
    }

    /// Ask for the terminals of clients that came to show a session, and tell clients which session they show.
    pub(super) fn take_terminals(&mut self) {
        for (id, connection) in &mut self.connections {
            let Some(client) = self.mux.clients.get(id).filter(|client| client.session.is_some() && !client.leaving)
            else {
                continue;
            };
            if connection.asked || connection.ended {
                continue;
            }
            connection.asked = true;
            if let Some(session) = client.session {
                connection.send(&ToClient::Session(session.to_string()));
            }
            match &connection.face {
                Face::Control(_) => {
                    // Lines are read once the first command is done and the client is attached.
                    if let Some(input) = &connection.input {
                        connection.unwatched = !self.poll.add(input.as_fd(), Token::Input(id.0), true, false);
                    } else {
                        connection.unwatched = true;
                    }
                }
                _ => {
                    let leave = Tty::new(&self.mux, client).map(|tty| tty.farewell()).unwrap_or_default();
                    connection.send(&attached(leave));
                }
            }
        }
    }

    /// The client's terminal is raw: draw on it from now on. True when it was just taken.
    fn take_terminal(&mut self, id: ClientId) -> bool {
        let Some(client) = self.mux.clients.get(&id) else { return false };
        let Some(connection) = self.connections.get_mut(&id) else { return false };
        if !connection.asked || !matches!(connection.face, Face::Plain) {
            return false;
        }
        let Ok(mut tty) = Tty::new(&self.mux, client) else { return false };
        tty.enter();
        if let Some(input) = &connection.input {
            self.poll.add(input.as_fd(), Token::Input(id.0), true, false);
        }
        connection.face = Face::Drawn(Box::new(tty));
        true
    }

    /// Give a client's terminal back, clean.
    pub(super) fn leave_terminal(&mut self, id: ClientId) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let Face::Drawn(tty) = &mut connection.face else { return };
        let bytes = tty.leave();
        let Some(input) = &connection.input else { return };
        self.poll.remove(input.as_fd());
        // The last bytes are written at once: the client restores the terminal's modes right after.
        write_patiently(input, &bytes);
    }

    fn serve_input(&mut self, now: Now, id: ClientId) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if matches!(connection.face, Face::Control(_)) {
            for line in connection.read_lines(&self.poll) {
                match line {
                    Some(line) => self.mux.handle(now, &mut self.live, Input::ClientLine(id, &line)),
                    None => self.mux.handle(now, &mut self.live, Input::ClientInput(id, None)),
                }
                self.settle(now);
            }
            return;
        }
        let Some(input) = &connection.input else { return };
        let mut buffer = [0; 4096];
        match rustix::io::read(input, &mut buffer) {
            Ok(0) => self.terminal_lost(now, id),
            Ok(count) => {
                self.mux.handle(now, &mut self.live, Input::ClientBytes(id, &buffer[..count]));
                self.settle(now);
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Err(_) => self.terminal_lost(now, id),
        }
        self.flush_client(id);
    }

    /// Nobody reads a control client's lines any more: it ends, as at the end of its input.
    fn output_lost(&mut self, now: Now, id: ClientId) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if let Some(output) = connection.output.take() {
            self.poll.remove(output.as_fd());
            self.mux.handle(now, &mut self.live, Input::ClientInput(id, None));
        }
    }

    /// A client's terminal is gone: so is the client, and nothing else.
    fn terminal_lost(&mut self, now: Now, id: ClientId) {
        if let Some(connection) = self.connections.get_mut(&id) {
            if let Some(input) = connection.input.take() {
                self.poll.remove(input.as_fd());
            }
            connection.end(crate::protocol::Exit {
                code: 0,
                message: Some("lost tty".to_owned()),
                how: crate::protocol::How::Done,
                wait_exit: false,
            });
        }
        self.mux.handle(now, &mut self.live, Input::ClientGone(id));
    }

    fn read_job(&mut self, now: Now, job: JobId) {
        let Some(io) = self.jobs.get_mut(&job) else { return };
        match io.read(&self.poll) {
            Some(bytes) if bytes.is_empty() => {}
            Some(bytes) => self.mux.handle(now, &mut self.live, Input::JobOutput(job, &bytes)),
            None => self.finish_job(now, job),
        }
    }

    fn finish_job(&mut self, now: Now, job: JobId) {
        let Some((last, exit)) = self.jobs.get_mut(&job).and_then(|io| io.done(&self.poll)) else { return };
        self.jobs.remove(&job);
        if !last.is_empty() {
            self.mux.handle(now, &mut self.live, Input::JobOutput(job, &last));
        }
        self.mux.handle(now, &mut self.live, Input::JobDone(job, exit));
        self.settle(now);
    }

    /// Put waiting output of control clients on the wire, and write everybody.
    fn write_control(&mut self, now: Now) {
        self.remember(now);
        let mut behind = false;
        for connection in self.connections.values_mut() {
            if let Face::Control(session) = &mut connection.face {
                let alive = session.flush(&self.mux, now.instant);
                behind |= session.is_busy();
                if !alive {
                    connection.end(too_far_behind());
                }
            }
            connection.flush(&self.poll);
        }
        if behind {
            self.hold_panes();
        }
    }

    /// Draw what changed: at once after a rest, and in a stream at a steady pace.
    fn draw(&mut self, now: Now) {
        let visible = self.mux.visible;
        self.undrawn |= self.drawn_visible != visible;
        if !self.undrawn || now.instant < self.drawn_at + FRAME_INTERVAL {
            return;
        }
        self.undrawn = false;
        self.drawn_at = now.instant;
        self.drawn_visible = visible;
        let repaint = std::mem::take(&mut self.mux.repaint);
        for (id, connection) in &mut self.connections {
            let Face::Drawn(tty) = &mut connection.face else { continue };
            if connection.ended || self.mux.clients.get(id).is_none_or(|client| client.suspended) {
                continue;
            }
            if repaint.contains(id) {
                tty.repaint();
            }
            tty.update(&mut self.mux, &self.live, now);
            if let Some(leave) = tty.take_new_farewell() {
                connection.send(&attached(leave));
            }
        }
        let ids: Vec<ClientId> = self.connections.keys().copied().collect();
        for id in ids {
            self.flush_client(id);
        }
    }

    /// Write what waits for a client's terminal, or its pipes.
    pub(super) fn flush_client(&mut self, id: ClientId) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if let Face::Drawn(tty) = &mut connection.face
            && let Some(input) = &connection.input
            && !connection.ended
        {
            let mut broken = false;
            while !tty.pending().is_empty() {
                match rustix::io::write(input, tty.pending()) {
                    Ok(count) => tty.written(count),
                    Err(rustix::io::Errno::INTR) => {}
                    Err(rustix::io::Errno::AGAIN) => break,
                    Err(_) => {
                        broken = true;
                        break;
                    }
                }
            }
            let waits = !tty.pending().is_empty();
            if connection.waits != waits {
                connection.waits = waits;
                self.poll.change(input.as_fd(), Token::Input(id.0), true, waits);
                self.undrawn |= !waits;
            }
            if broken {
                let now = Server::now();
                self.terminal_lost(now, id);
            }
        }
        self.remember(Server::now());
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.flush(&self.poll);
        }
    }

    /// Before anybody is told of a change it is where the next server finds it: this one may be killed right after.
    fn remember(&mut self, now: Now) {
        let Server { keeper, mux, live, .. } = self;
        keeper.remember(mux, live, now);
    }

    pub(super) fn raw_to_terminal(&mut self, id: ClientId, bytes: &[u8]) {
        if let Some(Face::Drawn(tty)) = self.connections.get_mut(&id).map(|connection| &mut connection.face) {
            tty.raw(bytes);
        }
        self.flush_client(id);
    }

    /// Drop connections that are gone.
    fn drop_broken(&mut self, now: Now) {
        let gone: Vec<ClientId> =
            self.connections.values().filter(|connection| connection.broken).map(|connection| connection.id).collect();
        for id in gone {
            if let Some(connection) = self.connections.remove(&id) {
                connection.forget(&self.poll);
            }
            // One that goes on with the next server did not leave its session.
            let parts = self.ending == Some(mux::End::HandOver);
            if self.mux.clients.contains_key(&id) && !parts {
                self.mux.handle(now, &mut self.live, Input::ClientGone(id));
            }
        }
        self.settle(now);
    }
}

pub(super) fn too_far_behind() -> crate::protocol::Exit {
    crate::protocol::Exit {
        code: 0,
        message: Some("too far behind".to_owned()),
        how: crate::protocol::How::Done,
        wait_exit: false,
    }
}

/// Write the last bytes to a terminal, waiting a little for one that is slow.
fn write_patiently(fd: &std::os::fd::OwnedFd, bytes: &[u8]) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut rest = bytes;
    while !rest.is_empty() {
        match rustix::io::write(fd, rest) {
            Ok(count) => rest = &rest[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => {
                let patience = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
                let mut fds = [PollFd::new(fd, PollFlags::OUT)];
                if !matches!(poll(&mut fds, Some(&patience)), Ok(ready) if ready > 0) {
                    return;
                }
            }
            Err(_) => return,
        }
    }
}
