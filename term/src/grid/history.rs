//! Lines that have scrolled off: encoded in pages, laid out anew only when looked at.
//!
//! A page is a sequence of records (see `record.rs`). Records keep the rows as they were when they scrolled off, with
//! the width they were laid out for; at another width the records of one logical line are joined and wrapped again on
//! the way out. So a change of width only counts rows. Closed pages never change: they belong to a [`PageStore`].

use super::group::{Group, Groups, along, depth, skip_cells};
use super::line::{Line, LineFlags};
use super::record::{self, Item, Record, put_line, put_width};
use super::reflow::{Scrolled, Wrap};
use super::trail::{Layout, Trail};
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
    /// What all its records were laid out for, if that is one.
    pub(crate) layout: Option<Layout>,
    /// Records that still count.
    pub(crate) records: u32,
    /// Rows at the width of the history.
    pub(crate) rows: u32,
}

/// Where the oldest row begins in the first page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Front {
    pub(crate) offset: usize,
    pub(crate) layout: Layout,
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
    /// The widths so far; the last is `cols`.
    pub(crate) trail: Trail,
    /// What padding counts when lines are wrapped anew.
    pub(crate) pad: usize,
    pub(crate) limit: u32,
    /// Rows that may be pulled back when the screen grows.
    pub(crate) scrolled: usize,
    rows: usize,
    open_layout: Option<Layout>,
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

pub(super) type Clusters<'a> = &'a mut dyn FnMut(&str, bool) -> Option<Glyph>;

