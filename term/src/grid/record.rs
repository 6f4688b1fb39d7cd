//! One line as bytes: the form of lines in history pages, checkpoints and snapshots.
//!
//! ```text
//! record = flags [kind [used] [size] [marks]] cells ( text | length text ) [ length styles ]
//! ```
//! A line of plain ASCII in one step of growth is two or three bytes and its text. Reading never trusts a length: a
//! record that does not fit its page ends the page.

use super::line::{Line, LineFlags, stepped, wrap_columns};
use super::marks::Marks;
use super::trail::Layout;
use crate::cell::{Cell, Glyph, Graphemes};
use crate::style::{Attrs, Color, ColorKind};
use crate::width::{ZERO_WIDTH_JOINER, is_plainly, table_width};

const WRAPPED: u8 = LineFlags::WRAPPED.bits();
/// The flags of the line that stand in the first byte.
const LINE_FLAGS: LineFlags = LineFlags::WRAPPED
    .union(LineFlags::PROMPT)
    .union(LineFlags::OUTPUT)
    .union(LineFlags::EXTENDED)
    .union(LineFlags::HYPERLINK);
/// One byte a cell, each narrow.
const ASCII: u8 = 8;
const STYLED: u8 = 16;
/// A second byte says what is unusual.
const RARE: u8 = 128;

const RARE_USED: u8 = 1;
const RARE_SIZE: u8 = 2;
const RARE_FILLED: u8 = 4;
const RARE_MARKS: u8 = 8;
/// No line at all: the lines after this were laid out for another width.
const RARE_WIDTH: u8 = 128;

/// Most cells one line can have; a screen is at most 10 000 columns wide.
const MAX_CELLS: usize = 20_100;

/// Bytes below space stand for cells that are not one character of its usual width.
mod token {
    /// The next character has not the width its table gives it.
    pub(super) const OTHER_WIDTH: u8 = 1;
    /// The wide character before this has no padding after it.
    pub(super) const BARE: u8 = 2;
    /// Padding, as many as the number after it.
    pub(super) const PADDING: u8 = 3;
    /// Erased cells, as many as the number after it.
    pub(super) const CLEARED: u8 = 4;
    /// A cluster: twice its length, plus one if it is wide, then its text.
    pub(super) const CLUSTER: u8 = 5;
    /// A tab, and its columns.
    pub(super) const TAB: u8 = 6;
    /// Padding that is not counted, as many as the number after it.
    pub(super) const UNCOUNTED: u8 = 7;
}

/// Appends a number, seven bits a byte.
pub(crate) fn put_number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a number from the front.
#[inline]
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn take<'b>(bytes: &mut &'b [u8], len: u64) -> Option<&'b [u8]> {
    let (front, rest) = bytes.split_at_checked(usize::try_from(len).ok()?)?;
    *bytes = rest;
    Some(front)
}

/// What stands next in a page.
pub(crate) enum Item<'b> {
    Width(Layout),
    Line(Record<'b>),
}

/// A line still encoded.
#[derive(Clone, Copy)]
pub(crate) struct Record<'b> {
    flags: u8,
    kind: u8,
    pub(crate) used: usize,
    size: Option<usize>,
    marks: Option<Marks>,
    n: usize,
    text: &'b [u8],
    styles: &'b [u8],
}

/// Appends the mark of a layout width.
pub(crate) fn put_width(out: &mut Vec<u8>, layout: Layout) {
    out.extend([RARE, RARE_WIDTH]);
    put_number(out, u64::from(layout.cols));
    put_number(out, layout.generation);
}

/// Takes a number of cells.
#[inline]
fn small_number(bytes: &mut &[u8]) -> Option<usize> {
    let value = take_number(bytes)? as usize;
    (value <= MAX_CELLS).then_some(value)
}

