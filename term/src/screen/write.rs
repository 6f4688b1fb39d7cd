//! Characters into cells: wrapping, wide characters, clusters, tabs.

use super::Screen;
use super::run::belongs_to_another;
use crate::cell::{Cell, Glyph};
use crate::event::Event;
use crate::grid::line::{LineFlags, SPACE, columns, padding_over, rich};
use crate::grid::record::ends_joined;
use crate::modes::Modes;
use crate::style::{Attrs, Color, ColorKind};
use crate::width::{self, Class, Jamo};

/// Most bytes of a cluster, as in tmux; what goes on past it is dropped.
const MAX_CLUSTER: usize = 32;
/// Widest tab that is kept as one cell.
const MAX_TAB: u16 = 32;

impl Screen {
    /// A run of printable ASCII.
    #[inline]
    pub(crate) fn write_ascii(&mut self, run: &[u8]) {
        let Some(&last) = run.last() else { return };
        self.last = Some(last as char);
        self.pen.look.attrs.remove(Attrs::CHARSET);
        let simple = self.modes & (Modes::WRAP | Modes::INSERT) == Modes::WRAP && !self.pen.is_drawing();
        if simple {
            return self.write_run(run);
        }
        let mut look = self.pen.look;
        look.attrs.set(Attrs::CHARSET, self.pen.is_drawing());
        for &byte in run {
            self.write_cell(Cell { glyph: Glyph::point(byte as char, false), ..look });
        }
    }

    #[inline]
    fn write_run(&mut self, mut run: &[u8]) {
        let cols = self.size.cols as usize;
        let look = self.pen.look;
        let mut flags = LineFlags::empty();
        if rich(&look) {
            flags |= LineFlags::EXTENDED;
            flags.set(LineFlags::HYPERLINK, self.pen.link.is_some());
        }
        while !run.is_empty() {
            if self.cursor.col as usize >= cols {
                self.linefeed(true, Color::DEFAULT);
                self.cursor.col = 0;
            }
            let x = self.cursor.col as usize;
            let (now, rest) = run.split_at(run.len().min(cols - x));
            let line = self.grid.line_mut(self.cursor.row);
            let extended = line.flags.contains(LineFlags::EXTENDED);
            if extended && x > 0 && line.get(x).glyph.is_padding() {
                erase_covering(line, x, cols);
            }
            line.set_run(x, now, look, cols);
            line.flags |= flags;
            if extended {
                erase_padding(line, x + now.len(), cols);
            }
            self.cursor.col = (x + now.len()) as u16;
            run = rest;
        }
    }

    /// Any other character.
    #[inline]
    pub(crate) fn write_char(&mut self, c: char) {
        self.last = Some(c);
        match width::class(c) {
            Class::Narrow if !self.left_is_open() => self.write_glyph(Glyph::point(c, false)),
            Class::Wide if !self.left_is_open() => self.write_glyph(Glyph::point(c, true)),
            _ => self.write_special(c),
        }
    }

    /// True when the cell to the left is a cluster that may wait for more.
    #[inline]
    pub(super) fn left_is_open(&self) -> bool {
        let x = self.cursor.col as usize;
        if x == 0 {
            return false;
        }
        let line = self.grid.line(self.cursor.row);
        if !line.flags.contains(LineFlags::EXTENDED) {
            return false;
        }
        let mut glyph = line.get(x - 1).glyph;
        if glyph.is_padding() && x > 1 {
            glyph = line.get(x - 2).glyph;
        }
        glyph.grapheme_index().is_some_and(|index| ends_joined(self.graphemes.text(index)))
    }

    fn write_special(&mut self, c: char) {
        if self.combine(c) {
            return;
        }
        match width::width(c) {
            0 => {}
            columns => self.write_glyph(Glyph::point(c, columns == 2)),
        }
    }

    #[inline]
    fn write_glyph(&mut self, glyph: Glyph) {
        let cell = Cell { glyph, ..self.pen.look };
        if !self.write_over(cell) {
            self.write_cell(cell);
        }
    }

