//! What is selected: its ends, which of them follows the cursor, and whether whole words, lines or a rectangle.

use super::page::Place;
use super::reader::{Edge, Reader, WHITESPACE};
use super::{Mode, Settings};

/// Which end follows the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Follows {
    /// None: the selection stands.
    #[default]
    None,
    /// The end.
    End,
    /// The start.
    Start,
}

/// Whether whole lines are selected, and which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Line {
    #[default]
    None,
    LeftRight,
    RightLeft,
}

/// What a selection grows by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Unit {
    #[default]
    Character,
    Word,
    Line,
}

/// A selection. Places are columns and absolute rows.
#[derive(Debug, Default)]
pub(super) struct Selection {
    pub(super) present: bool,
    pub(super) start: Place,
    pub(super) end: Place,
    pub(super) follows: Follows,
    pub(super) line: Line,
    pub(super) rectangle: bool,
    pub(super) unit: Unit,
    /// Word separators when the unit was chosen.
    pub(super) separators: Option<String>,
    /// Where selecting by words or lines began.
    pub(super) origin: Place,
    /// The first word or line selected.
    pub(super) first_start: Place,
    pub(super) first_end: Place,
}

impl Selection {
    pub(super) fn stop(&mut self) {
        self.follows = Follows::None;
    }

    /// True when a place on a screen with `rows` rows from `top`, `cols` wide, is selected. Ends to the right of `edge`
    /// count as there, where line numbers leave no room for more.
    pub(super) fn holds(
        &self,
        (x, row): Place,
        top: usize,
        (cols, rows): (usize, usize),
        edge: usize,
        settings: &Settings,
    ) -> bool {
        if !self.present {
            return false;
        }
        let bottom = top + rows - 1;
        let (above, below) = (|place: Place| place.1 < top, |place: Place| place.1 > bottom);
        if (above(self.start) && above(self.end)) || (below(self.start) && below(self.end)) {
            return false;
        }
        // What is off the screen counts as its first or last cell, as in tmux.
        let clip = |place: Place| match place {
            (x, _) if above(place) => (if self.rectangle { x } else { 0 }, top),
            (x, _) if below(place) => (if self.rectangle { x } else { cols - 1 }, bottom),
            place => place,
        };
        let within = |(x, row): Place| (x.min(edge), row);
        let (start, end) = (within(clip(self.start)), within(clip(self.end)));
        if self.rectangle {
            return (start.1.min(end.1)..=start.1.max(end.1)).contains(&row)
                && (start.0.min(end.0)..=start.0.max(end.0)).contains(&x);
        }
        let backward = end.1 < start.1 || (end.1 == start.1 && end.0 < start.0);
        let (first, last) = if backward { (end, start) } else { (start, end) };
        if row < first.1 || row > last.1 || (row == first.1 && x < first.0) {
            return false;
        }
        if row < last.1 {
            return true;
        }
        if edge < usize::MAX {
            return x < last.0 + usize::from(settings.vi);
        }
        // At the left edge of the screen this shows a cell more or less than is copied, as in tmux 3.7.
        if backward && start.1 > end.1 && last.0 == 0 {
            return false;
        }
        x <= if settings.vi { last.0 } else { last.0.saturating_sub(1) }
    }
}

impl Mode {
    /// Select from the cursor on.
    pub(super) fn start_selection(&mut self) {
        self.selection.start = self.place();
        self.selection.end = self.place();
        self.selection.follows = Follows::End;
        self.set_selection(false);
    }

    /// Take the selection along with the cursor, if there is one.
    pub(super) fn update_selection(&mut self, keep_ends: bool) {
        if self.selection.present || self.selection.line != Line::None {
            self.set_selection(keep_ends);
        }
    }

    fn set_selection(&mut self, keep_ends: bool) {
        match self.selection.follows {
            Follows::None => {}
            Follows::End => self.follow_cursor(false, keep_ends),
            Follows::Start => self.follow_cursor(true, keep_ends),
        }
        self.selection.present = true;
    }

    fn follow_cursor(&mut self, start: bool, keep_ends: bool) {
        let here = self.place();
        let (to, start) = match self.selection.unit {
            Unit::Word if !keep_ends => self.follow_word(here),
            Unit::Line if !keep_ends => self.follow_line(here),
            _ => (here, start),
        };
        if start {
            self.selection.start = to;
        } else {
            self.selection.end = to;
        }
    }

