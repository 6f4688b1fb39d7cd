//! A client's connection: its socket, and the terminal or pipes it gave.

use crate::os::poll::{Poll, Token};
use crate::os::socket;
use crate::os::tty::{Access, without_waiting};
use crate::protocol::{Decoder, Exit, Greeting, Hello, Manner, ProtocolError, ToClient, ToServer, encode, mismatch};
use crate::tty::Tty;
use control::Session as Control;
use mux::ClientId;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// Most bytes that may wait for a client's socket; one that takes nothing is dropped.
const OUT_LIMIT: usize = 64 << 20;
/// Longest line of a control client.
const LINE_LIMIT: usize = 16 << 20;

/// What a connected client's screen is.
pub(super) enum Face {
    /// A command: text over the socket.
    Plain,
    /// A session drawn on its terminal.
    Drawn(Box<Tty>),
    /// Control mode.
    Control(Box<Control>),
}

/// A client's connection.
pub(super) struct Connection {
    pub(super) id: ClientId,
    stream: UnixStream,
    decoder: Decoder<ToServer>,
    descriptors: Vec<OwnedFd>,
    out: Vec<u8>,
    /// It said who it is.
    pub(super) hello: Option<Box<Hello>>,
    /// Its terminal, or the lines of a control client.
    pub(super) input: Option<OwnedFd>,
    /// What a control client is written to.
    pub(super) output: Option<OwnedFd>,
    pub(super) face: Face,
    /// The terminal was asked for; it is taken when the client answers.
    pub(super) asked: bool,
    /// Its end was said: nothing more is taken from it.
    pub(super) ended: bool,
    /// Bytes of a control client's line that has no end yet.
    line: Vec<u8>,
    skipping: bool,
    /// Its input can't be watched: it is read every turn.
    pub(super) unwatched: bool,
    /// The end of a control client's input was seen.
    pub(super) input_ended: bool,
    /// Its terminal did not take everything yet.
    pub(super) waits: bool,
    /// To be dropped once everything is written, as its next server is another one.
    pub(super) parts: bool,
    /// To be dropped.
    pub(super) broken: bool,
    /// Who is at the other end.
    pub(super) peer: socket::Peer,
    /// What is said last, once everything before it is written.
    farewell: Option<Exit>,
}

impl Connection {
    pub(super) fn new(id: ClientId, stream: UnixStream, peer: socket::Peer) -> io::Result<Connection> {
        stream.set_nonblocking(true)?;
        let out = Greeting::ours(std::process::id()).encode();
        Ok(Connection {
            id,
            stream,
            decoder: Decoder::default(),
            descriptors: Vec::new(),
            out,
            hello: None,
            input: None,
            output: None,
            face: Face::Plain,
            asked: false,
            ended: false,
            line: Vec::new(),
            skipping: false,
            unwatched: false,
            input_ended: false,
            waits: false,
            parts: false,
            broken: false,
            peer,
            farewell: None,
        })
    }

    pub(super) fn watch(&self, poll: &Poll) {
        poll.add(self.stream.as_fd(), Token::Socket(self.id.0), true, !self.out.is_empty());
    }

