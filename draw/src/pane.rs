//! Puts rows of a pane, and its scrollbar, into the frame.

use crate::scene::{PaneView, Place, Rows, Scene, Visible};
use std::borrow::Cow;
use term::cell::{Cell, Glyph};
use term::frame::{Frame, Rect};
use term::style::{Attrs, Color, ColorKind, Style};

/// Draws the rows of a pane that changed after `since` (all when it is `None`). Returns whether there was one.
pub(crate) fn draw(scene: &Scene<'_>, frame: &mut Frame, pane: &PaneView<'_>, since: Option<u64>) -> bool {
    let place = pane.place;
    let Some(seen) = visible(scene, pane) else { return false };
    let mut drawn = false;
    for row in 0..seen.rows {
        let y = seen.skip_rows.saturating_add(row).saturating_add(cut(place.y));
        let fresh = since.is_none_or(|since| pane.rows.row(y).change > since);
        if fresh {
            let rect = Rect { x: seen.x, y: seen.y + row, cols: seen.cols, rows: 1 };
            put(frame, rect, pane.rows, y, seen.skip_cols.saturating_add(cut(place.x)));
            recolor(frame, rect, pane);
            let across = (rect.x, rect.cols, pane.place.cols) == (0, scene.size.cols, scene.size.cols);
            if across && row + 1 < seen.rows && pane.rows.row(y).wraps {
                frame.set_wraps(rect.y);
            }
            drawn = true;
        }
    }
    drawn
}

/// How much of a place lies left of, or above, the window.
fn cut(start: i32) -> u16 {
    u16::try_from(start.saturating_neg()).unwrap_or(0)
}

/// The part of a place that is in the window: floating panes are cut at its edges.
fn in_window(scene: &Scene<'_>, place: Place) -> Place {
    let right = place.right().min(i32::from(scene.window.cols));
    let bottom = place.bottom().min(i32::from(scene.window.rows));
    let (x, y) = (place.x.max(0), place.y.max(0));
    let span = |from: i32, to: i32| u16::try_from(to.saturating_sub(from)).unwrap_or(0);
    Place { x, y, cols: span(x, right), rows: span(y, bottom) }
}

/// Copies row `y` of a screen, from its column `skip`, into a rectangle of one row.
pub(crate) fn put(frame: &mut Frame, rect: Rect, rows: &dyn Rows, y: u16, skip: u16) {
    let view = rows.row(y);
    let cells = view.cells.get(usize::from(skip)..).unwrap_or(&[]);
    let cells = &cells[..cells.len().min(usize::from(rect.cols))];
    let cells = &*with_right_half(cells, rect.cols);
    frame.put_row(rect.x, rect.y, cells, rows.graphemes(), rows.extras());
    let used = cells.len() as u16;
    if used < rect.cols {
        let rest = Rect { x: rect.x.saturating_add(used), cols: rect.cols - used, ..rect };
        frame.fill(rest, Cell { bg: view.fill, ..Cell::BLANK });
    }
}

/// The cells of a row of so many columns. Where a line was wrapped anew a wide character may be the last one of its row,
/// its right half the first of the next one; it is shown whole.
fn with_right_half(cells: &[Cell], cols: u16) -> Cow<'_, [Cell]> {
    match cells.last().filter(|last| last.glyph.is_wide() && cells.len() < usize::from(cols)) {
        None => Cow::Borrowed(cells),
        Some(last) => Cow::Owned([cells, &[Cell { glyph: Glyph::PAD, ..*last }]].concat()),
    }
}

/// Gives the cells of a pane their colours: those the program redefined, and the pane's own where none is asked for.
fn recolor(frame: &mut Frame, rect: Rect, pane: &PaneView<'_>) {
    let mut defaults = pane.defaults;
    if !pane.palette.is_empty() {
        let find = |n: u8| pane.palette.iter().find(|(index, _)| *index == n).map(|(_, color)| *color);
        let mapped = |color: Color| match color.kind() {
            ColorKind::Ansi(n) | ColorKind::Indexed(n) => find(n).unwrap_or(color),
            _ => color,
        };
        frame.restyle(rect, |cell| (cell.fg, cell.bg) = (mapped(cell.fg), mapped(cell.bg)));
        (defaults.fg, defaults.bg) = (mapped(defaults.fg), mapped(defaults.bg));
    }
    fill_in(frame, rect, defaults);
    if pane.dimmed {
        frame.restyle(rect, |cell| cell.attrs |= Attrs::DIM);
    }
}

/// Gives cells that ask for no colour those of `defaults`.
pub(crate) fn fill_in(frame: &mut Frame, rect: Rect, defaults: Style) {
    if defaults.fg.is_default() && defaults.bg.is_default() {
        return;
    }
    frame.restyle(rect, |cell| {
        if cell.fg.is_default() {
            cell.fg = defaults.fg;
        }
        if cell.bg.is_default() {
            cell.bg = defaults.bg;
        }
    });
}

/// The part of a pane the client shows.
pub(crate) fn visible(scene: &Scene<'_>, pane: &PaneView<'_>) -> Option<Visible> {
    scene.visible(in_window(scene, pane.place))
}

/// Puts back the picture of a pane from a frame that had it at the same place.
pub(crate) fn keep(frame: &mut Frame, seen: Visible, old: &Frame) {
    for y in seen.y..seen.y + seen.rows {
        let row = old.row(y);
        let (start, end) = (usize::from(seen.x).min(row.len()), usize::from(seen.x + seen.cols).min(row.len()));
        frame.put_row(seen.x, y, &row[start..end], old.graphemes(), old.extras());
    }
}

/// Draws the scrollbar of a pane, if it has one.
pub(crate) fn draw_scrollbar(scene: &Scene<'_>, frame: &mut Frame, pane: &PaneView<'_>) {
    let Some(bar) = pane.scrollbar else { return };
    let (width, pad) = (i32::from(bar.width), i32::from(bar.pad));
    let x = if bar.left { pane.place.x - width - pad } else { pane.place.right() + pad };
    let gap = if bar.left { pane.place.x - pad } else { pane.place.right() };
    let slider = Style { fg: bar.style.bg, bg: bar.style.fg, ..bar.style };
    for row in 0..pane.place.rows {
        let y = pane.place.y + i32::from(row);
        let on = row >= bar.slider_top && row - bar.slider_top < bar.slider_rows;
        let cell = Cell::new(Glyph::BLANK, if on { slider } else { bar.style });
        fill(scene, frame, Place { x, y, cols: bar.width, rows: 1 }, cell);
        fill(scene, frame, Place { x: gap, y, cols: bar.pad, rows: 1 }, Cell::BLANK);
    }
}

fn fill(scene: &Scene<'_>, frame: &mut Frame, place: Place, cell: Cell) {
    if let Some(seen) = scene.visible(in_window(scene, place)) {
        frame.fill(Rect { x: seen.x, y: seen.y, cols: seen.cols, rows: seen.rows }, cell);
    }
}
