//! Monitors: formats that are looked at once a second; the hook of one runs when its value is another (`set-hook -B`).

use crate::Mux;
use crate::id::{PaneId, SessionId, WindowId};
use crate::input::Now;
use crate::target::{self, Found};
use crate::timer::Timer;
use crate::values::OptionScope;
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

const INTERVAL: Duration = Duration::from_secs(1);

/// What a monitor or a subscription looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Watched {
    /// The session.
    Session,
    /// One pane, in each place it has in the session.
    Pane(PaneId),
    /// Every pane of the session.
    AllPanes,
    /// One window.
    Window(WindowId),
    /// Every window of the session.
    AllWindows,
}

impl Watched {
    /// As it is written: nothing, `%1`, `%*`, `@1`, `@*`; what is none of those is the session.
    pub(crate) fn parse(text: &str) -> Watched {
        match text {
            "%*" => Watched::AllPanes,
            "@*" => Watched::AllWindows,
            text => match (PaneId::parse(text), WindowId::parse(text)) {
                (Some(pane), _) => Watched::Pane(pane),
                (_, Some(window)) => Watched::Window(window),
                _ => Watched::Session,
            },
        }
    }

    /// How it is written.
    pub(crate) fn text(self) -> String {
        match self {
            Watched::Session => String::new(),
            Watched::Pane(id) => id.to_string(),
            Watched::AllPanes => "%*".to_owned(),
            Watched::Window(id) => id.to_string(),
            Watched::AllWindows => "@*".to_owned(),
        }
    }
}

/// One place that is looked at, and how subscriptions tell of it.
type Place = (Option<PaneId>, Option<WindowId>, Option<i32>);

/// A format that is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Monitor {
    /// Whose option holds the commands.
    pub(crate) owner: OptionScope,
    pub(crate) name: String,
    pub(crate) watched: Watched,
    pub(crate) format: String,
    /// The hook runs only for values that hold (-T).
    only_true: bool,
    /// Where it was set; its hook stands there when nothing better is known.
    found: Found,
    session: Option<SessionId>,
    last: BTreeMap<Place, String>,
    pub(crate) count: u32,
    pub(crate) fired: i64,
}

/// All monitors, by name.
#[derive(Debug, Default)]
pub(crate) struct Monitors {
    list: Vec<Monitor>,
}

/// A monitor as `set-hook -B` takes it.
pub(crate) struct Wanted<'a> {
    pub(crate) name: &'a str,
    pub(crate) watched: Watched,
    pub(crate) format: &'a str,
}

impl Wanted<'_> {
    /// Reads `NAME:WHAT:FORMAT`.
    pub(crate) fn parse(text: &str) -> Option<Wanted<'_>> {
        let (name, rest) = text.split_once(':')?;
        let (what, format) = rest.split_once(':')?;
        Some(Wanted { name, watched: Watched::parse(what), format })
    }
}

impl Monitors {
    /// The monitor of an owner's hook.
    pub(crate) fn get(&self, owner: OptionScope, name: &str) -> Option<&Monitor> {
        self.list.iter().find(|monitor| monitor.owner == owner && monitor.name == name)
    }

    /// True when nothing is looked at.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The monitors of an owner, by name.
    pub(crate) fn of(&self, owner: OptionScope) -> impl Iterator<Item = &Monitor> {
        self.list.iter().filter(move |monitor| monitor.owner == owner)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Monitor> {
        self.list.iter()
    }

    /// Look at these from now on, and know what they saw last.
    pub(crate) fn put_back(&mut self, list: Vec<Monitor>) {
        self.list = list;
    }

    pub(crate) fn remove(&mut self, owner: OptionScope, name: &str) {
        self.list.retain(|monitor| monitor.owner != owner || monitor.name != name);
    }
}

impl Mux {
    /// Look at a format from now on, in the place of what was looked at under that name.
    pub(crate) fn add_monitor(
        &mut self,
        now: Now,
        owner: OptionScope,
        wanted: &Wanted<'_>,
        found: Found,
        only_true: bool,
    ) {
        self.monitors.remove(owner, wanted.name);
        let global = matches!(owner, OptionScope::Server | OptionScope::GlobalSession | OptionScope::GlobalWindow);
        self.monitors.list.push(Monitor {
            owner,
            name: wanted.name.to_owned(),
            watched: wanted.watched,
            format: wanted.format.to_owned(),
            only_true,
            found,
            session: found.session.filter(|_| !global),
            last: BTreeMap::new(),
            count: 0,
            fired: 0,
        });
        self.monitors.list.sort_by(|a, b| a.name.cmp(&b.name));
        self.heard_more();
        self.timers.set_once(Timer::Monitors, now.instant + INTERVAL);
    }

