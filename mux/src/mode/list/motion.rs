//! Moving in a list: up and down, expanding, tagging, and how many rows it has beside its preview.

use super::{Item, List, Preview};

impl List {
    /// How many rows of the screen the list takes.
    pub(super) fn fit(&mut self) {
        let (rows, lines) = (self.screen_rows, self.lines.len());
        self.height = match (self.settings.preview, self.source.preview_rows) {
            (Preview::Off, _) => rows,
            (_, Some(preview)) => rows.checked_sub(preview).filter(|height| *height > 0).unwrap_or(rows),
            (Preview::Normal, None) => {
                let most = rows / 3 * 2;
                let height = if most > lines { rows / 2 } else { most };
                if height < 10 { rows } else { height }
            }
            (Preview::Big, None) => (rows / 4).min(lines).max(2),
        };
        if rows.saturating_sub(self.height) < 2 {
            self.height = rows;
        }
    }

    /// Scroll so far that the current row is the last one on the screen at most.
    pub(super) fn see_current(&mut self) {
        if self.height > 0 && self.current > self.height - 1 {
            self.offset = self.current - self.height + 1;
        }
    }

    fn begin_at(&mut self, line: usize) {
        self.current = line;
        self.offset = 0;
        self.see_current();
    }

    /// Make a row current; one that is not shown leaves the current one, or the last.
    pub(crate) fn set_current(&mut self, item: &Item) -> bool {
        let found = self.lines.iter().position(|at| self.rows[*at].draft.item == *item);
        match found {
            Some(line) => self.begin_at(line),
            None if self.current >= self.lines.len() => self.begin_at(self.lines.len().saturating_sub(1)),
            None => {}
        }
        found.is_some()
    }

    /// The same, without scrolling when the row can be seen as it is.
    pub(super) fn keep_current(&mut self, item: &Item) {
        let offset = self.offset.min(self.lines.len().saturating_sub(self.height.max(1)));
        self.set_current(item);
        if (offset..offset + self.height.max(1)).contains(&self.current) {
            self.offset = offset;
        }
    }

    pub(super) fn up(&mut self, wraps: bool) {
        if self.current > 0 {
            self.current -= 1;
            self.offset = self.offset.min(self.current);
        } else if wraps && !self.lines.is_empty() {
            self.begin_at(self.lines.len() - 1);
        }
    }

    /// False when there is nothing below.
    pub(super) fn down(&mut self, wraps: bool) -> bool {
        if self.current + 1 < self.lines.len() {
            self.current += 1;
            self.offset = self.offset.max((self.current + 1).saturating_sub(self.height.max(1)));
        } else if wraps && !self.lines.is_empty() {
            self.begin_at(0);
        } else {
            return false;
        }
        true
    }

    pub(super) fn page_up(&mut self) {
        (0..self.height).for_each(|_| self.up(false));
    }

    pub(super) fn page_down(&mut self) {
        for _ in 0..self.height {
            self.down(false);
        }
    }

    pub(super) fn top(&mut self) {
        self.begin_at(0);
    }

    pub(super) fn bottom(&mut self) {
        self.begin_at(self.lines.len().saturating_sub(1));
    }

    /// Go to a line of the screen; false when nothing is there.
    pub(super) fn go_to_screen_row(&mut self, row: usize) -> bool {
        let there = self.offset + row < self.lines.len();
        if there {
            self.current = self.offset + row;
        }
        there
    }

    /// The line of the row that a key chooses.
    pub(super) fn line_of_key(&self, key: &str) -> Option<usize> {
        self.lines.iter().position(|at| self.rows[*at].key.as_deref() == Some(key))
    }

    pub(super) fn go_to_line(&mut self, line: usize) {
        self.current = line;
    }

    pub(super) fn current_at(&self) -> Option<usize> {
        self.lines.get(self.current).copied()
    }

    /// Show or hide what is below a row.
    pub(crate) fn set_expanded(&mut self, item: &Item, on: bool) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.draft.item == *item) {
            row.expanded = on;
        }
    }

    /// Hide what is below the current row, or where there is nothing the row it is below.
    pub(super) fn collapse(&mut self) {
        let Some(at) = self.current_at() else { return };
        let row = &self.rows[at];
        match if row.flat || !row.expanded { row.parent } else { Some(at) } {
            None => self.up(false),
            Some(at) => {
                self.rows[at].expanded = false;
                self.current = self.lines.iter().position(|line| *line == at).unwrap_or(0);
            }
        }
    }

    /// Show what is below the current row; go down where it is shown.
    pub(super) fn expand(&mut self) {
        let Some(at) = self.current_at() else { return };
        if self.rows[at].flat || self.rows[at].expanded {
            self.down(false);
        } else {
            self.rows[at].expanded = true;
        }
    }

    /// Show or hide what is below every row at the top.
    pub(super) fn expand_all(&mut self, on: bool) {
        self.rows.iter_mut().filter(|row| row.parent.is_none()).for_each(|row| row.expanded = on);
    }

    /// Tag the current row, or untag it. A row is never tagged together with one above or below it.
    pub(super) fn toggle_tag(&mut self) {
        let Some(at) = self.current_at().filter(|at| self.rows[*at].draft.item.can_be_tagged()) else { return };
        let on = !self.rows[at].tagged;
        if on {
            let mut above = self.rows[at].parent;
            while let Some(parent) = above {
                self.rows[parent].tagged = false;
                above = self.rows[parent].parent;
            }
            let depth = self.rows[at].draft.depth;
            self.rows[at + 1..].iter_mut().take_while(|row| row.draft.depth > depth).for_each(|row| row.tagged = false);
        }
        self.rows[at].tagged = on;
    }

    pub(super) fn untag_all(&mut self) {
        self.rows.iter_mut().for_each(|row| row.tagged = false);
    }

    /// Tag every row at the top.
    pub(super) fn tag_all(&mut self) {
        for row in &mut self.rows {
            row.tagged = row.parent.is_none() && row.draft.item.can_be_tagged();
        }
    }

    /// The next row in a direction with the same depth below the same row.
    pub(super) fn sibling(&self, forward: bool) -> Option<Item> {
        let depth = self.current_row()?.draft.depth;
        let mut line = self.current;
        loop {
            line = if forward { line + 1 } else { line.checked_sub(1)? };
            let row = &self.rows[*self.lines.get(line)?];
            if row.draft.depth <= depth {
                return (row.draft.depth == depth).then(|| row.draft.item.clone());
            }
        }
    }

    pub(super) fn next_order(&mut self) {
        let orders = self.source.orders;
        let at = orders.iter().position(|order| *order == self.settings.sorting.order);
        let next = at.map_or(0, |at| (at + 1) % orders.len().max(1));
        if let Some(order) = orders.get(next) {
            self.settings.sorting.order = *order;
        }
    }

    pub(super) fn reverse(&mut self) {
        self.settings.sorting.reversed = !self.settings.sorting.reversed;
    }

    pub(super) fn next_preview(&mut self) {
        self.settings.preview = match self.settings.preview {
            Preview::Off => Preview::Big,
            Preview::Normal => Preview::Off,
            Preview::Big => Preview::Normal,
        };
    }

    pub(super) fn scroll_preview(&mut self, by: i64) {
        self.shift += by;
    }
}

impl Item {
    /// A note, a heading and a part of a row can't.
    fn can_be_tagged(&self) -> bool {
        match self {
            Item::Note(_) => false,
            Item::Setting(setting) => {
                use super::customize::Setting;
                !matches!(**setting, Setting::Heading(_) | Setting::Key(_, _, Some(_)))
            }
            _ => true,
        }
    }
}
