//! Targets: what `-t`, `-s` and `-c` name (tmux(1), COMMANDS). Reads the model, changes nothing.

use crate::fnmatch::fnmatch;
use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::layout::Direction;
use crate::{Client, Mux, Session, Window};

/// What a target resolves to. A winlink is a session and an index in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
}

impl Spec {
    /// The target is the client's own session, window and pane.
    pub const NONE: Spec = Spec::of('\0', Kind::Pane);

    /// A target of this kind named by this flag.
    pub const fn of(flag: char, kind: Kind) -> Spec {
        Spec { flag, kind, window_index: false, default_marked: false, prefer_unattached: false, can_fail: false }
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

const WINDOW_TOKENS: [(&str, &str); 5] =
    [("{start}", "^"), ("{last}", "!"), ("{end}", "$"), ("{next}", "+"), ("{previous}", "-")];
const PANE_TOKENS: [(&str, &str); 16] = [
    ("{last}", "!"),
    ("{next}", "+"),
    ("{previous}", "-"),
    ("{top}", "top"),
    ("{bottom}", "bottom"),
    ("{left}", "left"),
    ("{right}", "right"),
    ("{top-left}", "top-left"),
    ("{top-right}", "top-right"),
    ("{bottom-left}", "bottom-left"),
    ("{bottom-right}", "bottom-right"),
    ("{up-of}", "{up-of}"),
    ("{down-of}", "{down-of}"),
    ("{left-of}", "{left-of}"),
    ("{right-of}", "{right-of}"),
    ("{active}", "@"),
];

fn token<'a>(table: &[(&'a str, &'a str)], word: &'a str) -> &'a str {
    table.iter().find(|(name, _)| *name == word).map_or(word, |(_, mapped)| mapped)
}

/// A search: the model, where it starts from, and how exact names must be.
struct Search<'a> {
    mux: &'a Mux,
    spec: Spec,
    current: Found,
    exact_session: bool,
    exact_window: bool,
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
        (Some(found), _) => search.with_active(found),
        (None, Some(session)) if spec.kind == Kind::Window && window.is_some() => {
            Found { session: Some(session), ..Found::default() }
        }
        (None, Some(session)) => current_of(mux, session).unwrap_or_default(),
        (None, None) => Found::default(),
    }
}

/// Of a target that names a session alone, or the marked pane, where an index is wanted, the index is free to choose.
fn unnamed(spec: Spec, found: Found) -> Found {
    if spec.window_index { Found { index: None, ..found } } else { found }
}

fn missing(kind: Kind, word: &str) -> String {
    let what = match kind {
        Kind::Session => "session",
        Kind::Window => "window",
        Kind::Pane => "pane",
    };
    // A pane has no name that could be meant exactly.
    let shown = if kind == Kind::Pane { word } else { word.strip_prefix('=').unwrap_or(word) };
    format!("can't find {what}: {shown}")
}

/// A target taken apart at its first colon and the dot after it.
#[derive(Default)]
struct Parts<'a> {
    session: Option<&'a str>,
    window: Option<&'a str>,
    pane: Option<&'a str>,
    window_only: bool,
    pane_only: bool,
}

