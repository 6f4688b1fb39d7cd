//! Which pane of a window a client is in. It is the window's active pane, for everybody, as long as one client alone shows the window.
//! As rove, clients that show a window together each have their own: where one of them goes, the others stay. As tmux that is so
//! for clients with the flag `active-pane`.

use crate::client::{Client, ClientFlags};
use crate::id::{ClientId, PaneId, WindowId};
use crate::{Face, Mux, Window};

/// Where a client is in a window, apart from all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Focus {
    /// The pane.
    pub pane: PaneId,
    /// The pane it was in before.
    pub before: PaneId,
}

impl Mux {
    /// The pane that a client is in.
    pub fn active_pane_of(&self, id: ClientId) -> Option<PaneId> {
        let client = self.clients.get(&id)?;
        let window = self.sessions.get(&client.session?)?.current_window()?;
        let window = self.windows.get(&window)?;
        Some(own(client, window).map_or(window.active, |focus| focus.pane))
    }

    /// Where a client is in a window, when that is its own affair.
    pub(crate) fn own_focus(&self, id: ClientId, window: WindowId) -> Option<Focus> {
        own(self.clients.get(&id)?, self.windows.get(&window)?)
    }

    /// A client goes to another pane of a window.
    pub(crate) fn focus_pane(&mut self, id: Option<ClientId>, window: WindowId, pane: PaneId) {
        let Some(id) = id.filter(|id| self.goes_alone(*id, window)) else { return self.activate_pane(window, pane) };
        let before = self.own_focus(id, window).map(|focus| focus.pane);
        let Some(entry) = self.windows.get(&window).filter(|entry| entry.layout.contains(pane)) else { return };
        let before = before.unwrap_or(entry.active);
        if !entry.shows(pane) {
            self.unzoom(window);
        }
        if let Some(client) = self.clients.get_mut(&id).filter(|_| before != pane) {
            client.focus.insert(window, Focus { pane, before });
        }
        self.use_pane(pane);
        self.redraw();
    }

    /// A new pane of a window: whoever made it is in it. tmux's flag is about going to panes only.
    pub(crate) fn focus_new_pane(&mut self, id: Option<ClientId>, window: WindowId, pane: PaneId) {
        let id = id.filter(|_| self.identity.face == Face::Rove);
        self.focus_pane(id, window, pane);
    }

    /// Clients left: who is alone in a window now is there for everybody who comes.
    pub(crate) fn join_focus(&mut self) {
        let mut shared: Vec<(ClientId, WindowId, PaneId)> = Vec::new();
        for client in self.clients.values() {
            let alone = client.focus.iter().filter(|(window, _)| !self.goes_alone(client.id, **window));
            shared.extend(alone.map(|(window, focus)| (client.id, *window, focus.pane)));
        }
        for (id, window, pane) in shared {
            if let Some(client) = self.clients.get_mut(&id) {
                client.focus.remove(&window);
            }
            let is_shown = self.clients.get(&id).is_some_and(|client| self.shows(client, window));
            if is_shown && self.identity.face == Face::Rove {
                self.activate_pane(window, pane);
            }
        }
    }

    /// Whether where a client goes in a window is its own affair.
    fn goes_alone(&self, id: ClientId, window: WindowId) -> bool {
        let Some(client) = self.clients.get(&id).filter(|client| client.session.is_some()) else { return false };
        let together = || self.clients.values().any(|other| other.id != id && self.shows(other, window));
        client.flags.contains(ClientFlags::ACTIVE_PANE)
            || self.identity.face == Face::Rove && self.shows(client, window) && together()
    }

    /// Whether a client draws a session that has a window.
    fn shows(&self, client: &Client, window: WindowId) -> bool {
        let session = client.session.filter(|_| client.is_drawn()).and_then(|id| self.sessions.get(&id));
        session.is_some_and(|session| session.index_of(window).is_some())
    }
}

/// A zoomed window shows one pane, and a modal one has all keys: everybody is in it.
fn own(client: &Client, window: &Window) -> Option<Focus> {
    let focus = client.focus.get(&window.id).copied();
    focus.filter(|focus| window.layout.contains(focus.pane) && !window.zoomed() && window.modal.is_none())
}
