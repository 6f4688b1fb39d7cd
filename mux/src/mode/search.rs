//! Searching: finding the next match, and marking those on the screen.

use super::Mode;
use super::page::{Page, Place};
use super::pattern::{Pattern, is_plain};
use std::ops::Range;
use term::cell::Cell;

/// Columns of a wrapped line that an expression looks at.
const LINE_COLUMNS: usize = 2000;
/// Rows in which matches are counted; past them only those on the screen are marked.
const COUNTED_ROWS: usize = 200_000;

/// What was searched for last in a pane; it outlives the mode (`#{pane_search_string}`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The text or expression.
    pub text: String,
    /// True for an expression.
    pub regex: bool,
}

/// Towards the newest line or the oldest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Up,
    Down,
}

impl Direction {
    pub(super) fn reversed(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}

/// The state of searching.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) text: Option<String>,
    pub(super) regex: bool,
    /// The way `search-again` goes.
    pub(super) direction: Option<Direction>,
    /// True when the last search went down.
    pub(super) forward: bool,
    /// A number for each cell of the screen: 0 for none, else that of its match.
    pub(super) marks: Option<Vec<u32>>,
    pub(super) count: Option<usize>,
    pub(super) more: bool,
    all: bool,
    /// Column, row and offset where an incremental search began.
    pub(super) origin: Option<(usize, usize, usize)>,
    pub(super) last: Option<Searched>,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            text: None,
            regex: false,
            direction: None,
            forward: false,
            marks: None,
            count: Some(0),
            more: false,
            all: true,
            origin: None,
            last: None,
        }
    }
}

impl Search {
    pub(super) fn clear_marks(&mut self) {
        self.marks = None;
        self.count = None;
        self.more = false;
    }
}

/// A row and those it wraps into, as text, with the byte each cell begins at.
struct Joined {
    text: String,
    starts: Vec<usize>,
}

impl Joined {
    fn new(page: &Page, mut row: usize) -> Joined {
        let (mut text, mut starts) = (String::new(), Vec::new());
        loop {
            let line = page.line(row);
            for x in 0..page.cols() {
                starts.push(text.len());
                page.push(line.cells.get(x).copied().unwrap_or(Cell::BLANK), &mut text);
            }
            if !line.wrapped || row >= page.last() || starts.len() >= LINE_COLUMNS {
                return Joined { text, starts };
            }
            row += 1;
        }
    }

    /// First cell of what begins at a byte; the right half of a wide character before it is not meant.
    fn first(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte) - 1
    }

    /// Cells before the end of what ends at a byte.
    fn end(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start < byte)
    }

    /// The next match at or after a cell: its first cell and the one after it.
    fn find(&self, regex: &regex::Regex, from: usize) -> Option<(usize, usize)> {
        let found = regex.find_at(&self.text, *self.starts.get(from)?)?;
        (!found.is_empty()).then(|| (self.first(found.start()), self.end(found.end())))
    }
}

impl Pattern {
    /// The first match of a row that begins in `first..last`: its column, and its columns counted on over wrapped rows.
    fn next(&self, page: &Page, row: usize, first: usize, last: usize) -> Option<(usize, usize)> {
        if first >= last {
            return None;
        }
        match self {
            Pattern::Text(text, fold) => candidates(page, row, text, *fold, first..last)
                .find_map(|x| matched(page, (x, row), text, *fold).map(|width| (x, width))),
            Pattern::Regex(regex) => {
                let (x, end) = Joined::new(page, row).find(regex, first)?;
                (x < last).then_some((x, end - x))
            }
        }
    }

    /// The last match of a row that begins before `last`.
    fn previous(&self, page: &Page, row: usize, last: usize) -> Option<(usize, usize)> {
        match self {
            Pattern::Text(text, fold) => candidates(page, row, text, *fold, 0..last)
                .rev()
                .find_map(|x| matched(page, (x, row), text, *fold).map(|width| (x, width))),
            Pattern::Regex(regex) => {
                let joined = Joined::new(page, row);
                let (mut from, mut found) = (0, None);
                while let Some((x, end)) = joined.find(regex, from) {
                    if x >= last {
                        break;
                    }
                    found = Some((x, end - x));
                    if end >= last {
                        break;
                    }
                    from = end;
                }
                found
            }
        }
    }
}

