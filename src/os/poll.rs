//! Which descriptors are ready: one epoll set, each descriptor with a token that says whose it is.

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

/// Whose a descriptor is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Token {
    /// The listening socket.
    Listener,
    /// The host's connection.
    Host,
    /// A connection's socket.
    Socket(u32),
    /// The terminal, or the input, of a client.
    Input(u32),
    /// The output of a control client.
    Output(u32),
    /// A pane's pty.
    Pane(u32),
    /// A job's output.
    JobOutput(u32),
    /// A job's input.
    JobInput(u32),
    /// A job's process.
    JobEnd(u32),
    /// The thread that writes to disk has something to say.
    Keeper,
}

impl Token {
    fn encode(self) -> u64 {
        let (kind, number) = match self {
            Token::Listener => (0, 0),
            Token::Host => (1, 0),
            Token::Socket(n) => (2, n),
            Token::Input(n) => (3, n),
            Token::Output(n) => (4, n),
            Token::Pane(n) => (5, n),
            Token::JobOutput(n) => (6, n),
            Token::JobInput(n) => (7, n),
            Token::JobEnd(n) => (8, n),
            Token::Keeper => (9, 0),
        };
        kind << 32 | u64::from(number)
    }

    fn decode(data: u64) -> Token {
        let n = data as u32;
        match data >> 32 {
            0 => Token::Listener,
            1 => Token::Host,
            2 => Token::Socket(n),
            3 => Token::Input(n),
            4 => Token::Output(n),
            5 => Token::Pane(n),
            6 => Token::JobOutput(n),
            7 => Token::JobInput(n),
            8 => Token::JobEnd(n),
            _ => Token::Keeper,
        }
    }
}

/// What is ready.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// Whose descriptor.
    pub token: Token,
    /// It can be read, or is at its end.
    pub read: bool,
    /// It can be written, or is broken.
    pub write: bool,
    /// It is broken: the other end is gone.
    pub broken: bool,
}

/// An epoll set.
#[derive(Debug)]
pub struct Poll {
    fd: OwnedFd,
}

impl Poll {
    /// An empty set.
    ///
    /// # Errors
    /// The system's.
    pub fn new() -> io::Result<Poll> {
        Ok(Poll { fd: epoll::create(CreateFlags::CLOEXEC)? })
    }

    /// Watch a descriptor. False for one that can't be watched (a plain file, `/dev/null`): it is always ready and never
    /// told of.
    pub fn add(&self, fd: BorrowedFd<'_>, token: Token, read: bool, write: bool) -> bool {
        epoll::add(&self.fd, fd, EventData::new_u64(token.encode()), flags(read, write)).is_ok()
    }

    /// Watch it for something else.
    pub fn change(&self, fd: BorrowedFd<'_>, token: Token, read: bool, write: bool) {
        let _ = epoll::modify(&self.fd, fd, EventData::new_u64(token.encode()), flags(read, write));
    }

    /// Watch it no more.
    pub fn remove(&self, fd: BorrowedFd<'_>) {
        let _ = epoll::delete(&self.fd, fd);
    }

    /// What is ready now.
    pub fn ready(&self) -> Vec<Ready> {
        let mut events = Vec::with_capacity(256);
        let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
        if epoll::wait(&self.fd, spare_capacity(&mut events), Some(&now)).is_err() {
            return Vec::new();
        }
        let told = |event: epoll::Event| {
            let flags = event.flags;
            let broken = flags.intersects(EventFlags::HUP | EventFlags::ERR);
            Ready {
                token: Token::decode(event.data.u64()),
                read: broken || flags.intersects(EventFlags::IN | EventFlags::RDHUP),
                write: broken || flags.contains(EventFlags::OUT),
                broken,
            }
        };
        events.into_iter().map(told).collect()
    }
}

fn flags(read: bool, write: bool) -> EventFlags {
    let mut flags = EventFlags::empty();
    flags.set(EventFlags::IN, read);
    flags.set(EventFlags::OUT, write);
    flags
}

impl AsFd for Poll {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl AsRawFd for Poll {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_back() {
        for token in
            [Token::Listener, Token::Host, Token::Socket(1), Token::Pane(u32::MAX), Token::JobEnd(7), Token::Keeper]
        {
            assert_eq!(Token::decode(token.encode()), token);
        }
    }

    #[test]
    fn a_pipe_is_ready_when_something_is_in_it() {
        let poll = Poll::new().unwrap();
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        poll.add(reader.as_fd(), Token::Pane(3), true, false);
        assert!(poll.ready().is_empty());
        rustix::io::write(&writer, b"x").unwrap();
        let ready = poll.ready();
        assert_eq!((ready.len(), ready[0].token, ready[0].read), (1, Token::Pane(3), true));
    }

    #[test]
    fn a_pipe_that_nobody_reads_any_more_is_told_of_although_nothing_is_asked() {
        let poll = Poll::new().unwrap();
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        poll.add(writer.as_fd(), Token::Output(3), false, false);
        assert!(poll.ready().is_empty());
        drop(reader);
        assert!(poll.ready()[0].broken);
    }
}
