//! Modes of a pane: what is shown in place of its program's screen, and takes its keys.
//!
//! Owns the text as it was when the mode began, the view of it, the cursor, the selection and the search. It does not
//! draw on clients, keep buffers or run commands: [`Mode::run`] says in an [`Action`] what the model is to do.

mod bracket;
mod call;
mod clock;
mod command;
mod copying;
mod cursor;
mod drag;
mod draw;
mod execute;
mod jump;
pub mod list;
mod page;
mod panes;
mod pattern;
mod reader;
mod scroll;
mod search;
mod selection;
mod settings;
mod shown;
mod table;
#[cfg(test)]
mod tests;
mod variable;
mod words;

pub use call::{Action, Call, Copied, Mouse, Pipe};
pub use clock::Clock;
pub use draw::{Highlight, Styles};
pub(crate) use execute::Entry;
pub(crate) use panes::Showing;
pub use panes::{Panes, Part, Scale};
pub use search::Searched;
pub use settings::{LineNumbers, Settings};
pub use shown::Shown;
pub use table::{Clear, ROWS, Row};
pub(crate) use variable::under;

use crate::id::{ClientId, PaneId};
use jump::Jump;
use page::{Page, Place};
use search::Search;
use selection::Selection;
use term::{Size, Terminal, VecStore};

/// Which mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Scrolling, searching and copying what the pane holds.
    Copy,
    /// A page of text, such as the output of a command.
    View,
}

/// What `recentre-top-bottom` does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Recentre {
    Middle,
    Top,
    Bottom,
}

/// A place marked by `set-mark`.
#[derive(Clone, Copy, Debug)]
struct Mark {
    place: Place,
    shown: bool,
}

/// A mode a pane is in.
#[derive(Debug)]
pub struct Mode {
    kind: Kind,
    page: Page,
    /// True once a line was added to a view.
    written: bool,
    /// The options as the last command or the model gave them.
    settings: Settings,
    /// Rows scrolled back from the newest.
    offset: usize,
    /// Cursor column; the width itself is just after the last.
    x: usize,
    /// Cursor row on the screen.
    y: usize,
    /// Column the cursor had on the last line that was long enough, and how long that line was.
    column: usize,
    column_length: usize,
    selection: Selection,
    search: Search,
    jump: Option<Jump>,
    mark: Mark,
    recentre: (Recentre, usize),
    scroll_exit: bool,
    hides_position: bool,
    numbers_lines: bool,
    repeat: usize,
    dragging: bool,
    /// The client whose mouse drags the selection.
    dragger: Option<ClientId>,
    /// The pane whose text is shown, when it is another.
    source: Option<PaneId>,
}

/// Lines that a view mode keeps.
const PAGE_LINES: u32 = 100_000;

impl Mode {
    /// Copy mode on what a terminal holds now, at the newest line, with the cursor where the program has it.
    ///
    /// The text is kept as it is while the program goes on writing, until `refresh-from-pane`.
    pub fn copy(terminal: &Terminal) -> Mode {
        let page = Page::new(frozen(terminal));
        let cursor = terminal.cursor();
        let x = usize::from(cursor.col).min(page.cols());
        Mode::new(Kind::Copy, page, (x, cursor.row.into()))
    }

    /// The screen of a terminal with little of its history: enough to see what stands on it.
    pub(crate) fn glance(terminal: &Terminal) -> Mode {
        let screen = Terminal::from_snapshot(&terminal.snapshot(0), Box::new(VecStore::default()));
        Mode::new(Kind::Copy, Page::new(screen.unwrap_or_else(|_| Terminal::new(terminal.size(), 0))), (0, 0))
    }

    /// An empty page.
    pub fn view(size: Size) -> Mode {
        let mut mode = Mode::new(Kind::View, Page::new(Terminal::new(size, PAGE_LINES)), (0, 0));
        mode.numbers_lines = false;
        mode
    }

    fn new(kind: Kind, page: Page, (x, y): Place) -> Mode {
        let y = y.min(page.rows() - 1);
        let mark = Mark { place: (x, page.history() + y), shown: false };
        Mode {
            kind,
            page,
            written: false,
            settings: Settings::default(),
            offset: 0,
            x,
            y,
            column: 0,
            column_length: 0,
            selection: Selection::default(),
            search: Search::default(),
            jump: None,
            mark,
            recentre: (Recentre::Middle, 0),
            scroll_exit: false,
            hides_position: false,
            numbers_lines: true,
            repeat: 1,
            dragging: false,
            dragger: None,
            source: None,
        }
    }

