//! The lines between panes: junctions, the active pane's part of them, arrows, and what lies outside the window.

use crate::run::Range;
use crate::scene::{Floating, Indicators, Lines, PaneStatus, PaneView, Place, Scene, Split};
use crate::status::draw_line;
use term::cell::{Cell, Glyph};
use term::frame::Frame;
use term::style::{Attrs, Style};

/// What a border cell joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joint {
    TopBottom,
    LeftRight,
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
    TopJoin,
    BottomJoin,
    LeftJoin,
    RightJoin,
    Join,
    Outside,
}

/// The characters of each kind of lines, in the order of [`Joint`]. For single lines they are codes of the DEC special
/// graphics set.
fn line_set(lines: Lines) -> [char; 12] {
    match lines {
        Lines::Single | Lines::Number => ['x', 'q', 'l', 'k', 'm', 'j', 'w', 'v', 't', 'u', 'n', '~'],
        Lines::Double => ['║', '═', '╔', '╗', '╚', '╝', '╦', '╩', '╠', '╣', '╬', '·'],
        Lines::Heavy => ['┃', '━', '┏', '┓', '┗', '┛', '┳', '┻', '┣', '┫', '╋', '·'],
        Lines::Rounded => ['│', '─', '╭', '╮', '╰', '╯', '┳', '┻', '├', '┤', '╋', '·'],
        Lines::Simple => ['|', '-', '+', '+', '+', '+', '+', '+', '+', '+', '+', '.'],
        Lines::Spaces | Lines::Padded | Lines::None => [' '; 12],
    }
}

/// A line cell. Only single lines use the DEC set, so that a terminal without UTF-8 draws them.
pub(crate) fn line_cell(lines: Lines, joint: Joint, style: Style) -> Cell {
    let c = line_set(lines)[joint as usize];
    let drawn = matches!(lines, Lines::Single | Lines::Number);
    let attrs = if drawn { style.attrs | Attrs::CHARSET } else { style.attrs.difference(Attrs::CHARSET) };
    Cell::new(Glyph::point(c, false), Style { attrs, ..style })
}

/// On which side of a pane a cell lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Outside,
    Inside,
    Left,
    Right,
    Top,
    Bottom,
}

/// A pane with its scrollbar.
pub(crate) fn outer(pane: &PaneView<'_>) -> Place {
    let Some(bar) = pane.scrollbar else { return pane.place };
    let wide = bar.width.saturating_add(bar.pad);
    let x = if bar.left { pane.place.x.saturating_sub(i32::from(wide)) } else { pane.place.x };
    Place { x, cols: pane.place.cols.saturating_add(wide), ..pane.place }
}

/// The part of the window's borders that is being drawn.
struct Map<'a, 'b> {
    scene: &'a Scene<'b>,
    tiled: Vec<&'a PaneView<'b>>,
    active: Option<&'a PaneView<'b>>,
    /// Columns and rows of the window (without its last row when panes have their text below).
    cols: i32,
    rows: i32,
    /// The part of the window that is looked at: the view and what touches it.
    view: Place,
    /// For each cell of that part: whether it is border.
    border: Vec<bool>,
}

/// Draws borders and what lies outside the window over the whole view, but not inside panes.
pub(crate) fn draw(scene: &Scene<'_>, frame: &mut Frame) {
    let map = Map::new(scene);
    let (ox, oy) = (i32::from(scene.offset.0), i32::from(scene.offset.1));
    for row in 0..scene.view_rows() {
        for col in 0..scene.size.cols {
            if let Some(cell) = map.cell(ox + i32::from(col), oy + i32::from(row)) {
                frame.put_cells(col, scene.top() + row, &[cell]);
            }
        }
    }
}

