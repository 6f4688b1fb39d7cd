//! A screen told line by line and cell by cell, in the words of `capture-pane -R` of tmux 3.8.
//!
//! Numbers of flags, attributes and colours are tmux's, made from ours here; nothing of it is kept.

use crate::cell::{Cell, Graphemes};
use crate::grid::history::{HistoryRow, intern};
use crate::grid::line::{Line, LineFlags, columns};
use crate::grid::marks::MarkKinds;
use crate::style::{Attrs, Color, ColorKind, Underline};
use crate::terminal::Terminal;
use crate::text::vis;
use std::cell::RefCell;
use std::fmt::Write;

/// Bits of a line that has marks.
const MARKED: u32 = 0xf8;

/// A set of names and its number, written `NAME,NAME[hex]`.
struct Flags {
    names: Vec<&'static str>,
    bits: u32,
}

impl Flags {
    /// Those rows that hold, in their order.
    fn of(rows: &[(bool, u32, &'static str)]) -> Flags {
        let rows = || rows.iter().filter(|(holds, ..)| *holds);
        Flags { names: rows().map(|row| row.2).collect(), bits: rows().map(|row| row.1).sum() }
    }
}

impl std::fmt::Display for Flags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = if self.names.is_empty() { "NONE".into() } else { self.names.join(",") };
        write!(f, "{names}[{:x}]", self.bits)
    }
}

impl Terminal {
    /// All lines of history and screen with their flags, and all their cells.
    pub fn dump(&self) -> String {
        let screen = &self.screen;
        let above = screen.history.rows();
        let head = format!("G {}x{} ({above}/{})\n", screen.size.cols, screen.grid.rows(), screen.history.limit);
        let mut dump = Dump { out: head, terminal: self, above, row: 0 };
        let clusters = RefCell::new(Graphemes::default());
        let mut find = |text: &str, wide: bool| intern(&mut clusters.borrow_mut(), text, wide);
        screen.history.each(0..above, &mut find, &mut |row| {
            let line = match row {
                HistoryRow::Record(record, cols) => {
                    record.line(cols, &mut |text, wide| intern(&mut clusters.borrow_mut(), text, wide))
                }
                HistoryRow::Line(line) => line,
            };
            dump.line(&line, &clusters.borrow());
        });
        for y in 0..screen.grid.rows() {
            dump.line(screen.grid.line(y), &screen.graphemes);
        }
        dump.out
    }
}

struct Dump<'a> {
    out: String,
    terminal: &'a Terminal,
    above: usize,
    row: usize,
}

impl Dump<'_> {
    fn line(&mut self, line: &Line, graphemes: &Graphemes) {
        let row = self.row;
        self.row += 1;
        let place = row.checked_sub(self.above).map_or("-".into(), |y| y.to_string());
        let flags = line_flags(line);
        let mut head = format!("\tL {row} ({place}) flags={flags} {}/{}", line.used, line.cells.len());
        if flags.bits & MARKED != 0 {
            let marks = line.marks.as_deref().copied().unwrap_or_default();
            let columns = [marks.prompt, marks.command, marks.output, marks.output_end];
            let columns = columns.map(|column| column.to_string()).join(",");
            head.push_str(&format!(" osc133={columns},{}", marks.status));
        }
        self.out.push_str(&head);
        self.out.push('\n');
        for x in 0..self.terminal.screen.size.cols {
            self.cell(&line.get(x.into()), x, row, graphemes);
        }
    }

    fn cell(&mut self, cell: &Cell, x: u16, row: usize, graphemes: &Graphemes) {
        let extra = self.terminal.screen.extras.get(cell.ext);
        let (link, id) = match &extra.link {
            Some(link) if link.id.is_empty() => (&*link.uri, "NONE"),
            Some(link) => (&*link.uri, &*link.id),
            None => ("NONE", "NONE"),
        };
        let text = text(cell, graphemes);
        // A String takes all that is written to it.
        let _ = writeln!(
            self.out,
            "\t\tC {row},{x} data=({},{},{}) flags={} attr={} fg={} bg={} us={} link={link} linkid={id}",
            columns(cell.glyph).max(1),
            text.len(),
            vis(text.as_bytes()),
            cell_flags(cell),
            attributes(cell.attrs),
            colour(cell.fg),
            colour(cell.bg),
            colour(extra.us),
        );
    }
}

