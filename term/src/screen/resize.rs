//! Changes of size: what goes to the history and comes back from it, and where the cursor lands.

use super::Screen;
use crate::cell::Extra;
use crate::grid::line::{Line, LineFlags};
use crate::grid::reflow::{Place, Wrap, find, place, reflow};
use crate::style::Color;
use crate::terminal::{Cursor, Size};

impl Screen {
    /// Takes another size. Only the main screen is wrapped anew.
    pub(crate) fn resize(&mut self, size: Size) {
        let size = size.bounded();
        // A saved cursor may have come back from a screen that was higher.
        self.cursor.row = self.cursor.row.min(self.size.rows - 1);
        let alternate = self.main.is_some();
        if alternate {
            return self.resize_alternate(size);
        }
        let cols_changed = size.cols != self.size.cols;
        self.size.cols = size.cols;
        if cols_changed {
            self.reset_tabs();
        }
        if size.rows != self.size.rows {
            self.resize_rows(size.rows);
        }
        if cols_changed || self.grid.cols != size.cols || self.history.cols != size.cols {
            self.rewrap();
        }
        self.grid.touch_all();
    }

    /// Takes another size without wrapping and without the history.
    pub(crate) fn resize_alternate(&mut self, size: Size) {
        if size.cols != self.size.cols {
            self.size.cols = size.cols;
            self.grid.cols = size.cols;
            self.cursor.col = self.cursor.col.min(size.cols);
            self.reset_tabs();
        }
        if size.rows == self.size.rows {
            return;
        }
        let mut lines = self.grid.take_lines();
        let (old, new) = (self.size.rows, size.rows);
        let mut needed = old.saturating_sub(new);
        let below = needed.min(old - 1 - self.cursor.row);
        lines.truncate((old - below) as usize);
        needed -= below;
        let above = needed.min(self.cursor.row);
        lines.drain(..above as usize);
        if above > 0 {
            self.history.unwrap_last();
        }
        untie(&mut lines, below + above);
        self.cursor.row -= above;
        lines.resize(new as usize, Line::default());
        self.grid.put_lines(lines);
        self.settle_rows(new);
    }

    fn settle_rows(&mut self, rows: u16) {
        self.size.rows = rows;
        (self.upper, self.lower) = (0, rows - 1);
    }

    /// Less rows: empty ones below the cursor go first, then the top scrolls off. More: what scrolled off comes back.
    fn resize_rows(&mut self, rows: u16) {
        let old = self.size.rows;
        let mut lines = self.grid.take_lines();
        if rows < old {
            let mut needed = old - rows;
            let below = needed.min(old - 1 - self.cursor.row);
            lines.truncate((old - below) as usize);
            untie(&mut lines, below);
            needed -= below;
            if self.history.limit != 0 {
                for line in lines.drain(..needed as usize) {
                    self.history.push(&line, &self.graphemes);
                    self.history.scrolled += 1;
                }
            } else {
                needed = needed.min(self.cursor.row);
                lines.drain(..needed as usize);
                untie(&mut lines, needed);
            }
            self.cursor.row -= needed.min(self.cursor.row);
        } else {
            let pulled = self.pull(&mut lines, (rows - old) as usize);
            self.cursor.row += pulled;
        }
        lines.resize(rows as usize, Line::default());
        self.grid.put_lines(lines);
        self.settle_rows(rows);
    }

    /// Puts up to `n` rows that scrolled off back on top.
    fn pull(&mut self, lines: &mut Vec<Line>, n: usize) -> u16 {
        if self.history.limit == 0 {
            return 0;
        }
        let n = n.min(self.history.scrolled).min(self.history.rows());
        let pulled = self.history.pop(n, &mut self.graphemes);
        let count = pulled.len();
        self.history.scrolled -= count.min(self.history.scrolled);
        lines.splice(0..0, pulled);
        count as u16
    }

    /// Wraps the screen for its width, with the line that began in the history.
    fn rewrap(&mut self) {
        let (cols, rows) = (self.size.cols, self.size.rows as usize);
        let scrolled = self.history.scrolled;
        let mut lines = self.history.take_tail(&mut self.graphemes);
        self.history.scrolled = scrolled;
        let row = lines.len() + self.cursor.row as usize;
        self.grid.cols = cols;
        lines.extend(self.grid.take_lines());
        let mark = place(&lines, self.cursor.col as usize, row.min(lines.len() - 1));
        let pad = usize::from(!self.settings.beyond_tmux);
        let mut scrolled = self.history.set_wrap(cols, pad);
        let mut lines = reflow(lines, Wrap { cols: cols as usize, pad, extras: Some(&self.extras) }, &mut scrolled);
        let mut above = 0;
        if lines.len() < rows {
            let missing = (rows - lines.len()).min(self.history.rows());
            let pulled = self.history.pop(missing, &mut self.graphemes);
            above = pulled.len();
            lines.splice(0..0, pulled);
            lines.resize(rows.max(lines.len()), Line::default());
        }
        let cursor = self.land(&lines, mark, above);
        let off = lines.len() - rows;
        for line in lines.drain(..off) {
            self.history.push(&line, &self.graphemes);
        }
        self.grid.put_lines(lines);
        self.history.scrolled = scrolled.rows.min(self.history.rows());
        self.cursor = match cursor.1.checked_sub(off) {
            Some(row) => Cursor { col: (cursor.0 as u16).min(cols), row: (row as u16).min(self.size.rows - 1) },
            None => Cursor::default(),
        };
    }

    /// Where the cursor lands in lines of which the first `above` were not there before.
    fn land(&self, lines: &[Line], mark: Place, above: usize) -> (usize, usize) {
        let (col, row) = find(&lines[above..], mark);
        (col, row + above)
    }

    /// Forgets the history.
    pub(crate) fn clear_history(&mut self) {
        self.history.clear();
    }

    /// Takes the link from every visible cell and from the pen.
    pub(crate) fn clear_links(&mut self) {
        self.pen.link = None;
        self.settle_pen();
        for grid in std::iter::once(&mut self.grid).chain(&mut self.main) {
            for y in 0..grid.rows() {
                if !grid.line(y).flags.contains(LineFlags::HYPERLINK) {
                    continue;
                }
                for cell in &mut grid.line_mut(y).cells {
                    let us = self.extras.get(cell.ext).us;
                    cell.ext = self.extras.intern(Extra { us, link: None });
                }
            }
        }
    }

    /// Another limit for the history; what is over it goes.
    pub(crate) fn set_history_limit(&mut self, limit: u32) {
        self.history.limit = limit;
        self.history.collect_all();
    }

    /// Back to a fresh screen for another program; the history stays.
    pub(crate) fn reinit(&mut self) {
        self.set_cursor(0, 0);
        (self.upper, self.lower) = (0, self.size.rows - 1);
        let crlf = self.modes & crate::modes::Modes::CRLF;
        self.modes = self.initial_modes() | crlf;
        if self.main.is_some() {
            let setting = std::mem::replace(&mut self.settings.alternate_screen, true);
            self.alternate_off(false);
            self.settings.alternate_screen = setting;
        }
        self.main_cursor = None;
        self.reset_tabs();
        self.grid.clear_lines(0, self.size.rows, Color::DEFAULT, &mut self.history);
        self.titles.clear();
        self.keyboard = [Vec::new(), Vec::new()];
        self.progress = crate::terminal::Progress::default();
    }
}

/// After lines were deleted the last one that is left goes on no more.
fn untie(lines: &mut [Line], deleted: u16) {
    if deleted > 0
        && let Some(last) = lines.last_mut()
    {
        last.flags.remove(LineFlags::WRAPPED);
    }
}