impl<'a, 'b> Map<'a, 'b> {
    fn new(scene: &'a Scene<'b>) -> Map<'a, 'b> {
        let cols = i32::from(scene.window.cols.min(Frame::MAX_SIDE));
        let rows = i32::from(scene.window.rows.min(Frame::MAX_SIDE));
        let tiled: Vec<_> = scene.panes.iter().filter(|pane| pane.floating.is_none()).collect();
        let view = Place {
            x: i32::from(scene.offset.0) - 2,
            y: i32::from(scene.offset.1) - 2,
            cols: scene.size.cols.min(Frame::MAX_SIDE) + 4,
            rows: scene.view_rows().min(Frame::MAX_SIDE) + 4,
        };
        let border = vec![false; usize::from(view.cols) * usize::from(view.rows)];
        let mut map = Map { scene, tiled, active: scene.active(), cols, rows, view, border };
        for at in 0..map.tiled.len() {
            map.ring(map.tiled[at]);
        }
        map
    }

    /// Marks the cells round a pane that are its border.
    fn ring(&mut self, pane: &PaneView<'_>) {
        let place = outer(pane);
        let (left, right) = ((place.x - 1).max(0), place.right().min(self.cols));
        let (top, bottom) = ((place.y - 1).max(0), place.bottom().min(self.rows));
        for x in left..=right {
            self.mark(pane, x, place.y - 1);
            self.mark(pane, x, place.bottom());
        }
        for y in top..=bottom {
            self.mark(pane, place.x - 1, y);
            self.mark(pane, place.right(), y);
        }
    }

    fn mark(&mut self, pane: &PaneView<'_>, x: i32, y: i32) {
        if !matches!(self.side(pane, x, y), Side::Outside | Side::Inside)
            && let Some(index) = self.index(x, y)
        {
            self.border[index] = true;
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x <= self.cols && y <= self.rows && self.view.contains(x, y);
        let (col, row) = (usize::try_from(x - self.view.x).ok()?, usize::try_from(y - self.view.y).ok()?);
        inside.then_some(row * usize::from(self.view.cols) + col)
    }

    /// The split whose border is coloured by halves.
    fn halved(&self) -> Option<Split> {
        let by_colour = matches!(self.scene.borders.indicators, Indicators::Colour | Indicators::Both);
        self.scene.borders.split.filter(|_| by_colour)
    }

    /// With two panes each has half of the border between them: the first the upper or left half.
    fn side(&self, pane: &PaneView<'_>, x: i32, y: i32) -> Side {
        let place = outer(pane);
        let status = self.scene.borders.status;
        let (right, bottom) = (place.right(), place.bottom());
        let (half_x, half_y) = (i32::from(pane.place.cols) / 2, i32::from(pane.place.rows) / 2);
        if place.contains(x, y) {
            return Side::Inside;
        }
        if (place.y == 0 || y >= place.y - 1) && y <= bottom {
            let halved = self.halved() == Some(Split::LeftRight);
            if place.x == 0 {
                if x == right && (!halved || y <= half_y) {
                    return Side::Right;
                }
            } else if x == place.x - 1 && (!halved || y > half_y) {
                return Side::Left;
            } else if x == right {
                return Side::Right;
            }
        }
        if self.halved() == Some(Split::TopBottom) && status == PaneStatus::Off {
            if place.y == 0 && y == bottom && x <= half_x {
                return Side::Bottom;
            }
            if place.y != 0 && y == place.y - 1 && x > half_x {
                return Side::Top;
            }
        } else if (place.x == 0 || x >= place.x) && x <= right {
            if status != PaneStatus::Bottom && place.y != 0 && y == place.y - 1 {
                return Side::Top;
            }
            if status != PaneStatus::Top && y == bottom {
                return Side::Bottom;
            }
        }
        Side::Outside
    }

    /// The last row of the window counts as outside when panes have their text below.
    fn edge(&self) -> (i32, i32) {
        (self.cols, if self.scene.borders.status == PaneStatus::Bottom { self.rows - 1 } else { self.rows })
    }

    fn is_border(&self, x: i32, y: i32) -> bool {
        let (right, bottom) = self.edge();
        if x > right || y > bottom {
            return false;
        }
        x == right || y == bottom || self.index(x, y).is_some_and(|index| self.border[index])
    }

    fn joint(&self, x: i32, y: i32) -> Joint {
        let (right, bottom) = self.edge();
        if x > right || y > bottom {
            return Joint::Outside;
        }
        let status = self.scene.borders.status;
        let left = x == 0 || self.is_border(x - 1, y);
        let to_right = self.is_border(x + 1, y);
        let up = if y == 0 { status != PaneStatus::Top } else { self.is_border(x, y - 1) };
        let down = (status != PaneStatus::Bottom || y != bottom) && self.is_border(x, y + 1);
        match (left, to_right, up, down) {
            (true, true, true, true) => Joint::Join,
            (true, true, true, false) => Joint::BottomJoin,
            (true, true, false, true) => Joint::TopJoin,
            (true, true, false, false) => Joint::LeftRight,
            (true, false, true, true) => Joint::RightJoin,
            (true, false, true, false) => Joint::BottomRight,
            (true, false, false, true) => Joint::TopRight,
            (false, true, true, true) => Joint::LeftJoin,
            (false, true, true, false) => Joint::BottomLeft,
            (false, true, false, true) => Joint::TopLeft,
            (false, false, true, true) => Joint::TopBottom,
            _ => Joint::Outside,
        }
    }

    /// The pane a border cell belongs to: the frontmost that is near enough to touch it and has it as border.
    fn owner(&self, x: i32, y: i32) -> Option<(&'a PaneView<'b>, Side)> {
        let near = |pane: &&PaneView<'_>| {
            let place = outer(pane);
            x >= place.x - 1 && x <= place.right() && y >= place.y - 1 && y <= place.bottom()
        };
        let start = self.tiled.iter().position(near)?;
        let order = (start..self.tiled.len()).chain(0..start);
        order.map(|at| (self.tiled[at], self.side(self.tiled[at], x, y))).find(|(_, side)| *side != Side::Outside)
    }

