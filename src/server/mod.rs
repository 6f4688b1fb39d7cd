//! The server: one loop that takes what happened to the model, does what the model wants done, and draws once a turn.
//!
//! Order within a turn: the host's notices, clients' input, panes' output (each within a budget), jobs; then the model
//! runs until nothing can run; then control clients and terminals are written. So `^C` acts at once in a flood.

// It reads the clocks and touches files, processes and sockets.
#![allow(clippy::disallowed_methods)]

mod adopt;
mod connection;
mod hello;
mod job;
mod keep;
mod live;
mod panes;
mod recover;
mod shim;
mod start;
mod turn;

pub use keep::home_of;
pub use start::{is_command, run, starts_server};

use crate::os::poll::{Poll, Token};
use crate::protocol::{Bytes, Exit as Leave, How, ToClient};
use connection::{Connection, Face};
use job::JobIo;
use keep::Keeper;
use live::Live;
use mux::{ClientId, Effect, End, Event, Farewell, JobId, Mark, Mux, Now, PaneId};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixListener;
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::io::unix::AsyncFd;

/// Most bytes of one pane that are parsed in a turn.
const PANE_BUDGET: usize = 64 * 1024;
/// Least time between two frames of a stream on a terminal.
const FRAME_INTERVAL: Duration = Duration::from_millis(8);
/// How long clients may take to leave when the server ends.
const FAREWELL_TIME: Duration = Duration::from_secs(2);

/// Marks in a pane's memory.
mod marks {
    /// The screen was resized.
    pub(super) const RESIZED: u16 = 1;
}

/// Everything the server has.
pub(crate) struct Server {
    mux: Mux,
    live: Live,
    listener: UnixListener,
    /// How the host starts another server.
    start_command: host::Command,
    poll: Rc<Poll>,
    connections: BTreeMap<ClientId, Connection>,
    jobs: BTreeMap<JobId, JobIo>,
    keeper: Keeper,
    next_client: u32,
    /// The user's file of engines.
    engines_file: crate::engines::Watched,
    /// Some pane is held.
    holding: bool,
    /// Something may be ready although nobody told: a budget was used up.
    busy: bool,
    /// When the terminals were last drawn.
    drawn_at: Instant,
    /// The model's count of visible changes then.
    drawn_visible: u64,
    /// Something changed since then.
    undrawn: bool,
    ending: Option<End>,
    end_by: Option<Instant>,
}

impl Server {
    fn now() -> Now {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Now { instant: Instant::now(), unix }
    }