    /// Take what came over the socket.
    pub(super) fn receive(&mut self) -> Vec<ToServer> {
        let mut frames = Vec::new();
        let mut buffer = [0; 16 * 1024];
        loop {
            match socket::receive(&self.stream, &mut buffer, &mut self.descriptors) {
                Ok(0) => {
                    self.broken = true;
                    break;
                }
                Ok(count) => {
                    self.decoder.push(&buffer[..count]);
                    loop {
                        match self.decoder.next() {
                            Ok(Some(frame)) => frames.push(frame),
                            Ok(None) => break,
                            Err(error) => {
                                self.refuse(&error);
                                return frames;
                            }
                        }
                    }
                    if count < buffer.len() {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    self.broken = true;
                    break;
                }
            }
        }
        frames
    }

    fn refuse(&mut self, error: &ProtocolError) {
        if let ProtocolError::Mismatch(theirs) = error {
            let words = mismatch(theirs, &Greeting::ours(std::process::id()));
            self.send(&ToClient::Stderr(format!("{words}\n").as_str().into()));
        }
        self.flush_blind();
        self.broken = true;
    }

    /// Take the descriptors that came with the hello. Those that were not announced are closed.
    pub(super) fn take_descriptors(&mut self, hello: &Hello) {
        let mut given = std::mem::take(&mut self.descriptors).into_iter();
        if hello.descriptors.stdin {
            let terminal = hello.manner == Manner::Command;
            let access = if terminal { Access::Both } else { Access::Read };
            self.input = given.next().and_then(|fd| without_waiting(fd, access).ok());
        }
        if hello.descriptors.stdout {
            self.output = given.next().and_then(|fd| without_waiting(fd, Access::Write).ok());
        }
    }

    /// Send a frame, as soon as the socket takes it.
    pub(super) fn send(&mut self, frame: &ToClient) {
        self.out.extend_from_slice(&encode(frame));
        if self.out.len() > OUT_LIMIT {
            self.broken = true;
        }
    }

    /// End a client that may not use the server.
    pub(super) fn turn_away(&mut self, words: &str) {
        self.end(Exit { message: Some(words.to_owned()), ..Exit::done(1) });
    }

    /// End the client once everything is written.
    pub(super) fn end(&mut self, exit: Exit) {
        self.ended = true;
        self.farewell = Some(exit);
    }

    /// Write what waits, on the socket and on a control client's output.
    pub(super) fn flush(&mut self, poll: &Poll) {
        if self.ended {
            self.leave_input(poll);
        }
        self.flush_control(poll);
        if self.farewell.is_some() && !self.is_writing() {
            let exit = self.farewell.take().expect("it is there, as was just seen");
            self.send(&ToClient::Exit(exit));
        }
        let waited = !self.out.is_empty();
        self.flush_blind();
        self.broken |= self.parts && self.out.is_empty() && !self.is_writing();
        if waited || !self.out.is_empty() {
            poll.change(self.stream.as_fd(), Token::Socket(self.id.0), true, !self.out.is_empty());
        }
    }

    /// Leave a control client its input, which it may read on itself (flag `wait-exit`).
    fn leave_input(&mut self, poll: &Poll) {
        if let Some(input) = self.input.take_if(|_| matches!(self.face, Face::Control(_))) {
            poll.remove(input.as_fd());
            self.input_ended = true;
        }
    }

    /// True while a control client's last lines, or a terminal's last bytes, are not out.
    fn is_writing(&self) -> bool {
        match &self.face {
            Face::Control(session) => !session.pending().is_empty() && !self.input_broken(),
            _ => false,
        }
    }

    fn input_broken(&self) -> bool {
        self.output.is_none()
    }

    fn flush_blind(&mut self) {
        while !self.out.is_empty() {
            match rustix::net::send(&self.stream, &self.out, rustix::net::SendFlags::NOSIGNAL) {
                Ok(count) => drop(self.out.drain(..count)),
                Err(rustix::io::Errno::AGAIN) => return,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => {
                    self.broken = true;
                    return self.out.clear();
                }
            }
        }
    }

    fn flush_control(&mut self, poll: &Poll) {
        let Face::Control(session) = &mut self.face else { return };
        let Some(output) = &self.output else { return };
        let before = session.pending().len();
        if before == 0 {
            return;
        }
        let mut written = 0;
        while written < session.pending().len() {
            match rustix::io::write(output, &session.pending()[written..]) {
                Ok(count) => written += count,
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Err(_) => written = session.pending().len(),
            }
        }
        session.written(written);
        let rest = !session.pending().is_empty();
        // The loss of the reader is told by the descriptor itself, which is watched on.
        poll.change(output.as_fd(), Token::Output(self.id.0), false, rest);
    }

    /// Read a control client's lines. `None` in the list is the end of its input.
    pub(super) fn read_lines(&mut self, poll: &Poll) -> Vec<Option<Vec<u8>>> {
        let mut lines = Vec::new();
        let Some(input) = &self.input else {
            if self.unwatched && !std::mem::replace(&mut self.input_ended, true) {
                lines.push(None);
            }
            return lines;
        };
        let mut buffer = [0; 16 * 1024];
        let mut ended = false;
        loop {
            match rustix::io::read(input, &mut buffer) {
                Ok(0) => {
                    ended = true;
                    break;
                }
                Ok(count) => {
                    take_lines(&mut self.line, &mut self.skipping, &buffer[..count], &mut lines);
                    if count < buffer.len() || lines.len() > 1000 {
                        break;
                    }
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Err(_) => {
                    ended = true;
                    break;
                }
            }
        }
        if ended {
            poll.remove(input.as_fd());
            self.input = None;
            self.input_ended = true;
            lines.push(None);
        }
        lines
    }

    /// Stop watching everything of this connection.
    pub(super) fn forget(&self, poll: &Poll) {
        poll.remove(self.stream.as_fd());
        for fd in [&self.input, &self.output].into_iter().flatten() {
            poll.remove(fd.as_fd());
        }
    }
}

fn take_lines(line: &mut Vec<u8>, skipping: &mut bool, bytes: &[u8], lines: &mut Vec<Option<Vec<u8>>>) {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
        line.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let whole = std::mem::take(line);
        if !std::mem::take(skipping) {
            lines.push(Some(whole));
        }
    }
    line.extend_from_slice(rest);
    if line.len() > LINE_LIMIT {
        // A line without end: its beginning is dropped, and so is the rest when it comes.
        line.clear();
        *skipping = true;
    }
}
