//! A client's terminal: its name and size, its modes saved, changed and put back; and a server's own way to a descriptor
//! that a client has given it. Writes nothing.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::termios::{ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios};

use crate::protocol::WindowSize;

/// The path of the terminal at `fd`, if that is one.
pub fn name(fd: impl AsFd) -> Option<Vec<u8>> {
    rustix::termios::ttyname(fd, Vec::new()).ok().map(|name| name.into_bytes())
}

/// Whether `fd` is a terminal.
pub fn is_terminal(fd: impl AsFd) -> bool {
    rustix::termios::isatty(fd)
}

/// The size of the terminal at `fd`; zero when there is none.
pub fn size(fd: impl AsFd) -> WindowSize {
    match rustix::termios::tcgetwinsize(fd) {
        Err(_) => WindowSize::default(),
        Ok(it) => WindowSize { cols: it.ws_col, rows: it.ws_row, xpixel: it.ws_xpixel, ypixel: it.ws_ypixel },
    }
}

/// A terminal's modes as they were.
#[derive(Debug)]
pub struct Saved(Termios);

impl Saved {
    /// Reads the modes of the terminal at `fd`.
    pub fn read(fd: impl AsFd) -> io::Result<Saved> {
        Ok(Saved(rustix::termios::tcgetattr(fd)?))
    }

    /// Every key comes as it is and nothing is echoed. What tmux leaves alone is left alone (parity, `IXANY`).
    pub fn raw(&self, fd: impl AsFd) -> io::Result<()> {
        let mut modes = self.0.clone();
        modes.input_modes -= InputModes::IXON | InputModes::IXOFF | InputModes::ICRNL | InputModes::INLCR;
        modes.input_modes -= InputModes::IGNCR | InputModes::IMAXBEL | InputModes::ISTRIP;
        modes.input_modes |= InputModes::IGNBRK;
        modes.output_modes -= OutputModes::OPOST | OutputModes::ONLCR | OutputModes::OCRNL | OutputModes::ONLRET;
        modes.local_modes -= LocalModes::IEXTEN | LocalModes::ICANON | LocalModes::ISIG | LocalModes::ECHO;
        modes.local_modes -= LocalModes::ECHOE | LocalModes::ECHONL | LocalModes::ECHOCTL | LocalModes::ECHOPRT;
        modes.local_modes -= LocalModes::ECHOKE;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        Ok(rustix::termios::tcsetattr(fd, OptionalActions::Now, &modes)?)
    }

    /// Lines for `-CC`: no echo, CR ends a line too, LF is written as CR LF.
    pub fn lines(&self, fd: impl AsFd) -> io::Result<()> {
        let mut modes = self.0.clone();
        modes.make_raw();
        modes.input_modes = InputModes::ICRNL | InputModes::IXANY;
        modes.output_modes = OutputModes::OPOST | OutputModes::ONLCR;
        // The speed is part of these on Linux and stays as it was.
        let speed = self.0.control_modes & ControlModes::from_bits_retain(SPEED);
        modes.control_modes = ControlModes::CREAD | ControlModes::CS8 | ControlModes::HUPCL | speed;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        Ok(rustix::termios::tcsetattr(fd, OptionalActions::Now, &modes)?)
    }

    /// Puts the modes back, at once.
    pub fn restore(&self, fd: impl AsFd) -> io::Result<()> {
        Ok(rustix::termios::tcsetattr(fd, OptionalActions::Now, &self.0)?)
    }

    /// Puts the modes back after what was written has gone out, and drops what was typed and not read.
    pub fn restore_flushed(&self, fd: impl AsFd) -> io::Result<()> {
        Ok(rustix::termios::tcsetattr(fd, OptionalActions::Flush, &self.0)?)
    }
}

/// `CBAUD | CBAUDEX`.
const SPEED: u32 = 0o010_017;

/// Lets reads and writes at `fd` wait again, if a server that shared it had turned that off.
pub fn set_blocking(fd: impl AsFd) {
    if let Ok(flags) = rustix::fs::fcntl_getfl(&fd)
        && flags.contains(OFlags::NONBLOCK)
    {
        let _ = rustix::fs::fcntl_setfl(&fd, flags - OFlags::NONBLOCK);
    }
}

/// What a server does with a descriptor it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Access {
    Read,
    Write,
    Both,
}

/// Makes a given descriptor one whose reads and writes never wait. A terminal or a pipe is opened anew, so that the client
/// and its other programs, which share the old one, do not lose their waiting. Where that is not allowed (after `su`), and
/// for sockets, the given one is changed, and the client turns waiting on again at its end ([`set_blocking`]).
pub fn without_waiting(fd: OwnedFd, access: Access) -> io::Result<OwnedFd> {
    let given = rustix::fs::fstat(&fd)?;
    let kind = FileType::from_raw_mode(given.st_mode);
    if kind == FileType::RegularFile {
        // Never waits; and another opening of it would write at another place.
        return Ok(fd);
    }
    if matches!(kind, FileType::CharacterDevice | FileType::Fifo) {
        let mode = match access {
            Access::Read => OFlags::RDONLY,
            Access::Write => OFlags::WRONLY,
            Access::Both => OFlags::RDWR,
        };
        let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
        let flags = mode | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        if let Ok(own) = rustix::fs::open(path, flags, Mode::empty()) {
            return Ok(own);
        }
    }
    let flags = rustix::fs::fcntl_getfl(&fd)?;
    rustix::fs::fcntl_setfl(&fd, flags | OFlags::NONBLOCK)?;
    Ok(fd)
}

