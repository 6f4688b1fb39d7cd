//! Owns the kitty keyboard protocol towards a pane: presses only, since a press is all a multiplexer knows.

use crate::codes;
use crate::key::{Key, KeyCode, Modifiers, Named};

use super::{KittyFlags, modifier_parameter, push_char};

/// Appends the kitty form of a key, if it is one that the protocol has another form for; false leaves it to the others.
pub(super) fn encode(key: Key, flags: KittyFlags, out: &mut Vec<u8>) -> bool {
    let modifiers = key.modifiers();
    match key.code() {
        KeyCode::Char(character) => encode_character(character, modifiers, flags, out),
        KeyCode::Named(Named::BSpace) => encode_control('\x7f', modifiers, flags, out),
        KeyCode::Named(Named::BTab) => encode_control('\t', modifiers | Modifiers::SHIFT, flags, out),
        KeyCode::Named(named) => encode_named(named, modifiers, flags, out),
        _ => false,
    }
}

/// Whether keys that have an old encoding get a new one where that is ambiguous.
fn disambiguates(flags: KittyFlags) -> bool {
    flags.intersects(KittyFlags::DISAMBIGUATE | KittyFlags::ALL_KEYS)
}

fn encode_character(character: char, modifiers: Modifiers, flags: KittyFlags, out: &mut Vec<u8>) -> bool {
    match character {
        '\r' | '\t' | '\x7f' => return encode_control(character, modifiers, flags, out),
        '\x1b' if disambiguates(flags) => return push_number('\x1b', modifiers, None, flags, out),
        _ if character < ' ' => return false,
        _ => {}
    }
    let only_text = modifiers.difference(Modifiers::SHIFT).is_empty();
    if only_text && !flags.contains(KittyFlags::ALL_KEYS) {
        push_char(character, out);
        return true;
    }
    if !disambiguates(flags) {
        return false;
    }
    // The protocol names a key by its unshifted character. Of letters that is known.
    let mut lower = character.to_lowercase();
    let (key, modifiers) = match (lower.next(), lower.next()) {
        (Some(low), None) if low != character => (low, modifiers | Modifiers::SHIFT),
        _ => (character, modifiers),
    };
    push_number(key, modifiers, Some(character), flags, out)
}

/// Enter, Tab and Backspace stay themselves unless modified, so that a shell left in this mode can be used.
fn encode_control(character: char, modifiers: Modifiers, flags: KittyFlags, out: &mut Vec<u8>) -> bool {
    if !disambiguates(flags) || (modifiers.is_empty() && !flags.contains(KittyFlags::ALL_KEYS)) {
        return false;
    }
    push_number(character, modifiers, None, flags, out)
}

fn push_number(key: char, modifiers: Modifiers, text: Option<char>, flags: KittyFlags, out: &mut Vec<u8>) -> bool {
    let mut sequence = format!("\x1b[{}", key as u32);
    if let Some(shifted) = text.filter(|text| *text != key && flags.contains(KittyFlags::ALTERNATE_KEYS)) {
        sequence.push_str(&format!(":{}", shifted as u32));
    }
    let only_text = modifiers.difference(Modifiers::SHIFT).is_empty();
    let text = text.filter(|_| only_text && flags.contains(KittyFlags::ASSOCIATED_TEXT | KittyFlags::ALL_KEYS));
    match (modifier_parameter(modifiers), text) {
        (1, None) => {}
        (1, Some(text)) => sequence.push_str(&format!(";;{}", text as u32)),
        (parameter, None) => sequence.push_str(&format!(";{parameter}")),
        (parameter, Some(text)) => sequence.push_str(&format!(";{parameter};{}", text as u32)),
    }
    sequence.push('u');
    out.extend_from_slice(sequence.as_bytes());
    true
}

/// Named keys are `CSI` sequences whatever the cursor and keypad modes say.
fn encode_named(named: Named, modifiers: Modifiers, flags: KittyFlags, out: &mut Vec<u8>) -> bool {
    if !disambiguates(flags) {
        return false;
    }
    let (number, end) = if let Some((_, number)) = codes::keypad_of(named) {
        // The keypad makes text, but for its Enter.
        if modifiers.is_empty() && !flags.contains(KittyFlags::ALL_KEYS) && named != Named::KeypadEnter {
            return false;
        }
        (number, b'u')
    } else if let Some(letter) = codes::letter_of(named).filter(|_| named != Named::F3) {
        (1, letter)
    } else if let Some(number) = codes::number_of(named) {
        // F3 is one of these, since its letter would look like a cursor position.
        (u32::from(number), b'~')
    } else {
        return false;
    };
    let end = char::from(end);
    let sequence = match (modifier_parameter(modifiers), number) {
        (1, 1) => format!("\x1b[{end}"),
        (1, _) => format!("\x1b[{number}{end}"),
        (parameter, _) => format!("\x1b[{number};{parameter}{end}"),
    };
    out.extend_from_slice(sequence.as_bytes());
    true
}
