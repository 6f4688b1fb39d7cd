//! Targets: what `-t`, `-s` and `-c` name (tmux(1), COMMANDS). Reads the model, changes nothing.

use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::{Client, Mux, Session};
use parts::{Parts, WINDOW_TOKENS, token};
use search::{Search, missing, unnamed};

mod parts;
mod search;

/// What a target resolves to. A winlink is a session and an index in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Found {
    /// The session.
    pub session: Option<SessionId>,
    /// The window's index in the session; also one that is free, where a command takes such.
    pub index: Option<i32>,
    /// The window.
    pub window: Option<WindowId>,
    /// The pane.
    pub pane: Option<PaneId>,
    /// That pane is where a client is by itself, see [`crate::focus`].
    pub own: bool,
}

/// What kind of thing a bare word names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A session.
    Session,
    /// A window.
    Window,
    /// A pane.
    Pane,
}

/// How a command's target is found; a row of the command table has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The flag whose value names it, `\0` for none: then the client's own session.
    pub flag: char,
    /// What a bare word names.
    pub kind: Kind,
    /// The window index need not exist.
    pub window_index: bool,
    /// Without a target, the marked pane if there is one.
    pub default_marked: bool,
    /// A session without clients is preferred.
    pub prefer_unattached: bool,
    /// Not finding it is no error.
    pub can_fail: bool,
    /// What it names and is not found stays open, else what is current there takes its place.
    pub stays_open: bool,
}

impl Spec {
    /// The target is the client's own session, window and pane.
    pub const NONE: Spec = Spec::of('\0', Kind::Pane);

    /// A target of this kind named by this flag.
    pub const fn of(flag: char, kind: Kind) -> Spec {
        Spec {
            flag,
            kind,
            window_index: false,
            default_marked: false,
            prefer_unattached: false,
            can_fail: false,
            stays_open: false,
        }
    }

    /// The same, with an index that need not exist.
    pub const fn window_index(self) -> Spec {
        Spec { window_index: true, ..self }
    }

    /// The same, with the marked pane as default.
    pub const fn default_marked(self) -> Spec {
        Spec { default_marked: true, ..self }
    }

    /// The same, with a preference for sessions without clients.
    pub const fn prefer_unattached(self) -> Spec {
        Spec { prefer_unattached: true, ..self }
    }

    /// The same, where not finding it is no error.
    pub const fn can_fail(self) -> Spec {
        Spec { can_fail: true, ..self }
    }

    /// The same, where not finding a part of it is no error unless that part is what is wanted.
    pub const fn stays_open(self) -> Spec {
        Spec { can_fail: true, stays_open: true, ..self }
    }
}

/// A mouse event, as far as targets need it: the pane and window it happened over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MousePlace {
    /// The pane under the pointer.
    pub pane: Option<PaneId>,
    /// The window of it, or of the status line entry.
    pub window: Option<WindowId>,
    /// The session shown.
    pub session: Option<SessionId>,
}

/// True for the words that name where the client itself is.
pub fn is_active(word: &str) -> bool {
    matches!(word, "@" | "{active}" | "{current}")
}

/// Find what `target` names. `current` is where the command stands; the error has tmux's words.
pub fn find(
    mux: &Mux,
    spec: Spec,
    target: Option<&str>,
    current: Option<Found>,
    mouse: Option<MousePlace>,
) -> Result<Found, String> {
    let marked = mux.marked.filter(|pane| mux.panes.contains_key(pane)).and_then(|pane| from_pane(mux, pane));
    let current = match (spec.default_marked, marked) {
        (true, Some(found)) => Some(found),
        _ => current,
    };
    let word = target.unwrap_or("");
    if word.is_empty() {
        return current.map(|found| unnamed(spec, found)).ok_or_else(|| "no current target".to_owned());
    }
    if word == "=" || word == "{mouse}" {
        return from_mouse(mux, spec.kind, mouse).ok_or_else(|| "no mouse target".to_owned());
    }
    if word == "~" || word == "{marked}" {
        return marked.map(|found| unnamed(spec, found)).ok_or_else(|| "no marked target".to_owned());
    }
    let current = match current.or_else(|| best(mux, spec.prefer_unattached)) {
        Some(current) => current,
        None if word.contains(['$', '@', '%']) => Found::default(),
        None => return Err(missing(spec.kind, word)),
    };
    let parts = Parts::split(word, spec.kind);
    if spec.window_index && parts.pane.is_some() {
        return Err("can't specify pane here".to_owned());
    }
    let mut search = Search { mux, spec, current, exact_session: false, exact_window: false };
    search.find(parts)
}