impl<'a> Parts<'a> {
    fn split(word: &'a str, kind: Kind) -> Parts<'a> {
        let colon = word.find(':');
        let dot = word[colon.map_or(0, |at| at + 1)..].find('.').map(|at| at + colon.map_or(0, |colon| colon + 1));
        let some = |text: &'a str| Some(text);
        let mut parts = match (colon, dot) {
            (Some(colon), Some(dot)) => Parts {
                session: some(&word[..colon]),
                window: some(&word[colon + 1..dot]),
                pane: some(&word[dot + 1..]),
                window_only: true,
                pane_only: true,
            },
            (Some(colon), None) => Parts {
                session: some(&word[..colon]),
                window: some(&word[colon + 1..]),
                window_only: true,
                ..Parts::default()
            },
            (None, Some(dot)) => {
                Parts { window: some(&word[..dot]), pane: some(&word[dot + 1..]), pane_only: true, ..Parts::default() }
            }
            (None, None) => Parts::bare(word, kind),
        };
        for part in [&mut parts.session, &mut parts.window, &mut parts.pane] {
            if part.is_some_and(str::is_empty) {
                *part = None;
            }
        }
        parts
    }

    fn bare(word: &'a str, kind: Kind) -> Parts<'a> {
        let kind = match word.as_bytes().first() {
            Some(b'$') => Kind::Session,
            Some(b'@') => Kind::Window,
            Some(b'%') => Kind::Pane,
            _ => kind,
        };
        match kind {
            Kind::Session => Parts { session: Some(word), ..Parts::default() },
            Kind::Window => Parts { window: Some(word), ..Parts::default() },
            Kind::Pane => Parts { pane: Some(word), ..Parts::default() },
        }
    }
}

impl Search<'_> {
    fn find(&mut self, parts: Parts<'_>) -> Result<Found, String> {
        let mut parts = parts;
        if let Some(session) = parts.session.and_then(|name| name.strip_prefix('=')) {
            parts.session = Some(session).filter(|name| !name.is_empty());
            self.exact_session = true;
        }
        if let Some(window) = parts.window.and_then(|name| name.strip_prefix('=')) {
            parts.window = Some(window).filter(|name| !name.is_empty());
            self.exact_window = true;
        }
        let window = parts.window.map(|word| token(&WINDOW_TOKENS, word));
        let pane = parts.pane.map(|word| token(&PANE_TOKENS, word));
        if let Some(name) = parts.session {
            let session = self.session(name).ok_or_else(|| missing(Kind::Session, name))?;
            return self.in_session(session, window, pane);
        }
        match (window, pane) {
            (Some(window), Some(pane)) => {
                let found = self.window(window, parts.window_only).ok_or_else(|| missing(Kind::Window, window))?;
                self.pane_in(found, pane).ok_or_else(|| missing(Kind::Pane, pane))
            }
            (Some(window), None) => {
                let found = self.window(window, parts.window_only).ok_or_else(|| missing(Kind::Window, window))?;
                Ok(self.with_active(found))
            }
            (None, Some(pane)) => self.pane(pane, parts.pane_only).ok_or_else(|| missing(Kind::Pane, pane)),
            (None, None) => Ok(unnamed(self.spec, self.current)),
        }
    }

    fn in_session(&self, session: SessionId, window: Option<&str>, pane: Option<&str>) -> Result<Found, String> {
        let Some(name) = window else {
            let found = current_of(self.mux, session).ok_or_else(|| "no current target".to_owned())?;
            return match pane {
                Some(pane) => self.pane_in(found, pane).ok_or_else(|| missing(Kind::Pane, pane)),
                None => Ok(unnamed(self.spec, found)),
            };
        };
        let found = self.window_in(session, name).ok_or_else(|| missing(Kind::Window, name))?;
        match pane {
            Some(pane) => self.pane_in(found, pane).ok_or_else(|| missing(Kind::Pane, pane)),
            None => Ok(self.with_active(found)),
        }
    }

    fn with_active(&self, found: Found) -> Found {
        let pane = found.window.and_then(|id| self.mux.windows.get(&id)).map(|window| self.active(window));
        Found { pane, ..found }
    }

    /// The pane of a window that is active where the command stands.
    fn active(&self, window: &Window) -> PaneId {
        let own = self.current.pane.filter(|pane| self.current.own && window.layout.contains(*pane));
        own.unwrap_or(window.active)
    }

    fn session(&self, name: &str) -> Option<SessionId> {
        let sessions = &self.mux.sessions;
        if name.starts_with('$') {
            return SessionId::parse(name).filter(|id| sessions.contains_key(id));
        }
        if let Some(session) = self.mux.session_named(name) {
            return Some(session);
        }
        if let Some(session) = find_client_exact(self.mux, name).and_then(|client| client.session) {
            return Some(session);
        }
        if self.exact_session {
            return None;
        }
        let matching = |test: &dyn Fn(&Session) -> bool| {
            let mut found = sessions.values().filter(|session| test(session));
            match (found.next(), found.next()) {
                (Some(session), None) => Ok(Some(session.id)),
                (None, _) => Ok(None),
                _ => Err(()),
            }
        };
        match matching(&|session| session.name.starts_with(name)) {
            Ok(Some(session)) => return Some(session),
            Err(()) => return None,
            Ok(None) => {}
        }
        matching(&|session| fnmatch(name, &session.name, false)).ok().flatten()
    }

    fn window(&self, name: &str, only: bool) -> Option<Found> {
        if name.starts_with('@') {
            let id = WindowId::parse(name).filter(|id| self.mux.windows.contains_key(id))?;
            return from_window(self.mux, id, self.spec.prefer_unattached);
        }
        if let Some(found) = self.current.session.and_then(|session| self.window_in(session, name)) {
            return Some(found);
        }
        if only || self.exact_window {
            return None;
        }
        let session = self.session(name)?;
        current_of(self.mux, session).map(|found| unnamed(self.spec, found))
    }

    fn window_in(&self, id: SessionId, name: &str) -> Option<Found> {
        let session = self.mux.sessions.get(&id)?;
        let at = |index: i32| {
            let window = session.windows.get(&index).map(|link| link.window);
            Found { session: Some(id), index: Some(index), window, pane: None, ..Found::default() }
        };
        if name.starts_with('@') {
            let window = WindowId::parse(name)?;
            return session.index_of(window).map(at);
        }
        if !self.exact_window && name.starts_with(['+', '-']) {
            return self.window_offset(session, name);
        }
        if !self.exact_window {
            match name {
                "!" => return session.last_index().map(at),
                "^" => return session.windows.keys().next().copied().map(at),
                "$" => return session.windows.keys().next_back().copied().map(at),
                _ => {}
            }
        }
        if !name.starts_with('+')
            && let Ok(index) = name.parse::<i32>()
            && (session.windows.contains_key(&index) || (self.spec.window_index && index >= 0))
        {
            return Some(at(index));
        }
        let named = |test: &dyn Fn(&str) -> bool| {
            let mut found = session
                .windows
                .iter()
                .filter(|(_, link)| self.mux.windows.get(&link.window).is_some_and(|window| test(&window.name)));
            match (found.next(), found.next()) {
                (Some((index, _)), None) => Ok(Some(at(*index))),
                (None, _) => Ok(None),
                _ => Err(()),
            }
        };
        match named(&|window| window == name) {
            Ok(Some(found)) => return Some(found),
            Err(()) => return None,
            Ok(None) => {}
        }
        if self.exact_window {
            return None;
        }
        match named(&|window| window.starts_with(name)) {
            Ok(Some(found)) => return Some(found),
            Err(()) => return None,
            Ok(None) => {}
        }
        named(&|window| fnmatch(name, window, false)).ok().flatten()
    }

    fn window_offset(&self, session: &Session, name: &str) -> Option<Found> {
        let count: i32 = if name.len() > 1 { name[1..].parse().ok()? } else { 1 };
        let forward = name.starts_with('+');
        if self.spec.window_index {
            let index = session.current.checked_add(if forward { count } else { count.checked_neg()? })?;
            let window = session.windows.get(&index).map(|link| link.window);
            return (index >= 0).then_some(Found {
                session: Some(session.id),
                index: Some(index),
                window,
                pane: None,
                ..Found::default()
            });
        }
        let indexes: Vec<i32> = session.windows.keys().copied().collect();
        let position = indexes.iter().position(|index| *index == session.current)? as i64;
        let step = if forward { i64::from(count) } else { -i64::from(count) };
        let index = indexes[(position + step).rem_euclid(indexes.len() as i64) as usize];
        let window = session.windows.get(&index).map(|link| link.window);
        Some(Found { session: Some(session.id), index: Some(index), window, pane: None, ..Found::default() })
    }

    fn pane(&self, name: &str, only: bool) -> Option<Found> {
        if name.starts_with('%') {
            let id = PaneId::parse(name).filter(|id| self.mux.panes.contains_key(id))?;
            return from_pane(self.mux, id);
        }
        let here = Found { pane: None, ..self.current };
        if let Some(found) = self.pane_in(here, name) {
            return Some(found);
        }
        if only {
            return None;
        }
        self.window(name, false).map(|found| self.with_active(found))
    }

    fn pane_in(&self, found: Found, name: &str) -> Option<Found> {
        let window = self.mux.windows.get(&found.window?)?;
        let pane = pane_in_window(self.mux, window, self.active(window), name)?;
        Some(Found { pane: Some(pane), ..found })
    }
}

fn pane_in_window(mux: &Mux, window: &Window, active: PaneId, name: &str) -> Option<PaneId> {
    if name.starts_with('%') {
        return PaneId::parse(name).filter(|pane| window.panes().contains(pane));
    }
    let side = match name {
        "{up-of}" => Some(Direction::Up),
        "{down-of}" => Some(Direction::Down),
        "{left-of}" => Some(Direction::Left),
        "{right-of}" => Some(Direction::Right),
        _ => None,
    };
    if let Some(side) = side {
        return mux.pane_beside(window, active, side);
    }
    match name {
        "!" => return window.last_panes.last().copied(),
        "@" => return Some(active),
        _ => {}
    }
    if let Some(rest) = name.strip_prefix(['+', '-']) {
        let count: i64 = if rest.is_empty() { 1 } else { rest.parse().ok()? };
        let step = if name.starts_with('+') { count } else { -count };
        let at = window.panes().iter().position(|pane| *pane == active)? as i64;
        return Some(window.panes()[(at + step).rem_euclid(window.panes().len() as i64) as usize]);
    }
    if let Ok(index) = name.parse::<i64>() {
        let base = mux.window_number(window, "pane-base-index");
        if let Some(pane) = usize::try_from(index - base).ok().and_then(|at| window.panes().get(at)) {
            return Some(*pane);
        }
    }
    corner(window, name)
}

/// The pane at a named place: tmux looks at the cell in that corner or at that edge's middle.
fn corner(window: &Window, name: &str) -> Option<PaneId> {
    let (right, bottom) = (window.size().width.saturating_sub(1), window.size().height.saturating_sub(1));
    let (middle_x, middle_y) = (right / 2, bottom / 2);
    let (x, y) = match name {
        "top" => (middle_x, 0),
        "bottom" => (middle_x, bottom),
        "left" => (0, middle_y),
        "right" => (right, middle_y),
        "top-left" => (0, 0),
        "top-right" => (right, 0),
        "bottom-left" => (0, bottom),
        "bottom-right" => (right, bottom),
        _ => return None,
    };
    window.pane_at(x, y)
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
