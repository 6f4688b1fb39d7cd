//! Rows as they come out of a page: a record as it was, or the records of a logical line wrapped for the widths since.

use super::history::{Clusters, HistoryRow};
use super::line::Line;
use super::record::{self, Item, Record};
use super::reflow::{Scrolled, Wrap, reflow};
use super::trail::{KEPT, Layout, Trail};
use std::ops::Range;

/// How many widths a line is wrapped for, one after the other. Without tmux's way to count padding the newest says where
/// each cell goes; only the lengths of lines depend on those before.
pub(super) fn depth(pad: usize) -> usize {
    if pad == 0 { 1 } else { KEPT }
}

/// Forgets the first cells of a logical line.
pub(super) fn skip_cells(lines: &mut Vec<Line>, mut skip: usize) {
    while lines.len() > 1 && lines[0].written().len() <= skip {
        skip -= lines.remove(0).written().len();
    }
    if let Some(line) = lines.first_mut() {
        let gone = skip.min(line.written().len());
        line.cells.drain(..gone);
        line.used -= gone as u16;
    }
}

/// The rows of a logical line after all the widths of `path`.
pub(super) fn along(mut lines: Vec<Line>, path: &[u16], pad: usize) -> Vec<Line> {
    for &cols in path {
        lines = reflow(lines, Wrap { cols: cols as usize, pad, extras: None }, &mut Scrolled::default());
    }
    lines
}

/// Rows that come out of a page together: one record, or the records of one logical line wrapped anew.
pub(super) struct Group<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) start: usize,
    pub(super) layout: Layout,
    /// The widths it is wrapped for, one after the other.
    pub(super) path: &'b [u16],
    /// The same before the last change of width.
    pub(super) before: &'b [u16],
    pub(super) skip: usize,
    pub(super) records: usize,
    pub(super) rows: usize,
    /// No record is empty: then rows are filled one after the other.
    pub(super) even: bool,
    /// Its cells, when they are also one column each.
    pub(super) simple: Option<usize>,
    /// The only record, when it needs no wrapping.
    pub(super) single: Option<Record<'b>>,
    pub(super) pad: usize,
}

pub(super) struct Groups<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) offset: usize,
    pub(super) layout: Layout,
    pub(super) skip: usize,
    pub(super) trail: &'b Trail,
    pub(super) pad: usize,
    /// The widths since `layout`, and the smallest of them.
    pub(super) path: &'b [u16],
    pub(super) narrowest: usize,
    /// Whether the rows of a group are counted.
    pub(super) counts: bool,
}

