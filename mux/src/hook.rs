//! Hooks: commands that users tie to what happens (tmux(1), HOOKS). They are options that hold commands.

use crate::Mux;
use crate::command::Arguments;
use crate::event::Event;
use crate::id::{PaneId, SessionId, WindowId};
use crate::queue::{Item, State};
use crate::target::{self, Found};
use crate::world::World;
use std::rc::Rc;

/// A hook to be run: its name, where it stands, and values for its formats.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pending {
    name: &'static str,
    found: Found,
    formats: Vec<(String, String)>,
}

/// `#{hook_argument_N}` and `#{hook_flag_X}` of a command.
pub(crate) fn argument_formats(arguments: &Arguments) -> Vec<(String, String)> {
    let mut formats = vec![("hook_arguments".to_owned(), crate::command::print_arguments(arguments))];
    for at in 0..arguments.positional().len() {
        let text = arguments.string(at).map(|text| text.into_owned()).unwrap_or_default();
        formats.push((format!("hook_argument_{at}"), text));
    }
    for flag in ('a'..='z').chain('A'..='Z').chain('0'..='9').filter(|flag| arguments.has(*flag)) {
        formats.push((format!("hook_flag_{flag}"), arguments.get(flag).unwrap_or("1").to_owned()));
        for (at, value) in arguments.all(flag).enumerate() {
            formats.push((format!("hook_flag_{flag}_{at}"), value.to_owned()));
        }
    }
    formats
}

impl Mux {
    /// Note the hook of an event, to be run once the commands at hand are done.
    pub(crate) fn hook_event(&mut self, event: &Event) {
        let of_window = |mux: &Mux, id: WindowId| target::from_window(mux, id, false).unwrap_or_default();
        let of_pane = |mux: &Mux, id: PaneId| target::from_pane(mux, id).unwrap_or_default();
        let of_session = |mux: &Mux, id: SessionId| target::current_of(mux, id).unwrap_or_default();
        let of_client = |mux: &Mux, id| target::from_client(mux, Some(id), false).unwrap_or_default();
        let (name, found) = match event {
            Event::WindowLinked(_, window) => ("window-linked", of_window(self, *window)),
            Event::WindowUnlinked(session, _) => ("window-unlinked", of_session(self, *session)),
            Event::WindowRenamed(window) => ("window-renamed", of_window(self, *window)),
            Event::WindowPaneChanged(window) => ("window-pane-changed", of_window(self, *window)),
            Event::LayoutChanged(window) => ("window-layout-changed", of_window(self, *window)),
            Event::ClientSessionChanged(client) => ("client-session-changed", of_client(self, *client)),
            Event::ClientDetached(client, _) => ("client-detached", of_client(self, *client)),
            Event::ClientAttached(client) => ("client-attached", of_client(self, *client)),
            Event::ClientResized(client) => ("client-resized", of_client(self, *client)),
            Event::ClientFocus(client, true) => ("client-focus-in", of_client(self, *client)),
            Event::ClientFocus(client, false) => ("client-focus-out", of_client(self, *client)),
            Event::SessionRenamed(session) => ("session-renamed", of_session(self, *session)),
            Event::SessionCreated(session) => ("session-created", of_session(self, *session)),
            Event::SessionClosed(..) => ("session-closed", Found::default()),
            Event::SessionWindowChanged(session) => ("session-window-changed", of_session(self, *session)),
            Event::PaneModeChanged(pane) => ("pane-mode-changed", of_pane(self, *pane)),
            Event::PanePrompt(pane, true, _) => ("pane-prompt-opened", of_pane(self, *pane)),
            Event::PanePrompt(pane, false, _) => ("pane-prompt-closed", of_pane(self, *pane)),
            Event::PaneDied(pane) => ("pane-died", of_pane(self, *pane)),
            Event::PaneExited(pane, _) => ("pane-exited", of_pane(self, *pane)),
            Event::PaneTitleChanged(pane) => ("pane-title-changed", of_pane(self, *pane)),
            Event::Bell(pane) => ("alert-bell", of_pane(self, *pane)),
            Event::PaneSetClipboard(pane) => ("pane-set-clipboard", of_pane(self, *pane)),
            _ => return,
        };
        let formats = self.hook_formats(event);
        self.pending_hooks.push(Pending { name, found, formats });
    }

