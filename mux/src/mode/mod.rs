//! Modes of a pane: what is shown in place of its program's screen, and takes its keys.

use term::{Size, Terminal};

/// Which mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Scrolling, searching and copying what the pane holds.
    Copy,
    /// A page of text, such as the output of a command.
    View,
}

/// A mode a pane is in.
#[derive(Debug)]
pub struct Mode {
    /// Which.
    pub kind: Kind,
    /// The text of a view mode, on a screen of its own.
    pub page: Option<Terminal>,
    /// Lines scrolled back from the newest.
    pub offset: usize,
    /// Cursor column on the screen.
    pub column: u16,
    /// Cursor row on the screen.
    pub row: u16,
    /// True when scrolling down to the newest line ends the mode (`copy-mode -e`).
    pub ends_at_bottom: bool,
    /// The position is not shown (`copy-mode -H`).
    pub hides_position: bool,
}

/// Lines that a view mode keeps.
const PAGE_LINES: u32 = 100_000;

impl Mode {
    /// Copy mode at the newest line, with the cursor where the program has it.
    pub fn copy(terminal: &Terminal) -> Mode {
        let cursor = terminal.cursor();
        Mode {
            kind: Kind::Copy,
            page: None,
            offset: 0,
            column: cursor.col.min(terminal.size().cols.saturating_sub(1)),
            row: cursor.row,
            ends_at_bottom: false,
            hides_position: false,
        }
    }

    /// An empty page.
    pub fn view(size: Size) -> Mode {
        Mode {
            kind: Kind::View,
            page: Some(Terminal::new(size, PAGE_LINES)),
            offset: 0,
            column: 0,
            row: 0,
            ends_at_bottom: false,
            hides_position: false,
        }
    }

    /// The mode's name, as `#{pane_mode}` shows it.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Copy => "copy-mode",
            Kind::View => "view-mode",
        }
    }

    /// Add lines to a page.
    pub fn append(&mut self, text: &str) {
        let Some(page) = &mut self.page else { return };
        for line in text.lines() {
            let line: String = line.chars().map(|c| if c.is_control() && c != '\t' { '?' } else { c }).collect();
            let start = if page.change() == 0 { "" } else { "\r\n" };
            page.feed(format!("{start}{line}").as_bytes());
        }
        page.take_events();
    }

    /// The pane has another size.
    pub fn resized(&mut self, terminal: &Terminal) {
        if let Some(page) = &mut self.page {
            page.resize(terminal.size());
        }
        let size = terminal.size();
        self.column = self.column.min(size.cols.saturating_sub(1));
        self.row = self.row.min(size.rows.saturating_sub(1));
        let held = self.page.as_ref().unwrap_or(terminal).history_len();
        self.offset = self.offset.min(held);
    }
}
