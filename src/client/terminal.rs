//! The terminal of an attached client, from the moment it is made raw until it is given back.

use std::io;

use crate::os::signal::Signals;
use crate::os::tty::{self, Saved};
use crate::protocol::Attached;

/// A terminal that the server has.
#[derive(Debug)]
pub(super) struct Terminal {
    saved: Option<Saved>,
    pub(super) attached: Attached,
}

impl Terminal {
    /// Makes the terminal raw.
    pub(super) fn take(attached: Attached) -> Terminal {
        let terminal = Terminal { saved: Saved::read(io::stdin()).ok(), attached };
        terminal.raw();
        terminal
    }

    pub(super) fn raw(&self) {
        if let Some(saved) = &self.saved {
            // A terminal that is gone says so by a signal.
            let _ = saved.raw(io::stdin());
        }
    }

    /// Puts the modes back, as they were.
    pub(super) fn restore(&self) {
        tty::set_blocking(io::stdin());
        if let Some(saved) = &self.saved {
            let _ = saved.restore(io::stdin());
        }
    }

    /// Leaves the screen in the server's stead.
    pub(super) fn leave(&self) {
        // Through stdin, as the server does: only that is known to be the terminal.
        super::serve::write_all(io::stdin(), &self.attached.leave);
    }

    /// Stops as on `^Z`, and is back when it returns.
    pub(super) fn stop(&self, signals: &Signals) {
        self.restore();
        signals.stop();
        self.raw();
    }

    /// Runs a command in a shell, which has the terminal until it ends.
    pub(super) fn lend(&self, command: &str) {
        self.restore();
        let _ = std::process::Command::new("/bin/sh").arg("-c").arg(command).status();
        self.raw();
    }
}
