//! Locking: a client's screen gives way to `lock-command` until that ends.

use crate::Mux;
use crate::effect::Effect;
use crate::id::{ClientId, SessionId};
use crate::input::Now;
use crate::timer::Timer;
use std::time::Duration;

impl Mux {
    /// Lock a client that shows a session. A control client has no screen to lock, and an empty command locks nothing.
    pub(crate) fn lock_client(&mut self, id: ClientId) {
        let Some(client) = self.clients.get(&id).filter(|client| client.is_drawn()) else { return };
        let Some(session) = client.session else { return };
        let command = self.session_text(session, "lock-command");
        if command.is_empty() {
            return;
        }
        if let Some(client) = self.clients.get_mut(&id) {
            client.suspended = true;
        }
        self.effect(Effect::ExecClient(id, command));
        self.recalculate_sizes();
    }

    /// Lock all clients of a session.
    pub(crate) fn lock_session(&mut self, session: SessionId) {
        let on_it = self.clients.iter().filter(|(_, client)| client.session == Some(session));
        let clients: Vec<ClientId> = on_it.map(|(id, _)| *id).collect();
        clients.into_iter().for_each(|client| self.lock_client(client));
    }

    /// A session was used: it is locked when that has not happened again for `lock-after-time`.
    pub(crate) fn schedule_lock(&mut self, now: Now, session: SessionId) {
        match self.session_number(session, "lock-after-time") {
            0 => self.timers.cancel(Timer::Lock(session)),
            seconds => self.timers.set(Timer::Lock(session), now.instant + Duration::from_secs(seconds.unsigned_abs())),
        }
    }
}
