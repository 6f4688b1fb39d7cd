//! The client's end of the connection: blocking, frames in and out.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

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

    /// Waits for bytes.
    pub(super) fn fill(&mut self) -> Result<(), Lost> {
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

/// The command line does not fit a frame.
#[derive(Debug)]
pub(super) struct TooLong;
