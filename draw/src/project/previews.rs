//! The panes of a window with their numbers, in the place of a pane's screen (display-panes).

use super::list::draw_screen;
use super::style::{Stage, colour, runs};
use crate::border::{Joint, line_cell};
use crate::overlay::{draw_frame, draw_index};
use crate::pane;
use crate::scene::Lines;
use crate::status::draw_line;
use mux::mode::{Panes, Part, Scale};
use mux::style::Markup;
use mux::target::Found;
use mux::{Mux, PaneId, Window};
use term::cell::Cell;
use term::frame::{Frame, Rect};
use term::size::Size;
use term::style::Style;

/// A number that changes with what any of the panes shows.
pub(super) fn change(mux: &Mux, panes: &Panes) -> u64 {
    let window = panes.place().window.and_then(|id| mux.windows.get(&id));
    let of = |pane: &PaneId| mux.panes.get(pane).map_or(0, |pane| pane.terminal.change());
    window.map_or(0, |window| window.panes().iter().map(of).fold(0, u64::wrapping_add))
}

fn area(rect: mux::layout::Rect) -> Rect {
    let short = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    let at = |n: i32| u16::try_from(n.max(0)).unwrap_or(u16::MAX);
    Rect { x: at(rect.x), y: at(rect.y), cols: short(rect.width), rows: short(rect.height) }
}

/// Draws them over the whole page of the pane that shows them.
pub(super) fn draw(stage: &Stage<'_>, panes: &Panes, own: PaneId, frame: &mut Frame) {
    let mux = stage.mux;
    let size = frame.size();
    frame.fill(Rect { x: 0, y: 0, cols: size.cols, rows: size.rows }, Cell::BLANK);
    let Some(window) = panes.place().window.and_then(|id| mux.windows.get(&id)) else { return };
    let Some(host) = mux.panes.get(&own).map(|pane| pane.window) else { return };
    let looks = Looks::new(stage, host);
    let parts = panes.parts(window, size);
    let (floating, tiled): (Vec<&Part>, Vec<&Part>) = parts.iter().partition(|part| part.frame.is_some());
    for part in tiled {
        draw_part(stage, panes, own, window, part, &looks, frame);
    }
    Borders::of(window, size).draw(frame, looks.border);
    for part in floating {
        if let Some(around) = part.frame.map(area) {
            frame.fill(around, Cell::BLANK);
            draw_frame(frame, around, Lines::Single, looks.border);
        }
        draw_part(stage, panes, own, window, part, &looks, frame);
    }
}

/// How borders look, and the text in each pane: options of the window that the pane is in.
struct Looks {
    border: Style,
    format: String,
}

impl Looks {
    fn new(stage: &Stage<'_>, host: mux::WindowId) -> Looks {
        let style = stage.mux.window_text(host, "display-panes-border-style");
        let border = Markup::parse(&stage.expand(&style, None, &[])).unwrap_or_default().look.of_cell();
        Looks { border, format: stage.mux.window_text(host, "display-panes-format") }
    }
}

fn draw_part(
    stage: &Stage<'_>,
    panes: &Panes,
    own: PaneId,
    window: &Window,
    part: &Part,
    looks: &Looks,
    frame: &mut Frame,
) {
    let mux = stage.mux;
    let Some(pane) = mux.panes.get(&part.pane) else { return };
    let rect = area(part.rect);
    if rect.cols == 0 || rect.rows == 0 {
        return;
    }
    let before = panes.before().filter(|_| part.pane == own);
    let terminal = before.unwrap_or(&*pane.terminal);
    if Scale::of(window, frame.size()).fits() {
        for row in 0..rect.rows.min(terminal.size().rows) {
            pane::put(frame, Rect { y: rect.y + row, rows: 1, ..rect }, terminal, row, 0);
        }
    } else {
        draw_screen(frame, rect, terminal);
    }
    let option = if window.active == part.pane { "display-panes-active-colour" } else { "display-panes-colour" };
    let colour = colour(&stage.text(option));
    let base = mux.window_number(window, "pane-base-index");
    let Some(at) = window.panes().iter().position(|pane| *pane == part.pane) else { return };
    let index = u32::try_from(base + at as i64).unwrap_or(0);
    let large = draw_index(frame, rect, index, colour, if looks.format.is_empty() { 5 } else { 7 });
    if looks.format.is_empty() || rect.rows <= if large { 6 } else { 1 } {
        return;
    }
    let place = Found { pane: Some(part.pane), ..panes.place() };
    let text = mux.expand_at(None, place, &looks.format, &[], stage.world, stage.now);
    let look = mux::style::Look { fg: mux::style::Colour::from_cell(colour), ..Default::default() };
    draw_line(frame, rect.x, rect.y, rect.cols, None, &runs(&text, look));
}