    /// The border cell at a place of the window; `None` inside a pane.
    fn cell(&self, x: i32, y: i32) -> Option<Cell> {
        let borders = &self.scene.borders;
        // The window's edge is a border of the panes beside it.
        let at_edge = (x == self.cols && y <= self.rows) || (y == self.rows && x <= self.cols);
        let on_edge = at_edge && !self.tiled.is_empty();
        let owner = if x > self.cols || y > self.rows || at_edge { None } else { self.owner(x, y) };
        if owner.is_some_and(|(_, side)| side == Side::Inside) {
            return None;
        }
        let joint = if owner.is_some() || on_edge { self.joint(x, y) } else { Joint::Outside };
        let style = match owner {
            Some((pane, _)) if joint != Joint::Outside => self.style(pane, x, y),
            _ => borders.outside,
        };
        let mut cell = line_cell(borders.lines, joint, style);
        let outside = x >= self.cols || y >= self.rows;
        if let (Joint::Outside, Some((fill, style))) = (joint, borders.fill[usize::from(outside)]) {
            cell = Cell::new(Glyph::point(fill, false), style);
        } else if borders.lines == Lines::Number && joint != Joint::Outside {
            let digit = self.namesake(x, y).and_then(|pane| char::from_digit(pane.index % 10, 10)).unwrap_or('*');
            cell = line_cell(Lines::Spaces, joint, style);
            cell.glyph = Glyph::point(digit, false);
        }
        if joint == Joint::TopBottom {
            cell.attrs |= Attrs::ISOLATE;
        }
        if let Some(arrow) = owner.and_then(|(pane, _)| self.arrow(pane, joint, x, y)) {
            cell.glyph = Glyph::point(arrow, false);
            cell.attrs |= Attrs::CHARSET;
        }
        Some(cell)
    }

