//! A server's socket: made, found stale, locked while a server starts, connected to; descriptors sent and received with
//! bytes; whose process is at the other end. Knows no frame.

// It makes, removes and connects sockets.
#![allow(clippy::disallowed_methods)]

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode};
use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketFlags, SocketType,
};

use super::paths::SocketPath;

/// The most descriptors that go with one message.
pub const DESCRIPTORS_LIMIT: usize = 4;
const BACKLOG: i32 = 128;
/// How long a server, or whoever starts one, may keep others waiting.
const PATIENCE: Duration = Duration::from_secs(15);
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Why there is no connection. Texts are tmux's.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nobody listens there.
    #[error("no server running on {}", .0.display())]
    NoServer(PathBuf),
    /// Any other reason.
    #[error("error connecting to {} ({})", .0.display(), super::words(.1))]
    Connect(PathBuf, io::Error),
    /// A server was to be started but its socket could not be made.
    #[error("error creating {} ({})", .0.display(), super::words(.1))]
    Create(PathBuf, io::Error),
    /// Somebody else has been starting a server for too long.
    #[error("another rove has been starting a server at {} for {} s; end it, or remove {}.lock", .0.display(), PATIENCE.as_secs(), .0.display())]
    Starting(PathBuf),
    /// A server was to be started but no process could be.
    #[error("fork failed ({})", super::words(.0))]
    Fork(io::Error),
}

/// Connects, and blocks while doing so (for at most `patience`, if given, when the server does not accept).
pub fn connect(path: &Path, patience: Option<Duration>) -> io::Result<UnixStream> {
    let address = SocketAddrUnix::new(path)?;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    if patience.is_some() {
        set_socket_timeout(&socket, Timeout::Send, patience)?;
    }
    rustix::net::connect(&socket, &address)?;
    if patience.is_some() {
        set_socket_timeout(&socket, Timeout::Send, None)?;
    }
    Ok(socket.into())
}

fn absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound)
}

/// Connects to the server; if there is none and `start` is given, makes its socket and has `start` start a process that
/// accepts on it. Of any number of callers at once exactly one starts a server, and all are connected to that one.
pub fn connect_or_start(
    socket: &SocketPath,
    start: Option<&dyn Fn(UnixListener) -> io::Result<()>>,
) -> Result<UnixStream, ConnectError> {
    let path = &socket.path;
    loop {
        let error = match connect(path, Some(PATIENCE)) {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        let Some(start) = start.filter(|_| absent(&error)) else { return Err(connect_error(path, error)) };
        let lock = match Lock::take(path) {
            Taken::Ours(lock) => Some(lock),
            Taken::Waited => continue,
            Taken::Impossible => None,
            Taken::Stuck => return Err(ConnectError::Starting(path.clone())),
        };
        // Somebody may have started one between the connect and the lock.
        match connect(path, Some(PATIENCE)) {
            Ok(stream) => return Ok(stream),
            Err(error) if !absent(&error) => return Err(connect_error(path, error)),
            Err(_) => {}
        }
        let create = |error| ConnectError::Create(path.clone(), error);
        if lock.is_some() {
            remove_stale(socket).map_err(create)?;
        }
        let listener = listen(path).map_err(create)?;
        start(listener).map_err(ConnectError::Fork)?;
        return connect(path, None).map_err(|error| connect_error(path, error));
    }
}

fn connect_error(path: &Path, error: io::Error) -> ConnectError {
    if error.kind() == io::ErrorKind::ConnectionRefused {
        ConnectError::NoServer(path.to_owned())
    } else {
        ConnectError::Connect(path.to_owned(), error)
    }
}

/// Removes what is in the place of a socket that nobody listens at. A link is removed, not followed. What is neither
/// socket nor link is removed only in a directory of our own, since a path given by hand may be a mistake.
fn remove_stale(socket: &SocketPath) -> io::Result<()> {
    let removable = match socket.path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(it) => it.file_type().is_socket() || it.is_symlink() || socket.private,
    };
    if removable { std::fs::remove_file(&socket.path) } else { Err(Errno::EXIST.into()) }
}

/// Makes a socket with mode 0600 and listens at it.
pub fn listen(path: &Path) -> io::Result<UnixListener> {
    let address = SocketAddrUnix::new(path)?;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    // Linux gives the file the mode of the socket's own inode: no moment with more, and no umask, which all threads share.
    rustix::fs::fchmod(&socket, Mode::from_raw_mode(0o600))?;
    rustix::net::bind(&socket, &address)?;
    rustix::net::listen(&socket, BACKLOG)?;
    Ok(socket.into())
}