impl Groups<'_> {
    pub(super) fn uncounted(mut self) -> Self {
        self.counts = false;
        self
    }

    /// Passes up to `most` rows that are a record each, just as it was, and says how many those were. Nearly all are, and
    /// what is only counted needs no group.
    pub(super) fn pass_singles(&mut self, most: usize) -> usize {
        let mut passed = 0;
        while passed < most && self.skip == 0 {
            let Some(mut rest) = self.bytes.get(self.offset..) else { break };
            match record::next(&mut rest) {
                Some(Item::Width(layout)) => self.set_layout(layout),
                Some(Item::Line(record)) if self.is_as_it_was(&record) => passed += 1,
                Some(Item::Line(_)) | None => break,
            }
            self.offset = self.bytes.len() - rest.len();
        }
        passed
    }

    /// Whether a record needs no wrapping.
    #[inline]
    fn is_as_it_was(&self, record: &Record<'_>) -> bool {
        self.path.is_empty() || !record.wrapped() && record.columns(self.pad) <= self.narrowest
    }

    /// Counts the rows.
    pub(super) fn count_rows(mut self) -> usize {
        let mut rows = 0;
        loop {
            rows += self.pass_singles(usize::MAX);
            match self.next() {
                Some(group) => rows += group.rows,
                None => return rows,
            }
        }
    }

    pub(super) fn set_layout(&mut self, layout: Layout) {
        self.layout = layout;
        self.path = self.trail.since(layout, depth(self.pad));
        self.narrowest = self.path.iter().min().map_or(usize::MAX, |&cols| cols as usize);
    }
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
                Item::Width(layout) => self.set_layout(layout),
                Item::Line(record) => break (start, record, rest),
            }
        };
        let skip = std::mem::take(&mut self.skip);
        let as_it_was = self.is_as_it_was(&record);
        let mut group = Group {
            bytes: self.bytes,
            start,
            layout: self.layout,
            path: self.path,
            before: self.trail.before(self.layout, depth(self.pad)),
            skip,
            records: 1,
            rows: 1,
            even: false,
            simple: None,
            single: Some(record),
            pad: self.pad,
        };
        if as_it_was && skip == 0 {
            return Some(group);
        }
        let (mut total, mut ascii, mut even) = (record.used, record.is_ascii(), record.used > 0);
        let mut last = record;
        while last.wrapped()
            && let Some(Item::Line(next)) = record::next(&mut rest)
        {
            group.records += 1;
            total += next.used;
            ascii &= next.is_ascii();
            even &= next.used > 0;
            last = next;
            self.offset = self.bytes.len() - rest.len();
        }
        group.single = None;
        group.even = even && total > skip;
        group.simple = (ascii && group.even).then(|| total - skip);
        if self.counts {
            group.rows = group.rows_along(group.path);
        }
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

    /// Takes the last width of its path, of which it has been through the others.
    pub(super) fn step(&self, wrap: Wrap<'_>, scrolled: &mut Scrolled) {
        if self.single.is_some() {
            scrolled.pass(1, 1);
            return;
        }
        let before = self.before;
        let counts = self.simple.is_some() || self.even && self.pad == 0;
        if counts && scrolled.pass(self.rows_along(before), self.rows_along(self.path)) {
            return;
        }
        let lines = self.lines_along(before, &mut |_, _| None);
        reflow(lines, wrap, scrolled);
    }

    /// Rows after the widths of `path`.
    pub(super) fn rows_along(&self, path: &[u16]) -> usize {
        match (self.simple, path.last()) {
            (Some(cells), Some(&cols)) => cells.div_ceil(cols as usize),
            (_, None) if self.skip == 0 => self.records,
            // Without columns for padding only the last width counts here too.
            (_, Some(&cols)) if self.even && self.pad == 0 => {
                self.filled_rows(cols as usize).unwrap_or_else(|| self.lines_along(path, &mut |_, _| None).len())
            }
            _ => self.lines_along(path, &mut |_, _| None).len(),
        }
    }

    /// Rows that its cells fill; `None` when one of them is wider than the screen, which fills no row.
    fn filled_rows(&self, cols: usize) -> Option<usize> {
        let mut fits = true;
        let (mut rows, mut sum, mut skip, mut begins) = (1, 0, self.skip, true);
        for record in self.records() {
            record.widths(self.pad, &mut |width| {
                if skip > 0 {
                    skip -= 1;
                    return;
                }
                if width > 0 && sum + width > cols && !begins {
                    rows += 1;
                    sum = 0;
                }
                sum += width;
                begins = false;
                fits &= width <= cols;
            });
        }
        fits.then_some(rows)
    }

    pub(super) fn lines_along(&self, path: &[u16], clusters: Clusters<'_>) -> Vec<Line> {
        let cols = self.layout.cols as usize;
        let mut lines: Vec<Line> = self.records().map(|record| record.line(cols, clusters)).collect();
        skip_cells(&mut lines, self.skip);
        along(lines, path, self.pad)
    }

    /// Its rows.
    pub(super) fn lines(&self, clusters: Clusters<'_>) -> Vec<Line> {
        match &self.single {
            Some(record) => vec![record.line(self.layout.cols as usize, clusters)],
            None => self.lines_along(self.path, clusters),
        }
    }

    pub(super) fn give(
        &self,
        at: usize,
        range: &Range<usize>,
        clusters: Clusters<'_>,
        to: &mut dyn FnMut(HistoryRow<'_>),
    ) {
        if let Some(record) = self.single {
            return to(HistoryRow::Record(record, self.layout.cols as usize));
        }
        for (i, line) in self.lines(clusters).into_iter().enumerate() {
            if range.contains(&(at + i)) {
                to(HistoryRow::Line(line));
            }
        }
    }
}
