//! Owns [`Key`]: one key with its modifiers and flags, packed in 64 bits.
//! It orders keys as tmux 3.7c lists them; it must not know bytes, names or tables.

use std::fmt;

use bitflags::bitflags;

bitflags! {
    /// Modifiers held with a key. The bit order is tmux's list order: Meta, Ctrl, Shift.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Modifiers: u8 {
        /// Meta, also called Alt; `M-`.
        const META = 1;
        /// Control; `C-`.
        const CTRL = 2;
        /// Shift; `S-`.
        const SHIFT = 4;
    }
}

bitflags! {
    /// How a key came to be. Flags change what a pane is sent, never which binding matches.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct KeyFlags: u8 {
        /// The key is one byte, sent as it is (`send-keys -H`).
        const LITERAL = 0x01;
        /// A keypad key which follows the application keypad mode.
        const KEYPAD = 0x02;
        /// A cursor key which follows the application cursor mode.
        const CURSOR = 0x04;
        /// Meta is part of the sequence itself (`ESC [ 1 ; 3 A`), not an ESC before it.
        const IMPLIED_META = 0x08;
        /// The key was sent by a command, not typed.
        const SENT = 0x40;
    }
}

/// Keys with a name of their own. Characters with a name (`Space`, `Enter`, `Tab`, `Escape`) are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // The names are the documentation.
pub enum Named {
    None,
    FocusIn,
    FocusOut,
    Any,
    PasteStart,
    PasteEnd,
    BSpace,
    F1,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    F8,
    F9,
    F10,
    F11,
    F12,
    Insert,
    Delete,
    Home,
    End,
    PageDown,
    PageUp,
    BTab,
    Up,
    Down,
    Left,
    Right,
    KeypadSlash,
    KeypadStar,
    KeypadMinus,
    Keypad7,
    Keypad8,
    Keypad9,
    KeypadPlus,
    Keypad4,
    Keypad5,
    Keypad6,
    Keypad1,
    Keypad2,
    Keypad3,
    KeypadEnter,
    Keypad0,
    KeypadPeriod,
    ReportDarkTheme,
    ReportLightTheme,
    Mouse,
    Dragging,
}

impl Named {
    /// Every named key, in list order.
    pub const ALL: [Named; 50] = [
        Named::None,
        Named::FocusIn,
        Named::FocusOut,
        Named::Any,
        Named::PasteStart,
        Named::PasteEnd,
        Named::BSpace,
        Named::F1,
        Named::F2,
        Named::F3,
        Named::F4,
        Named::F5,
        Named::F6,
        Named::F7,
        Named::F8,
        Named::F9,
        Named::F10,
        Named::F11,
        Named::F12,
        Named::Insert,
        Named::Delete,
        Named::Home,
        Named::End,
        Named::PageDown,
        Named::PageUp,
        Named::BTab,
        Named::Up,
        Named::Down,
        Named::Left,
        Named::Right,
        Named::KeypadSlash,
        Named::KeypadStar,
        Named::KeypadMinus,
        Named::Keypad7,
        Named::Keypad8,
        Named::Keypad9,
        Named::KeypadPlus,
        Named::Keypad4,
        Named::Keypad5,
        Named::Keypad6,
        Named::Keypad1,
        Named::Keypad2,
        Named::Keypad3,
        Named::KeypadEnter,
        Named::Keypad0,
        Named::KeypadPeriod,
        Named::ReportDarkTheme,
        Named::ReportLightTheme,
        Named::Mouse,
        Named::Dragging,
    ];

    /// The flags such a key carries when it is typed or named: arrows follow the cursor mode, the keypad its mode.
    pub fn mode_flags(self) -> KeyFlags {
        match self {
            Named::Up | Named::Down | Named::Left | Named::Right => KeyFlags::CURSOR,
            key if (Named::KeypadSlash..=Named::KeypadPeriod).contains(&key) => KeyFlags::KEYPAD,
            _ => KeyFlags::empty(),
        }
    }

