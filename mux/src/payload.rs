//! What an event tells of itself: values by name. Hooks see them as `#{hook_NAME}`, `wait-for -E` as `#{NAME}`.

use crate::Mux;
use crate::event::Event;
use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::target::{self, Found};
use std::collections::BTreeMap;

/// The values of an event, and where it happened.
#[derive(Debug, Clone, Default)]
pub(crate) struct Payload {
    /// Where it happened; the commands of its hooks stand there.
    pub(crate) found: Found,
    values: BTreeMap<String, String>,
    /// Names of the sessions and windows among the values.
    names: Vec<(String, String)>,
}

impl Payload {
    pub(crate) fn at(found: Found) -> Payload {
        Payload { found, ..Payload::default() }
    }

    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Payload {
        self.values.insert(name.to_owned(), value.to_string());
        self
    }

    pub(crate) fn session(self, mux: &Mux, name: &str, id: SessionId) -> Payload {
        let called = mux.sessions.get(&id).map_or(String::new(), |session| session.name.clone());
        self.called(name, id, called)
    }

    pub(crate) fn window(self, mux: &Mux, name: &str, id: WindowId) -> Payload {
        let called = mux.windows.get(&id).map_or(String::new(), |window| window.name.clone());
        self.called(name, id, called)
    }

    /// A value that is the id of something with a name.
    pub(crate) fn called(mut self, name: &str, id: impl ToString, called: String) -> Payload {
        self.names.push((format!("{name}_name"), called));
        self.with(name, id)
    }

    fn index(self, found: Found) -> Payload {
        match found.index {
            Some(index) => self.with("window_index", index),
            None => self,
        }
    }

    /// All values for formats, each name after a prefix.
    pub(crate) fn formats(&self, prefix: &str) -> Vec<(String, String)> {
        let values = self.values.iter();
        let names = self.names.iter().map(|(name, value)| (name, value));
        values.chain(names).map(|(name, value)| (format!("{prefix}{name}"), value.clone())).collect()
    }

    /// `NAME=VALUE` of each value.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|(name, value)| format!("{name}={value}"))
    }
}

impl Mux {
    /// The values of something that happened to a pane.
    pub(crate) fn pane_payload(&self, pane: PaneId) -> Payload {
        let payload = Payload::at(target::from_pane(self, pane).unwrap_or_default()).with("pane", pane);
        match self.panes.get(&pane) {
            Some(pane) => payload.window(self, "window", pane.window),
            None => payload,
        }
    }

    pub(crate) fn window_payload(&self, window: WindowId) -> Payload {
        let found = target::from_window(self, window, false).unwrap_or_default();
        Payload::at(found).window(self, "window", window)
    }

    pub(crate) fn session_payload(&self, session: SessionId) -> Payload {
        Payload::at(target::current_of(self, session).unwrap_or_default()).session(self, "session", session)
    }

    pub(crate) fn client_payload(&self, client: ClientId) -> Payload {
        let found = target::from_client(self, Some(client), false).unwrap_or_default();
        let payload = Payload::at(found).with("client", self.client_name(client)).place(self);
        payload.index(found)
    }

    /// The values of a window's place in a session.
    pub(crate) fn link_payload(&self, session: SessionId, index: i32, window: WindowId) -> Payload {
        let pane = self.windows.get(&window).map(|window| window.active);
        let found =
            Found { session: Some(session), index: Some(index), window: Some(window), pane, ..Found::default() };
        Payload::at(found).session(self, "session", session).window(self, "window", window).index(found)
    }

    /// The hook of an event and what it is told; `None` when it has none.
    pub(crate) fn hook_of(&self, event: &Event) -> Option<(&'static str, Payload)> {
        let linked = |session: SessionId, window: WindowId| {
            let entry = self.sessions.get(&session);
            match entry.and_then(|entry| entry.index_of(window)) {
                Some(index) => self.link_payload(session, index, window),
                // It is out of the session already: what the hook runs stands there all the same.
                None => self.session_payload(session).window(self, "window", window),
            }
        };
        Some(match event {
            Event::WindowLinked(session, window) => ("window-linked", linked(*session, *window)),
            Event::WindowUnlinked(session, window) => ("window-unlinked", linked(*session, *window)),
            Event::WindowRenamed(window) => ("window-renamed", self.window_payload(*window)),
            Event::WindowPaneChanged(window) => ("window-pane-changed", self.pane_change(*window)),
            Event::LayoutChanged(window) => ("window-layout-changed", self.window_payload(*window)),
            Event::ClientSessionChanged(client) => ("client-session-changed", self.client_payload(*client)),
            Event::ClientDetached(client, name) => {
                ("client-detached", self.client_payload(*client).with("client", name))
            }
            Event::ClientAttached(client) => ("client-attached", self.client_payload(*client)),
            Event::ClientResized(client) => ("client-resized", self.client_payload(*client)),
            Event::ClientFocus(client, true) => ("client-focus-in", self.client_payload(*client)),
            Event::ClientFocus(client, false) => ("client-focus-out", self.client_payload(*client)),
            Event::SessionRenamed(session) => ("session-renamed", self.session_payload(*session)),
            Event::SessionCreated(session) => ("session-created", self.session_payload(*session)),
            Event::SessionClosed(id, name) => {
                ("session-closed", Payload::default().called("session", id, name.clone()))
            }
            Event::SessionWindowChanged(session) => ("session-window-changed", self.current_change(*session)),
            Event::PaneModeChanged(pane) => ("pane-mode-changed", self.pane_payload(*pane)),
            Event::PaneDied(pane) => ("pane-died", self.pane_payload(*pane)),
            Event::PaneExited(pane, _) => ("pane-exited", self.pane_payload(*pane)),
            Event::PaneTitleChanged(pane) => ("pane-title-changed", self.title_change(*pane)),
            Event::PaneSetClipboard(pane) => ("pane-set-clipboard", self.pane_payload(*pane)),
            _ => return None,
        })
    }

