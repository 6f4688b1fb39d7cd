//! The panes of a window, small and with their numbers, in the place of a pane's screen: a number or a click chooses one.
//! How they look is drawing's work.

use super::{Mode, Shown};
use crate::layout::Rect;
use crate::overlay::number_of;
use crate::queue::{Context, State};
use crate::target::Found;
use crate::timer::Timer;
use crate::{ClientId, Mux, PaneId, Window, WindowId};
use keymap::{Key, KeyCode, MouseAction, MouseKey};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use term::{Size, Terminal};

/// How the panes are shown.
pub(crate) struct Showing {
    /// The window whose panes are shown, as a target in a session.
    pub(crate) place: Found,
    /// The command for the chosen pane, `%%` standing for it.
    pub(crate) template: String,
    /// A number chooses a pane; without it only leaving is possible.
    pub(crate) takes_keys: bool,
    /// The pane fills the window meanwhile.
    pub(crate) zooms: bool,
    /// How long; for ever when it is 0.
    pub(crate) ms: u64,
}

/// The panes of a window.
#[derive(Debug)]
pub struct Panes {
    place: Found,
    template: String,
    takes_keys: bool,
    /// The window was zoomed for it.
    zoomed: bool,
    /// What the pane itself showed before it filled the window.
    before: Option<Box<Mode>>,
}

/// Where a pane of a window is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The pane.
    pub pane: PaneId,
    /// First column and row of its text, and how many of each; none where its border takes all.
    pub rect: Rect,
    /// The same with its border, of a pane that floats.
    pub frame: Option<Rect>,
}

/// A window drawn in so many columns and rows: as it is where it fits, else smaller.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    from: (u32, u32),
    to: (u32, u32),
}

impl Scale {
    /// Of a window in a pane.
    pub fn of(window: &Window, size: Size) -> Scale {
        let whole = window.size();
        Scale { from: (whole.width.max(1), whole.height.max(1)), to: (size.cols.into(), size.rows.into()) }
    }

    /// True where nothing gets smaller.
    pub fn fits(&self) -> bool {
        self.from.0 <= self.to.0 && self.from.1 <= self.to.1
    }

    /// A column and a row.
    pub fn place(&self, x: i32, y: i32) -> (i32, i32) {
        if self.fits() {
            return (x, y);
        }
        let scale = |at: i32, from: u32, to: u32| (i64::from(at) * i64::from(to)).div_euclid(i64::from(from)) as i32;
        (scale(x, self.from.0, self.to.0), scale(y, self.from.1, self.to.1))
    }

    /// A rectangle, cut at the edges; at least a cell where it begins inside.
    fn rect(&self, rect: Rect) -> Option<Rect> {
        let (left, top) = self.place(rect.x, rect.y);
        let (right, bottom) = self.place(rect.right(), rect.bottom());
        let (cols, rows) = (self.to.0 as i32, self.to.1 as i32);
        let (right, bottom) = (right.max(left + 1).min(cols), bottom.max(top + 1).min(rows));
        let (left, top) = (left.max(0), top.max(0));
        let length = |from: i32, to: i32| u32::try_from(to - from).ok().filter(|length| *length > 0);
        Some(Rect { x: left, y: top, width: length(left, right)?, height: length(top, bottom)? })
    }
}

impl Panes {
    /// The window whose panes are shown, as a target in a session.
    pub fn place(&self) -> Found {
        self.place
    }

    /// The text of the pane that shows them, while it fills the window.
    pub fn before(&self) -> Option<&Terminal> {
        self.before.as_deref().map(Mode::terminal)
    }

    /// Where the panes are drawn, those that float last and the frontmost at the end.
    pub fn parts(&self, window: &Window, size: Size) -> Vec<Part> {
        let scale = Scale::of(window, size);
        let layout = &window.layout;
        let mut panes: Vec<PaneId> = layout.panes().to_vec();
        panes.sort_by_key(|pane| (layout.is_floating(*pane), layout.depth(*pane)));
        let part = |pane: PaneId| {
            let whole = layout.rect(pane)?;
            let text = layout.settings.scrollbar.map_or(whole, |bar| whole.beside(bar));
            let mut rect = scale.rect(text)?;
            if !layout.is_floating(pane) {
                return Some(Part { pane, rect, frame: None });
            }
            let around = Rect { x: whole.x - 1, y: whole.y - 1, width: whole.width + 2, height: whole.height + 2 };
            let frame = scale.rect(around)?;
            // What is inside keeps off the border, also where both became one cell.
            let (left, top) = (rect.x.max(frame.x + 1), rect.y.max(frame.y + 1));
            let (right, bottom) = (rect.right().min(frame.right() - 1), rect.bottom().min(frame.bottom() - 1));
            let length = |from: i32, to: i32| u32::try_from(to - from).unwrap_or(0);
            rect = Rect { x: left, y: top, width: length(left, right), height: length(top, bottom) };
            Some(Part { pane, rect, frame: Some(frame) })
        };
        panes.into_iter().filter_map(part).collect()
    }
}

