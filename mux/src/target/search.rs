//! The search for what the parts of a target name, in the model.

use super::parts::{PANE_TOKENS, Parts, WINDOW_TOKENS, token};
use super::{Found, Kind, Spec, current_of, find_client_exact, from_pane, from_window};
use crate::fnmatch::fnmatch;
use crate::id::{PaneId, SessionId, WindowId};
use crate::layout::Direction;
use crate::{Mux, Session, Window};

/// A search: the model, where it starts from, and how exact names must be.
pub(super) struct Search<'a> {
    pub(super) mux: &'a Mux,
    pub(super) spec: Spec,
    pub(super) current: Found,
    pub(super) exact_session: bool,
    pub(super) exact_window: bool,
}

/// Of a target that names a session alone, or the marked pane, where an index is wanted, the index is free to choose.
pub(super) fn unnamed(spec: Spec, found: Found) -> Found {
    if spec.window_index { Found { index: None, ..found } } else { found }
}

/// What is said of a word that names nothing.
pub(super) fn missing(kind: Kind, word: &str) -> String {
    let what = match kind {
        Kind::Session => "session",
        Kind::Window => "window",
        Kind::Pane => "pane",
    };
    // A pane has no name that could be meant exactly.
    let shown = if kind == Kind::Pane { word } else { word.strip_prefix('=').unwrap_or(word) };
    format!("can't find {what}: {shown}")
}

impl Search<'_> {
    pub(super) fn find(&mut self, parts: Parts<'_>) -> Result<Found, String> {
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

    pub(super) fn with_active(&self, found: Found) -> Found {
        let pane = found.window.and_then(|id| self.mux.windows.get(&id)).map(|window| self.active(window));
        Found { pane, ..found }
    }

    /// The pane of a window that is active where the command stands.
    fn active(&self, window: &Window) -> PaneId {
        let own = self.current.pane.filter(|pane| self.current.own && window.layout.contains(*pane));
        own.unwrap_or(window.active)
    }

    pub(super) fn session(&self, name: &str) -> Option<SessionId> {
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

    pub(super) fn window(&self, name: &str, only: bool) -> Option<Found> {
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

    pub(super) fn window_in(&self, id: SessionId, name: &str) -> Option<Found> {
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
