//! Control and escape sequences: which move each one is, and the answers.

use super::{MAX_KEYBOARD, MAX_TITLES, Screen};
use crate::event::Event;
use crate::modes::{self, Modes};
use crate::parser::Params;
use crate::settings::{ExtendedKeys, Theme};
use crate::style::Color;
use crate::terminal::CursorStyle;

/// What XTVERSION says.
const VERSION: &str = "tmux 3.7c";

impl Screen {
    pub(crate) fn esc(&mut self, intermediates: &[u8], last: u8) {
        match (intermediates, last) {
            (b"(", b'0') => self.pen.drawing[0] = true,
            (b"(", b'B') => self.pen.drawing[0] = false,
            (b")", b'0') => self.pen.drawing[1] = true,
            (b")", b'B') => self.pen.drawing[1] = false,
            (b"", b'7') => self.save_cursor(),
            (b"", b'8') => self.restore_cursor(),
            (b"#", b'8') => self.alignment_test(),
            (b"", b'=') => self.modes.insert(Modes::APPLICATION_KEYPAD),
            (b"", b'>') => self.modes.remove(Modes::APPLICATION_KEYPAD),
            (b"", b'D') => self.linefeed(false, self.bg()),
            (b"", b'E') => {
                self.cursor.col = 0;
                self.linefeed(false, self.bg());
            }
            (b"", b'H') => self.set_tab(self.cursor.col, true),
            (b"", b'M') => self.reverse_index(self.bg()),
            (b"", b'c') => self.reset(),
            (b"", b'\\') => {}
            _ => {
                self.unknown += 1;
                return;
            }
        }
        self.last = None;
    }

    #[inline]
    pub(crate) fn control_sequence(&mut self, intermediates: &[u8], params: &Params<'_>, last: u8) {
        let known = match intermediates {
            b"" => self.plain(params, last),
            b"?" => self.private(params, last),
            _ => self.other(intermediates, params, last),
        };
        if known {
            self.last = None;
        } else {
            self.unknown += 1;
        }
    }

    fn plain(&mut self, params: &Params<'_>, last: u8) -> bool {
        let n = params.get(0, 1, 1);
        let bg = self.bg();
        match last {
            b'm' => self.sgr(params),
            b'H' | b'f' => {
                let col = params.get(1, 1, 1);
                if n != -1 && col != -1 {
                    self.move_to(Some(col - 1), Some(n - 1), true);
                }
            }
            b'J' => return self.erase_display(params, bg),
            b'K' => match params.get(0, 0, 0) {
                -1 => {}
                0 => self.clear_to_line_end(bg),
                1 => self.clear_to_line_start(bg),
                2 => self.clear_line(bg),
                _ => return false,
            },
            b'n' => return self.status_report(params),
            b'c' => match params.get(0, 0, 0) {
                -1 => {}
                0 => self.reply(b"\x1b[?1;2c"),
                _ => return false,
            },
            b'h' => return self.set_modes(params, true),
            b'l' => return self.set_modes(params, false),
            b's' => self.save_cursor(),
            b'u' => self.restore_cursor(),
            b't' => self.window_operation(params),
            b'g' => match params.get(0, 0, 0) {
                -1 => {}
                0 => self.set_tab(self.cursor.col, false),
                3 => self.tabs.fill(0),
                _ => return false,
            },
            b'r' => {
                let lower = params.get(1, 1, i32::from(self.size.rows));
                if n != -1 && lower != -1 {
                    self.set_region(n - 1, lower - 1);
                }
            }
            // With sub-parameters, which none of these has, nothing is done.
            _ if n == -1 => return is_counted(last),
            b'@' => self.insert_cells(n, bg),
            b'A' => self.cursor_up(n),
            b'B' => self.cursor_down(n),
            b'C' => self.cursor_right(n),
            b'D' => self.cursor_left(n),
            b'E' => {
                self.cursor.col = 0;
                self.cursor_down(n);
            }
            b'F' => {
                self.cursor.col = 0;
                self.cursor_up(n);
            }
            b'G' | b'`' => self.move_to(Some(n - 1), None, true),
            b'L' => self.insert_lines(n, bg),
            b'M' => self.delete_lines(n, bg),
            b'P' => self.delete_cells(n, bg),
            b'S' => self.scroll_up(n, bg),
            b'T' => self.scroll_down(n, bg),
            b'X' => self.erase_cells(n, bg),
            b'Z' => self.tab_back(n),
            b'b' => self.repeat(n),
            b'd' => self.move_to(None, Some(n - 1), true),
            b'a' if self.settings.beyond_tmux => self.cursor_right(n),
            b'e' if self.settings.beyond_tmux => self.cursor_down(n),
            b'I' if self.settings.beyond_tmux => self.tab_forward(n),
            _ => return false,
        }
        true
    }