/// Columns of a row where a text may begin, by its first character: most columns are passed over at once.
fn candidates(
    page: &Page,
    row: usize,
    text: &str,
    fold: bool,
    columns: Range<usize>,
) -> impl DoubleEndedIterator<Item = usize> {
    let line = page.line(row);
    let first = text.chars().next();
    columns.filter(move |x| {
        let glyph = line.cells.get(*x).copied().unwrap_or(Cell::BLANK).glyph;
        match glyph.as_char() {
            Some(c) => first == Some(if fold { c.to_ascii_lowercase() } else { c }),
            None => true,
        }
    })
}

/// Columns of a text when it stands at a place, over wrapped rows.
fn matched(page: &Page, (x, mut row): Place, text: &str, fold: bool) -> Option<usize> {
    let (mut left, mut width, mut column) = (text, 0, x);
    let mut line = page.line(row);
    let mut held = String::new();
    while !left.is_empty() {
        if column >= page.cols() {
            if row >= page.last() || !line.wrapped {
                return None;
            }
            column -= page.cols();
            row += 1;
            line = page.line(row);
        }
        let cell = line.cells.get(column).copied().unwrap_or(Cell::BLANK);
        let columns = match cell.glyph.tab_width() {
            Some(columns) if left.starts_with('\t') => {
                left = &left[1..];
                usize::from(columns).max(1)
            }
            Some(1) if left.starts_with(' ') => {
                left = &left[1..];
                1
            }
            Some(_) => return None,
            None if cell.glyph.is_padding() => return None,
            None => {
                if let Some(c) = cell.glyph.as_char() {
                    let c = if fold { c.to_ascii_lowercase() } else { c };
                    left = left.strip_prefix(c)?;
                } else {
                    held.clear();
                    page.push(cell, &mut held);
                    left = left.strip_prefix(held.as_str()).filter(|_| !held.is_empty())?;
                }
                1 + usize::from(cell.glyph.is_wide())
            }
        };
        column += columns;
        width += columns;
    }
    Some(width)
}

impl Mode {
    /// What was searched for last, to be kept with the pane.
    pub fn searched(&self) -> Option<&Searched> {
        self.search.last.as_ref()
    }

    /// What was searched for in the pane before this mode began.
    pub fn set_searched(&mut self, searched: Option<Searched>) {
        if let Some(searched) = &searched {
            self.search.direction = Some(Direction::Up);
            self.search.regex = searched.regex;
            self.search.text = Some(searched.text.clone());
        }
        self.search.last = searched;
    }

    /// Search for the text set; false when it is not found, and the cursor stays.
    pub(super) fn search(&mut self, direction: Direction, regex: bool) -> bool {
        let Some(text) = self.search.text.clone() else { return false };
        let regex = regex && !is_plain(&text);
        self.search.forward = direction == Direction::Down;
        let now = Searched { text, regex };
        let same = self.search.last.as_ref() == Some(&now);
        let visible_only = !std::mem::take(&mut self.search.all) && same;
        if !visible_only && self.search.marks.is_some() {
            self.search.clear_marks();
        }
        self.search.last = Some(now.clone());
        let Some(pattern) = Pattern::new(&now.text, regex) else { return false };
        let wrap = self.settings.wrap_search;
        let mut from = self.place();
        match direction {
            Direction::Up => from = self.place_left(from, wrap),
            // With vi's keys the cursor stands on the match, so the search begins after it.
            Direction::Down if self.settings.vi && self.search.marks.is_some() => from = self.after_mark(from, wrap),
            Direction::Down if self.settings.vi => from = self.place_right(from, wrap),
            Direction::Down => {}
        }
        if !self.search_from(&pattern, from, direction, wrap) {
            return false;
        }
        self.mark_pattern(&pattern, visible_only);
        match direction {
            Direction::Up => self.go_to_mark_start(),
            Direction::Down => {
                if self.is_inside_mark() {
                    let from = self.after_mark(self.place(), wrap);
                    self.search_from(&pattern, from, direction, wrap);
                }
                if !self.settings.vi {
                    self.go_after_mark(wrap);
                }
            }
        }
        true
    }

