//! Panes' output: read into their journals within a budget, and taken by the model and by control clients.

use super::connection::{Connection, Face};
use super::live::PaneIo;
use super::turn::too_far_behind;
use super::{PANE_BUDGET, Server};
use mux::{End, Input, Now, PaneId};
use std::io;
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How long a program's end by HUP or TERM is not acted on. A machine that shuts down sends these to everything at once,
/// and the panes whose programs hear it before the server does are not closed for it.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(400);

impl Server {
    /// When the next end of a program is to be told that is held back.
    pub(super) fn next_told(&self) -> Option<Instant> {
        if self.ending.is_some() { None } else { self.live.panes.values().filter_map(|io| io.told_at).min() }
    }

    /// Tell the ends that were held back long enough.
    pub(super) fn finish_due(&mut self, now: Now) {
        if self.next_told().is_none_or(|at| at > now.instant) {
            return;
        }
        let due = |io: &PaneIo| io.told_at.is_some_and(|at| at <= now.instant);
        let panes: Vec<PaneId> = self.live.panes.iter().filter(|(_, io)| due(io)).map(|(pane, _)| *pane).collect();
        for pane in panes {
            self.finish_pane(now, pane);
            if let Some(io) = self.live.panes.get_mut(&pane) {
                io.told_at = None;
            }
        }
    }

    /// Read a pane within its budget, and let the model and control clients see it.
    pub(super) fn read_pane(&mut self, now: Now, pane: PaneId) {
        let mut left = PANE_BUDGET;
        loop {
            let Some(io) = self.live.panes.get_mut(&pane).filter(|io| !io.ended) else { return };
            let read = io.memory.journal().read_from(io.master.as_fd());
            match read {
                Ok(0) => io.ended = true,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::StorageFull => {
                    // A screen that can't be kept costs another server its oldest bytes, not this one its pane.
                    if !self.checkpoint(pane)
                        && let Some(io) = self.live.panes.get_mut(&pane)
                    {
                        io.memory.journal().make_room(host::READ_LIMIT);
                    }
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // EIO: the other end of the pty is closed.
                Err(_) => io.ended = true,
            }
            let used = self.parse_pane(now, pane);
            let Some(io) = self.live.panes.get(&pane) else { return };
            if io.ended {
                self.poll.remove(io.master.as_fd());
                return self.finish_pane(now, pane);
            }
            if used >= left || io.held {
                self.busy |= !io.held;
                return;
            }
            left -= used;
        }
    }

    /// Let the model see what was read of a pane. Gives how many bytes that was.
    pub(super) fn parse_pane(&mut self, now: Now, pane: PaneId) -> usize {
        let mut total = 0;
        loop {
            let Some(io) = self.live.panes.get(&pane) else { return total };
            let bytes = io.journal().unparsed();
            let count = bytes.len();
            if count == 0 {
                break;
            }
            let taken = catch_unwind(AssertUnwindSafe(|| self.mux.pane_output(now, &self.live, pane, bytes)));
            for connection in self.connections.values_mut() {
                let Face::Control(session) = &mut connection.face else { continue };
                if !session.output(&self.mux, now.instant, pane, bytes) {
                    connection.end(too_far_behind());
                }
            }
            let Some(io) = self.live.panes.get_mut(&pane) else { return total };
            io.memory.journal().consumed(count);
            total += count;
            if taken.is_err() {
                self.blank_pane(pane);
            }
            if self.live.panes.get(&pane).is_some_and(|io| io.journal().checkpoint_due()) {
                self.checkpoint(pane);
            }
        }
        if total > 0 {
            self.undrawn = true;
            self.keeper.wrote(&self.mux, pane);
            self.settle(now);
            self.hold_panes();
        }
        total
    }

    /// The engine failed at a pane's output: the pane starts with a blank screen, and nobody else's work ends.
    fn blank_pane(&mut self, pane: PaneId) {
        let (Some(io), Some(entry)) = (self.live.panes.get_mut(&pane), self.mux.panes.get_mut(&pane)) else { return };
        let (size, limit) = (entry.terminal.size(), entry.terminal.history_limit());
        let _ = io.memory.reset();
        *entry.terminal = term::Terminal::with_store(size, limit, super::live::store(&io.memory));
        entry.terminal.feed(b"rove: the screen was lost to a fault of the program\r\n");
        self.checkpoint(pane);
    }

    /// A pane was taken over without its screen: say so on it, and once only.
    pub(super) fn tell_of_lost_screen(&mut self, pane: PaneId) {
        let Some(entry) = self.mux.panes.get_mut(&pane) else { return };
        entry.terminal.feed(b"rove: the screen of this pane was written by another version and is lost\r\n");
        entry.terminal.take_events();
        self.checkpoint(pane);
    }

    /// Do not read panes whose output nobody can take: all attached clients are control clients that are behind or
    /// want none of it.
    pub(super) fn hold_panes(&mut self) {
        let attached: Vec<&Connection> = self
            .connections
            .values()
            .filter(|connection| self.mux.clients.get(&connection.id).is_some_and(|client| client.session.is_some()))
            .collect();
        let all_control = !attached.is_empty() && attached.iter().all(|it| matches!(it.face, Face::Control(_)));
        if !all_control && !self.holding {
            return;
        }
        let mut changed = Vec::new();
        for (pane, io) in &self.live.panes {
            let refuses = |connection: &&Connection| match &connection.face {
                Face::Control(session) => session.is_off(*pane) || session.is_behind(),
                _ => false,
            };
            let held = all_control && attached.iter().all(refuses);
            if held != io.held {
                changed.push((*pane, held));
            }
        }
        for (pane, held) in changed {
            if let Some(io) = self.live.panes.get_mut(&pane) {
                io.held = held;
            }
            self.watch_pane(pane);
        }
        self.holding = self.live.panes.values().any(|io| io.held);
    }

    /// A pane's program ended and all it wrote was read: tell the model.
    pub(super) fn finish_pane(&mut self, now: Now, pane: PaneId) {
        if self.live.fall_asleep(pane) {
            return self.keeper.changed_asleep(&self.mux, pane);
        }
        let kept = self.mux.globals.server.flag("freeze");
        let Some(io) = self.live.panes.get_mut(&pane) else { return };
        let Some(exit) = io.exit.filter(|_| io.ended && !io.told) else { return };
        // A server that stops keeps every pane it has; what ends now is ended along with it.
        let stops = self.ending == Some(End::Freeze);
        let may_be_shutdown = kept && matches!(exit, host::Exit::Signal(libc::SIGHUP | libc::SIGTERM));
        if stops || may_be_shutdown && now.instant < *io.told_at.get_or_insert(now.instant + SHUTDOWN_GRACE) {
            return;
        }
        io.told = true;
        let exit = match exit {
            host::Exit::Code(code) => mux::Exit::Status(code),
            host::Exit::Signal(signal) => mux::Exit::Signal(signal),
        };
        self.keeper.exited(&self.mux, &self.live, pane, exit, now);
        self.mux.handle(now, &mut self.live, Input::PaneExited(pane, exit));
        self.settle(now);
        self.keeper.exit_done();
    }
}
