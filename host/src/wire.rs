//! One end of a connection between host and server: frames and descriptors in, frames and descriptors out, never
//! blocking, all buffers bounded. Used by both ends.

use std::collections::VecDeque;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};

use crate::protocol::{ProtocolError, frame_length};

/// The most descriptors that may have come ahead of their frames.
const DESCRIPTORS_AHEAD: usize = 64;
/// The most descriptors with one message.
const DESCRIPTORS_AT_ONCE: usize = 8;
const READ_SIZE: usize = 16 * 1024;

/// Why a connection is over.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WireError {
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the other end closed")]
    Closed,
}

impl From<Errno> for WireError {
    fn from(errno: Errno) -> WireError {
        WireError::Io(errno.into())
    }
}

/// A frame to send and the descriptors that go with it.
struct Outgoing {
    bytes: Vec<u8>,
    sent: usize,
    fds: Vec<Rc<OwnedFd>>,
}

/// One end.
pub(crate) struct Wire {
    socket: OwnedFd,
    incoming: Vec<u8>,
    /// How much of `incoming` is taken out already.
    taken: usize,
    fds: VecDeque<OwnedFd>,
    outgoing: VecDeque<Outgoing>,
}

impl AsFd for Wire {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Wire {
    /// Takes a connected non-blocking stream socket.
    pub(crate) fn new(socket: OwnedFd) -> Wire {
        Wire { socket, incoming: Vec::new(), taken: 0, fds: VecDeque::new(), outgoing: VecDeque::new() }
    }

    /// Puts a frame at the end of what is to be sent.
    pub(crate) fn queue(&mut self, bytes: Vec<u8>, fds: Vec<Rc<OwnedFd>>) {
        self.outgoing.push_back(Outgoing { bytes, sent: 0, fds });
    }

    /// Bytes waiting to be sent.
    pub(crate) fn backlog(&self) -> usize {
        self.outgoing.iter().map(|frame| frame.bytes.len() - frame.sent).sum()
    }

    /// Sends what the socket takes now.
    pub(crate) fn flush(&mut self) -> Result<(), WireError> {
        while let Some(first) = self.outgoing.front_mut() {
            match send(self.socket.as_fd(), first) {
                Err(Errno::AGAIN) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(Errno::PIPE | Errno::CONNRESET) => return Err(WireError::Closed),
                Err(errno) => return Err(errno.into()),
                Ok(count) => {
                    first.sent += count;
                    first.fds.clear();
                    if first.sent == first.bytes.len() {
                        self.outgoing.pop_front();
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads once. `Ok(false)` when there is nothing to read.
    pub(crate) fn fill(&mut self) -> Result<bool, WireError> {
        let mut buffer = [0; READ_SIZE];
        match receive(self.socket.as_fd(), &mut buffer, &mut self.fds) {
            Err(Errno::AGAIN | Errno::INTR) => Ok(false),
            Err(Errno::CONNRESET) | Ok(0) => Err(WireError::Closed),
            Err(Errno::MSGSIZE) => Err(ProtocolError::Descriptors.into()),
            Err(errno) => Err(errno.into()),
            Ok(_) if self.fds.len() > DESCRIPTORS_AHEAD => Err(ProtocolError::Descriptors.into()),
            Ok(count) => {
                self.incoming.drain(..std::mem::take(&mut self.taken));
                self.incoming.extend_from_slice(&buffer[..count]);
                Ok(true)
            }
        }
    }

    /// Takes the next whole frame's payload out. When none is begun, no descriptor may be left either.
    pub(crate) fn next(&mut self, limit: usize) -> Result<Option<Vec<u8>>, WireError> {
        let rest = &self.incoming[self.taken..];
        if rest.is_empty() {
            self.incoming = Vec::new();
            self.taken = 0;
            return if self.fds.is_empty() { Ok(None) } else { Err(ProtocolError::Descriptors.into()) };
        }
        let Some(length) = frame_length(rest, limit)? else { return Ok(None) };
        let payload = rest.get(4..4 + length).map(<[u8]>::to_vec);
        self.taken += payload.as_ref().map_or(0, |payload| 4 + payload.len());
        Ok(payload)
    }

    /// Takes the descriptors of the frame just read.
    pub(crate) fn take_fds(&mut self, count: usize) -> Result<Vec<OwnedFd>, WireError> {
        if self.fds.len() < count {
            return Err(ProtocolError::Descriptors.into());
        }
        Ok(self.fds.drain(..count).collect())
    }
}

fn send(socket: BorrowedFd<'_>, frame: &Outgoing) -> rustix::io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_AT_ONCE))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let fds: Vec<BorrowedFd<'_>> = frame.fds.iter().map(|fd| fd.as_fd()).collect();
    if !fds.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(&fds));
    }
    let bytes = IoSlice::new(&frame.bytes[frame.sent..]);
    rustix::net::sendmsg(socket, &[bytes], &mut control, SendFlags::NOSIGNAL | SendFlags::DONTWAIT)
}

fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8], fds: &mut VecDeque<OwnedFd>) -> rustix::io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_AT_ONCE))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    let message = rustix::net::recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut control, flags)?;
    for part in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = part {
            fds.extend(received);
        }
    }
    // Descriptors were cut off: too many at once, or no room in our table.
    if message.flags.contains(ReturnFlags::CTRUNC) { Err(Errno::MSGSIZE) } else { Ok(message.bytes) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use super::*;

    fn pair() -> (Wire, Wire) {
        let (one, other) = UnixStream::pair().unwrap();
        one.set_nonblocking(true).unwrap();
        other.set_nonblocking(true).unwrap();
        (Wire::new(one.into()), Wire::new(other.into()))
    }

    fn framed(payload: &[u8]) -> Vec<u8> {
        [&(payload.len() as u32).to_le_bytes(), payload].concat()
    }

    #[test]
    fn frames_arrive_whole_in_order_and_with_their_descriptors_however_they_are_cut() {
        let (mut sender, mut receiver) = pair();
        let null = Rc::new(OwnedFd::from(std::fs::File::open("/dev/null").unwrap()));
        for number in 0..200usize {
            let fds = if number % 3 == 0 { vec![null.clone(); 1 + number % 2] } else { Vec::new() };
            sender.queue(framed(&vec![number as u8; number * 97]), fds);
        }
        let mut number = 0;
        while number < 200 {
            sender.flush().unwrap();
            while let Some(payload) = receiver.next(1 << 20).unwrap() {
                assert_eq!(payload, vec![number as u8; number * 97]);
                let count = if number % 3 == 0 { 1 + number % 2 } else { 0 };
                assert_eq!(receiver.take_fds(count).unwrap().len(), count);
                number += 1;
            }
            if number < 200 {
                receiver.fill().unwrap();
            }
        }
        assert!(receiver.fds.is_empty() && sender.backlog() == 0);
        drop(sender);
        assert!(matches!(receiver.fill(), Err(WireError::Closed)));
    }

    #[test]
    fn a_descriptor_without_a_frame_that_takes_it_is_an_error() {
        let (mut sender, mut receiver) = pair();
        let null = Rc::new(OwnedFd::from(std::fs::File::open("/dev/null").unwrap()));
        sender.queue(framed(b"x"), vec![null]);
        sender.flush().unwrap();
        assert!(receiver.fill().unwrap());
        assert_eq!(receiver.next(10).unwrap().unwrap(), b"x");
        let error = receiver.next(10).unwrap_err();
        assert!(matches!(error, WireError::Protocol(ProtocolError::Descriptors)));
        assert!(receiver.take_fds(2).is_err());
    }
}
