//! What one client shall see, as plain values that the caller fills from the model.

use crate::overlay::Overlay;
use crate::run::Run;
use term::cell::{Cell, Extras, Graphemes};
use term::frame::{ClientModes, CursorLook};
use term::size::Size;
use term::style::{Color, Style};

/// A row of a pane's screen.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    /// The cells; what is missing to the pane's width is blank.
    pub cells: &'a [Cell],
    /// Background of the missing cells.
    pub fill: Color,
    /// The text goes on in the next row.
    pub wraps: bool,
    /// The number of the row's last change; it only grows.
    pub change: u64,
}

/// A screen that can be shown: a terminal, a copy mode, a list.
pub trait Rows {
    /// A row; blank and never changed for one outside.
    fn row(&self, y: u16) -> RowView<'_>;
    /// The table the cells' clusters are in.
    fn graphemes(&self) -> &Graphemes;
    /// The table the cells' extras are in.
    fn extras(&self) -> &Extras;
}

/// A rectangle in the window. A floating pane may reach out of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place {
    /// First column.
    pub x: i32,
    /// First row.
    pub y: i32,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

impl Place {
    /// The column after the last.
    pub fn right(&self) -> i32 {
        self.x.saturating_add(i32::from(self.cols))
    }

    /// The row after the last.
    pub fn bottom(&self) -> i32 {
        self.y.saturating_add(i32::from(self.rows))
    }

    /// True for a cell in the rectangle.
    pub fn contains(&self, x: i32, y: i32) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }
}

/// The scrollbar beside a pane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scrollbar {
    /// Left of the pane rather than right.
    pub left: bool,
    /// Columns of the bar.
    pub width: u16,
    /// Blank columns between pane and bar.
    pub pad: u16,
    /// The bar; the slider has its colours exchanged.
    pub style: Style,
    /// First row of the slider, from the top of the pane.
    pub slider_top: u16,
    /// Rows of the slider.
    pub slider_rows: u16,
}

/// A pane that can be seen.
pub struct PaneView<'a> {
    /// The number of its id; the same pane has the same in the next scene.
    pub id: u32,
    /// Its index in the window.
    pub index: u32,
    /// Where it is.
    pub place: Place,
    /// What stands in it.
    pub rows: &'a dyn Rows,
    /// Which screen `rows` is (the terminal, a mode); another number means that every row is new.
    pub source: u64,
    /// The program holds its picture back (mode 2026): rows stay as they were last shown.
    pub held: bool,
    /// Foreground and background for cells that ask for none (window-style, window-active-style).
    pub defaults: Style,
    /// Colours the program has redefined (OSC 4), by their number among the 256.
    pub palette: Vec<(u8, Color)>,
    /// Shown dim.
    pub dimmed: bool,
    /// The active pane.
    pub active: bool,
    /// The marked pane: its border is reversed.
    pub marked: bool,
    /// Set when it lies over the others with a border of its own.
    pub floating: Option<Floating>,
    /// pane-border-style.
    pub border: Style,
    /// pane-active-border-style.
    pub active_border: Style,
    /// Text of its border (pane-border-format), when [`Borders::status`] is on.
    pub status: Vec<Run>,
    /// Its scrollbar, when it is shown.
    pub scrollbar: Option<Scrollbar>,
}

/// The border of a pane that floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Floating {
    /// Its lines; it may have none.
    pub lines: Lines,
    /// Where it has text.
    pub status: PaneStatus,
}

/// The lines that borders are drawn with (pane-border-lines).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Lines {
    /// Single lines, DEC special graphics where there is no UTF-8.
    #[default]
    Single,
    /// Double lines.
    Double,
    /// Heavy lines.
    Heavy,
    /// ASCII.
    Simple,
    /// The number of the pane.
    Number,
    /// Blanks.
    Spaces,
    /// Single lines with round corners (boxes only).
    Rounded,
    /// Blanks (boxes only).
    Padded,
    /// No lines at all (boxes only).
    None,
}

/// How the active pane is marked on its borders (pane-border-indicators).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Indicators {
    /// Not at all, save by style.
    Off,
    /// With two panes only half of the border has the active style.
    #[default]
    Colour,
    /// Arrows point at it.
    Arrows,
    /// Both.
    Both,
}

/// Where panes have a line of text (pane-border-status).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PaneStatus {
    /// Nowhere.
    #[default]
    Off,
    /// On the border above.
    Top,
    /// On the border below.
    Bottom,
}

/// How a window of exactly two tiled panes is split.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Split {
    /// Side by side.
    LeftRight,
    /// One above the other.
    TopBottom,
}

