//! A terminal: bytes of a program in, rows of cells, events and captures out. The crate's main type.

use crate::cell::{Cell, Extras, Glyph, Graphemes};
use crate::event::Event;
use crate::grid::history::{HistoryRow, PageStore, VecStore};
use crate::grid::line::{Line, LineFlags};
use crate::modes::Modes;
use crate::parser::Parser;
use crate::screen::Screen;
use crate::settings::Settings;
use crate::style::Color;
use std::ops::Range;

/// Columns and rows. A terminal has from 1 to 10 000 of each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// Most columns or rows, as in tmux.
pub const MAX_SIZE: u16 = 10_000;

impl Size {
    pub(crate) fn bounded(self) -> Size {
        Size { cols: self.cols.clamp(1, MAX_SIZE), rows: self.rows.clamp(1, MAX_SIZE) }
    }
}

/// Where the next character goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cursor {
    /// Column from 0. The number of columns itself means that the next character wraps first.
    pub col: u16,
    /// Row from 0.
    pub row: u16,
}

/// The shape DECSCUSR asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CursorStyle {
    /// None; the option decides.
    #[default]
    Default,
    /// A block.
    Block,
    /// An underline.
    Underline,
    /// A bar.
    Bar,
}

/// The state of a progress bar (OSC 9;4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ProgressState {
    /// None is shown.
    #[default]
    Hidden,
    /// Going on.
    Normal,
    /// Failed.
    Error,
    /// Going on, with no end known.
    Indeterminate,
    /// Waiting.
    Paused,
}

/// A progress bar (OSC 9;4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Progress {
    /// Its state.
    pub state: ProgressState,
    /// 0 to 100.
    pub percent: u8,
}

/// A visible row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its cells; there may be fewer than columns, the rest is blank with the background `fill`.
    pub cells: &'a [Cell],
    /// The background of the columns that have no cell.
    pub fill: Color,
    /// How many cells were written rather than erased.
    pub used: u16,
    /// The text goes on in the next row.
    pub wrapped: bool,
    /// Number of the last change; what has a higher one than a viewer has seen must be drawn.
    pub change: u64,
    /// A prompt began here (OSC 133 A).
    pub prompt: bool,
    /// Output began here (OSC 133 C).
    pub output: bool,
}

/// A row of the history. Clusters are in [`Terminal::graphemes`] (one that is no more shows its first character).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwnedRow {
    /// Its cells; there may be fewer than columns.
    pub cells: Vec<Cell>,
    /// How many cells were written rather than erased.
    pub used: u16,
    /// The text goes on in the next row.
    pub wrapped: bool,
    /// A prompt began here (OSC 133 A).
    pub prompt: bool,
    /// Output began here (OSC 133 C).
    pub output: bool,
}

/// A terminal.
pub struct Terminal {
    pub(crate) parser: Parser,
    pub(crate) screen: Screen,
}

impl Terminal {
    /// A terminal that keeps its history in memory. `history_limit` counts rows; 0 keeps none.
    pub fn new(size: Size, history_limit: u32) -> Terminal {
        Terminal::with_store(size, history_limit, Box::new(VecStore::default()))
    }

    /// A terminal whose closed history pages go to `store`.
    pub fn with_store(size: Size, history_limit: u32, store: Box<dyn PageStore>) -> Terminal {
        Terminal { parser: Parser::default(), screen: Screen::new(size, history_limit, store) }
    }

    /// Reads output of the program. Never fails; what is not understood is counted.
    pub fn feed(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.screen.grid.change += 1;
        self.parser.feed(bytes, &mut self.screen);
    }

