//! Scrollbars beside panes: who shows one, where its slider is, and what the mouse does with it.
//!
//! A pane gives its columns up for a bar only while it shows it, so a program on the alternate screen has all of them.

use crate::Mux;
use crate::id::{ClientId, PaneId, WindowId};
use crate::layout::{Rect, Scrollbar};
use crate::pane::Pane;
use crate::window::Window;
use keymap::MouseLocation;

/// Which panes of a window show a scrollbar. It is worked out from what they have on their screens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bars {
    /// Only those in copy mode do (`pane-scrollbars modal`).
    pub(crate) in_modes: bool,
    /// Panes for which it is the other way round: on the alternate screen, or in copy mode.
    exceptions: Vec<PaneId>,
}

impl Bars {
    /// Whether a pane shows one.
    pub fn shown(&self, pane: PaneId) -> bool {
        self.exceptions.contains(&pane) == self.in_modes
    }
}

/// The part of a scrollbar that says where in its history a pane is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slider {
    /// Its first row, from the top of the pane.
    pub top: u16,
    /// Its rows.
    pub rows: u16,
}

impl Slider {
    /// The slider of a pane of so many rows, with what tmux gets where it does not come out even.
    pub fn of(pane: &Pane, rows: u16) -> Slider {
        let scrolled =
            pane.modes.last().map(|mode| mode.text().map_or((0, 0), |mode| (mode.scrolled().1, mode.offset())));
        let (history, offset) = scrolled.unwrap_or((pane.terminal.history_len(), 0));
        let (high, total) = (usize::from(rows), history.saturating_add(usize::from(rows)).max(1));
        let length = high * high / total;
        let top = match scrolled {
            None => high - length,
            Some(_) => (high + 1) * history.saturating_sub(offset) / total,
        };
        let short = |rows: usize| u16::try_from(rows).unwrap_or(u16::MAX);
        Slider { top: short(top.min(high.saturating_sub(1))), rows: short(length.max(1)) }
    }
}

/// The slider that a client's mouse holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// Whose it is.
    pub pane: PaneId,
    /// Rows from its top to where it was taken.
    pub row: i32,
}

/// The columns of a bar beside a pane's text.
fn columns(text: Rect, bar: Scrollbar) -> std::ops::Range<i32> {
    let (width, pad) = (bar.width.max(1), bar.pad);
    let from = if bar.left {
        text.x.saturating_sub_unsigned(width.saturating_add(pad))
    } else {
        text.right().saturating_add_unsigned(pad)
    };
    from..from.saturating_add_unsigned(width)
}

impl Mux {
    /// Which panes of a window show a scrollbar may have changed. True when it has.
    pub(crate) fn settle_scrollbars(&mut self, id: WindowId) -> bool {
        let Some(window) = self.windows.get(&id).filter(|window| window.layout.settings.scrollbar.is_some()) else {
            return false;
        };
        let in_modes = window.bars.in_modes;
        let shows = |pane: &Pane| {
            let in_text = || pane.modes.last().is_some_and(|mode| mode.text().is_some());
            !pane.terminal.alternate_on() && (!in_modes || in_text())
        };
        let is_exception = |pane: &PaneId| self.panes.get(pane).is_some_and(|pane| shows(pane) == in_modes);
        let exceptions: Vec<PaneId> = window.panes().iter().copied().filter(is_exception).collect();
        let Some(window) = self.windows.get_mut(&id).filter(|window| window.bars.exceptions != exceptions) else {
            return false;
        };
        window.bars.exceptions = exceptions;
        true
    }

    /// A pane has another screen: it may show its scrollbar now, or no longer, and be of another width then.
    pub(crate) fn fit_scrollbar(&mut self, pane: PaneId) {
        let Some(window) = self.panes.get(&pane).map(|pane| pane.window) else { return };
        if self.settle_scrollbars(window) {
            self.fit_panes(window);
            self.changed();
        }
    }

    /// The part of a pane's scrollbar at a place of its window.
    pub(crate) fn scrollbar_part(&self, window: &Window, pane: PaneId, (x, y): (u32, u32)) -> Option<MouseLocation> {
        let bar = window.scrollbar(pane)?;
        let text = window.rect(pane)?;
        let inside = columns(text, bar).contains(&i32::try_from(x).ok()?) && text.contains(text.x.max(0) as u32, y);
        let row = i64::from(y) - i64::from(text.y);
        let slider = Slider::of(self.panes.get(&pane).filter(|_| inside)?, rows(text));
        let top = i64::from(slider.top);
        Some(match row {
            row if row < top => MouseLocation::ScrollbarUp,
            row if row < top + i64::from(slider.rows) => MouseLocation::ScrollbarSlider,
            _ => MouseLocation::ScrollbarDown,
        })
    }

    /// The hold on a pane's slider that a mouse takes in this row of the window.
    pub(crate) fn hold_slider(&self, pane: PaneId, y: u32) -> Option<Hold> {
        let entry = self.panes.get(&pane)?;
        let text = self.windows.get(&entry.window)?.rect(pane)?;
        let top = text.y.saturating_add(i32::from(Slider::of(entry, rows(text)).top));
        Some(Hold { pane, row: i32::try_from(y).ok()?.saturating_sub(top) })
    }

