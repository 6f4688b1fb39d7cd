//! Owns the sequences of named keys: VT and xterm's, with modifiers inside or Meta before them.

use crate::key::{Key, KeyFlags, Modifiers, Named};

use super::{KeyModes, modifier_parameter};

/// How a named key is written.
enum Form {
    /// Without modifiers `ESC O` or `ESC [` and this letter, with them `CSI 1 ; m` and the letter.
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
    Some(match named {
        Named::F1 => Form::Function(b'P'),
        Named::F2 => Form::Function(b'Q'),
        Named::F3 => Form::Function(b'R'),
        Named::F4 => Form::Function(b'S'),
        Named::F5 => Form::Tilde(15),
        Named::F6 => Form::Tilde(17),
        Named::F7 => Form::Tilde(18),
        Named::F8 => Form::Tilde(19),
        Named::F9 => Form::Tilde(20),
        Named::F10 => Form::Tilde(21),
        Named::F11 => Form::Tilde(23),
        Named::F12 => Form::Tilde(24),
        Named::Insert => Form::Tilde(2),
        Named::Delete => Form::Tilde(3),
        Named::PageUp => Form::Tilde(5),
        Named::PageDown => Form::Tilde(6),
        Named::Home => Form::TildeOr(1, b'H'),
        Named::End => Form::TildeOr(4, b'F'),
        Named::BTab => Form::BackTab,
        Named::Up => Form::Cursor(b'A'),
        Named::Down => Form::Cursor(b'B'),
        Named::Right => Form::Cursor(b'C'),
        Named::Left => Form::Cursor(b'D'),
        Named::KeypadSlash => Form::Keypad(b'/', b'o'),
        Named::KeypadStar => Form::Keypad(b'*', b'j'),
        Named::KeypadMinus => Form::Keypad(b'-', b'm'),
        Named::KeypadPlus => Form::Keypad(b'+', b'k'),
        Named::KeypadPeriod => Form::Keypad(b'.', b'n'),
        Named::KeypadEnter => Form::Keypad(b'\n', b'M'),
        Named::Keypad0 => Form::Keypad(b'0', b'p'),
        Named::Keypad1 => Form::Keypad(b'1', b'q'),
        Named::Keypad2 => Form::Keypad(b'2', b'r'),
        Named::Keypad3 => Form::Keypad(b'3', b's'),
        Named::Keypad4 => Form::Keypad(b'4', b't'),
        Named::Keypad5 => Form::Keypad(b'5', b'u'),
        Named::Keypad6 => Form::Keypad(b'6', b'v'),
        Named::Keypad7 => Form::Keypad(b'7', b'w'),
        Named::Keypad8 => Form::Keypad(b'8', b'x'),
        Named::Keypad9 => Form::Keypad(b'9', b'y'),
        Named::PasteStart => Form::Paste(b"\x1b[200~"),
        Named::PasteEnd => Form::Paste(b"\x1b[201~"),
        _ => return None,
    })
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
