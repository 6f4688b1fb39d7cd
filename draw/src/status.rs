//! Draws a line of styled text as tmux's formats are drawn: left, centre, right, and a list that keeps its focus in view.

use crate::run::{Align, List, Range, RangeKind, Run};
use std::mem::take;
use term::cell::{Cell, Glyph};
use term::frame::{Frame, Rect};
use term::style::{Color, Style};
use unicode_segmentation::UnicodeSegmentation;

/// The parts of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Left,
    Centre,
    Right,
    AbsoluteCentre,
    List,
    LeftMarker,
    RightMarker,
    After,
}

const PARTS: usize = 8;

/// Longest line that is laid out, in columns of each part.
const PART_MAX: usize = 4096;

/// A line taken apart.
#[derive(Default)]
struct Sorted {
    cells: [Vec<Cell>; PARTS],
    ranges: Vec<(usize, Range)>,
    /// First column and the column after the last of the list's focus.
    focus: Option<(usize, usize)>,
    /// Where the list goes, when there is one.
    list: Option<Align>,
    fill: Option<Color>,
}

/// Draws runs in the `cols` columns from column `x` of row `y`. `base` is the style of the cells that no text covers;
/// with `None` those stay as they are. Returns what can be clicked, in columns from `x`.
pub fn draw_line(frame: &mut Frame, x: u16, y: u16, cols: u16, base: Option<Style>, runs: &[Run]) -> Vec<Range> {
    let cols = cols.min(frame.size().cols.saturating_sub(x));
    let mut sorted = sort(frame, runs);
    let rect = Rect { x, y, cols, rows: 1 };
    match (sorted.fill, base) {
        (Some(bg), _) => frame.fill(rect, Cell { bg, ..Cell::BLANK }),
        (None, Some(base)) => frame.fill(rect, Cell::new(Glyph::BLANK, base)),
        (None, None) => {}
    }
    let mut line = Line { frame, x, y, room: usize::from(cols), sorted: &mut sorted, ranges: Vec::new() };
    match line.sorted.list {
        None => line.without_list(),
        Some(Align::Default | Align::Left) => line.list_left(),
        Some(Align::Centre) => line.list_centre(),
        Some(Align::Right) => line.list_right(),
        Some(Align::AbsoluteCentre) => line.list_absolute(),
    }
    line.ranges
}

/// The columns that runs take.
pub fn width(runs: &[Run]) -> u16 {
    let clusters = runs.iter().flat_map(|run| run.text.graphemes(true));
    let sum: usize = clusters.map(|cluster| usize::from(term::frame::width_of(cluster))).sum();
    u16::try_from(sum).unwrap_or(u16::MAX)
}

/// Sorts runs into the parts of the line.
fn sort(frame: &mut Frame, runs: &[Run]) -> Sorted {
    let mut sorted = Sorted::default();
    let mut sorter =
        Sorter { current: Part::Left, state: ListState::Before, focus: (None, None), after: None, open: None };
    for run in runs {
        if run.fill.is_some() {
            sorted.fill = run.fill;
        }
        sorter.enter(run, &mut sorted);
        let mut cells = take(&mut sorted.cells[sorter.current as usize]);
        for cluster in run.text.graphemes(true) {
            if cells.len() >= PART_MAX {
                break;
            }
            frame.push_cluster(&mut cells, cluster, run.style);
        }
        sorted.cells[sorter.current as usize] = cells;
    }
    if let (Some(start), Some(end)) = sorter.focus {
        sorted.focus = Some((start, end));
    }
    sorted
}

#[derive(PartialEq, Eq)]
enum ListState {
    Before,
    Inside,
    Done,
}

/// Where in the line the runs have come to.
struct Sorter {
    current: Part,
    state: ListState,
    focus: (Option<usize>, Option<usize>),
    /// The alignment whose text comes after the list now.
    after: Option<Align>,
    /// A range that has begun: its part and first column.
    open: Option<(usize, RangeKind, usize)>,
}

