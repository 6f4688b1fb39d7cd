//! Groups of sessions: all in one have the same windows under the same indexes, each its own current one.
//!
//! A command changes the windows of one session; [`Mux::sync_groups`] then brings the others of its group in step.

use crate::Mux;
use crate::event::Event;
use crate::id::{SessionId, WindowId};
use crate::session::{Session, Winlink};
use std::collections::BTreeMap;

/// The windows that a group had when its sessions were last in step.
pub(crate) type InStep = BTreeMap<i32, WindowId>;

fn windows(session: &Session) -> InStep {
    session.windows.iter().map(|(index, link)| (*index, link.window)).collect()
}

impl Session {
    /// Take the windows of another session of the group, with their alerts. Gives the windows that went.
    fn follow(&mut self, links: &BTreeMap<i32, Winlink>) -> Vec<WindowId> {
        if !links.contains_key(&self.current) {
            let last = self.last.iter().rev().copied().find(|index| links.contains_key(index));
            let before = || links.range(..self.current).next_back().map(|(index, _)| *index);
            let after = || links.keys().next().copied();
            self.current = last.or_else(before).or_else(after).unwrap_or(self.current);
        }
        let current = self.current;
        self.last.retain(|index| links.contains_key(index) && *index != current);
        let old = std::mem::replace(&mut self.windows, links.clone());
        let gone = old.into_values().map(|link| link.window);
        gone.filter(|window| links.values().all(|link| link.window != *window)).collect()
    }
}

impl Mux {
    /// The sessions of a group, oldest first.
    pub fn group_members<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a Session> + 'a {
        self.sessions.values().filter(move |session| session.group.as_deref() == Some(group))
    }

    /// How many sessions share the windows of this one, itself included.
    pub(crate) fn sharing(&self, session: SessionId) -> usize {
        let group = self.sessions.get(&session).and_then(|session| session.group.clone());
        group.map_or(1, |group| self.group_members(&group).count())
    }

    /// True when two sessions are in one group.
    pub(crate) fn grouped_together(&self, a: SessionId, b: SessionId) -> bool {
        let group = |id| self.sessions.get(&id).and_then(|session: &Session| session.group.as_deref());
        group(a).is_some() && group(a) == group(b)
    }

    /// Put a session into a group; a new group takes its windows from `with`.
    pub(crate) fn join_group(&mut self, session: SessionId, group: &str, with: Option<SessionId>) {
        for id in with.into_iter().chain([session]) {
            let Some(entry) = self.sessions.get_mut(&id).filter(|entry| entry.group.as_deref() != Some(group)) else {
                continue;
            };
            entry.group = Some(group.to_owned());
            self.fire_group("session-added-to-group", id);
        }
        let source = with.or_else(|| self.group_members(group).map(|member| member.id).find(|id| *id != session));
        let shared = source.and_then(|id| self.sessions.get(&id)).map(windows);
        if let Some(shared) = shared {
            self.in_step.insert(group.to_owned(), shared);
        }
    }

    /// Bring the sessions of each group in step with the one whose windows changed.
    pub(crate) fn sync_groups(&mut self) {
        if self.in_step.is_empty() && self.sessions.values().all(|session| session.group.is_none()) {
            return;
        }
        let groups: std::collections::BTreeSet<String> =
            self.sessions.values().filter_map(|session| session.group.clone()).collect();
        self.in_step.retain(|group, _| groups.contains(group));
        for group in groups {
            self.sync_group(&group);
        }
    }

    fn sync_group(&mut self, group: &str) {
        let known = self.in_step.get(group);
        let changed = |member: &&Session| !member.windows.is_empty() && known != Some(&windows(member));
        let Some(source) = self.group_members(group).find(changed) else { return };
        let (id, links, now) = (source.id, source.windows.clone(), windows(source));
        let others: Vec<SessionId> =
            self.group_members(group).filter(|other| other.id != id && windows(other) != now).map(|it| it.id).collect();
        self.in_step.insert(group.to_owned(), now);
        let mut gone = Vec::new();
        for other in others {
            let Some(entry) = self.sessions.get_mut(&other) else { continue };
            let (before, index) = (entry.current_window(), entry.current);
            let left = entry.follow(&links);
            if entry.current_window() != before {
                let was = before.map(|window| crate::spawn::was_current(window, index));
                self.event_with(Event::SessionWindowChanged(other), was.as_ref().map_or(&[], |was| was));
            }
            for window in left {
                self.event(Event::WindowUnlinked(other, window));
                gone.push(window);
            }
        }
        gone.into_iter().for_each(|window| self.drop_if_unlinked(window));
        self.recalculate_sizes();
        self.changed();
    }
}