    /// The pane whose number a border cell shows: the active one beside it, else the one above, below, left or right.
    /// Where panes meet in a point one on each side counts, the oldest, and so the active one may be left out.
    fn namesake(&self, x: i32, y: i32) -> Option<&'a PaneView<'b>> {
        let order = [Side::Bottom, Side::Top, Side::Right, Side::Left];
        if self.halved().is_some() {
            let active = self.active.filter(|active| self.borders_on(active, x, y));
            let mut beside = order.into_iter().flat_map(|side| self.tiled.iter().map(move |pane| (side, pane)));
            return active.or_else(|| Some(*beside.find(|(side, pane)| self.side(pane, x, y) == *side)?.1));
        }
        let oldest = |side| self.tiled.iter().filter(|pane| self.touches(pane, side, x, y)).min_by_key(|pane| pane.id);
        let beside = order.map(|side| oldest(side).copied());
        let active = beside.into_iter().flatten().find(|pane| pane.active);
        active.or_else(|| beside.into_iter().flatten().next())
    }

    /// Whether a border cell lies on a side of a pane, its ends included.
    fn touches(&self, pane: &PaneView<'_>, side: Side, x: i32, y: i32) -> bool {
        let place = outer(pane);
        let across = (place.x - 1..=place.right()).contains(&x);
        let along = (place.y - 1..=place.bottom()).contains(&y);
        let status = self.scene.borders.status;
        match side {
            Side::Left => along && x == place.x - 1,
            Side::Right => along && x == place.right(),
            Side::Top => across && y == place.y - 1 && status != PaneStatus::Bottom,
            Side::Bottom => across && y == place.bottom() && status != PaneStatus::Top,
            Side::Outside | Side::Inside => false,
        }
    }

    fn borders_on(&self, pane: &PaneView<'_>, x: i32, y: i32) -> bool {
        pane.floating.is_none() && !matches!(self.side(pane, x, y), Side::Outside | Side::Inside)
    }

    fn style(&self, owner: &PaneView<'_>, x: i32, y: i32) -> Style {
        let active = self.active.is_some_and(|active| self.borders_on(active, x, y));
        let mut style = if active { owner.active_border } else { owner.border };
        if self.scene.panes.iter().any(|pane| pane.marked && self.borders_on(pane, x, y)) {
            style.attrs.toggle(Attrs::REVERSE);
        }
        style
    }

    /// The arrow (a code of the DEC set) that points at the active pane from a border cell.
    fn arrow(&self, owner: &PaneView<'_>, joint: Joint, x: i32, y: i32) -> Option<char> {
        if !matches!(self.scene.borders.indicators, Indicators::Arrows | Indicators::Both) {
            return None;
        }
        let active = self.active.filter(|active| active.floating.is_none())?;
        let (in_column, in_row) = (x == owner.place.x + 1, y == owner.place.y + 1);
        if !in_column && !in_row {
            return None;
        }
        let mut side = self.side(active, x, y);
        if side == Side::Inside {
            return None;
        }
        let first = self.tiled.iter().all(|pane| pane.index >= active.index);
        let mut points = false;
        for (applies, plain, joins, before, after) in [
            (
                in_column,
                Joint::LeftRight,
                [(Joint::TopJoin, Side::Bottom), (Joint::BottomJoin, Side::Top)],
                Side::Bottom,
                Side::Top,
            ),
            (
                in_row,
                Joint::TopBottom,
                [(Joint::LeftJoin, Side::Right), (Joint::RightJoin, Side::Left)],
                Side::Right,
                Side::Left,
            ),
        ] {
            if !applies {
                continue;
            }
            if side != Side::Outside {
                points |= joint == plain || joins.contains(&(joint, side));
            } else if self.scene.borders.split.is_some() {
                side = if first { before } else { after };
                points = true;
            }
        }
        let arrow = match side {
            Side::Left => '+',
            Side::Right => ',',
            Side::Top => '.',
            Side::Bottom => '-',
            Side::Outside | Side::Inside => return None,
        };
        points.then_some(arrow)
    }
}

/// Draws the text of each pane's border and returns what can be clicked on it, by the pane's number.
pub(crate) fn draw_status(scene: &Scene<'_>, frame: &mut Frame) -> Vec<(u32, Vec<Range>)> {
    if scene.borders.status == PaneStatus::Off {
        return Vec::new();
    }
    let map = Map::new(scene);
    let mut ranges = Vec::new();
    for pane in scene.panes.iter().filter(|pane| pane.floating.is_none()) {
        ranges.push((pane.id, pane_status(scene, frame, pane, scene.borders.status, Some(&map))));
    }
    ranges
}

