//! The screen: cells, cursor, modes and what hangs on them, and the moves a program can make on it.
//!
//! Each move does what tmux 3.7c does, quirks that captures show included. Sequences are read elsewhere (`parser.rs`
//! and the dispatchers beside this file); nothing here parses bytes.

mod csi;
mod dcs;
mod osc;
mod resize;
mod run;
mod sgr;
mod write;

use crate::cell::{Cell, Extra, Extras, Graphemes, Link};
use crate::event::Event;
use crate::grid::Grid;
use crate::grid::history::{History, PageStore};
use crate::grid::line::{LineFlags, SPACE};
use crate::modes::Modes;
use crate::settings::Settings;
use crate::style::Color;
use crate::terminal::{Cursor, CursorStyle, Progress, Size};

/// Most titles on the stack.
pub(crate) const MAX_TITLES: usize = 10;
/// Most entries of the stack of kitty keyboard flags.
pub(crate) const MAX_KEYBOARD: usize = 16;

/// How the next character will look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pen {
    /// Colours and attributes; `ext` stands for the two fields below.
    pub(crate) look: Cell,
    pub(crate) us: Color,
    pub(crate) link: Option<Link>,
    /// G1 is in use rather than G0.
    pub(crate) shifted: bool,
    /// Whether G0 and G1 are the line drawing set.
    pub(crate) drawing: [bool; 2],
}

impl Default for Pen {
    fn default() -> Pen {
        Pen { look: SPACE, us: Color::DEFAULT, link: None, shifted: false, drawing: [false; 2] }
    }
}

impl Pen {
    pub(crate) fn is_drawing(&self) -> bool {
        self.drawing[usize::from(self.shifted)]
    }
}

/// What DECSC keeps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SavedCursor {
    pub(crate) pen: Pen,
    pub(crate) col: u16,
    pub(crate) row: u16,
    pub(crate) origin: bool,
}

/// The colours a program has set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Palette {
    pub(crate) entries: Option<Box<[Color; 256]>>,
    pub(crate) fg: Color,
    pub(crate) bg: Color,
}

/// All of a terminal but its parser.
pub(crate) struct Screen {
    pub(crate) size: Size,
    pub(crate) cursor: Cursor,
    pub(crate) upper: u16,
    pub(crate) lower: u16,
    pub(crate) grid: Grid,
    /// The main screen, while the alternate one is shown.
    pub(crate) main: Option<Grid>,
    pub(crate) history: History,
    pub(crate) main_cursor: Option<Cursor>,
    pub(crate) main_pen: Pen,
    pub(crate) pen: Pen,
    pub(crate) saved: SavedCursor,
    pub(crate) modes: Modes,
    pub(crate) tabs: Vec<u64>,
    pub(crate) cursor_style: CursorStyle,
    pub(crate) cursor_colour: Option<Color>,
    pub(crate) title: String,
    pub(crate) titles: Vec<String>,
    pub(crate) path: String,
    pub(crate) palette: Palette,
    pub(crate) progress: Progress,
    /// The last character printed, for REP.
    pub(crate) last: Option<char>,
    /// Kitty keyboard flags, the newest last; of the main and of the alternate screen.
    pub(crate) keyboard: [Vec<u8>; 2],
    pub(crate) graphemes: Graphemes,
    /// Room to put a cluster together in.
    cluster: String,
    pub(crate) extras: Extras,
    pub(crate) events: Vec<Event>,
    pub(crate) unknown: u64,
    pub(crate) settings: Settings,
}

impl Screen {
    pub(crate) fn new(size: Size, history_limit: u32, store: Box<dyn PageStore>) -> Screen {
        let size = size.bounded();
        let mut screen = Screen {
            size,
            cursor: Cursor::default(),
            upper: 0,
            lower: size.rows - 1,
            grid: Grid::new(size.cols, size.rows),
            main: None,
            history: History::new(size.cols, history_limit, store),
            main_cursor: None,
            main_pen: Pen::default(),
            pen: Pen::default(),
            saved: SavedCursor::default(),
            modes: Modes::default(),
            tabs: Vec::new(),
            cursor_style: CursorStyle::Default,
            cursor_colour: None,
            title: String::new(),
            titles: Vec::new(),
            path: String::new(),
            palette: Palette::default(),
            progress: Progress::default(),
            last: None,
            keyboard: [Vec::new(), Vec::new()],
            graphemes: Graphemes::default(),
            cluster: String::new(),
            extras: Extras::default(),
            events: Vec::new(),
            unknown: 0,
            settings: Settings::default(),
        };
        screen.reset_tabs();
        screen
    }