    /// Whether terminals put modifiers inside this key's sequence (function, editing and arrow keys).
    pub fn takes_modifiers(self) -> bool {
        (Named::F1..=Named::PageUp).contains(&self) || (Named::Up..=Named::Right).contains(&self)
    }
}

/// What a mouse key says happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // The names are the documentation.
pub enum MouseAction {
    Move = 3,
    Down,
    Up,
    Drag,
    DragEnd,
    WheelDown,
    WheelUp,
    SecondClick,
    DoubleClick,
    TripleClick,
}

impl MouseAction {
    /// Every action, in list order.
    pub const ALL: [MouseAction; 10] = [
        MouseAction::Move,
        MouseAction::Down,
        MouseAction::Up,
        MouseAction::Drag,
        MouseAction::DragEnd,
        MouseAction::WheelDown,
        MouseAction::WheelUp,
        MouseAction::SecondClick,
        MouseAction::DoubleClick,
        MouseAction::TripleClick,
    ];

    /// Whether keys of this action have no button: moves and wheels.
    pub fn is_buttonless(self) -> bool {
        matches!(self, MouseAction::Move | MouseAction::WheelDown | MouseAction::WheelUp)
    }
}

/// Where a mouse key happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // The names are the documentation.
pub enum MouseLocation {
    Pane,
    Status,
    StatusLeft,
    StatusRight,
    StatusDefault,
    Border,
    ScrollbarUp,
    ScrollbarSlider,
    ScrollbarDown,
    Control0,
    Control1,
    Control2,
    Control3,
    Control4,
    Control5,
    Control6,
    Control7,
    Control8,
    Control9,
    Empty,
}

impl MouseLocation {
    /// Every location, in list order.
    pub const ALL: [MouseLocation; 20] = [
        MouseLocation::Pane,
        MouseLocation::Status,
        MouseLocation::StatusLeft,
        MouseLocation::StatusRight,
        MouseLocation::StatusDefault,
        MouseLocation::Border,
        MouseLocation::ScrollbarUp,
        MouseLocation::ScrollbarSlider,
        MouseLocation::ScrollbarDown,
        MouseLocation::Control0,
        MouseLocation::Control1,
        MouseLocation::Control2,
        MouseLocation::Control3,
        MouseLocation::Control4,
        MouseLocation::Control5,
        MouseLocation::Control6,
        MouseLocation::Control7,
        MouseLocation::Control8,
        MouseLocation::Control9,
        MouseLocation::Empty,
    ];

    /// The location of a range `control|n` of the status line, if there is one with that number.
    pub fn control(number: u8) -> Option<MouseLocation> {
        MouseLocation::ALL.get(9 + usize::from(number)).copied().filter(|_| number < 10)
    }
}

/// A mouse key: action, button (1 to 3, 6 to 11; 0 for moves and wheels) and location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MouseKey {
    /// What happened.
    pub action: MouseAction,
    /// Which button; see [`MouseKey::BUTTONS`].
    pub button: u8,
    /// Where.
    pub location: MouseLocation,
}

impl MouseKey {
    /// The buttons that keys exist for. 4 and 5 are the wheel, which has actions of its own.
    pub const BUTTONS: [u8; 9] = [1, 2, 3, 6, 7, 8, 9, 10, 11];

    /// A mouse key of an action without button: a move or a wheel.
    pub fn buttonless(action: MouseAction, location: MouseLocation) -> MouseKey {
        MouseKey { action, button: 0, location }
    }
}

/// A key without modifiers and flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyCode {
    /// A character; below 0x20 only Tab, Enter and Escape are typed, the others come from `send-keys 0x01`.
    Char(char),
    /// Key number n of the option `user-keys`, at most [`Key::LAST_USER`].
    User(u16),
    /// A key with a name.
    Named(Named),
    /// A mouse key.
    Mouse(MouseKey),
}

