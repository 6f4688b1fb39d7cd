//! Owns the way from a client's bytes to inputs: keys, mouse events, pastes, focus and the terminal's replies.
//! It keeps no clock: the caller says when the escape time has passed. What an input does is not known here.
//!
//! Where tmux 3.7c would let an unknown or late sequence through as keys, it is dropped here.

mod control;
mod keyboard;
mod reply;

use crate::key::{Key, KeyCode, KeyFlags, Modifiers, Named};
use crate::mouse::{MouseEvent, SgrReport, is_wheel};

pub use reply::{ModeState, Rgb, TerminalReply, Theme};

/// One thing that came from a client's terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key.
    Key(Key),
    /// The mouse.
    Mouse(MouseEvent),
    /// A bracketed paste, in pieces.
    Paste(Paste),
    /// The terminal got (true) or lost the focus.
    Focus(bool),
    /// An answer of the terminal, or a report it was asked to send.
    Reply(TerminalReply),
}

/// A piece of a bracketed paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paste {
    /// It begins.
    Start,
    /// Some of its bytes as they came, at most [`Decoder::PASTE_PIECE`].
    Data(Vec<u8>),
    /// It ends. One without a start may come too.
    End,
}

/// What bytes that wait are waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// They may be keys already: after the option `escape-time` call [`Decoder::next`] with `flush`.
    Key,
    /// They are part of a reply, a mouse report, a character or the end of a paste: wait at least
    /// [`Decoder::REPLY_WAIT_MS`]. The first flush leaves them, the second one gives them up.
    Rest,
}

/// What stands at the front of the buffer.
enum Step {
    /// An input of this many bytes.
    Done(Input, usize),
    /// So many bytes that mean nothing.
    Drop(usize),
    /// So many bytes that mean nothing, and what is thrown away after them.
    Skip(usize, Option<Skip>),
    /// The beginning of something.
    Partial(Wait),
    /// No sequence; for bytes after ESC that means Meta.
    None,
}

/// Something too long, thrown away up to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Skip {
    Control,
    Text,
}

const PASTE_END: &[u8] = b"\x1b[201~";

/// Bytes in, inputs out. Feeding in pieces gives the same inputs as feeding at once, apart from how a paste is cut.
#[derive(Clone, Debug)]
pub struct Decoder {
    buffer: Vec<u8>,
    start: usize,
    /// How much of a string at the front has been looked through for its end.
    scanned: usize,
    skip: Option<Skip>,
    pasting: bool,
    /// Whether a flush has already passed over the bytes that wait.
    held: bool,
    erase: Option<u8>,
    custom: Vec<(Vec<u8>, Key)>,
    last: (u16, u16, u8),
}

impl Default for Decoder {
    fn default() -> Decoder {
        Decoder::new()
    }
}

impl Decoder {
    /// The most bytes in one [`Paste::Data`].
    pub const PASTE_PIECE: usize = 64 * 1024;
    /// The most bytes of a clipboard reply, encoded; longer ones are dropped.
    pub const CLIPBOARD_MAX: usize = 1_500_000;
    /// How long a caller should wait for [`Wait::Rest`], in milliseconds.
    pub const REPLY_WAIT_MS: u32 = 500;

    /// A decoder for a terminal whose erase character is DEL.
    pub fn new() -> Decoder {
        Decoder {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            skip: None,
            pasting: false,
            held: false,
            erase: Some(0x7f),
            custom: Vec::new(),
            last: (0, 0, 0),
        }
    }

    /// Sets the byte that is Backspace: the terminal's erase character (VERASE), or none.
    pub fn set_erase(&mut self, erase: Option<u8>) {
        self.erase = erase;
    }

    /// Makes a byte sequence a key: from terminfo, or the option `user-keys`. It goes before all that is built in.
    /// An empty one is ignored.
    pub fn define(&mut self, bytes: &[u8], key: Key) {
        self.custom.retain(|(known, _)| known != bytes);
        if !bytes.is_empty() {
            self.custom.push((bytes.to_vec(), key));
        }
    }

