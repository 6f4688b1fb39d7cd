//! The loop of a client: frames from the server, signals, its stdin; and what it does when the server is lost.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::end::{End, Reason};
use super::link::{Link, Lost, TooLong};
use super::terminal::Terminal;
use super::{complain, hello, refusal};
use crate::cli::Invocation;
use crate::os::paths::SocketPath;
use crate::os::signal::{Signal, Signals};
use crate::os::socket;
use crate::os::tty::{self, Saved};
use crate::protocol::{Manner, PIECE_LIMIT, PROTOCOL, ProtocolError, ToClient, ToServer};

/// How long a lost server is looked for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait between two looks when nobody listens.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// How long a server may take to leave the terminal of a client that was told to go.
const LEAVING: Duration = Duration::from_secs(2);

/// How many servers may go without a greeting before that is taken for a fault.
const UNGREETED: u8 = 2;
const TOO_LONG: &str = "command too long";

/// A client that has a connection.
pub(super) struct Client<'a> {
    pub(super) socket: &'a SocketPath,
    pub(super) invocation: &'a Invocation,
    /// A word that may be no command.
    pub(super) uncertain: Option<&'a OsStr>,
    link: Link,
    pub(super) terminal: Option<Terminal>,
    /// Of a control client, and of one that is attached. A command has the system's defaults.
    pub(super) signals: Option<Signals>,
    /// The modes that `-CC` changed.
    pub(super) lines: Option<Saved>,
    pub(super) session: Option<String>,
    /// A server may be started for it.
    starts: bool,
    /// How often a server went before it had even greeted.
    ungreeted: u8,
    /// It has become the newer program already; once is enough.
    renewed: bool,
    sends_stdin: bool,
    restarting: bool,
    /// Until when the lost server is looked for; `None` while it is there.
    look_until: Option<Instant>,
    /// Until when the server may take to end us.
    leave_until: Option<Instant>,
    /// Why we go, when it was not the server who said it.
    pub(super) reason: Option<Reason>,
    pub(super) was_unknown: bool,
}

/// What came first.
enum Event {
    Frame(ToClient),
    Signal(Signal),
    Stdin,
    Lost(Lost),
    /// A time is over.
    Time,
}