const TYPE_SHIFT: u32 = 32;
const MODIFIER_SHIFT: u32 = 44;
const FLAG_SHIFT: u32 = 48;
const CODE_MASK: u64 = (1 << 40) - 1;

const TYPE_CHAR: u64 = 0;
const TYPE_USER: u64 = 1;
const TYPE_NAMED: u64 = 2;

/// A key: code, modifiers and flags. Ordered as `list-keys` lists: by modifiers, then kind, then code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u64);

impl Key {
    /// The greatest number of a user key.
    pub const LAST_USER: u16 = 1000;
    /// The key Escape.
    pub const ESCAPE: Key = Key::char('\x1b');
    /// The key Enter.
    pub const ENTER: Key = Key::char('\r');
    /// The key Tab.
    pub const TAB: Key = Key::char('\t');
    /// The space bar.
    pub const SPACE: Key = Key::char(' ');
    /// No key at all, as the option value `None`.
    pub const NONE: Key = Key((TYPE_NAMED << TYPE_SHIFT) | Named::None as u64);
    /// The key that a table binds for all keys it does not bind.
    pub const ANY: Key = Key((TYPE_NAMED << TYPE_SHIFT) | Named::Any as u64);

    /// A character.
    pub const fn char(character: char) -> Key {
        Key(character as u64)
    }

    /// A named key, with the flags a typed one has (see [`Named::mode_flags`]).
    pub fn named(named: Named) -> Key {
        Key((TYPE_NAMED << TYPE_SHIFT) | named as u64).with_flags(named.mode_flags())
    }

    /// User key `number`; none above [`Key::LAST_USER`].
    pub fn user(number: u16) -> Option<Key> {
        (number <= Key::LAST_USER).then_some(Key((TYPE_USER << TYPE_SHIFT) | u64::from(number)))
    }

    /// A mouse key.
    pub fn mouse(mouse: MouseKey) -> Key {
        Key(((mouse.action as u64) << TYPE_SHIFT) | (u64::from(mouse.button) << 8) | mouse.location as u64)
    }

    /// One byte that goes to the pane as it is.
    pub fn literal(byte: u8) -> Key {
        Key(u64::from(byte)).with_flags(KeyFlags::LITERAL)
    }

    /// A character with Ctrl.
    pub fn ctrl(character: char) -> Key {
        Key::char(character).with(Modifiers::CTRL)
    }

    /// The key with these modifiers added.
    #[must_use]
    pub fn with(self, modifiers: Modifiers) -> Key {
        Key(self.0 | (u64::from(modifiers.bits()) << MODIFIER_SHIFT))
    }

    /// The key with these flags added.
    #[must_use]
    pub fn with_flags(self, flags: KeyFlags) -> Key {
        Key(self.0 | (u64::from(flags.bits()) << FLAG_SHIFT))
    }

    /// The key with these modifiers taken away.
    #[must_use]
    pub fn without(self, modifiers: Modifiers) -> Key {
        Key(self.0 & !(u64::from(modifiers.bits()) << MODIFIER_SHIFT))
    }

    /// The key with these flags taken away.
    #[must_use]
    pub fn without_flags(self, flags: KeyFlags) -> Key {
        Key(self.0 & !(u64::from(flags.bits()) << FLAG_SHIFT))
    }

    /// The key as tables know it: without any flag.
    #[must_use]
    pub fn bound(self) -> Key {
        self.without_flags(KeyFlags::all())
    }

    /// The key without modifiers and flags.
    #[must_use]
    pub fn plain(self) -> Key {
        Key(self.0 & CODE_MASK)
    }

    /// Its modifiers.
    pub fn modifiers(self) -> Modifiers {
        Modifiers::from_bits_truncate((self.0 >> MODIFIER_SHIFT) as u8 & 0xf)
    }

    /// Its flags.
    pub fn flags(self) -> KeyFlags {
        KeyFlags::from_bits_truncate((self.0 >> FLAG_SHIFT) as u8)
    }

