//! When the server ends, and what keeps it.

use crate::client::Client;
use crate::effect::Effect;
use crate::id::ClientId;
use crate::input::Now;
use crate::timer::Timer;
use crate::{Mux, Pane};
use std::time::Duration;

impl Mux {
    /// The server ends when there is no session left and its options say so.
    pub(crate) fn exit_if_empty(&mut self) {
        let attached = self.clients.values().any(|client| client.session.is_some() && !client.leaving);
        let empty = self.sessions.is_empty() && self.globals.server.flag("exit-empty") && !self.has_routines();
        let unattached = !attached && self.globals.server.flag("exit-unattached");
        // A server that nobody has spoken to yet waits for whoever started it.
        let waited_for = !self.served || self.clients.values().any(|client| !client.leaving);
        if self.configured && !self.ending && !waited_for && (empty || unattached) && self.queues.is_idle(None) {
            self.end(crate::End::Empty);
        }
    }

    /// An enabled routine holds the server.
    fn has_routines(&self) -> bool {
        !self.enabled_routines().is_empty()
    }

    /// Whether nobody and nothing needs the server: no client, no program that lives, nothing that runs or is to run.
    /// Sessions that sleep come back from the disk as well.
    fn is_idle(&self) -> bool {
        let lives = self.panes.values().any(Pane::running) || !self.thawing.is_empty();
        let runs = !self.jobs.is_empty() || !self.delayed.is_empty() || !self.queues.is_idle(None);
        let wanted = !self.clients.is_empty() || !self.globals.server.flag("exit-empty") || self.has_routines();
        self.configured && !self.ending && !lives && !runs && !wanted
    }

    /// Leave some seconds after the last that held the server (option `idle-exit`).
    pub(crate) fn watch_idleness(&mut self, now: Now) {
        let seconds = self.globals.server.number("idle-exit");
        if seconds > 0 && self.globals.server.flag("freeze") && self.is_idle() {
            self.timers.set_once(Timer::Idle, now.instant + Duration::from_secs(seconds.unsigned_abs()));
        } else {
            self.timers.cancel(Timer::Idle);
        }
    }

    pub(crate) fn exit_if_idle(&mut self) {
        if self.is_idle() {
            self.end(crate::End::Freeze);
        }
    }

    /// What keeps the server, in words for a person; empty when nothing does.
    pub(crate) fn holds(&self) -> String {
        let count = |number: usize, one: &str, more: &str| match number {
            0 => None,
            1 => Some(format!("1 {one}")),
            number => Some(format!("{number} {more}")),
        };
        let clients = self.clients.values().filter(|client| client.session.is_some() && !client.leaving).count();
        let lives = self.panes.values().filter(|pane| pane.running()).count();
        let routines = self.enabled_routines();
        let names = (!routines.is_empty()).then(|| format!(" ({})", routines.join(", "))).unwrap_or_default();
        let parts = [
            count(lives, "live pane", "live panes"),
            count(clients, "client", "clients"),
            count(routines.len(), "routine", "routines").map(|text| text + &names),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The server ends.
    pub fn end(&mut self, end: crate::End) {
        if self.ending {
            return;
        }
        self.ending = true;
        // Attached clients of a server that hands over stay: they are told to come to the next one.
        let stays = |client: &Client| end == crate::End::HandOver && client.session.is_some();
        let clients: Vec<ClientId> =
            self.clients.values().filter(|client| !stays(client)).map(|client| client.id).collect();
        for client in clients {
            self.dismiss(client, "server exited");
        }
        self.effect(Effect::Exit(end));
    }
}
