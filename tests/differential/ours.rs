//! Our engine as the tests look at it: captures, and cells in a form that others can be compared with.

use term::cell::Cell;
use term::style::{Attrs, Color, ColorKind};
use term::{Capture, LineNumber, Size, Terminal};

/// A terminal that does what tmux does and no more.
pub fn as_tmux(size: Size, history_limit: u32) -> Terminal {
    let mut terminal = Terminal::new(size, history_limit);
    terminal.settings_mut().beyond_tmux = false;
    terminal
}

/// What `capture-pane` with the flags of `kind` prints.
pub fn capture(terminal: &Terminal, kind: &str) -> Vec<u8> {
    let start = if kind.ends_with("-all") { LineNumber::First } else { Capture::default().start };
    let options = Capture { start, escapes: kind.starts_with("styled"), ..Capture::default() };
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
    /// What can be compared. Of a blank it is the background alone, since what is erased keeps more of the pen in
    /// wezterm than in tmux; a blank without one is nothing.
    pub fn comparable(self) -> Option<Seen> {
        match self.text.as_str() {
            " " if self.bg == Hue::Own => None,
            " " => Some(Seen { fg: Hue::Own, attributes: ([false; 8], 0), ..self }),
            _ => Some(self),
        }
    }
}

fn hue(color: Color) -> Hue {
    match color.kind() {
        ColorKind::Default => Hue::Own,
        ColorKind::Ansi(number) | ColorKind::Indexed(number) => Hue::Palette(number),
        ColorKind::Rgb(red, green, blue) => Hue::Rgb(red, green, blue),
    }
}

/// The cells of a row that show something.
pub fn row(terminal: &Terminal, y: u16) -> Vec<Seen> {
    let row = terminal.row(y);
    let columns = usize::from(terminal.size().cols);
    let fill = Cell { bg: row.fill, ..Cell::BLANK };
    let cells = row.cells.iter().copied().chain(std::iter::repeat(fill)).take(columns).enumerate();
    // The right half of a wide character is no cell of its own; the tail of a tab is.
    let mut wide = false;
    let whole = cells.filter(|(_, cell)| {
        let half = wide && cell.glyph.is_padding();
        wide = cell.glyph.is_wide();
        !half
    });
    whole.filter_map(|(column, cell)| seen(terminal, column, cell).comparable()).collect()
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
