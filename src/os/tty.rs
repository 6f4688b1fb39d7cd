//! The client's terminal: its name and size, its modes saved, changed and put back. Writes nothing to it.

use std::io;
use std::os::fd::AsFd;

use rustix::fs::OFlags;
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
