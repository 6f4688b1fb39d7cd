//! Owns the letters and numbers that stand for named keys in sequences, for both directions.

use crate::key::{Modifiers, Named};

/// Keys of `CSI` and a letter, or `ESC O` and a letter.
const LETTERS: [(u8, Named); 10] = [
    (b'A', Named::Up),
    (b'B', Named::Down),
    (b'C', Named::Right),
    (b'D', Named::Left),
    (b'H', Named::Home),
    (b'F', Named::End),
    (b'P', Named::F1),
    (b'Q', Named::F2),
    (b'R', Named::F3),
    (b'S', Named::F4),
];

/// Keys of `CSI n ~`. The first row of a key is the one we send; 25 and above are rxvt's shifted function keys.
const NUMBERS: [(u8, Named, Modifiers); 28] = [
    (1, Named::Home, Modifiers::empty()),
    (2, Named::Insert, Modifiers::empty()),
    (3, Named::Delete, Modifiers::empty()),
    (4, Named::End, Modifiers::empty()),
    (5, Named::PageUp, Modifiers::empty()),
    (6, Named::PageDown, Modifiers::empty()),
    (7, Named::Home, Modifiers::empty()),
    (8, Named::End, Modifiers::empty()),
    (11, Named::F1, Modifiers::empty()),
    (12, Named::F2, Modifiers::empty()),
    (13, Named::F3, Modifiers::empty()),
    (14, Named::F4, Modifiers::empty()),
    (15, Named::F5, Modifiers::empty()),
    (17, Named::F6, Modifiers::empty()),
    (18, Named::F7, Modifiers::empty()),
    (19, Named::F8, Modifiers::empty()),
    (20, Named::F9, Modifiers::empty()),
    (21, Named::F10, Modifiers::empty()),
    (23, Named::F11, Modifiers::empty()),
    (24, Named::F12, Modifiers::empty()),
    (25, Named::F3, Modifiers::SHIFT),
    (26, Named::F4, Modifiers::SHIFT),
    (28, Named::F5, Modifiers::SHIFT),
    (29, Named::F6, Modifiers::SHIFT),
    (31, Named::F7, Modifiers::SHIFT),
    (32, Named::F8, Modifiers::SHIFT),
    (33, Named::F9, Modifiers::SHIFT),
    (34, Named::F10, Modifiers::SHIFT),
];

/// A key of the keypad.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keypad {
    /// The key.
    pub named: Named,
    /// Its letter after `ESC O`, in application mode.
    pub letter: u8,
    /// What it types otherwise.
    pub text: u8,
}

/// The kitty protocol's number of the first row of [`KEYPAD`]; the others follow.
const KITTY_KEYPAD: u32 = 57399;

const KEYPAD: [Keypad; 16] = [
    Keypad { named: Named::Keypad0, letter: b'p', text: b'0' },
    Keypad { named: Named::Keypad1, letter: b'q', text: b'1' },
    Keypad { named: Named::Keypad2, letter: b'r', text: b'2' },
    Keypad { named: Named::Keypad3, letter: b's', text: b'3' },
    Keypad { named: Named::Keypad4, letter: b't', text: b'4' },
    Keypad { named: Named::Keypad5, letter: b'u', text: b'5' },
    Keypad { named: Named::Keypad6, letter: b'v', text: b'6' },
    Keypad { named: Named::Keypad7, letter: b'w', text: b'7' },
    Keypad { named: Named::Keypad8, letter: b'x', text: b'8' },
    Keypad { named: Named::Keypad9, letter: b'y', text: b'9' },
    Keypad { named: Named::KeypadPeriod, letter: b'n', text: b'.' },
    Keypad { named: Named::KeypadSlash, letter: b'o', text: b'/' },
    Keypad { named: Named::KeypadStar, letter: b'j', text: b'*' },
    Keypad { named: Named::KeypadMinus, letter: b'm', text: b'-' },
    Keypad { named: Named::KeypadPlus, letter: b'k', text: b'+' },
    Keypad { named: Named::KeypadEnter, letter: b'M', text: b'\n' },
];

/// The key of a letter.
pub(crate) fn of_letter(letter: u8) -> Option<Named> {
    LETTERS.iter().find(|(code, _)| *code == letter).map(|(_, named)| *named)
}

/// The letter of a key.
pub(crate) fn letter_of(named: Named) -> Option<u8> {
    LETTERS.iter().find(|(_, key)| *key == named).map(|(code, _)| *code)
}

/// The key of a number before `~`, with the modifiers that the number itself means.
pub(crate) fn of_number(number: u32) -> Option<(Named, Modifiers)> {
    NUMBERS.iter().find(|(code, ..)| u32::from(*code) == number).map(|(_, named, modifiers)| (*named, *modifiers))
}

/// The number of a key before `~`.
pub(crate) fn number_of(named: Named) -> Option<u8> {
    NUMBERS.iter().find(|(_, key, _)| *key == named).map(|(code, ..)| *code)
}

/// The keypad's key of a letter after `ESC O`.
pub(crate) fn of_keypad_letter(letter: u8) -> Option<Named> {
    KEYPAD.iter().find(|key| key.letter == letter).map(|key| key.named)
}

/// What stands for a key of the keypad, and its number in the kitty protocol.
pub(crate) fn keypad_of(named: Named) -> Option<(Keypad, u32)> {
    let index = KEYPAD.iter().position(|key| key.named == named)?;
    Some((KEYPAD[index], KITTY_KEYPAD + index as u32))
}

/// The key of a number in the kitty protocol that is no character. F13 to F24 are shifted, as terminfo's kf13 to kf24 are.
pub(crate) fn of_kitty(number: u32) -> Option<(Named, Modifiers)> {
    const EDITING: [Named; 10] = [
        Named::Left,
        Named::Right,
        Named::Up,
        Named::Down,
        Named::PageUp,
        Named::PageDown,
        Named::Home,
        Named::End,
        Named::Insert,
        Named::Delete,
    ];
    let index = |first: u32| number.checked_sub(first).map(|index| index as usize);
    let function = || Named::ALL[Named::F1 as usize..=Named::F12 as usize].get(index(57376)?);
    let keypad = || KEYPAD.get(index(KITTY_KEYPAD)?);
    let editing = || EDITING.get(index(57417)?);
    function()
        .map(|named| (*named, Modifiers::SHIFT))
        .or_else(|| keypad().map(|key| (key.named, Modifiers::empty())))
        .or_else(|| editing().map(|named| (*named, Modifiers::empty())))
}