    /// Look at everything that is monitored; note the hooks of what changed.
    pub(crate) fn check_monitors(&mut self, now: Now, world: &dyn World) {
        let mut list = std::mem::take(&mut self.monitors.list);
        list.retain(|monitor| self.own_options(monitor.owner).is_some());
        for monitor in &mut list {
            self.check_monitor(monitor, now, world);
        }
        if !list.is_empty() {
            self.timers.set(Timer::Monitors, now.instant + INTERVAL);
        }
        self.monitors.list = list;
    }

    fn check_monitor(&mut self, monitor: &mut Monitor, now: Now, world: &dyn World) {
        // Without a session of its own it looks at the first one by name.
        let first = || self.sessions.values().min_by(|a, b| a.name.cmp(&b.name)).map(|session| session.id);
        let Some(session) = monitor.session.or_else(first).filter(|id| self.sessions.contains_key(id)) else { return };
        let places = self.watched_places(session, monitor.watched);
        let mut seen = BTreeMap::new();
        for found in places {
            let place = (
                found.pane.filter(|_| matches!(monitor.watched, Watched::Pane(_) | Watched::AllPanes)),
                found.window.filter(|_| monitor.watched != Watched::Session),
                found.index.filter(|_| monitor.watched != Watched::Session),
            );
            let value = self.expand_at(None, found, &monitor.format, &[], world, now);
            if let Some(last) = monitor.last.get(&place).filter(|last| **last != value)
                && (!monitor.only_true || crate::format::is_true(&value))
            {
                monitor.count = monitor.count.saturating_add(1);
                monitor.fired = now.seconds();
                self.report_change(monitor, session, place, found, &value, last);
            }
            seen.insert(place, value);
        }
        if monitor.last != seen {
            monitor.last = seen;
            self.heard_more();
        }
    }

    fn report_change(
        &mut self,
        monitor: &Monitor,
        session: SessionId,
        (pane, window, index): Place,
        found: Found,
        value: &str,
        last: &str,
    ) {
        let standing = target::current_of(self, session).or(Some(monitor.found)).unwrap_or_default();
        let found = if monitor.watched == Watched::Session { standing } else { found };
        let mut payload = crate::payload::Payload::at(found).with("value", value).with("last", last);
        payload = payload.session(self, "session", session);
        if let Some(window) = window {
            payload = payload.window(self, "window", window);
        }
        if let Some(index) = index {
            payload = payload.with("window_index", index);
        }
        if let Some(pane) = pane {
            payload = payload.with("pane", pane);
        }
        self.fire_monitor(&monitor.name, monitor.owner, payload);
    }

    /// The places in a session that are looked at.
    pub(crate) fn watched_places(&self, session: SessionId, watched: Watched) -> Vec<Found> {
        let Some(entry) = self.sessions.get(&session) else { return Vec::new() };
        let windows = || {
            entry.windows.iter().map(|(index, link)| Found {
                session: Some(entry.id),
                index: Some(*index),
                window: Some(link.window),
                pane: self.windows.get(&link.window).map(|window| window.active),
                ..Found::default()
            })
        };
        let panes = |found: Found| {
            let panes = found.window.and_then(|id| self.windows.get(&id)).map_or(&[][..], |window| window.panes());
            panes.iter().map(move |pane| Found { pane: Some(*pane), ..found }).collect::<Vec<_>>()
        };
        match watched {
            Watched::AllPanes => windows().flat_map(panes).collect(),
            Watched::AllWindows => windows().collect(),
            Watched::Pane(id) => windows().flat_map(panes).filter(|found| found.pane == Some(id)).collect(),
            Watched::Window(id) => windows().filter(|found| found.window == Some(id)).collect(),
            Watched::Session => vec![target::current_of(self, session).unwrap_or_default()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_monitor_is_read_and_written() {
        for (text, what) in
            [("@a::#{x}", ""), ("@a:%1:#{x}", "%1"), ("@a:%*:#{x}", "%*"), ("@a:@3:a:b", "@3"), ("@a:@*:", "@*")]
        {
            let wanted = Wanted::parse(text).unwrap();
            assert_eq!(format!("{}:{}:{}", wanted.name, wanted.watched.text(), wanted.format), text);
            assert_eq!(wanted.watched.text(), what);
        }
        assert!(Wanted::parse("@a:b").is_none());
    }
}
