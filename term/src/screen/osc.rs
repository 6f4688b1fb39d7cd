//! Operating system commands: titles, colours, links, the clipboard, marks and notes.

use super::Screen;
use crate::cell::Link;
use crate::colour;
use crate::event::{Event, PromptMark};
use crate::grid::line::LineFlags;
use crate::grid::marks::{MarkKinds, Marks};
use crate::parser::End;
use crate::style::Color;
use crate::terminal::ProgressState;
use crate::text::{base64, clean_name, vis};
use termwiz::escape::osc::OperatingSystemCommand;

/// The selections OSC 52 may name.
const SELECTIONS: &[u8] = b"cpqs01234567";
/// Longest link kept, in bytes.
const MAX_LINK: usize = 8192;

/// Which of the three dynamic colours.
#[derive(Clone, Copy)]
enum Dynamic {
    Fg,
    Bg,
    Cursor,
}

impl Screen {
    pub(super) fn system_command(&mut self, payload: &[u8], end: End) {
        let digits = payload.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number: Option<u32> = std::str::from_utf8(&payload[..digits]).ok().and_then(|text| text.parse().ok());
        let rest = match payload.get(digits) {
            None => &[][..],
            Some(b';') => &payload[digits + 1..],
            Some(_) => {
                self.unknown += 1;
                return;
            }
        };
        match number {
            Some(0 | 2) => self.set_title(rest),
            Some(4) => self.set_colours(rest, end),
            Some(7) => {
                if let Some(path) = clean_name(rest) {
                    self.path = path;
                    self.event(Event::Path);
                }
            }
            Some(8) => self.set_link(rest),
            Some(9) => self.note(rest, payload),
            Some(10) => self.dynamic_colour(Dynamic::Fg, rest, end),
            Some(11) => self.dynamic_colour(Dynamic::Bg, rest, end),
            Some(12) => self.dynamic_colour(Dynamic::Cursor, rest, end),
            Some(52) => self.clipboard(rest, end),
            Some(104) => self.reset_colours(rest),
            Some(110) => self.reset_dynamic(Dynamic::Fg, rest),
            Some(111) => self.reset_dynamic(Dynamic::Bg, rest),
            Some(112) => self.reset_dynamic(Dynamic::Cursor, rest),
            Some(133) => self.prompt_mark(rest),
            Some(777) => self.notification(payload),
            _ => self.unknown += 1,
        }
    }

    pub(super) fn set_title(&mut self, bytes: &[u8]) {
        if self.settings.allow_set_title
            && let Some(title) = clean_name(bytes)
        {
            self.title.clone_from(&title);
            self.event(Event::Title(title));
        }
    }

    pub(super) fn rename_window(&mut self, bytes: &[u8]) {
        match clean_name(bytes) {
            Some(name) => self.event(Event::Rename(name)),
            None => self.unknown += 1,
        }
    }

    fn colour_reply(&mut self, head: &str, colour: Color, end: End) {
        let Some((r, g, b)) = colour::to_rgb(colour) else { return };
        let end = if end == End::Bel { "\x07" } else { "\x1b\\" };
        self.reply(format!("\x1b]{head};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}{end}").as_bytes());
    }

    /// OSC 4: pairs of an entry and a colour or `?`.
    fn set_colours(&mut self, rest: &[u8], end: End) {
        let mut parts = rest.split(|&byte| byte == b';');
        let mut changed = false;
        while let Some(entry) = parts.next() {
            if entry.is_empty() {
                break;
            }
            let index: Option<u8> = std::str::from_utf8(entry).ok().and_then(|entry| entry.trim().parse().ok());
            let (Some(index), Some(value)) = (index, parts.next()) else {
                self.unknown += 1;
                break;
            };
            if value == b"?" {
                match self.palette.entries.as_ref().map(|entries| entries[index as usize]) {
                    Some(colour) if !colour.is_default() => self.colour_reply(&format!("4;{index}"), colour, end),
                    _ => self.event(Event::PaletteQuery { index, bel: end == End::Bel }),
                }
            } else if let Some(colour) = std::str::from_utf8(value).ok().and_then(colour::parse) {
                let entries = self.palette.entries.get_or_insert_with(|| Box::new([Color::DEFAULT; 256]));
                entries[index as usize] = colour;
                changed = true;
            }
        }
        if changed {
            self.colours_changed();
        }
    }

