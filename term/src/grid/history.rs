//! Lines that have scrolled off: encoded in pages, laid out anew only when looked at.
//!
//! A page is a sequence of records (see `record.rs`). Records keep the rows as they were when they scrolled off, with
//! the width they were laid out for; at another width the records of one logical line are joined and wrapped again on
//! the way out. So a change of width only counts rows. Closed pages never change: they belong to a [`PageStore`].

use super::line::{Line, LineFlags, grown, is_extended, wrap_columns};
use super::record::{self, Item, Record, put_line, put_width, row_ends};
use crate::cell::{Cell, Glyph, Graphemes};
use std::collections::VecDeque;
use std::ops::Range;

/// A page is closed before it would grow past this.
pub const PAGE_BYTES: usize = 1 << 16;
/// An unfinished logical line is carried over to the next page if it is no longer than this.
const MAX_CARRY: usize = PAGE_BYTES / 4;

/// Keeper of closed history pages, which are never changed. Numbers go up by one.
pub trait PageStore {
    /// Keeps a page of at most [`PAGE_BYTES`]; its number is the end of [`PageStore::range`] before.
    fn push(&mut self, page: &[u8]);
    /// The page of a number, if it is still kept.
    fn page(&self, number: u64) -> Option<&[u8]>;
    /// Forgets all pages below `number`.
    fn drop_before(&mut self, number: u64);
    /// The numbers of the pages kept.
    fn range(&self) -> Range<u64>;
}

/// Pages in memory.
#[derive(Default, Debug)]
pub struct VecStore {
    first: u64,
    pages: VecDeque<Box<[u8]>>,
}

impl PageStore for VecStore {
    fn push(&mut self, page: &[u8]) {
        self.pages.push_back(page.into());
    }

    fn page(&self, number: u64) -> Option<&[u8]> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.pages.get(index).map(|page| &**page)
    }

    fn drop_before(&mut self, number: u64) {
        while self.first < number && self.pages.pop_front().is_some() {
            self.first += 1;
        }
    }

    fn range(&self) -> Range<u64> {
        self.first..self.first + self.pages.len() as u64
    }
}

/// What is remembered of a page outside of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) number: u64,
    pub(crate) len: u32,
    pub(crate) crc: u32,
    /// The width all its records were laid out for, 0 if there are several.
    pub(crate) layout: u16,
    /// Records that still count.
    pub(crate) records: u32,
    /// Rows at the width of the history.
    pub(crate) rows: u32,
}

/// Where the oldest row begins in the first page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Front {
    pub(crate) offset: usize,
    pub(crate) layout: u16,
    /// Cells of its first logical line that are gone.
    pub(crate) skip: usize,
}

/// The history of one screen.
pub(crate) struct History {
    pub(crate) store: Box<dyn PageStore>,
    pub(crate) pages: VecDeque<Page>,
    pub(crate) open: Vec<u8>,
    pub(crate) open_page: Page,
    pub(crate) front: Front,
    pub(crate) cols: u16,
    /// What padding counts when lines are wrapped anew.
    pub(crate) pad: usize,
    pub(crate) limit: u32,
    /// Rows that may be pulled back when the screen grows.
    pub(crate) scrolled: usize,
    rows: usize,
    open_layout: u16,
    last: usize,
    last_wrapped: bool,
    run_start: usize,
}

/// A row on its way out.
pub(crate) enum HistoryRow<'a> {
    /// Just as it was, on a screen that was so wide.
    Record(Record<'a>, usize),
    /// Wrapped anew.
    Line(Line),
}

type Clusters<'a> = &'a mut dyn FnMut(&str, bool) -> Option<Glyph>;

impl History {
    pub(crate) fn new(cols: u16, limit: u32, store: Box<dyn PageStore>) -> History {
        History {
            store,
            pages: VecDeque::new(),
            open: Vec::new(),
            open_page: Page::default(),
            front: Front::default(),
            cols,
            pad: 0,
            limit,
            scrolled: 0,
            rows: 0,
            open_layout: 0,
            last: 0,
            last_wrapped: false,
            run_start: 0,
        }
    }