/// The text on one pane's border, over the line that is there.
fn pane_status(
    scene: &Scene<'_>,
    frame: &mut Frame,
    pane: &PaneView<'_>,
    status: PaneStatus,
    map: Option<&Map<'_, '_>>,
) -> Vec<Range> {
    let bar = pane.scrollbar.map_or(0, |bar| bar.width.saturating_add(bar.pad));
    let y = if status == PaneStatus::Top { pane.place.y - 1 } else { pane.place.bottom() };
    let room = (i32::from(scene.window.cols) - (pane.place.x + 2)).clamp(0, i32::from(u16::MAX)) as u16;
    let cols = if pane.place.cols < 4 { 0 } else { (pane.place.cols + bar - 2).min(room) };
    let place = Place { x: pane.place.x + 2, y, cols, rows: 1 };
    let Some(seen) = scene.visible(place) else { return Vec::new() };
    let style = if pane.active { pane.active_border } else { pane.border };
    if let Some(map) = map {
        for col in 0..seen.cols {
            let joint = map.joint(place.x + i32::from(seen.skip_cols) + i32::from(col), y);
            frame.put_cells(seen.x + col, seen.y, &[line_cell(scene.borders.lines, joint, style)]);
        }
    }
    if seen.skip_cols == 0 {
        return draw_line(frame, seen.x, seen.y, seen.cols, None, &pane.status);
    }
    // Its start is out of view: it is laid out whole elsewhere and the end of it copied.
    let mut whole = Frame::new(term::size::Size { cols, rows: 1 });
    let ranges = draw_line(&mut whole, 0, 0, cols, None, &pane.status);
    let cells = &whole.row(0)[usize::from(seen.skip_cols.min(cols))..];
    for (col, cell) in (0..seen.cols).zip(cells) {
        if *cell != Cell::BLANK {
            frame.put_row(seen.x + col, seen.y, &[*cell], whole.graphemes(), whole.extras());
        }
    }
    ranges
}

/// Draws a floating pane's border.
pub(crate) fn draw_floating(scene: &Scene<'_>, frame: &mut Frame, pane: &PaneView<'_>) {
    let Some(Floating { lines, status }) = pane.floating.filter(|floating| floating.lines != Lines::None) else {
        return;
    };
    let place = outer(pane);
    let mut style = if pane.active { pane.active_border } else { pane.border };
    if pane.marked {
        style.attrs.toggle(Attrs::REVERSE);
    }
    let (left, right, top, bottom) = (place.x - 1, place.right(), place.y - 1, place.bottom());
    let mut put = |x: i32, y: i32, joint: Joint| {
        let inside = x < i32::from(scene.window.cols) && y < i32::from(scene.window.rows);
        if let Some(seen) = scene.visible(Place { x, y, cols: 1, rows: 1 }).filter(|_| inside) {
            let mut cell = line_cell(lines, joint, style);
            if lines == Lines::Number {
                cell = line_cell(Lines::Spaces, joint, style);
                cell.glyph = Glyph::point(char::from_digit(pane.index % 10, 10).unwrap_or('*'), false);
            }
            if joint == Joint::TopBottom {
                cell.attrs |= Attrs::ISOLATE;
            }
            frame.put_cells(seen.x, seen.y, &[cell]);
        }
    };
    for x in place.x..right {
        put(x, top, Joint::LeftRight);
        put(x, bottom, Joint::LeftRight);
    }
    for y in place.y..bottom {
        put(left, y, Joint::TopBottom);
        put(right, y, Joint::TopBottom);
    }
    put(left, top, Joint::TopLeft);
    put(right, top, Joint::TopRight);
    put(left, bottom, Joint::BottomLeft);
    put(right, bottom, Joint::BottomRight);
    if status != PaneStatus::Off {
        pane_status(scene, frame, pane, status, None);
    }
}