    /// Forgets every sequence that was defined.
    pub fn clear_defined(&mut self) {
        self.custom.clear();
    }

    /// Takes bytes. Call [`Decoder::next`] until it gives none before feeding more: what waits is then bounded.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
        self.held &= bytes.is_empty();
    }

    /// The next input, if there is a whole one. `flush` says that the time to wait for more has passed.
    pub fn next(&mut self, flush: bool) -> Option<Input> {
        while self.start < self.buffer.len() {
            match self.step() {
                Step::Done(input, length) => return Some(self.done(input, length)),
                Step::Drop(length) => self.consume(length),
                Step::Skip(length, skip) => {
                    self.consume(length);
                    self.skip = skip;
                }
                Step::None => self.consume(1),
                Step::Partial(_) if !flush => return None,
                Step::Partial(Wait::Key) => {
                    let (input, length) = self.flush_keys();
                    return Some(self.done(input, length));
                }
                Step::Partial(Wait::Rest) if !self.held => {
                    self.held = true;
                    return None;
                }
                Step::Partial(Wait::Rest) => {
                    let rest = self.buffer[self.start..].to_vec();
                    self.consume(rest.len());
                    if self.pasting {
                        return Some(Input::Paste(Paste::Data(rest)));
                    }
                }
            }
        }
        if flush {
            self.skip = None;
        }
        None
    }

    /// Whether bytes wait for more, so that the caller must start its timer.
    pub fn pending(&self) -> bool {
        self.start < self.buffer.len() || self.skip.is_some()
    }

    /// What the bytes that wait are waiting for; none if there are none, or if [`Decoder::next`] has yet to be asked.
    /// While an answer of the terminal is due a caller should wait [`Decoder::REPLY_WAIT_MS`] for [`Wait::Key`] too, so that
    /// an answer that is cut after its first bytes is no key either.
    pub fn waits_for(&mut self) -> Option<Wait> {
        if self.start >= self.buffer.len() {
            return self.skip.map(|_| Wait::Rest);
        }
        match self.step() {
            Step::Partial(wait) => Some(wait),
            _ => None,
        }
    }

    fn consume(&mut self, length: usize) {
        self.start = (self.start + length).min(self.buffer.len());
        self.scanned = 0;
        self.held = false;
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.buffer.shrink_to(Decoder::PASTE_PIECE);
            self.start = 0;
        }
    }

    fn done(&mut self, input: Input, length: usize) -> Input {
        self.consume(length);
        match &input {
            Input::Paste(Paste::Start) => self.pasting = true,
            Input::Paste(Paste::End) => self.pasting = false,
            Input::Mouse(event) => self.last = (event.x, event.y, event.button),
            _ => {}
        }
        input
    }

    /// What stands at the front. Changes nothing but how far a string has been looked through.
    fn step(&mut self) -> Step {
        let bytes = &self.buffer[self.start..];
        if let Some(skip) = self.skip {
            return control::skip(skip, bytes);
        }
        if self.pasting {
            return paste_step(bytes);
        }
        match self.defined(bytes) {
            Step::None => self.built_in(),
            // A longer sequence is possible, but if the rest of something is awaited that says better how to wait.
            Step::Partial(wait) => match self.built_in() {
                Step::Partial(wait) => Step::Partial(wait),
                _ => Step::Partial(wait),
            },
            step => step,
        }
    }

    /// A defined sequence at the front. The longest wins, so a shorter one waits while a longer is possible.
    fn defined(&self, bytes: &[u8]) -> Step {
        let mut found: Option<(&[u8], Key)> = None;
        for (sequence, key) in &self.custom {
            if sequence.len() > bytes.len() && sequence.starts_with(bytes) {
                return Step::Partial(Wait::Key);
            }
            if bytes.starts_with(sequence) && found.is_none_or(|(longest, _)| longest.len() < sequence.len()) {
                found = Some((sequence, *key));
            }
        }
        match found {
            Some((sequence, key)) => Step::Done(Input::Key(key), sequence.len()),
            None => Step::None,
        }
    }

    fn built_in(&mut self) -> Step {
        let bytes = &self.buffer[self.start..];
        match bytes[0] {
            0x1b => self.escape_step(),
            byte if byte.is_ascii() => Step::Done(Input::Key(self.byte_key(byte)), 1),
            _ => match character(bytes) {
                Ok((character, length)) => Step::Done(Input::Key(Key::char(character)), length),
                Err(step) => step,
            },
        }
    }

    /// A sequence, or what follows ESC with Meta.
    fn escape_step(&mut self) -> Step {
        let step = self.sequence(0);
        if !matches!(step, Step::None) {
            return step;
        }
        let bytes = &self.buffer[self.start..];
        match bytes[1] {
            0x1b => self.meta_sequence(),
            byte if byte.is_ascii() => Step::Done(Input::Key(self.byte_key(byte).with(Modifiers::META)), 2),
            _ => match character(&bytes[1..]) {
                Ok((character, length)) => {
                    Step::Done(Input::Key(Key::char(character).with(Modifiers::META)), length + 1)
                }
                Err(Step::Partial(wait)) => Step::Partial(wait),
                Err(_) => Step::Done(Input::Key(Key::ESCAPE), 1),
            },
        }
    }

    /// ESC before a sequence: Meta, unless the sequence is no key or says Meta itself; then an Escape of its own.
    fn meta_sequence(&mut self) -> Step {
        match self.sequence(1) {
            Step::Done(Input::Key(key), length) if !key.modifiers().contains(Modifiers::META) => {
                // The short forms of M-Home and M-End are sent on with Meta inside, as tmux 3.7c does.
                let short = length == 3 && matches!(key.as_named(), Some(Named::Home | Named::End));
                let flags = if short { KeyFlags::IMPLIED_META } else { KeyFlags::empty() };
                Step::Done(Input::Key(key.with(Modifiers::META).with_flags(flags)), length + 1)
            }
            Step::Partial(wait) => Step::Partial(wait),
            Step::None => Step::Done(Input::Key(Key::ESCAPE.with(Modifiers::META)), 2),
            _ => Step::Done(Input::Key(Key::ESCAPE), 1),
        }
    }

    /// The sequence which starts with the ESC at this offset from the front.
    fn sequence(&mut self, offset: usize) -> Step {
        let bytes = &self.buffer[self.start + offset..];
        match bytes.get(1) {
            None => Step::Partial(Wait::Key),
            Some(b'[') => self.control_step(bytes),
            Some(b'O') => keyboard::single_shift(bytes),
            Some(b']' | b'P' | b'_') => {
                let (step, scanned) = control::string(bytes, self.scanned);
                if offset == 0 {
                    self.scanned = scanned;
                }
                step
            }
            Some(_) => Step::None,
        }
    }

    fn control_step(&self, bytes: &[u8]) -> Step {
        if bytes.get(2) == Some(&b'M') {
            return match *bytes {
                [_, _, _, button, x, y, ..] => self.old_mouse(button, x, y),
                _ => Step::Partial(Wait::Rest),
            };
        }
        let sequence = match control::parse(bytes) {
            Ok(sequence) => sequence,
            Err(step) => return step,
        };
        let input = match (sequence.private, sequence.end) {
            (Some(b'<'), b'M' | b'm') => self.sgr_mouse(&sequence).map(Input::Mouse),
            (None, _) => keyboard::control_sequence(&sequence, self.erase)
                .or_else(|| reply::control_sequence(&sequence).map(Input::Reply)),
            _ => reply::control_sequence(&sequence).map(Input::Reply),
        };
        match input {
            Some(input) => Step::Done(input, sequence.length),
            None => Step::Drop(sequence.length),
        }
    }

    /// A report in the form of X10: three bytes, the first offset by 32, the others by 33.
    fn old_mouse(&self, button: u8, x: u8, y: u8) -> Step {
        match (button.checked_sub(0x20), x.checked_sub(0x21), y.checked_sub(0x21)) {
            (Some(button), Some(x), Some(y)) => {
                Step::Done(Input::Mouse(self.mouse(button, u16::from(x), u16::from(y), None)), 6)
            }
            _ => Step::Drop(6),
        }
    }

    fn sgr_mouse(&self, sequence: &control::Sequence) -> Option<MouseEvent> {
        let parameter = |index| u16::try_from(sequence.number(index)?.min(u32::from(u16::MAX))).ok();
        let button = u8::try_from(parameter(0)?).ok()?;
        let (x, y) = (parameter(1)?.checked_sub(1)?, parameter(2)?.checked_sub(1)?);
        let release = sequence.end == b'm';
        // Some terminals send a release for the wheel, which has nothing to let go.
        if release && is_wheel(button) {
            return None;
        }
        Some(self.mouse(if release { 3 } else { button }, x, y, Some(SgrReport { button, release })))
    }

    fn mouse(&self, button: u8, x: u16, y: u16, sgr: Option<SgrReport>) -> MouseEvent {
        let (last_x, last_y, last_button) = self.last;
        MouseEvent { x, y, button, last_x, last_y, last_button, sgr }
    }

    fn byte_key(&self, byte: u8) -> Key {
        if self.erase == Some(byte) {
            return Key::named(Named::BSpace);
        }
        match byte {
            0 => Key::ctrl(' '),
            b'\t' | b'\r' | 0x1b => Key::char(char::from(byte)),
            0x01..=0x1f => Key::ctrl(char::from(byte | 0x40).to_ascii_lowercase()),
            _ => Key::char(char::from(byte)),
        }
    }

    /// The key that bytes which may be keys already are, once nothing more has come.
    fn flush_keys(&mut self) -> (Input, usize) {
        let bytes = &self.buffer[self.start..];
        let whole = self.custom.iter().filter(|(sequence, _)| bytes.starts_with(sequence));
        if let Some((sequence, key)) = whole.max_by_key(|(sequence, _)| sequence.len()) {
            return (Input::Key(*key), sequence.len());
        }
        if let Step::Done(input, length) = self.built_in() {
            return (input, length);
        }
        let (key, length) = match self.buffer[self.start..] {
            [0x1b, 0x1b] => (Key::ESCAPE.with(Modifiers::META), 2),
            [0x1b, byte, ..] if byte != 0x1b => (self.byte_key(byte).with(Modifiers::META), 2),
            _ => (Key::ESCAPE, 1),
        };
        (Input::Key(key), length)
    }
}