    pub(crate) fn reset_tabs(&mut self) {
        self.tabs = vec![0; (self.size.cols as usize).div_ceil(64)];
        for x in (8..self.size.cols).step_by(8) {
            self.set_tab(x, true);
        }
    }

    pub(crate) fn set_tab(&mut self, x: u16, on: bool) {
        if x < self.size.cols
            && let Some(word) = self.tabs.get_mut(x as usize / 64)
        {
            let bit = 1 << (x % 64);
            *word = if on { *word | bit } else { *word & !bit };
        }
    }

    pub(crate) fn is_tab(&self, x: u16) -> bool {
        self.tabs.get(x as usize / 64).is_some_and(|word| word >> (x % 64) & 1 != 0)
    }

    /// True while lines that scroll off go to the history.
    #[inline]
    pub(crate) fn keeps_history(&self) -> bool {
        self.main.is_none() && self.history.limit != 0
    }

    pub(crate) fn event(&mut self, event: Event) {
        if matches!(event, Event::Bell | Event::Title(_) | Event::Path | Event::Colours | Event::Progress)
            && self.events.last() == Some(&event)
        {
            return;
        }
        self.events.push(event);
    }

    pub(crate) fn reply(&mut self, bytes: &[u8]) {
        match self.events.last_mut() {
            Some(Event::Reply(reply)) => reply.extend_from_slice(bytes),
            _ => self.events.push(Event::Reply(bytes.to_vec())),
        }
    }

    /// Puts the underline colour and the link of the pen into its look.
    pub(crate) fn settle_pen(&mut self) {
        self.pen.look.ext = self.extras.intern(Extra { us: self.pen.us, link: self.pen.link.clone() });
    }

    pub(crate) fn bg(&self) -> Color {
        self.pen.look.bg
    }

    /// Moves the cursor; a column may be one past the last.
    #[inline]
    pub(crate) fn set_cursor(&mut self, col: u16, row: u16) {
        let col = if col > self.size.cols { self.size.cols - 1 } else { col };
        self.cursor = Cursor { col, row: row.min(self.size.rows - 1) };
    }

    /// CUP: within the screen, and within the region in origin mode.
    pub(crate) fn move_to(&mut self, col: Option<i32>, row: Option<i32>, origin: bool) {
        let limit = |value: i32, size: u16| value.clamp(0, i32::from(size) - 1) as u16;
        let row = row.map(|row| {
            if !origin || !self.modes.contains(Modes::ORIGIN) {
                row
            } else if row > i32::from(self.lower - self.upper) {
                i32::from(self.lower)
            } else {
                row + i32::from(self.upper)
            }
        });
        let col = col.map_or(self.cursor.col, |col| limit(col, self.size.cols));
        let row = row.map_or(self.cursor.row, |row| limit(row, self.size.rows));
        self.set_cursor(col, row);
    }

    pub(crate) fn cursor_up(&mut self, n: i32) {
        let Cursor { mut col, row } = self.cursor;
        let room = if row < self.upper { row } else { row - self.upper };
        if col == self.size.cols {
            col -= 1;
        }
        self.set_cursor(col, row - n.min(i32::from(room)) as u16);
    }

    pub(crate) fn cursor_down(&mut self, n: i32) {
        let Cursor { mut col, row } = self.cursor;
        let room = if row > self.lower { self.size.rows - 1 - row } else { self.lower - row };
        if col == self.size.cols {
            col -= 1;
        }
        self.set_cursor(col, row + n.min(i32::from(room)) as u16);
    }

    pub(crate) fn cursor_right(&mut self, n: i32) {
        // tmux counts without sign: past the last column there is room without end, and then the last column.
        let room = i32::from(self.size.cols) - 1 - i32::from(self.cursor.col);
        if room < 0 {
            self.set_cursor(self.size.cols - 1, self.cursor.row);
        } else {
            self.set_cursor(self.cursor.col + n.min(room) as u16, self.cursor.row);
        }
    }

    pub(crate) fn cursor_left(&mut self, n: i32) {
        let n = n.min(i32::from(self.cursor.col)) as u16;
        self.set_cursor(self.cursor.col - n, self.cursor.row);
    }