impl<'a> Client<'a> {
    pub(super) fn new(
        socket: &'a SocketPath,
        invocation: &'a Invocation,
        uncertain: Option<&'a OsStr>,
        stream: UnixStream,
        reattach: Option<String>,
    ) -> Client<'a> {
        Client {
            socket,
            invocation,
            uncertain,
            link: Link::new(stream),
            terminal: None,
            signals: None,
            lines: None,
            starts: false,
            ungreeted: 0,
            renewed: reattach.is_some(),
            session: reattach,
            sends_stdin: false,
            restarting: false,
            look_until: None,
            leave_until: None,
            reason: None,
            was_unknown: false,
        }
    }

    /// Lets it start a server, should the one it has found be at its end.
    pub(super) fn starting(self, starts: bool) -> Client<'a> {
        Client { starts, ..self }
    }

    pub(super) fn is_control(&self) -> bool {
        matches!(self.invocation.manner, Manner::Control | Manner::ControlTerminal)
    }

    /// Is a client to the end. Gives the exit status, unless it becomes another program.
    pub(super) fn run(mut self) -> i32 {
        if self.invocation.manner == Manner::ControlTerminal {
            match Saved::read(io::stdin()) {
                Err(error) => return complain(&format!("tcgetattr failed: {}", crate::os::words(&error)), 1),
                Ok(saved) => {
                    let _ = saved.lines(io::stdin());
                    self.lines = Some(saved);
                }
            }
        }
        if self.is_control() {
            self.signals = Signals::take().ok();
        }
        let end = match self.link.hello(hello::gather(self.invocation, self.session.clone())) {
            Ok(()) => self.serve(),
            Err(TooLong) => End::Refused(TOO_LONG.to_owned()),
        };
        self.finish(end)
    }

    fn serve(&mut self) -> End {
        loop {
            let event = self.wait();
            let end = match event {
                Event::Frame(frame) => self.take_frame(frame),
                Event::Signal(signal) => self.take_signal(signal),
                Event::Stdin => {
                    self.forward_stdin();
                    None
                }
                Event::Lost(lost) => self.take_loss(lost),
                Event::Time => self.take_time(),
            };
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// Waits for what comes first. Frames that are here already come before all else, signals before new frames.
    fn wait(&mut self) -> Event {
        loop {
            match self.link.next() {
                Err(lost) => return Event::Lost(lost),
                Ok(Some(frame)) => return Event::Frame(frame),
                Ok(None) => {}
            }
            if let Some(signal) = self.signals.as_mut().and_then(Signals::next_heard) {
                return Event::Signal(signal);
            }
            let until = self.look_until.into_iter().chain(self.leave_until).min();
            let ungreeted = self.link.server().is_none() && until.is_none();
            if ungreeted || self.signals.is_none() && !self.sends_stdin && until.is_none() {
                // A command has nothing else to wait for, and who was not greeted yet nothing to lose.
                if let Err(lost) = self.link.fill() {
                    return Event::Lost(lost);
                }
                continue;
            }
            let ready = ready(&self.link, self.signals.as_ref(), self.sends_stdin, until);
            if ready.timed_out {
                return Event::Time;
            }
            if ready.link
                && let Err(lost) = self.link.fill()
            {
                return Event::Lost(lost);
            }
            if ready.stdin {
                return Event::Stdin;
            }
        }
    }

    fn take_frame(&mut self, frame: ToClient) -> Option<End> {
        (self.look_until, self.renewed, self.restarting) = (None, false, false);
        match frame {
            ToClient::Stdout(bytes) => write_all(io::stdout(), &bytes),
            ToClient::Stderr(bytes) => {
                self.was_unknown |= bytes.starts_with(b"unknown command:");
                write_all(io::stderr(), &bytes);
            }
            ToClient::ReadStdin => self.sends_stdin = true,
            ToClient::Attached(attached) => {
                match &mut self.terminal {
                    Some(terminal) => terminal.attached = attached,
                    None => self.terminal = Some(Terminal::take(attached)),
                }
                if self.signals.is_none() {
                    self.signals = Signals::take().ok();
                }
                self.send_size();
            }
            ToClient::Session(session) => self.session = Some(session),
            ToClient::Suspend => {
                if let (Some(terminal), Some(signals)) = (&self.terminal, &self.signals) {
                    terminal.stop(signals);
                }
                self.send_resumed();
            }
            ToClient::Lock(command) => {
                if let Some(terminal) = &self.terminal {
                    terminal.lend(&command);
                }
                self.send_resumed();
            }
            ToClient::Restarting => self.restarting = true,
            ToClient::Exit(exit) => return Some(End::Told(exit)),
        }
        None
    }

    fn send_resumed(&self) {
        self.link.send(&ToServer::Resumed);
        self.send_size();
    }

    fn send_size(&self) {
        self.link.send(&ToServer::Resize(tty::size(io::stdin())));
    }

    fn take_signal(&mut self, signal: Signal) -> Option<End> {
        match signal {
            Signal::Resize if self.terminal.is_some() => self.send_size(),
            Signal::Continue => {
                if let Some(terminal) = &self.terminal {
                    // Who stopped us may have changed the terminal.
                    terminal.raw();
                    self.send_resumed();
                }
            }
            Signal::Resize => {}
            Signal::Hangup | Signal::Terminate => {
                if self.terminal.is_some() {
                    let lost = signal == Signal::Hangup;
                    self.reason = Some(if lost { Reason::LostTty } else { Reason::Terminated });
                }
                if self.look_until.is_some() {
                    return Some(End::Lost);
                }
                self.link.send(&ToServer::Exiting);
                self.leave_until = Some(Instant::now() + LEAVING);
            }
        }
        None
    }

    fn forward_stdin(&mut self) {
        let mut piece = vec![0; PIECE_LIMIT];
        let count = match io::stdin().lock().read(&mut piece) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(_) => 0,
        };
        self.sends_stdin = count > 0;
        self.link.send_input(&piece[..count]);
    }

    /// The server is gone. An attached client looks for the one that takes over.
    fn take_loss(&mut self, lost: Lost) -> Option<End> {
        if let Lost::Refused(error) = &lost {
            let newer = matches!(error, ProtocolError::Mismatch(server) if server.protocol > PROTOCOL);
            if newer && self.look_until.is_some() && !self.renewed {
                return Some(End::Renew);
            }
            return Some(End::Refused(refusal(error, self.socket)));
        }
        if matches!(lost, Lost::Silent) {
            return Some(End::Refused(super::silence(self.socket, self.link.peer())));
        }
        if self.leave_until.is_some() {
            return Some(End::Lost);
        }
        if self.link.server().is_none() && self.look_until.is_none() && self.ungreeted < UNGREETED {
            return self.knock_again();
        }
        // It was at its end, and did nothing of what was asked.
        let untouched = self.session.is_none() && self.terminal.is_none() && !self.is_control();
        if self.restarting && untouched && self.ungreeted < UNGREETED {
            self.restarting = false;
            return self.knock_again();
        }
        let comes_back = self.terminal.as_ref().is_some_and(|terminal| terminal.attached.comes_back);
        if self.session.is_none() || !(comes_back || self.restarting) {
            self.reason = Some(Reason::LostServer);
            return Some(End::Lost);
        }
        let looked_before = self.look_until.is_some();
        let until = *self.look_until.get_or_insert_with(|| Instant::now() + PATIENCE);
        if looked_before {
            // Else a server that drops every connection would be hammered.
            if let Some(end) = self.pause(until) {
                return Some(end);
            }
        }
        self.look(until)
    }

    /// The server went with us still in its queue, as one does that ends at this moment: nothing has run, so ask the next.
    fn knock_again(&mut self) -> Option<End> {
        self.ungreeted += 1;
        match super::reach(self.socket, self.invocation, self.starts) {
            Err(error) => Some(End::Refused(error.to_string())),
            Ok(stream) => {
                self.link = Link::new(stream);
                let hello = hello::gather(self.invocation, self.session.clone());
                self.link.hello(hello).err().map(|TooLong| End::Refused(TOO_LONG.to_owned()))
            }
        }
    }

    /// Connects again, as often as there is time for. The answer is waited for in the loop.
    fn look(&mut self, until: Instant) -> Option<End> {
        self.sends_stdin = false;
        loop {
            if Instant::now() >= until {
                self.reason = Some(Reason::LostServer);
                return Some(End::Lost);
            }
            if let Ok(stream) = socket::connect(&self.socket.path, Some(Duration::from_secs(1))) {
                self.link = Link::new(stream);
                if self.link.hello(hello::gather(self.invocation, self.session.clone())).is_ok() {
                    return None;
                }
            }
            if let Some(end) = self.pause(until) {
                return Some(end);
            }
        }
    }

    /// A short while, or until a signal ends us.
    fn pause(&mut self, until: Instant) -> Option<End> {
        let pause_until = until.min(Instant::now() + LOOK_AGAIN);
        loop {
            let left = pause_until.saturating_duration_since(Instant::now());
            match self.signals.as_mut().and_then(Signals::next_heard) {
                Some(signal @ (Signal::Hangup | Signal::Terminate)) => return self.take_signal(signal),
                Some(_) => continue,
                None if left.is_zero() => return None,
                None => {}
            }
            let mut fds: Vec<PollFd<'_>> = self.signals.iter().map(|it| PollFd::new(it, PollFlags::IN)).collect();
            let _ = poll(&mut fds, Some(&timespec(left)));
        }
    }

    fn take_time(&mut self) -> Option<End> {
        if self.look_until.is_some() {
            self.reason.get_or_insert(Reason::LostServer);
        }
        Some(End::Lost)
    }
}

