//! Sessions or windows that fit what is typed, in the place of a pane's screen. The prompt lies over it.

use super::style::{Stage, runs};
use crate::status::draw_line;
use mux::PaneId;
use mux::mode::Switch;
use mux::style::Look;
use term::cell::Cell;
use term::frame::{Frame, Rect};

/// Draws the list over a whole page.
pub(super) fn draw(stage: &Stage<'_>, pane: PaneId, switch: &Switch, frame: &mut Frame) {
    let size = frame.size();
    frame.fill(Rect { x: 0, y: 0, cols: size.cols, rows: size.rows }, Cell::BLANK);
    let chosen = stage.pane_style(pane, "mode-style").look;
    let typed = stage.pane_style(pane, "switch-mode-match-style").look.of_cell();
    for (y, (is_current, fit)) in (0..size.rows).zip(switch.visible()) {
        let look = if is_current { chosen } else { Look::default() };
        let line = Rect { x: 0, y, cols: size.cols, rows: 1 };
        frame.fill(line, Cell { bg: look.of_cell().bg, ..Cell::BLANK });
        draw_line(frame, 0, y, size.cols, None, &runs(&stage.themed(fit.text.clone()), look));
        for x in fit.columns.iter().filter_map(|x| u16::try_from(*x).ok()).filter(|x| *x < size.cols) {
            frame.restyle(Rect { x, cols: 1, ..line }, |cell| {
                (cell.fg, cell.bg, cell.attrs) =
                    (typed.fg, typed.bg, typed.attrs | cell.attrs & term::style::Attrs::CHARSET);
            });
        }
    }
}