    pub(crate) fn backspace(&mut self) {
        let Cursor { col, row } = self.cursor;
        if col > 0 {
            self.set_cursor(col - 1, row);
        } else if row > 0 && self.grid.line(row - 1).flags.contains(LineFlags::WRAPPED) {
            self.set_cursor(self.size.cols - 1, row - 1);
        }
    }

    /// LF; `wrapped` when the text goes on in the next line.
    #[inline]
    pub(crate) fn linefeed(&mut self, wrapped: bool, bg: Color) {
        if wrapped {
            self.grid.line_mut(self.cursor.row).flags |= LineFlags::WRAPPED;
        }
        if self.cursor.row == self.lower {
            self.scroll_region_up(bg);
        } else if self.cursor.row < self.size.rows - 1 {
            self.cursor.row += 1;
        }
    }

    #[inline]
    fn scroll_region_up(&mut self, bg: Color) {
        if self.keeps_history() {
            self.history.collect();
            self.history.push(self.grid.line(self.upper), &self.graphemes);
            self.history.scrolled += 1;
            self.grid.rotate_up(self.upper, self.lower, bg);
        } else {
            self.grid.move_lines(self.upper, self.upper + 1, self.lower - self.upper, bg, &mut self.history);
        }
    }

    fn scroll_region_down(&mut self, bg: Color) {
        self.grid.move_lines(self.upper + 1, self.upper, self.lower - self.upper, bg, &mut self.history);
    }

    fn region_lines(&self, n: i32) -> u16 {
        n.clamp(1, i32::from(self.lower - self.upper) + 1) as u16
    }

    pub(crate) fn scroll_up(&mut self, n: i32, bg: Color) {
        for _ in 0..self.region_lines(n) {
            self.scroll_region_up(bg);
        }
    }

    pub(crate) fn scroll_down(&mut self, n: i32, bg: Color) {
        for _ in 0..self.region_lines(n) {
            self.scroll_region_down(bg);
        }
    }

    pub(crate) fn reverse_index(&mut self, bg: Color) {
        if self.cursor.row == self.upper {
            self.scroll_region_down(bg);
        } else if self.cursor.row > 0 {
            self.cursor.row -= 1;
        }
    }

    pub(crate) fn set_region(&mut self, upper: i32, lower: i32) {
        let limit = |row: i32| row.clamp(0, i32::from(self.size.rows) - 1) as u16;
        let (upper, lower) = (limit(upper), limit(lower));
        if upper < lower {
            self.set_cursor(0, 0);
            (self.upper, self.lower) = (upper, lower);
        }
    }

    /// Cells right of the cursor, at most `n`; `None` in the column past the last.
    fn room(&self, n: i32) -> Option<u16> {
        let room = self.size.cols.checked_sub(self.cursor.col)?;
        (room > 0).then(|| n.clamp(1, i32::from(room)) as u16)
    }

    pub(crate) fn insert_cells(&mut self, n: i32, bg: Color) {
        if let Some(n) = self.room(n) {
            self.open_gap(n, bg);
        }
    }

    /// Moves what stands at the cursor `n` columns to the right.
    pub(super) fn open_gap(&mut self, n: u16, bg: Color) {
        let (Cursor { col, row }, cols) = (self.cursor, self.size.cols);
        if col >= cols - 1 {
            self.grid.clear_cells(col, row, 1, bg, &mut self.history);
        } else if let Some(left) = cols.checked_sub(col + n) {
            let (from, cols) = (col as usize, cols as usize);
            self.grid.line_mut(row).shift(from + n as usize, from, left as usize, bg, cols);
        }
    }

    pub(crate) fn delete_cells(&mut self, n: i32, bg: Color) {
        let Some(n) = self.room(n) else { return };
        let (Cursor { col, row }, cols) = (self.cursor, self.size.cols);
        let (to, from) = (col as usize, (col + n) as usize);
        self.grid.line_mut(row).shift(to, from, cols as usize - from, bg, cols as usize);
        self.grid.clear_cells(cols - n, row, n, bg, &mut self.history);
    }

    pub(crate) fn erase_cells(&mut self, n: i32, bg: Color) {
        if let Some(n) = self.room(n) {
            self.grid.clear_cells(self.cursor.col, self.cursor.row, n, bg, &mut self.history);
        }
    }