/// As much of a target as there is: where its pane is not found the window's active one, where its window is not found
/// the session's current one. For commands to which not finding it is no error.
pub fn partial(mux: &Mux, spec: Spec, word: &str, current: Option<Found>) -> Found {
    let current = current.or_else(|| best(mux, spec.prefer_unattached)).unwrap_or_default();
    let exact = |part: Option<&str>| part.is_some_and(|part| part.starts_with('='));
    let bare = |part: Option<&'_ str>| part.map(|part| part.strip_prefix('=').unwrap_or(part).to_owned());
    if word.starts_with('.') && !word.starts_with(".%") {
        return current
            .window
            .and_then(|id| mux.windows.get(&id))
            .map_or(current, |window| Found { pane: Some(window.active), ..current });
    }
    let parts = Parts::split(word, spec.kind);
    let search = Search { mux, spec, current, exact_session: exact(parts.session), exact_window: exact(parts.window) };
    let window = bare(parts.window);
    let session = match bare(parts.session) {
        Some(name) => search.session(&name),
        None if parts.window_only => current.session,
        None => None,
    };
    let window = window.as_deref().map(|word| token(&WINDOW_TOKENS, word));
    let found = match (session, window) {
        (Some(session), Some(window)) => search.window_in(session, window).filter(|found| found.window.is_some()),
        (None, Some(window)) if parts.session.is_none() => search.window(window, parts.window_only),
        _ => None,
    };
    match (found, session) {
        (Some(found), _) if spec.stays_open && parts.pane.is_some() => Found { pane: None, ..found },
        (Some(found), _) => search.with_active(found),
        (None, Some(session)) if spec.stays_open && window.is_some() => {
            Found { session: Some(session), ..Found::default() }
        }
        (None, Some(session)) => current_of(mux, session).unwrap_or_default(),
        (None, None) => Found::default(),
    }
}

/// Where a session stands: its current window and that one's active pane.
pub fn current_of(mux: &Mux, id: SessionId) -> Option<Found> {
    let session = mux.sessions.get(&id)?;
    let window = session.windows.get(&session.current)?.window;
    let pane = mux.windows.get(&window).map(|window| window.active);
    Some(Found { session: Some(id), index: Some(session.current), window: Some(window), pane, ..Found::default() })
}

/// The best session that has this window, with the window's active pane.
pub fn from_window(mux: &Mux, id: WindowId, prefer_unattached: bool) -> Option<Found> {
    let having = mux.sessions.values().filter(|session| session.index_of(id).is_some());
    let session = best_of(mux, having, prefer_unattached)?;
    let index = session.index_of(id)?;
    let pane = mux.windows.get(&id).map(|window| window.active);
    Some(Found { session: Some(session.id), index: Some(index), window: Some(id), pane, ..Found::default() })
}

/// The best session that has this pane's window, with that pane.
pub fn from_pane(mux: &Mux, id: PaneId) -> Option<Found> {
    let window = mux.panes.get(&id)?.window;
    from_window(mux, window, false).map(|found| Found { pane: Some(id), ..found })
}

/// The pane that the mouse is over, with its border and its scrollbar.
pub fn under_mouse(mux: &Mux, mouse: Option<MousePlace>) -> Option<Found> {
    mouse.filter(|mouse| mouse.pane.is_some()).and_then(|mouse| from_mouse(mux, Kind::Pane, Some(mouse)))
}

fn from_mouse(mux: &Mux, kind: Kind, mouse: Option<MousePlace>) -> Option<Found> {
    let mouse = mouse?;
    let session = mouse.session.filter(|id| mux.sessions.contains_key(id));
    let found = match (kind, mouse.pane, mouse.window) {
        (Kind::Pane, Some(pane), _) if mux.panes.contains_key(&pane) => from_pane(mux, pane),
        (_, _, Some(window)) if mux.windows.contains_key(&window) => from_window(mux, window, false),
        _ => session.and_then(|id| current_of(mux, id)),
    }?;
    let index = session.and_then(|id| mux.sessions[&id].index_of(found.window?));
    match (session, index) {
        (Some(session), Some(index)) => Some(Found { session: Some(session), index: Some(index), ..found }),
        _ => Some(found),
    }
}