/// Reads what stands at the front of `bytes` and moves past it.
#[inline]
pub(crate) fn next<'b>(bytes: &mut &'b [u8]) -> Option<Item<'b>> {
    let (&flags, rest) = bytes.split_first()?;
    *bytes = rest;
    let mut kind = 0;
    if flags & RARE != 0 {
        let (&second, rest) = bytes.split_first()?;
        *bytes = rest;
        kind = second;
        if kind & RARE_WIDTH != 0 {
            let cols = u16::try_from(take_number(bytes)?).ok()?;
            let generation = take_number(bytes)?;
            return (1..=10_000).contains(&cols).then_some(Item::Width(Layout { cols, generation }));
        }
    }
    let used = if kind & RARE_USED != 0 { Some(small_number(bytes)?) } else { None };
    let size = if kind & RARE_SIZE != 0 { Some(small_number(bytes)?) } else { None };
    let marks = if kind & RARE_MARKS != 0 { Some(Marks::take(bytes)?) } else { None };
    let n = small_number(bytes)?;
    let len = if flags & ASCII != 0 { n as u64 } else { take_number(bytes)? };
    let text = take(bytes, len)?;
    let styles = if flags & STYLED != 0 {
        let len = take_number(bytes)?;
        take(bytes, len)?
    } else {
        &[]
    };
    let used = used.unwrap_or(n).min(n.max(size.unwrap_or(0)));
    Some(Item::Line(Record { flags, kind, used, size, marks, n, text, styles }))
}

impl<'b> Record<'b> {
    pub(crate) fn wrapped(&self) -> bool {
        self.flags & WRAPPED != 0
    }

    /// The text, when it is all there is to the line.
    pub(crate) fn plain(&self) -> Option<&'b [u8]> {
        (self.flags & (ASCII | STYLED | RARE) == ASCII).then_some(self.text)
    }

    /// True when each used cell is one column.
    pub(crate) fn is_ascii(&self) -> bool {
        self.flags & ASCII != 0
    }

    /// The flags of the line.
    pub(crate) fn line_flags(&self) -> LineFlags {
        let mut flags = LineFlags::from_bits_truncate(self.flags) & LINE_FLAGS;
        flags.set(LineFlags::FILLED, self.kind & RARE_FILLED != 0);
        flags
    }

    /// Columns of the used cells, padding counted as `pad`.
    pub(crate) fn columns(&self, pad: usize) -> usize {
        if self.is_ascii() {
            return self.used;
        }
        let mut sum = 0;
        self.widths(pad, &mut |width| sum += width);
        sum
    }

    /// Gives the columns of each used cell, padding counted as `pad`.
    pub(crate) fn widths(&self, pad: usize, to: &mut dyn FnMut(usize)) {
        if self.is_ascii() {
            return (0..self.used).for_each(|_| to(1));
        }
        let mut count = 0;
        self.glyphs(&mut |_, _| None, &mut |glyph| {
            if count < self.used {
                to(wrap_columns(glyph, pad));
            }
            count += 1;
        });
    }

    /// Gives each glyph of a text that is not ASCII.
    fn glyphs(&self, cluster: &mut dyn FnMut(&str, bool) -> Option<Glyph>, to: &mut dyn FnMut(Glyph)) {
        let mut rest = self.text;
        let mut left = self.n;
        while left > 0
            && let Some((glyph, times)) = take_glyph(&mut rest, cluster)
        {
            for _ in 0..times.min(left) {
                to(glyph);
            }
            left -= times.min(left);
            if glyph.is_wide() && rest.first() == Some(&token::BARE) {
                rest = &rest[1..];
            } else if glyph.is_wide() && left > 0 {
                to(Glyph::PAD);
                left -= 1;
            }
        }
        for _ in 0..left {
            to(Glyph::BLANK);
        }
    }

    /// Decodes the cells, used or not, without those that only fill the size.
    pub(crate) fn cells(&self, cells: &mut Vec<Cell>, cluster: &mut dyn FnMut(&str, bool) -> Option<Glyph>) {
        let start = cells.len();
        if self.is_ascii() {
            cells.extend(self.text.iter().map(|&byte| Cell { glyph: ascii(byte), ..Cell::BLANK }));
        } else {
            self.glyphs(cluster, &mut |glyph| cells.push(Cell { glyph, ..Cell::BLANK }));
        }
        let mut styles = self.styles;
        let mut look = Cell::BLANK;
        let mut at = start;
        while let Some(run) = take_style(&mut styles, &mut look) {
            let end = at.saturating_add(run).min(cells.len());
            for cell in &mut cells[at..end] {
                *cell = Cell { glyph: cell.glyph, ..look };
            }
            at = end;
        }
    }

    /// Decodes the whole line as it was on a grid of `cols`.
    pub(crate) fn line(&self, cols: usize, cluster: &mut dyn FnMut(&str, bool) -> Option<Glyph>) -> Line {
        let size = self.size(cols);
        let mut cells = Vec::with_capacity(size);
        self.cells(&mut cells, cluster);
        cells.resize(size.max(cells.len()), Cell::BLANK);
        let used = self.used.min(cells.len()) as u16;
        Line { cells, used, flags: self.line_flags(), change: 0, marks: self.marks.map(Box::new) }
    }

    /// The size of the line.
    pub(crate) fn size(&self, cols: usize) -> usize {
        self.size.unwrap_or(if self.n == 0 { 0 } else { stepped(self.n, cols) })
    }
}