    /// The row of a pane that the top of its slider is to have, as a client's mouse drags it to a row of the window.
    pub(crate) fn dragged_slider(&self, client: ClientId, pane: PaneId, y: u32) -> Option<u16> {
        let hold = self.clients.get(&client)?.slider.filter(|hold| hold.pane == pane)?;
        let entry = self.panes.get(&pane)?;
        let text = self.windows.get(&entry.window)?.rect(pane)?;
        let last = rows(text).saturating_sub(Slider::of(entry, rows(text)).rows);
        let row = i64::from(y) - i64::from(text.y) - i64::from(hold.row);
        u16::try_from(row.clamp(0, i64::from(last))).ok()
    }
}

fn rows(text: Rect) -> u16 {
    u16::try_from(text.height).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use crate::fake::Bench;
    use crate::{ClientId, Face, PaneId};

    /// A pane of 40 columns and 12 rows, with a scrollbar, under 89 lines of history.
    fn bench(shown: &str, position: &str) -> (Bench, ClientId) {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((40, 13), &["new-session", "cat"]);
        bench.line("set-option -g mouse on");
        bench.line(&format!("set-option -g pane-scrollbars-position {position}"));
        bench.line(&format!("set-option -g pane-scrollbars {shown}"));
        let lines: String = (1..=100).map(|line| format!("{line}\r\n")).collect();
        bench.output(PaneId(0), lines.as_bytes());
        (bench, client)
    }

    fn report(bench: &mut Bench, client: ClientId, report: &str) {
        bench.keys(client, format!("\x1b[<{report}").as_bytes());
    }

    fn click(bench: &mut Bench, client: ClientId, place: &str) {
        report(bench, client, &format!("0;{place}M"));
        report(bench, client, &format!("0;{place}m"));
        bench.advance(std::time::Duration::from_millis(400));
    }

    const PLACE: &str = "#{pane_in_mode} #{scroll_position} #{pane_left},#{pane_width} #{copy_cursor_y}";

    #[test]
    fn a_click_beside_the_slider_turns_pages() {
        for (position, column, place) in [("right", 40, "0,39"), ("left", 1, "1,39")] {
            let (mut bench, client) = bench("on", position);
            click(&mut bench, client, &format!("{column};1"));
            assert_eq!(bench.format("%0", PLACE), format!("1 10 {place} 11"));
            click(&mut bench, client, &format!("{column};1"));
            assert_eq!(bench.format("%0", PLACE), format!("1 20 {place} 11"));
            click(&mut bench, client, &format!("{column};12"));
            assert_eq!(bench.format("%0", PLACE), format!("1 10 {place} 11"));
        }
    }

    #[test]
    fn the_slider_is_dragged() {
        let (mut bench, client) = bench("on", "right");
        report(&mut bench, client, "0;40;12M");
        report(&mut bench, client, "32;40;8M");
        assert_eq!(bench.format("%0", PLACE), "1 31 0,39 11");
        report(&mut bench, client, "32;40;7M");
        assert_eq!(bench.format("%0", PLACE), "1 39 0,39 11");
        // Once it is held the mouse may be anywhere; over the text it takes the cursor along.
        report(&mut bench, client, "32;20;3M");
        assert_eq!(bench.format("%0", PLACE), "1 73 0,39 2");
        report(&mut bench, client, "32;40;1M");
        report(&mut bench, client, "0;40;1m");
        assert_eq!(bench.format("%0", PLACE), "1 89 0,39 2");
        // It is not held any longer.
        report(&mut bench, client, "0;20;8M");
        report(&mut bench, client, "32;20;9M");
        assert_eq!(bench.format("%0", "#{scroll_position}"), "89");
    }

    #[test]
    fn a_drag_of_the_slider_ends_there() {
        let (mut bench, client) = bench("on", "right");
        bench.line("bind-key -n MouseDragEnd1ScrollbarSlider set-option -gF @told '#{mouse_pane}'");
        for event in ["0;40;12M", "32;40;8M", "0;3;5m"] {
            report(&mut bench, client, event);
        }
        assert_eq!(bench.format("%0", "#{@told}"), "%0");
    }

    #[test]
    fn dragging_the_slider_makes_its_pane_active() {
        let (mut bench, client) = bench("on", "right");
        bench.line("split-window -h cat");
        for event in ["0;20;12M", "32;20;8M", "0;20;8m"] {
            report(&mut bench, client, event);
        }
        assert_eq!(bench.format("%0", "#{pane_in_mode}#{pane_active}"), "11");
        assert_eq!(bench.format("%1", "#{pane_in_mode}"), "0");
    }

    #[test]
    fn a_bar_takes_columns_only_while_it_is_shown() {
        let (mut bench, _) = bench("on", "right");
        let width = |bench: &mut Bench| bench.format("%0", "#{pane_width}");
        assert_eq!(width(&mut bench), "39");
        bench.output(PaneId(0), b"\x1b[?1049h");
        assert_eq!(width(&mut bench), "40");
        bench.line("copy-mode");
        assert_eq!(width(&mut bench), "40");
        bench.line("send-keys -X cancel");
        bench.output(PaneId(0), b"\x1b[?1049l");
        assert_eq!(width(&mut bench), "39");
        bench.line("set-option -g pane-scrollbars modal");
        assert_eq!(width(&mut bench), "40");
        bench.line("clock-mode");
        assert_eq!(width(&mut bench), "40");
        bench.line("copy-mode");
        assert_eq!(width(&mut bench), "39");
        bench.line("copy-mode -q");
        assert_eq!(width(&mut bench), "40");
    }
}