impl Sorter {
    fn enter(&mut self, run: &Run, sorted: &mut Sorted) {
        let list_end = sorted.cells[Part::List as usize].len();
        match run.list {
            List::On => {
                if self.state != ListState::Inside {
                    self.open = None;
                    self.state = ListState::Inside;
                    sorted.list = Some(run.align);
                }
                self.end_focus(list_end);
                self.current = Part::List;
            }
            List::Focus if self.state == ListState::Inside => {
                self.focus.0.get_or_insert(list_end);
            }
            List::Off => {
                if self.state == ListState::Inside {
                    self.open = None;
                    self.end_focus(list_end);
                    self.after = sorted.list;
                    self.state = ListState::Done;
                }
                self.current = self.part(run.align);
            }
            List::LeftMarker => self.marker(Part::LeftMarker, sorted),
            List::RightMarker => self.marker(Part::RightMarker, sorted),
            List::Focus => {}
        }
        self.range(run, sorted);
    }

    fn end_focus(&mut self, at: usize) {
        if self.focus.0.is_some() {
            self.focus.1.get_or_insert(at);
        }
    }

    fn marker(&mut self, part: Part, sorted: &Sorted) {
        if self.state != ListState::Inside || !sorted.cells[part as usize].is_empty() {
            return;
        }
        self.open = None;
        if self.focus.1.is_none() {
            self.focus = (None, None);
        }
        self.current = part;
    }

    fn part(&self, align: Align) -> Part {
        let left = |align| matches!(align, Align::Default | Align::Left);
        match self.after {
            Some(list) if list == align || left(list) && left(align) => Part::After,
            _ => match align {
                Align::Default | Align::Left => Part::Left,
                Align::Centre => Part::Centre,
                Align::Right => Part::Right,
                Align::AbsoluteCentre => Part::AbsoluteCentre,
            },
        }
    }

    fn range(&mut self, run: &Run, sorted: &mut Sorted) {
        if self.open.as_ref().map(|open| &open.1) == run.range.as_ref() {
            return;
        }
        let end = sorted.cells[self.current as usize].len();
        if let Some((part, kind, start)) = self.open.take() {
            let end = sorted.cells[part].len();
            if end > start {
                // As in tmux a range reaches one column past its text.
                let range = Range { kind, start: columns(start), end: columns(end + 1) };
                sorted.ranges.push((part, range));
            }
        }
        if let Some(kind) = &run.range {
            self.open = Some((self.current as usize, kind.clone(), end));
        }
    }
}

/// A count of columns, which [`PART_MAX`] keeps small.
fn columns(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// Takes columns from the first of `widths` that has any, until all fit.
fn trim(widths: &mut [&mut usize], room: usize) {
    let total: usize = widths.iter().map(|width| **width).sum();
    let mut over = total.saturating_sub(room);
    for width in widths {
        let cut = over.min(**width);
        **width -= cut;
        over -= cut;
    }
}

/// A line that is being put into its place.
struct Line<'a> {
    frame: &'a mut Frame,
    x: u16,
    y: u16,
    room: usize,
    sorted: &'a mut Sorted,
    ranges: Vec<Range>,
}