    pub(crate) fn insert_lines(&mut self, n: i32, bg: Color) {
        let (y, rows) = (self.cursor.row, self.size.rows);
        if y < self.upper || y > self.lower {
            let n = n.clamp(1, i32::from(rows - y)) as u16;
            self.grid.move_lines(y + n, y, rows - y - n, bg, &mut self.history);
            // When all would move, tmux moves nothing and so erases nothing.
            return;
        }
        let total = self.lower + 1 - y;
        let n = n.clamp(1, i32::from(total)) as u16;
        let kept = total - n;
        self.grid.move_lines(self.lower + 1 - kept, y, kept, bg, &mut self.history);
        self.clear_left_over(y, n, kept, bg);
    }

    pub(crate) fn delete_lines(&mut self, n: i32, bg: Color) {
        let (y, rows) = (self.cursor.row, self.size.rows);
        if y < self.upper || y > self.lower {
            let n = n.clamp(1, i32::from(rows - y)) as u16;
            self.grid.move_lines(y, y + n, rows - y - n, bg, &mut self.history);
            self.grid.clear_lines(rows - n, n, bg, &mut self.history);
            return;
        }
        let total = self.lower + 1 - y;
        let n = n.clamp(1, i32::from(total)) as u16;
        let kept = total - n;
        self.grid.move_lines(y, y + n, kept, bg, &mut self.history);
        self.clear_left_over(y, n, kept, bg);
    }

    /// The lines that IL and DL in a region neither moved nor emptied. Without any, tmux still unties a line.
    fn clear_left_over(&mut self, y: u16, n: u16, kept: u16, bg: Color) {
        if n > kept {
            self.grid.clear_lines(y + kept, n - kept, bg, &mut self.history);
        } else if n < kept {
            self.grid.line_mut(y + kept - 1).flags.remove(LineFlags::WRAPPED);
        }
    }

    pub(crate) fn clear_line(&mut self, bg: Color) {
        if self.grid.line(self.cursor.row).cells.is_empty() && bg.is_default() {
            return;
        }
        self.grid.clear_lines(self.cursor.row, 1, bg, &mut self.history);
    }

    pub(crate) fn clear_to_line_end(&mut self, bg: Color) {
        let (Cursor { col, row }, cols) = (self.cursor, self.size.cols);
        if col == 0 {
            return self.clear_line(bg);
        }
        if col > cols - 1 || col as usize >= self.grid.line(row).cells.len() && bg.is_default() {
            return;
        }
        self.grid.clear_cells(col, row, cols - col, bg, &mut self.history);
    }

    pub(crate) fn clear_to_line_start(&mut self, bg: Color) {
        if self.cursor.col >= self.size.cols - 1 {
            return self.clear_line(bg);
        }
        self.grid.clear_cells(0, self.cursor.row, self.cursor.col + 1, bg, &mut self.history);
    }

    fn scrolls_on_clear(&self) -> bool {
        self.keeps_history() && self.settings.scroll_on_clear
    }

    /// ED 2.
    pub(crate) fn clear_screen(&mut self, bg: Color) {
        if self.scrolls_on_clear() {
            self.clear_into_history(bg);
        } else {
            self.grid.clear_lines(0, self.size.rows, bg, &mut self.history);
        }
    }

    /// ED 0.
    pub(crate) fn clear_to_end(&mut self, bg: Color) {
        let (Cursor { col, row }, Size { cols, rows }) = (self.cursor, self.size);
        if col == 0 && row == 0 && self.scrolls_on_clear() {
            return self.clear_into_history(bg);
        }
        if col < cols {
            self.grid.clear_cells(col, row, cols - col, bg, &mut self.history);
        }
        if row + 1 < rows {
            self.grid.clear_lines(row + 1, rows - row - 1, bg, &mut self.history);
        }
    }

    /// ED 1.
    pub(crate) fn clear_to_start(&mut self, bg: Color) {
        let (Cursor { col, row }, cols) = (self.cursor, self.size.cols);
        if row > 0 {
            self.grid.clear_lines(0, row, bg, &mut self.history);
        }
        self.grid.clear_cells(0, row, (col + 1).min(cols), bg, &mut self.history);
    }