    /// Writes a character over cells that are there and belong to no other: most characters of a line need no more.
    #[inline]
    fn write_over(&mut self, cell: Cell) -> bool {
        let (x, wide) = (self.cursor.col as usize, cell.glyph.is_wide());
        let end = x + 1 + usize::from(wide);
        let simple = self.modes & (Modes::WRAP | Modes::INSERT) == Modes::WRAP && cell.ext == 0;
        if !simple || end > self.size.cols as usize {
            return false;
        }
        let line = self.grid.line_mut(self.cursor.row);
        if end > line.cells.len() || belongs_to_another(&line.cells[x..], end - x) {
            return false;
        }
        let under = &mut line.cells[x..end];
        under[0] = cell;
        if wide {
            under[1] = padding_over(&under[1], cell.bg);
        }
        line.used = line.used.max(end as u16);
        line.flags |= LineFlags::EXTENDED;
        self.cursor.col = end as u16;
        true
    }

    /// Joins a character to the one at its left. True when it is done with.
    fn combine(&mut self, c: char) -> bool {
        if c == width::HANGUL_FILLER {
            return true;
        }
        let selector = c == width::VARIATION_SELECTOR;
        let lone = selector || c == width::ZERO_WIDTH_JOINER || width::width(c) == 0;
        let mut force_wide = selector && self.settings.variation_selector_wide;
        let (x, y, cols) = (self.cursor.col as usize, self.cursor.row, self.size.cols as usize);
        if x == 0 {
            return lone;
        }
        let line = self.grid.line(y);
        let mut n = 1;
        let mut last = line.get(x - 1);
        if x != 1 && last.glyph.is_padding() {
            n = 2;
            last = line.get(x - 2);
        }
        if last.glyph.is_padding() || columns(last.glyph) != n {
            return lone;
        }
        if last.glyph.tab_width().is_some() {
            if force_wide && n == 1 && x < cols {
                let line = self.grid.line_mut(y);
                line.set(x - 1, Cell { glyph: Glyph::tab(2), ..last }, cols);
                line.set_padding(x, last.bg, cols);
                self.set_cursor(x as u16 + 1, y);
            }
            return lone;
        }
        let mut buffer = [0; 4];
        let text = match last.glyph.grapheme_index() {
            Some(index) => self.graphemes.text(index),
            None => last.glyph.as_char().unwrap_or(' ').encode_utf8(&mut buffer),
        };
        if !lone {
            match width::jamo(text.chars().next_back(), c) {
                Jamo::Lost => return true,
                Jamo::Leading => return false,
                Jamo::Joins => {}
                Jamo::None if width::joins(text, c) => force_wide = true,
                Jamo::None if !ends_joined(text) => return false,
                Jamo::None => {}
            }
        }
        if text.len() + c.len_utf8() > MAX_CLUSTER {
            return lone;
        }
        let mut cluster = std::mem::take(&mut self.cluster);
        cluster.clear();
        cluster.push_str(text);
        cluster.push(c);
        let widens = force_wide && !last.glyph.is_wide();
        let wide = widens || last.glyph.is_wide();
        let glyph = match self.intern_cluster(&cluster) {
            Some(index) => Glyph::grapheme(index, wide),
            None => Glyph::point(cluster.chars().next().unwrap_or(' '), wide),
        };
        self.cluster = cluster;
        let linked = last.ext != 0 && self.extras.get(last.ext).link.is_some();
        let line = self.grid.line_mut(y);
        line.set(x - n, Cell { glyph, ..last }, cols);
        line.flags.set(LineFlags::HYPERLINK, linked || line.flags.contains(LineFlags::HYPERLINK));
        if widens {
            line.set_padding(x, last.bg, cols);
            if x < cols {
                self.set_cursor(x as u16 + 1, y);
            }
        }
        true
    }

    /// The index of a cluster. A full table is made anew from what the screens show.
    fn intern_cluster(&mut self, cluster: &str) -> Option<u32> {
        self.graphemes.intern(cluster).or_else(|| {
            self.compact_graphemes();
            self.graphemes.intern(cluster)
        })
    }

