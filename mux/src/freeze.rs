//! Stopping and coming back: a session whose programs were ended but not forgotten, and its return on attach.

use crate::Mux;
use crate::effect::{Effect, End, Farewell};
use crate::id::{ClientId, PaneId, SessionId};
use crate::input::Now;
use crate::pane::Program;
use crate::timer::Timer;
use crate::world::World;
use std::time::Duration;

/// Panes that are started at once when a session comes back.
const AT_ONCE: usize = 3;
/// What a pane says that comes back, unless there is more to say.
const RESTORED: &str = "restored; what ran here has ended and is started again";
/// The gap to the next ones; a start storm has cost others their transcripts.
const GAP: Duration = Duration::from_millis(150);
/// After this nothing is left of what ran in a pane that was ended: the host kills what a hangup did not end.
const LAST_BREATH: Duration = Duration::from_millis(600);

impl Mux {
    /// The server stops, to come back: which conversation each agent has is looked at once more before it goes.
    pub fn stop_server(&mut self, now: Now, world: &mut dyn World) {
        self.find_agents(now, world);
        self.end(End::Freeze);
    }

    /// End the programs of a session and keep everything else.
    pub(crate) fn freeze_session(&mut self, now: Now, world: &mut dyn World, id: SessionId) {
        self.find_agents(now, world);
        let Some(session) = self.sessions.get_mut(&id) else { return };
        session.frozen = true;
        let name = session.name.clone();
        for pane in self.panes_of(id) {
            let shared = self
                .panes
                .get(&pane)
                .is_some_and(|pane| self.sessions_with(pane.window).any(|session| session.id != id && !session.frozen));
            if !shared {
                self.freeze_pane(pane);
            }
        }
        let clients: Vec<ClientId> = self.clients_of(id).map(|client| client.id).collect();
        for client in clients {
            let control = self.clients.get(&client).is_some_and(crate::Client::is_control);
            let farewell = if control {
                Farewell::Control(None, 0)
            } else {
                Farewell::Exited(format!("stopped (session {name})"))
            };
            self.send_away(client, farewell);
        }
        self.changed();
        if self.globals.server.flag("freeze") && self.sessions.values().all(|session| session.frozen) {
            self.end(End::Freeze);
        }
    }

    fn freeze_pane(&mut self, id: PaneId) {
        let Some(pane) = self.panes.get_mut(&id) else { return };
        if matches!(pane.program, Program::Running) {
            pane.program = Program::Frozen;
            pane.pid = 0;
            pane.agent_runs = false;
            pane.agent_start = None;
            self.effect(Effect::StopPane(id));
        }
    }

    /// End what runs in a pane, and start its engine again once that is gone: two of one conversation don't go together.
    pub(crate) fn end_to_return(&mut self, now: Now, id: PaneId, agent: agents::AgentRecord) {
        let Some(pane) = self.panes.get_mut(&id) else { return };
        pane.agent = Some(agent);
        pane.program = Program::Frozen;
        pane.pid = 0;
        self.effect(Effect::StopPane(id));
        self.timers.set(Timer::Return(id), now.instant + LAST_BREATH);
        self.changed();
    }

    /// Every pane of a session, in order.
    pub fn panes_of(&self, id: SessionId) -> Vec<PaneId> {
        let windows = self.sessions.get(&id).into_iter().flat_map(|session| session.windows.values());
        let mut panes = Vec::new();
        for window in windows.filter_map(|link| self.windows.get(&link.window)) {
            for pane in window.panes() {
                if !panes.contains(pane) {
                    panes.push(*pane);
                }
            }
        }
        panes
    }

    /// A client came to a session: what is frozen in it comes back, a few at a time.
    pub(crate) fn thaw_session(&mut self, now: Now, id: SessionId) {
        if let Some(session) = self.sessions.get_mut(&id) {
            session.frozen = false;
        }
        let frozen = self
            .panes_of(id)
            .into_iter()
            .filter(|pane| self.panes.get(pane).is_some_and(|pane| pane.program == Program::Frozen));
        for pane in frozen.collect::<Vec<_>>() {
            if !self.thawing.contains(&pane) {
                self.thawing.push_back(pane);
            }
        }
        if !self.thawing.is_empty() {
            self.timers.set_once(Timer::Thaw, now.instant);
        }
    }

    /// Start the next few panes that come back.
    pub(crate) fn thaw_next(&mut self, now: Now, world: &mut dyn World) {
        // Two programs in one pane, or two of one conversation, would be at odds: the one before has to be gone.
        let (parting, free): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.thawing).into_iter().partition(|pane| world.is_parting(*pane));
        let mut free = free.into_iter();
        for id in free.by_ref().take(AT_ONCE) {
            self.thaw_pane(now, world, id);
        }
        self.thawing.extend(free.chain(parting));
        if !self.thawing.is_empty() {
            self.timers.set_once(Timer::Thaw, now.instant + GAP);
        }
    }

    pub(crate) fn thaw_pane(&mut self, now: Now, world: &mut dyn World, id: PaneId) {
        if self.panes.get(&id).is_none_or(|pane| pane.program != Program::Frozen) {
            return;
        }
        let session = crate::target::from_pane(self, id).and_then(|found| found.session);
        let Some((wanted, note)) = self.plan_resume(now, world, id) else {
            self.thawing.push_back(id);
            self.timers.set_once(Timer::Thaw, now.instant + GAP);
            return;
        };
        if let Some(pane) = self.panes.get_mut(&id) {
            // A blank screen says that nothing was to be kept, as after a restart by hand.
            let restored = (pane.terminal.change() > 0).then_some(RESTORED);
            come_back(&mut pane.terminal, note.as_deref().or(restored));
            if let Some(cwd) = &wanted.cwd {
                pane.cwd.clone_from(cwd);
            }
        }
        if let Err(error) = self.start_program(world, id, session, &wanted)
            && let Some(pane) = self.panes.get_mut(&id)
        {
            pane.terminal.feed(format!("\r\nrove: this pane could not be started again: {error}\r\n").as_bytes());
            pane.terminal.take_events();
        }
        self.redraw();
    }
}

/// Make a screen ready for a program that did not write what it shows: what the one before set is taken back, what it
/// wrote stays, and the cursor goes below it. `note` is told on a line of its own.
pub(crate) fn come_back(terminal: &mut term::Terminal, note: Option<&str>) {
    const TAKE_BACK: &[u8] = b"\x1b\\\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1004l\
\x1b[?2004l\x1b[?2026l\x1b[?1l\x1b>\x1b[4l\x1b[<99u\x1b[>4;0m\x1b[?7h\x1b[?25h\x1b[0 q\x1b(B\x0f\x1b[0m\x1b7\x1b[?6l\x1b[r\x1b8";
    terminal.feed(TAKE_BACK);
    if terminal.cursor().col > 0 {
        terminal.feed(b"\r\n");
    }
    if let Some(note) = note {
        let note: String = note.chars().filter(|c| !c.is_control()).collect();
        terminal.feed(format!("rove: {note}\r\n").as_bytes());
    }
    terminal.take_events();
}