impl Line<'_> {
    fn len(&self, part: Part) -> usize {
        self.sorted.cells[part as usize].len()
    }

    /// Puts `width` columns of a part, from its column `start`, at column `offset` of the line.
    fn put(&mut self, part: Part, offset: usize, start: usize, width: usize) {
        self.copy(part, offset, start, width);
        for (_, range) in self.sorted.ranges.iter().filter(|(of, _)| *of == part as usize) {
            let from = usize::from(range.start).max(start);
            let to = usize::from(range.end).min(start + width);
            if from < to {
                let place = |column: usize| columns(column - start + offset);
                self.ranges.push(Range { kind: range.kind.clone(), start: place(from), end: place(to) });
            }
        }
    }

    fn copy(&mut self, part: Part, offset: usize, start: usize, width: usize) {
        let cells = take(&mut self.sorted.cells[part as usize]);
        let end = (start + width.min(self.room.saturating_sub(offset))).min(cells.len());
        if start < end {
            self.frame.put_cells(self.x.saturating_add(columns(offset)), self.y, &cells[start..end]);
        }
        self.sorted.cells[part as usize] = cells;
    }

    fn put_absolute(&mut self) {
        let width = self.len(Part::AbsoluteCentre).min(self.room);
        self.put(Part::AbsoluteCentre, (self.room - width) / 2, 0, width);
    }

    /// The right part ends at the right edge and is cut at its left.
    fn put_right(&mut self, width: usize) {
        self.put(Part::Right, self.room - width, self.len(Part::Right) - width, width);
    }

    /// The centre stands in the middle between two columns and is cut at both sides.
    fn put_centre(&mut self, from: usize, to: usize, width: usize) {
        let middle = from + to.saturating_sub(from) / 2;
        let start = (self.len(Part::Centre) / 2).saturating_sub(width / 2);
        self.put(Part::Centre, middle.saturating_sub(width / 2), start, width);
    }

    fn without_list(&mut self) {
        let (mut left, mut centre) = (self.len(Part::Left), self.len(Part::Centre));
        let mut right = self.len(Part::Right);
        trim(&mut [&mut centre, &mut right, &mut left], self.room);
        self.put(Part::Left, 0, 0, left);
        self.put_right(right);
        self.put_centre(left, self.room - right, centre);
        self.put_absolute();
    }

    fn list_left(&mut self) {
        let [mut left, mut centre, mut right, mut list, mut after] = self.widths();
        trim(&mut [&mut centre, &mut list, &mut right, &mut after, &mut left], self.room);
        if list == 0 {
            return self.without_list();
        }
        self.put(Part::Left, 0, 0, left);
        self.put_right(right);
        self.put(Part::After, left + list, 0, after);
        self.put_centre(left + list + after, self.room - right, centre);
        self.put_list(left, list, 0);
        self.put_absolute();
    }

    fn list_centre(&mut self) {
        let [mut left, mut centre, mut right, mut list, mut after] = self.widths();
        trim(&mut [&mut list, &mut after, &mut centre, &mut right, &mut left], self.room);
        if list == 0 {
            return self.without_list();
        }
        self.put(Part::Left, 0, 0, left);
        self.put_right(right);
        let middle = left + (self.room - right - left) / 2;
        let start = middle.saturating_sub(list / 2);
        self.put(Part::Centre, start.saturating_sub(centre), 0, centre);
        self.put(Part::After, start + list, 0, after);
        self.put_list(start, list, self.len(Part::List) / 2);
        self.put_absolute();
    }

    fn list_right(&mut self) {
        let [mut left, mut centre, mut right, mut list, mut after] = self.widths();
        trim(&mut [&mut centre, &mut list, &mut right, &mut after, &mut left], self.room);
        if list == 0 {
            return self.without_list();
        }
        self.put(Part::Left, 0, 0, left);
        self.put(Part::After, self.room - after, self.len(Part::After) - after, after);
        let start = self.room - right - list - after;
        self.put(Part::Right, start, 0, right);
        self.put_centre(left, start, centre);
        self.put_list(self.room - list - after, list, 0);
        self.put_absolute();
    }

    fn list_absolute(&mut self) {
        let [mut left, mut centre, mut right, mut list, mut after] = self.widths();
        let mut absolute = self.len(Part::AbsoluteCentre);
        trim(&mut [&mut centre, &mut right, &mut left], self.room);
        // The list lies over the rest, so it does not share the room with it.
        trim(&mut [&mut list, &mut after, &mut absolute], self.room);
        self.put(Part::Left, 0, 0, left);
        self.put_right(right);
        let middle = left + (self.room - right - left) / 2;
        self.put(Part::Centre, middle.saturating_sub(centre), 0, centre);
        let start = (self.room - list - absolute) / 2;
        self.put(Part::AbsoluteCentre, start, 0, absolute);
        self.put_list(start + absolute, list, self.len(Part::List) / 2);
        self.put(Part::After, start + absolute + list, 0, after);
    }

    fn widths(&self) -> [usize; 5] {
        [Part::Left, Part::Centre, Part::Right, Part::List, Part::After].map(|part| self.len(part))
    }

    /// The list in `width` columns: around its focus, or around `otherwise`, with markers where it is cut.
    fn put_list(&mut self, offset: usize, width: usize, otherwise: usize) {
        let whole = self.len(Part::List);
        if width >= whole {
            return self.put(Part::List, offset, 0, width);
        }
        let (focus_start, focus_end) = self.sorted.focus.unwrap_or((otherwise, otherwise));
        let centre = focus_start + (focus_end - focus_start) / 2;
        let (mut offset, mut width) = (offset, width);
        let mut start = centre.saturating_sub(width / 2).min(whole - width);
        let (left, right) = (self.len(Part::LeftMarker), self.len(Part::RightMarker));
        if start != 0 && width > left {
            self.copy(Part::LeftMarker, offset, 0, left);
            offset += left;
            start += left;
            width -= left;
        }
        if start + width < whole && width > right {
            self.copy(Part::RightMarker, offset + width - right, 0, right);
            width -= right;
        }
        self.put(Part::List, offset, start, width);
    }
}
