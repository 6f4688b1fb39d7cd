//! Motions of the cursor: it takes the view and the selection along.

use super::reader::{Edge, Reader};
use super::selection::Line;
use super::{Mode, page::Place};

impl Mode {
    /// The last column the cursor may be in on a row: with vi's keys the last character, else just after it.
    pub(super) fn limit(&self, row: usize, one_more: bool) -> usize {
        if one_more || !self.settings.vi { self.page.length(row) } else { self.page.last_character(row) }
    }

    pub(super) fn move_to(&mut self, x: usize, y: usize) {
        let y = y.min(self.page.rows() - 1);
        self.x = x;
        if !self.selection.rectangle {
            let row = (self.page.history() + y).saturating_sub(self.offset);
            self.x = x.min(self.limit(row, false));
        }
        self.y = y;
        self.settle();
    }

    pub(super) fn place(&self) -> Place {
        (self.x, self.row())
    }

    /// True unless a rectangle is being selected, where the cursor may leave the text.
    pub(super) fn keeps_to_text(&self) -> bool {
        !self.selection.present || !self.selection.rectangle
    }

    /// A motion of a reader that may leave the screen at the top.
    pub(super) fn read_up(&mut self, motion: impl FnOnce(&mut Reader<'_>)) {
        let mut reader = Reader::new(&self.page, self.place());
        motion(&mut reader);
        let to = reader.place();
        self.acquire_up(to);
    }

    /// A motion of a reader that may leave the screen at the bottom.
    pub(super) fn read_down(&mut self, keep_ends: bool, motion: impl FnOnce(&mut Reader<'_>)) {
        let mut reader = Reader::new(&self.page, self.place());
        motion(&mut reader);
        let to = reader.place();
        self.acquire_down(to, keep_ends);
    }

    pub(super) fn acquire_up(&mut self, (x, row): Place) {
        let top = self.top();
        for _ in row..top {
            self.cursor_up(true);
        }
        self.move_to(x, row.saturating_sub(top));
        self.update_selection(false);
    }

    pub(super) fn acquire_down(&mut self, (x, row): Place, keep_ends: bool) {
        let y = row.saturating_sub(self.top());
        let bottom = self.page.rows() - 1;
        for _ in bottom..y {
            self.cursor_down(true);
        }
        self.move_to(x, y.min(bottom));
        self.update_selection(keep_ends);
    }

    pub(super) fn start_of_line(&mut self) {
        self.read_up(|reader| reader.start_of_line());
    }

    pub(super) fn end_of_line(&mut self) {
        let all = !self.keeps_to_text();
        let mut reader = Reader::new(&self.page, self.place());
        reader.end_of_line(all);
        let (mut x, row) = reader.place();
        if !all {
            x = self.limit(row, false);
        }
        self.acquire_down((x, row), false);
    }

    pub(super) fn cursor_right(&mut self) {
        let edge = match (self.keeps_to_text(), self.settings.vi) {
            (false, _) => Edge::Screen,
            (true, true) => Edge::Character,
            (true, false) => Edge::After,
        };
        self.read_down(false, |reader| reader.right(true, edge));
    }

    fn remember_column(&mut self) {
        let length = self.page.length(self.row());
        if self.x != length {
            self.column = self.x;
            self.column_length = length;
        }
    }

    /// After a move to another row: a cursor that was at the end of a line goes to the end of this one.
    fn fit_to_row(&mut self) {
        let length = self.page.length(self.row());
        if (self.x >= self.column_length && self.x != length) || self.x > length {
            self.move_to(length, self.y);
            self.update_selection(false);
        }
    }

    /// Selecting whole lines keeps the cursor at the end that grows.
    fn fit_to_lines(&mut self) {
        let x = match self.selection.line {
            Line::None => return,
            Line::LeftRight if self.selection.rectangle => self.page.cols(),
            Line::LeftRight => self.page.length(self.row()),
            Line::RightLeft => 0,
        };
        self.move_to(x, self.y);
        self.update_selection(false);
    }

    pub(super) fn cursor_up(&mut self, scroll_only: bool) {
        let keeps = self.keeps_to_text();
        if keeps {
            self.remember_column();
        }
        if self.selection.line == Line::LeftRight && self.row() == self.selection.start.1 {
            self.other_end();
        }
        if scroll_only || self.y == 0 {
            if keeps {
                self.x = self.column;
            }
            self.scroll_down(1);
        } else {
            let x = if keeps { self.column } else { self.x };
            self.move_to(x, self.y - 1);
            self.update_selection(false);
        }
        if keeps {
            self.fit_to_row();
        }
        self.fit_to_lines();
    }

    pub(super) fn cursor_down(&mut self, scroll_only: bool) {
        let keeps = self.keeps_to_text();
        if keeps {
            self.remember_column();
        }
        if self.selection.line == Line::RightLeft && self.row() == self.selection.end.1 {
            self.other_end();
        }
        if scroll_only || self.y == self.page.rows() - 1 {
            if keeps {
                self.x = self.column;
            }
            self.scroll_up(1);
        } else {
            let x = if keeps { self.column } else { self.x };
            self.move_to(x, self.y + 1);
            self.update_selection(false);
        }
        if keeps {
            self.fit_to_row();
        }
        self.fit_to_lines();
    }

    /// A page or half of one towards the oldest line.
    pub(super) fn page_up(&mut self, half: bool) {
        let rows = self.turn_page(half);
        let history = self.page.history();
        if self.offset + rows > history {
            self.offset = history;
            self.y = self.y.saturating_sub(rows);
        } else {
            self.offset += rows;
        }
        self.page_turned();
    }

    /// A page or half of one towards the newest line; true when `exit` and that is reached, which ends the mode.
    pub(super) fn page_down(&mut self, half: bool, exit: bool) -> bool {
        let rows = self.turn_page(half);
        if self.offset < rows {
            self.offset = 0;
            self.y = (self.y + rows).min(self.page.rows() - 1);
        } else {
            self.offset -= rows;
        }
        let ends = exit && self.offset == 0 && !self.selection.present;
        self.page_turned();
        ends
    }

    /// Rows of a page with two of overlap, or of half of one.
    fn turn_page(&mut self, half: bool) -> usize {
        self.remember_column();
        self.x = self.column;
        match self.page.rows() {
            rows @ 0..=2 => rows.min(1),
            rows if half => rows / 2,
            rows => rows - 2,
        }
    }

    pub(super) fn page_turned(&mut self) {
        if self.keeps_to_text() {
            let length = self.page.length(self.row());
            if (self.x >= self.column_length && self.x != length) || self.x > length {
                self.end_of_line();
            }
        }
        self.mark_visible();
        self.update_selection(false);
    }

    /// Scroll so that the slider of a scroll bar is `slider` rows below the top of a pane.
    ///
    /// The bar is as high as the pane. True when `exit` and the newest line is reached, which ends the mode.
    pub(super) fn scroll_to_slider(&mut self, slider: u16, exit: bool) -> bool {
        let history = self.page.history();
        let rows = self.page.rows();
        let wanted = usize::from(slider) * (history + rows) / rows;
        let top = self.top();
        self.remember_column();
        self.x = self.column;
        self.offset = history.saturating_sub(wanted);
        if wanted > history {
            self.y = (self.y + wanted - top).min(rows - 1);
        }
        self.selection.stop();
        let ends = exit && self.offset == 0 && !self.selection.present;
        self.page_turned();
        ends
    }
}
