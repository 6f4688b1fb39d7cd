//! Selecting with the mouse. Columns and rows are cells from the pane's top left corner.

use super::Mode;
use super::selection::Unit;
use std::time::Duration;

impl Mode {
    /// How long after [`Mode::drag`] or [`Mode::drag_tick`] said so the next tick is due.
    pub const DRAG_DELAY: Duration = Duration::from_millis(50);

    /// Move the cursor to the mouse.
    pub(super) fn point(&mut self, column: u16, row: u16) {
        let x = self.column_of(column);
        self.move_to(x, row.into());
    }

    /// The mouse drags from one cell to another: select from there, by words or lines when they are what is selected there.
    /// True when [`Mode::drag_tick`] is to be called after [`Mode::DRAG_DELAY`].
    pub fn begin_drag(&mut self, from: (u16, u16), to: (u16, u16)) -> bool {
        let (x, y) = (self.column_of(from.0), usize::from(from.1).min(self.page.rows() - 1));
        let selection = &mut self.selection;
        let row = (self.page.history() + y).saturating_sub(self.offset);
        if x < selection.first_start.0 || x > selection.first_end.0 || row != selection.first_start.1 {
            selection.unit = Unit::Character;
        }
        match selection.unit {
            Unit::Word => {
                let separators = selection.separators.clone();
                self.move_to(x, y);
                if let Some(separators) = separators {
                    let (x, row) = self.previous_word_place(&separators);
                    self.move_to(x, row.saturating_sub(self.top()));
                }
            }
            Unit::Line => self.move_to(0, y),
            Unit::Character => {
                self.move_to(x, y);
                self.start_selection();
            }
        }
        self.drag(to)
    }

    /// The mouse goes on dragging. True when [`Mode::drag_tick`] is to be called after [`Mode::DRAG_DELAY`].
    pub fn drag(&mut self, to: (u16, u16)) -> bool {
        let before = (self.x, self.y);
        self.point(to.0, to.1);
        self.update_selection(false);
        self.dragging = false;
        if before.1 != self.y || before.0 == self.x {
            self.dragging = self.scroll_at_edge();
        }
        self.dragging
    }

    /// Scroll while the mouse is held at an edge. True when to be called again after [`Mode::DRAG_DELAY`].
    pub fn drag_tick(&mut self) -> bool {
        self.dragging = self.dragging && self.scroll_at_edge();
        self.dragging
    }

    /// The mouse was let go, there.
    pub fn end_drag(&mut self, at: (u16, u16)) {
        if self.gutter() > 0 {
            self.drag(at);
        }
        self.dragging = false;
    }

    fn scroll_at_edge(&mut self) -> bool {
        if self.y == 0 {
            self.cursor_up(true);
        } else if self.y == self.page.rows() - 1 {
            self.cursor_down(true);
        } else {
            return false;
        }
        true
    }
}
