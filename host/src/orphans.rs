//! What runs in panes whose host was killed. A server that outlives its host ends it; without one the system kills the
//! panes' own children, see `spawn.rs`, and hangs up the rest.

use std::os::fd::OwnedFd;

use rustix::process::Signal;

use crate::session;

/// The panes' sessions, each by its leader and the master of its pty, which keeps that pty from being another's.
#[derive(Debug, Default)]
pub struct Orphans {
    panes: Vec<(i32, OwnedFd)>,
}

impl Orphans {
    /// Takes in the pane whose child was `pid`.
    pub fn add(&mut self, pid: i32, master: OwnedFd) {
        self.panes.push((pid, master));
    }

    /// Hangs all of them up.
    pub fn hang_up(&self) {
        session::signal_sessions(&self.sessions(), Signal::HUP);
        session::signal_sessions(&self.sessions(), Signal::CONT);
    }

    /// Kills what is left of them.
    pub fn kill(&self) {
        session::signal_sessions(&self.sessions(), Signal::KILL);
    }

    /// A leader that has the pty for its terminal is the one that was started in it. Once it is gone its number is
    /// nobody's while the session lives.
    fn sessions(&self) -> Vec<(i32, bool)> {
        let leads = |pid: i32, master: &OwnedFd| {
            rustix::termios::tcgetsid(master).is_ok_and(|leader| leader.as_raw_nonzero().get() == pid)
        };
        self.panes.iter().map(|(pid, master)| (*pid, leads(*pid, master))).collect()
    }
}