    /// Which.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The mode's name, as `#{pane_mode}` shows it.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Copy => "copy-mode",
            Kind::View => "view-mode",
        }
    }

    /// The key table of these modes.
    pub fn key_table(settings: &Settings) -> &'static str {
        if settings.vi { "copy-mode-vi" } else { "copy-mode" }
    }

    /// Rows scrolled back from the newest.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Rows above the shown ones, and rows of the history: what a scroll bar shows.
    pub fn scrolled(&self) -> (usize, usize) {
        let history = self.page.history();
        (history - self.offset, history)
    }

    /// The terminal whose text is shown, as it was when the mode began (for `capture-pane -M`).
    pub fn terminal(&self) -> &Terminal {
        self.page.terminal()
    }

    /// Scrolling down to the newest line ends the mode (`copy-mode -e`).
    pub fn set_scroll_exit(&mut self, on: bool) {
        self.scroll_exit = on;
    }

    /// The position is not shown (`copy-mode -H`).
    pub fn set_hides_position(&mut self, on: bool) {
        self.hides_position = on;
    }

    /// Lines may be numbered; not when the mode was entered by the mouse.
    pub fn set_numbers_lines(&mut self, on: bool) {
        self.numbers_lines = on && self.kind == Kind::Copy;
    }

    /// How often the next command is to be done (`send-keys -N`).
    pub fn set_repeat(&mut self, times: u64) {
        self.repeat = usize::try_from(times).unwrap_or(usize::MAX).max(1);
    }

    /// The pane whose text is shown, when it is another (`copy-mode -s`).
    pub fn source(&self) -> Option<PaneId> {
        self.source
    }

    pub(crate) fn set_source(&mut self, source: Option<PaneId>) {
        self.source = source;
    }

    pub(crate) fn dragger(&self) -> Option<ClientId> {
        self.dragger
    }

    pub(crate) fn set_dragger(&mut self, client: Option<ClientId>) {
        self.dragger = client;
    }

    /// True while [`Mode::drag_tick`] is to be called.
    pub fn is_dragging(&self) -> bool {
        self.dragging
    }

    /// Options have changed.
    pub fn set_settings(&mut self, settings: &Settings) {
        self.settings.clone_from(settings);
    }

    /// Add lines to a page, read as a terminal reads them. What is shown stays where it is.
    pub fn append(&mut self, text: &str) {
        if self.kind != Kind::View {
            return;
        }
        for line in text.lines() {
            let start = if self.written { "\r\n" } else { "" };
            self.written = true;
            let before = self.page.history();
            self.page.change(|terminal| {
                terminal.feed(start.as_bytes());
                terminal.feed(line.as_bytes());
                terminal.take_events();
            });
            let history = self.page.history();
            self.offset = (self.offset + history.saturating_sub(before)).min(history);
        }
    }

    /// The pane has another size.
    pub fn resized(&mut self, terminal: &Terminal) {
        self.resize(terminal.size());
    }

    fn resize(&mut self, size: Size) {
        self.offset = self.offset.min(self.page.history() + self.y);
        let place = (self.x, self.row());
        let (x, row) = self.page.resize(size, place);
        self.show(x, row);
        self.column = self.column.min(self.page.cols());
        self.size_changed();
    }

    /// Put the cursor on a row, on the screen where it is there, else at the top.
    fn show(&mut self, x: usize, row: usize) {
        let history = self.page.history();
        self.x = x.min(self.page.cols());
        if row < history {
            self.y = 0;
            self.offset = history - row;
        } else {
            self.y = (row - history).min(self.page.rows() - 1);
            self.offset = 0;
        }
    }

    fn size_changed(&mut self) {
        self.settle();
        let search = self.search.marks.is_some();
        self.clear_selection();
        self.search.clear_marks();
        if search {
            self.mark_matches(false);
        }
        self.search.origin = Some((self.x, self.y, self.offset));
    }

    /// The text of the pane as it is now, with the view at the same distance from the oldest line.
    fn refresh(&mut self, terminal: &Terminal) {
        if self.kind == Kind::View {
            return;
        }
        let size = self.page.terminal().size();
        let top = self.page.history().saturating_sub(self.offset);
        self.page = Page::new(frozen(terminal));
        if terminal.size() != size {
            self.page.change(|terminal| terminal.resize(size));
        }
        let history = self.page.history();
        if top <= history {
            self.offset = history - top;
        } else {
            self.y = 0;
            self.offset = history;
        }
        self.size_changed();
    }

    /// The cursor's absolute row.
    fn row(&self) -> usize {
        (self.page.history() + self.y).saturating_sub(self.offset)
    }

    /// The absolute row at the top of the screen.
    fn top(&self) -> usize {
        self.page.history().saturating_sub(self.offset)
    }

    /// Bring everything back within the page.
    fn settle(&mut self) {
        self.x = self.x.min(self.page.cols());
        self.y = self.y.min(self.page.rows() - 1);
        self.offset = self.offset.min(self.page.history());
    }
}

/// A terminal with the same text, which nothing writes to.
fn frozen(terminal: &Terminal) -> Terminal {
    Terminal::from_snapshot(&terminal.snapshot(usize::MAX), Box::new(VecStore::default()))
        .unwrap_or_else(|_| Terminal::new(terminal.size(), 0))
}