    fn follow_word(&mut self, (x, row): Place) -> (Place, bool) {
        let separators = self.selection.separators.clone().unwrap_or_default();
        let origin = self.selection.origin;
        if origin.1 > row || (origin.1 == row && origin.0 > x) {
            self.selection.end = self.selection.first_end;
            return (self.previous_word_place(&separators), true);
        }
        let ends_here = x < self.page.length(row) && self.page.in_set(x + 1, row, WHITESPACE) != 0;
        let to = if ends_here { (x, row) } else { self.next_word_end_place(&separators) };
        self.selection.start = self.selection.first_start;
        (to, false)
    }

    fn follow_line(&mut self, (_, row): Place) -> (Place, bool) {
        if self.selection.origin.1 > row {
            self.selection.end = self.selection.first_end;
            return ((0, row), true);
        }
        let row = row.max(self.selection.first_end.1);
        self.selection.start = self.selection.first_start;
        ((self.page.length(row), row), false)
    }

    /// Where the word at the cursor begins, or else the one before.
    pub(super) fn previous_word_place(&self, separators: &str) -> Place {
        let mut reader = Reader::new(&self.page, self.place());
        reader.previous_word(separators, false, true);
        reader.place()
    }

    /// Where the next word ends: with vi's keys on its last character, else after it.
    pub(super) fn next_word_end_place(&self, separators: &str) -> Place {
        let mut reader = Reader::new(&self.page, self.place());
        if self.settings.vi {
            if !reader.is_in(WHITESPACE) {
                reader.right(false, Edge::Character);
            }
            reader.next_word_end(separators);
            reader.left(true);
        } else {
            reader.next_word_end(separators);
        }
        reader.place()
    }

    /// Let go of the selection.
    pub(super) fn clear_selection(&mut self) {
        self.selection.present = false;
        self.stop_selection();
        self.fit_to_limit();
    }

    /// Keep the selection as it is.
    pub(super) fn stop_selection(&mut self) {
        self.selection.stop();
        self.selection.line = Line::None;
        self.selection.unit = Unit::Character;
    }

    /// Keep the selection while the view moves; words and lines are still what it grows by.
    pub(super) fn hold_selection(&mut self) {
        self.selection.stop();
        self.selection.line = Line::None;
    }

    fn fit_to_limit(&mut self) {
        let limit = self.limit(self.row(), self.selection.rectangle);
        if self.x > limit {
            self.move_to(limit, self.y);
        }
    }

    /// Select a rectangle or not.
    pub(super) fn set_rectangle(&mut self, on: bool) {
        self.selection.line = Line::None;
        self.selection.rectangle = on;
        self.fit_to_limit();
        self.update_selection(false);
    }

    /// Take the cursor to the other end of the selection.
    pub(super) fn other_end(&mut self) {
        let selection = &mut self.selection;
        if !selection.present && selection.line == Line::None {
            return;
        }
        selection.line = match selection.line {
            Line::None => Line::None,
            Line::LeftRight => Line::RightLeft,
            Line::RightLeft => Line::LeftRight,
        };
        selection.follows = if selection.follows == Follows::End { Follows::Start } else { Follows::End };
        let (x, row) = if selection.follows == Follows::Start { selection.start } else { selection.end };
        let (rows, history, top) = (self.page.rows(), self.page.history(), self.top());
        self.x = x;
        if row < top {
            self.offset = history - row;
            self.y = 0;
        } else if row >= top + rows {
            self.offset = (history + rows - 1).saturating_sub(row);
            self.y = rows - 1;
        } else {
            self.y = row - top;
        }
        self.settle();
        self.x = self.x.min(self.limit(self.row(), self.selection.rectangle));
        self.update_selection(true);
    }

    pub(super) fn select_line(&mut self, times: usize) {
        self.selection.line = Line::LeftRight;
        self.selection.rectangle = false;
        self.selection.unit = Unit::Line;
        self.selection.origin = self.place();
        self.start_of_line();
        let start = self.place();
        self.selection.first_start = start;
        self.selection.first_end.1 = start.1;
        self.start_selection();
        self.end_of_line();
        let row = self.row();
        self.selection.first_end = (self.page.length(row), row);
        self.repeated(times - 1, |mode| {
            mode.cursor_down(false);
            mode.end_of_line();
        });
    }