    fn compact_graphemes(&mut self) {
        let old = std::mem::take(&mut self.graphemes);
        for grid in std::iter::once(&mut self.grid).chain(&mut self.main) {
            for y in 0..grid.rows() {
                let clusters = grid.line(y).cells.iter().any(|cell| cell.glyph.grapheme_index().is_some());
                if !clusters {
                    continue;
                }
                for cell in &mut grid.line_mut(y).cells {
                    let Some(index) = cell.glyph.grapheme_index() else { continue };
                    let wide = cell.glyph.is_wide();
                    let text = old.text(index);
                    cell.glyph = match self.graphemes.intern(text) {
                        Some(index) => Glyph::grapheme(index, wide),
                        None => Glyph::point(text.chars().next().unwrap_or(' '), wide),
                    };
                }
            }
        }
    }

    /// Writes one cell at the cursor, by every rule.
    pub(crate) fn write_cell(&mut self, cell: Cell) {
        let cols = self.size.cols as usize;
        let width = columns(cell.glyph);
        let x = self.cursor.col as usize;
        let wraps = self.modes.contains(Modes::WRAP);
        if !wraps && width > 1 && (width > cols || x != cols && x > cols - width) {
            return;
        }
        let inserts = self.modes.contains(Modes::INSERT);
        if inserts {
            self.open_gap(width as u16, Color::DEFAULT);
        }
        if wraps && x + width > cols && width <= cols {
            self.linefeed(true, Color::DEFAULT);
            self.cursor.col = 0;
        }
        let x = self.cursor.col as usize;
        if x + width > cols {
            return;
        }
        let linked = cell.ext != 0 && self.extras.get(cell.ext).link.is_some();
        let line = self.grid.line_mut(self.cursor.row);
        let mut skip = width == 1 && !inserts;
        if line.flags.contains(LineFlags::EXTENDED) && overwrite(line, x, width, cols) {
            skip = false;
        }
        for x in x + 1..x + width {
            line.set_padding(x, cell.bg, cols);
        }
        // A space written where the line does not reach yet leaves no trace, and neither does a link or an underline
        // colour over the same plain character.
        let same = match line.cells.get(x) {
            None => cell == SPACE,
            Some(under) => cell.ext != 0 && is_plain(under) && Cell { ext: 0, ..cell } == *under,
        };
        if !(skip && same) {
            line.set(x, cell, cols);
            if linked {
                line.flags |= LineFlags::HYPERLINK;
            }
        }
        let keep = usize::from(!wraps);
        self.cursor.col = if x + width + keep <= cols { x + width } else { cols - keep } as u16;
    }

    /// HT: moves to the next stop; over empty cells it leaves a tab cell.
    pub(crate) fn tab(&mut self) {
        let (x, cols) = (self.cursor.col, self.size.cols);
        if x + 1 >= cols {
            return;
        }
        let line = self.grid.line(self.cursor.row);
        let first = line.get(x as usize);
        let mut empty = true;
        let mut to = x;
        loop {
            let cell = line.get(to as usize);
            empty &= is_blank(&cell) && self.looks_equal(&cell, &first);
            to += 1;
            if self.is_tab(to) || to >= cols - 1 {
                break;
            }
        }
        let width = to - x;
        if !empty || width > MAX_TAB {
            self.cursor.col = to;
        } else {
            self.write_cell(Cell { glyph: Glyph::tab(width as u8), ..first });
        }
    }

    /// True for the same look; underline colours do not count here, as in tmux.
    fn looks_equal(&self, a: &Cell, b: &Cell) -> bool {
        let link = |cell: &Cell| &self.extras.get(cell.ext).link;
        a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs && (a.ext == b.ext || link(a) == link(b))
    }