    fn erase_display(&mut self, params: &Params<'_>, bg: Color) -> bool {
        match params.get(0, 0, 0) {
            -1 => {}
            0 => self.clear_to_end(bg),
            1 => self.clear_to_start(bg),
            2 => self.clear_screen(bg),
            3 => {
                if params.get(1, 0, 0) == 0 {
                    self.clear_history();
                }
            }
            _ => return false,
        }
        true
    }

    fn status_report(&mut self, params: &Params<'_>) -> bool {
        match params.get(0, 0, 0) {
            -1 => {}
            5 => self.reply(b"\x1b[0n"),
            6 => {
                let reply = format!("\x1b[{};{}R", self.cursor.row + 1, self.cursor.col + 1);
                self.reply(reply.as_bytes());
            }
            _ => return false,
        }
        true
    }

    fn private(&mut self, params: &Params<'_>, last: u8) -> bool {
        let n = params.get(0, 0, 0);
        match last {
            b'h' => self.set_private_modes(params, true),
            b'l' => self.set_private_modes(params, false),
            b'n' if n == 996 => {
                self.report_theme();
                true
            }
            b'n' if n == 6 && self.settings.beyond_tmux => {
                let reply = format!("\x1b[?{};{};1R", self.cursor.row + 1, self.cursor.col + 1);
                self.reply(reply.as_bytes());
                true
            }
            b'u' if self.settings.beyond_tmux => {
                let reply = format!("\x1b[?{}u", self.keyboard_flags());
                self.reply(reply.as_bytes());
                true
            }
            _ => false,
        }
    }

    fn report_theme(&mut self) {
        match self.settings.theme {
            Some(Theme::Dark) => self.reply(b"\x1b[?997;1n"),
            Some(Theme::Light) => self.reply(b"\x1b[?997;2n"),
            None => self.event(Event::ThemeQuery),
        }
    }

    fn other(&mut self, intermediates: &[u8], params: &Params<'_>, last: u8) -> bool {
        let n = params.get(0, 0, 0);
        match (intermediates, last) {
            (b" ", b'q') => self.set_cursor_style(n),
            (b">", b'c') if n <= 0 => {
                if n == 0 {
                    self.reply(b"\x1b[>84;0;0c");
                }
            }
            (b">", b'q') => {
                if n == 0 {
                    self.reply(format!("\x1bP>|{VERSION}\x1b\\").as_bytes());
                }
            }
            (b">", b'm') => {
                if n == 4 {
                    self.set_extended_keys(params.get(1, 0, 0));
                }
            }
            (b">", b'n') => {
                if n == 4 {
                    self.set_extended_keys(0);
                }
            }
            (b"$", b'p') => {
                if n > 0 {
                    let state = modes::find(n, false).map_or(0, |mode| self.mode_state(mode.flag));
                    self.reply(format!("\x1b[{n};{state}$y").as_bytes());
                }
            }
            (b"?$", b'p') => {
                if n > 0 {
                    let state = self.private_mode_state(n);
                    self.reply(format!("\x1b[?{n};{state}$y").as_bytes());
                }
            }
            (b"=", b'c') if n == 0 && self.settings.beyond_tmux => self.reply(b"\x1bP!|00000000\x1b\\"),
            (b"!", b'p') if self.settings.beyond_tmux => self.soft_reset(),
            (b">" | b"<" | b"=", b'u') if self.settings.beyond_tmux => self.set_keyboard(intermediates, params),
            _ => return false,
        }
        true
    }

