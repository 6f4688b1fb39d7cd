//! Owns what a pane is sent: keys, mouse reports, pastes and focus, in the protocol its program asked for.
//! It must not choose the protocol; modes come in as data.

mod kitty;
mod mouse;
mod sequence;

use bitflags::bitflags;

use crate::key::{Key, KeyCode, KeyFlags, Modifiers, Named};

pub use mouse::{MouseModes, MouseTracking, encode_mouse};

/// Which keys are reported as numbers (xterm's modifyOtherKeys, `CSI > 4 ; n m`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtendedKeys {
    /// None: the old encoding.
    #[default]
    Off,
    /// Modified keys without an old encoding.
    Some,
    /// All modified keys.
    All,
}

/// How such a number is written (option `extended-keys-format`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtendedFormat {
    /// `CSI 27 ; modifiers ; key ~`.
    #[default]
    Xterm,
    /// `CSI key ; modifiers u`.
    CsiU,
}

bitflags! {
    /// Enhancements of the kitty keyboard protocol, as a program pushes them with `CSI > flags u`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct KittyFlags: u8 {
        /// Keys whose old encoding is ambiguous are `CSI u`.
        const DISAMBIGUATE = 1;
        /// Repeats and releases are reported. A multiplexer only knows presses, so this changes nothing.
        const EVENT_TYPES = 2;
        /// The shifted character is reported beside the key.
        const ALTERNATE_KEYS = 4;
        /// Text keys are `CSI u` too.
        const ALL_KEYS = 8;
        /// The text a key makes is reported beside it.
        const ASSOCIATED_TEXT = 16;
    }
}

/// The modes of a pane that keys depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyModes {
    /// Application cursor keys (DECCKM).
    pub cursor_keys: bool,
    /// Application keypad (DECKPAM).
    pub keypad: bool,
    /// Bracketed paste (2004): the keys PasteStart and PasteEnd are sent only then.
    pub bracketed_paste: bool,
    /// modifyOtherKeys.
    pub extended: ExtendedKeys,
    /// How extended keys are written.
    pub format: ExtendedFormat,
    /// The kitty flags in force. Any of them takes the place of `extended`.
    pub kitty: KittyFlags,
    /// What Backspace sends (option `backspace`).
    pub backspace: Key,
}

impl Default for KeyModes {
    fn default() -> KeyModes {
        KeyModes {
            cursor_keys: false,
            keypad: false,
            bracketed_paste: false,
            extended: ExtendedKeys::Off,
            format: ExtendedFormat::Xterm,
            kitty: KittyFlags::empty(),
            backspace: Key::ctrl('?'),
        }
    }
}

/// Appends the bytes that a pane with these modes is sent for a key. False if the key can't be expressed, in which case
/// `send-keys` sends the key's name as text; as in tmux 3.7c an ESC for Meta may have been appended all the same.
/// Keys that mean nothing to a program (`Any`, focus, user and mouse keys) append nothing and are true.
pub fn encode(key: Key, modes: &KeyModes, out: &mut Vec<u8>) -> bool {
    let key = key.without_flags(KeyFlags::SENT);
    if key.is_mouse() {
        return true;
    }
    if let (true, KeyCode::Char(character)) = (key.flags().contains(KeyFlags::LITERAL), key.code()) {
        out.push(character as u8);
        return true;
    }
    if !modes.kitty.difference(KittyFlags::EVENT_TYPES).is_empty() && kitty::encode(key, modes.kitty, out) {
        return true;
    }
    if key.as_named() == Some(Named::BSpace) {
        if key.modifiers().is_empty() {
            out.extend(backspace_byte(modes.backspace));
            return true;
        }
        return encode_rest(modes.backspace.with(key.modifiers()).with_flags(key.flags()), modes, out);
    }
    encode_rest(key, modes, out)
}

/// Appends text as a paste: between brackets if the pane asked for them, and then without anything in it that would end
/// the paste (`ESC [ 201 ~`, also with the C1 control `U+009B` or the byte 0x9B that is not part of a character).
pub fn encode_paste(text: &[u8], bracketed: bool, out: &mut Vec<u8>) {
    if !bracketed {
        out.extend_from_slice(text);
        return;
    }
    out.extend_from_slice(b"\x1b[200~");
    let body = out.len();
    for &byte in text {
        out.push(byte);
        if byte == b'~' {
            cut_paste_end(out, body);
        }
    }
    out.extend_from_slice(b"\x1b[201~");
}

/// Appends the report that the pane got or lost the focus (mode 1004).
pub fn encode_focus(focused: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if focused { b"\x1b[I" } else { b"\x1b[O" });
}

/// Takes a paste end off the end of `out`, as often as there is one: what is left may form the next.
fn cut_paste_end(out: &mut Vec<u8>, body: usize) {
    const ENDS: [&[u8]; 3] = [b"\x1b[201~", b"\xc2\x9b201~", b"\x9b201~"];
    let tail = &out[body..];
    if let Some(end) = ENDS.iter().find(|end| tail.ends_with(end)) {
        let length = out.len() - end.len();
        out.truncate(length);
    }
}

