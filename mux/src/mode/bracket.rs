//! Moving between a bracket and the one that matches it.

use super::Mode;
use super::page::{Place, ascii};

const OPEN: &str = "{[(";
const CLOSE: &str = "}])";

/// The bracket of `to` that matches one of `from`.
fn partner(c: char, from: &str, to: &str) -> Option<char> {
    from.find(c).and_then(|at| to[at..].chars().next())
}

impl Mode {
    fn bracket_at(&self, (x, row): Place) -> Option<char> {
        ascii(self.page.cell(x, row))
    }

    /// Walks by `step` from a bracket until as many of `end` as of `start` were met.
    fn matching(&self, start: char, end: char, mut step: impl FnMut() -> Option<Place>) -> Option<Place> {
        let mut open = 1usize;
        loop {
            let place = step()?;
            match self.bracket_at(place) {
                Some(c) if c == start => open += 1,
                Some(c) if c == end => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Some(place);
            }
        }
    }

    /// The place before another, over empty rows.
    fn place_before(&self, (x, row): Place) -> Option<Place> {
        if x > 0 {
            return Some((x - 1, row));
        }
        let row = (0..row).rev().find(|&row| self.page.length(row) > 0)?;
        Some((self.page.length(row) - 1, row))
    }

    /// The place after another, up to just after the end of each row.
    fn place_after(&self, (x, row): Place) -> Option<Place> {
        if x <= self.page.length(row) {
            return Some((x + 1, row));
        }
        (row < self.page.last()).then_some((0, row + 1))
    }

    /// To the bracket that the closing one at the cursor, or with emacs' keys just before it, matches. False ends repetition.
    pub(super) fn previous_bracket(&mut self) -> bool {
        let (mut x, row) = self.place();
        if self.page.length(row) == 0 {
            return false;
        }
        let closing = |mode: &Mode, x: usize| mode.bracket_at((x, row)).filter(|c| CLOSE.contains(*c));
        let mut found = closing(self, x);
        if found.is_none() && !self.settings.vi && x > 0 {
            x -= 1;
            found = closing(self, x);
        }
        let Some((found, start)) = found.and_then(|found| Some((found, partner(found, CLOSE, OPEN)?))) else {
            if !self.settings.vi {
                self.previous_word(CLOSE, true);
            }
            return true;
        };
        let mut at = (x, row);
        let place = self.matching(found, start, || {
            at = self.place_before(at)?;
            Some(at)
        });
        if let Some((x, row)) = place {
            self.scroll_to(x, row, false);
        }
        true
    }

    /// To the bracket that the opening one at or after the cursor matches. False ends repetition.
    pub(super) fn next_bracket(&mut self) -> bool {
        let (mut x, mut row) = self.place();
        let mut length = self.page.length(row);
        if length == 0 {
            return false;
        }
        let mut tried = false;
        let (found, end) = loop {
            let here = self.bracket_at((x, row));
            if self.settings.vi && here.is_some_and(|c| CLOSE.contains(c)) {
                self.leave_closing((x, row));
                return false;
            }
            if let Some(found) = here
                && let Some(end) = partner(found, OPEN, CLOSE)
            {
                break (found, end);
            }
            if !self.settings.vi {
                if tried || x > length {
                    let to = self.next_word_end_place(OPEN);
                    self.acquire_down(to, false);
                    return true;
                }
                tried = true;
                x += 1;
            } else if x <= length {
                x += 1;
            } else {
                if row >= self.page.last() || !self.page.wrapped(row) {
                    return true;
                }
                row += 1;
                x = 0;
                length = self.page.length(row);
            }
        };
        let mut at = (x, row);
        let place = self.matching(found, end, || {
            at = self.place_after(at)?;
            Some(at)
        });
        if let Some((x, row)) = place {
            self.scroll_to(x, row, false);
        }
        true
    }

    /// vi goes back from a closing bracket; where nothing matches the cursor stays.
    fn leave_closing(&mut self, (x, row): Place) {
        let before = self.place();
        self.scroll_to(x, row, false);
        let times = self.repeat;
        for _ in 0..times.min(super::call::MOST) {
            let at = self.place();
            if !self.previous_bracket() || self.place() == at {
                break;
            }
        }
        if self.bracket_at(self.place()).is_some_and(|c| CLOSE.contains(c)) {
            self.scroll_to(before.0, before.1, false);
        }
    }
}
