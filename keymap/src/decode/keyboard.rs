//! Owns which sequences are keys: those of xterm, rxvt, the Linux console and the VT, modifyOtherKeys, `CSI u` and the kitty
//! protocol.

use crate::codes;
use crate::key::{Key, KeyFlags, Modifiers, Named};

use super::control::Sequence;
use super::{Input, Paste, Step, Wait};

/// `ESC O` and what follows: a letter, or modifiers and a letter.
pub(super) fn single_shift(bytes: &[u8]) -> Step {
    let body = &bytes[2..];
    let numbers = body.iter().take(5).take_while(|byte| matches!(byte, b'0'..=b'9' | b';')).count();
    let Some(&end) = body.get(numbers) else { return Step::Partial(Wait::Key) };
    let length = numbers + 3;
    let key = match numbers {
        0 => match end {
            b'[' => Some(Key::ESCAPE),
            b'a'..=b'd' => {
                codes::of_letter(end.to_ascii_uppercase()).map(|named| Key::named(named).with(Modifiers::CTRL))
            }
            _ => codes::of_keypad_letter(end).or_else(|| codes::of_letter(end)).map(Key::named),
        },
        _ => {
            let text = body[..numbers].strip_prefix(b"1;").unwrap_or(&body[..numbers]);
            match *text {
                [digit @ b'1'..=b'9'] => codes::of_letter(end).map(|named| modified(named, u32::from(digit - b'0'))),
                _ => None,
            }
        }
    };
    key.map_or(Step::None, |key| Step::Done(Input::Key(key), length))
}

/// The key, paste bracket or focus report that a control sequence without private marker is.
pub(super) fn control_sequence(sequence: &Sequence, erase: Option<u8>) -> Option<Input> {
    let plain = sequence.count == 0 && sequence.intermediate.is_none();
    match (sequence.end, sequence.number(0)) {
        (b'~', Some(200)) => return Some(Input::Paste(Paste::Start)),
        (b'~', Some(201)) => return Some(Input::Paste(Paste::End)),
        (b'I', _) if plain => return Some(Input::Focus(true)),
        (b'O', _) if plain => return Some(Input::Focus(false)),
        _ => {}
    }
    // Only presses and repeats are keys.
    const RELEASE: u32 = 3;
    if sequence.sub(1, 1) == Some(RELEASE) {
        return None;
    }
    key(sequence, erase).map(Input::Key)
}

fn key(sequence: &Sequence, erase: Option<u8>) -> Option<Key> {
    let first = sequence.number(0);
    let modifiers = sequence.number(1).unwrap_or(1);
    if sequence.intermediate == Some(b'[') {
        return linux_console(sequence.end).map(Key::named);
    }
    if sequence.intermediate.is_some() {
        return None;
    }
    match sequence.end {
        b'u' => character(first?, sequence.sub(0, 1), modifiers, erase),
        b'~' if first == Some(27) && sequence.count == 3 => character(sequence.number(2)?, None, modifiers, erase),
        b'~' => tilde(first?, modifiers, Modifiers::empty()),
        b'$' => tilde(first?, modifiers, Modifiers::SHIFT),
        b'^' => tilde(first?, modifiers, Modifiers::CTRL),
        b'@' => tilde(first?, modifiers, Modifiers::CTRL | Modifiers::SHIFT),
        b'a'..=b'd' if sequence.count == 0 => {
            codes::of_letter(sequence.end.to_ascii_uppercase()).map(|named| Key::named(named).with(Modifiers::SHIFT))
        }
        b'Z' => Some(back_tab(modifiers)),
        // A cursor position looks the same but for its numbers.
        b'R' if sequence.count > 0 && !(first == Some(1) && (2..=9).contains(&modifiers)) => None,
        end if first.unwrap_or(1) == 1 => codes::of_letter(end).map(|named| modified(named, modifiers)),
        _ => None,
    }
}

fn linux_console(end: u8) -> Option<Named> {
    [Named::F1, Named::F2, Named::F3, Named::F4, Named::F5].get(usize::from(end.checked_sub(b'A')?)).copied()
}

fn tilde(number: u32, parameter: u32, more: Modifiers) -> Option<Key> {
    let (named, own) = codes::of_number(number)?;
    Some(modified(named, parameter).with(own | more))
}

fn back_tab(parameter: u32) -> Key {
    let modifiers = modifiers_of(parameter) | Modifiers::SHIFT;
    if modifiers == Modifiers::SHIFT { Key::named(Named::BTab) } else { Key::TAB.with(modifiers) }
}

fn modified(named: Named, parameter: u32) -> Key {
    let modifiers = modifiers_of(parameter);
    let implied = modifiers.contains(Modifiers::META) && named.takes_modifiers();
    Key::named(named).with(modifiers).with_flags(if implied { KeyFlags::IMPLIED_META } else { KeyFlags::empty() })
}

/// The modifiers of a parameter. Alt, xterm's Meta and kitty's Meta are all Meta; the locks do not count.
fn modifiers_of(parameter: u32) -> Modifiers {
    let bits = parameter.saturating_sub(1);
    let mut modifiers = Modifiers::empty();
    modifiers.set(Modifiers::SHIFT, bits & 1 != 0);
    modifiers.set(Modifiers::META, bits & (2 | 8 | 32) != 0);
    modifiers.set(Modifiers::CTRL, bits & 4 != 0);
    modifiers
}

/// A key that is told by its character's number.
fn character(number: u32, shifted: Option<u32>, parameter: u32, erase: Option<u8>) -> Option<Key> {
    let modifiers = modifiers_of(parameter);
    if erase.is_some_and(|erase| u32::from(erase) == number) {
        return Some(Key::named(Named::BSpace).with(modifiers));
    }
    // The private use area stands for keys that are no characters; what we do not know of it (modifiers, media) is none.
    if (57344..=63743).contains(&number) {
        let (named, own) = codes::of_kitty(number)?;
        return Some(modified(named, parameter).with(own));
    }
    if number == 9 && modifiers.contains(Modifiers::SHIFT) {
        return Some(Key::named(Named::BTab).with(modifiers.difference(Modifiers::SHIFT)));
    }
    let number = shifted.filter(|_| modifiers.contains(Modifiers::SHIFT)).unwrap_or(number);
    let character = char::from_u32(number)?;
    // Some terminals send S-A for what others send as A, so Shift alone is lost with characters.
    if modifiers == Modifiers::SHIFT && character > ' ' && character != '\x7f' {
        return Some(Key::char(character.to_ascii_uppercase()));
    }
    Some(Key::char(character).with(modifiers))
}