fn ascii(byte: u8) -> Glyph {
    Glyph::point(if matches!(byte, 0x20..=0x7e) { byte as char } else { ' ' }, false)
}

fn take_char(rest: &mut &[u8]) -> Option<char> {
    let (c, len) = match *rest.first()? {
        byte @ 0..0x80 => (byte as char, 1),
        _ => crate::parser::decode(rest)?,
    };
    *rest = &rest[len..];
    Some(c)
}

fn take_glyph(rest: &mut &[u8], cluster: &mut dyn FnMut(&str, bool) -> Option<Glyph>) -> Option<(Glyph, usize)> {
    let first = *rest.first()?;
    if first >= 0x20 {
        let c = take_char(rest)?;
        return Some((Glyph::point(c, table_width(c) == 2), 1));
    }
    *rest = &rest[1..];
    match first {
        token::OTHER_WIDTH => take_char(rest).map(|c| (Glyph::point(c, table_width(c) != 2), 1)),
        token::PADDING => take_number(rest).map(|n| (Glyph::PAD, n.min(MAX_CELLS as u64) as usize)),
        token::UNCOUNTED => take_number(rest).map(|n| (Glyph::PAD_UNCOUNTED, n.min(MAX_CELLS as u64) as usize)),
        token::CLEARED => take_number(rest).map(|n| (Glyph::BLANK, n.min(MAX_CELLS as u64) as usize)),
        token::TAB => take_number(rest).map(|n| (Glyph::tab(n.clamp(1, 255) as u8), 1)),
        token::CLUSTER => {
            let head = take_number(rest)?;
            let text = std::str::from_utf8(take(rest, head >> 1)?).ok()?;
            let wide = head & 1 != 0;
            let base = text.chars().next()?;
            Some((cluster(text, wide).unwrap_or(Glyph::point(base, wide)), 1))
        }
        _ => None,
    }
}

/// Appends a line.
pub(crate) fn put_line(out: &mut Vec<u8>, line: &Line, cols: usize, graphemes: &Graphemes) {
    let used = (line.used as usize).min(line.cells.len());
    let mut n = used;
    if line.flags.contains(LineFlags::FILLED) {
        n = line.cells.iter().rposition(|cell| *cell != Cell::BLANK).map_or(0, |last| last + 1).max(used);
    }
    let mut flags = (line.flags & LINE_FLAGS).bits();
    let mut kind = 0;
    if n != used {
        kind |= RARE_USED;
    }
    if line.cells.len() != if n == 0 { 0 } else { stepped(n, cols) } {
        kind |= RARE_SIZE;
    }
    if line.flags.contains(LineFlags::FILLED) {
        kind |= RARE_FILLED;
    }
    if line.marks.is_some() {
        kind |= RARE_MARKS;
    }
    if kind != 0 {
        flags |= RARE;
    }
    let at = out.len();
    out.push(flags);
    if kind != 0 {
        out.push(kind);
        if kind & RARE_USED != 0 {
            put_number(out, used as u64);
        }
        if kind & RARE_SIZE != 0 {
            put_number(out, line.cells.len() as u64);
        }
        if let Some(marks) = &line.marks {
            marks.put(out);
        }
    }
    put_number(out, n as u64);
    let cells = &line.cells[..n];
    let (ascii, styled) = match line.flags.contains(LineFlags::EXTENDED) && !all_ascii(cells) {
        true => (false, looks(cells) != 0),
        false => put_ascii(out, cells),
    };
    if ascii {
        out[at] |= ASCII;
    } else {
        put_text(out, cells, graphemes);
    }
    if styled {
        out[at] |= STYLED;
        put_styles(out, cells);
    }
}