impl Mux {
    /// The panes that a pane shows in the place of its screen.
    fn panes_mode(&self, id: PaneId) -> Option<&Panes> {
        match self.panes.get(&id)?.modes.last()? {
            Shown::Panes(panes) => Some(panes),
            _ => None,
        }
    }

    /// True while a zoomed pane shows the panes of a window: it fills its own then, without status line and scrollbar.
    pub fn zoom_is_bare(&self, window: &Window) -> bool {
        window.zoomed_pane().is_some_and(|pane| self.panes_mode(pane).is_some())
    }

    /// Show the panes of a window in a pane.
    pub(crate) fn enter_panes_mode(&mut self, context: &Context<'_>, id: PaneId, showing: Showing) {
        if self.panes_mode(id).is_some() {
            return;
        }
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let (window, before_mode) = (pane.window, pane.mode_name());
        let was_zoomed = self.windows.get(&window).is_some_and(Window::zoomed);
        let zooms = showing.zooms && !was_zoomed;
        let before = zooms.then(|| Box::new(Mode::glance(&pane.terminal)));
        let Showing { place, template, takes_keys, ms, .. } = showing;
        pane.modes.push(Shown::Panes(Box::new(Panes { place, template, takes_keys, zoomed: zooms, before })));
        if zooms {
            self.zoom(window, Some(id));
        } else if was_zoomed {
            self.touch_layout_settings(window);
            self.layout_changed(window);
        }
        if ms > 0 {
            self.timers.set(Timer::Panes(id), context.now.instant + Duration::from_millis(ms));
        }
        self.mode_changed(id, true, before_mode);
        self.redraw();
    }

    /// Another mode comes: this one stays below none.
    pub(crate) fn leave_panes_mode(&mut self, id: PaneId) {
        if self.panes_mode(id).is_some() {
            self.end_mode(id);
        }
    }

    /// It was left: the window is no longer zoomed for it.
    pub(super) fn panes_left(&mut self, id: PaneId, panes: &Panes) {
        self.timers.cancel(Timer::Panes(id));
        let Some(window) = self.panes.get(&id).map(|pane| pane.window) else { return };
        if panes.zoomed {
            self.unzoom(window);
        } else if self.windows.get(&window).is_some_and(Window::zoomed) {
            self.touch_layout_settings(window);
            self.layout_changed(window);
        }
    }

    /// A key or a click.
    pub(super) fn panes_key(
        &mut self,
        context: &mut Context<'_>,
        id: PaneId,
        client: Option<ClientId>,
        key: Key,
        mouse: Option<&crate::keys::Mouse>,
    ) {
        let Some(panes) = self.panes_mode(id) else { return };
        if keymap::parse_key("Escape").is_some_and(|escape| escape == key) || key == Key::char('q') {
            return self.end_mode(id);
        }
        if !panes.takes_keys {
            return;
        }
        let chosen = match key.code() {
            KeyCode::Mouse(MouseKey { action: MouseAction::Down, button: 1, .. }) => {
                mouse.and_then(|mouse| self.pane_drawn_at(id, mouse))
            }
            _ => number_of(key).and_then(|number| self.pane_numbered(panes.place.window?, number)),
        };
        match chosen {
            Some(chosen) => self.pane_chosen(context, id, client, chosen),
            None if key.is_mouse() => {}
            None => self.end_mode(id),
        }
    }

    fn pane_drawn_at(&self, id: PaneId, mouse: &crate::keys::Mouse) -> Option<PaneId> {
        let place = self.mouse_in_pane(id, mouse)?;
        let (panes, size) = (self.panes_mode(id)?, self.panes.get(&id)?.terminal.size());
        let parts = panes.parts(self.windows.get(&panes.place.window?)?, size);
        let (x, y) = (i32::from(place.column), i32::from(place.row));
        let inside = |rect: Rect| (rect.x..rect.right()).contains(&x) && (rect.y..rect.bottom()).contains(&y);
        parts.iter().rev().find(|part| inside(part.rect)).map(|part| part.pane)
    }

    fn pane_chosen(&mut self, context: &mut Context<'_>, id: PaneId, client: Option<ClientId>, chosen: PaneId) {
        let Some(template) = self.panes_mode(id).map(|panes| panes.template.clone()) else { return };
        if let Some(window) = self.panes.get(&id).map(|pane| pane.window) {
            self.unzoom(window);
        }
        let text = crate::command::template::replace_all(&template, &[chosen.to_string()]);
        let state = Rc::new(State { key: context.state.key, current: Cell::new(None), ..State::default() });
        match self.commands(&text, None, context.world) {
            Ok(commands) => {
                let items = self.queues.items(&commands, &state);
                self.queues.append(client, items);
            }
            Err(error) => self.enqueue_error(client, error, (*state).clone()),
        }
        self.end_mode(id);
    }