    fn reset_colours(&mut self, rest: &[u8]) {
        if rest.is_empty() {
            self.palette = super::Palette::default();
            return self.colours_changed();
        }
        let mut changed = false;
        for entry in rest.split(|&byte| byte == b';') {
            let index: Option<u8> = std::str::from_utf8(entry).ok().and_then(|entry| entry.trim().parse().ok());
            let Some(index) = index else { break };
            if let Some(entries) = &mut self.palette.entries {
                entries[index as usize] = Color::DEFAULT;
                changed = true;
            }
        }
        if changed {
            self.colours_changed();
        }
    }

    fn colours_changed(&mut self) {
        self.grid.touch_all();
        self.event(Event::Colours);
    }

    fn dynamic_colour(&mut self, which: Dynamic, rest: &[u8], end: End) {
        if rest == b"?" {
            let set = |own: Color, outer: Option<Color>| if own.is_default() { outer } else { Some(own) };
            let (head, colour) = match which {
                Dynamic::Fg => ("10", self.settings.over_fg.or(set(self.palette.fg, self.settings.fg))),
                Dynamic::Bg => ("11", self.settings.over_bg.or(set(self.palette.bg, self.settings.bg))),
                Dynamic::Cursor => ("12", self.cursor_colour.or(self.settings.cursor_colour)),
            };
            if let Some(colour) = colour {
                self.colour_reply(head, colour, end);
            }
            return;
        }
        let Some(colour) = std::str::from_utf8(rest).ok().and_then(colour::parse) else {
            self.unknown += 1;
            return;
        };
        match which {
            Dynamic::Fg => self.palette.fg = colour,
            Dynamic::Bg => self.palette.bg = colour,
            Dynamic::Cursor => {
                self.cursor_colour = Some(colour);
                return;
            }
        }
        self.colours_changed();
    }

    fn reset_dynamic(&mut self, which: Dynamic, rest: &[u8]) {
        if !rest.is_empty() {
            return;
        }
        match which {
            Dynamic::Fg => self.palette.fg = Color::DEFAULT,
            Dynamic::Bg => self.palette.bg = Color::DEFAULT,
            Dynamic::Cursor => {
                self.cursor_colour = None;
                return;
            }
        }
        self.colours_changed();
    }

    /// OSC 8: `parameters ; uri`; an empty URI ends the link.
    fn set_link(&mut self, rest: &[u8]) {
        let Some(split) = rest.iter().position(|&byte| byte == b';') else {
            self.unknown += 1;
            return;
        };
        let (parameters, uri) = (&rest[..split], &rest[split + 1..]);
        let mut ids = parameters
            .split(|&byte| byte == b':')
            .filter_map(|part| part.strip_prefix(b"id=").filter(|id| !id.is_empty()));
        let id = ids.next();
        if ids.next().is_some() || uri.len() > MAX_LINK {
            self.unknown += 1;
            return;
        }
        self.pen.link = (!uri.is_empty()).then(|| Link { uri: vis(uri).into(), id: vis(id.unwrap_or(&[])).into() });
        self.settle_pen();
        if self.pen.look.ext == 0 {
            self.pen.link = None;
        }
    }

    /// OSC 9: progress when it begins with `4;`, else a notification.
    fn note(&mut self, rest: &[u8], payload: &[u8]) {
        match rest {
            b"4" | b"4;" => {}
            [b'4', b';', progress @ ..] => {
                if !self.set_progress(progress) {
                    self.unknown += 1;
                }
            }
            _ => self.notification(payload),
        }
    }

    fn set_progress(&mut self, text: &[u8]) -> bool {
        let Some((state, rest)) = text.split_first() else { return true };
        let state = match state {
            b'0' => ProgressState::Hidden,
            b'1' => ProgressState::Normal,
            b'2' => ProgressState::Error,
            b'3' => ProgressState::Indeterminate,
            b'4' => ProgressState::Paused,
            _ => return false,
        };
        let percent = match rest {
            [] | b";" => None,
            [b';', digits @ ..] => {
                let value: Option<u8> = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
                match value.filter(|value| *value <= 100) {
                    Some(value) => Some(value),
                    None => return false,
                }
            }
            _ => return false,
        };
        self.progress.state = state;
        if let Some(percent) = percent
            && state != ProgressState::Indeterminate
        {
            self.progress.percent = percent;
        }
        self.event(Event::Progress);
        true
    }

