//! A command run for its answer: a client without a terminal whose output is kept.

use std::ffi::OsString;

use super::hello;
use super::link::{Link, Lost};
use super::refusal;
use crate::cli::Invocation;
use crate::os::paths::SocketPath;
use crate::os::socket::{self, ConnectError};
use crate::protocol::{Descriptors, Greeting, Hello, Manner, ProtocolError, ToClient};

/// What a command said.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) code: i32,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// The server.
    pub(super) server: Option<Greeting>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum AskError {
    Connect(ConnectError),
    /// The server speaks another protocol.
    Mismatch(Greeting),
    /// It does not speak ours at all, or died.
    Broken(ProtocolError),
}

impl Answer {
    /// Which rove the server is, and its process.
    pub(super) fn who(&self) -> String {
        self.server.as_ref().map_or_else(String::new, |it| format!("rove {}, pid {}", it.version, it.pid))
    }
}

impl AskError {
    /// Nobody is there, which need not be wrong.
    pub(super) fn is_absence(&self) -> bool {
        match self {
            AskError::Connect(ConnectError::NoServer(_)) => true,
            AskError::Connect(ConnectError::Connect(_, error)) => error.kind() == std::io::ErrorKind::NotFound,
            _ => false,
        }
    }

    pub(super) fn words(&self, socket: &SocketPath) -> String {
        match self {
            AskError::Connect(error) => error.to_string(),
            AskError::Mismatch(server) => refusal(&ProtocolError::Mismatch(server.clone()), socket),
            AskError::Broken(error) => refusal(error, socket),
        }
    }
}

/// Runs a command at a server that is there; starts none.
pub(super) fn ask(socket: &SocketPath, invocation: &Invocation, command: &[&str]) -> Result<Answer, AskError> {
    let stream = socket::connect_or_start(socket, None).map_err(AskError::Connect)?;
    let argv = command.iter().map(OsString::from).collect();
    let quiet = Invocation { manner: Manner::Command, argv, ..invocation.clone() };
    let hello = Hello { descriptors: Descriptors::default(), tty: Default::default(), ..hello::gather(&quiet, None) };
    let mut link = Link::new(stream);
    // A command of a few words always fits.
    let _ = link.hello(hello);
    let mut answer = Answer::default();
    loop {
        match link.next().and_then(|frame| if frame.is_none() { link.fill().map(|()| None) } else { Ok(frame) }) {
            Ok(Some(ToClient::Stdout(bytes))) => answer.stdout.extend_from_slice(&bytes),
            Ok(Some(ToClient::Stderr(bytes))) => answer.stderr.extend_from_slice(&bytes),
            Ok(Some(ToClient::Exit(exit))) => {
                answer.code = exit.code;
                answer.server = link.server().cloned();
                return Ok(answer);
            }
            Ok(_) => {}
            Err(Lost::Refused(ProtocolError::Mismatch(server))) => return Err(AskError::Mismatch(server)),
            Err(Lost::Refused(error)) => return Err(AskError::Broken(error)),
            Err(Lost::Ended) => return Err(AskError::Broken(ProtocolError::Stranger)),
        }
    }
}