    /// CHT: moves only.
    pub(crate) fn tab_forward(&mut self, n: i32) {
        for _ in 0..n.min(i32::from(self.size.cols)) {
            let Some(to) = (self.cursor.col + 1..self.size.cols).find(|&x| self.is_tab(x)) else {
                self.cursor.col = self.size.cols - 1;
                return;
            };
            self.cursor.col = to;
        }
    }

    /// CBT.
    pub(crate) fn tab_back(&mut self, n: i32) {
        let mut x = self.cursor.col.min(self.size.cols - 1);
        for _ in 0..n {
            if x == 0 {
                break;
            }
            x = (1..x).rev().find(|&x| self.is_tab(x)).unwrap_or(0);
        }
        self.cursor.col = x;
    }

    /// REP.
    pub(crate) fn repeat(&mut self, n: i32) {
        let Some(last) = self.last else { return };
        let n = n.min(i32::from(self.size.cols) - i32::from(self.cursor.col)).max(0) as usize;
        let drawing = self.pen.is_drawing();
        if last.is_ascii() {
            self.write_ascii(&vec![last as u8; n]);
        }
        // The character set sticks to the pen until the next ASCII character, as it does in tmux.
        self.pen.look.attrs.set(Attrs::CHARSET, drawing);
        if !last.is_ascii() {
            for _ in 0..n {
                self.write_char(last);
            }
        }
    }

    /// A C0 control.
    #[inline]
    pub(crate) fn c0(&mut self, byte: u8) {
        self.last = None;
        match byte {
            0x07 => self.event(Event::Bell),
            0x08 => self.backspace(),
            0x09 => self.tab(),
            0x0a..=0x0c => {
                self.linefeed(false, self.bg());
                if self.modes.contains(Modes::CRLF) {
                    self.cursor.col = 0;
                }
            }
            0x0d => self.cursor.col = 0,
            0x0e => self.pen.shifted = true,
            0x0f => self.pen.shifted = false,
            0x00 => {}
            _ => self.unknown += 1,
        }
    }
}

type Line = crate::grid::line::Line;

/// ASCII in the sixteen colours, without anything that makes tmux keep it in extended form.
fn is_plain(cell: &Cell) -> bool {
    let basic = |colour: Color| matches!(colour.kind(), ColorKind::Default | ColorKind::Ansi(_));
    cell.glyph.to_bits() < 0x80 && !rich(cell) && basic(cell.fg) && basic(cell.bg)
}

/// A space, erased or written.
fn is_blank(cell: &Cell) -> bool {
    cell.glyph == Glyph::BLANK || cell.glyph == SPACE.glyph
}

/// A space in place of what was part of a character; the background stays.
fn blank(line: &mut Line, x: usize, cols: usize) {
    let bg = line.get(x).bg;
    line.set(x, Cell { bg, ..SPACE }, cols);
}

/// Erases the character whose padding stands at `x`.
fn erase_covering(line: &mut Line, x: usize, cols: usize) {
    let mut at = x;
    while at > 0 && line.get(at).glyph.is_padding() {
        blank(line, at, cols);
        at -= 1;
    }
    let glyph = line.get(at).glyph;
    if columns(glyph) > 1 || glyph.is_padding() {
        blank(line, at, cols);
    }
}

/// Replaces padding from `x` on, which has lost its character.
fn erase_padding(line: &mut Line, x: usize, cols: usize) -> bool {
    let mut at = x;
    while at < cols && line.get(at).glyph.is_padding() {
        blank(line, at, cols);
        at += 1;
    }
    at != x
}

/// Erases what else belongs to the characters that `width` cells at `x` will cover.
fn overwrite(line: &mut Line, x: usize, width: usize, cols: usize) -> bool {
    let now = line.get(x);
    let mut done = false;
    if now.glyph.is_padding() {
        let mut at = x;
        while at > 0 && line.get(at).glyph.is_padding() {
            blank(line, at, cols);
            at -= 1;
        }
        blank(line, at, cols);
        done = true;
    }
    if width != 1 || columns(now.glyph) != 1 {
        done |= erase_padding(line, x + width, cols);
    }
    done
}