    /// OSC 9 with text and OSC 777 `notify`.
    fn notification(&mut self, payload: &[u8]) {
        let fields: Vec<&[u8]> = payload.split(|&byte| byte == b';').collect();
        let (title, body) = match OperatingSystemCommand::parse(&fields) {
            OperatingSystemCommand::SystemNotification(body) => (String::new(), body),
            OperatingSystemCommand::RxvtExtension(parts) if parts.first().is_some_and(|part| part == "notify") => {
                (parts.get(1).cloned().unwrap_or_default(), parts.get(2..).unwrap_or(&[]).join(";"))
            }
            _ => match payload.strip_prefix(b"9;") {
                // What is cut at semicolons is one text.
                Some(body) => (String::new(), String::from_utf8_lossy(body).into_owned()),
                None => {
                    self.unknown += 1;
                    return;
                }
            },
        };
        let clean = |text: String| clean_name(text.as_bytes());
        match (clean(title), clean(body)) {
            (Some(title), Some(body)) => self.event(Event::Notification { title, body }),
            _ => self.unknown += 1,
        }
    }

    /// OSC 52: `selections ; base64 or ?`.
    fn clipboard(&mut self, rest: &[u8], end: End) {
        let Some(split) = rest.iter().position(|&byte| byte == b';') else { return };
        let (names, data) = (&rest[..split], &rest[split + 1..]);
        if data.is_empty() {
            return;
        }
        let mut selections = String::new();
        for &name in names {
            let name_char = name as char;
            if SELECTIONS.contains(&name) && !selections.contains(name_char) {
                selections.push(name_char);
            }
        }
        if data == b"?" {
            return self.event(Event::ClipboardQuery { selections, bel: end == End::Bel });
        }
        match base64(data) {
            Some(data) => self.event(Event::Clipboard { selections, data }),
            None => self.unknown += 1,
        }
    }

    /// OSC 133. The letters `I`, `N` and `P` are kitty's and others' for a prompt without its own line.
    fn prompt_mark(&mut self, rest: &[u8]) {
        let column = self.cursor.col;
        let line = self.grid.line_mut(self.cursor.row);
        let mut marks = line.marks.as_deref().copied().unwrap_or_default();
        let mark = match rest.first() {
            Some(b'A' | b'N') => {
                marks = Marks { kinds: marks.kinds, prompt: column, ..Marks::default() };
                line.flags |= LineFlags::PROMPT;
                PromptMark::Prompt
            }
            Some(b'P') => {
                marks.prompt = column;
                if rest.split(|&byte| byte == b';').any(|part| part == b"k=s") {
                    marks.kinds |= MarkKinds::SECOND_PROMPT;
                } else {
                    line.flags |= LineFlags::PROMPT;
                }
                line.marks = Some(Box::new(marks));
                return;
            }
            Some(b'B' | b'I') => {
                marks.command = column;
                marks.kinds |= MarkKinds::COMMAND;
                PromptMark::Command
            }
            Some(b'C') => {
                marks.output = column;
                line.flags |= LineFlags::OUTPUT;
                PromptMark::Output
            }
            Some(b'D') => {
                let status = exit_status(rest);
                marks.output_end = column;
                marks.status = status.unwrap_or(0);
                marks.kinds |= MarkKinds::OUTPUT_END;
                PromptMark::End(status.map(i32::from))
            }
            _ => {
                self.unknown += 1;
                return;
            }
        };
        line.marks = Some(Box::new(marks));
        self.event(Event::Prompt(mark));
    }
}

/// The status of `D;STATUS;...`: none when it is left out or another parameter stands there, 255 for what can be none.
fn exit_status(rest: &[u8]) -> Option<u8> {
    let text = rest.strip_prefix(b"D;")?.split(|&byte| byte == b';').next()?;
    if text.is_empty() || text.contains(&b'=') {
        return None;
    }
    Some(std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(u8::MAX))
}
