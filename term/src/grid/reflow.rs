//! Wrapping the lines of a screen for another width, and following the cursor through it.
//!
//! The steps are tmux 3.7c's, so that the sizes of lines and the fate of odd lines (empty but wrapped, wrapped but
//! short) are the same. The history is not wrapped here: it counts rows and wraps on the way out.

use super::line::{Line, LineFlags, wrap_columns};
use crate::cell::{Cell, Extras};
use std::collections::VecDeque;

/// A place in lines counted without their wrapping: which logical line, which of its cells (`None` past its end).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    line: usize,
    cell: Option<usize>,
}

/// The place of column `x` of row `y`.
pub(crate) fn place(lines: &[Line], x: usize, y: usize) -> Place {
    let (mut line, mut before) = (0, 0);
    for row in &lines[..y] {
        if row.flags.contains(LineFlags::WRAPPED) {
            before += row.used as usize;
        } else {
            before = 0;
            line += 1;
        }
    }
    let cell = (x < lines[y].used as usize).then_some(before + x);
    Place { line, cell }
}

/// The column and row of a place.
pub(crate) fn find(lines: &[Line], place: Place) -> (usize, usize) {
    let last = lines.len() - 1;
    let (mut y, mut line) = (0, 0);
    while y < last && line != place.line {
        if !lines[y].flags.contains(LineFlags::WRAPPED) {
            line += 1;
        }
        y += 1;
    }
    let goes_on = |y: usize| y < last && lines[y].flags.contains(LineFlags::WRAPPED);
    match place.cell {
        None => {
            while goes_on(y) {
                y += 1;
            }
            (lines[y].used as usize, y)
        }
        Some(mut x) => {
            while goes_on(y) && x >= lines[y].used as usize {
                x -= lines[y].used as usize;
                y += 1;
            }
            (x, y)
        }
    }
}

/// How to wrap: columns, what padding counts, and where cells have their links (without it a cell that has something
/// extra is taken to have a link if its line has one).
#[derive(Clone, Copy)]
pub(crate) struct Wrap<'a> {
    pub(crate) cols: usize,
    pub(crate) pad: usize,
    pub(crate) extras: Option<&'a Extras>,
}

impl Wrap<'_> {
    /// Columns of a line when it is wrapped.
    fn width(self, line: &Line) -> usize {
        match line.flags.contains(LineFlags::EXTENDED) {
            true => self.columns(line.written()),
            false => line.written().len(),
        }
    }

    fn columns(self, cells: &[Cell]) -> usize {
        cells.iter().map(|cell| wrap_columns(cell.glyph, self.pad)).sum()
    }

    /// How many cells at the front of `line` take at most `columns`, and how many columns they take.
    fn fitting(self, line: &Line, columns: usize) -> (usize, usize) {
        let cells = line.written();
        if !line.flags.contains(LineFlags::EXTENDED) {
            let count = cells.len().min(columns);
            return (count, count);
        }
        let (mut count, mut width) = (0, 0);
        for cell in cells {
            let next = wrap_columns(cell.glyph, self.pad);
            if width + next > columns {
                break;
            }
            width += next;
            count += 1;
        }
        (count, width)
    }

    /// Adds cells of a line that had these flags.
    fn append(self, line: &mut Line, cells: &[Cell], flags: LineFlags) {
        line.append(cells, self.cols);
        let linked = |cell: &Cell| match self.extras {
            Some(extras) => extras.get(cell.ext).link.is_some(),
            None => cell.ext != 0,
        };
        if flags.contains(LineFlags::HYPERLINK) && cells.iter().any(linked) {
            line.flags |= LineFlags::HYPERLINK;
        }
    }

    /// The ends of the rows that a line too long is cut into.
    fn ends(self, line: &Line) -> Vec<usize> {
        if line.flags.contains(LineFlags::EXTENDED) {
            return row_ends(line.written(), self.cols, self.pad);
        }
        let used = line.written().len();
        (1..=used.div_ceil(self.cols)).map(|row| (row * self.cols).min(used)).collect()
    }
}

/// Cells into rows of at most `cols` columns: the ends of the rows.
fn row_ends(cells: &[Cell], cols: usize, pad: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (i, cell) in cells.iter().enumerate() {
        let width = wrap_columns(cell.glyph, pad);
        // What takes no columns stays where it is, also behind what is wider than the screen.
        if width > 0 && sum + width > cols && i > start {
            ends.push(i);
            (start, sum) = (i, 0);
        }
        sum += width;
    }
    ends.push(cells.len());
    ends
}

/// How many of the oldest rows may be pulled back when the screen grows, followed through a reflow as tmux does it:
/// rows before and after are counted from the oldest, and the two counts are compared with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Scrolled {
    pub(crate) rows: usize,
    /// Rows before the reflow that were passed.
    pub(crate) from: usize,
    /// Rows after it that came of them.
    pub(crate) to: usize,
}

impl Scrolled {
    /// Passes `from` rows that became `to`, if it is plain what that means.
    pub(crate) fn pass(&mut self, from: usize, to: usize) -> bool {
        let end = (self.from + from).max(self.to + to);
        let outside = self.rows < self.from && self.rows <= self.to;
        if (from, to) != (1, 1) && !outside {
            if self.rows <= end + from + to {
                return false;
            }
            self.rows = self.rows + to - from;
        }
        self.from += from;
        self.to += to;
        true
    }

    /// Passes rows that stay as they are.
    pub(crate) fn pass_same(&mut self, rows: usize) {
        self.from += rows;
        self.to += rows;
    }

    fn split(&mut self, from: usize, more: usize) {
        if from <= self.rows {
            self.rows += more;
        }
    }

