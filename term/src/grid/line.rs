//! One line of a grid: its cells, how much of it is used, its flags. It knows its neighbours as little as its place.
//!
//! The length of `cells` is what tmux calls the allocated size of a line. It shows in captures (`-N`, and where `-e`
//! resets colours), so it grows in tmux's steps: a quarter, a half, the whole width.

use super::marks::Marks;
use crate::cell::{Cell, Glyph};
use crate::style::{Attrs, Color, Underline};
use bitflags::bitflags;

bitflags! {
    /// What is known of a line beside its cells. The bits are those of a record's first byte, but for `FILLED`.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct LineFlags: u8 {
        /// The text goes on in the next line.
        const WRAPPED = 1 << 0;
        /// A prompt began here (OSC 133 A).
        const PROMPT = 1 << 1;
        /// Output began here (OSC 133 C).
        const OUTPUT = 1 << 2;
        /// Some cell was more than one ASCII character in one of 256 colours (tmux's extended cells).
        const EXTENDED = 1 << 5;
        /// Some cell had a hyperlink.
        const HYPERLINK = 1 << 6;
        /// Cells past the used ones may have a background.
        const FILLED = 1 << 3;
    }
}

/// A cell that was never written, where a line is too short to have it.
pub(crate) const SPACE: Cell =
    Cell { glyph: Glyph::point(' ', false), fg: Color::DEFAULT, bg: Color::DEFAULT, attrs: Attrs::empty(), ext: 0 };
/// The right half of a wide character.
pub(crate) const PAD: Cell =
    Cell { glyph: Glyph::PAD, fg: Color::DEFAULT, bg: Color::DEFAULT, attrs: Attrs::empty(), ext: 0 };

/// Padding that takes the place of `under`, with the background of its character.
#[inline]
pub(crate) fn padding_over(under: &Cell, bg: Color) -> Cell {
    let uncounted = under.glyph == Glyph::PAD_UNCOUNTED || is_extended(under);
    let glyph = if uncounted { Glyph::PAD_UNCOUNTED } else { Glyph::PAD };
    Cell { glyph, bg, ..PAD }
}

/// Columns a cell takes when lines are wrapped: 0 for padding.
#[inline]
pub(crate) fn columns(glyph: Glyph) -> usize {
    if glyph.is_padding() {
        0
    } else if let Some(width) = glyph.tab_width() {
        width as usize
    } else {
        1 + usize::from(glyph.is_wide())
    }
}

/// Columns a cell takes when lines are wrapped anew. tmux 3.7c counts padding as a column there, so that wide text
/// fills two thirds of a line after a change of width; `pad` is 1 to do the same, 0 to wrap it as it is seen.
#[inline]
pub(crate) fn wrap_columns(glyph: Glyph, pad: usize) -> usize {
    match glyph {
        Glyph::PAD_UNCOUNTED => 0,
        _ if glyph.is_padding() => pad,
        _ => columns(glyph),
    }
}

/// The size tmux gives to a line that needs `need` cells on a grid of `cols`.
#[inline]
pub(crate) fn stepped(need: usize, cols: usize) -> usize {
    if need < cols / 4 {
        cols / 4
    } else if need < cols / 2 {
        cols / 2
    } else {
        need.max(cols)
    }
}

/// The size of a line that grew cell by cell from `size` to hold `used` cells.
fn grown(mut size: usize, used: usize, cols: usize) -> usize {
    while size < used {
        size = stepped(size + 1, cols);
    }
    size
}

/// True for a look that tmux keeps in an extended cell.
#[inline]
pub(crate) fn rich(cell: &Cell) -> bool {
    const RGB: u32 = 3;
    cell.attrs.intersects(Attrs::STRIKE.union(Attrs::OVERLINE))
        || cell.attrs.underline() as u8 > Underline::Single as u8
        || cell.ext != 0
        || cell.fg.to_bits() >> 24 == RGB
        || cell.bg.to_bits() >> 24 == RGB
}

/// True for a cell that tmux keeps in extended form.
#[inline]
pub(crate) fn is_extended(cell: &Cell) -> bool {
    let ascii = cell.glyph.to_bits() < 0x80 || cell.glyph == Glyph::BLANK || cell.glyph.is_padding();
    !ascii || rich(cell)
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) cells: Vec<Cell>,
    pub(crate) used: u16,
    pub(crate) flags: LineFlags,
    pub(crate) change: u64,
    /// Where a shell's marks are, when it has set any.
    pub(crate) marks: Option<Box<Marks>>,
}

impl Line {
    #[inline]
    pub(crate) fn get(&self, x: usize) -> Cell {
        self.cells.get(x).copied().unwrap_or(SPACE)
    }

    /// Makes room for `need` cells.
    #[inline]
    pub(crate) fn expand(&mut self, need: usize, cols: usize) {
        if need > self.cells.len() {
            self.grow(stepped(need, cols), Color::DEFAULT);
        }
    }

    fn grow(&mut self, size: usize, bg: Color) {
        self.cells.reserve_exact(size - self.cells.len());
        self.cells.resize(size, Cell { bg, ..Cell::BLANK });
    }

    /// Stores one cell.
    pub(crate) fn set(&mut self, x: usize, cell: Cell, cols: usize) {
        self.expand(x + 1, cols);
        self.used = self.used.max(x as u16 + 1);
        let cell = if cell.glyph == Glyph::BLANK { Cell { glyph: SPACE.glyph, ..cell } } else { cell };
        if is_extended(&cell) {
            self.flags |= LineFlags::EXTENDED;
        }
        self.cells[x] = cell;
    }

