//! Notifications: which event is told to whom, in which words.

use crate::wire::one_line;
use mux::{Client, ClientId, Event, Mux, SessionId, WindowId};

/// The line that tells `client` of an event, without its line end; `None` when it is not told.
pub(crate) fn line(mux: &Mux, id: ClientId, event: &Event) -> Option<String> {
    let client = mux.clients.get(&id)?;
    let attached = client.session.is_some();
    let to_attached = |line: String| attached.then_some(line);
    match event {
        Event::WindowLinked(session, window) => to_attached(linked(client, mux, *session, *window, "add", None)),
        Event::WindowUnlinked(session, window) => to_attached(linked(client, mux, *session, *window, "close", None)),
        Event::WindowRenamed(window) => {
            let name = one_line(&mux.windows.get(window)?.name);
            let session = client.session?;
            to_attached(linked(client, mux, session, *window, "renamed", Some(&name)))
        }
        Event::WindowPaneChanged(window) => {
            let active = mux.windows.get(window)?.active;
            Some(format!("%window-pane-changed {window} {active}"))
        }
        Event::LayoutChanged(window) => layout(mux, client, *window),
        Event::ClientSessionChanged(other) => session_changed(mux, client, *other),
        Event::ClientDetached(other, name) => (*other != id).then(|| format!("%client-detached {}", one_line(name))),
        Event::SessionRenamed(session) => {
            let name = one_line(&mux.sessions.get(session)?.name);
            Some(format!("%session-renamed {session} {name}"))
        }
        Event::SessionCreated(_) | Event::SessionClosed(..) => Some("%sessions-changed".to_owned()),
        Event::SessionWindowChanged(session) => {
            let window = mux.sessions.get(session)?.current_window()?;
            Some(format!("%session-window-changed {session} {window}"))
        }
        Event::PaneModeChanged(pane) => Some(format!("%pane-mode-changed {pane}")),
        Event::BufferChanged(name) => Some(format!("%paste-buffer-changed {}", one_line(name))),
        Event::BufferDeleted(name) => Some(format!("%paste-buffer-deleted {}", one_line(name))),
        Event::Message(to, text) => (*to == id).then(|| format!("%message {}", one_line(text))),
        Event::ConfigError(to, text) => (*to == id).then(|| format!("%config-error {}", one_line(text))),
        _ => None,
    }
}

/// A window came, went or was renamed: the plain form for the client's own session, `unlinked-` for others.
fn linked(client: &Client, mux: &Mux, session: SessionId, window: WindowId, what: &str, name: Option<&str>) -> String {
    let has = |id: SessionId| mux.sessions.get(&id).is_some_and(|session| session.index_of(window).is_some());
    let own = match what {
        "close" => client.session == Some(session),
        _ => client.session.is_some_and(has),
    };
    let prefix = if own { "" } else { "unlinked-" };
    match name {
        Some(name) => format!("%{prefix}window-{what} {window} {name}"),
        None => format!("%{prefix}window-{what} {window}"),
    }
}

fn layout(mux: &Mux, client: &Client, id: WindowId) -> Option<String> {
    let session = mux.sessions.get(&client.session?)?;
    let index = session.index_of(id)?;
    let window = mux.windows.get(&id)?;
    let flags = mux.window_flags(session, index, false);
    Some(format!("%layout-change {id} {} {} {flags}", window.layout.dump(), window.shown().dump()))
}

fn session_changed(mux: &Mux, client: &Client, other: ClientId) -> Option<String> {
    let changed = mux.clients.get(&other)?;
    let session = mux.sessions.get(&changed.session?)?;
    let name = one_line(&session.name);
    if other == client.id {
        return Some(format!("%session-changed {} {name}", session.id));
    }
    client.session?;
    Some(format!("%client-session-changed {} {} {name}", one_line(&changed.name), session.id))
}
