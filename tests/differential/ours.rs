//! Our engine as the tests look at it: captures, and cells in a form that others can be compared with.

use term::{Attrs, ColorKind};
use term::{Capture, Cell, Color, Terminal};

/// What `capture-pane` with the flags of `kind` prints.
pub fn capture(terminal: &Terminal, kind: &str) -> Vec<u8> {
    let mut options = Capture::default();
    options.escapes = kind.starts_with("styled");
    if kind.ends_with("-all") {
        options.start = Some(i64::MIN);
    }
    terminal.capture(&options)
}

/// A colour: the terminal's own, one of the 256 or red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hue {
    #[default]
    Own,
    Palette(u8),
    Rgb(u8, u8, u8),
}

/// A cell as every engine has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub column: usize,
    pub text: String,
    pub fg: Hue,
    pub bg: Hue,
    /// Bold, dim, italic, blink, reverse, hidden, strike, overline, and the underline's style as a number.
    pub attributes: ([bool; 8], u8),
}

impl Seen {
    /// What never needs to be said: a blank in the terminal's own colours.
    pub fn is_plain_blank(&self) -> bool {
        self.text == " " && self.fg == Hue::Own && self.bg == Hue::Own && self.attributes == ([false; 8], 0)
    }
}

fn hue(color: Color) -> Hue {
    match color.kind() {
        ColorKind::Default => Hue::Own,
        ColorKind::Ansi(number) | ColorKind::Indexed(number) => Hue::Palette(number),
        ColorKind::Rgb(red, green, blue) => Hue::Rgb(red, green, blue),
    }
}

/// The cells of a row that are not plain blanks.
pub fn row(terminal: &Terminal, y: u16) -> Vec<Seen> {
    let row = terminal.row(y);
    let columns = usize::from(terminal.size().cols);
    let fill = Cell { bg: row.fill, ..Cell::BLANK };
    let cells = row.cells.iter().copied().chain(std::iter::repeat(fill)).take(columns).enumerate();
    cells
        .filter(|(_, cell)| !cell.glyph.is_padding() || cell.glyph.tab_width().is_some())
        .map(|(column, cell)| seen(terminal, column, cell))
        .filter(|seen| !seen.is_plain_blank())
        .collect()
}

fn seen(terminal: &Terminal, column: usize, cell: Cell) -> Seen {
    let text = match (cell.glyph.grapheme_index(), cell.glyph.as_char()) {
        (Some(index), _) => terminal.graphemes().text(index).to_owned(),
        (None, Some(c)) => c.to_string(),
        (None, None) => " ".into(),
    };
    let flags = [
        Attrs::BOLD,
        Attrs::DIM,
        Attrs::ITALIC,
        Attrs::BLINK,
        Attrs::REVERSE,
        Attrs::HIDDEN,
        Attrs::STRIKE,
        Attrs::OVERLINE,
    ];
    let attributes = (flags.map(|flag| cell.attrs.contains(flag)), cell.attrs.underline() as u8);
    Seen { column, text, fg: hue(cell.fg), bg: hue(cell.bg), attributes }
}

/// All rows.
pub fn rows(terminal: &Terminal) -> Vec<Vec<Seen>> {
    (0..terminal.size().rows).map(|y| row(terminal, y)).collect()
}