    /// The loop. Gives how the server ended.
    async fn serve(&mut self) -> io::Result<End> {
        #[expect(
            deprecated,
            reason = "what follows it is unsafe; this descriptor is owned by what is given, for as long"
        )]
        let ready = AsyncFd::new(PollFd(self.poll.clone()))?;
        let mut signals = Signals::new()?;
        loop {
            if let Some(end) = self.ending.filter(|_| self.may_end()) {
                return Ok(end);
            }
            let deadline = self.deadline();
            let sleep = async {
                match deadline {
                    _ if self.busy => {}
                    Some(at) => tokio::time::sleep_until(at.into()).await,
                    None => std::future::pending().await,
                }
            };
            let mut guard = None;
            tokio::select! {
                biased;
                signal = signals.next() => self.signal(signal),
                ready = ready.readable() => guard = Some(ready?),
                () = sleep => {}
            }
            let quiet = self.turn();
            if let Some(mut guard) = guard.filter(|_| quiet) {
                guard.clear_ready();
            }
        }
    }

    /// Whether everybody has left who has to be waited for.
    fn may_end(&self) -> bool {
        let parted = self.connections.is_empty() && !self.live.is_parting();
        parted || self.end_by.is_some_and(|at| at <= Instant::now())
    }

    fn deadline(&self) -> Option<Instant> {
        let frame = self.undrawn.then(|| self.drawn_at + FRAME_INTERVAL);
        let last_words = self.ending.and_then(|_| self.live.last_words_by());
        [self.mux.deadline(), frame, self.end_by, last_words, self.keeper.deadline(), self.next_told()]
            .into_iter()
            .flatten()
            .min()
    }

    fn signal(&mut self, signal: Signal) {
        match signal {
            Signal::Stop => self.mux.stop_server(Server::now(), &mut self.live),
            Signal::Socket => self.recreate_socket(),
        }
    }

    /// SIGUSR1: make the socket again, as somebody removed it.
    fn recreate_socket(&mut self) {
        let path = std::path::PathBuf::from(&self.mux.identity.socket);
        let _ = std::fs::remove_file(&path);
        let Ok(listener) = crate::os::socket::listen(&path) else { return };
        let _ = listener.set_nonblocking(true);
        self.poll.remove(self.listener.as_fd());
        self.listener = listener;
        self.poll.add(self.listener.as_fd(), Token::Listener, true, false);
        let _ = self.live.host.keep_listener(&self.listener);
    }

    /// Do what the model wants done and tell what happened, until there is nothing left of either.
    fn settle(&mut self, now: Now) {
        loop {
            let mut any = false;
            while let Some(event) = self.mux.poll_event() {
                any = true;
                self.tell(&event);
            }
            while let Some(effect) = self.mux.poll_effect() {
                any = true;
                self.act(now, effect);
            }
            if !any {
                break;
            }
        }
        self.take_terminals();
    }

    /// Tell control clients of an event.
    fn tell(&mut self, event: &Event) {
        for connection in self.connections.values_mut() {
            let Face::Control(session) = &mut connection.face else { continue };
            let own = connection.id;
            match event {
                Event::PaneFlow(client, pane, action) if *client == own => session.set_pane(*pane, action),
                Event::Unsubscribed(client, name) if *client == own => session.unsubscribe(name),
                Event::Subscription { client, name, place, value } if *client == own => {
                    session.subscription(name, place, value);
                }
                Event::PaneFlow(..) | Event::Unsubscribed(..) | Event::Subscription { .. } => {}
                event => session.event(&self.mux, event),
            }
        }
        if let Event::PaneFlow(..) = event {
            self.hold_panes();
        }
    }

    fn act(&mut self, now: Now, effect: Effect) {
        match effect {
            Effect::WritePane(pane, bytes) => self.write_pane(pane, &bytes),
            Effect::ResizePane(pane, size) => self.resize_pane(pane, size),
            Effect::ClosePane(pane) => self.live.close(pane),
            Effect::StopPane(pane) => {
                self.keeper.stopped(&self.mux, &self.live, pane);
                self.live.put_to_sleep(pane);
            }
            Effect::MarkPane(pane, mark) => self.mark_pane(pane, mark),
            Effect::RunJob(mut job) => {
                job.environment = self.live.shim.provide(&job.environment).into_owned();
                self.run_job(now, &job);
            }
            Effect::KillJob(job) => {
                if let Some(io) = self.jobs.get(&job) {
                    io.kill();
                }
            }
            Effect::WriteJob(job, bytes) => {
                if let Some(io) = self.jobs.get_mut(&job) {
                    io.write(job, &bytes, &self.poll);
                }
            }
            Effect::Stdout(client, bytes) => self.send_text(client, bytes, ToClient::Stdout),
            Effect::Stderr(client, bytes) => self.send_text(client, bytes, ToClient::Stderr),
            Effect::ReadStdin(client) => self.send(client, &ToClient::ReadStdin),
            Effect::Terminal(client, bytes) => self.raw_to_terminal(client, &bytes),
            Effect::EndClient(client, farewell) => self.end_client(client, farewell),
            Effect::SuspendClient(client) => {
                self.leave_terminal(client);
                self.send(client, &ToClient::Suspend);
            }
            Effect::ExecClient(client, command) => {
                self.leave_terminal(client);
                self.send(client, &ToClient::Lock(command));
            }
            Effect::Persist(stale) => self.keeper.forget(stale),
            Effect::Exit(end) => {
                self.ending = Some(end);
                self.end_by = Some(Instant::now() + FAREWELL_TIME);
                // Whoever knocks from now on is for the next server.
                self.poll.remove(self.listener.as_fd());
                match end {
                    End::HandOver => self.part_for_handover(),
                    // What the programs say when they are ended is theirs to have back.
                    End::Freeze => self.live.put_all_to_sleep(),
                    End::Forget | End::Empty => {}
                }
            }
        }
    }

    fn run_job(&mut self, now: Now, job: &mux::Job) {
        match JobIo::start(job, &self.poll) {
            Ok(io) => {
                self.mux.job_started(job.id, io.pid());
                self.jobs.insert(job.id, io);
            }
            Err(_) => self.mux.handle(now, &mut self.live, mux::Input::JobDone(job.id, mux::Exit::Status(127))),
        }
    }

    fn send(&mut self, client: ClientId, frame: &ToClient) {
        if let Some(connection) = self.connections.get_mut(&client) {
            connection.send(frame);
        }
    }

    fn send_text(&mut self, client: ClientId, bytes: Vec<u8>, frame: fn(Bytes) -> ToClient) {
        let Some(connection) = self.connections.get_mut(&client) else { return };
        for piece in bytes.chunks(crate::protocol::PIECE_LIMIT) {
            connection.send(&frame(Bytes(piece.to_vec())));
        }
    }

    /// The attached clients of a server that hands over stay: they are told to come to the next one, which is to find
    /// those too that knock from now on.
    fn part_for_handover(&mut self) {
        for connection in self.connections.values_mut() {
            match connection.face {
                Face::Plain => {}
                _ => {
                    connection.send(&ToClient::Restarting);
                    connection.ended = true;
                    connection.parts = true;
                }
            }
        }
    }

    fn end_client(&mut self, client: ClientId, farewell: Farewell) {
        self.leave_terminal(client);
        let shell = self.mux.globals.session.text("default-shell");
        let wait_exit = self
            .mux
            .clients
            .get(&client)
            .is_some_and(|client| client.flags.contains(mux::client::ClientFlags::WAIT_EXIT));
        let Some(connection) = self.connections.get_mut(&client) else { return };
        let leave = |code: i32, message: Option<String>, how: How| Leave { code, message, how, wait_exit: false };
        let exit = match farewell {
            Farewell::Done(code) => Leave::done(code),
            Farewell::Detached(words) => leave(0, None, How::Detached(session_of(&words))),
            Farewell::DetachedKill(words) => leave(0, None, How::DetachedKill(session_of(&words))),
            Farewell::Exec(command) => leave(
                0,
                None,
                How::Exec { command, shell: if shell.starts_with('/') { shell } else { "/bin/sh".to_owned() } },
            ),
            Farewell::Exited(words) if words == "server exited" => leave(1, None, How::ServerExited),
            Farewell::Exited(words) if words == "exited" => leave(0, None, How::Done),
            Farewell::Exited(words) => leave(0, Some(words), How::Done),
            Farewell::Control(reason, code) => Leave { wait_exit, ..leave(code, reason, How::Done) },
        };
        connection.end(exit);
    }

    fn write_pane(&mut self, pane: PaneId, bytes: &[u8]) {
        const LIMIT: usize = 16 << 20;
        let Some(io) = self.live.panes.get_mut(&pane) else { return };
        if io.out.len() + bytes.len() > LIMIT {
            return;
        }
        io.out.extend_from_slice(bytes);
        self.flush_pane(pane);
    }

    /// Write what waits for a pane's program, as far as its pty takes it.
    fn flush_pane(&mut self, pane: PaneId) {
        let Some(io) = self.live.panes.get_mut(&pane) else { return };
        while !io.out.is_empty() {
            match rustix::io::write(&io.master, &io.out) {
                Ok(count) => drop(io.out.drain(..count)),
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Err(_) => io.out.clear(),
            }
        }
        if io.waits == io.out.is_empty() {
            io.waits = !io.out.is_empty();
            self.watch_pane(pane);
        }
    }

    fn watch_pane(&self, pane: PaneId) {
        let Some(io) = self.live.panes.get(&pane).filter(|io| !io.ended) else { return };
        self.poll.change(io.master.as_fd(), Token::Pane(pane.0), !io.held, io.waits);
    }

    fn resize_pane(&mut self, pane: PaneId, (cols, rows): (u16, u16)) {
        let Some(io) = self.live.panes.get(&pane) else { return };
        let size = rustix::termios::Winsize { ws_col: cols, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
        let _ = rustix::termios::tcsetwinsize(&io.master, size);
    }

    fn mark_pane(&mut self, pane: PaneId, mark: Mark) {
        let resized = matches!(mark, Mark::Resized(..));
        if !resized && self.live.asleep.contains_key(&pane) {
            // What its memory has is no longer so; of a new size the model knows by itself.
            self.live.wake(pane);
            return self.keeper.changed_asleep(&self.mux, pane);
        }
        let Some(io) = self.live.panes.get_mut(&pane) else { return };
        let noted = match mark {
            Mark::Resized(cols, rows) => io.memory.mark(marks::RESIZED, cols, rows),
            Mark::HistoryCleared | Mark::Replaced => false,
        };
        if !noted {
            self.checkpoint(pane);
        }
    }

    /// Write a pane's screen into its memory, so that a replay starts from here. False when that can't be done.
    fn checkpoint(&mut self, pane: PaneId) -> bool {
        let (Some(io), Some(entry)) = (self.live.panes.get_mut(&pane), self.mux.panes.get(&pane)) else { return false };
        let offset = io.journal().parsed();
        io.memory.write_checkpoint(&entry.terminal.checkpoint(), offset).is_ok()
    }
}

/// The session's name in `detached (from session NAME)` and its like.
fn session_of(words: &str) -> String {
    let name = words.split_once("(from session ").map_or("", |(_, rest)| rest);
    name.strip_suffix(')').unwrap_or(name).to_owned()
}

/// A poll set as tokio wants it.
struct PollFd(Rc<Poll>);

impl std::os::fd::AsRawFd for PollFd {
    fn as_raw_fd(&self) -> std::os::fd::RawFd {
        self.0.as_raw_fd()
    }
}

/// What a signal asks for.
enum Signal {
    /// Freeze and end.
    Stop,
    /// Make the socket again.
    Socket,
}

/// The signals that the server hears.
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    user: tokio::signal::unix::Signal,
    /// HUP, and USR2, which a tmux takes for its log: these must not end it.
    _unheard: [tokio::signal::unix::Signal; 2],
}

impl Signals {
    fn new() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            user: signal(SignalKind::user_defined1())?,
            _unheard: [signal(SignalKind::hangup())?, signal(SignalKind::user_defined2())?],
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal::Stop,
            _ = self.interrupt.recv() => Signal::Stop,
            _ = self.user.recv() => Signal::Socket,
        }
    }
}