    /// Rows at the present width.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.pages.iter().map(|page| page.len as usize).sum::<usize>() + self.open.len()
    }

    /// Drops the oldest rows when the limit is reached: a tenth of it, as tmux does.
    #[inline]
    pub(crate) fn collect(&mut self) {
        if self.rows != 0 && self.rows >= self.limit as usize {
            self.drop_rows((self.limit as usize / 10).max(1));
        }
    }

    /// Drops all that is over the limit, or one row at it.
    pub(crate) fn collect_all(&mut self) {
        if self.rows != 0 && self.rows >= self.limit as usize {
            self.drop_rows((self.rows - self.limit as usize).max(1));
        }
    }

    /// Adds a row that scrolled off a grid of the history's width.
    #[inline]
    pub(crate) fn push(&mut self, line: &Line, graphemes: &Graphemes) {
        if self.open.is_empty() || self.open_layout != self.cols {
            self.begin_layout();
        }
        let start = self.open.len();
        put_line(&mut self.open, line, self.cols as usize, graphemes);
        if self.open.len() - start > PAGE_BYTES - 64 {
            self.open.truncate(start);
            put_line(&mut self.open, &plainer(line), self.cols as usize, graphemes);
        }
        if !self.last_wrapped {
            self.run_start = start;
        }
        self.last = start;
        self.last_wrapped = line.flags.contains(LineFlags::WRAPPED);
        self.open_page.records += 1;
        self.open_page.rows += 1;
        self.rows += 1;
        if self.open.len() > PAGE_BYTES {
            self.turn_page();
        }
    }

    fn begin_layout(&mut self) {
        let first = self.open.is_empty();
        put_width(&mut self.open, self.cols);
        self.open_layout = self.cols;
        self.open_page.layout = if first { self.cols } else { 0 };
        if first && self.pages.is_empty() {
            self.front = Front { offset: 0, layout: self.cols, skip: 0 };
        }
    }

    /// Closes the open page and begins one with what does not fit, a logical line whole if that is not too much.
    fn turn_page(&mut self) {
        let begin = if self.pages.is_empty() { self.front.offset } else { 0 };
        let carry = self.run_start > begin + 8 && self.open.len() - self.run_start <= MAX_CARRY;
        let cut = if carry { self.run_start } else { self.last };
        let tail = self.open.split_off(cut);
        let (total, records) = (self.open_page.rows, self.open_page.records);
        let mut moved = 0;
        let mut rest = tail.as_slice();
        while record::next(&mut rest).is_some() {
            moved += 1;
        }
        self.open_page.records = records - moved;
        self.open_page.rows = total - moved;
        self.close_page();
        put_width(&mut self.open, self.cols);
        self.open_page.layout = self.cols;
        let shift = self.open.len();
        self.last = self.last - cut + shift;
        self.run_start = (self.run_start.max(cut)) - cut + shift;
        self.open.extend_from_slice(&tail);
        self.open_page.records = moved;
        self.open_page.rows = moved;
    }

    fn close_page(&mut self) {
        let number = self.store.range().end;
        self.store.push(&self.open);
        self.pages.push_back(Page {
            number,
            len: self.open.len() as u32,
            crc: crc32fast::hash(&self.open),
            ..self.open_page
        });
        self.open.clear();
        self.open_page = Page::default();
    }

    /// Takes the newest closed page back to be changed; its old form in the store is not used any more.
    fn reopen(&mut self) {
        if self.open_page.records > 0 {
            return;
        }
        let Some(page) = self.pages.pop_back() else { return };
        self.open.clear();
        if let Some(bytes) = self.store.page(page.number) {
            self.open.extend_from_slice(bytes);
        }
        self.open_page = page;
        self.settle();
    }

    /// Finds again what is known of the end of the open page.
    fn settle(&mut self) {
        let mut rest = self.open.as_slice();
        (self.last_wrapped, self.last, self.run_start, self.open_layout) = (false, 0, 0, 0);
        loop {
            let at = self.open.len() - rest.len();
            match record::next(&mut rest) {
                Some(Item::Width(cols)) => self.open_layout = cols,
                Some(Item::Line(record)) => {
                    if !self.last_wrapped {
                        self.run_start = at;
                    }
                    (self.last, self.last_wrapped) = (at, record.wrapped());
                }
                None => break,
            }
        }
    }

    /// The newest row goes on no more.
    #[inline]
    pub(crate) fn unwrap_last(&mut self) {
        if self.last_wrapped {
            self.unwrap_last_record();
        }
    }

    fn unwrap_last_record(&mut self) {
        self.reopen();
        self.last_wrapped = false;
        record::clear_wrapped(&mut self.open[self.last..]);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        let end = self.store.range().end;
        self.store.drop_before(end);
        self.pages.clear();
        self.open = Vec::new();
        self.open_page = Page::default();
        self.front = Front::default();
        (self.rows, self.scrolled, self.last, self.run_start) = (0, 0, 0, 0);
        self.last_wrapped = false;
    }

    fn page_bytes(&self, index: usize) -> &[u8] {
        match self.pages.get(index) {
            Some(page) => self.store.page(page.number).unwrap_or(&[]),
            None => &self.open,
        }
    }

    fn groups(&self, index: usize) -> Groups<'_> {
        let bytes = self.page_bytes(index);
        let front = if index == 0 { self.front } else { Front::default() };
        Groups {
            bytes,
            offset: front.offset,
            layout: front.layout,
            skip: front.skip,
            cols: self.cols as usize,
            pad: self.pad,
        }
    }

    fn page_mut(&mut self, index: usize) -> &mut Page {
        self.pages.get_mut(index).unwrap_or(&mut self.open_page)
    }

    /// Drops the oldest `n` rows.
    fn drop_rows(&mut self, n: usize) {
        let mut left = n.min(self.rows);
        self.rows -= left;
        self.scrolled = self.scrolled.min(self.rows);
        if self.rows == 0 {
            let scrolled = self.scrolled;
            self.clear();
            self.scrolled = scrolled;
            return;
        }
        while let Some(page) = self.pages.front()
            && page.rows as usize <= left
        {
            left -= page.rows as usize;
            self.pages.pop_front();
            self.front = Front::default();
            let number = self.pages.front().map_or(self.store.range().end, |page| page.number);
            self.store.drop_before(number);
        }
        if left > 0 {
            self.drop_in_page(left);
        }
    }

    /// Drops rows that do not fill the first page.
    fn drop_in_page(&mut self, mut left: usize) {
        let mut front = self.front;
        let (mut records, mut rows) = (0, 0);
        let mut groups = self.groups(0);
        while left > 0
            && let Some(group) = groups.next()
        {
            if group.rows <= left {
                left -= group.rows;
                rows += group.rows;
                records += group.records;
                front = Front { offset: groups.offset, layout: groups.layout, skip: 0 };
                continue;
            }
            let cells = group.run_cells(&mut |_, _| None);
            let ends = row_ends(&cells, self.cols as usize, self.pad);
            front = Front {
                offset: group.start,
                layout: group.layout,
                skip: group.skip + ends.get(left - 1).copied().unwrap_or(0),
            };
            rows += left;
            left = 0;
        }
        self.front = front;
        let page = self.page_mut(0);
        page.records = page.records.saturating_sub(records as u32);
        page.rows = page.rows.saturating_sub(rows as u32);
    }

    /// Takes up what a snapshot kept; pages are there already.
    pub(crate) fn restore(&mut self, front: Front, open: Vec<u8>, page: Page, scrolled: usize) {
        (self.front, self.open, self.open_page) = (front, open, page);
        self.settle();
        self.settle_after_pop();
        self.recount();
        self.scrolled = scrolled.min(self.rows);
    }

    /// Counts the rows again for another width.
    pub(crate) fn set_wrap(&mut self, cols: u16, pad: usize) {
        if self.cols == cols && self.pad == pad {
            return;
        }
        (self.cols, self.pad) = (cols, pad);
        self.recount();
    }

    /// Counts all rows again.
    pub(crate) fn recount(&mut self) {
        self.rows = 0;
        for index in 0..=self.pages.len() {
            let page = self.pages.get(index).unwrap_or(&self.open_page);
            let rows = if page.layout == self.cols && (index > 0 || self.front.skip == 0) {
                page.records as usize
            } else {
                self.groups(index).map(|group| group.rows).sum()
            };
            self.page_mut(index).rows = rows as u32;
            self.rows += rows;
        }
        self.scrolled = self.scrolled.min(self.rows);
    }

    /// Takes the newest row off.
    pub(crate) fn pop(&mut self, graphemes: &mut Graphemes) -> Option<Line> {
        self.reopen();
        let index = self.pages.len();
        let group = self.groups(index).last()?;
        let (start, records, rows) = (group.start, group.records, group.rows);
        let mut lines = group.lines(&mut |text, wide| intern(graphemes, text, wide));
        self.open.truncate(start);
        self.open_page.records = self.open_page.records.saturating_sub(records as u32);
        self.open_page.rows = self.open_page.rows.saturating_sub(rows as u32);
        self.rows -= rows.min(self.rows);
        if index == 0 && self.front.offset >= start {
            self.front.skip = 0;
        }
        let line = lines.pop();
        self.settle();
        for line in &lines {
            self.push(line, graphemes);
        }
        self.settle_after_pop();
        line
    }

    /// An open page without records must not hide the wrapped row at the end of the page before it.
    fn settle_after_pop(&mut self) {
        if self.open_page.records == 0 {
            self.open.clear();
            self.open_page = Page::default();
            self.last_wrapped = false;
            self.reopen();
        }
    }

    /// Takes off the rows of the logical line that goes on in the screen, as far as they lie in the open page.
    pub(crate) fn take_tail(&mut self, graphemes: &mut Graphemes) -> Vec<Line> {
        if !self.last_wrapped {
            return Vec::new();
        }
        self.reopen();
        let first = self.pages.is_empty();
        let begin = if first { self.front } else { Front::default() };
        let mut rest = &self.open[begin.offset.min(self.open.len())..];
        let mut layout = begin.layout;
        let mut tail: Vec<(usize, Record<'_>)> = Vec::new();
        loop {
            let at = self.open.len() - rest.len();
            match record::next(&mut rest) {
                Some(Item::Width(cols)) => {
                    layout = cols;
                    tail.clear();
                }
                Some(Item::Line(record)) if record.wrapped() => tail.push((at, record)),
                Some(Item::Line(_)) => tail.clear(),
                None => break,
            }
        }
        let Some(&(start, _)) = tail.first() else { return Vec::new() };
        let mut lines: Vec<Line> = tail
            .iter()
            .map(|(_, record)| record.line(layout as usize, &mut |text, wide| intern(graphemes, text, wide)))
            .collect();
        if first && start == begin.offset && begin.skip > 0 {
            let skip = begin.skip.min(lines[0].cells.len());
            lines[0].cells.drain(..skip);
            lines[0].used = lines[0].used.saturating_sub(skip as u16);
            self.front.skip = 0;
        }
        self.open.truncate(start);
        self.open_page.records = self.open_page.records.saturating_sub(lines.len() as u32);
        self.settle();
        self.settle_after_pop();
        self.recount();
        lines
    }

    /// Gives the rows of a range, oldest first.
    pub(crate) fn each(&self, range: Range<usize>, clusters: Clusters<'_>, to: &mut dyn FnMut(HistoryRow<'_>)) {
        let mut at = 0;
        for index in 0..=self.pages.len() {
            let rows = self.pages.get(index).unwrap_or(&self.open_page).rows as usize;
            if at + rows > range.start {
                for group in self.groups(index) {
                    let next = at + group.rows;
                    if next > range.start {
                        group.give(at, &range, clusters, to);
                    }
                    at = next;
                    if at >= range.end {
                        return;
                    }
                }
            } else {
                at += rows;
            }
        }
    }
}