    /// The window whose panes are shown is gone, or is not.
    pub(crate) fn close_panes_modes(&mut self, window: WindowId) {
        let shows = |mode: &Shown| matches!(mode, Shown::Panes(panes) if panes.place.window == Some(window));
        let panes: Vec<PaneId> =
            self.panes.values().filter(|pane| pane.modes.last().is_some_and(shows)).map(|pane| pane.id).collect();
        for pane in panes {
            self.end_mode(pane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Face;
    use crate::fake::Bench;

    fn bench() -> (Bench, ClientId) {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "-s", "a", "cat"]);
        bench.lines(&["split-window -h cat", "split-window -v cat", "set -g @a none"]);
        (bench, client)
    }

    fn state(bench: &mut Bench, pane: &str) -> String {
        bench.format(pane, "#{pane_mode} #{window_zoomed_flag} #{pane_width}x#{pane_height}")
    }

    #[test]
    fn a_pane_shows_them_and_fills_the_window_meanwhile() {
        let (mut bench, _) = bench();
        let before = state(&mut bench, "%1");
        assert_eq!(before, " 0 39x11");
        bench.lines(&["set -g pane-border-status top", "set -g pane-scrollbars on"]);
        let smaller = state(&mut bench, "%1");
        bench.line("display-panes -d 0 -t %1");
        assert_eq!(state(&mut bench, "%1"), "panes-mode 1 80x23");
        assert_eq!(bench.format("%1", "#{pane_unzoomed_width}x#{pane_unzoomed_height}"), smaller[3..]);
        bench.line("send-keys -t %1 q");
        assert_eq!(state(&mut bench, "%1"), smaller);
        bench.line("display-panes -Z -d 0 -t %1");
        assert_eq!(state(&mut bench, "%1"), format!("panes-mode{smaller}"));
        // Another mode takes its place.
        bench.lines(&["copy-mode -t %1", "send-keys -t %1 -X cancel"]);
        assert_eq!(state(&mut bench, "%1"), smaller);
        // A zoom that was there stays.
        bench.lines(&["resize-pane -Z -t %1", "display-panes -d 0 -t %1"]);
        assert_eq!(state(&mut bench, "%1"), "panes-mode 1 80x23");
        bench.line("send-keys -t %1 q");
        assert_eq!(state(&mut bench, "%1"), " 1 79x22");
        bench.mux.check();
    }

    #[test]
    fn a_number_or_a_click_chooses_one() {
        let (mut bench, client) = bench();
        bench.line("set -g mouse on");
        for (keys, chosen) in [(&b"2"[..], "%2"), (b"0", "%0"), (b"\x1b[<0;60;2M", "%1"), (b"\x1b[<0;3;9M", "%0")] {
            bench.lines(&["set -g @a none", "display-panes -t %1 -d 0 'set -g @a %%'"]);
            bench.keys(client, keys);
            assert_eq!(bench.line("show -gv @a"), chosen);
            // The next click is no double one.
            bench.advance(Duration::from_secs(1));
            assert_eq!(state(&mut bench, "%1"), " 0 39x11");
        }
        // Other keys leave it, and with -N only those for it.
        bench.lines(&["set -g @a none", "display-panes -t %1 -d 0 'set -g @a %%'"]);
        bench.keys(client, b"7");
        assert_eq!((state(&mut bench, "%1").as_str(), bench.line("show -gv @a")), (" 0 39x11", "none".to_owned()));
        bench.line("display-panes -N -t %1 -d 500 'set -g @a %%'");
        bench.keys(client, b"0x");
        assert_eq!(
            (state(&mut bench, "%1").as_str(), bench.line("show -gv @a")),
            ("panes-mode 1 80x23", "none".to_owned())
        );
        bench.advance(Duration::from_millis(600));
        assert_eq!(state(&mut bench, "%1"), " 0 39x11");
    }

    #[test]
    fn they_may_be_of_another_window_and_end_with_it() {
        let (mut bench, client) = bench();
        bench.lines(&["new-window -d -n other cat", "split-window -t other cat"]);
        bench.line("display-panes -s other -t %1 -d 0 'set -g @a %%'");
        bench.keys(client, b"1");
        assert_eq!(bench.line("show -gv @a"), "%4");
        bench.lines(&["display-panes -s other -t %1 -d 0", "kill-window -t other"]);
        assert_eq!(state(&mut bench, "%1"), " 0 39x11");
    }

    #[test]
    fn with_k_the_pane_ends_with_it() {
        let (mut bench, _) = bench();
        bench.lines(&["display-panes -k -d 0 -t %1", "send-keys -t %1 q"]);
        assert!(!bench.mux.panes.contains_key(&PaneId(1)));
        assert_eq!(bench.format("%0", "#{window_zoomed_flag}"), "0");
        bench.mux.check();
    }

    #[test]
    fn a_pane_that_is_no_client_is_asked_for_as_3_7_does_not() {
        let (mut bench, _) = bench();
        assert_eq!(bench.line("display-panes -t nope"), "can't find client: nope");
        bench.line("display-panes -b");
        assert_eq!(bench.format("%1", "#{pane_mode}"), "");
    }
}