    /// What `#{hook_...}` says of an event: its client, session, window and pane, as far as it has them.
    fn hook_formats(&self, event: &Event) -> Vec<(String, String)> {
        let mut formats: Vec<(String, String)> = Vec::new();
        let mut add = |name: &str, value: String| formats.push((name.to_owned(), value));
        match event {
            Event::ClientDetached(_, name) => add("hook_client", name.clone()),
            Event::ClientAttached(client)
            | Event::ClientResized(client)
            | Event::ClientSessionChanged(client)
            | Event::ClientFocus(client, _) => add("hook_client", self.client_name(*client)),
            _ => {}
        }
        let session = match event {
            Event::SessionClosed(id, name) => Some((*id, name.clone())),
            Event::SessionCreated(id)
            | Event::SessionRenamed(id)
            | Event::SessionWindowChanged(id)
            | Event::WindowLinked(id, _)
            | Event::WindowUnlinked(id, _) => {
                Some((*id, self.sessions.get(id).map_or(String::new(), |session| session.name.clone())))
            }
            _ => None,
        };
        if let Some((id, name)) = session {
            add("hook_session", id.to_string());
            add("hook_session_name", name);
        }
        if let Event::WindowLinked(_, window)
        | Event::WindowUnlinked(_, window)
        | Event::WindowRenamed(window)
        | Event::LayoutChanged(window)
        | Event::WindowPaneChanged(window)
        | Event::PaneExited(_, window) = event
        {
            add("hook_window", window.to_string());
            if let Some(window) = self.windows.get(window) {
                add("hook_window_name", window.name.clone());
            }
        }
        if let Event::PaneExited(pane, _)
        | Event::PaneDied(pane)
        | Event::PaneModeChanged(pane)
        | Event::PanePrompt(pane, ..)
        | Event::PaneTitleChanged(pane) = event
        {
            if let Event::PanePrompt(.., kind) = event {
                add("hook_prompt_type", kind.clone());
            }
            add("hook_pane", pane.to_string());
            if let (false, Some(pane)) = (matches!(event, Event::PaneExited(..)), self.panes.get(pane)) {
                add("hook_window", pane.window.to_string());
                let name = self.windows.get(&pane.window).map_or(String::new(), |window| window.name.clone());
                add("hook_window_name", name);
            }
        }
        formats
    }

    /// Put the hooks that were noted on the server's own queue.
    pub(crate) fn queue_pending_hooks(&mut self, world: &dyn World) {
        for pending in std::mem::take(&mut self.pending_hooks) {
            let items = self.hook_items(pending.name, pending.found, &State::default(), &pending.formats, world);
            self.queues.append(None, items);
        }
    }

    /// The commands of a hook, as items; none when the state says that it is a hook's own.
    pub(crate) fn hook_items(
        &mut self,
        name: &str,
        found: Found,
        state: &State,
        formats: &[(String, String)],
        world: &dyn World,
    ) -> Vec<Item> {
        if state.no_hooks {
            return Vec::new();
        }
        let texts = self.hook_texts(name, found);
        if texts.is_empty() {
            return Vec::new();
        }
        let mut values = vec![("hook".to_owned(), name.to_owned())];
        values.extend_from_slice(formats);
        let state = Rc::new(State {
            current: std::cell::Cell::new(
                Some(found).filter(|found| *found != Found::default()).or(state.current.get()),
            ),
            key: state.key,
            mouse: state.mouse,
            mouse_event: state.mouse_event.clone(),
            formats: values,
            typed: false,
            no_hooks: true,
            read_only: state.read_only,
            depth: state.depth,
        });
        let mut items = Vec::new();
        for text in texts {
            match self.commands(&text, None, world) {
                Ok(commands) => items.extend(self.queues.items(&commands, &state)),
                Err(error) => items.push(Item::failed(state.clone(), error)),
            }
        }
        items
    }

    /// The commands tied to a hook: the pane's, window's or session's own, else the global ones.
    fn hook_texts(&self, name: &str, found: Found) -> Vec<String> {
        let pane = found.pane.and_then(|id| self.panes.get(&id)).map(|pane| &pane.options);
        let window = found.window.and_then(|id| self.windows.get(&id)).map(|window| &window.options);
        let session = found.session.and_then(|id| self.sessions.get(&id)).map(|session| &session.options);
        let chain = [pane, window, session, Some(&self.globals.window), Some(&self.globals.session)];
        chain
            .into_iter()
            .flatten()
            .find_map(|store| store.get(name))
            .map(|value| value.items().map(|(_, text)| text.to_owned()).collect())
            .unwrap_or_default()
    }
}