/// The session used last.
pub fn best(mux: &Mux, prefer_unattached: bool) -> Option<Found> {
    let session = best_of(mux, mux.sessions.values(), prefer_unattached)?;
    current_of(mux, session.id)
}

fn best_of<'a>(mux: &Mux, sessions: impl Iterator<Item = &'a Session>, prefer_unattached: bool) -> Option<&'a Session> {
    let mut best: Option<&Session> = None;
    for session in sessions {
        let better = match best {
            None => true,
            Some(than) => {
                let attached = |session: &Session| mux.clients_of(session.id).next().is_some();
                if prefer_unattached && attached(than) != attached(session) {
                    attached(than)
                } else {
                    session.activity > than.activity
                }
            }
        };
        if better {
            best = Some(session);
        }
    }
    best
}

/// Where a client stands: its session; for a client outside of any, the pane it runs in, else the session used last.
pub fn from_client(mux: &Mux, client: Option<ClientId>, prefer_unattached: bool) -> Option<Found> {
    let Some(client) = client.and_then(|id| mux.clients.get(&id)) else {
        return best(mux, prefer_unattached);
    };
    if let Some(session) = client.session {
        let found = current_of(mux, session)?;
        let own = found.window.and_then(|window| mux.own_focus(client.id, window));
        return Some(Found { pane: own.map(|focus| focus.pane).or(found.pane), own: own.is_some(), ..found });
    }
    // A client that runs in a pane but is not attached stands at the current window of a session that has the pane.
    let session = inside_pane(mux, client).and_then(|pane| from_pane(mux, pane)?.session);
    session.and_then(|id| current_of(mux, id)).or_else(|| best(mux, prefer_unattached))
}

/// The pane a client's own process runs in: by its terminal, else by `$TMUX_PANE`.
pub fn inside_pane(mux: &Mux, client: &Client) -> Option<PaneId> {
    let by_tty = || mux.panes.values().find(|pane| !pane.tty.is_empty() && pane.tty == client.tty).map(|pane| pane.id);
    let by_name = || {
        let value = client.environment.get("TMUX_PANE")?;
        PaneId::parse(value).filter(|pane| mux.panes.contains_key(pane))
    };
    by_tty().or_else(by_name)
}

/// A client by its name or terminal's path, with or without `/dev/`.
pub fn find_client_exact<'a>(mux: &'a Mux, name: &str) -> Option<&'a Client> {
    let name = name.strip_suffix(':').unwrap_or(name);
    mux.clients.values().filter(|client| client.session.is_some()).find(|client| {
        client.name == name
            || (!client.tty.is_empty() && (client.tty == name || client.tty.strip_prefix("/dev/") == Some(name)))
    })
}

/// The client that `target` names, or the best one for a command run by `client`.
pub fn find_client(mux: &Mux, client: Option<ClientId>, target: Option<&str>) -> Result<ClientId, String> {
    match target.filter(|target| !target.is_empty()) {
        Some(name) => find_client_exact(mux, name)
            .map(|client| client.id)
            .ok_or_else(|| format!("can't find client: {}", name.strip_suffix(':').unwrap_or(name))),
        None => current_client(mux, client).ok_or_else(|| "no current client".to_owned()),
    }
}

fn current_client(mux: &Mux, id: Option<ClientId>) -> Option<ClientId> {
    let client = id.and_then(|id| mux.clients.get(&id));
    if let Some(client) = client.filter(|client| client.session.is_some()) {
        return Some(client.id);
    }
    let session = match client.and_then(|client| inside_pane(mux, client)) {
        Some(pane) => from_pane(mux, pane)?.session,
        None => best(mux, false).and_then(|found| found.session),
    };
    let attached = |id| mux.clients_of(id).next().is_some();
    let session = session.filter(|id| attached(*id));
    mux.clients
        .values()
        .filter(|client| client.session.is_some() && (session.is_none() || client.session == session))
        .max_by_key(|client| client.activity)
        .map(|client| client.id)
}
