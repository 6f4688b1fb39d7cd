//! Paints what differs in one row.

use super::cursor::csi;
use super::pen::Painter;
use super::scroll::Shown;
use crate::caps::Ability;
use crate::cell::{Cell, Glyph};
use crate::style::Attrs;

/// Blanks fewer than this are written rather than erased.
const ERASE_LEAST: usize = 4;
/// Blanks in the middle of a row fewer than this are written rather than erased.
const ERASE_CHARS_LEAST: usize = 10;
/// Equal characters fewer than this are written rather than repeated.
const REPEAT_LEAST: usize = 7;
/// A gap of unchanged cells up to this many is written again rather than jumped over.
const GAP_MOST: usize = 3;

/// True for a cell that erasing makes: a blank with nothing but a background.
fn erasable(cell: Cell) -> bool {
    cell == Cell { bg: cell.bg, ..Cell::BLANK }
}

/// Erases the rows at the bottom that shall be blank, when two or more of them are not. Returns the row from which on
/// nothing is left to do.
pub(super) fn erase_below(painter: &mut Painter<'_>, shown: &Shown<'_>) -> u16 {
    let frame = painter.frame;
    let rows = frame.size().rows;
    let blank = |y: &u16| frame.row(*y).iter().all(|cell| *cell == Cell::BLANK);
    let filled = rows - (0..rows).rev().take_while(blank).count() as u16;
    let Some(first) = (filled..rows).find(|y| shown.dirty[usize::from(*y)]) else { return rows };
    if (first..rows).filter(|y| shown.dirty[usize::from(*y)]).count() < 2 {
        return rows;
    }
    painter.plain();
    painter.goto(0, first);
    painter.out.extend_from_slice(b"\x1b[J");
    first
}

/// Paints the cells of row `y` that differ from what the terminal shows.
pub(super) fn row(painter: &mut Painter<'_>, y: u16, shown: &Shown<'_>) {
    let frame = painter.frame;
    let cells = frame.row(y);
    let have = shown.row(y);
    let differs = |x: usize| !shown.same(have.map_or(Cell::BLANK, |have| have[x]), cells[x], frame);
    let end = tail(painter, cells, differs);
    let mut x = 0;
    while x < end.unwrap_or(cells.len()) {
        if differs(x) {
            x += piece(painter, x, y, end.unwrap_or(cells.len()), differs);
        } else {
            x += 1;
        }
    }
    if let Some(end) = end {
        let from = painter.frame.row(y);
        painter.pen(Cell { bg: from[end].bg, ..Cell::BLANK });
        painter.goto(end as u16, y);
        painter.out.extend_from_slice(b"\x1b[K");
    }
}

/// Where the row is to be erased to its end, if that pays: the first differing cell of equal blanks that go to the end.
fn tail(painter: &Painter<'_>, cells: &[Cell], differs: impl Fn(usize) -> bool) -> Option<usize> {
    let last = *cells.last()?;
    if !erasable(last) || !painter.caps.has(Ability::ERASE_LINE) || !painter.erases_with(last.bg) {
        return None;
    }
    let start = cells.len() - cells.iter().rev().take_while(|cell| **cell == last).count();
    let first = (start..cells.len()).find(|x| differs(*x))?;
    ((first..cells.len()).filter(|x| differs(*x)).count() >= ERASE_LEAST).then_some(first)
}

/// Paints what begins at column `x` and returns how many columns are done.
fn piece(painter: &mut Painter<'_>, x: usize, y: u16, end: usize, differs: impl Fn(usize) -> bool) -> usize {
    let cells = painter.frame.row(y);
    let cell = cells[x];
    let same = cells[x..end].iter().take_while(|next| **next == cell).count();
    if same >= ERASE_CHARS_LEAST
        && x + same < cells.len()
        && erasable(cell)
        && painter.caps.has(Ability::ERASE_CHARS)
        && painter.erases_with(cell.bg)
        && (x..x + same).filter(|x| differs(*x)).count() >= ERASE_CHARS_LEAST
    {
        painter.goto(x as u16, y);
        painter.pen(cell);
        painter.out.extend_from_slice(&csi(same as u16, b'X'));
        return same;
    }
    if x == 0 {
        painter.wrap_to(y);
    }
    approach(painter, x, y);
    // The last column is left to a plain write: terminals differ in where a repetition that fills a row leaves the cursor.
    let repeats = same.min(cells.len().saturating_sub(x + 1));
    if repeats >= REPEAT_LEAST
        && painter.caps.has(Ability::REPEAT)
        && (x..x + repeats).filter(|x| differs(*x)).count() >= REPEAT_LEAST
        && cell.glyph.as_char().is_some_and(|c| c.is_ascii())
        && !cell.glyph.is_padding()
        && !cell.attrs.contains(Attrs::CHARSET)
    {
        painter.cell(cell);
        painter.repeat(repeats as u16 - 1);
        return repeats;
    }
    if erasable(cell) {
        let next = (x + same..end).next().filter(|next| differs(*next)).map(|next| cells[next]);
        next.into_iter().for_each(|next| painter.pen_before(cell, next));
    }
    write(painter, cell, x, y);
    if cell.glyph.is_wide() { 2 } else { 1 }
}

/// Brings the cursor to column `x`: over a short gap by writing what stands there already.
fn approach(painter: &mut Painter<'_>, x: usize, y: u16) {
    if let Some((from, row)) = painter.at() {
        let gap = usize::from(from)..x;
        if row == y && !gap.is_empty() && gap.len() <= GAP_MOST {
            let cells = &painter.frame.row(y)[gap];
            let cheap = |cell: &Cell| {
                painter.pen_fits(*cell)
                    && !cell.attrs.contains(Attrs::CHARSET)
                    && !cell.glyph.is_padding()
                    && cell.glyph.as_char().is_some_and(|c| c.is_ascii())
            };
            if cells.iter().all(cheap) {
                cells.iter().for_each(|cell| painter.cell(*cell));
            }
        }
    }
    painter.goto(x as u16, y);
}

/// Writes one cell, with care for the last one of the screen: a terminal that wraps at once would scroll.
fn write(painter: &mut Painter<'_>, cell: Cell, x: usize, y: u16) {
    let size = painter.frame.size();
    let width = if cell.glyph.is_wide() { 2 } else { 1 };
    let corner = y + 1 == size.rows && x + width == usize::from(size.cols);
    if !corner || !painter.wraps_at_once() {
        // A right half is only ever painted with its left half.
        let cell = if cell.glyph.is_padding() { Cell { glyph: Glyph::BLANK, ..cell } } else { cell };
        painter.cell(cell);
    } else if painter.caps.has(Ability::AUTO_MARGIN | Ability::VT100) {
        painter.out.extend_from_slice(b"\x1b[?7l");
        painter.cell(cell);
        painter.out.extend_from_slice(b"\x1b[?7h");
    }
}
