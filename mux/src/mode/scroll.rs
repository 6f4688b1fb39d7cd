//! Moving the view.

use super::{Mode, Recentre};

impl Mode {
    /// Towards the newest line.
    pub(super) fn scroll_up(&mut self, rows: usize) {
        let rows = rows.min(self.offset);
        if rows > 0 {
            self.offset -= rows;
            self.scrolled_by_rows();
        }
    }

    /// Towards the oldest line.
    pub(super) fn scroll_down(&mut self, rows: usize) {
        let history = self.page.history();
        if rows > history {
            return;
        }
        let rows = rows.min(history - self.offset);
        if rows > 0 {
            self.offset += rows;
            self.scrolled_by_rows();
        }
    }

    fn scrolled_by_rows(&mut self) {
        self.mark_visible();
        self.update_selection(false);
    }

    /// Scroll the cursor's line to a row of the screen, when the text reaches that far.
    pub(super) fn scroll_row_to(&mut self, to: usize) {
        let distance = self.y.abs_diff(to);
        if self.y > to && self.offset >= distance {
            self.scroll_up(distance);
            self.y = to;
        } else if self.y < to && self.top() >= distance {
            self.scroll_down(distance);
            self.y = to;
        }
        self.update_selection(false);
    }

    /// Move the cursor to a place; one that is not on the screen is shown a quarter from its bottom.
    pub(super) fn scroll_to(&mut self, x: usize, row: usize, quiet: bool) {
        let (rows, history, top) = (self.page.rows(), self.page.history(), self.top());
        self.x = x;
        if (top..top + rows).contains(&row) {
            self.y = row - top;
        } else {
            let gap = rows / 4;
            let shown = if row < rows {
                0
            } else if row > history + rows - gap {
                history
            } else {
                (row + gap - rows).min(history)
            };
            self.y = row - shown;
            self.offset = history - shown;
        }
        self.settle();
        if !quiet {
            self.mark_visible();
        }
        self.update_selection(false);
    }

    /// `goto-line`: what is no number is ignored.
    pub(super) fn goto_line(&mut self, text: &str) {
        let Some(line) = text.trim_start().parse::<i64>().ok().filter(|line| (-1..=i64::from(i32::MAX)).contains(line))
        else {
            return;
        };
        let history = self.page.history();
        let line = usize::try_from(line).ok();
        self.offset = if self.line_numbers().is_absolute() {
            history + 1 - line.unwrap_or(1).clamp(1, history + 1)
        } else {
            line.unwrap_or(history).min(history)
        };
        self.update_selection(false);
    }

    /// The cursor's line to the middle, the top and the bottom in turn.
    pub(super) fn recentre(&mut self) {
        let bottom = self.page.rows() - 1;
        let row = self.row();
        if self.recentre.1 != row {
            self.recentre = (Recentre::Middle, row);
        }
        let before = self.offset;
        match self.recentre.0 {
            Recentre::Middle => {
                let middle = bottom / 2;
                if self.y < middle {
                    self.scroll_down(middle - self.y);
                } else {
                    self.scroll_up(self.y - middle);
                }
                self.recentre.0 = Recentre::Top;
            }
            Recentre::Top => {
                self.scroll_up(self.y);
                self.recentre.0 = Recentre::Bottom;
            }
            Recentre::Bottom => {
                self.scroll_down(bottom - self.y);
                self.recentre.0 = Recentre::Middle;
            }
        }
        self.y = (self.y + self.offset).saturating_sub(before);
        self.settle();
        self.update_selection(false);
    }

    /// To the line of the next or previous prompt, or of a command's output.
    pub(super) fn go_to_prompt(&mut self, forward: bool, output: bool) {
        let from = self.row();
        let is_one = |row: &usize| {
            let line = self.page.line(*row);
            if output { line.output } else { line.prompt }
        };
        let found = if forward { (from + 1..=self.page.last()).find(is_one) } else { (0..from).rev().find(is_one) };
        if let Some(row) = found {
            self.show(0, row);
            self.update_selection(false);
        }
    }

    pub(super) fn jump_to_mark(&mut self) {
        let here = self.place();
        let (x, row) = self.mark.place;
        self.show(x, row);
        self.mark.place = here;
        self.mark.shown = true;
        self.settle();
        self.update_selection(false);
    }
}
