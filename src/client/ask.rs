//! A command run for its answer: a client without a terminal whose output is kept.

use std::ffi::OsString;

use super::hello;
use super::link::{Link, Lost};
use super::{refusal, silence};
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
    /// It says nothing; this is its process.
    Silent(Option<i32>),
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
            AskError::Silent(server) => silence(socket, *server),
        }
    }
}

/// How often one knocks at servers that end just then.
const TRIES: usize = 50;
/// The time in between, in which such a server is gone.
const GAP: std::time::Duration = std::time::Duration::from_millis(20);

/// Runs a command at a server that is there; starts none. A server that ends with us in its queue has run nothing: the
/// next one is asked, if there is one.
pub(super) fn ask(socket: &SocketPath, invocation: &Invocation, command: &[&str]) -> Result<Answer, AskError> {
    for _ in 1..TRIES {
        match ask_once(socket, invocation, command) {
            Ok(None) => std::thread::sleep(GAP),
            Ok(Some(answer)) => return Ok(answer),
            Err(error) => return Err(error),
        }
    }
    ask_once(socket, invocation, command)?.ok_or(AskError::Broken(ProtocolError::Stranger))
}

/// `None` when the server ended before it said a word.
fn ask_once(socket: &SocketPath, invocation: &Invocation, command: &[&str]) -> Result<Option<Answer>, AskError> {
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
                return Ok(Some(answer));
            }
            Ok(_) => {}
            Err(Lost::Refused(ProtocolError::Mismatch(server))) => return Err(AskError::Mismatch(server)),
            Err(Lost::Refused(error)) => return Err(AskError::Broken(error)),
            Err(Lost::Silent) => return Err(AskError::Silent(link.peer())),
            Err(Lost::Ended) if link.server().is_none() => return Ok(None),
            Err(Lost::Ended) => return Err(AskError::Broken(ProtocolError::Stranger)),
        }
    }
}
