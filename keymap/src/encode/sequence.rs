//! Owns the sequences of named keys: VT and xterm's, with modifiers inside or Meta before them.

use crate::codes;
use crate::key::{Key, KeyFlags, Modifiers, Named};

use super::{KeyModes, modifier_parameter};

/// How a named key is written.
enum Form {
    /// Without modifiers `ESC O` and this letter, with them `CSI 1 ; m` and the letter.
    Function(u8),
    /// `CSI A`, `ESC O A` in application mode, `CSI 1 ; m A`.
    Cursor(u8),
    /// `CSI n ~`, `CSI n ; m ~`. Home and End are 1 and 4 here but letters with modifiers.
    Tilde(u8),
    /// `CSI n ~`, but `CSI 1 ; m` and the letter.
    TildeOr(u8, u8),
    /// `CSI Z`, without modifiers only.
    BackTab,
    /// The text, or `ESC O` and the letter in application keypad mode; without modifiers only.
    Keypad(u8, u8),
    /// A paste bracket.
    Paste(&'static [u8]),
}

fn form(named: Named) -> Option<Form> {
    match named {
        Named::PasteStart => return Some(Form::Paste(b"\x1b[200~")),
        Named::PasteEnd => return Some(Form::Paste(b"\x1b[201~")),
        Named::BTab => return Some(Form::BackTab),
        _ => {}
    }
    if let Some((keypad, _)) = codes::keypad_of(named) {
        return Some(Form::Keypad(keypad.text, keypad.letter));
    }
    match (codes::letter_of(named), codes::number_of(named)) {
        (Some(letter), Some(number)) if matches!(named, Named::Home | Named::End) => {
            Some(Form::TildeOr(number, letter))
        }
        (Some(letter), Some(_)) => Some(Form::Function(letter)),
        (Some(letter), None) => Some(Form::Cursor(letter)),
        (None, number) => number.map(Form::Tilde),
    }
}

/// Appends the sequence of a named key, or nothing if it has none with these modifiers.
pub(super) fn encode(key: Key, modes: &KeyModes, out: &mut Vec<u8>) {
    let Some((named, form)) = key.as_named().and_then(|named| Some((named, form(named)?))) else { return };
    let modifiers = key.modifiers();
    if let Form::Paste(bracket) = form {
        if modifiers.is_empty() && modes.bracketed_paste {
            out.extend_from_slice(bracket);
        }
        return;
    }
    let implied = key.flags().contains(KeyFlags::IMPLIED_META);
    let prefixed = modifiers.contains(Modifiers::META) && !(implied && named.takes_modifiers());
    let inner = if prefixed { modifiers.difference(Modifiers::META) } else { modifiers };
    let start = out.len();
    if prefixed {
        out.push(0x1b);
    }
    let application = match form {
        Form::Keypad(..) => modes.keypad && key.flags().contains(KeyFlags::KEYPAD),
        _ => modes.cursor_keys && key.flags().contains(KeyFlags::CURSOR),
    };
    if !push(&form, inner, application, out) {
        out.truncate(start);
    }
}

fn push(form: &Form, modifiers: Modifiers, application: bool, out: &mut Vec<u8>) -> bool {
    if !modifiers.is_empty() {
        let (number, end) = match *form {
            Form::Function(letter) | Form::Cursor(letter) | Form::TildeOr(_, letter) => (1, letter),
            Form::Tilde(number) => (number, b'~'),
            Form::BackTab | Form::Keypad(..) | Form::Paste(_) => return false,
        };
        out.extend_from_slice(format!("\x1b[{number};{}{}", modifier_parameter(modifiers), char::from(end)).as_bytes());
        return true;
    }
    match *form {
        Form::Function(letter) => out.extend_from_slice(&[0x1b, b'O', letter]),
        Form::Cursor(letter) if application => out.extend_from_slice(&[0x1b, b'O', letter]),
        Form::Cursor(letter) => out.extend_from_slice(&[0x1b, b'[', letter]),
        Form::Tilde(number) | Form::TildeOr(number, _) => out.extend_from_slice(format!("\x1b[{number}~").as_bytes()),
        Form::BackTab => out.extend_from_slice(b"\x1b[Z"),
        Form::Keypad(_, letter) if application => out.extend_from_slice(&[0x1b, b'O', letter]),
        Form::Keypad(text, _) => out.push(text),
        Form::Paste(bracket) => out.extend_from_slice(bracket),
    }
    true
}
