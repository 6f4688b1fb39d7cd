//! The text of a screen as `capture-pane` of tmux 3.7c gives it, byte for byte.
//!
//! What looks odd is tmux's: overline is written `5:3`, cells that were erased but never used count for `-e`, and a
//! link that goes on in the next line is not opened again, while one that ends a line may be opened twice.

use crate::cell::{Cell, Extras, Glyph, Graphemes, Link};
use crate::grid::Grid;
use crate::grid::history::{HistoryRow, intern};
use crate::grid::line::{Line, LineFlags, SPACE};
use crate::grid::record::Record;
use crate::style::{Attrs, Color, ColorKind, Underline};
use crate::terminal::Terminal;
use std::cell::RefCell;
use std::io::Write;

/// A line for `-S` and `-E`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineNumber {
    /// The oldest line of the history.
    First,
    /// Counted from the top of the screen; negative in the history. What lies outside is moved to the nearest line.
    At(i64),
    /// The bottom of the screen.
    Last,
}

/// What to capture, and how. The default is what `capture-pane` without flags does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// `-S`: the first line.
    pub start: LineNumber,
    /// `-E`: the last line.
    pub end: LineNumber,
    /// `-e`: with escape sequences for colours, attributes and links.
    pub escapes: bool,
    /// `-C`: those as octal `\ooo`, and backslashes doubled.
    pub escape_controls: bool,
    /// `-J`: wrapped lines joined, spaces at the end kept.
    pub join: bool,
    /// `-N`: spaces at the end kept.
    pub keep_trailing: bool,
    /// `-T`: cells at the end that were never used left out.
    pub trim: bool,
    /// `-a`: the main screen while the alternate one is shown; nothing when it is not.
    pub alternate: bool,
    /// `-L`: each line after its number.
    pub line_numbers: bool,
    /// `-F`: each line after its flags.
    pub flags: bool,
    /// `-H`: the links of each line instead of its text.
    pub links: bool,
}

impl Default for Capture {
    fn default() -> Capture {
        Capture {
            start: LineNumber::At(0),
            end: LineNumber::Last,
            escapes: false,
            escape_controls: false,
            join: false,
            keep_trailing: false,
            trim: false,
            alternate: false,
            line_numbers: false,
            flags: false,
            links: false,
        }
    }
}

impl Capture {
    /// The lines of a screen captured with these letters of `capture-pane`: any of `aCeFHJLNT`; others change nothing.
    pub fn with_flags(letters: &str) -> Capture {
        let has = |letter| letters.contains(letter);
        Capture {
            escapes: has('e'),
            escape_controls: has('C'),
            join: has('J'),
            keep_trailing: has('N'),
            trim: has('T'),
            alternate: has('a'),
            line_numbers: has('L'),
            flags: has('F'),
            links: has('H'),
            ..Capture::default()
        }
    }
}

impl Terminal {
    /// Captures lines as they go into a buffer: each ends with a newline, unless it is joined to the next.
    /// (`capture-pane -p` prints this without its last newline and then one newline.)
    pub fn capture(&self, options: &Capture) -> Vec<u8> {
        let screen = &self.screen;
        let (grid, above) = match (options.alternate, &screen.main) {
            (false, _) => (&screen.grid, screen.history.rows()),
            (true, Some(main)) => (main, 0),
            (true, None) => return Vec::new(),
        };
        let total = above + grid.rows() as usize;
        let place = |number: LineNumber| match number {
            LineNumber::First => 0,
            LineNumber::At(n) => (above as i64).saturating_add(n).clamp(0, total as i64 - 1) as usize,
            LineNumber::Last => total - 1,
        };
        let (start, end) = (place(options.start), place(options.end));
        let (top, bottom) = (start.min(end), start.max(end));
        let mut writer = Writer {
            out: Vec::new(),
            options,
            cols: screen.size.cols as usize,
            extras: &screen.extras,
            last: SPACE,
            seen: Vec::new(),
            number: top as i64 - above as i64,
        };
        if top < above {
            let clusters = RefCell::new(Graphemes::default());
            let mut find = |text: &str, wide: bool| intern(&mut clusters.borrow_mut(), text, wide);
            screen.history.each(top..above.min(bottom + 1), &mut find, &mut |row| match row {
                HistoryRow::Record(record, cols) => {
                    if !writer.plain(&record, cols) {
                        let line = record.line(cols, &mut |text, wide| intern(&mut clusters.borrow_mut(), text, wide));
                        writer.line(&line, &clusters.borrow());
                    }
                }
                HistoryRow::Line(line) => writer.line(&line, &clusters.borrow()),
            });
        }
        writer.visible(grid, top.max(above) - above..(bottom + 1).max(above) - above, &screen.graphemes);
        writer.out
    }