pub(crate) fn intern(graphemes: &mut Graphemes, text: &str, wide: bool) -> Option<Glyph> {
    graphemes.intern(text).map(|index| Glyph::grapheme(index, wide))
}

/// The line without what makes it too long for a page.
fn plainer(line: &Line) -> Line {
    let mut line = line.clone();
    line.cells.truncate(10_000);
    line.used = line.used.min(10_000);
    for cell in &mut line.cells {
        let glyph = if cell.glyph.grapheme_index().is_some() { Glyph::BLANK } else { cell.glyph };
        *cell = Cell { glyph, ..Cell::BLANK };
    }
    line
}

/// Rows that come out of a page together: one record, or the records of one logical line wrapped anew.
struct Group<'b> {
    bytes: &'b [u8],
    start: usize,
    layout: u16,
    skip: usize,
    records: usize,
    rows: usize,
    /// The only record, when it needs no wrapping.
    single: Option<Record<'b>>,
    cols: usize,
    pad: usize,
}

struct Groups<'b> {
    bytes: &'b [u8],
    offset: usize,
    layout: u16,
    skip: usize,
    cols: usize,
    pad: usize,
}

impl<'b> Iterator for Groups<'b> {
    type Item = Group<'b>;

    #[inline]
    fn next(&mut self) -> Option<Group<'b>> {
        let (start, record, mut rest) = loop {
            let mut rest = self.bytes.get(self.offset..)?;
            let start = self.offset;
            let item = record::next(&mut rest)?;
            self.offset = self.bytes.len() - rest.len();
            match item {
                Item::Width(cols) => self.layout = cols,
                Item::Line(record) => break (start, record, rest),
            }
        };
        let skip = std::mem::take(&mut self.skip);
        let as_it_was = self.layout as usize == self.cols || !record.wrapped() && record.columns(self.pad) <= self.cols;
        let group = |records, rows, single| Group {
            bytes: self.bytes,
            start,
            layout: self.layout,
            skip,
            records,
            rows,
            single,
            cols: self.cols,
            pad: self.pad,
        };
        if as_it_was && skip == 0 {
            return Some(group(1, 1, Some(record)));
        }
        let (mut records, mut total, mut ascii) = (1, record.used, record.is_ascii());
        let mut last = record;
        let mut end = self.offset;
        while last.wrapped()
            && let Some(Item::Line(next)) = record::next(&mut rest)
        {
            records += 1;
            total += next.used;
            ascii &= next.is_ascii();
            last = next;
            end = self.bytes.len() - rest.len();
        }
        let mut group = group(records, 1, None);
        group.rows = if ascii {
            total.saturating_sub(skip).div_ceil(self.cols).max(1)
        } else {
            row_ends(&group.run_cells(&mut |_, _| None), self.cols, self.pad).len()
        };
        self.offset = end;
        Some(group)
    }
}