    fn set_cursor_style(&mut self, n: i32) {
        let style = match n {
            0 => CursorStyle::Default,
            1 | 2 => CursorStyle::Block,
            3 | 4 => CursorStyle::Underline,
            5 | 6 => CursorStyle::Bar,
            _ => return,
        };
        self.cursor_style = style;
        if n == 0 {
            self.modes.remove(Modes::CURSOR_BLINKING_SET);
        } else {
            self.modes.set(Modes::CURSOR_BLINKING, n % 2 == 1);
        }
    }

    fn set_extended_keys(&mut self, level: i32) {
        let setting = self.settings.extended_keys;
        if setting == ExtendedKeys::Off && level != 0 {
            return;
        }
        self.modes.remove(Modes::ALL_KEYS_EXTENDED);
        if level == 2 {
            self.modes.insert(Modes::KEYS_EXTENDED_2);
        } else if level == 1 || setting == ExtendedKeys::Always {
            self.modes.insert(Modes::KEYS_EXTENDED);
        }
    }

    /// DECSTR, as xterm has it: no cell changes.
    fn soft_reset(&mut self) {
        let row = self.cursor;
        self.set_region(0, i32::from(self.size.rows) - 1);
        self.cursor = row;
        self.modes.remove(Modes::INSERT | Modes::ORIGIN | Modes::APPLICATION_CURSOR | Modes::APPLICATION_KEYPAD);
        self.modes.insert(Modes::CURSOR | Modes::WRAP);
        self.reset_pen();
    }

    fn mode_state(&self, flag: Modes) -> i32 {
        if self.modes.contains(flag) { 1 } else { 2 }
    }

    fn private_mode_state(&self, number: i32) -> i32 {
        match number {
            3 => 4,
            12 => {
                if self.cursor_style != CursorStyle::Default || self.modes.contains(Modes::CURSOR_BLINKING_SET) {
                    self.mode_state(Modes::CURSOR_BLINKING)
                } else if matches!(self.settings.cursor_style, 1 | 3 | 5) {
                    1
                } else {
                    2
                }
            }
            47 | 1047 | 1049 => {
                if self.main.is_some() {
                    1
                } else {
                    2
                }
            }
            _ => modes::find(number, true).map_or(0, |mode| self.mode_state(mode.flag)),
        }
    }

    fn set_modes(&mut self, params: &Params<'_>, on: bool) -> bool {
        let mut known = true;
        for i in 0..params.len() {
            match params.get(i, 0, -1) {
                -1 => {}
                4 => self.modes.set(Modes::INSERT, on),
                34 => self.modes.set(Modes::CURSOR_VERY_VISIBLE, !on),
                _ => known = false,
            }
        }
        known
    }

    fn set_private_modes(&mut self, params: &Params<'_>, on: bool) -> bool {
        let mut known = true;
        for i in 0..params.len() {
            known &= self.set_private_mode(params.get(i, 0, -1), on);
        }
        known
    }

    fn set_private_mode(&mut self, number: i32, on: bool) -> bool {
        match number {
            -1 => {}
            3 => {
                self.move_to(Some(0), Some(0), true);
                self.clear_screen(self.bg());
            }
            6 => {
                self.modes.set(Modes::ORIGIN, on);
                self.move_to(Some(0), Some(0), true);
            }
            12 => {
                self.modes.set(Modes::CURSOR_BLINKING, on);
                self.modes.insert(Modes::CURSOR_BLINKING_SET);
            }
            1001 if !on => self.modes.remove(Modes::ALL_MOUSE),
            1000 | 1002 | 1003 => {
                self.modes.remove(Modes::ALL_MOUSE);
                if on && let Some(mode) = modes::find(number, true) {
                    self.modes.insert(mode.flag);
                }
            }
            47 | 1047 | 1049 if on => self.alternate_on(number == 1049),
            47 | 1047 | 1049 => self.alternate_off(number == 1049),
            2026 => {
                self.modes.set(Modes::SYNC, on);
                self.event(Event::Synchronised(on));
            }
            _ => match modes::find(number, true) {
                Some(mode) => self.modes.set(mode.flag, on),
                None => return false,
            },
        }
        true
    }

