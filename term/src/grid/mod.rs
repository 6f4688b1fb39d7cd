//! The visible lines of a screen, reached through an order, and the moves of whole lines.
//!
//! A line that moves keeps its cells; only its number in the order moves. Histories are passed in, since a line that
//! is erased unties the one before it, which may have scrolled off.

mod group;
pub(crate) mod history;
pub(crate) mod line;
pub(crate) mod marks;
pub(crate) mod record;
pub(crate) mod reflow;
pub(crate) mod trail;

use crate::style::Color;
use history::History;
use line::{Line, LineFlags};
use smallvec::SmallVec;

/// Lines of a screen.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) cols: u16,
    lines: Vec<Line>,
    order: Order,
    /// Number given to what changes now.
    pub(crate) change: u64,
    /// Lines that moved at once: first, last, number.
    moved: Option<(u16, u16, u64)>,
}

/// Which line stands where. A window in a longer list, so that a scroll of all of them moves only the window.
#[derive(Clone, Debug)]
struct Order {
    slots: Vec<u16>,
    start: usize,
    len: usize,
}

impl Order {
    /// How many windows a list has room for.
    const WINDOWS: usize = 4;

    fn new(len: usize) -> Order {
        let mut slots: Vec<u16> = (0..len as u16).collect();
        slots.resize(len * Order::WINDOWS, 0);
        Order { slots, start: 0, len }
    }

    /// The first becomes the last.
    #[inline]
    fn rotate(&mut self) {
        if self.start + self.len == self.slots.len() {
            self.slots.copy_within(self.start.., 0);
            self.start = 0;
        }
        self.slots[self.start + self.len] = self.slots[self.start];
        self.start += 1;
    }
}

impl std::ops::Deref for Order {
    type Target = [u16];

    #[inline]
    fn deref(&self) -> &[u16] {
        &self.slots[self.start..self.start + self.len]
    }
}

impl std::ops::DerefMut for Order {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u16] {
        &mut self.slots[self.start..self.start + self.len]
    }
}

impl Grid {
    pub(crate) fn new(cols: u16, rows: u16) -> Grid {
        Grid {
            cols,
            lines: vec![Line::default(); rows as usize],
            order: Order::new(rows as usize),
            change: 0,
            moved: None,
        }
    }

    /// A grid of these lines.
    pub(crate) fn from_lines(cols: u16, lines: Vec<Line>, change: u64) -> Grid {
        let order = Order::new(lines.len());
        let mut grid = Grid { cols, lines, order, change, moved: None };
        grid.touch_all();
        grid
    }

    pub(crate) fn rows(&self) -> u16 {
        self.order.len() as u16
    }

    fn width(&self) -> usize {
        self.cols as usize
    }

    #[inline]
    pub(crate) fn line(&self, y: u16) -> &Line {
        &self.lines[self.order[y as usize] as usize]
    }

    /// A line that is about to change.
    #[inline]
    pub(crate) fn line_mut(&mut self, y: u16) -> &mut Line {
        let line = &mut self.lines[self.order[y as usize] as usize];
        line.change = self.change;
        line
    }

    /// The number of the last change of what stands at `y`.
    pub(crate) fn changed(&self, y: u16) -> u64 {
        let own = self.line(y).change;
        match self.moved {
            Some((first, last, change)) if (first..=last).contains(&y) => own.max(change),
            _ => own,
        }
    }

    /// Everything has changed.
    pub(crate) fn touch_all(&mut self) {
        self.touch(0, self.rows() - 1);
    }

    /// Lines have moved.
    #[inline]
    fn touch(&mut self, first: u16, last: u16) {
        self.moved = Some(match self.moved {
            Some((a, b, change)) if change == self.change => (a.min(first), b.max(last), change),
            Some(old) => {
                self.settle_moved(old);
                (first, last, self.change)
            }
            None => (first, last, self.change),
        });
    }

    fn settle_moved(&mut self, (first, last, change): (u16, u16, u64)) {
        for y in first..=last.min(self.rows() - 1) {
            let line = &mut self.lines[self.order[y as usize] as usize];
            line.change = line.change.max(change);
        }
    }

    /// The line before `y` goes on no more.
    #[inline]
    fn unwrap_before(&mut self, y: u16, history: &mut History) {
        if y == 0 {
            history.unwrap_last();
        } else {
            self.lines[self.order[y as usize - 1] as usize].flags.remove(LineFlags::WRAPPED);
        }
    }

    /// Moves the lines `first..=last` up by one; the last is emptied.
    #[inline]
    pub(crate) fn rotate_up(&mut self, first: u16, last: u16, bg: Color) {
        if last - first + 1 == self.rows() {
            self.order.rotate();
        } else {
            self.order[first as usize..=last as usize].rotate_left(1);
        }
        let cols = self.width();
        self.line_mut(last).wipe(bg, cols);
        self.touch(first, last);
    }

    /// Moves `n` lines from `from` to `to`; those overwritten are lost, those left are emptied.
    pub(crate) fn move_lines(&mut self, to: u16, from: u16, n: u16, bg: Color, history: &mut History) {
        if n == 0 || to == from {
            return;
        }
        self.unwrap_before(to, history);
        let (to, from, n) = (to as usize, from as usize, n as usize);
        let (first, end) = (to.min(from), to.max(from) + n);
        let old: SmallVec<[u16; 128]> = self.order[first..end].into();
        let gone: SmallVec<[u16; 128]> =
            (to..to + n).filter(|y| !(from..from + n).contains(y)).map(|y| old[y - first]).collect();
        for i in 0..n {
            self.order[to + i] = old[from + i - first];
        }
        let left = (from..from + n).filter(|y| !(to..to + n).contains(y));
        let cols = self.width();
        for (y, slot) in left.zip(gone) {
            self.order[y] = slot;
            self.line_mut(y as u16).wipe(bg, cols);
        }
        self.touch(first as u16, end as u16 - 1);
        if from < to || from >= to + n {
            self.unwrap_before(from as u16, history);
        }
    }

    /// Empties whole lines.
    pub(crate) fn clear_lines(&mut self, y: u16, n: u16, bg: Color, history: &mut History) {
        if n == 0 {
            return;
        }
        let cols = self.width();
        for y in y..y + n {
            self.line_mut(y).wipe(bg, cols);
        }
        self.unwrap_before(y, history);
    }

    /// Erases `n` cells of a line, or empties it when those are all.
    pub(crate) fn clear_cells(&mut self, x: u16, y: u16, n: u16, bg: Color, history: &mut History) {
        if n == 0 {
            return;
        }
        if x == 0 && n == self.cols {
            self.clear_lines(y, 1, bg, history);
        } else {
            let cols = self.width();
            self.line_mut(y).clear_part(x as usize, n as usize, bg, cols);
        }
    }

    /// Takes all lines out, top first.
    pub(crate) fn take_lines(&mut self) -> Vec<Line> {
        let lines = self.order.iter().map(|&slot| std::mem::take(&mut self.lines[slot as usize])).collect();
        self.lines.clear();
        self.order = Order::new(0);
        lines
    }

    /// Puts lines in.
    pub(crate) fn put_lines(&mut self, lines: Vec<Line>) {
        self.order = Order::new(lines.len());
        self.lines = lines;
        self.moved = None;
        self.touch_all();
    }
}
