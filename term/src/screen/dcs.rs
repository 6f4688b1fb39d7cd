//! Device control strings, and how the parser reaches the screen.

use super::Screen;
use crate::event::Event;
use crate::modes::Modes;
use crate::parser::{End, Params, Perform};
use crate::terminal::CursorStyle;

impl Screen {
    fn device_control(&mut self, intermediates: &[u8], payload: &[u8]) {
        match (intermediates, payload.first()) {
            (b"$", Some(b'q')) => self.setting_report(payload),
            (b"+", Some(b'q')) if self.settings.beyond_tmux => self.reply(b"\x1bP0+r\x1b\\"),
            _ => match payload.strip_prefix(b"tmux;") {
                Some(bytes) => self.event(Event::Passthrough(bytes.to_vec())),
                None => self.unknown += 1,
            },
        }
    }

    /// DECRQSS: the cursor style is all that is told.
    fn setting_report(&mut self, payload: &[u8]) {
        if payload.get(1..3) != Some(b" q") {
            return self.reply(b"\x1bP0$r\x1b\\");
        }
        let steady = i32::from(!self.modes.contains(Modes::CURSOR_BLINKING));
        let style = match self.cursor_style {
            CursorStyle::Block => 1 + steady,
            CursorStyle::Underline => 3 + steady,
            CursorStyle::Bar => 5 + steady,
            CursorStyle::Default => i32::from(self.settings.cursor_style.min(6)),
        };
        self.reply(format!("\x1bP1$r q{style} q\x1b\\").as_bytes());
    }
}

impl Perform for Screen {
    #[inline]
    fn print_ascii(&mut self, run: &[u8]) {
        self.write_ascii(run);
    }

    #[inline]
    fn print(&mut self, c: char) {
        self.write_char(c);
    }

    #[inline]
    fn print_text(&mut self, bytes: &[u8]) -> usize {
        self.write_text(bytes)
    }

    #[inline]
    fn control(&mut self, byte: u8) {
        self.c0(byte);
    }

    fn escape(&mut self, intermediates: &[u8], last: u8) {
        self.esc(intermediates, last);
    }

    #[inline]
    fn csi(&mut self, intermediates: &[u8], params: &Params<'_>, last: u8) {
        self.control_sequence(intermediates, params, last);
    }

    fn osc(&mut self, payload: &[u8], end: End) {
        self.system_command(payload, end);
    }

    fn dcs(&mut self, intermediates: &[u8], payload: &[u8]) {
        self.device_control(intermediates, payload);
    }

    fn apc(&mut self, payload: &[u8]) {
        self.set_title(payload);
    }

    fn rename(&mut self, payload: &[u8]) {
        self.rename_window(payload);
    }

    fn string_begins(&mut self) {
        self.last = None;
    }

    fn most_payload(&self) -> usize {
        self.settings.most_payload()
    }

    fn malformed(&mut self) {
        self.unknown += 1;
    }
}
