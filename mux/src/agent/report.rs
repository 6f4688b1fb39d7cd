//! What is told from inside a pane: an engine's hook tells of a conversation, a shell of its engine's end.

use super::{HookReport, Mux, PaneId, uuid_text};
use crate::queue::Context;
use agents::probe::{Answer, Probe};

impl Mux {
    /// The pane with that token.
    pub(crate) fn pane_with_token(&self, token: &str) -> Option<PaneId> {
        self.panes.values().find(|pane| uuid_text(pane.uuid) == token).map(|pane| pane.id)
    }

    /// A hook told of a conversation. It is believed when the process that tells it descends from the pane's own engine.
    pub(crate) fn agent_told(&mut self, context: &mut Context<'_>, id: PaneId, session: String) {
        let Some(pane) = self.panes.get(&id) else { return };
        let token = uuid_text(pane.uuid);
        let report = HookReport { pane: token, ancestors: self.above_client(context, id), session };
        self.find_agent(context.world, id, Some(report));
    }

    /// The processes above the client that runs a command, nearest first.
    pub(crate) fn above_client(&self, context: &Context<'_>, id: PaneId) -> Vec<u32> {
        let Some(client) = context.client.and_then(|id| self.clients.get(&id)) else { return Vec::new() };
        match context.world.probe(id, &Probe::Ancestors { pid: client.pid }) {
            Some(Answer::Ancestors(ancestors)) => ancestors,
            _ => Vec::new(),
        }
    }
}