/// The byte of an unmodified Backspace; none if the option's key has no byte.
fn backspace_byte(option: Key) -> Option<u8> {
    let KeyCode::Char(character) = option.code() else { return None };
    let byte = u8::try_from(character).ok().filter(u8::is_ascii)?;
    match (option.modifiers(), byte) {
        (modifiers, _) if modifiers.is_empty() => Some(byte),
        (Modifiers::CTRL, b'?') => Some(0x7f),
        (Modifiers::CTRL, b'@'..=b'_') => Some(byte - 0x40),
        (Modifiers::CTRL, b'a'..=b'z') => Some(byte - 0x60),
        _ => None,
    }
}

fn encode_rest(key: Key, modes: &KeyModes, out: &mut Vec<u8>) -> bool {
    let key = match key.as_named() {
        Some(Named::BTab) if modes.extended == ExtendedKeys::All => {
            Key::TAB.with(key.modifiers() | Modifiers::SHIFT).with_flags(key.flags())
        }
        Some(Named::BTab) => key.without(Modifiers::all()),
        _ => key,
    };
    let character = match key.code() {
        KeyCode::Named(_) => {
            sequence::encode(key, modes, out);
            return true;
        }
        KeyCode::User(_) | KeyCode::Mouse(_) => return true,
        KeyCode::Char(character) => character,
    };
    let typed = matches!(character, '\t' | '\r' | '\x1b') || character >= ' ';
    if key.modifiers().is_empty() && typed {
        push_char(character, out);
        return true;
    }
    match modes.extended {
        ExtendedKeys::All => encode_extended(character, key.modifiers(), modes.format, out),
        ExtendedKeys::Some if !keeps_old_encoding(character, key.modifiers()) => {
            encode_extended(character, key.modifiers(), modes.format, out)
        }
        _ => encode_old(character, key.modifiers(), out),
    }
}

/// The number that stands for modifiers in a sequence: 1 + Shift 1 + Meta 2 + Ctrl 4.
fn modifier_parameter(modifiers: Modifiers) -> u8 {
    1 + u8::from(modifiers.contains(Modifiers::SHIFT))
        + 2 * u8::from(modifiers.contains(Modifiers::META))
        + 4 * u8::from(modifiers.contains(Modifiers::CTRL))
}

fn encode_extended(character: char, modifiers: Modifiers, format: ExtendedFormat, out: &mut Vec<u8>) -> bool {
    if modifiers.is_empty() {
        return false;
    }
    let (number, parameter) = (character as u32, modifier_parameter(modifiers));
    let text = match format {
        ExtendedFormat::Xterm => format!("\x1b[27;{parameter};{number}~"),
        ExtendedFormat::CsiU => format!("\x1b[{number};{parameter}u"),
    };
    out.extend_from_slice(text.as_bytes());
    true
}

/// Keys that modifyOtherKeys 1 leaves alone: Meta without Ctrl, and Ctrl with keys that have a control character.
fn keeps_old_encoding(character: char, modifiers: Modifiers) -> bool {
    if !modifiers.contains(Modifiers::CTRL) {
        return modifiers.contains(Modifiers::META);
    }
    matches!(character, ' ' | '/' | '2'..='8' | '@'..='~')
}

/// The encoding of terminals before modifyOtherKeys: Meta is ESC, Ctrl makes a control character, Shift is lost.
fn encode_old(character: char, modifiers: Modifiers, out: &mut Vec<u8>) -> bool {
    if modifiers.contains(Modifiers::META) {
        out.push(0x1b);
    }
    if !character.is_ascii() {
        push_char(character, out);
        return true;
    }
    let ctrl = modifiers.contains(Modifiers::CTRL) && !matches!(character, '\r' | '\n' | '\t');
    match if ctrl { control_byte(character as u8) } else { Some(character as u8) } {
        Some(byte) => {
            out.push(byte);
            true
        }
        None => false,
    }
}

/// What Ctrl makes of a character, with xterm's substitutes for those that have no control character.
fn control_byte(byte: u8) -> Option<u8> {
    Some(match byte {
        b'1' | b'9' | b'0' | b'=' | b'+' | b';' | b'\'' | b',' | b'.' => byte,
        b'!' => b'1',
        b'(' => b'9',
        b')' => b'0',
        b':' => b';',
        b'"' => b'\'',
        b'<' => b',',
        b'>' => b'.',
        b'/' | b'-' => 0x1f,
        b'8' | b'?' => 0x7f,
        b' ' | b'2' | 0 => 0,
        b'3'..=b'7' => byte - 0x18,
        b'@'..=b'~' => byte & 0x1f,
        _ => return None,
    })
}

fn push_char(character: char, out: &mut Vec<u8>) {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests;
