//! Who talks to the host, before and after it has said who it is.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::net::SocketFlags;
use rustix::net::sockopt::socket_peercred;

use crate::protocol::PaneUuid;
use crate::wire::Wire;

/// How long a peer may take to say hello.
const HELLO_TIME: Duration = Duration::from_secs(5);

/// A connection to the host.
pub(crate) struct Peer {
    pub(crate) token: u64,
    pub(crate) pid: i32,
    pub(crate) wire: Wire,
    /// Until when it must have said hello; `None` once it has.
    pub(crate) hello_by: Option<Instant>,
    /// Panes still to be sent for an adoption.
    pub(crate) adopting: Option<VecDeque<PaneUuid>>,
    /// It said goodbye, so that its end is no accident.
    pub(crate) left: bool,
}

impl Peer {
    /// Accepts one. `Ok(None)` when nobody is there any more, or it is somebody else's.
    pub(crate) fn accept(listener: &OwnedFd, token: u64, now: Instant) -> io::Result<Option<Peer>> {
        use rustix::io::Errno;
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = match rustix::net::accept_with(listener, flags) {
            Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => return Ok(None),
            result => result?,
        };
        let credentials = socket_peercred(&socket)?;
        if credentials.uid != rustix::process::geteuid() {
            return Ok(None);
        }
        let pid = credentials.pid.as_raw_nonzero().get();
        let wire = Wire::new(socket);
        Ok(Some(Peer { token, pid, wire, hello_by: Some(now + HELLO_TIME), adopting: None, left: false }))
    }
}