fn all_ascii(cells: &[Cell]) -> bool {
    cells.iter().all(|cell| cell.glyph.to_bits() < 0x80)
}

/// Not 0 when a cell has a look.
#[inline]
fn looks(cells: &[Cell]) -> u32 {
    cells.iter().fold(0, |looks, cell| looks | look(cell))
}

#[inline]
fn look(cell: &Cell) -> u32 {
    cell.fg.to_bits() | cell.bg.to_bits() | u32::from(cell.attrs.bits()) | u32::from(cell.ext)
}

/// Appends one byte a cell if all cells allow it. Says whether they did, and whether any has a look.
#[inline]
fn put_ascii(out: &mut Vec<u8>, cells: &[Cell]) -> (bool, bool) {
    let start = out.len();
    let (mut glyphs, mut looks) = (0, 0);
    out.extend(cells.iter().map(|cell| {
        let bits = cell.glyph.to_bits();
        glyphs |= bits;
        looks |= look(cell);
        bits as u8
    }));
    let ascii = glyphs & !0x7f == 0;
    if !ascii {
        out.truncate(start);
    }
    (ascii, looks != 0)
}

fn put_text(out: &mut Vec<u8>, cells: &[Cell], graphemes: &Graphemes) {
    let at = out.len();
    // The length goes before the text: most need no more than one byte or two.
    out.extend([0, 0]);
    let mut i = 0;
    while let Some(cell) = cells.get(i) {
        let glyph = cell.glyph;
        if matches!(glyph.to_bits(), 0x20..=0x7e) {
            out.push(glyph.to_bits() as u8);
            i += 1;
            continue;
        }
        let points = if glyph.as_point().is_some() { put_points(out, &cells[i..]) } else { 0 };
        if points > 0 {
            i += points;
            continue;
        }
        i += 1;
        let run = match glyph {
            Glyph::PAD_UNCOUNTED => Some(token::UNCOUNTED),
            Glyph::BLANK => Some(token::CLEARED),
            _ if glyph.is_padding() => Some(token::PADDING),
            _ => None,
        };
        if let Some(token) = run {
            let more = cells[i..].iter().take_while(|cell| cell.glyph == glyph).count();
            out.push(token);
            put_number(out, more as u64 + 1);
            i += more;
            continue;
        }
        put_glyph(out, glyph, graphemes);
        if glyph.is_wide() {
            if cells.get(i).is_some_and(|next| next.glyph == Glyph::PAD) {
                i += 1;
            } else {
                out.push(token::BARE);
            }
        }
    }
    settle_length(out, at, 2);
}

/// Appends the characters at the front of `cells` that have the width their table gives them and, where wide, their
/// padding after them: nearly all. Returns how many cells that were.
fn put_points(out: &mut Vec<u8>, cells: &[Cell]) -> usize {
    let start = out.len();
    // Room for four bytes each, so that each is written whole and then only counted by its length.
    out.resize(start + cells.len() * 4, 0);
    let room = &mut out[start..];
    let (mut i, mut end) = (0, 0);
    while let Some(cell) = cells.get(i) {
        let bits = cell.glyph.to_bits();
        if matches!(bits, 0x20..=0x7e) {
            let Some(byte) = room.get_mut(end) else { break };
            *byte = bits as u8;
            end += 1;
            i += 1;
            continue;
        }
        let Some((c, wide)) = cell.glyph.as_point() else { break };
        let padded = || cells.get(i + 1).is_some_and(|next| next.glyph == Glyph::PAD);
        if c < ' ' || !is_plainly(c, wide) || wide && !padded() {
            break;
        }
        let (bytes, len) = utf8(c as u32);
        let Some(four) = room.get_mut(end..end + 4) else { break };
        four.copy_from_slice(&bytes);
        end += len;
        i += 1 + usize::from(wide);
    }
    out.truncate(start + end);
    i
}