impl Group<'_> {
    fn records(&self) -> impl Iterator<Item = Record<'_>> {
        let mut rest = &self.bytes[self.start..];
        (0..self.records).map_while(move |_| match record::next(&mut rest)? {
            Item::Line(record) => Some(record),
            Item::Width(_) => None,
        })
    }

    /// The used cells of its records, joined.
    fn run_cells(&self, clusters: Clusters<'_>) -> Vec<Cell> {
        let mut cells = Vec::new();
        for record in self.records() {
            let start = cells.len();
            record.cells(&mut cells, clusters);
            cells.truncate(start + record.used);
        }
        cells.drain(..self.skip.min(cells.len()));
        cells
    }

    /// Its rows.
    fn lines(&self, clusters: Clusters<'_>) -> Vec<Line> {
        if let Some(record) = &self.single {
            return vec![record.line(self.layout as usize, clusters)];
        }
        let parts = self.parts();
        let cells = self.run_cells(clusters);
        let ends = row_ends(&cells, self.cols, self.pad);
        let wrapped = parts.last().is_some_and(|part| part.flags.contains(LineFlags::WRAPPED));
        let (mut start, mut seen) = (0, None);
        let mut lines = Vec::with_capacity(ends.len());
        for (i, &end) in ends.iter().enumerate() {
            let index = parts.iter().position(|part| start < part.end).unwrap_or(parts.len().saturating_sub(1));
            let part = parts.get(index).copied().unwrap_or_default();
            let begins = seen.replace(index) != Some(index);
            let left = &cells[start..part.end.clamp(start, cells.len())];
            let cut = left.iter().map(|cell| wrap_columns(cell.glyph, self.pad)).sum::<usize>() > self.cols;
            let mut line = part.row(&cells[start..end], start, begins, cut, self.cols);
            line.flags.set(LineFlags::WRAPPED, i + 1 < ends.len() || wrapped);
            lines.push(line);
            start = end;
        }
        lines
    }

    /// Where its records lie in the joined cells.
    fn parts(&self) -> Vec<Part> {
        let mut end = 0;
        let mut parts = Vec::with_capacity(self.records);
        for record in self.records() {
            let start = end;
            end += record.used;
            parts.push(Part {
                start: start.saturating_sub(self.skip),
                end: end.saturating_sub(self.skip),
                size: record.size(self.layout as usize),
                flags: record.line_flags(),
            });
        }
        parts
    }

    fn give(&self, at: usize, range: &Range<usize>, clusters: Clusters<'_>, to: &mut dyn FnMut(HistoryRow<'_>)) {
        if let Some(record) = self.single {
            return to(HistoryRow::Record(record, self.layout as usize));
        }
        for (i, line) in self.lines(clusters).into_iter().enumerate() {
            if range.contains(&(at + i)) {
                to(HistoryRow::Line(line));
            }
        }
    }
}

