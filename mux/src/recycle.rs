//! The last pane of a session: a tab that was made for an engine is not gone with its shell, its place gets a fresh one.

use crate::effect::{Effect, Stale};
use crate::id::{PaneId, SessionId};
use crate::input::Now;
use crate::pane::Program;
use crate::spawn::Wanted;
use crate::world::World;
use crate::{Mux, Pane};
use std::time::Duration;

/// The option that says which panes are recycled.
const RECYCLE: &str = "recycle-on-exit";

/// A program that ends sooner than this after its pane was recycled ends the session: nothing is started for ever.
const TRIED_LONG_ENOUGH: Duration = Duration::from_secs(5);

impl Mux {
    /// A pane's program ended: when the pane is the last of its session and is to stay, something fresh is started in its place.
    /// True when that was done.
    pub(crate) fn recycle(&mut self, now: Now, world: &mut dyn World, id: PaneId) -> bool {
        let too_soon = |pane: &Pane| {
            pane.recycled.is_some_and(|then| now.instant.saturating_duration_since(then) < TRIED_LONG_ENOUGH)
        };
        if !self.pane_flag(id, RECYCLE) || self.panes.get(&id).is_none_or(too_soon) {
            return false;
        }
        let Some(session) = self.session_of_last(id) else { return false };
        let name = self.sessions.get(&session).map_or(String::new(), |session| session.name.clone());
        let agent = self.panes.get(&id).and_then(|pane| pane.agent.clone());
        self.blank(world, id);
        let note = format!("session {name} keeps its last window; rove kill {name} ends it");
        let Some(pane) = self.panes.get_mut(&id) else { return false };
        pane.recycled = Some(now.instant);
        pane.argv.clear();
        crate::freeze::come_back(&mut pane.terminal, Some(&note));
        let (shell, cwd) = (pane.shell.clone(), pane.cwd.clone());
        let launch = agent.and_then(|agent| {
            let cwd = Some(agent.cwd).filter(|cwd| !cwd.is_empty()).unwrap_or(cwd);
            self.plan_launch(now, world, id, &agent.engine, agent.args, cwd).ok()
        });
        let wanted = launch.map_or_else(Wanted::default, |(engine, launch)| {
            let path = self.environment.get("PATH").unwrap_or_default();
            self.wrapped(engine, &launch, &shell, path)
        });
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.agent_runs = wanted.once.is_some();
            pane.agent_start = wanted.once.is_some().then(crate::agent::Start::default);
        }
        self.start_program(world, id, Some(session), &wanted).is_ok()
    }

    /// From now on a pane's place is the engine's that was launched for it: it is not gone with a shell that ends.
    pub(crate) fn keep_for_engine(&mut self, id: PaneId) {
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.options.set_flag(RECYCLE, true);
        }
    }

    /// Whether a window is all that a session has left.
    fn session_of_last(&self, id: PaneId) -> Option<SessionId> {
        let window = self.windows.get(&self.panes.get(&id)?.window)?;
        let alone = window.panes().len() == 1;
        self.sessions_with(window.id).find(|session| alone && session.windows.len() == 1).map(|session| session.id)
    }

    /// Forget what a pane was: it gets another lasting id and a blank screen, and has no program and no agent. Its place stays.
    pub(crate) fn blank(&mut self, world: &mut dyn World, id: PaneId) {
        let uuid = crate::agent::as_uuid(world.random());
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let old = std::mem::replace(&mut pane.uuid, uuid);
        pane.agent = None;
        pane.agent_runs = false;
        pane.modes.clear();
        pane.program = Program::None;
        let (size, limit) = (pane.terminal.size(), pane.terminal.history_limit());
        *pane.terminal = term::Terminal::new(size, limit);
        self.effect(Effect::Persist(Stale::PaneForgotten(old)));
        self.redraw();
    }
}
