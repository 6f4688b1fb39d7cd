//! Owns the kitty keyboard protocol towards a pane: presses only, since a press is all a multiplexer knows.

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
    let (number, end) = match named {
        Named::Up => (1, 'A'),
        Named::Down => (1, 'B'),
        Named::Right => (1, 'C'),
        Named::Left => (1, 'D'),
        Named::Home => (1, 'H'),
        Named::End => (1, 'F'),
        Named::F1 => (1, 'P'),
        Named::F2 => (1, 'Q'),
        Named::F4 => (1, 'S'),
        Named::F3 => (13, '~'),
        Named::Insert => (2, '~'),
        Named::Delete => (3, '~'),
        Named::PageUp => (5, '~'),
        Named::PageDown => (6, '~'),
        _ => match keypad_number(named) {
            Some(number) if !modifiers.is_empty() || flags.contains(KittyFlags::ALL_KEYS) => (number, 'u'),
            Some(_) if named == Named::KeypadEnter => (57414, 'u'),
            // The rest of the keypad makes text, and F5 to F12 have only one form.
            _ => return false,
        },
    };
    let sequence = match (modifier_parameter(modifiers), number) {
        (1, 1) => format!("\x1b[{end}"),
        (1, _) => format!("\x1b[{number}{end}"),
        (parameter, _) => format!("\x1b[{number};{parameter}{end}"),
    };
    out.extend_from_slice(sequence.as_bytes());
    true
}

fn keypad_number(named: Named) -> Option<u32> {
    Some(match named {
        Named::Keypad0 => 57399,
        Named::Keypad1 => 57400,
        Named::Keypad2 => 57401,
        Named::Keypad3 => 57402,
        Named::Keypad4 => 57403,
        Named::Keypad5 => 57404,
        Named::Keypad6 => 57405,
        Named::Keypad7 => 57406,
        Named::Keypad8 => 57407,
        Named::Keypad9 => 57408,
        Named::KeypadPeriod => 57409,
        Named::KeypadSlash => 57410,
        Named::KeypadStar => 57411,
        Named::KeypadMinus => 57412,
        Named::KeypadPlus => 57413,
        Named::KeypadEnter => 57414,
        _ => return None,
    })
}
