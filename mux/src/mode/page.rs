//! The text a mode shows: rows by absolute number, the oldest row of the history being 0. Owns the terminal that holds
//! them and a cache of decoded rows; knows nothing of cursors or selections.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use term::cell::Cell;
use term::{OwnedRow, Size, Terminal};

/// Rows decoded at once, since neighbours are read next.
const BLOCK: usize = 64;
/// Decoded rows kept.
const KEPT: usize = 4096;

/// A place in a page: column and absolute row.
pub(crate) type Place = (usize, usize);

/// Rows by absolute number.
pub(crate) struct Page {
    terminal: Terminal,
    cache: RefCell<HashMap<usize, Rc<OwnedRow>>>,
}

impl Page {
    /// The rows of a terminal of its own.
    pub(crate) fn new(terminal: Terminal) -> Page {
        Page { terminal, cache: RefCell::default() }
    }

    /// Columns.
    pub(crate) fn cols(&self) -> usize {
        usize::from(self.terminal.size().cols).max(1)
    }

    /// Rows of the screen.
    pub(crate) fn rows(&self) -> usize {
        usize::from(self.terminal.size().rows).max(1)
    }

    /// Rows of the history.
    pub(crate) fn history(&self) -> usize {
        self.terminal.history_len()
    }

    /// Number of the newest row.
    pub(crate) fn last(&self) -> usize {
        self.history() + self.rows() - 1
    }

    /// The terminal.
    pub(crate) fn terminal(&self) -> &Terminal {
        &self.terminal
    }