#[cfg(test)]
mod tests {
    use rustix::pty::OpenptFlags;

    use super::*;

    /// A terminal's two ends.
    fn terminal() -> (OwnedFd, OwnedFd) {
        let ours = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        rustix::pty::grantpt(&ours).unwrap();
        rustix::pty::unlockpt(&ours).unwrap();
        let path = rustix::pty::ptsname(&ours, Vec::new()).unwrap();
        let theirs = rustix::fs::open(path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        (ours, theirs)
    }

    fn modes(fd: &OwnedFd) -> String {
        format!("{:?}", rustix::termios::tcgetattr(fd).unwrap())
    }

    #[test]
    fn modes_come_back_exactly() {
        let (_ours, theirs) = terminal();
        let mut odd = rustix::termios::tcgetattr(&theirs).unwrap();
        odd.input_modes |= InputModes::IXANY;
        odd.local_modes -= LocalModes::ECHOE;
        odd.special_codes[SpecialCodeIndex::VINTR] = 7;
        rustix::termios::tcsetattr(&theirs, OptionalActions::Now, &odd).unwrap();
        let before = modes(&theirs);
        let saved = Saved::read(&theirs).unwrap();
        let changes: [fn(&Saved, &OwnedFd) -> io::Result<()>; 2] = [|it, fd| it.raw(fd), |it, fd| it.lines(fd)];
        for change in changes {
            change(&saved, &theirs).unwrap();
            assert_ne!(modes(&theirs), before);
            saved.restore(&theirs).unwrap();
            assert_eq!(modes(&theirs), before);
        }
        saved.raw(&theirs).unwrap();
        saved.restore_flushed(&theirs).unwrap();
        assert_eq!(modes(&theirs), before);
    }

    #[test]
    fn raw_passes_every_key_and_lines_ends_at_cr_too() {
        let (ours, theirs) = terminal();
        let saved = Saved::read(&theirs).unwrap();
        let mut buffer = [0; 16];
        saved.raw(&theirs).unwrap();
        rustix::io::write(&ours, b"\x03\r\x11").unwrap();
        let count = rustix::io::read(&theirs, &mut buffer).unwrap();
        assert_eq!(&buffer[..count], b"\x03\r\x11");
        saved.lines(&theirs).unwrap();
        rustix::io::write(&ours, b"ls\r").unwrap();
        let count = rustix::io::read(&theirs, &mut buffer).unwrap();
        assert_eq!(&buffer[..count], b"ls\n");
        rustix::io::write(&theirs, b"a\n").unwrap();
        let count = rustix::io::read(&ours, &mut buffer).unwrap();
        assert_eq!(&buffer[..count], b"a\r\n");
        let after = rustix::termios::tcgetattr(&theirs).unwrap();
        assert_eq!(after.output_speed(), saved.0.output_speed());
    }

    #[test]
    fn names_and_sizes() {
        let (ours, theirs) = terminal();
        assert!(is_terminal(&theirs) && name(&theirs).unwrap().starts_with(b"/dev/pts/"));
        let size_set = rustix::termios::Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 800, ws_ypixel: 480 };
        rustix::termios::tcsetwinsize(&ours, size_set).unwrap();
        assert_eq!(size(&theirs), WindowSize { cols: 80, rows: 24, xpixel: 800, ypixel: 480 });
        let null = std::fs::OpenOptions::new().read(true).open("/dev/null").unwrap();
        assert!(!is_terminal(&null) && name(&null).is_none());
        assert_eq!(size(&null), WindowSize::default());
    }

    fn waits(fd: impl AsFd) -> bool {
        !rustix::fs::fcntl_getfl(fd).unwrap().contains(OFlags::NONBLOCK)
    }

    #[test]
    fn a_servers_descriptor_does_not_wait_and_the_clients_does() {
        let (ours, theirs) = terminal();
        let given = rustix::io::fcntl_dupfd_cloexec(&theirs, 3).unwrap();
        let own = without_waiting(given, Access::Both).unwrap();
        assert!(!waits(&own) && waits(&theirs));
        rustix::io::write(&own, b"x").unwrap();
        let mut buffer = [0; 4];
        assert_eq!(rustix::io::read(&ours, &mut buffer), Ok(1));
        let (read, write) = rustix::pipe::pipe().unwrap();
        let own = without_waiting(rustix::io::fcntl_dupfd_cloexec(&read, 3).unwrap(), Access::Read).unwrap();
        assert!(!waits(&own) && waits(&read));
        assert_eq!(rustix::io::read(&own, &mut buffer), Err(rustix::io::Errno::AGAIN));
        rustix::io::write(&write, b"yes").unwrap();
        assert_eq!(rustix::io::read(&own, &mut buffer), Ok(3));
        // A socket cannot be opened anew.
        let (one, _two) = std::os::unix::net::UnixStream::pair().unwrap();
        assert!(!waits(without_waiting(one.into(), Access::Both).unwrap()));
    }

    #[test]
    fn waiting_is_turned_on_again() {
        let (_, write) = rustix::pipe::pipe().unwrap();
        rustix::fs::fcntl_setfl(&write, OFlags::NONBLOCK).unwrap();
        set_blocking(&write);
        assert!(waits(&write));
    }
}