impl History {
    pub(crate) fn new(cols: u16, limit: u32, store: Box<dyn PageStore>) -> History {
        History {
            store,
            pages: VecDeque::new(),
            open: Vec::new(),
            open_page: Page::default(),
            front: Front::default(),
            cols,
            trail: Trail::new(cols),
            pad: 0,
            limit,
            scrolled: 0,
            rows: 0,
            open_layout: None,
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
        let begins = self.open.is_empty() || self.open_layout != Some(self.trail.layout());
        if begins {
            self.begin_layout();
        }
        let start = self.open.len();
        put_line(&mut self.open, line, self.cols as usize, graphemes);
        if self.open.len() - start > PAGE_BYTES - 64 {
            self.open.truncate(start);
            put_line(&mut self.open, &plainer(line), self.cols as usize, graphemes);
        }
        if begins || !self.last_wrapped {
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
        let (first, layout) = (self.open.is_empty(), self.trail.layout());
        put_width(&mut self.open, layout);
        self.open_layout = Some(layout);
        self.open_page.layout = (self.open_page.records == 0).then_some(layout);
        if first && self.pages.is_empty() {
            self.front = Front { offset: 0, layout, skip: 0 };
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
        while let Some(item) = record::next(&mut rest) {
            moved += u32::from(matches!(item, Item::Line(_)));
        }
        self.open_page.records = records - moved;
        self.open_page.rows = total - moved;
        self.close_page();
        let layout = self.trail.layout();
        put_width(&mut self.open, layout);
        self.open_page.layout = Some(layout);
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
        (self.last_wrapped, self.last, self.run_start, self.open_layout) = (false, 0, 0, None);
        loop {
            let at = self.open.len() - rest.len();
            match record::next(&mut rest) {
                Some(Item::Width(layout)) => self.open_layout = Some(layout),
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
        let mut groups = Groups {
            bytes,
            offset: front.offset,
            layout: front.layout,
            skip: front.skip,
            trail: &self.trail,
            pad: self.pad,
            path: &[],
            narrowest: 0,
            counts: true,
        };
        groups.set_layout(front.layout);
        groups
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
        left -= self.drop_records(left);
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
            let lines = group.lines(&mut |_, _| None);
            let gone: usize = lines.iter().take(left).map(|line| line.used as usize).sum();
            front = Front { offset: group.start, layout: group.layout, skip: group.skip + gone };
            rows += left;
            left = 0;
        }
        self.front = front;
        let page = self.page_mut(0);
        page.records = page.records.saturating_sub(records as u32);
        page.rows = page.rows.saturating_sub(rows as u32);
    }

    /// Drops up to `n` rows that are one record each, and says how many those were.
    fn drop_records(&mut self, n: usize) -> usize {
        let mut front = self.front;
        if front.skip > 0 {
            return 0;
        }
        let bytes = self.page_bytes(0);
        let mut rest = bytes.get(front.offset..).unwrap_or(&[]);
        let (mut dropped, mut as_it_was) = (0, self.trail.steps(front.layout) == 0);
        while dropped < n
            && let Some(item) = record::next(&mut rest)
        {
            match item {
                Item::Width(layout) => {
                    front.layout = layout;
                    as_it_was = self.trail.steps(layout) == 0;
                }
                Item::Line(_) if as_it_was => dropped += 1,
                Item::Line(_) => break,
            }
            front.offset = bytes.len() - rest.len();
        }
        self.front = front;
        let page = self.page_mut(0);
        page.records = page.records.saturating_sub(dropped as u32);
        page.rows = page.rows.saturating_sub(dropped as u32);
        dropped
    }

    /// Takes up what a snapshot kept; pages are there already.
    pub(crate) fn restore(&mut self, front: Front, open: Vec<u8>, page: Page, scrolled: usize) {
        (self.front, self.open, self.open_page) = (front, open, page);
        self.settle();
        self.settle_after_pop();
        self.recount();
        self.scrolled = scrolled.min(self.rows);
    }

    /// Counts the rows again for another width, and those that may be pulled back. The caller goes on with the rows
    /// of the screen.
    pub(crate) fn set_wrap(&mut self, cols: u16, pad: usize) -> Scrolled {
        let mut scrolled = Scrolled { rows: self.scrolled, from: 0, to: 0 };
        self.pad = pad;
        if self.cols == cols {
            self.recount();
            (scrolled.from, scrolled.to) = (self.rows, self.rows);
            return scrolled;
        }
        self.cols = cols;
        self.trail.push(cols);
        let wrap = Wrap { cols: cols as usize, pad, extras: None };
        for index in 0..=self.pages.len() {
            let before = scrolled.to;
            let mut groups = self.groups(index).uncounted();
            loop {
                scrolled.pass_same(groups.pass_singles(usize::MAX));
                let Some(group) = groups.next() else { break };
                group.step(wrap, &mut scrolled);
            }
            self.page_mut(index).rows = (scrolled.to - before) as u32;
        }
        self.rows = scrolled.to;
        if pad == 0 {
            // Lines are given out as the newest width alone wraps them, the one before had no part in it.
            self.recount();
            scrolled.to = self.rows;
        }
        scrolled
    }

    /// Counts all rows again.
    pub(crate) fn recount(&mut self) {
        self.rows = 0;
        let present = Some(self.trail.layout());
        for index in 0..=self.pages.len() {
            let page = self.pages.get(index).unwrap_or(&self.open_page);
            let rows = if page.layout == present && (index > 0 || self.front.skip == 0) {
                page.records as usize
            } else {
                self.groups(index).count_rows()
            };
            self.page_mut(index).rows = rows as u32;
            self.rows += rows;
        }
        self.scrolled = self.scrolled.min(self.rows);
    }

    /// Takes the newest `n` rows off and gives them, oldest first; fewer when there are no more.
    pub(crate) fn pop(&mut self, n: usize, graphemes: &mut Graphemes) -> Vec<Line> {
        let mut rows = Vec::new();
        while rows.len() < n {
            let older = self.pop_in_page(n - rows.len(), graphemes);
            if older.is_empty() {
                break;
            }
            rows.splice(0..0, older);
        }
        rows
    }

    /// The same as far as the newest page goes, which is read once whatever `n` is.
    fn pop_in_page(&mut self, n: usize, graphemes: &mut Graphemes) -> Vec<Line> {
        self.reopen();
        let index = self.pages.len();
        let newest = newest_groups(self.groups(index), (self.open_page.rows as usize).saturating_sub(n));
        let Some(start) = newest.first().map(|group| group.start) else { return Vec::new() };
        let records: usize = newest.iter().map(|group| group.records).sum();
        let mut lines: Vec<Line> =
            newest.iter().flat_map(|group| group.lines(&mut |text, wide| intern(graphemes, text, wide))).collect();
        let rows = lines.len();
        self.open.truncate(start);
        self.open_page.records = self.open_page.records.saturating_sub(records as u32);
        self.open_page.rows = self.open_page.rows.saturating_sub(rows as u32);
        self.rows -= rows.min(self.rows);
        if index == 0 && self.front.offset >= start {
            self.front.skip = 0;
        }
        let taken = lines.split_off(rows.saturating_sub(n));
        self.settle();
        for line in &lines {
            self.push(line, graphemes);
        }
        self.settle_after_pop();
        taken
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
                Some(Item::Width(next)) => {
                    layout = next;
                    tail.clear();
                }
                Some(Item::Line(record)) if record.wrapped() => tail.push((at, record)),
                Some(Item::Line(_)) => tail.clear(),
                None => break,
            }
        }
        let Some(&(start, _)) = tail.first() else { return Vec::new() };
        let records = tail.len();
        let mut lines: Vec<Line> = tail
            .iter()
            .map(|(_, record)| record.line(layout.cols as usize, &mut |text, wide| intern(graphemes, text, wide)))
            .collect();
        if first && start == begin.offset {
            skip_cells(&mut lines, begin.skip);
            self.front.skip = 0;
        }
        let lines = along(lines, self.trail.since(layout, depth(self.pad)), self.pad);
        self.open.truncate(start);
        self.open_page.records = self.open_page.records.saturating_sub(records as u32);
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
                let mut groups = self.groups(index);
                at += groups.pass_singles(range.start.saturating_sub(at));
                for group in groups {
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

/// The groups behind the `older` first rows, and the one that those end in, oldest first.
fn newest_groups(mut groups: Groups<'_>, mut older: usize) -> Vec<Group<'_>> {
    loop {
        older -= groups.pass_singles(older);
        match groups.next() {
            Some(group) if group.rows <= older => older -= group.rows,
            group => return group.into_iter().chain(groups).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::line::SPACE;
    use crate::style::Color;

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

    fn text(line: &Line) -> String {
        line.written().iter().filter_map(|cell| cell.glyph.as_char()).collect()
    }

    fn texts(history: &History) -> Vec<String> {
        let mut texts = Vec::new();
        history.each(0..history.rows(), &mut |_, _| None, &mut |row| {
            let line = match row {
                HistoryRow::Record(record, cols) => record.line(cols, &mut |_, _| None),
                HistoryRow::Line(line) => line,
            };
            texts.push(text(&line));
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
            let line = history.pop(1, &mut graphemes).pop().expect("a row");
            assert_eq!(text(&line).parse(), Ok(i));
        }
        assert_eq!(history.rows(), 0);
        assert!(history.pop(1, &mut graphemes).is_empty());
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

    /// Lines of wide characters, tabs and clusters, some of them wrapped.
    fn mixed(seed: usize, cols: usize) -> Line {
        let mut line = Line::default();
        let mut x = 0;
        while x + 3 < cols {
            let (glyph, width) = match (seed * 31 + x * 17) % 7 {
                0 | 1 => (Glyph::point('漢', true), 2),
                2 => (Glyph::tab(3), 3),
                _ => (Glyph::point('x', false), 1),
            };
            line.set(x, Cell { glyph, ..SPACE }, cols);
            (x + 1..x + width).for_each(|x| line.set_padding(x, Color::DEFAULT, cols));
            x += width;
        }
        line.flags.set(LineFlags::WRAPPED, !seed.is_multiple_of(3));
        line
    }

    #[test]
    fn what_is_counted_is_what_comes_out() {
        for pad in [0, 1] {
            let mut history = history(40, 500);
            history.set_wrap(40, pad);
            let mut graphemes = Graphemes::default();
            for round in 0..6 {
                for seed in 0..150 {
                    history.collect();
                    history.push(&mixed(seed, history.cols as usize), &graphemes);
                }
                history.set_wrap([23, 61, 40, 7, 80, 33][round], pad);
                let mut counted = history.rows();
                assert_eq!(texts(&history).len(), counted, "pad {pad}, round {round}");
                history.recount();
                assert_eq!(history.rows(), counted, "pad {pad}, round {round}");
                for n in 1..7 {
                    let before = texts(&history);
                    let taken: Vec<String> = history.pop(n, &mut graphemes).iter().map(text).collect();
                    assert_eq!(taken, before[counted - n..], "pad {pad}, round {round}");
                    counted -= n;
                }
                assert_eq!(texts(&history).len(), history.rows(), "pad {pad}, round {round}");
            }
        }
    }

    #[test]
    fn where_wide_characters_end_up_depends_on_all_widths() {
        let rows = |path: &[u16]| {
            let mut history = history(10, 100);
            let mut line = Line::default();
            for x in (0..10).step_by(2) {
                line.set(x, Cell { glyph: Glyph::point('漢', true), ..SPACE }, 10);
                line.set_padding(x + 1, Color::DEFAULT, 10);
            }
            history.push(&line, &Graphemes::default());
            for &cols in path {
                history.set_wrap(cols, 1);
            }
            history.rows()
        };
        assert_eq!(rows(&[20]), 1);
        assert_eq!(rows(&[9, 20]), 1);
        assert_eq!(rows(&[9, 10]), 2);
        assert_eq!(rows(&[10]), 1);
    }
}