    fn search_from(&mut self, pattern: &Pattern, from: Place, direction: Direction, wrap: bool) -> bool {
        let last = self.page.last();
        let found = match direction {
            Direction::Down => self.find_down(pattern, from, last),
            Direction::Up => self.find_up(pattern, from, 0),
        };
        let found = match direction {
            _ if found.is_some() || !wrap => found,
            Direction::Down => self.find_down(pattern, (0, 0), from.1),
            Direction::Up => self.find_up(pattern, (self.page.cols() - 1, last), from.1),
        };
        if let Some((x, row)) = found {
            self.scroll_to(x, row, true);
        }
        found.is_some()
    }

    fn find_down(&self, pattern: &Pattern, (x, row): Place, last: usize) -> Option<Place> {
        let mut first = x;
        (row..=last).find_map(|row| {
            let found = pattern.next(&self.page, row, first, self.page.cols());
            first = 0;
            found.map(|(x, _)| (x, row))
        })
    }

    fn find_up(&self, pattern: &Pattern, (x, row): Place, last: usize) -> Option<Place> {
        let mut end = (x + 1).min(self.page.cols());
        (last..=row).rev().find_map(|row| {
            let found = pattern.previous(&self.page, row, end);
            end = self.page.cols();
            found.map(|(x, width)| self.overlapping((x, row), width, pattern, last))
        })
    }

    /// An expression found at the start of a wrapped row may begin rows before; the longest that ends there is meant.
    fn overlapping(&self, found: Place, width: usize, pattern: &Pattern, last: usize) -> Place {
        if matches!(pattern, Pattern::Text(..)) {
            return found;
        }
        let cols = self.page.cols();
        let end = |(x, row): Place, width: usize| row * cols + x + width;
        let wanted = end(found, width);
        let mut best = found;
        while best.0 == 0 && best.1 > last && self.page.wrapped(best.1 - 1) {
            let row = best.1 - 1;
            match pattern.previous(&self.page, row, cols) {
                Some((x, width)) if end((x, row), width) == wanted => best = (x, row),
                _ => break,
            }
        }
        best
    }

    fn place_left(&self, (x, row): Place, wrap: bool) -> Place {
        match (x, row) {
            (0, 0) if wrap => (self.page.cols() - 1, self.page.last()),
            (0, 0) => (0, 0),
            (0, row) => (self.page.cols() - 1, row - 1),
            (x, row) => (x - 1, row),
        }
    }

    fn place_right(&self, (x, row): Place, wrap: bool) -> Place {
        if x + 1 < self.page.cols() {
            (x + 1, row)
        } else if row < self.page.last() {
            (0, row + 1)
        } else if wrap {
            (0, 0)
        } else {
            (x, row)
        }
    }

    /// The index of a place among the marks, when it is on the screen.
    pub(super) fn mark_index(&self, (x, row): Place) -> Option<usize> {
        let top = self.top();
        (top..top + self.page.rows()).contains(&row).then(|| (row - top) * self.page.cols() + x)
    }

    pub(super) fn mark_at(&self, place: Place) -> u32 {
        let marks = self.search.marks.as_ref();
        marks.zip(self.mark_index(place)).and_then(|(marks, at)| marks.get(at)).copied().unwrap_or(0)
    }

    fn after_mark(&self, from: Place, wrap: bool) -> Place {
        let mark = self.mark_at(from);
        let mut place = from;
        while mark != 0 && self.mark_at(place) == mark {
            let next = self.place_right(place, wrap);
            if next == place || next == from {
                break;
            }
            place = next;
        }
        place
    }

    fn go_after_mark(&mut self, wrap: bool) {
        let (x, row) = self.after_mark(self.place(), wrap);
        if self.mark_index((x, row)).is_some() {
            self.x = x;
            self.y = row - self.top();
        } else {
            self.scroll_to(x, row, false);
        }
    }

    fn is_inside_mark(&self) -> bool {
        let Some((marks, at)) = self.search.marks.as_ref().zip(self.mark_index(self.place())) else { return false };
        at > 0 && at < marks.len() && marks[at] == marks[at - 1]
    }