/// A code point as UTF-8 in the first bytes of four, and how many those are.
#[inline]
fn utf8(point: u32) -> ([u8; 4], usize) {
    let tail = |shift: u32| (point >> shift) as u8 & 0x3f | 0x80;
    match point {
        0..0x80 => ([point as u8, 0, 0, 0], 1),
        0x80..0x800 => ([(point >> 6) as u8 | 0xc0, tail(0), 0, 0], 2),
        0x800..0x10000 => ([(point >> 12) as u8 | 0xe0, tail(6), tail(0), 0], 3),
        _ => ([(point >> 18) as u8 | 0xf0, tail(12), tail(6), tail(0)], 4),
    }
}

/// Writes the length of what follows `room` bytes at `at` into them, making them more or less if it needs that.
fn settle_length(out: &mut Vec<u8>, at: usize, room: usize) {
    let mut left = out.len() - at - room;
    let (mut number, mut count) = ([0; 10], 1);
    while left >= 0x80 {
        number[count - 1] = left as u8 | 0x80;
        left >>= 7;
        count += 1;
    }
    number[count - 1] = left as u8;
    if count == room {
        out[at..at + room].copy_from_slice(&number[..count]);
    } else {
        out.splice(at..at + room, number[..count].iter().copied());
    }
}

fn put_glyph(text: &mut Vec<u8>, glyph: Glyph, graphemes: &Graphemes) {
    let wide = glyph.is_wide();
    if let Some(columns) = glyph.tab_width() {
        text.push(token::TAB);
        put_number(text, u64::from(columns));
    } else if let Some(index) = glyph.grapheme_index() {
        let cluster = graphemes.text(index);
        text.push(token::CLUSTER);
        put_number(text, (cluster.len() as u64) << 1 | u64::from(wide));
        text.extend_from_slice(cluster.as_bytes());
    } else {
        let c = glyph.as_char().filter(|c| *c >= ' ').unwrap_or(' ');
        if (table_width(c) == 2) != wide {
            text.push(token::OTHER_WIDTH);
        }
        let (bytes, len) = utf8(c as u32);
        text.extend_from_slice(&bytes[..len]);
    }
}

const NEW_FG: u8 = 1;
const NEW_BG: u8 = 2;
const NEW_ATTRS: u8 = 4;
const NEW_EXT: u8 = 8;
/// The run is one cell.
const ONE: u8 = 16;
const PLAIN_FG: u8 = 32;
const PLAIN_BG: u8 = 64;

fn put_styles(out: &mut Vec<u8>, cells: &[Cell]) {
    let at = out.len();
    out.push(0);
    let mut last = Cell::BLANK;
    let mut i = 0;
    while let Some(cell) = cells.get(i) {
        let same = |other: &&Cell| {
            other.fg == cell.fg && other.bg == cell.bg && other.attrs == cell.attrs && other.ext == cell.ext
        };
        let run = 1 + cells[i + 1..].iter().take_while(same).count();
        put_style(out, cell, &last, run);
        last = *cell;
        i += run;
    }
    settle_length(out, at, 1);
}

fn put_style(out: &mut Vec<u8>, cell: &Cell, last: &Cell, run: usize) {
    let mut mask = 0;
    let colour = |mask: &mut u8, new: Color, old: Color, changed: u8, plain: u8| {
        if new != old {
            *mask |= if new.is_default() { plain } else { changed };
        }
    };
    colour(&mut mask, cell.fg, last.fg, NEW_FG, PLAIN_FG);
    colour(&mut mask, cell.bg, last.bg, NEW_BG, PLAIN_BG);
    if cell.attrs != last.attrs {
        mask |= NEW_ATTRS;
    }
    if cell.ext != last.ext {
        mask |= NEW_EXT;
    }
    if run == 1 {
        mask |= ONE;
    }
    out.push(mask);
    if run != 1 {
        put_number(out, run as u64);
    }
    if mask & NEW_FG != 0 {
        put_colour(out, cell.fg);
    }
    if mask & NEW_BG != 0 {
        put_colour(out, cell.bg);
    }
    if mask & NEW_ATTRS != 0 {
        put_number(out, u64::from(cell.attrs.bits()));
    }
    if mask & NEW_EXT != 0 {
        put_number(out, u64::from(cell.ext));
    }
}

const INDEXED: u8 = 0x20;
const RGB: u8 = 0x21;