    pub(super) fn select_word(&mut self) {
        self.selection.line = Line::LeftRight;
        self.selection.rectangle = false;
        self.selection.unit = Unit::Word;
        self.selection.origin = self.place();
        let separators = self.settings.separators.clone();
        self.selection.separators = Some(separators.clone());
        self.previous_word(&separators, false);
        let (x, row) = self.place();
        self.selection.first_start = (x, row);
        self.start_selection();
        let (mut next, mut next_row) = (x + 1, row);
        if self.page.wrapped(row) && next > self.page.cols() - 1 {
            (next, next_row) = (0, row + 1);
        }
        // A word of one character ends where it begins.
        if x >= self.page.length(row) || self.page.in_set(next, next_row, WHITESPACE) == 0 {
            self.next_word_end(&separators, true);
        } else {
            self.move_to(x, self.y);
            self.update_selection(true);
        }
        let end = self.place();
        self.selection.first_end = end;
        let origin = &mut self.selection.origin;
        if origin.1 > end.1 {
            *origin = end;
        } else {
            origin.0 = origin.0.min(end.0);
        }
    }

    /// The text of the selection, else of the match under the cursor.
    pub(super) fn selected(&self) -> Option<String> {
        let selection = &self.selection;
        if !selection.present && selection.line == Line::None {
            return self.match_at_cursor();
        }
        let before = |a: Place, b: Place| (a.1, a.0) < (b.1, b.0);
        let (start, mut end) = (selection.start, selection.end);
        let (start, end) = if before(end, start) { (end, start) } else { (start, std::mem::take(&mut end)) };
        let vi = usize::from(self.settings.vi);
        let last_length = self.page.length(end.1);
        let end_x = end.0.min(last_length);
        let (first_start, last_end, other_start, other_end) = if selection.rectangle {
            let x = if selection.follows == Follows::End { selection.start.0 } else { selection.end.0 };
            let (from, to) = if x < self.x { (x, self.x + vi) } else { (self.x, x + 1) };
            (from, to, from, to)
        } else {
            (start.0, end_x + vi, 0, self.page.cols())
        };
        let mut text = String::new();
        for row in start.1..=end.1.min(self.page.last()) {
            let from = if row == start.1 { first_start } else { other_start };
            let to = if row == end.1 { last_end } else { other_end };
            self.copy_row(row, from, to, &mut text);
        }
        if text.is_empty() {
            return None;
        }
        // The last line's end is not part of the text, unless vi's keys have the cursor on it.
        if (!self.settings.vi || last_end <= last_length)
            && (!self.page.wrapped(end.1) || last_end != last_length)
            && text.ends_with('\n')
        {
            text.pop();
        }
        Some(text)
    }

    fn copy_row(&self, row: usize, from: usize, to: usize, text: &mut String) {
        if from > to {
            return;
        }
        let line = self.page.line(row);
        // A wrapped row counts in full, spaces at its end too, and goes on without a line end.
        let wrapped = line.wrapped && line.cells.len() <= self.page.cols();
        let length = if wrapped { line.cells.len() } else { self.page.length(row) };
        let to = to.min(length);
        for cell in line.cells.iter().take(to).skip(from) {
            if cell.attrs.contains(term::style::Attrs::CHARSET)
                && let Some(drawn) = cell.glyph.as_char().and_then(graphic)
            {
                text.push(drawn);
            } else {
                self.page.push(*cell, text);
            }
        }
        if !wrapped || to != length {
            text.push('\n');
        }
    }
}

/// What stands for a character of the DEC special graphics set (VT100, table 3-9; arrows and block as in terminfo's acsc).
fn graphic(c: char) -> Option<char> {
    const FROM: &str = "+,-.0`abcdefghijklmnopqrstuvwxyz{|}~";
    const TO: &str = "→←↑↓▮◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";
    FROM.chars().position(|known| known == c).and_then(|at| TO.chars().nth(at))
}
