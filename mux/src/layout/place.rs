//! Where each pane is in the window, at which edges, and which pane lies beside which.

use super::{BorderStatus, Layout, PANE_MINIMUM, Scrollbar};
use crate::id::PaneId;

/// A pane's place in its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Columns left of it.
    pub x: i32,
    /// Rows above it.
    pub y: i32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Rect {
    /// The first column right of it.
    pub fn right(self) -> i32 {
        self.x.saturating_add_unsigned(self.width)
    }

    /// The first row below it.
    pub fn bottom(self) -> i32 {
        self.y.saturating_add_unsigned(self.height)
    }

    /// Whether a cell of the window is in it.
    pub fn contains(self, x: u32, y: u32) -> bool {
        let (x, y) = (i64::from(x), i64::from(y));
        (i64::from(self.x)..i64::from(self.right())).contains(&x)
            && (i64::from(self.y)..i64::from(self.bottom())).contains(&y)
    }

    /// What is left for the pane's text beside a scrollbar.
    pub fn beside(self, bar: Scrollbar) -> Rect {
        let taken = bar.width.max(1).saturating_add(bar.pad);
        let width = self.width.saturating_sub(taken).max(PANE_MINIMUM);
        let x = if bar.left { self.x.saturating_add_unsigned(self.width.saturating_sub(width)) } else { self.x };
        Rect { x, width, ..self }
    }
}

/// Where to look for a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Above.
    Up,
    /// Below.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// Which edges of the window a pane touches (`#{pane_at_left}` and so on).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Edges {
    /// Nothing is left of it.
    pub left: bool,
    /// Nothing is right of it.
    pub right: bool,
    /// Nothing is above it but a status line.
    pub top: bool,
    /// Nothing is below it but a status line.
    pub bottom: bool,
}

impl Layout {
    /// The pane's place, without the row of a pane status line, with that of a scrollbar (see [`Rect::beside`]).
    pub fn rect(&self, pane: PaneId) -> Option<Rect> {
        let rect = self.bare_rect(pane)?;
        Some(Rect { height: rect.height.max(PANE_MINIMUM), ..rect })
    }

    /// As [`Layout::rect`], but without any row when a status line has the only one.
    fn bare_rect(&self, pane: PaneId) -> Option<Rect> {
        if let Some(float) = self.floats.iter().find(|float| float.pane == pane) {
            return Some(float.rect);
        }
        let leaf = self.leaf(pane)?;
        let cell = self.cell(leaf);
        let mut rect = Rect { x: cell.x, y: cell.y, width: cell.size.width, height: cell.size.height };
        if self.has_status_row(leaf) {
            rect.height = rect.height.saturating_sub(1);
            rect.y += i32::from(self.settings.border_status == BorderStatus::Top);
        }
        Some(rect)
    }

    /// Every pane with its place, in the window's order.
    pub fn rects(&self) -> Vec<(PaneId, Rect)> {
        self.order.iter().filter_map(|&pane| Some((pane, self.rect(pane)?))).collect()
    }

    /// The edges of the window that the pane touches.
    pub fn edges(&self, pane: PaneId) -> Option<Edges> {
        let rect = self.bare_rect(pane)?;
        let (width, height) = (self.window_width(), self.window_height());
        let status = self.settings.border_status;
        Some(Edges {
            left: rect.x == 0,
            right: rect.right() == width,
            top: rect.y == i32::from(status == BorderStatus::Top),
            bottom: rect.bottom() == height - i32::from(status == BorderStatus::Bottom),
        })
    }

    /// The pane beside this one, around the window's edge if need be; of several the one with the highest `recency`
    /// (when it was last the active one), and of those the first in the window's order.
    pub fn neighbour(&self, pane: PaneId, direction: Direction, recency: impl Fn(PaneId) -> u64) -> Option<PaneId> {
        let rect = self.bare_rect(pane)?;
        let edge = self.border(rect, direction);
        let mut best: Option<PaneId> = None;
        for &other in &self.order {
            let place = self.bare_rect(other)?;
            let beside = match direction {
                Direction::Up => place.bottom() + 1 == edge,
                Direction::Down => place.y == edge,
                Direction::Left => place.right() + 1 == edge,
                Direction::Right => place.x == edge,
            };
            let overlaps = match direction {
                Direction::Up | Direction::Down => overlap(rect.x, rect.right(), place.x, place.right() - 1),
                Direction::Left | Direction::Right => overlap(rect.y, rect.bottom(), place.y, place.bottom() - 1),
            };
            if other != pane && beside && overlaps && best.is_none_or(|best| recency(other) > recency(best)) {
                best = Some(other);
            }
        }
        best
    }

    /// The line that a neighbour's near side must touch; past the window's edge that of the far side.
    fn border(&self, rect: Rect, direction: Direction) -> i32 {
        let (width, height) = (self.window_width(), self.window_height());
        let status = self.settings.border_status;
        let (top, bottom) = (i32::from(status == BorderStatus::Top), i32::from(status == BorderStatus::Bottom));
        match direction {
            Direction::Up if rect.y == top => height + 1 - bottom,
            Direction::Up => rect.y,
            Direction::Down if rect.bottom() + 1 >= height - bottom => top,
            Direction::Down => rect.bottom() + 1,
            Direction::Left if rect.x == 0 => width + 1,
            Direction::Left => rect.x,
            Direction::Right if rect.right() + 1 >= width => 0,
            Direction::Right => rect.right() + 1,
        }
    }

    fn window_width(&self) -> i32 {
        i32::try_from(self.size.width).unwrap_or(i32::MAX - 1)
    }

    fn window_height(&self) -> i32 {
        i32::try_from(self.size.height).unwrap_or(i32::MAX - 1)
    }
}

/// Whether a span with both ends included meets one that is taken to reach one further, as tmux does.
fn overlap(start: i32, end: i32, other_start: i32, other_end: i32) -> bool {
    (other_start < start && other_end > end)
        || (start..=end).contains(&other_start)
        || (start..=end).contains(&other_end)
}