/// Makes the socket anew for a server whose socket has gone or was replaced (SIGUSR1). What is in its place is removed if
/// it is a socket or a link.
pub fn listen_again(path: &Path) -> io::Result<UnixListener> {
    remove_stale(&SocketPath { path: path.to_owned(), private: false })?;
    listen(path)
}

/// Makes the listener say, to those who ask whose it is, that it is this process's. For a server that was given it.
pub fn adopt(listener: &UnixListener) -> io::Result<()> {
    Ok(rustix::net::listen(listener, BACKLOG)?)
}

/// Removes the lock of a socket, for a starter that becomes another program and so never comes to its end.
pub fn forget_lock(socket: &Path) {
    let _ = std::fs::remove_file(lock_path(socket));
}

fn lock_path(socket: &Path) -> PathBuf {
    let mut path = socket.as_os_str().to_owned();
    path.push(".lock");
    path.into()
}

/// The right to start a server at a socket: a locked file beside it, removed at the end.
struct Lock {
    path: PathBuf,
    /// Closing it unlocks.
    _file: std::fs::File,
}

enum Taken {
    Ours(Lock),
    /// Somebody else had it and has let it go: look again.
    Waited,
    /// No such file can be made: go on without, the bind decides.
    Impossible,
    /// Somebody else has it and does not let it go.
    Stuck,
}

impl Lock {
    fn take(socket: &Path) -> Taken {
        let path = lock_path(socket);
        let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::CLOEXEC).bits() as i32;
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600).custom_flags(flags);
        let again = || {
            // What is no file holds no lock.
            let kind = path.symlink_metadata()?.file_type();
            if kind.is_socket() || kind.is_symlink() {
                std::fs::remove_file(&path)?;
            }
            options.open(&path)
        };
        let Ok(file) = options.open(&path).or_else(|_| again()) else { return Taken::Impossible };
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Taken::Ours(Lock { path, _file: file }),
            Err(Errno::AGAIN) => {
                // Not by a lock that blocks: whoever has it may have been stopped.
                let until = Instant::now() + PATIENCE;
                while rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
                    if Instant::now() >= until {
                        return Taken::Stuck;
                    }
                    std::thread::sleep(LOOK_AGAIN);
                }
                Taken::Waited
            }
            Err(_) => Taken::Impossible,
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A waiter gets a lock on the removed file, which is why it looks again before it does anything.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Who is at the other end of a connection, as the kernel tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
    /// The process.
    pub pid: i32,
}

/// Who is at the other end of a connection.
pub fn peer(stream: impl AsFd) -> io::Result<Peer> {
    let credentials = rustix::net::sockopt::socket_peercred(stream)?;
    Ok(Peer {
        uid: credentials.uid.as_raw(),
        gid: credentials.gid.as_raw(),
        pid: credentials.pid.as_raw_nonzero().get(),
    })
}

/// Sends bytes, and `descriptors` (at most [`DESCRIPTORS_LIMIT`]) beside the first of them. Blocks as the socket does.
pub fn send(stream: impl AsFd, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let (mut rest, mut descriptors) = (bytes, descriptors);
    while !rest.is_empty() {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_LIMIT))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
            return Err(Errno::INVAL.into());
        }
        match rustix::net::sendmsg(&stream, &[IoSlice::new(rest)], &mut control, SendFlags::NOSIGNAL) {
            Ok(count) => (rest, descriptors) = (&rest[count..], &[]),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(())
}

/// Receives bytes, as many as there are or fit (0: the end), and puts descriptors that came with them in `descriptors`,
/// closed on exec. Blocks as the socket does. More than [`DESCRIPTORS_LIMIT`] at once is the error `EMSGSIZE`.
pub fn receive(stream: impl AsFd, buffer: &mut [u8], descriptors: &mut Vec<OwnedFd>) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_LIMIT))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let message = rustix::net::recvmsg(stream, &mut [IoSliceMut::new(buffer)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    for part in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = part {
            descriptors.extend(received);
        }
    }
    if message.flags.contains(ReturnFlags::CTRUNC) { Err(Errno::MSGSIZE.into()) } else { Ok(message.bytes) }
}

#[cfg(test)]
mod tests;
