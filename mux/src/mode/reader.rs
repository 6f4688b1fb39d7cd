//! Motions over the text of a page, which neither know nor move a view: words, lines, brackets, characters to jump to.

use super::page::{Page, Place, character};

/// What words are always parted by.
pub(crate) const WHITESPACE: &str = "\t ";

/// A cursor that walks over a page.
pub(crate) struct Reader<'a> {
    page: &'a Page,
    x: usize,
    y: usize,
}

/// What stops [`Reader::right`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The last character of the line (vi).
    Character,
    /// Just after the line (emacs).
    After,
    /// The right edge of the screen.
    Screen,
}

impl<'a> Reader<'a> {
    /// A reader at a place.
    pub(crate) fn new(page: &'a Page, (x, y): Place) -> Reader<'a> {
        Reader { page, x, y: y.min(page.last()) }
    }

    /// Where it is; a word at the very end of the page leaves it at the edge.
    pub(crate) fn place(&self) -> Place {
        (self.x.min(self.page.cols()), self.y)
    }

    fn length(&self) -> usize {
        self.page.length(self.y)
    }

    fn leave_padding(&mut self) {
        while self.x > 0 && self.page.cell(self.x, self.y).glyph.is_padding() {
            self.x -= 1;
        }
    }

    /// One character to the right, to the next line at the edge when `wrap`.
    pub(crate) fn right(&mut self, wrap: bool, edge: Edge) {
        let end = match edge {
            Edge::Screen => self.page.cols(),
            Edge::After => self.length(),
            Edge::Character => self.page.last_character(self.y),
        };
        if wrap && self.x >= end && self.y < self.page.last() {
            self.x = 0;
            self.down();
        } else if self.x < end {
            self.x += 1;
            while self.x < end && self.page.cell(self.x, self.y).glyph.is_padding() {
                self.x += 1;
            }
        }
    }

    /// One character to the left, from the first to the line before when `wrap` or when that wraps into this one.
    pub(crate) fn left(&mut self, wrap: bool) {
        self.leave_padding();
        if self.x == 0 && self.y > 0 && (wrap || self.page.wrapped(self.y - 1)) {
            self.up();
            self.x = self.length();
        } else {
            self.x = self.x.saturating_sub(1);
        }
    }

    fn down(&mut self) {
        self.y = (self.y + 1).min(self.page.last());
        self.leave_padding();
    }

    fn up(&mut self) {
        self.y = self.y.saturating_sub(1);
        self.leave_padding();
    }

    /// The first column of the whole wrapped line.
    pub(crate) fn start_of_line(&mut self) {
        while self.y > 0 && self.page.wrapped(self.y - 1) {
            self.y -= 1;
        }
        self.x = 0;
    }

    /// The end of the whole wrapped line; with `all` the edge of the screen.
    pub(crate) fn end_of_line(&mut self, all: bool) {
        while self.y < self.page.last() && self.page.wrapped(self.y) {
            self.y += 1;
        }
        self.x = if all { self.page.cols() } else { self.length() };
    }

    /// True on a character of a set.
    pub(crate) fn is_in(&self, set: &str) -> bool {
        self.page.in_set(self.x, self.y, set) != 0
    }

    /// Where a row ends for words, which are not broken by wrapping.
    fn end(&self) -> usize {
        if self.page.wrapped(self.y) { self.page.cols() - 1 } else { self.length() }
    }

    /// Goes to the next row when past `end`; false past the newest row.
    fn wrap(&mut self, end: &mut usize) -> bool {
        while self.x > *end {
            if self.y >= self.page.last() {
                return false;
            }
            self.x = 0;
            self.down();
            *end = self.end();
        }
        true
    }

    /// Over a run of separators or of letters, whichever the reader stands on.
    fn skip_word(&mut self, end: &mut usize, separators: &str) {
        let on_separator = self.is_in(separators);
        loop {
            self.x += 1;
            if !self.wrap(end) || self.is_in(WHITESPACE) || self.is_in(separators) != on_separator {
                return;
            }
        }
    }

    /// The start of the next word.
    pub(crate) fn next_word(&mut self, separators: &str) {
        let mut end = self.end();
        if !self.wrap(&mut end) {
            return;
        }
        if !self.is_in(WHITESPACE) {
            self.skip_word(&mut end, separators);
        }
        while self.wrap(&mut end) {
            let width = self.page.in_set(self.x, self.y, WHITESPACE);
            if width == 0 {
                return;
            }
            self.x += width;
        }
    }

    /// Just after the end of the next word.
    pub(crate) fn next_word_end(&mut self, separators: &str) {
        let mut end = self.end();
        while self.wrap(&mut end) {
            if self.is_in(WHITESPACE) {
                self.x += 1;
            } else {
                return self.skip_word(&mut end, separators);
            }
        }
    }

    /// The start of this word, or with `already` of the one before; with `stop_at_end` a line that ends in a space stops it.
    pub(crate) fn previous_word(&mut self, separators: &str, already: bool, stop_at_end: bool) {
        let mut letters = !self.is_in(separators);
        if already || self.is_in(WHITESPACE) {
            loop {
                if self.x > 0 {
                    self.x -= 1;
                    if !self.is_in(WHITESPACE) {
                        letters = !self.is_in(separators);
                        break;
                    }
                } else {
                    if self.y == 0 {
                        return;
                    }
                    self.up();
                    self.x = self.length();
                    if stop_at_end && self.x > 0 && self.page.in_set(self.x - 1, self.y, WHITESPACE) != 0 {
                        letters = false;
                        break;
                    }
                }
            }
        }
        let mut last;
        loop {
            last = self.place();
            if self.x == 0 {
                if self.y == 0 || !self.page.wrapped(self.y - 1) {
                    break;
                }
                self.up();
                self.x = self.page.cols();
            }
            self.x = self.x.saturating_sub(1);
            if self.is_in(WHITESPACE) || letters == self.is_in(separators) {
                break;
            }
        }
        (self.x, self.y) = last;
    }

    fn is_character(&self, x: usize, y: usize, wanted: &str) -> bool {
        let cell = self.page.cell(x, y);
        if cell.glyph.is_padding() {
            return false;
        }
        if cell.glyph.tab_width().is_some() && wanted == "\t" {
            return true;
        }
        if let Some(c) = character(cell) {
            return wanted.strip_prefix(c) == Some("");
        }
        let mut text = String::new();
        self.page.push(cell, &mut text);
        text == wanted
    }

    /// Forward to a character in the wrapped line; false when it is not there.
    pub(crate) fn jump(&mut self, wanted: &str) -> bool {
        let mut first = self.x;
        for y in self.y..=self.page.last() {
            if let Some(x) = (first..self.page.length(y)).find(|&x| self.is_character(x, y, wanted)) {
                (self.x, self.y) = (x, y);
                return true;
            }
            if !self.page.wrapped(y) {
                return false;
            }
            first = 0;
        }
        false
    }

    /// Back to a character in the wrapped line; false when it is not there.
    pub(crate) fn jump_back(&mut self, wanted: &str) -> bool {
        let mut end = self.x + 1;
        for y in (0..=self.y).rev() {
            if let Some(x) = (0..end).rev().find(|&x| self.is_character(x, y, wanted)) {
                (self.x, self.y) = (x, y);
                return true;
            }
            if y == 0 || !self.page.wrapped(y - 1) {
                return false;
            }
            end = self.page.length(y - 1);
        }
        false
    }

    /// The first character of the wrapped line that is no blank; stays where there is none.
    pub(crate) fn back_to_indentation(&mut self) {
        let before = self.place();
        self.start_of_line();
        for y in self.y..=self.page.last() {
            let blank = |x: usize| {
                let cell = self.page.cell(x, y);
                cell.glyph.is_padding() || cell.glyph.tab_width().is_some() || cell.glyph.as_char() == Some(' ')
            };
            if let Some(x) = (0..self.page.length(y)).find(|&x| !blank(x)) {
                (self.x, self.y) = (x, y);
                return;
            }
            if !self.page.wrapped(y) {
                break;
            }
        }
        (self.x, self.y) = before;
    }
}
