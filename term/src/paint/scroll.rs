//! Finds rows that moved up or down and moves them on the terminal instead of painting them again.

use super::cursor::csi;
use super::pen::Painter;
use crate::caps::Ability;
use crate::cell::{Cell, Glyph};
use crate::frame::Frame;

/// Fewer differing rows than this are painted without looking for a scroll.
const FEWEST_ROWS: usize = 3;
/// The furthest a row is looked for.
const FURTHEST: usize = 128;
/// Most scrolls in one paint (panes one above the other scroll each for themselves).
const MOST: usize = 3;
/// About what a scroll costs, in bytes: region, movement, scroll, region.
const PRICE: i64 = 24;

/// What the terminal shows, in terms of the rows of the old frame, and which of its rows are not yet as wanted.
pub(super) struct Shown<'a> {
    old: &'a Frame,
    /// For each row of the terminal the old row that stands there; `None` for a blank one.
    map: Vec<Option<u16>>,
    /// Rows that may differ from the new frame.
    pub dirty: Vec<bool>,
}

impl<'a> Shown<'a> {
    /// The terminal shows `old`; `new` has the same size.
    pub(super) fn new(old: &'a Frame, new: &Frame) -> Shown<'a> {
        let rows = new.size().rows;
        let mut shown = Shown { old, map: (0..rows).map(Some).collect(), dirty: Vec::new() };
        shown.dirty = (0..rows).map(|y| old.stamp(y) != new.stamp(y) && shown.differs(y, new) > 0).collect();
        shown
    }

    /// The cells of a row of the terminal; `None` for a blank one.
    pub(super) fn row(&self, y: u16) -> Option<&'a [Cell]> {
        self.map[usize::from(y)].map(|source| self.old.row(source))
    }

    /// True when a cell the terminal shows looks as one of the new frame.
    pub(super) fn same(&self, have: Cell, want: Cell, new: &Frame) -> bool {
        same(have, self.old, want, new)
    }

    /// How many cells of a row are not as wanted.
    fn differs(&self, y: u16, new: &Frame) -> usize {
        let wanted = new.row(y);
        match self.row(y) {
            Some(have) => have.iter().zip(wanted).filter(|(have, want)| !same(**have, self.old, **want, new)).count(),
            None => wanted.iter().filter(|cell| **cell != Cell::BLANK).count(),
        }
    }
}

/// Whether two cells of two frames look the same.
#[inline]
fn same(a: Cell, a_frame: &Frame, b: Cell, b_frame: &Frame) -> bool {
    let rare = |cell: Cell| cell.ext != 0 || cell.glyph.grapheme_index().is_some();
    if !rare(a) && !rare(b) { a == b } else { same_rare(a, a_frame, b, b_frame) }
}

/// [`same`] for cells that point into tables.
#[inline(never)]
fn same_rare(a: Cell, a_frame: &Frame, b: Cell, b_frame: &Frame) -> bool {
    (a.fg, a.bg, a.attrs, a.glyph.is_wide()) == (b.fg, b.bg, b.attrs, b.glyph.is_wide())
        && text(a, a_frame) == text(b, b_frame)
        && a_frame.extras().get(a.ext) == b_frame.extras().get(b.ext)
}

/// The cluster of a cell, or the glyph that is not one.
fn text(cell: Cell, frame: &Frame) -> Result<&str, Glyph> {
    cell.glyph.grapheme_index().map(|index| frame.graphemes().text(index)).ok_or(cell.glyph)
}

/// A block of rows of the new frame that stand `by` rows further down (up, when negative) on the terminal.
#[derive(Clone, Copy)]
struct Block {
    first: usize,
    last: usize,
    by: isize,
}

impl Block {
    /// First and last row of the region to scroll.
    fn region(&self) -> (usize, usize) {
        let by = self.by.unsigned_abs();
        if self.by > 0 { (self.first, self.last + by) } else { (self.first - by, self.last) }
    }

    /// The rows that become blank.
    fn exposed(&self) -> std::ops::Range<usize> {
        let (top, bottom) = self.region();
        if self.by > 0 { self.last + 1..bottom + 1 } else { top..self.first }
    }
}

/// Scrolls what pays, and notes what the terminal shows then.
pub(super) fn scroll(painter: &mut Painter<'_>, shown: &mut Shown<'_>) {
    for _ in 0..MOST {
        if shown.dirty.iter().filter(|dirty| **dirty).count() < FEWEST_ROWS {
            return;
        }
        let Some(block) = best(painter, shown) else { return };
        emit(painter, &block);
        apply(shown, &block, painter.frame);
    }
}

