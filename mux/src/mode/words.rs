//! Motions by words and paragraphs.

use super::Mode;
use super::reader::Reader;

impl Mode {
    pub(super) fn next_word(&mut self, separators: &str) {
        self.read_down(false, |reader| reader.next_word(separators));
    }

    pub(super) fn next_word_end(&mut self, separators: &str, keep_ends: bool) {
        let to = self.next_word_end_place(separators);
        self.acquire_down(to, keep_ends);
    }

    pub(super) fn previous_word(&mut self, separators: &str, already: bool) {
        let stop_at_end = !self.settings.vi;
        let mut reader = Reader::new(&self.page, self.place());
        reader.previous_word(separators, already, stop_at_end);
        let to = reader.place();
        self.acquire_up(to);
    }

    /// To the blank line before this paragraph.
    pub(super) fn previous_paragraph(&mut self) {
        let mut row = self.row();
        while row > 0 && self.page.length(row) == 0 {
            row -= 1;
        }
        while row > 0 && self.page.length(row) > 0 {
            row -= 1;
        }
        self.scroll_to(0, row, false);
    }

    /// To the blank line after this paragraph.
    pub(super) fn next_paragraph(&mut self) {
        let last = self.page.last();
        let mut row = self.row();
        while row < last && self.page.length(row) == 0 {
            row += 1;
        }
        while row < last && self.page.length(row) > 0 {
            row += 1;
        }
        self.scroll_to(self.page.length(row), row, false);
    }
}