/// What is ready.
struct Ready {
    link: bool,
    stdin: bool,
    timed_out: bool,
}

fn ready(link: &Link, signals: Option<&Signals>, with_stdin: bool, until: Option<Instant>) -> Ready {
    let stdin = io::stdin();
    let mut fds = vec![PollFd::new(link, PollFlags::IN)];
    fds.extend(signals.map(|signals| PollFd::new(signals, PollFlags::IN)));
    if with_stdin {
        fds.push(PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN));
    }
    let left = until.map(|until| timespec(until.saturating_duration_since(Instant::now())));
    let count = poll(&mut fds, left.as_ref());
    let is_ready = |fd: &PollFd<'_>| !fd.revents().is_empty();
    let stdin = with_stdin && fds.last().is_some_and(is_ready);
    Ready { link: is_ready(&fds[0]), stdin, timed_out: count == Ok(0) }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec::try_from(duration).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 })
}

/// Writes all of it; a reader that went away is no error of ours.
pub(super) fn write_all(to: impl AsFd, mut bytes: &[u8]) {
    use rustix::io::Errno;
    while !bytes.is_empty() {
        match rustix::io::write(&to, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            // A server that shared the descriptor had turned waiting off.
            Err(Errno::AGAIN) => tty::set_blocking(&to),
            Err(_) => return,
        }
    }
}
