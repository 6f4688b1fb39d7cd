//! The client process: finds or starts its server, says who it is, hands its terminal over and waits for the end. It
//! knows nothing of sessions or panes and reads no key.

// It is a process: environment, directory, descriptors.
#![allow(clippy::disallowed_methods)]

mod ask;
mod end;
mod hello;
mod link;
mod own;
mod report;
mod serve;
mod terminal;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;

use crate::cli::{self, Invocation, Request, ServerOptions};
use crate::os;
use crate::os::daemon;
use crate::os::paths::{self, SocketPath};
use crate::os::socket::{self, ConnectError};
use crate::protocol::{self, Greeting, Manner, ProtocolError};

pub use hello::environment;
pub use own::own;
pub use report::{REPORT, report};

/// What a client has to know of the commands, which are not its own.
pub struct Commands<'a> {
    /// Whether any command of this argument list starts a server when there is none.
    pub starts_server: &'a dyn Fn(&[OsString]) -> bool,
    /// Whether this is the name, alias or unambiguous start of a command.
    pub known: &'a dyn Fn(&OsStr) -> bool,
}

/// Is a client from start to end. Gives the exit status.
pub fn run(invocation: &Invocation, commands: &Commands<'_>) -> i32 {
    let socket = match place(invocation) {
        Ok(socket) => socket,
        Err(text) => return complain(&text, 1),
    };
    run_at(&socket, invocation, commands)
}

/// The same, with the socket found already.
pub fn run_at(socket: &SocketPath, invocation: &Invocation, commands: &Commands<'_>) -> i32 {
    // The server may know an alias that we do not; but nothing is started for a word that may be a mistake.
    let uncertain = match invocation.argv.first() {
        Some(word) if invocation.face == cli::Face::Rove => (!(commands.known)(word)).then_some(word.as_os_str()),
        _ => None,
    };
    let shell = invocation.manner == Manner::Shell;
    let starts = shell || invocation.argv.is_empty() || (commands.starts_server)(&invocation.argv);
    let starts = starts && !invocation.no_start && uncertain.is_none();
    let stream = match reach(socket, invocation, starts) {
        Ok(stream) => stream,
        Err(error) => {
            return match uncertain {
                Some(word) => complain(cli::unknown(word).trim_end(), 2),
                None => complain(&error.to_string(), 1),
            };
        }
    };
    serve::Client::new(socket, invocation, uncertain, stream, None).starting(starts).run()
}

/// The hidden first word of a client that goes on in the place of an older one: session, socket and that one's own
/// arguments follow.
pub const REATTACH: &str = "__reattach";

/// Becomes the program that is now where this one was, which goes on with the session. Comes back only with the words
/// for why that failed.
fn renew(socket: &SocketPath, session: &str) -> String {
    let program = match std::env::current_exe() {
        Ok(path) => path.into_os_string().into_vec(),
        Err(error) => return os::words(&error),
    };
    // What the system says of a file that was replaced.
    let program = program.strip_suffix(b" (deleted)").unwrap_or(&program);
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_default();
    let mut command = std::process::Command::new(OsStr::from_bytes(program));
    command.arg0(name).arg(REATTACH).arg(session).arg(&socket.path).args(args);
    os::words(&command.exec())
}

/// Goes on with a session as [`REATTACH`] says; `args` are its program's name, then what follows that word.
pub fn reattach(name: &OsStr, args: &[OsString]) -> i32 {
    let [session, path, rest @ ..] = args else { return complain(cli::hint().trim_end(), 2) };
    let line: Vec<OsString> = [name.to_owned()].into_iter().chain(rest.iter().cloned()).collect();
    let (Request::Client(invocation) | Request::Own(_, invocation)) = cli::parse(&line) else {
        return complain(cli::hint().trim_end(), 2);
    };
    let socket = SocketPath { path: path.into(), private: false };
    let session = session.to_string_lossy().into_owned();
    match socket::connect_or_start(&socket, None) {
        Ok(stream) => serve::Client::new(&socket, &invocation, None, stream, Some(session)).run(),
        Err(error) => complain(&error.to_string(), 1),
    }
}

/// Where the server's socket is to be, or why there is no such place.
pub fn place(invocation: &Invocation) -> Result<SocketPath, String> {
    if rustix::process::geteuid() != rustix::process::getuid()
        || rustix::process::getegid() != rustix::process::getgid()
    {
        return Err("refuses to run setuid".to_owned());
    }
    let uid = rustix::process::getuid().as_raw();
    let (path, label) = (invocation.socket.as_deref(), invocation.label.as_deref());
    paths::socket(invocation.face, path, label, &environment, uid).map_err(|error| error.to_string())
}

/// Connects, and starts a server for that if `starts`.
pub fn reach(socket: &SocketPath, invocation: &Invocation, starts: bool) -> Result<UnixStream, ConnectError> {
    let options = ServerOptions {
        socket: socket.path.clone(),
        face: invocation.face,
        config: invocation.config.iter().map(Into::into).collect(),
        verbosity: invocation.verbosity,
        foreground: invocation.foreground,
    };
    let start = |listener: UnixListener| {
        if options.foreground {
            socket::forget_lock(&options.socket);
            return Err(daemon::become_server(options.arguments(), &listener));
        }
        daemon::spawn(options.arguments(), &listener)
    };
    socket::connect_or_start(socket, starts.then_some(&start))
}

/// Prints to stdout; a reader that went away is no error.
pub fn print(text: &str) {
    serve::write_all(std::io::stdout(), text.as_bytes());
}

/// Prints a line to stderr and gives the status.
fn complain(text: &str, status: i32) -> i32 {
    let _ = writeln!(std::io::stderr(), "{text}");
    status
}

/// The words for a connection that makes no sense.
fn refusal(error: &ProtocolError, socket: &SocketPath) -> String {
    match error {
        ProtocolError::Mismatch(server) => protocol::mismatch(&Greeting::ours(0), server),
        _ => format!("error talking to {} ({error})", socket.path.display()),
    }
}

/// The words for a server that says nothing.
fn silence(socket: &SocketPath, server: Option<i32>) -> String {
    let process = server.map_or_else(String::new, |pid| format!(" (pid {pid})"));
    format!(
        "the server at {}{process} does not answer; `rove daemon restart` replaces it, and no program ends by that",
        socket.path.display()
    )
}

#[cfg(test)]
mod tests;