    /// Its code.
    pub fn code(self) -> KeyCode {
        let code = self.0 as u32;
        match (self.0 >> TYPE_SHIFT) & 0xff {
            TYPE_CHAR => KeyCode::Char(char::from_u32(code).expect("built from a char or a byte")),
            TYPE_USER => KeyCode::User(code as u16),
            TYPE_NAMED => KeyCode::Named(Named::ALL[code as usize]),
            action => KeyCode::Mouse(MouseKey {
                action: MouseAction::ALL[action as usize - MouseAction::Move as usize],
                button: (code >> 8) as u8,
                location: MouseLocation::ALL[(code & 0xff) as usize],
            }),
        }
    }

    /// The named key it is, whatever its modifiers.
    pub fn as_named(self) -> Option<Named> {
        match self.code() {
            KeyCode::Named(named) => Some(named),
            _ => None,
        }
    }

    /// Whether it is a mouse key.
    pub fn is_mouse(self) -> bool {
        match self.code() {
            KeyCode::Mouse(_) => true,
            KeyCode::Named(named) => named == Named::Mouse,
            _ => false,
        }
    }

    /// Whether the two match in a table: flags do not count.
    pub fn matches(self, other: Key) -> bool {
        self.bound() == other.bound()
    }
}

impl From<Named> for Key {
    fn from(named: Named) -> Key {
        Key::named(named)
    }
}

impl From<MouseKey> for Key {
    fn from(mouse: MouseKey) -> Key {
        Key::mouse(mouse)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")?;
        if self.flags().is_empty() { Ok(()) } else { write!(formatter, "[{:?}]", self.flags()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_kinds_are_in_the_order_of_their_numbers() {
        for (index, named) in Named::ALL.iter().enumerate() {
            assert_eq!(*named as usize, index);
        }
        for (index, action) in MouseAction::ALL.iter().enumerate() {
            assert_eq!(*action as usize, index + MouseAction::Move as usize);
        }
        for (index, location) in MouseLocation::ALL.iter().enumerate() {
            assert_eq!(*location as usize, index);
        }
        assert_eq!(MouseLocation::control(9), Some(MouseLocation::Control9));
        assert_eq!(MouseLocation::control(10), None);
    }

    #[test]
    fn code_gives_back_what_a_key_was_made_from() {
        let mouse = MouseKey { action: MouseAction::TripleClick, button: 11, location: MouseLocation::ScrollbarSlider };
        let modifiers = Modifiers::META | Modifiers::SHIFT;
        assert_eq!(Key::mouse(mouse).with(modifiers).code(), KeyCode::Mouse(mouse));
        assert_eq!(Key::mouse(mouse).with(modifiers).modifiers(), modifiers);
        assert_eq!(Key::char('\u{10ffff}').with(Modifiers::all()).code(), KeyCode::Char('\u{10ffff}'));
        assert_eq!(Key::user(1000).map(Key::code), Some(KeyCode::User(1000)));
        assert_eq!(Key::user(1001), None);
        assert_eq!(Key::named(Named::Up).flags(), KeyFlags::CURSOR);
        assert_eq!(Key::named(Named::Keypad0).bound().flags(), KeyFlags::empty());
    }

    #[test]
    fn modifiers_weigh_more_than_the_kind() {
        let meta = Key::char('a').with(Modifiers::META);
        let mouse = Key::mouse(MouseKey { action: MouseAction::Down, button: 1, location: MouseLocation::Pane });
        assert!(Key::char('~') < Key::named(Named::Up).bound());
        assert!(Key::named(Named::Up).bound() < mouse && mouse < meta);
        assert!(meta < Key::ctrl('a') && Key::ctrl('a') < Key::ctrl('a').with(Modifiers::META));
        assert!(Key::ctrl('a').with(Modifiers::META) < Key::char('a').with(Modifiers::SHIFT));
    }
}