    /// What has happened since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.screen.events)
    }

    /// Takes another size: wraps the main screen anew and moves rows from and to the history, as tmux does.
    pub fn resize(&mut self, size: Size) {
        if size.bounded() != self.screen.size {
            self.screen.grid.change += 1;
            self.screen.resize(size);
            self.screen.grid.touch_all();
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.screen.size
    }

    /// Where the cursor is.
    pub fn cursor(&self) -> Cursor {
        self.screen.cursor
    }

    /// The modes that are set.
    pub fn modes(&self) -> &Modes {
        &self.screen.modes
    }

    /// Ends synchronised output that the program did not end in time (tmux waits a second).
    pub fn end_synchronised(&mut self) {
        self.screen.modes.remove(Modes::SYNC);
    }

    /// True while the program asks that an update is not shown in part (mode 2026).
    pub fn synchronised(&self) -> bool {
        self.screen.modes.contains(Modes::SYNC)
    }

    /// Number of the newest change.
    pub fn change(&self) -> u64 {
        self.screen.grid.change
    }

    /// A visible row, 0 at the top; a row below the last is blank.
    pub fn row(&self, y: u16) -> Row<'_> {
        let grid = &self.screen.grid;
        if y >= grid.rows() {
            return Row {
                cells: &[],
                fill: Color::DEFAULT,
                used: 0,
                wrapped: false,
                change: 0,
                prompt: false,
                output: false,
            };
        }
        let line = grid.line(y);
        Row {
            cells: &line.cells[..line.cells.len().min(self.screen.size.cols as usize)],
            fill: Color::DEFAULT,
            used: line.used.min(self.screen.size.cols),
            wrapped: line.flags.contains(LineFlags::WRAPPED),
            change: grid.changed(y),
            prompt: line.flags.contains(LineFlags::PROMPT),
            output: line.flags.contains(LineFlags::OUTPUT),
        }
    }

    /// The clusters that cells refer to.
    pub fn graphemes(&self) -> &Graphemes {
        &self.screen.graphemes
    }

    /// The underline colours and links that cells refer to.
    pub fn extras(&self) -> &Extras {
        &self.screen.extras
    }

    /// Rows of the history at the present width.
    pub fn history_len(&self) -> usize {
        self.screen.history.rows()
    }

    /// A row of the history, 0 the oldest; past the newest it is empty.
    pub fn history_row(&self, index: usize) -> OwnedRow {
        let mut found = OwnedRow::default();
        self.history_rows(index..index.saturating_add(1), |_, row| found = row);
        found
    }

    /// Gives the rows of a range of the history with their index, oldest first: quicker than one by one.
    pub fn history_rows(&self, range: Range<usize>, mut to: impl FnMut(usize, OwnedRow)) {
        let graphemes = &self.screen.graphemes;
        let find = |text: &str, wide: bool| graphemes.find(text).map(|index| Glyph::grapheme(index, wide));
        let mut index = range.start;
        self.screen.history.each(range, &mut { find }, &mut |row| {
            let line = match row {
                HistoryRow::Record(record, cols) => record.line(cols, &mut { find }),
                HistoryRow::Line(line) => line,
            };
            to(index, OwnedRow::from(line));
            index += 1;
        });
    }

    /// Bytes the history takes.
    pub fn history_bytes(&self) -> usize {
        self.screen.history.bytes()
    }

    /// The most rows the history keeps.
    pub fn history_limit(&self) -> u32 {
        self.screen.history.limit
    }

    /// Sets the most rows the history keeps; what is over goes.
    pub fn set_history_limit(&mut self, limit: u32) {
        self.screen.set_history_limit(limit);
    }

    /// Forgets the history (`clear-history`).
    pub fn clear_history(&mut self) {
        self.screen.clear_history();
    }

    /// Forgets the links of all cells (`clear-history -H`).
    pub fn clear_links(&mut self) {
        self.screen.clear_links();
    }

    /// The title (OSC 0 and 2), clean of control characters.
    pub fn title(&self) -> &str {
        &self.screen.title
    }

    /// Sets the title from outside (`select-pane -T`).
    pub fn set_title(&mut self, title: &str) {
        if let Some(title) = crate::text::clean_name(title.as_bytes()) {
            self.screen.title = title;
        }
    }

    /// The directory last reported (OSC 7), as it was, clean of control characters.
    pub fn path(&self) -> &str {
        &self.screen.path
    }

    /// The progress bar (OSC 9;4).
    pub fn progress(&self) -> Progress {
        self.screen.progress
    }

    /// Sequences that were not understood, malformed or too long.
    pub fn unknown(&self) -> u64 {
        self.screen.unknown
    }

    /// The colour the program has set for an entry of the palette (OSC 4).
    pub fn palette(&self, index: u8) -> Option<Color> {
        let colour = self.screen.palette.entries.as_ref()?[index as usize];
        (!colour.is_default()).then_some(colour)
    }

    /// The foreground the program has set (OSC 10).
    pub fn default_fg(&self) -> Option<Color> {
        Some(self.screen.palette.fg).filter(|colour| !colour.is_default())
    }

    /// The background the program has set (OSC 11).
    pub fn default_bg(&self) -> Option<Color> {
        Some(self.screen.palette.bg).filter(|colour| !colour.is_default())
    }

    /// The cursor's shape (DECSCUSR). Whether it blinks is in the modes.
    pub fn cursor_style(&self) -> CursorStyle {
        self.screen.cursor_style
    }

    /// The cursor's colour (OSC 12).
    pub fn cursor_colour(&self) -> Option<Color> {
        self.screen.cursor_colour
    }

    /// True while the alternate screen is shown.
    pub fn alternate_on(&self) -> bool {
        self.screen.main.is_some()
    }

    /// The cursor the main screen had when mode 1049 was set, ever since.
    pub fn alternate_saved(&self) -> Option<Cursor> {
        self.screen.main_cursor
    }

    /// First and last row of the scroll region.
    pub fn scroll_region(&self) -> (u16, u16) {
        (self.screen.upper, self.screen.lower)
    }

    /// Columns of the tab stops.
    pub fn tabs(&self) -> Vec<u16> {
        (0..self.screen.size.cols).filter(|&x| self.screen.is_tab(x)).collect()
    }

    /// The flags of kitty's keyboard protocol in force: 0 unless the program has asked for some.
    pub fn keyboard_flags(&self) -> u8 {
        self.screen.keyboard_flags()
    }

    /// The bytes of a sequence that has not ended (`capture-pane -P`).
    pub fn pending(&self) -> Vec<u8> {
        self.parser.pending()
    }

    /// True inside a string that only its terminator ends. tmux gives up after five seconds.
    pub fn in_string(&self) -> bool {
        self.parser.in_string()
    }

    /// Gives up an unfinished sequence, and with it the pen (tmux's timeout does).
    pub fn give_up_sequence(&mut self) {
        self.screen.reset_pen();
        self.parser.reset();
    }

    /// What `send-keys -R` does: modes, tab stops and region as at first, the screen cleared.
    pub fn reset(&mut self) {
        self.screen.grid.change += 1;
        self.screen.reset_pen();
        self.screen.reset_screen();
        self.parser.reset();
    }

    /// A fresh screen for another program in the same pane; the history stays.
    pub fn reinit(&mut self) {
        self.screen.grid.change += 1;
        self.screen.reinit();
        self.screen.reset_pen();
        self.parser = Parser::default();
    }

    /// LF also returns to the first column, for panes without a process.
    pub fn set_crlf(&mut self, on: bool) {
        self.screen.modes.set(Modes::CRLF, on);
    }

    /// Options and outer facts.
    pub fn settings(&self) -> &Settings {
        &self.screen.settings
    }

    /// Options and outer facts, to be set.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.screen.settings
    }
}

impl From<Line> for OwnedRow {
    fn from(line: Line) -> OwnedRow {
        OwnedRow {
            used: line.used,
            wrapped: line.flags.contains(LineFlags::WRAPPED),
            prompt: line.flags.contains(LineFlags::PROMPT),
            output: line.flags.contains(LineFlags::OUTPUT),
            cells: line.cells,
        }
    }
}