    /// The bytes of an unfinished sequence with controls as octal (`capture-pane -P -C`).
    pub fn pending_escaped(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for byte in self.pending() {
            // tmux compares signed bytes, so those above 0x7f are octal too.
            if matches!(byte, b' '..=0x7f) && byte != b'\\' {
                out.push(byte);
            } else {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
            }
        }
        out
    }
}

struct Writer<'a> {
    out: Vec<u8>,
    options: &'a Capture,
    cols: usize,
    extras: &'a Extras,
    /// The cell written last: escapes say only what is different from it.
    last: Cell,
    /// Links given so far, for `-H`.
    seen: Vec<Link>,
    number: i64,
}

impl Writer<'_> {
    fn visible(&mut self, grid: &Grid, rows: std::ops::Range<usize>, graphemes: &Graphemes) {
        for y in rows {
            self.line(grid.line(y as u16), graphemes);
        }
    }

    /// A line that is only text is copied. False when it is not.
    fn plain(&mut self, record: &Record<'_>, cols: usize) -> bool {
        let options = self.options;
        let decorated = options.line_numbers || options.flags || options.links || options.escape_controls;
        let Some(text) = record.plain() else { return false };
        if decorated || options.escapes && !same_look(&self.last, &SPACE) || text.len() > self.cols {
            return false;
        }
        self.out.extend_from_slice(text);
        if !options.join && !options.trim && options.keep_trailing {
            let size = record.size(cols).min(self.cols);
            self.out.resize(self.out.len() + size.saturating_sub(text.len()), b' ');
        }
        self.finish(self.out.len() - text.len(), record.wrapped());
        self.number += 1;
        true
    }

    fn finish(&mut self, start: usize, wrapped: bool) {
        if !self.options.join && !self.options.keep_trailing {
            while self.out.len() > start && self.out.last() == Some(&b' ') {
                self.out.pop();
            }
        }
        if !self.options.join || !wrapped {
            self.out.push(b'\n');
        }
    }

    fn line(&mut self, line: &Line, graphemes: &Graphemes) {
        let number = self.number;
        self.number += 1;
        let wrapped = line.flags.contains(LineFlags::WRAPPED);
        if self.options.links {
            let links = self.line_links(line);
            if links.is_empty() {
                return;
            }
            self.head(number, line.flags);
            self.out.extend_from_slice(links.as_bytes());
            if !self.options.join || !wrapped {
                self.out.push(b'\n');
            }
            return;
        }
        self.head(number, line.flags);
        let start = self.out.len();
        self.text(line, graphemes);
        self.finish(start, wrapped);
    }

    fn head(&mut self, number: i64, flags: LineFlags) {
        if self.options.line_numbers {
            self.out.extend_from_slice(format!("{number} ").as_bytes());
        }
        if self.options.flags {
            let start = self.out.len();
            for (flag, letter) in [
                (LineFlags::HYPERLINK, b'H'),
                (LineFlags::OUTPUT, b'O'),
                (LineFlags::PROMPT, b'P'),
                (LineFlags::WRAPPED, b'W'),
                (LineFlags::EXTENDED, b'X'),
            ] {
                if flags.contains(flag) {
                    self.out.push(letter);
                }
            }
            if self.out.len() == start {
                self.out.push(b'-');
            }
            self.out.push(b' ');
        }
    }

    fn line_links(&mut self, line: &Line) -> String {
        let mut links = String::new();
        if !line.flags.contains(LineFlags::HYPERLINK) {
            return links;
        }
        for cell in line.written() {
            let Some(link) = &self.extras.get(cell.ext).link else { continue };
            if self.seen.contains(link) || self.seen.len() == self.cols {
                continue;
            }
            self.seen.push(link.clone());
            if !links.is_empty() {
                links.push(' ');
            }
            links.push_str(&link.uri);
        }
        links
    }

    fn text(&mut self, line: &Line, graphemes: &Graphemes) {
        let whole = !self.options.join && !self.options.trim;
        let cells = if whole { &line.cells[..] } else { line.written() };
        let mut linked = false;
        let mut codes = 0..0;
        for cell in &cells[..cells.len().min(self.cols)] {
            if cell.glyph.is_padding() {
                continue;
            }
            if self.options.escapes {
                let start = self.out.len();
                if !same_look(&self.last, cell) {
                    self.codes(cell, &mut linked);
                }
                codes = start..self.out.len();
                self.last = *cell;
            }
            self.glyph(cell, graphemes);
        }
        if linked {
            // tmux writes the escapes of the last cell once more here.
            self.out.extend_from_within(codes);
            self.link("", "");
        }
    }

    #[inline]
    fn glyph(&mut self, cell: &Cell, graphemes: &Graphemes) {
        let bits = cell.glyph.to_bits();
        if bits < 0x80 && bits != u32::from(b'\\') {
            self.out.push(bits as u8);
        } else if cell.glyph == Glyph::BLANK {
            self.out.push(b' ');
        } else if cell.glyph.tab_width().is_some() {
            self.out.push(b'\t');
        } else if let Some(index) = cell.glyph.grapheme_index() {
            self.out.extend_from_slice(graphemes.text(index).as_bytes());
        } else if let Some(c) = cell.glyph.as_char() {
            if c == '\\' && self.options.escape_controls {
                self.out.push(b'\\');
            }
            self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    fn escape(&mut self) {
        let escape: &[u8] = if self.options.escape_controls { b"\\033" } else { b"\x1b" };
        self.out.extend_from_slice(escape);
    }

    /// The escapes from the last cell's look to this one's.
    fn codes(&mut self, cell: &Cell, linked: &mut bool) {
        let (old, new) = (self.last, *cell);
        let (old_extra, new_extra) = (self.extras.get(old.ext).clone(), self.extras.get(new.ext).clone());
        let (had, has) = (attributes(old.attrs), attributes(new.attrs));
        let removed = had.iter().zip(&has).any(|(had, has)| had.is_some() && has.is_none());
        let reset = removed || !old_extra.us.is_default() && new_extra.us.is_default();
        let mut codes = Vec::new();
        if reset {
            codes.push("0");
        }
        codes.extend(has.iter().zip(&had).filter(|(_, had)| reset || had.is_none()).filter_map(|(has, _)| *has));
        if !codes.is_empty() {
            self.escape();
            self.out.push(b'[');
            self.out.extend_from_slice(codes.join(";").as_bytes());
            self.out.push(b'm');
        }
        self.colour(3, new.fg, old.fg, reset);
        self.colour(4, new.bg, old.bg, reset);
        if !new_extra.us.is_default() {
            self.colour(5, new_extra.us, old_extra.us, reset);
        }
        let (was, is) = (old.attrs.contains(Attrs::CHARSET), new.attrs.contains(Attrs::CHARSET));
        if was != is {
            let shift: &[u8] = match (is, self.options.escape_controls) {
                (true, false) => b"\x0e",
                (true, true) => b"\\016",
                (false, false) => b"\x0f",
                (false, true) => b"\\017",
            };
            self.out.extend_from_slice(shift);
        }
        if old_extra.link != new_extra.link {
            match new_extra.link {
                Some(Link { uri, id }) => *linked = self.link(&uri, &id),
                None if *linked => {
                    self.link("", "");
                    *linked = false;
                }
                None => {}
            }
        }
    }

    /// One colour; `base` is 3, 4 or 5 for foreground, background and underline.
    fn colour(&mut self, base: u8, new: Color, old: Color, reset: bool) {
        if new == old && !reset || reset && new.is_default() {
            return;
        }
        self.escape();
        let out = &mut self.out;
        // A Vec takes all bytes; writing to it can't fail.
        let _ = match new.kind() {
            ColorKind::Default => write!(out, "[{base}9m"),
            ColorKind::Ansi(n @ 0..8) => write!(out, "[{base}{n}m"),
            ColorKind::Ansi(n) => write!(out, "[{}{}m", if base == 3 { 9 } else { 10 }, n - 8),
            ColorKind::Indexed(n) => write!(out, "[{base}8;5;{n}m"),
            ColorKind::Rgb(r, g, b) => write!(out, "[{base}8;2;{r};{g};{b}m"),
        };
    }

    fn link(&mut self, uri: &str, id: &str) -> bool {
        // tmux leaves out what does not fit its buffer.
        if uri.len() + id.len() + 17 >= 8192 {
            return false;
        }
        self.escape();
        self.out.extend_from_slice(b"]8;");
        if !id.is_empty() {
            self.out.extend_from_slice(b"id=");
            self.out.extend_from_slice(id.as_bytes());
        }
        self.out.push(b';');
        self.out.extend_from_slice(uri.as_bytes());
        self.escape();
        self.out.extend_from_slice(if self.options.escape_controls { b"\\\\" } else { b"\\" });
        true
    }
}

fn same_look(a: &Cell, b: &Cell) -> bool {
    a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs && a.ext == b.ext
}

/// The code of each attribute that is set, in tmux's order.
fn attributes(attrs: Attrs) -> [Option<&'static str>; 13] {
    let underline = attrs.underline();
    let is = |flag: Attrs, code| attrs.contains(flag).then_some(code);
    let line = |style: Underline, code| (underline == style).then_some(code);
    [
        is(Attrs::BOLD, "1"),
        is(Attrs::DIM, "2"),
        is(Attrs::ITALIC, "3"),
        line(Underline::Single, "4"),
        is(Attrs::BLINK, "5"),
        is(Attrs::REVERSE, "7"),
        is(Attrs::HIDDEN, "8"),
        is(Attrs::STRIKE, "9"),
        line(Underline::Double, "4:2"),
        line(Underline::Curly, "4:3"),
        line(Underline::Dotted, "4:4"),
        line(Underline::Dashed, "4:5"),
        is(Attrs::OVERLINE, "5:3"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Size;

    fn capture(bytes: &[u8], options: Capture) -> String {
        let mut terminal = Terminal::new(Size { cols: 20, rows: 3 }, 100);
        terminal.feed(bytes);
        String::from_utf8(terminal.capture(&options)).expect("text")
    }

    #[test]
    fn escapes_say_what_changes() {
        let options = Capture { escapes: true, end: LineNumber::At(0), ..Capture::default() };
        assert_eq!(capture(b"a\x1b[1;31mb\x1b[22mc\x1b[md", options), "a\x1b[1m\x1b[31mb\x1b[0m\x1b[31mc\x1b[39md\n");
        assert_eq!(capture(b"\x1b[4:3;53mx", options), "\x1b[4:3;5:3mx\x1b[0m\n");
        assert_eq!(capture(b"\x1b(0q\x1b(Bx", options), "\x0eq\x0fx\n");
        let link = b"\x1b]8;id=1;http://a\x07x\x1b]8;;\x07y";
        assert_eq!(capture(link, options), "\x1b]8;id=1;http://a\x1b\\x\x1b]8;;\x1b\\y\n");
    }

    #[test]
    fn lines_are_joined_and_numbered() {
        let text = b"0123456789012345678901234\r\nx";
        let join = Capture { join: true, ..Capture::default() };
        assert_eq!(capture(text, join), "0123456789012345678901234\nx\n");
        let numbers = Capture { line_numbers: true, flags: true, ..Capture::default() };
        assert_eq!(capture(text, numbers), "0 W 01234567890123456789\n1 - 01234\n2 - x\n");
    }

    #[test]
    fn history_has_negative_numbers() {
        let range = Capture { start: LineNumber::At(-1), end: LineNumber::At(0), ..Capture::default() };
        assert_eq!(capture(b"a\r\nb\r\nc\r\nd\r\ne", range), "b\nc\n");
        let all = Capture { start: LineNumber::First, ..Capture::default() };
        assert_eq!(capture(b"a\r\nb\r\nc\r\nd\r\ne", all), "a\nb\nc\nd\ne\n");
    }
}