    fn joined(&mut self, to: usize, less: usize) {
        if self.rows > to + less {
            self.rows -= less;
        } else {
            self.rows = self.rows.min(to);
        }
    }
}

/// Wraps lines anew.
pub(crate) fn reflow(lines: Vec<Line>, wrap: Wrap<'_>, scrolled: &mut Scrolled) -> Vec<Line> {
    let total = lines.len();
    let mut flow = Flow { wrap, source: lines.into(), out: Vec::with_capacity(total), scrolled };
    while let Some(line) = flow.source.pop_front() {
        let width = wrap.width(&line);
        if width > wrap.cols && line.used > 1 {
            flow.split(line, total);
        } else {
            let joins = width < wrap.cols && line.flags.contains(LineFlags::WRAPPED);
            flow.out.push(line);
            if joins {
                flow.join(width);
            }
        }
    }
    let out = flow.out;
    scrolled.from += total;
    scrolled.to += out.len();
    out
}

struct Flow<'a> {
    wrap: Wrap<'a>,
    source: VecDeque<Line>,
    out: Vec<Line>,
    scrolled: &'a mut Scrolled,
}

impl Flow<'_> {
    /// Adds to the last line what fits of the lines after it.
    fn join(&mut self, mut width: usize) {
        let (wrap, to) = (self.wrap, self.scrolled.to + self.out.len().saturating_sub(1));
        let Some(target) = self.out.last_mut() else { return };
        let (mut consumed, mut wrapped, mut joined, mut part) = (0, true, false, 0);
        while let Some(from) = self.source.get(consumed) {
            let goes_on = from.flags.contains(LineFlags::WRAPPED);
            // tmux unties the line before it even when nothing of this one fits.
            wrapped &= goes_on || wrap.pad == 0;
            let used = from.written().len();
            if used == 0 {
                wrapped &= goes_on;
                if !wrapped {
                    break;
                }
                consumed += 1;
                continue;
            }
            let (taken, columns) = wrap.fitting(from, wrap.cols.saturating_sub(width));
            width += columns;
            if taken == 0 {
                break;
            }
            wrap.append(target, &from.cells[..taken], from.flags);
            joined = true;
            wrapped &= goes_on;
            consumed += 1;
            part = if taken == used { 0 } else { taken };
            if !wrapped || taken != used || width == wrap.cols {
                break;
            }
        }
        if !joined {
            return;
        }
        if part != 0 {
            consumed -= 1;
            let left = &mut self.source[consumed];
            let used = left.used as usize;
            left.cells.truncate(used);
            left.cells.drain(..part);
            left.used = left.cells.len() as u16;
        } else if !wrapped {
            target.flags.remove(LineFlags::WRAPPED);
        }
        self.source.drain(..consumed);
        self.scrolled.joined(to, consumed);
    }

    /// Cuts a line that is too long. `total`: the lines there were.
    fn split(&mut self, mut line: Line, total: usize) {
        let wrap = self.wrap;
        let from = self.scrolled.from + total - self.source.len() - 1;
        let (flags, wrapped) = (line.flags, line.flags.contains(LineFlags::WRAPPED));
        let ends = wrap.ends(&line);
        let mut width = 0;
        let mut rows: Vec<Line> = Vec::with_capacity(ends.len() - 1);
        for ends in ends.windows(2) {
            let cells = &line.cells[ends[0]..ends[1]];
            let mut row = Line::default();
            wrap.append(&mut row, cells, flags);
            row.flags |= LineFlags::WRAPPED;
            width = wrap.columns(cells);
            rows.push(row);
        }
        if let Some(last) = rows.last_mut() {
            last.flags.set(LineFlags::WRAPPED, wrapped);
        }
        line.cells.truncate(ends[0]);
        line.used = ends[0] as u16;
        line.flags |= LineFlags::WRAPPED;
        self.out.push(line);
        self.out.append(&mut rows);
        self.scrolled.split(from, ends.len() - 1);
        if width < wrap.cols && wrapped {
            self.join(width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::line::SPACE;

    fn line(text: &str, wrapped: bool) -> Line {
        let mut line = Line::default();
        if !text.is_empty() {
            line.set_run(0, text.as_bytes(), SPACE, text.len());
        }
        line.flags.set(LineFlags::WRAPPED, wrapped);
        line
    }

    fn texts(lines: &[Line]) -> Vec<String> {
        lines
            .iter()
            .map(|line| {
                let mut text: String = line.written().iter().filter_map(|cell| cell.glyph.as_char()).collect();
                if line.flags.contains(LineFlags::WRAPPED) {
                    text.push('+');
                }
                text
            })
            .collect()
    }

    #[test]
    fn lines_are_cut_and_joined() {
        let lines = vec![line("abcdef", true), line("gh", false), line("x", false), line("", false)];
        let extras = Extras::default();
        let narrow = reflow(lines, Wrap { cols: 4, pad: 0, extras: Some(&extras) }, &mut Scrolled::default());
        assert_eq!(texts(&narrow), ["abcd+", "efgh", "x", ""]);
        let wide = reflow(narrow, Wrap { cols: 10, pad: 0, extras: Some(&extras) }, &mut Scrolled::default());
        assert_eq!(texts(&wide), ["abcdefgh", "x", ""]);
    }

    #[test]
    fn the_cursor_stays_on_its_text() {
        let lines = vec![line("abcdef", true), line("gh", false), line("x", false)];
        let at_g = place(&lines, 0, 1);
        let past_end = place(&lines, 5, 1);
        let extras = Extras::default();
        let narrow = reflow(lines, Wrap { cols: 4, pad: 0, extras: Some(&extras) }, &mut Scrolled::default());
        assert_eq!(find(&narrow, at_g), (2, 1));
        assert_eq!(find(&narrow, past_end), (4, 1));
    }
}