/// How borders are drawn.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Borders {
    /// The lines.
    pub lines: Lines,
    /// How the active pane is marked.
    pub indicators: Indicators,
    /// Where panes have text.
    pub status: PaneStatus,
    /// Set when the window has exactly two tiled panes.
    pub split: Option<Split>,
    /// The style of what lies outside the window and of no pane.
    pub outside: Style,
    /// What stands where no pane is (fill-character), in the window and outside it, when it is not the lines' own.
    pub fill: [Option<(char, Style)>; 2],
}

/// One line of the status line.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct StatusLine {
    /// The style of what no text covers (status-style).
    pub base: Style,
    /// The text.
    pub runs: Vec<Run>,
}

/// What is being typed at a prompt.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Input {
    /// The text.
    pub text: String,
    /// Where the cursor is in it, in bytes.
    pub cursor: usize,
    /// The next key is taken as it is: a `^` stands at the cursor.
    pub quoting: bool,
}

/// A message or a prompt, over the status line.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Message {
    /// Which of the status lines it covers (message-line).
    pub line: u16,
    /// First column.
    pub x: u16,
    /// Columns.
    pub cols: u16,
    /// The style of the input.
    pub base: Style,
    /// The text, or the prompt.
    pub runs: Vec<Run>,
    /// What is being typed, for a prompt.
    pub input: Option<Input>,
}

/// A prompt over a row of a pane.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PanePrompt {
    /// The row, in the window.
    pub place: Place,
    /// The pane is the active one: the cursor is here.
    pub active: bool,
    /// What is shown; its own place counts for nothing.
    pub message: Message,
}

/// All that one client shall see.
pub struct Scene<'a> {
    /// The client's terminal.
    pub size: Size,
    /// The window, which may be larger or smaller.
    pub window: Size,
    /// Column and row of the window at the client's top left.
    pub offset: (u16, u16),
    /// The panes that can be seen (of a zoomed window one), the frontmost first.
    pub panes: Vec<PaneView<'a>>,
    /// The borders.
    pub borders: Borders,
    /// The status lines, none to five.
    pub status: Vec<StatusLine>,
    /// The status lines are at the top.
    pub status_top: bool,
    /// Prompts over panes.
    pub prompts: Vec<PanePrompt>,
    /// A message or a prompt.
    pub message: Option<Message>,
    /// What lies over everything, the frontmost last.
    pub overlays: Vec<Overlay<'a>>,
    /// The cursor in the active pane, by the pane's own columns and rows; `None` hides it.
    pub cursor: Option<(u16, u16)>,
    /// How the cursor looks, wherever it is.
    pub look: CursorLook,
    /// The title of the client's terminal; `None` leaves it alone.
    pub title: Option<String>,
    /// The directory to report; `None` leaves it alone.
    pub path: Option<String>,
    /// State and percentage of the progress bar; state 0 is none.
    pub progress: (u8, u8),
    /// The modes of the client's terminal.
    pub modes: ClientModes,
}

impl<'a> Scene<'a> {
    /// How many rows status lines, or a message where there are none, take.
    pub fn status_rows(&self) -> u16 {
        let lines = u16::try_from(self.status.len()).unwrap_or(u16::MAX);
        lines.max(u16::from(self.message.is_some())).min(self.size.rows)
    }

    /// The client's first row of the window.
    pub fn top(&self) -> u16 {
        if self.status_top { self.status_rows() } else { 0 }
    }

    /// The client's rows that show the window.
    pub fn view_rows(&self) -> u16 {
        self.size.rows - self.status_rows()
    }

    /// The part of a place in the window that the client shows: its own first column and row, and what is cut off left
    /// and above.
    pub fn visible(&self, place: Place) -> Option<Visible> {
        let (ox, oy) = (i32::from(self.offset.0), i32::from(self.offset.1));
        let x = place.x.max(ox);
        let y = place.y.max(oy);
        let right = place.right().min(ox + i32::from(self.size.cols));
        let bottom = place.bottom().min(oy + i32::from(self.view_rows()));
        if x >= right || y >= bottom {
            return None;
        }
        Some(Visible {
            x: u16::try_from(x - ox).ok()?,
            y: u16::try_from(y - oy).ok()?.checked_add(self.top())?,
            cols: u16::try_from(right - x).ok()?,
            rows: u16::try_from(bottom - y).ok()?,
            skip_cols: u16::try_from(x.checked_sub(place.x)?).ok()?,
            skip_rows: u16::try_from(y.checked_sub(place.y)?).ok()?,
        })
    }

    /// The active pane.
    pub fn active(&self) -> Option<&PaneView<'a>> {
        self.panes.iter().find(|pane| pane.active)
    }
}

/// The part of a place that a client shows, in the client's cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visible {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Columns of the place that are cut off at the left.
    pub skip_cols: u16,
    /// Rows of the place that are cut off above.
    pub skip_rows: u16,
}