fn paste_step(bytes: &[u8]) -> Step {
    if bytes.starts_with(PASTE_END) {
        return Step::Done(Input::Paste(Paste::End), PASTE_END.len());
    }
    // Data goes up to what is or may become the end.
    let mut data = bytes.len();
    for (index, _) in bytes.iter().enumerate().take(Decoder::PASTE_PIECE).filter(|(_, byte)| **byte == 0x1b) {
        let tail = &bytes[index..];
        if tail.starts_with(PASTE_END) || PASTE_END.starts_with(tail) {
            data = index;
            break;
        }
    }
    if data == 0 {
        return Step::Partial(Wait::Rest);
    }
    let data = data.min(Decoder::PASTE_PIECE);
    Step::Done(Input::Paste(Paste::Data(bytes[..data].to_vec())), data)
}

/// The character at the front and its length in bytes, or what to do without.
fn character(bytes: &[u8]) -> Result<(char, usize), Step> {
    let head = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() == 0 => {
            return Err(if error.error_len().is_none() { Step::Partial(Wait::Rest) } else { Step::Drop(1) });
        }
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).expect("valid up to there"),
    };
    let character = valid.chars().next().expect("not empty");
    Ok((character, character.len_utf8()))
}

impl Input {
    /// The key, if it is one.
    pub fn key(&self) -> Option<Key> {
        match self {
            Input::Key(key) => Some(*key),
            _ => None,
        }
    }

    /// The character typed without Ctrl and Meta, if it is one.
    pub fn typed_char(&self) -> Option<char> {
        let key = self.key()?;
        match key.code() {
            KeyCode::Char(character) if !key.modifiers().intersects(Modifiers::CTRL | Modifiers::META) => {
                Some(character)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