/// The lines between the panes that don't float.
struct Borders {
    size: Size,
    cells: Vec<bool>,
}

impl Borders {
    fn of(window: &Window, size: Size) -> Borders {
        let cells = vec![false; usize::from(size.cols) * usize::from(size.rows)];
        let mut borders = Borders { size, cells };
        let scale = Scale::of(window, size);
        let whole = window.size();
        let layout = &window.layout;
        for pane in layout.panes().iter().filter(|pane| !layout.is_floating(**pane)) {
            let Some(rect) = layout.rect(*pane) else { continue };
            let (left, top, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
            let (wide, high) = (right < whole.width as i32, bottom < whole.height as i32);
            let corner = (right + i32::from(wide), bottom + i32::from(high));
            if wide {
                borders.line(&scale, (right, top), (right + 1, corner.1));
            }
            if high {
                borders.line(&scale, (left, bottom), (corner.0, bottom + 1));
            }
            if top > 0 {
                borders.line(&scale, (left, top - 1), (corner.0, top));
            }
        }
        borders
    }

    fn line(&mut self, scale: &Scale, from: (i32, i32), to: (i32, i32)) {
        let (start, end) = (scale.place(from.0, from.1), scale.place(to.0, to.1));
        let (end, cols) = ((end.0.max(start.0 + 1), end.1.max(start.1 + 1)), i32::from(self.size.cols));
        for y in start.1.max(0)..end.1.min(i32::from(self.size.rows)) {
            for x in start.0.max(0)..end.0.min(cols) {
                self.cells[(y * cols + x) as usize] = true;
            }
        }
    }

    fn has(&self, x: i32, y: i32) -> bool {
        let inside = (0..i32::from(self.size.cols)).contains(&x) && (0..i32::from(self.size.rows)).contains(&y);
        inside && self.cells[(y * i32::from(self.size.cols) + x) as usize]
    }

    fn draw(&self, frame: &mut Frame, style: Style) {
        for y in 0..self.size.rows {
            for x in 0..self.size.cols {
                let (at, line) = (i32::from(x), i32::from(y));
                if !self.has(at, line) {
                    continue;
                }
                let sides =
                    [(at - 1, line), (at + 1, line), (at, line - 1), (at, line + 1)].map(|(x, y)| self.has(x, y));
                frame.put_cells(x, y, &[line_cell(Lines::Single, joint(sides), style)]);
            }
        }
    }
}

/// What joins lines to the left, to the right, above and below.
fn joint(sides: [bool; 4]) -> Joint {
    match sides {
        [true, true, true, true] => Joint::Join,
        [true, true, true, false] => Joint::BottomJoin,
        [true, true, false, true] => Joint::TopJoin,
        [false, true, true, true] => Joint::LeftJoin,
        [true, false, true, true] => Joint::RightJoin,
        [true, false, true, false] => Joint::BottomRight,
        [true, false, false, true] => Joint::TopRight,
        [false, true, true, false] => Joint::BottomLeft,
        [false, true, false, true] => Joint::TopLeft,
        [_, _, false, false] => Joint::LeftRight,
        [false, false, ..] => Joint::TopBottom,
    }
}
