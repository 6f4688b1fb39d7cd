//! The first moments of an engine that we started: it may refuse, and then one thing follows, once.

use super::{Engine, Mux, Now, PaneId, Resume, World};
use crate::spawn::Wanted;
use agents::AgentRecord;
use agents::refusal;
use std::time::{Duration, Instant};

/// Most bytes of what it says that are kept: a refusal is a line or a dialog.
const SAID_MOST: usize = 16 * 1024;

/// How long a conversation that another process has open is waited for. One that was just ended, by a stop perhaps, is gone by then.
const LETS_GO: Duration = Duration::from_secs(2);

/// What has come of an engine that was just started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// What it wrote last.
    said: Vec<u8>,
    /// It wrote more than a refusal is.
    said_much: bool,
    /// It is what followed a refusal; after another one nothing does.
    follows: bool,
    /// It has not begun: until then another process may let go of its conversation.
    waits: Option<Instant>,
}

impl Start {
    /// It wrote.
    pub(crate) fn hear(&mut self, bytes: &[u8]) {
        self.said.extend_from_slice(bytes);
        if self.said.len() > 2 * SAID_MOST {
            self.said.drain(..self.said.len() - SAID_MOST);
            self.said_much = true;
        }
    }
}

/// What to tell a shell whose engine has ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// Nothing in particular.
    Nothing,
    /// Its last words are not here yet.
    NotYet,
    /// This.
    Told(String),
    /// Another engine takes the shell's place, with a line for its screen.
    Next(Box<Wanted>, Option<String>),
}

impl Mux {
    /// Whether an engine that can't have its conversation yet shall be waited with.
    pub(super) fn waits(&mut self, now: Now, id: PaneId) -> bool {
        let Some(pane) = self.panes.get_mut(&id) else { return false };
        let until = *pane.agent_start.get_or_insert_default().waits.get_or_insert(now.instant + LETS_GO);
        let waits = now.instant < until;
        if !waits {
            pane.agent_start = None;
        }
        waits
    }

    /// An engine that has worked for a while can't refuse any more.
    pub(super) fn end_start(&mut self, now: Now, id: PaneId) {
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let launched = pane.agent.as_ref().map_or(0, |agent| agent.launched_ms);
        if now.unix.as_millis() as u64 >= launched.saturating_add(refusal::SOON_MS) {
            pane.agent_start = None;
        }
    }

    /// The engine of a pane ended; `mark` is what its shell wrote after it.
    pub(crate) fn agent_ended(
        &mut self,
        now: Now,
        world: &mut dyn World,
        id: PaneId,
        status: i32,
        mark: &str,
    ) -> Ended {
        let Some(pane) = self.panes.get_mut(&id) else { return Ended::Nothing };
        let (Some(record), Some(start)) = (pane.agent.clone(), pane.agent_start.clone()) else { return Ended::Nothing };
        let Some(engine) = self.engines.find(&record.engine) else { return Ended::Nothing };
        let ran_ms = (now.unix.as_millis() as u64).saturating_sub(record.launched_ms);
        if !refusal::is_refusal(status, ran_ms) {
            return Ended::Nothing;
        }
        let said = refusal::plain(&start.said);
        let Some((said, _)) = said.rsplit_once(mark) else { return Ended::NotYet };
        pane.agent_runs = false;
        pane.agent_start = None;
        if start.said_much || engine.is_ready(said) {
            // It came up, and so did not refuse: it was ended by who used it.
            return Ended::Nothing;
        }
        let resume = if start.follows {
            refusal::give_up(engine, &record, said)
        } else {
            self.next_after(now, world, id, engine, &record, said, status)
        };
        let (wanted, note) = self.begin(now, id, engine, resume);
        match (wanted.once.is_some(), note) {
            (true, note) => {
                if let Some(start) = self.panes.get_mut(&id).and_then(|pane| pane.agent_start.as_mut()) {
                    start.follows = true;
                }
                Ended::Next(Box::new(wanted), note)
            }
            (false, Some(note)) => Ended::Told(note),
            (false, None) => Ended::Nothing,
        }
    }

    #[allow(clippy::too_many_arguments)] // What ended, and how.
    fn next_after(
        &mut self,
        now: Now,
        world: &mut dyn World,
        id: PaneId,
        engine: &'static Engine,
        record: &AgentRecord,
        said: &str,
        status: i32,
    ) -> Resume {
        let facts = self.facts(now, world, id, engine, record.id.as_deref(), &record.cwd);
        let session = crate::target::from_pane(self, id).and_then(|found| found.session);
        let alone = session.is_some_and(|session| self.panes_of(session).len() == 1);
        refusal::follow_up(engine, record, &facts, said, status, alone)
    }
}
