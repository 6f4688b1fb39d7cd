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

impl std::fmt::Debug for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mode").field("kind", &self.kind).field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl Mode {
    /// The value of a format variable that the mode gives.
    pub fn variable(&self, terminal: &Terminal, name: &str) -> Option<String> {
        let _ = terminal;
        match name {
            "scroll_position" => Some(self.offset.to_string()),
            "copy_cursor_x" => Some(self.column.to_string()),
            "copy_cursor_y" => Some(self.row.to_string()),
            _ => None,
        }
    }

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

impl crate::Mux {
    /// A command of the mode that a pane is in (`send-keys -X`).
    pub(crate) fn mode_command(
        &mut self,
        _context: &mut crate::queue::Context<'_>,
        id: crate::PaneId,
        words: &[String],
        times: u64,
    ) -> crate::queue::Outcome {
        let Some(pane) = self.panes.get_mut(&id) else { return crate::jobs::DONE };
        let rows = usize::from(pane.terminal.size().rows);
        let Some(mode) = pane.modes.last_mut() else { return Err("not in a mode".into()) };
        let held = mode.page.as_ref().unwrap_or(&pane.terminal).history_len();
        let times = usize::try_from(times).unwrap_or(usize::MAX);
        let page = rows.saturating_sub(2).max(1);
        let mut ended = false;
        match words.first().map(String::as_str) {
            Some("cancel") => ended = true,
            Some("scroll-up" | "cursor-up") => mode.offset = mode.offset.saturating_add(times).min(held),
            Some("page-up") => mode.offset = mode.offset.saturating_add(page.saturating_mul(times)).min(held),
            Some("halfpage-up") => mode.offset = mode.offset.saturating_add((rows / 2).saturating_mul(times)).min(held),
            Some("history-top") => mode.offset = held,
            Some("history-bottom") => mode.offset = 0,
            Some("scroll-down" | "cursor-down") => mode.offset = mode.offset.saturating_sub(times),
            Some("page-down") => mode.offset = mode.offset.saturating_sub(page.saturating_mul(times)),
            Some("halfpage-down") => mode.offset = mode.offset.saturating_sub((rows / 2).saturating_mul(times)),
            _ => {}
        }
        let down = words.first().is_some_and(|word| word.contains("down") || word == "history-bottom");
        ended |= down && mode.ends_at_bottom && mode.offset == 0;
        if ended {
            pane.modes.pop();
            self.event(crate::Event::PaneModeChanged(id));
        }
        self.redraw();
        crate::jobs::DONE
    }
}