/// Appends a colour.
pub(crate) fn put_colour(out: &mut Vec<u8>, colour: Color) {
    match colour.kind() {
        ColorKind::Default => out.push(0),
        ColorKind::Ansi(n) => out.push(n + 1),
        ColorKind::Indexed(n) => out.extend([INDEXED, n]),
        ColorKind::Rgb(r, g, b) => out.extend([RGB, r, g, b]),
    }
}

/// Takes a colour from the front.
pub(crate) fn take_colour(bytes: &mut &[u8]) -> Option<Color> {
    match *take(bytes, 1)?.first()? {
        0 => Some(Color::DEFAULT),
        n @ 1..=16 => Some(Color::ansi(n - 1)),
        INDEXED => take(bytes, 1).map(|n| Color::indexed(n[0])),
        RGB => take(bytes, 3).map(|c| Color::rgb(c[0], c[1], c[2])),
        _ => None,
    }
}

/// Applies the next change of look and gives the length of its run.
fn take_style(bytes: &mut &[u8], look: &mut Cell) -> Option<usize> {
    let mask = *take(bytes, 1)?.first()?;
    let run = if mask & ONE != 0 { 1 } else { take_number(bytes)?.min(MAX_CELLS as u64) as usize };
    if mask & PLAIN_FG != 0 {
        look.fg = Color::DEFAULT;
    }
    if mask & PLAIN_BG != 0 {
        look.bg = Color::DEFAULT;
    }
    if mask & NEW_FG != 0 {
        look.fg = take_colour(bytes)?;
    }
    if mask & NEW_BG != 0 {
        look.bg = take_colour(bytes)?;
    }
    if mask & NEW_ATTRS != 0 {
        look.attrs = Attrs::from_bits_truncate(take_number(bytes)? as u16);
    }
    if mask & NEW_EXT != 0 {
        look.ext = take_number(bytes)? as u16;
    }
    Some(run)
}

/// True for a cluster that waits for the next character.
pub(crate) fn ends_joined(text: &str) -> bool {
    text.ends_with(ZERO_WIDTH_JOINER)
}

/// Sets the wrapped flag of the record at the front of `record`.
pub(crate) fn clear_wrapped(record: &mut [u8]) {
    if let Some(flags) = record.first_mut() {
        *flags &= !WRAPPED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round(line: &Line, graphemes: &mut Graphemes) -> Line {
        let mut out = Vec::new();
        put_line(&mut out, line, 80, graphemes);
        let mut rest = out.as_slice();
        let Some(Item::Line(record)) = next(&mut rest) else { panic!("no line") };
        assert!(rest.is_empty());
        record.line(80, &mut |text, wide| graphemes.intern(text).map(|index| Glyph::grapheme(index, wide)))
    }

    #[test]
    fn a_plain_line_costs_two_bytes_more_than_its_text() {
        let mut line = Line::default();
        line.set_run(0, &[b'x'; 80], super::super::line::SPACE, 80);
        let mut out = Vec::new();
        put_line(&mut out, &line, 80, &Graphemes::default());
        assert_eq!(out.len(), 82);
        assert_eq!(round(&line, &mut Graphemes::default()), line);
    }

    #[test]
    fn unusual_cells_come_back() {
        let mut graphemes = Graphemes::default();
        let index = graphemes.intern("e\u{301}").expect("room");
        let mut line = Line::default();
        for (x, glyph) in [
            (0, Glyph::point('日', true)),
            (1, Glyph::PAD),
            (2, Glyph::grapheme(index, false)),
            (5, Glyph::tab(3)),
            (6, Glyph::PAD),
            (7, Glyph::PAD),
            (8, Glyph::point('日', true)),
            (9, Glyph::point('x', true)),
        ] {
            line.set(x, Cell { glyph, fg: Color::rgb(1, 2, x as u8), ..Cell::BLANK }, 80);
        }
        line.erase(20, 10, Color::ansi(4));
        assert_eq!(round(&line, &mut graphemes), line);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut rest = bytes.as_slice();
            while let Some(item) = next(&mut rest) {
                if let Item::Line(record) = item {
                    let line = record.line(80, &mut |_, _| None);
                    prop_assert!(line.used as usize <= line.cells.len());
                    record.columns(0);
                }
            }
        }
    }
}