    /// Change the terminal.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Terminal)) {
        change(&mut self.terminal);
        self.cache.get_mut().clear();
    }

    /// A row; one past the newest is empty.
    pub(crate) fn line(&self, y: usize) -> Rc<OwnedRow> {
        if let Some(line) = self.cache.borrow().get(&y) {
            return Rc::clone(line);
        }
        self.load(y);
        self.cache.borrow().get(&y).map(Rc::clone).unwrap_or_default()
    }

    fn load(&self, y: usize) {
        let mut cache = self.cache.borrow_mut();
        if cache.len() >= KEPT {
            cache.clear();
        }
        let history = self.history();
        if y < history {
            let first = y - y % BLOCK;
            self.terminal.history_rows(first..(first + BLOCK).min(history), |index, row| {
                cache.insert(index, Rc::new(row));
            });
        } else if let Ok(row) = u16::try_from(y - history)
            && usize::from(row) < self.rows()
        {
            let row = self.terminal.row(row);
            cache.insert(
                y,
                Rc::new(OwnedRow {
                    cells: row.cells.to_vec(),
                    used: row.used,
                    wrapped: row.wrapped,
                    prompt: row.prompt,
                    output: row.output,
                }),
            );
        }
    }

    /// A cell; a blank one where there is none.
    pub(crate) fn cell(&self, x: usize, y: usize) -> Cell {
        self.line(y).cells.get(x).copied().unwrap_or(Cell::BLANK)
    }

    /// True when the text of a row goes on in the next.
    pub(crate) fn wrapped(&self, y: usize) -> bool {
        self.line(y).wrapped
    }

    /// Columns of a row up to its last character that is not a space.
    pub(crate) fn length(&self, y: usize) -> usize {
        let line = self.line(y);
        let held = line.cells.len().min(self.cols());
        line.cells[..held]
            .iter()
            .rposition(|cell| cell.glyph.is_padding() || character(*cell) != Some(' '))
            .map_or(0, |last| last + 1)
    }

    /// The column of a row's last character, both halves of a wide one counting as its first.
    pub(crate) fn last_character(&self, y: usize) -> usize {
        let line = self.line(y);
        let mut x = self.length(y).saturating_sub(1);
        while x > 0 && line.cells.get(x).is_some_and(|cell| cell.glyph.is_padding()) {
            x -= 1;
        }
        x
    }

    /// How far a place lies in a run of characters of `set`: 0 when it is not one of them, for a tab its columns that are left.
    pub(crate) fn in_set(&self, x: usize, y: usize, set: &str) -> usize {
        let line = self.line(y);
        let cell = |x: usize| line.cells.get(x).copied().unwrap_or(Cell::BLANK);
        let here = cell(x);
        if set.contains('\t') {
            if here.glyph.is_padding() {
                let start = (0..x).rev().find(|&at| !cell(at).glyph.is_padding());
                if let Some(start) = start
                    && let Some(width) = cell(start).glyph.tab_width()
                {
                    return usize::from(width).saturating_sub(x - start);
                }
            } else if let Some(width) = here.glyph.tab_width() {
                return usize::from(width).max(1);
            }
        }
        if here.glyph.is_padding() {
            return 0;
        }
        character(here).is_some_and(|c| set.contains(c)).into()
    }

    /// Adds what a cell holds: nothing for the right half of a wide character, a tab for a tab.
    pub(crate) fn push(&self, cell: Cell, text: &mut String) {
        if cell.glyph.is_padding() {
            return;
        }
        if cell.glyph.tab_width().is_some() {
            text.push('\t');
        } else if let Some(c) = cell.glyph.as_char() {
            text.push(c);
        } else if let Some(index) = cell.glyph.grapheme_index() {
            text.push_str(self.terminal.graphemes().text(index));
        }
    }

    /// The text of a row without trailing spaces.
    pub(crate) fn text(&self, y: usize) -> String {
        let line = self.line(y);
        let mut text = String::new();
        for cell in line.cells.iter().take(self.length(y)) {
            self.push(*cell, &mut text);
        }
        text
    }

    /// The word around a place: what stands between separators, spaces and tabs, over wrapped rows.
    pub(crate) fn word(&self, (mut x, mut y): Place, separators: &str) -> String {
        let separator = |x: usize, y: usize| {
            let cell = self.cell(x, y);
            cell.glyph.tab_width().is_some() || character(cell).is_some_and(|c| c == ' ' || separators.contains(c))
        };
        let mut found = false;
        loop {
            if !self.cell(x, y).glyph.is_padding() && separator(x, y) {
                found = true;
                break;
            }
            if x == 0 {
                if y == 0 || !self.wrapped(y - 1) || self.length(y - 1) == 0 {
                    break;
                }
                y -= 1;
                x = self.length(y);
            }
            x -= 1;
        }
        let mut word = String::new();
        loop {
            if found {
                let end = self.length(y);
                if end == 0 || x + 1 == end {
                    if y >= self.last() || !self.wrapped(y) {
                        break;
                    }
                    y += 1;
                    x = 0;
                } else {
                    x += 1;
                }
            }
            found = true;
            let cell = self.cell(x, y);
            if cell.glyph.is_padding() {
                continue;
            }
            if separator(x, y) {
                break;
            }
            self.push(cell, &mut word);
        }
        word
    }

    /// The target of the link at a place.
    pub(crate) fn link(&self, (mut x, y): Place) -> Option<String> {
        while x > 0 && self.cell(x, y).glyph.is_padding() {
            x -= 1;
        }
        let extra = self.terminal.extras().get(self.cell(x, y).ext);
        extra.link.as_ref().map(|link| link.uri.to_string())
    }

    /// A place as it outlives a change of width: column in the whole line and number of the line; the column is `None`
    /// past the end of the text.
    pub(crate) fn unwrapped(&self, (x, y): Place) -> (Option<usize>, usize) {
        let (mut column, mut number) = (0, 0);
        for row in 0..y {
            let line = self.line(row);
            if line.wrapped {
                column += usize::from(line.used);
            } else {
                column = 0;
                number += 1;
            }
        }
        let used = usize::from(self.line(y).used);
        ((x < used).then_some(column + x), number)
    }

    /// The place of an unwrapped one.
    pub(crate) fn rewrapped(&self, (column, number): (Option<usize>, usize)) -> Place {
        let last = self.last();
        let (mut y, mut seen) = (0, 0);
        while y < last && seen < number {
            seen += usize::from(!self.wrapped(y));
            y += 1;
        }
        let Some(mut x) = column else {
            while y < last && self.wrapped(y) {
                y += 1;
            }
            return (usize::from(self.line(y).used), y);
        };
        while y < last && self.wrapped(y) {
            let used = usize::from(self.line(y).used);
            if x < used {
                break;
            }
            x -= used;
            y += 1;
        }
        (x, y)
    }

    /// Another size, keeping a place on its text.
    pub(crate) fn resize(&mut self, size: Size, place: Place) -> Place {
        if size.cols == self.terminal.size().cols {
            self.change(|terminal| terminal.resize(size));
            return place;
        }
        let unwrapped = self.unwrapped(place);
        self.change(|terminal| terminal.resize(size));
        self.rewrapped(unwrapped)
    }
}

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page")
            .field("size", &self.terminal.size())
            .field("history", &self.history())
            .finish_non_exhaustive()
    }
}

/// The single character of a cell. A tab of one column counts as a space.
pub(crate) fn character(cell: Cell) -> Option<char> {
    match cell.glyph.tab_width() {
        Some(1) => Some(' '),
        Some(_) => None,
        None => cell.glyph.as_char(),
    }
}

/// The ASCII character of a cell, for brackets.
pub(crate) fn ascii(cell: Cell) -> Option<char> {
    if cell.glyph.is_padding() { None } else { cell.glyph.as_char().filter(char::is_ascii) }
}