    /// Adds cells of another line after the used ones, as if one by one.
    pub(crate) fn append(&mut self, cells: &[Cell], cols: usize) {
        let start = self.used as usize;
        let end = start + cells.len();
        if end > self.cells.len() {
            self.grow(grown(self.cells.len(), end, cols), Color::DEFAULT);
        }
        self.used = end as u16;
        let target = &mut self.cells[start..end];
        target.copy_from_slice(cells);
        let mut extended = false;
        for cell in target {
            if cell.glyph == Glyph::BLANK {
                cell.glyph = SPACE.glyph;
            } else if cell.glyph.is_padding() {
                // tmux counts padding once it has moved to another line.
                cell.glyph = Glyph::PAD;
            }
            extended |= is_extended(cell);
        }
        self.flags.set(LineFlags::EXTENDED, extended || self.flags.contains(LineFlags::EXTENDED));
    }

    /// Stores the right half of a wide character.
    pub(crate) fn set_padding(&mut self, x: usize, bg: Color, cols: usize) {
        let padding = padding_over(&self.get(x), bg);
        self.set(x, padding, cols);
    }

    /// Stores a run of ASCII in one look.
    #[inline]
    pub(crate) fn set_run(&mut self, x: usize, run: &[u8], look: Cell, cols: usize) {
        let end = x + run.len();
        let make = |&byte: &u8| Cell { glyph: Glyph::point(byte as char, false), ..look };
        if x == self.cells.len() {
            // The common case of a line written from left to right: no cell is written twice.
            let size = stepped(end, cols);
            self.cells.reserve_exact(size - x);
            self.cells.extend(run.iter().map(make));
            self.cells.resize(size, Cell::BLANK);
        } else {
            self.expand(end, cols);
            for (cell, byte) in self.cells[x..end].iter_mut().zip(run) {
                *cell = make(byte);
            }
        }
        self.used = self.used.max(end as u16);
    }

    /// Erases cells, leaving the background `bg`.
    pub(crate) fn erase(&mut self, x: usize, n: usize, bg: Color) {
        self.note_fill(bg);
        let end = (x + n).min(self.cells.len());
        if x < end {
            self.cells[x..end].fill(Cell { bg, ..Cell::BLANK });
        }
    }

    fn note_fill(&mut self, bg: Color) {
        if !bg.is_default() {
            self.flags |= LineFlags::FILLED;
            if matches!(bg.kind(), crate::style::ColorKind::Rgb(..)) {
                self.flags |= LineFlags::EXTENDED;
            }
        }
    }

    /// Erases part of the line as ED, EL and ECH do: without a colour no further than it reaches.
    pub(crate) fn clear_part(&mut self, x: usize, n: usize, bg: Color, cols: usize) {
        let mut n = n;
        if bg.is_default() {
            let size = self.cells.len().min(cols);
            if x > size {
                return;
            }
            n = n.min(size - x);
        }
        self.expand(x + n, cols);
        self.erase(x, n, bg);
    }

    /// Empties the line; with a colour it is then as wide as the grid.
    pub(crate) fn wipe(&mut self, bg: Color, cols: usize) {
        self.cells.clear();
        self.used = 0;
        self.flags = LineFlags::empty();
        self.marks = None;
        if !bg.is_default() {
            self.grow(cols, bg);
            self.note_fill(bg);
        }
    }

    /// Moves `n` cells from `from` to `to` and erases what they leave.
    pub(crate) fn shift(&mut self, to: usize, from: usize, n: usize, bg: Color, cols: usize) {
        if n == 0 || to == from {
            return;
        }
        self.expand(from + n, cols);
        self.expand(to + n, cols);
        self.cells.copy_within(from..from + n, to);
        self.used = self.used.max((to + n) as u16);
        if from < to {
            self.erase(from, n.min(to - from), bg);
        } else {
            let start = from.max(to + n);
            self.erase(start, from + n - start, bg);
        }
    }

    /// The cells that were written.
    pub(crate) fn written(&self) -> &[Cell] {
        &self.cells[..(self.used as usize).min(self.cells.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_grows_in_steps() {
        let mut line = Line::default();
        line.set_run(0, b"abc", SPACE, 80);
        assert_eq!((line.cells.len(), line.used), (20, 3));
        line.set_run(3, &[b'x'; 30], SPACE, 80);
        assert_eq!((line.cells.len(), line.used), (40, 33));
        line.set(79, SPACE, 80);
        assert_eq!((line.cells.len(), line.used), (80, 80));
    }

    #[test]
    fn an_idle_line_is_small() {
        assert!(size_of::<Line>() <= 48);
    }

    #[test]
    fn erasing_without_colour_makes_no_cells() {
        let mut line = Line::default();
        line.clear_part(10, 5, Color::DEFAULT, 80);
        assert!(line.cells.is_empty());
        line.clear_part(10, 5, Color::ansi(1), 80);
        assert_eq!(line.cells.len(), 20);
        assert_eq!(line.get(10).bg, Color::ansi(1));
        assert_eq!(line.get(9).bg, Color::DEFAULT);
    }

    #[test]
    fn shifted_cells_leave_blanks() {
        let mut line = Line::default();
        line.set_run(0, b"abcdef", SPACE, 8);
        line.shift(3, 0, 3, Color::DEFAULT, 8);
        let text: String = line.cells.iter().filter_map(|cell| cell.glyph.as_char()).collect();
        assert_eq!(text, "   abc  ");
    }
}