    fn window_operation(&mut self, params: &Params<'_>) {
        let (cols, rows) = (u32::from(self.size.cols), u32::from(self.size.rows));
        let (width, height) = self.settings.cell;
        let mut i = 0;
        loop {
            let operation = params.get(i, 0, -1);
            match operation {
                -1 => return,
                3 | 4 | 8 | 9 | 10 => {
                    let arguments = if operation < 9 { 2 } else { 1 };
                    for _ in 0..arguments {
                        i += 1;
                        if params.get(i, 0, -1) == -1 {
                            return;
                        }
                    }
                }
                14 | 15 => {
                    let reply = format!(
                        "\x1b[{};{};{}t",
                        operation - 10,
                        rows.saturating_mul(height),
                        cols.saturating_mul(width)
                    );
                    self.reply(reply.as_bytes());
                }
                16 => self.reply(format!("\x1b[6;{height};{width}t").as_bytes()),
                18 | 19 => self.reply(format!("\x1b[{};{rows};{cols}t", operation - 10).as_bytes()),
                22 | 23 => {
                    i += 1;
                    match params.get(i, 0, -1) {
                        -1 => return,
                        0 | 2 if operation == 22 => self.push_title(),
                        0 | 2 => self.pop_title(),
                        _ => {}
                    }
                }
                1 | 2 | 5..=7 | 11 | 13 | 20 | 21 | 24 => {}
                _ => self.unknown += 1,
            }
            i += 1;
        }
    }

    fn push_title(&mut self) {
        if self.titles.len() >= MAX_TITLES {
            self.titles.remove(0);
        }
        self.titles.push(self.title.clone());
    }

    fn pop_title(&mut self) {
        if let Some(title) = self.titles.pop() {
            self.title.clone_from(&title);
            self.event(Event::Title(title));
        }
    }

    fn keyboard_stack(&mut self) -> &mut Vec<u8> {
        let which = usize::from(self.main.is_some());
        &mut self.keyboard[which]
    }

    /// The flags of kitty's keyboard protocol that are in force.
    pub(crate) fn keyboard_flags(&self) -> u8 {
        self.keyboard[usize::from(self.main.is_some())].last().copied().unwrap_or(0)
    }

    /// CSI > flags u pushes, CSI < n u pops, CSI = flags ; how u sets.
    fn set_keyboard(&mut self, intermediates: &[u8], params: &Params<'_>) {
        let flags = params.get(0, 0, 0).clamp(0, 31) as u8;
        let now = self.keyboard_flags();
        let stack = self.keyboard_stack();
        match intermediates {
            b">" => {
                if stack.len() >= MAX_KEYBOARD {
                    stack.remove(0);
                }
                stack.push(flags);
            }
            b"<" => {
                let n = params.get(0, 1, 1).max(1) as usize;
                stack.truncate(stack.len().saturating_sub(n));
            }
            _ => {
                let flags = match params.get(1, 1, 1) {
                    2 => now | flags,
                    3 => now & !flags,
                    _ => flags,
                };
                match stack.last_mut() {
                    Some(last) => *last = flags,
                    None => stack.push(flags),
                }
            }
        }
    }
}

/// True for the sequences that take a count first.
fn is_counted(last: u8) -> bool {
    matches!(last, b'@' | b'A'..=b'G' | b'L' | b'M' | b'P' | b'S' | b'T' | b'X' | b'Z' | b'`' | b'b' | b'd')
}
