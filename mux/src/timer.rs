//! Deadlines: what is due when. The earliest one is when the model wants to be called at the latest.

use crate::id::{ClientId, PaneId, SessionId, WindowId};
use std::collections::BTreeMap;
use std::time::Instant;

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Timer {
    /// Bytes that wait in a client's key decoder are taken as they are.
    Escape(ClientId),
    /// A client's message goes.
    Message(ClientId),
    /// A client's prefix key was followed by nothing.
    Prefix(ClientId),
    /// A client's key table goes back to the root.
    Repeat(ClientId),
    /// The mouse is held at the edge of a pane in a mode: its text scrolls on.
    Drag(PaneId),
    /// No other click of a client's mouse followed.
    Click(ClientId),
    /// A client's overlay goes.
    Overlay(ClientId),
    /// A pane no longer shows the panes of a window.
    Panes(PaneId),
    /// Clocks in panes show the next second.
    Clock,
    /// The status line is drawn anew (`status-interval`).
    Status,
    /// A window's name is worked out.
    Rename(WindowId),
    /// A delay is over: the number of the wait.
    Delay(u64),
    /// A pane that holds its picture back (mode 2026) shows it all the same.
    Held(PaneId),
    /// What a pane's program asked a terminal was not answered.
    Request(PaneId),
    /// A session was not used for long enough to be locked.
    Lock(SessionId),
    /// Monitors of silence are looked at.
    Silence(WindowId),
    /// Restored panes of a session are started, a few at a time.
    Thaw,
    /// A pane whose engine was ended to be started again is started.
    Return(PaneId),
    /// Subscriptions of control clients are looked at.
    Subscriptions,
    /// Animations in what is drawn go on.
    Animation,
    /// Formats of hooks (`set-hook -B`) are looked at.
    Monitors,
    /// Identities of launched agents are looked for.
    Agents,
    /// The next routine runs.
    Routines,
    /// The server has had nothing to do for long enough.
    Idle,
}

/// All deadlines; each timer has at most one.
#[derive(Debug, Default)]
pub struct Timers {
    due: BTreeMap<Timer, Instant>,
}

impl Timers {
    /// Set a deadline, in place of one that the timer has.
    pub fn set(&mut self, timer: Timer, at: Instant) {
        self.due.insert(timer, at);
    }

    /// Set a deadline unless the timer has one.
    pub fn set_once(&mut self, timer: Timer, at: Instant) {
        self.due.entry(timer).or_insert(at);
    }

    /// Set a deadline unless the timer has an earlier one.
    pub fn set_by(&mut self, timer: Timer, at: Instant) {
        let due = self.due.entry(timer).or_insert(at);
        *due = at.min(*due);
    }

    /// Take a deadline away.
    pub fn cancel(&mut self, timer: Timer) {
        self.due.remove(&timer);
    }

    /// The earliest deadline.
    pub fn next(&self) -> Option<Instant> {
        self.due.values().min().copied()
    }

    /// Take one timer that is due.
    pub fn take_due(&mut self, now: Instant) -> Option<Timer> {
        let timer =
            self.due.iter().filter(|(_, at)| **at <= now).min_by_key(|(_, at)| **at).map(|(timer, _)| *timer)?;
        self.due.remove(&timer);
        Some(timer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    #[allow(clippy::disallowed_methods)] // A test needs some instant to count from.
    fn timers_come_due_in_order_and_once() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut timers = Timers::default();
        timers.set(Timer::Status, at(2));
        timers.set(Timer::Delay(1), at(1));
        timers.set_once(Timer::Delay(1), at(5));
        assert_eq!(timers.next(), Some(at(1)));
        assert_eq!(timers.take_due(at(0)), None);
        assert_eq!(timers.take_due(at(3)), Some(Timer::Delay(1)));
        assert_eq!(timers.take_due(at(3)), Some(Timer::Status));
        assert_eq!(timers.next(), None);
    }
}
