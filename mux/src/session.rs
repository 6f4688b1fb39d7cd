//! A session: windows linked under indexes, one of them current.

use crate::environment::Environment;
use crate::id::{SessionId, WindowId};
use crate::option::OptionStore;
use std::collections::BTreeMap;
use std::time::Duration;

/// A window's place in a session, with what the status line tells of it there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Winlink {
    /// The window.
    pub window: WindowId,
    /// It rang a bell since it was last current.
    pub bell: bool,
    /// It wrote since it was last current, and is monitored.
    pub activity: bool,
    /// It has been silent, and is monitored.
    pub silence: bool,
}

impl Winlink {
    /// A window without alerts.
    pub fn new(window: WindowId) -> Winlink {
        Winlink { window, bell: false, activity: false, silence: false }
    }

    /// Forget the alerts, as when the window becomes current.
    pub fn clear_alerts(&mut self) {
        *self = Winlink::new(self.window);
    }
}

/// A session. It is gone as soon as it has no window.
#[derive(Debug)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Its name: unique.
    pub name: String,
    /// When it was created, since the epoch.
    pub created: Duration,
    /// When it was last used, since the epoch.
    pub activity: Duration,
    /// When a client was last attached, since the epoch.
    pub last_attached: Option<Duration>,
    /// Directory of new windows.
    pub cwd: String,
    /// Its windows by index.
    pub windows: BTreeMap<i32, Winlink>,
    /// Index of the current window.
    pub current: i32,
    /// Indexes that were current before, the newest last.
    pub last: Vec<i32>,
    /// Its own options.
    pub options: OptionStore,
    /// Its own environment.
    pub environment: Environment,
    /// The group whose windows it shares.
    pub group: Option<String>,
    /// Panes of this session that were restored and wait for the first attach to be started.
    pub frozen: bool,
}

impl Session {
    /// The first index under which a window is linked; the current one if it is that window's.
    pub fn index_of(&self, window: WindowId) -> Option<i32> {
        if self.windows.get(&self.current).is_some_and(|link| link.window == window) {
            return Some(self.current);
        }
        self.windows.iter().find(|(_, link)| link.window == window).map(|(index, _)| *index)
    }

    /// The index that was current before.
    pub fn last_index(&self) -> Option<i32> {
        self.last.iter().rev().copied().find(|index| self.windows.contains_key(index))
    }

    /// The first free index from `base` on.
    pub fn free_index(&self, base: i32) -> i32 {
        let mut index = base;
        while self.windows.contains_key(&index) {
            index += 1;
        }
        index
    }

    /// The current window.
    pub fn current_window(&self) -> Option<WindowId> {
        self.windows.get(&self.current).map(|link| link.window)
    }

    /// Make a window current. True when it was another one before.
    pub fn select(&mut self, index: i32) -> bool {
        if index == self.current || !self.windows.contains_key(&index) {
            return false;
        }
        let before = self.current;
        self.last.retain(|other| *other != before && *other != index);
        if self.windows.contains_key(&before) {
            self.last.push(before);
        }
        self.current = index;
        if let Some(link) = self.windows.get_mut(&index) {
            link.clear_alerts();
        }
        true
    }

    /// Take a window's link away. When it was current, the one before it becomes current: the last one used, else the
    /// previous, else the next. True when the current window changed.
    pub fn unlink(&mut self, index: i32) -> bool {
        let was_current = index == self.current;
        let heir = self
            .last_index()
            .filter(|last| *last != index)
            .or_else(|| self.previous(index))
            .or_else(|| self.next(index));
        self.windows.remove(&index);
        self.last.retain(|other| *other != index);
        if !was_current {
            return false;
        }
        if let Some(heir) = heir.filter(|heir| self.windows.contains_key(heir)) {
            self.last.retain(|other| *other != heir);
            self.current = heir;
            if let Some(link) = self.windows.get_mut(&heir) {
                link.clear_alerts();
            }
        }
        true
    }

    /// The index after this one, round the end; `None` when there is no other.
    pub fn next(&self, index: i32) -> Option<i32> {
        let after = self.windows.range(index + 1..).next().or_else(|| self.windows.iter().next());
        after.map(|(other, _)| *other).filter(|other| *other != index)
    }

    /// The index before this one, round the end; `None` when there is no other.
    pub fn previous(&self, index: i32) -> Option<i32> {
        let before = self.windows.range(..index).next_back().or_else(|| self.windows.iter().next_back());
        before.map(|(other, _)| *other).filter(|other| *other != index)
    }

    /// The next or previous window with an alert, round the end.
    pub fn with_alert(&self, forward: bool) -> Option<i32> {
        let indexes: Vec<i32> = self.windows.keys().copied().collect();
        let at = indexes.iter().position(|index| *index == self.current)?;
        let count = indexes.len();
        (1..count).map(|step| indexes[if forward { at + step } else { at + count - step } % count]).find(|index| {
            let link = &self.windows[index];
            link.bell || link.activity || link.silence
        })
    }
}
