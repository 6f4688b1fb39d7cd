//! Which pane of a window a client is in. It is the window's active pane, for everybody, as long as one client alone shows the window.
//! As rove, clients that show a window together each have their own: where one of them goes, the others stay. As tmux that is so
//! for clients with the flag `active-pane`.
//!
//! And which panes have the focus of a terminal: their programs and hooks are told when it comes and goes.

use crate::client::{Client, ClientFlags};
use crate::effect::Effect;
use crate::event::Event;
use crate::id::{ClientId, PaneId, WindowId};
use crate::{Face, Mux, Window};
use term::Modes;

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
        self.focus_moved(&[before, pane]);
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

    /// The terminal of a client has the focus, or lost it.
    pub(crate) fn client_focus(&mut self, id: ClientId, on: bool) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.flags.set(ClientFlags::FOCUSED, on);
        }
        let pane = self.active_pane_of(id);
        // The hook of the pane runs before that of the client when the focus goes, and after it when it comes.
        if let Some(pane) = pane.filter(|_| !on) {
            self.update_focus(pane);
        }
        self.event(Event::ClientFocus(id, on));
        if let Some(pane) = pane.filter(|_| on) {
            self.update_focus(pane);
        }
    }

    /// Other panes are active or in sight than before, by a command: looked at only where focus is of interest.
    pub(crate) fn focus_moved(&mut self, panes: &[PaneId]) {
        if self.globals.server.flag("focus-events") {
            panes.iter().for_each(|pane| self.update_focus(*pane));
        }
    }

    /// The same of windows: their active panes are meant.
    pub(crate) fn window_focus_moved(&mut self, windows: &[Option<WindowId>]) {
        if self.globals.server.flag("focus-events") {
            windows.iter().for_each(|window| self.update_window_focus(*window));
        }
    }

    /// Look whether the active pane of a window has the focus.
    pub(crate) fn update_window_focus(&mut self, window: Option<WindowId>) {
        let active = window.and_then(|id| self.windows.get(&id)).map(|window| window.active);
        if let Some(active) = active {
            self.update_focus(active);
        }
    }

    /// Look whether the pane that a client is in has the focus: something lies over its screen now, or no longer.
    pub(crate) fn update_client_focus(&mut self, id: ClientId) {
        if let Some(pane) = self.active_pane_of(id) {
            self.update_focus(pane);
        }
    }

    /// Look whether a pane has the focus; when that is new, its program and its hooks are told.
    fn update_focus(&mut self, id: PaneId) {
        let focused = self.has_focus(id);
        let Some(pane) = self.panes.get_mut(&id).filter(|pane| pane.running() && pane.focused != focused) else {
            return;
        };
        pane.focused = focused;
        let asks = pane.terminal.modes().contains(Modes::FOCUS);
        if asks {
            let mut bytes = Vec::new();
            keymap::encode_focus(focused, &mut bytes);
            self.effect(Effect::WritePane(id, bytes));
        }
        self.fire_pane(if focused { "pane-focus-in" } else { "pane-focus-out" }, id);
    }

    /// Whether a client whose terminal has the focus is in a pane, and nothing lies over its screen.
    fn has_focus(&self, pane: PaneId) -> bool {
        let Some(window) = self.panes.get(&pane).and_then(|pane| self.windows.get(&pane.window)) else { return false };
        let is_there = |client: &Client| match self.identity.face {
            Face::Rove => self.active_pane_of(client.id) == Some(pane),
            Face::Tmux => window.active == pane && self.shown_window(client) == Some(window.id),
        };
        self.clients.values().any(|client| {
            client.flags.contains(ClientFlags::FOCUSED)
                && !client.leaving
                && client.overlay.is_none()
                && is_there(client)
        })
    }

    /// The window that a client shows.
    fn shown_window(&self, client: &Client) -> Option<WindowId> {
        self.sessions.get(&client.session?)?.current_window()
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
