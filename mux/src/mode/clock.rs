//! A clock in the place of a pane's screen: what it shows now, and when that is worked out again.

use super::Shown;
use crate::format::{Local, strftime};
use crate::queue::Context;
use crate::timer::Timer;
use crate::{ClientId, Event, Mux, Now, PaneId, World};
use keymap::Key;
use std::time::Duration;

/// The clock of a pane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    text: String,
}

impl Clock {
    /// The time, as it is shown.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A time in a style of `clock-mode-style`.
fn text(style: &str, time: &Local) -> String {
    let half = if time.hour >= 12 { "PM" } else { "AM" };
    let format = match style {
        "12" => format!("%l:%M {half}"),
        "12-with-seconds" => format!("%l:%M:%S {half}"),
        "24-with-seconds" => "%H:%M:%S".to_owned(),
        _ => "%H:%M".to_owned(),
    };
    strftime(&format, time)
}

impl Mux {
    /// Show a clock in a pane; one that is there already comes to the front.
    pub(crate) fn enter_clock_mode(&mut self, now: Now, world: &dyn World, id: PaneId) {
        self.leave_panes_mode(id);
        let Some(pane) = self.panes.get_mut(&id) else { return };
        if matches!(pane.modes.last(), Some(Shown::Clock(_))) {
            return;
        }
        pane.modes.retain(|mode| !matches!(mode, Shown::Clock(_)));
        pane.modes.push(Shown::Clock(Clock::default()));
        self.run_clocks(now, world);
        self.event(Event::PaneModeChanged(id));
        self.redraw();
    }

    /// A key for a pane in a mode that has no key table: false when the pane is in none. Any key ends a clock.
    pub(crate) fn key_to_mode_without_table(
        &mut self,
        context: &mut Context<'_>,
        id: PaneId,
        client: Option<ClientId>,
        key: Key,
        mouse: Option<&crate::keys::Mouse>,
        typed: bool,
    ) -> bool {
        match self.panes.get(&id).and_then(|pane| pane.modes.last()) {
            Some(Shown::List(_)) => self.list_key(context, id, client, key, mouse, typed),
            Some(Shown::Clock(_)) => self.end_mode(id),
            Some(Shown::Panes(_)) => self.panes_key(context, id, client, key, mouse),
            _ => return false,
        }
        true
    }

    /// Let every clock show the time, and look again when the next second begins.
    pub(crate) fn run_clocks(&mut self, now: Now, world: &dyn World) {
        let is_clock = |mode: &Shown| matches!(mode, Shown::Clock(_));
        let shown = self.panes.values().filter(|pane| pane.modes.iter().any(is_clock));
        let clocks: Vec<PaneId> = shown.map(|pane| pane.id).collect();
        if clocks.is_empty() {
            return;
        }
        let time = world.local(now.seconds());
        for id in clocks {
            let Some(window) = self.panes.get(&id).map(|pane| pane.window) else { continue };
            let text = text(&self.window_text(window, "clock-mode-style"), &time);
            let modes = self.panes.get_mut(&id).into_iter().flat_map(|pane| pane.modes.iter_mut());
            let mut changed = false;
            for mode in modes {
                if let Shown::Clock(clock) = mode {
                    changed |= clock.text != text;
                    clock.text.clone_from(&text);
                }
            }
            if changed {
                self.redraw();
            }
        }
        let rest = Duration::from_secs(1).saturating_sub(Duration::from_nanos(now.unix.subsec_nanos().into()));
        self.timers.set(Timer::Clock, now.instant + rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Face;
    use crate::fake::Bench;

    fn shown(bench: &Bench) -> Option<String> {
        match bench.mux.panes.get(&PaneId(0))?.modes.last()? {
            Shown::Clock(clock) => Some(clock.text().to_owned()),
            _ => None,
        }
    }

    #[test]
    fn the_time_has_four_styles() {
        let at = |hour| Local { hour, minute: 5, second: 9, ..Local::default() };
        for (style, morning, evening) in [
            ("12", " 9:05 AM", " 1:05 PM"),
            ("24", "09:05", "13:05"),
            ("12-with-seconds", " 9:05:09 AM", " 1:05:09 PM"),
            ("24-with-seconds", "09:05:09", "13:05:09"),
        ] {
            assert_eq!((text(style, &at(9)), text(style, &at(13))), (morning.to_owned(), evening.to_owned()));
        }
    }

    #[test]
    fn a_clock_goes_on_until_a_key() {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session"]);
        bench.keys(client, b"\x02t");
        assert_eq!((shown(&bench), bench.format("", "#{pane_mode}")), (Some("12:00".into()), "clock-mode".into()));
        bench.line("set -g clock-mode-style 24-with-seconds");
        bench.advance(Duration::from_millis(2500));
        assert_eq!(shown(&bench).as_deref(), Some("12:00:02"));
        bench.advance(Duration::from_millis(1000));
        assert_eq!(shown(&bench).as_deref(), Some("12:00:03"));
        bench.typed(PaneId(0));
        bench.keys(client, b"x");
        assert_eq!(shown(&bench), None);
        // The key is not the program's, and nothing is worked out any more.
        assert_eq!(bench.typed(PaneId(0)), b"");
        bench.advance(Duration::from_millis(1500));
        let due = bench.mux.deadline().map(|at| at - bench.now.instant);
        assert!(due.is_none_or(|due| due > Duration::from_secs(1)), "{due:?}");
        bench.lines(&["clock-mode", "copy-mode", "clock-mode", "send-keys x"]);
        assert_eq!(bench.format("", "#{pane_mode}"), "copy-mode");
    }
}