fn best(painter: &Painter<'_>, shown: &Shown<'_>) -> Option<Block> {
    let new = painter.frame;
    let rows = usize::from(new.size().rows);
    let number = |y: usize| y as u16;
    let wanted: Vec<u64> = (0..rows).map(|y| hash(new.row(number(y)), new)).collect();
    let have: Vec<u64> = (0..rows).map(|y| shown.row(number(y)).map_or(0, |row| hash(row, shown.old))).collect();
    let differs = sums(rows, |y| if shown.dirty[y] { shown.differs(number(y), new) } else { 0 });
    let filled = sums(rows, |y| new.row(number(y)).iter().filter(|cell| **cell != Cell::BLANK).count());
    let gain = |block: &Block| {
        let exposed = block.exposed();
        let moved = differs[block.last + 1] - differs[block.first];
        let painted = filled[exposed.end] - filled[exposed.start] - (differs[exposed.end] - differs[exposed.start]);
        moved - painted - PRICE
    };
    let mut best: Option<(i64, Block)> = None;
    let furthest = (rows.saturating_sub(1)).min(FURTHEST) as isize;
    for by in (-furthest..=furthest).filter(|by| *by != 0) {
        let mut y = 0;
        while y < rows {
            let start = y;
            while y < rows && y.checked_add_signed(by).is_some_and(|from| have.get(from) == Some(&wanted[y])) {
                y += 1;
            }
            if y > start {
                let block = Block { first: start, last: y - 1, by };
                let gain = gain(&block);
                if gain > 0 && best.is_none_or(|(most, _)| gain > most) && possible(painter, &block) {
                    best = Some((gain, block));
                }
            }
            y += 1;
        }
    }
    best.map(|(_, block)| block)
}

/// For each row the sum over those before it, and the sum of all.
fn sums(rows: usize, count: impl Fn(usize) -> usize) -> Vec<i64> {
    let mut sum = 0;
    let mut sums = vec![0];
    sums.extend((0..rows).map(|y| {
        sum += count(y) as i64;
        sum
    }));
    sums
}

fn possible(painter: &Painter<'_>, block: &Block) -> bool {
    // A last cell that could not be painted must not travel.
    if painter.wraps_at_once() && !painter.caps.has(Ability::AUTO_MARGIN | Ability::VT100) {
        return false;
    }
    let whole = block.region() == (0, usize::from(painter.frame.size().rows).saturating_sub(1));
    (whole || painter.caps.has(Ability::REGION)) && (block.by > 0 || painter.caps.has(Ability::REVERSE_INDEX))
}

fn emit(painter: &mut Painter<'_>, block: &Block) {
    let (top, bottom) = block.region();
    let (top, bottom) = (top as u16, bottom as u16);
    let whole = (top, bottom) == (0, painter.frame.size().rows - 1);
    let count = block.by.unsigned_abs() as u16;
    // The rows that appear take the pen's background.
    painter.plain();
    if !whole {
        painter.out.extend_from_slice(format!("\x1b[{};{}r", top + 1, bottom + 1).as_bytes());
        painter.lost();
    }
    let (numbered, edge, last) = if block.by > 0 {
        (painter.caps.has(Ability::SCROLL_UP), bottom, b'S')
    } else {
        (painter.caps.has(Ability::SCROLL_DOWN), top, b'T')
    };
    let there = painter.at().is_some_and(|(_, y)| y == edge);
    if numbered && !(there && count == 1) {
        painter.out.extend_from_slice(&csi(count, last));
    } else {
        if !there {
            painter.goto(0, edge);
        }
        for _ in 0..count {
            painter.out.extend_from_slice(if block.by > 0 { b"\n" } else { b"\x1bM" });
        }
    }
    if !whole {
        painter.out.extend_from_slice(b"\x1b[r");
        painter.lost();
    }
}

fn apply(shown: &mut Shown<'_>, block: &Block, new: &Frame) {
    let (top, bottom) = block.region();
    let count = block.by.unsigned_abs();
    if block.by > 0 {
        shown.map[top..=bottom].rotate_left(count);
    } else {
        shown.map[top..=bottom].rotate_right(count);
    }
    for y in block.exposed() {
        shown.map[y] = None;
    }
    for y in top..=bottom {
        shown.dirty[y] = shown.differs(y as u16, new) > 0;
    }
}

/// A number for what a row looks like; 0 for a blank one.
fn hash(row: &[Cell], frame: &Frame) -> u64 {
    let mut hash = 0u64;
    let mut blank = true;
    let mut mix = |value: u64| hash = (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for cell in row {
        blank &= *cell == Cell::BLANK;
        let glyph = match cell.glyph.grapheme_index() {
            Some(index) => {
                let bytes = frame.graphemes().text(index).bytes();
                bytes.fold(1 << 40, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)))
            }
            None => u64::from(cell.glyph.to_bits()),
        };
        mix(glyph << 16 ^ u64::from(cell.attrs.bits()));
        mix(u64::from(cell.fg.to_bits()) << 32 | u64::from(cell.bg.to_bits()));
    }
    if blank { 0 } else { hash | 1 }
}