    /// Clears the screen by scrolling what is on it away. It does not come back when the screen grows.
    fn clear_into_history(&mut self, bg: Color) {
        let rows = self.size.rows;
        let used = (0..rows).rev().find(|&y| self.grid.line(y).used != 0).map_or(0, |y| y + 1);
        if used == 0 {
            return self.grid.clear_lines(0, rows, bg, &mut self.history);
        }
        for _ in 0..used {
            self.history.collect();
            self.history.push(self.grid.line(0), &self.graphemes);
            self.grid.rotate_up(0, rows - 1, bg);
        }
        self.grid.clear_lines(0, rows - used, bg, &mut self.history);
        self.history.scrolled = 0;
    }

    /// DECALN.
    pub(crate) fn alignment_test(&mut self) {
        let cell = Cell { glyph: crate::cell::Glyph::point('E', false), ..SPACE };
        let cols = self.size.cols as usize;
        for y in 0..self.size.rows {
            let line = self.grid.line_mut(y);
            for x in 0..cols {
                line.set(x, cell, cols);
            }
        }
        self.set_cursor(0, 0);
        (self.upper, self.lower) = (0, self.size.rows - 1);
    }

    pub(crate) fn save_cursor(&mut self) {
        self.saved = SavedCursor {
            pen: self.pen.clone(),
            col: self.cursor.col,
            row: self.cursor.row,
            origin: self.modes.contains(Modes::ORIGIN),
        };
    }

    pub(crate) fn restore_cursor(&mut self) {
        self.pen = self.saved.pen.clone();
        self.modes.set(Modes::ORIGIN, self.saved.origin);
        self.move_to(Some(i32::from(self.saved.col)), Some(i32::from(self.saved.row)), false);
    }

    /// The pen and what DECSC kept, as they were at first.
    pub(crate) fn reset_pen(&mut self) {
        self.pen = Pen::default();
        let origin = self.saved.origin;
        self.saved = SavedCursor { origin, ..SavedCursor::default() };
    }

    /// RIS. The alternate screen, titles and links stay, as in tmux.
    pub(crate) fn reset(&mut self) {
        self.palette = Palette::default();
        self.reset_pen();
        self.reset_screen();
        self.event(Event::Colours);
    }

    /// What RIS and `send-keys -R` share.
    pub(crate) fn reset_screen(&mut self) {
        self.reset_tabs();
        self.set_region(0, i32::from(self.size.rows) - 1);
        self.modes = self.initial_modes();
        self.keyboard = [Vec::new(), Vec::new()];
        self.clear_screen(Color::DEFAULT);
        self.set_cursor(0, 0);
    }

    pub(crate) fn initial_modes(&self) -> Modes {
        match self.settings.extended_keys {
            crate::settings::ExtendedKeys::Always => Modes::default() | Modes::KEYS_EXTENDED,
            _ => Modes::default(),
        }
    }

    /// 47, 1047 and, with `cursor`, 1049.
    pub(crate) fn alternate_on(&mut self, cursor: bool) {
        if !self.settings.alternate_screen || self.main.is_some() {
            return;
        }
        let change = self.grid.change;
        let mut other = Grid::new(self.size.cols, self.size.rows);
        other.change = change;
        other.touch_all();
        self.history.unwrap_last();
        self.main = Some(std::mem::replace(&mut self.grid, other));
        if cursor {
            self.main_cursor = Some(self.cursor);
        }
        self.main_pen = self.pen.clone();
        self.event(Event::Alternate(true));
    }

    pub(crate) fn alternate_off(&mut self, cursor: bool) {
        if !self.settings.alternate_screen {
            return;
        }
        let size = self.size;
        let main = self.main.take();
        if let Some(main) = &main {
            let was = Size { cols: main.cols, rows: main.rows() };
            self.resize_alternate(was);
        }
        if cursor && let Some(saved) = self.main_cursor {
            self.cursor = saved;
            // Only the look comes back, not the character sets.
            let Pen { shifted, drawing, .. } = self.pen;
            self.pen = Pen { shifted, drawing, ..self.main_pen.clone() };
        }
        if let Some(mut main) = main {
            main.change = self.grid.change;
            main.touch_all();
            self.grid = main;
            self.resize(size);
            self.event(Event::Alternate(false));
        }
        self.cursor.col = self.cursor.col.min(self.size.cols - 1);
        self.cursor.row = self.cursor.row.min(self.size.rows - 1);
    }
}