/// One record of a logical line that is wrapped anew.
#[derive(Clone, Copy, Default)]
struct Part {
    start: usize,
    end: usize,
    size: usize,
    flags: LineFlags,
}

impl Part {
    /// The row that begins in this record, with the size and flags tmux would have left it: a record too wide is cut,
    /// its first row as long as its text; others take from the ones after them, and what remains is as long as itself.
    ///
    /// `begins`: no row before began in it. `cut`: what is left of it is too wide.
    fn row(&self, cells: &[Cell], start: usize, begins: bool, cut: bool, cols: usize) -> Line {
        let used = cells.len();
        let size = match (begins, cut) {
            (true, true) => used,
            (true, false) if start == self.start => grown(self.size, used, cols),
            (true, false) => grown((self.end - start).min(used), used, cols),
            (false, _) => grown(0, used, cols),
        };
        let mut row = Vec::with_capacity(size);
        row.extend_from_slice(cells);
        row.resize(size.max(used), Cell::BLANK);
        let mut flags = if begins { self.flags } else { LineFlags::empty() };
        flags.set(LineFlags::EXTENDED, flags.contains(LineFlags::EXTENDED) || cells.iter().any(is_extended));
        if cells.iter().any(|cell| cell.ext != 0) {
            flags |= self.flags & LineFlags::HYPERLINK;
        }
        Line { cells: row, used: used as u16, flags, change: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::line::SPACE;

    fn history(cols: u16, limit: u32) -> History {
        History::new(cols, limit, Box::new(VecStore::default()))
    }

    fn line(text: &str, wrapped: bool, cols: usize) -> Line {
        let mut line = Line::default();
        if !text.is_empty() {
            line.set_run(0, text.as_bytes(), SPACE, cols);
        }
        line.flags.set(LineFlags::WRAPPED, wrapped);
        line
    }

    fn texts(history: &History) -> Vec<String> {
        let mut texts = Vec::new();
        history.each(0..history.rows(), &mut |_, _| None, &mut |row| {
            let line = match row {
                HistoryRow::Record(record, cols) => record.line(cols, &mut |_, _| None),
                HistoryRow::Line(line) => line,
            };
            texts.push(line.written().iter().filter_map(|cell| cell.glyph.as_char()).collect());
        });
        texts
    }

    #[test]
    fn rows_are_wrapped_anew_at_another_width() {
        let mut history = history(10, 100);
        let graphemes = Graphemes::default();
        history.push(&line("0123456789", true, 10), &graphemes);
        history.push(&line("abc", false, 10), &graphemes);
        history.push(&line("x", false, 10), &graphemes);
        history.set_wrap(6, 0);
        assert_eq!(texts(&history), ["012345", "6789ab", "c", "x"]);
        history.set_wrap(20, 0);
        assert_eq!(texts(&history), ["0123456789abc", "x"]);
        history.set_wrap(10, 0);
        assert_eq!(texts(&history), ["0123456789", "abc", "x"]);
    }

    #[test]
    fn a_tenth_goes_at_the_limit() {
        let mut history = history(10, 20);
        for i in 0..20 {
            history.collect();
            history.push(&line(&i.to_string(), false, 10), &Graphemes::default());
        }
        assert_eq!(history.rows(), 20);
        history.collect();
        assert_eq!(history.rows(), 18);
        assert_eq!(texts(&history)[0], "2");
    }

    #[test]
    fn many_pages_keep_their_order() {
        let mut history = history(80, 5000);
        for i in 0..20_000 {
            history.collect();
            history.push(&line(&format!("{i:070}"), i % 3 == 0, 80), &Graphemes::default());
        }
        let texts = texts(&history);
        assert_eq!(texts.len(), history.rows());
        let first: usize = texts[0].parse().expect("a number");
        assert_eq!(first + texts.len(), 20_000);
        assert!(texts.iter().enumerate().all(|(i, text)| text.parse() == Ok(first + i)));
        for cols in [40, 33, 80, 200] {
            history.set_wrap(cols, 0);
            let counted = history.rows();
            let mut seen = 0;
            history.each(0..counted, &mut |_, _| None, &mut |_| seen += 1);
            assert_eq!(seen, counted);
        }
    }

    #[test]
    fn rows_can_be_taken_back_through_closed_pages() {
        let mut history = history(80, 5000);
        let mut graphemes = Graphemes::default();
        for i in 0..3000 {
            history.push(&line(&format!("{i:070}"), false, 80), &graphemes);
        }
        for i in (0..3000).rev() {
            let line = history.pop(&mut graphemes).expect("a row");
            let text: String = line.written().iter().filter_map(|cell| cell.glyph.as_char()).collect();
            assert_eq!(text.parse(), Ok(i));
        }
        assert_eq!(history.rows(), 0);
        assert!(history.pop(&mut graphemes).is_none());
    }

    #[test]
    fn the_tail_of_a_line_is_taken_whole() {
        let mut history = history(10, 100);
        let mut graphemes = Graphemes::default();
        history.push(&line("a", false, 10), &graphemes);
        history.push(&line("0123456789", true, 10), &graphemes);
        history.push(&line("0123456789", true, 10), &graphemes);
        assert_eq!(history.take_tail(&mut graphemes).len(), 2);
        assert_eq!(history.rows(), 1);
        assert!(!history.last_wrapped);
    }
}