    /// An event of a window that only hooks are told.
    pub(crate) fn fire_window(&mut self, name: &str, window: WindowId) {
        if self.windows.contains_key(&window) {
            self.fire(name, self.window_payload(window));
        }
    }

    /// An event of a pane that only hooks are told.
    pub(crate) fn fire_pane(&mut self, name: &str, pane: PaneId) {
        if self.panes.contains_key(&pane) {
            self.fire(name, self.pane_payload(pane));
        }
    }

    /// A pane is new, or something new runs in it.
    pub(crate) fn fire_created(&mut self, id: PaneId, empty: bool, respawn: bool) {
        let Some(pane) = self.panes.get(&id) else { return };
        let command = if pane.argv.is_empty() { pane.shell.clone() } else { crate::scope::start_command(pane) };
        let payload = self.pane_payload(id);
        let payload = Payload { found: payload.found, ..payload.clone() }.place(self);
        let payload = payload
            .with("pane_command", command)
            .with("pane_current_path", &pane.cwd)
            .with("created_empty", u8::from(empty))
            .with("created_respawn", u8::from(respawn));
        self.fire("pane-created", payload);
    }

    /// A pane is in another window.
    pub(crate) fn fire_moved(&mut self, pane: PaneId, old: (WindowId, Option<i32>), name: String) {
        let mut payload = self.pane_payload(pane).called("old_window", old.0, name);
        if let Some(index) = old.1 {
            payload = payload.with("old_window_index", index);
        }
        if let Some(new) = self.panes.get(&pane).map(|pane| pane.window) {
            payload = payload.window(self, "new_window", new);
        }
        if let Some(index) = payload.found.index {
            payload = payload.with("window_index", index).with("new_window_index", index);
        }
        self.fire("pane-moved", payload);
    }

    /// Another pane is marked, or none.
    pub(crate) fn fire_marked(&mut self, old: Option<PaneId>) {
        let Some(about) = self.marked.or(old) else { return };
        let mut payload = self.pane_payload(about).with("marked", u8::from(self.marked.is_some()));
        if let Some(new) = self.marked {
            payload = payload.with("new_pane", new);
        }
        if let Some(old) = old {
            payload = payload.with("old_pane", old);
        }
        self.fire("marked-pane-changed", payload);
    }

    /// A pane entered a mode or left one: which it shows now, and which before.
    pub(crate) fn mode_changed(&mut self, id: PaneId, entered: bool, before: &str) {
        let current = self.panes.get(&id).and_then(|pane| pane.modes.last()).map(|mode| mode.name().to_owned());
        let mut payload = self.pane_payload(id).with("mode_entered", u8::from(entered));
        if let Some(current) = current {
            payload = payload.with("current_mode", current);
        }
        if !before.is_empty() {
            payload = payload.with("previous_mode", before);
        }
        self.fit_scrollbar(id);
        self.fire(if entered { "pane-mode-entered" } else { "pane-mode-exited" }, payload);
        self.event(Event::PaneModeChanged(id));
    }

    /// A session is about to leave its group, if it is in one.
    pub(crate) fn fire_left_group(&mut self, session: SessionId) {
        self.fire_group("session-removed-from-group", session);
    }

    /// An event of a session and its group.
    pub(crate) fn fire_group(&mut self, name: &str, session: SessionId) {
        let Some(group) = self.sessions.get(&session).and_then(|session| session.group.clone()) else { return };
        let size = self.group_members(&group).count();
        let payload = self.session_payload(session).with("group", group).with("group_size", size);
        self.fire(name, payload);
    }

    fn pane_change(&self, window: WindowId) -> Payload {
        let payload = self.window_payload(window);
        match self.windows.get(&window).map(|window| window.active) {
            Some(pane) => Payload { found: target::from_pane(self, pane).unwrap_or(payload.found), ..payload }
                .with("pane", pane)
                .with("new_pane", pane),
            None => payload,
        }
    }

    fn current_change(&self, session: SessionId) -> Payload {
        let current = self.sessions.get(&session).and_then(|entry| Some((entry.current, entry.current_window()?)));
        let Some((index, window)) = current else { return self.session_payload(session) };
        let payload = self.link_payload(session, index, window);
        payload.window(self, "new_window", window).with("new_window_index", index)
    }

    fn title_change(&self, pane: PaneId) -> Payload {
        let title = self.panes.get(&pane).map_or("", |pane| pane.title.as_str());
        self.pane_payload(pane).with("new_title", title)
    }
}

impl Payload {
    /// The session, window and pane of the place.
    pub(crate) fn place(mut self, mux: &Mux) -> Payload {
        let found = self.found;
        if let Some(session) = found.session {
            self = self.session(mux, "session", session);
        }
        if let Some(window) = found.window {
            self = self.window(mux, "window", window);
        }
        match found.pane {
            Some(pane) => self.with("pane", pane).index(found),
            None => self.index(found),
        }
    }

    /// The size before a change.
    pub(crate) fn sizes(self, old: (u32, u32), new: (u32, u32)) -> Payload {
        let old = self.with("old_width", old.0).with("old_height", old.1);
        old.with("width", new.0).with("height", new.1)
    }
}