fn line_flags(line: &Line) -> Flags {
    let kinds = line.marks.as_ref().map_or(MarkKinds::empty(), |marks| marks.kinds);
    let has = |flag| line.flags.contains(flag);
    Flags::of(&[
        (has(LineFlags::WRAPPED), 0x1, "WRAPPED"),
        (has(LineFlags::EXTENDED), 0x2, "EXTENDED"),
        (has(LineFlags::PROMPT), 0x8, "START_PROMPT"),
        (kinds.contains(MarkKinds::SECOND_PROMPT), 0x10, "SECOND_PROMPT"),
        (kinds.contains(MarkKinds::COMMAND), 0x20, "START_COMMAND"),
        (has(LineFlags::OUTPUT), 0x40, "START_OUTPUT"),
        (kinds.contains(MarkKinds::OUTPUT_END), 0x80, "END_OUTPUT"),
        (has(LineFlags::HYPERLINK), 0x100, "HYPERLINK"),
    ])
}

/// What stands in a cell: a tab as its spaces, padding as the mark tmux has there.
fn text(cell: &Cell, graphemes: &Graphemes) -> String {
    let glyph = cell.glyph;
    if glyph.is_padding() {
        return "!".into();
    }
    if let Some(width) = glyph.tab_width() {
        return " ".repeat(width.into());
    }
    match glyph.grapheme_index() {
        Some(index) => graphemes.text(index).into(),
        None => glyph.as_char().unwrap_or(' ').into(),
    }
}

fn cell_flags(cell: &Cell) -> Flags {
    let glyph = cell.glyph;
    let indexed = |colour: Color| matches!(colour.kind(), ColorKind::Indexed(_));
    Flags::of(&[
        (indexed(cell.fg), 0x1, "FG256"),
        (indexed(cell.bg), 0x2, "BG256"),
        (glyph.is_padding(), 0x4, "PADDING"),
        (glyph.is_cleared(), 0x40, "CLEARED"),
        (glyph.tab_width().is_some(), 0x80, "TAB"),
    ])
}

fn attributes(attrs: Attrs) -> Flags {
    let has = |flag| attrs.contains(flag);
    let line = |style| attrs.underline() == style;
    Flags::of(&[
        (has(Attrs::CHARSET), 0x80, "CHARSET"),
        (has(Attrs::BOLD), 0x1, "BRIGHT"),
        (has(Attrs::DIM), 0x2, "DIM"),
        (line(Underline::Single), 0x4, "UNDERSCORE"),
        (has(Attrs::BLINK), 0x8, "BLINK"),
        (has(Attrs::REVERSE), 0x10, "REVERSE"),
        (has(Attrs::HIDDEN), 0x20, "HIDDEN"),
        (has(Attrs::ITALIC), 0x40, "ITALICS"),
        (has(Attrs::STRIKE), 0x100, "STRIKETHROUGH"),
        (line(Underline::Double), 0x200, "UNDERSCORE_2"),
        (line(Underline::Curly), 0x400, "UNDERSCORE_3"),
        (line(Underline::Dotted), 0x800, "UNDERSCORE_4"),
        (line(Underline::Dashed), 0x1000, "UNDERSCORE_5"),
        (has(Attrs::OVERLINE), 0x2000, "OVERLINE"),
    ])
}

/// A colour's name and tmux's number of it.
fn colour(colour: Color) -> String {
    const NAMES: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
    match colour.kind() {
        ColorKind::Default => "default[8]".into(),
        ColorKind::Ansi(n @ 0..8) => format!("{}[{n:x}]", NAMES[n as usize]),
        ColorKind::Ansi(n) => format!("bright{}[{:x}]", NAMES[n as usize & 7], 82 + n),
        ColorKind::Indexed(n) => format!("colour{n}[10000{n:02x}]"),
        ColorKind::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}[2{r:02x}{g:02x}{b:02x}]"),
    }
}