    fn go_to_mark_start(&mut self) {
        let Some((marks, at)) = self.search.marks.as_ref().zip(self.mark_index(self.place())) else { return };
        let Some(&mark) = marks.get(at) else { return };
        let start = marks[..at].iter().rposition(|other| *other != mark).map_or(0, |before| before + 1);
        self.x = start % self.page.cols();
        self.y = start / self.page.cols();
        self.settle();
    }

    /// Mark the matches on the screen again, after the view has moved.
    pub(super) fn mark_visible(&mut self) {
        if self.search.marks.is_some() {
            self.mark_matches(true);
        }
    }

    pub(super) fn mark_matches(&mut self, visible_only: bool) {
        let Some(text) = &self.search.text else { return };
        if let Some(pattern) = Pattern::new(text, self.search.regex) {
            self.mark_pattern(&pattern, visible_only);
        }
    }

    fn mark_pattern(&mut self, pattern: &Pattern, visible_only: bool) {
        let (cols, rows, top) = (self.page.cols(), self.page.rows(), self.top());
        let mut marks = vec![0; cols * rows];
        let all = !visible_only && self.page.last() < COUNTED_ROWS;
        let range = if all {
            0..self.page.last() + 1
        } else {
            let mut start = top;
            while start > 0 && top - start < LINE_COLUMNS && self.page.wrapped(start - 1) {
                start -= 1;
            }
            start..top + rows
        };
        let (mut number, mut count) = (0, 0);
        for row in range {
            let mut x = 0;
            while let Some((at, width)) = pattern.next(&self.page, row, x, cols) {
                count += 1;
                x = at + width.max(1);
                if (top..top + rows).contains(&row) {
                    number += 1;
                    let start = (row - top) * cols + at;
                    let end = (start + width).min(marks.len());
                    for mark in marks[start..end].iter_mut().filter(|mark| **mark == 0) {
                        *mark = number;
                    }
                }
            }
        }
        self.search.marks = Some(marks);
        if visible_only {
            return;
        }
        self.search.more = !all;
        self.search.count = match count {
            count if all => Some(count),
            1001.. => Some(1000),
            101.. => Some(100),
            11.. => Some(10),
            _ => None,
        };
    }

    /// First and last index of the match that an index belongs to.
    pub(super) fn match_range(&self, at: usize) -> Option<(usize, usize)> {
        let marks = self.search.marks.as_ref()?;
        let mark = *marks.get(at).filter(|mark| **mark != 0)?;
        let start = marks[..at].iter().rposition(|other| *other != mark).map_or(0, |before| before + 1);
        let end = marks[at..].iter().position(|other| *other != mark).map_or(marks.len(), |after| at + after);
        Some((start, end - 1))
    }

    /// The text of the match under the cursor or just before it.
    pub(super) fn match_at_cursor(&self) -> Option<String> {
        let marks = self.search.marks.as_ref()?;
        let mut at = self.mark_index(self.place())?;
        if marks.get(at).is_none_or(|mark| *mark == 0) {
            at = at.checked_sub(1)?;
        }
        let (start, end) = self.match_range(at)?;
        let mut text = String::new();
        for at in start..=end {
            self.page.push(self.page.cell(at % self.page.cols(), self.top() + at / self.page.cols()), &mut text);
        }
        (!text.is_empty()).then_some(text)
    }

    /// One step of an incremental search: `text` begins with `=` for the search's own way, `+` for down, `-` for up.
    pub(super) fn search_incremental(&mut self, text: &str, own: Direction) {
        let mut chars = text.chars();
        let sign = chars.next();
        let text = chars.as_str();
        match self.search.origin {
            None => self.search.origin = Some((self.x, self.y, self.offset)),
            Some((x, y, offset)) if self.search.text.as_deref().is_some_and(|last| last != text) => {
                (self.x, self.y, self.offset) = (x, y, offset);
                self.settle();
                self.x = self.limit(self.row(), false);
            }
            Some(_) => {}
        }
        if text.is_empty() {
            return self.search.clear_marks();
        }
        let direction = match sign {
            Some('=') => own,
            Some('+') => Direction::Down,
            Some('-') => Direction::Up,
            _ => return,
        };
        self.search.direction = Some(direction);
        self.search.regex = false;
        self.search.text = Some(text.to_owned());
        if !self.search(direction, false) {
            self.search.clear_marks();
        }
    }
}
