//! The client's end of the connection: blocking, frames in and out.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::os::socket;
use crate::protocol::{
    Bytes, Decoder, Descriptors, FRAME_LIMIT, Greeting, Hello, PIECE_LIMIT, ProtocolError, ToClient, ToServer, encode,
};

/// Why nothing more comes.
#[derive(Debug)]
pub(super) enum Lost {
    /// The server closed, or died.
    Ended,
    /// What it says is not understood.
    Refused(ProtocolError),
    /// It has not said a word in all the time that a server may need to begin.
    Silent,
}

/// A connection.
#[derive(Debug)]
pub(super) struct Link {
    stream: UnixStream,
    decoder: Decoder<ToClient>,
    buffer: Box<[u8]>,
}

impl AsFd for Link {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl Link {
    pub(super) fn new(stream: UnixStream) -> Link {
        Link { stream, decoder: Decoder::default(), buffer: vec![0; PIECE_LIMIT].into() }
    }

    /// Says who we are. `Err` when that is longer than a server believes.
    pub(super) fn hello(&self, hello: Hello) -> Result<(), TooLong> {
        let (stdin, stdout) = (io::stdin(), io::stdout());
        let Descriptors { stdin: with_stdin, stdout: with_stdout } = hello.descriptors;
        let fds = [with_stdin.then(|| stdin.as_fd()), with_stdout.then(|| stdout.as_fd())];
        let fds: Vec<BorrowedFd<'_>> = fds.into_iter().flatten().collect();
        let mut bytes = Greeting::ours(hello.pid).encode();
        let frame = encode(&ToServer::Hello(Box::new(hello)));
        if frame.len() > FRAME_LIMIT {
            return Err(TooLong);
        }
        bytes.extend(frame);
        // A server that does not want us says why before it closes; that is read next.
        let _ = socket::send(&self.stream, &bytes, &fds);
        Ok(())
    }

    /// Sends a frame. A connection that has ended is found out by reading.
    pub(super) fn send(&self, frame: &ToServer) {
        let _ = socket::send(&self.stream, &encode(frame), &[]);
    }

    /// Sends a piece of input; an empty one is its end.
    pub(super) fn send_input(&self, piece: &[u8]) {
        let frame = if piece.is_empty() { ToServer::StdinEof } else { ToServer::Stdin(Bytes::from(piece)) };
        self.send(&frame);
    }

    /// Who the server is, once it has said something.
    pub(super) fn server(&self) -> Option<&Greeting> {
        self.decoder.greeting()
    }

    /// The next frame that has come already.
    pub(super) fn next(&mut self) -> Result<Option<ToClient>, Lost> {
        self.decoder.next().map_err(Lost::Refused)
    }

    /// Waits for bytes; for the first ones only so long as a server that is well could need. One that somebody has stopped
    /// is continued, and so is its host, without which no other comes.
    pub(super) fn fill(&mut self) -> Result<(), Lost> {
        if self.server().is_none() && !self.is_ready(CONTINUE_AFTER) {
            self.continue_stopped();
            if !self.is_ready(GREETING_TIME) {
                return Err(Lost::Silent);
            }
        }
        loop {
            match self.stream.read(&mut self.buffer) {
                Ok(0) => return Err(Lost::Ended),
                Ok(count) => {
                    self.decoder.push(&self.buffer[..count]);
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Lost::Ended),
            }
        }
    }
}

impl Link {
    fn is_ready(&self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
            match poll(&mut [PollFd::new(&self.stream, PollFlags::IN)], Some(&left)) {
                Err(rustix::io::Errno::INTR) => {}
                ready => return ready != Ok(0),
            }
        }
    }

    fn continue_stopped(&self) {
        let Ok(socket::Peer { pid: server, .. }) = socket::peer(&self.stream) else { return };
        host::continue_stopped(server);
        let path = self.stream.peer_addr().ok().and_then(|address| Some(address.as_pathname()?.to_owned()));
        let host = path.and_then(|path| socket::connect(&host::host_socket(&path), Some(CONTINUE_AFTER)).ok());
        if let Some(socket::Peer { pid: host, .. }) = host.and_then(|host| socket::peer(&host).ok()) {
            host::continue_stopped(host);
        }
    }

    /// The process that listens at the other end.
    pub(super) fn peer(&self) -> Option<i32> {
        socket::peer(&self.stream).ok().map(|peer| peer.pid)
    }
}

/// How long a server may be silent before it is looked at.
const CONTINUE_AFTER: Duration = Duration::from_secs(1);
/// How much longer it may need then: it may have a slow disk to read first.
const GREETING_TIME: Duration = Duration::from_secs(14);

/// The command line does not fit a frame.
#[derive(Debug)]
pub(super) struct TooLong;
