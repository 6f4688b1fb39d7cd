//! Owns the names of keys: text to key and key to text, as tmux 3.7c spells them.
//! Quoting for the command language is not done here.

use std::fmt;

use crate::key::{Key, KeyCode, KeyFlags, Modifiers, MouseAction, MouseKey, MouseLocation, Named};

/// Names of named keys. The first name of a key is the one printed.
const NAMED: &[(&str, Named)] = &[
    ("F1", Named::F1),
    ("F2", Named::F2),
    ("F3", Named::F3),
    ("F4", Named::F4),
    ("F5", Named::F5),
    ("F6", Named::F6),
    ("F7", Named::F7),
    ("F8", Named::F8),
    ("F9", Named::F9),
    ("F10", Named::F10),
    ("F11", Named::F11),
    ("F12", Named::F12),
    ("IC", Named::Insert),
    ("Insert", Named::Insert),
    ("DC", Named::Delete),
    ("Delete", Named::Delete),
    ("Home", Named::Home),
    ("End", Named::End),
    ("NPage", Named::PageDown),
    ("PageDown", Named::PageDown),
    ("PgDn", Named::PageDown),
    ("PPage", Named::PageUp),
    ("PageUp", Named::PageUp),
    ("PgUp", Named::PageUp),
    ("BTab", Named::BTab),
    ("BSpace", Named::BSpace),
    ("Up", Named::Up),
    ("Down", Named::Down),
    ("Left", Named::Left),
    ("Right", Named::Right),
    ("KP/", Named::KeypadSlash),
    ("KP*", Named::KeypadStar),
    ("KP-", Named::KeypadMinus),
    ("KP7", Named::Keypad7),
    ("KP8", Named::Keypad8),
    ("KP9", Named::Keypad9),
    ("KP+", Named::KeypadPlus),
    ("KP4", Named::Keypad4),
    ("KP5", Named::Keypad5),
    ("KP6", Named::Keypad6),
    ("KP1", Named::Keypad1),
    ("KP2", Named::Keypad2),
    ("KP3", Named::Keypad3),
    ("KPEnter", Named::KeypadEnter),
    ("KP0", Named::Keypad0),
    ("KP.", Named::KeypadPeriod),
];

/// Names that are printed but that tmux does not read back.
const PRINTED_ONLY: &[(&str, Named)] = &[
    ("None", Named::None),
    ("Any", Named::Any),
    ("FocusIn", Named::FocusIn),
    ("FocusOut", Named::FocusOut),
    ("PasteStart", Named::PasteStart),
    ("PasteEnd", Named::PasteEnd),
    ("ReportDarkTheme", Named::ReportDarkTheme),
    ("ReportLightTheme", Named::ReportLightTheme),
    ("Mouse", Named::Mouse),
    ("Dragging", Named::Dragging),
];

/// Names of the C0 controls and space, by code.
const CONTROLS: [&str; 33] = [
    "[NUL]", "[SOH]", "[STX]", "[ETX]", "[EOT]", "[ENQ]", "[ASC]", "[BEL]", "[BS]", "Tab", "[LF]", "[VT]", "[FF]",
    "Enter", "[SO]", "[SI]", "[DLE]", "[DC1]", "[DC2]", "[DC3]", "[DC4]", "[NAK]", "[SYN]", "[ETB]", "[CAN]", "[EM]",
    "[SUB]", "Escape", "[FS]", "[GS]", "[RS]", "[US]", "Space",
];

/// Names of mouse actions. A name that starts with another comes before it.
const ACTIONS: &[(&str, MouseAction)] = &[
    ("MouseMove", MouseAction::Move),
    ("MouseDown", MouseAction::Down),
    ("MouseUp", MouseAction::Up),
    ("MouseDragEnd", MouseAction::DragEnd),
    ("MouseDrag", MouseAction::Drag),
    ("WheelDown", MouseAction::WheelDown),
    ("WheelUp", MouseAction::WheelUp),
    ("SecondClick", MouseAction::SecondClick),
    ("DoubleClick", MouseAction::DoubleClick),
    ("TripleClick", MouseAction::TripleClick),
];

/// Names of mouse locations.
const LOCATIONS: &[(&str, MouseLocation)] = &[
    ("Pane", MouseLocation::Pane),
    ("Status", MouseLocation::Status),
    ("StatusLeft", MouseLocation::StatusLeft),
    ("StatusRight", MouseLocation::StatusRight),
    ("StatusDefault", MouseLocation::StatusDefault),
    ("ScrollbarUp", MouseLocation::ScrollbarUp),
    ("ScrollbarSlider", MouseLocation::ScrollbarSlider),
    ("ScrollbarDown", MouseLocation::ScrollbarDown),
    ("Border", MouseLocation::Border),
    ("Control0", MouseLocation::Control0),
    ("Control1", MouseLocation::Control1),
    ("Control2", MouseLocation::Control2),
    ("Control3", MouseLocation::Control3),
    ("Control4", MouseLocation::Control4),
    ("Control5", MouseLocation::Control5),
    ("Control6", MouseLocation::Control6),
    ("Control7", MouseLocation::Control7),
    ("Control8", MouseLocation::Control8),
    ("Control9", MouseLocation::Control9),
    ("Empty", MouseLocation::Empty),
];

/// The key a name stands for: `C-a`, `M-C-Up`, `^A`, `é`, `0x41`, `MouseDown1Pane`; `None` (the value) if it is unknown.
///
/// Names of keys and modifiers are read without regard to case, characters are not. As in tmux 3.7c a
/// hexadecimal number may be followed by anything, focus, paste and theme keys can't be named, and a
/// single character after `^` is lowered. Unlike there `0x41` is the same key as `A`.
pub fn parse_key(name: &str) -> Option<Key> {
    if name.eq_ignore_ascii_case("None") {
        return Some(Key::NONE);
    }
    if name.eq_ignore_ascii_case("Any") {
        return Some(Key::ANY);
    }
    if let Some(digits) = name.strip_prefix("0x") {
        return parse_hexadecimal(digits);
    }
    let mut rest = name;
    let mut modifiers = Modifiers::empty();
    if let Some(after) = name.strip_prefix('^').filter(|after| !after.is_empty()) {
        if let &[byte] = after.as_bytes() {
            return Some(Key::ctrl(char::from(byte).to_ascii_lowercase()));
        }
        modifiers |= Modifiers::CTRL;
        rest = after;
    }
    while let &[letter, b'-', ..] = rest.as_bytes() {
        modifiers |= match letter {
            b'C' | b'c' => Modifiers::CTRL,
            b'M' | b'm' => Modifiers::META,
            b'S' | b's' => Modifiers::SHIFT,
            _ => return None,
        };
        rest = &rest[2..];
    }
    let key = parse_plain(rest)?;
    let implied = modifiers.contains(Modifiers::META) && key.as_named().is_some_and(Named::takes_modifiers);
    let flags = if implied { KeyFlags::IMPLIED_META } else { KeyFlags::empty() };
    Some(key.with(modifiers).with_flags(flags))
}

/// The name of a key, as `list-keys` shows it before quoting.
pub fn key_name(key: Key) -> String {
    key.to_string()
}

fn parse_hexadecimal(text: &str) -> Option<Key> {
    let digits = text.bytes().take_while(u8::is_ascii_hexdigit).count();
    let number = u32::from_str_radix(&text[..digits], 16).ok()?;
    char::from_u32(number).map(Key::char)
}

fn parse_plain(name: &str) -> Option<Key> {
    let mut characters = name.chars();
    let first = characters.next()?;
    if characters.next().is_none() {
        return (first >= ' ').then_some(Key::char(first));
    }
    if !first.is_ascii() {
        return None;
    }
    if let Some((_, named)) = NAMED.iter().find(|(text, _)| text.eq_ignore_ascii_case(name)) {
        return Some(Key::named(*named));
    }
    if let Some(code) = CONTROLS.iter().position(|text| text.eq_ignore_ascii_case(name)) {
        return Some(Key::char(char::from(code as u8)));
    }
    parse_mouse(name).map(Key::mouse).or_else(|| parse_user(name))
}

fn parse_user(name: &str) -> Option<Key> {
    let digits = name.strip_prefix("User")?;
    let end = digits.bytes().take_while(u8::is_ascii_digit).count();
    Key::user(digits[..end].parse().ok()?)
}

fn parse_mouse(name: &str) -> Option<MouseKey> {
    let (action, rest) = ACTIONS.iter().find_map(|(text, action)| {
        let head = name.get(..text.len())?;
        head.eq_ignore_ascii_case(text).then(|| (*action, &name[text.len()..]))
    })?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, place) = rest.split_at(digits);
    let button = match action {
        MouseAction::Move => return None,
        _ if action.is_buttonless() => number.is_empty().then_some(0)?,
        _ => MouseKey::BUTTONS.into_iter().find(|button| button.to_string() == number)?,
    };
    let (_, location) = LOCATIONS.iter().find(|(text, _)| text.eq_ignore_ascii_case(place))?;
    Some(MouseKey { action, button, location: *location })
}

fn text_of<T: PartialEq>(table: &'static [(&'static str, T)], value: &T) -> Option<&'static str> {
    table.iter().find(|(_, entry)| entry == value).map(|(text, _)| *text)
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modifiers = self.modifiers();
        if !self.flags().contains(KeyFlags::LITERAL) {
            for (modifier, text) in [(Modifiers::CTRL, "C-"), (Modifiers::META, "M-"), (Modifiers::SHIFT, "S-")] {
                if modifiers.contains(modifier) {
                    formatter.write_str(text)?;
                }
            }
        }
        match self.code() {
            KeyCode::Char(character) if self.flags().contains(KeyFlags::LITERAL) => write!(formatter, "{character}"),
            KeyCode::Char('\x7f') => formatter.write_str("C-?"),
            KeyCode::Char(character) => match CONTROLS.get(character as usize) {
                Some(name) => formatter.write_str(name),
                None => write!(formatter, "{character}"),
            },
            KeyCode::User(number) => write!(formatter, "User{number}"),
            KeyCode::Named(named) => {
                let name = text_of(NAMED, &named).or_else(|| text_of(PRINTED_ONLY, &named));
                formatter.write_str(name.expect("every named key is in one of the tables"))
            }
            KeyCode::Mouse(mouse) => {
                formatter.write_str(text_of(ACTIONS, &mouse.action).expect("every action is in the table"))?;
                if mouse.button != 0 {
                    write!(formatter, "{}", mouse.button)?;
                }
                formatter.write_str(text_of(LOCATIONS, &mouse.location).expect("every location is in the table"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name_of(text: &str) -> Option<String> {
        parse_key(text).map(key_name)
    }

    #[test]
    fn names_are_read_as_tmux_reads_them() {
        let cases: &[(&str, Option<&str>)] = &[
            ("C-a", Some("C-a")),
            ("c-A", Some("C-A")),
            ("^A", Some("C-a")),
            ("^^", Some("C-^")),
            ("^", Some("^")),
            ("^é", Some("C-é")),
            ("^C-a", Some("C-a")),
            ("^Space", Some("C-Space")),
            ("C-Space", Some("C-Space")),
            ("C- ", Some("C-Space")),
            ("S-Up", Some("S-Up")),
            ("M-C-Up", Some("C-M-Up")),
            ("c-m-s-up", Some("C-M-S-Up")),
            ("PgDn", Some("NPage")),
            ("delete", Some("DC")),
            ("M--", Some("M--")),
            ("--", None),
            ("C-", None),
            ("", None),
            ("0x41", Some("A")),
            ("0x41zz", Some("A")),
            ("0xe9", Some("é")),
            ("0x1f", Some("[US]")),
            ("0x7f", Some("C-?")),
            ("0x", None),
            ("0xd800", None),
            ("C-0x41", None),
            ("[nul]", Some("[NUL]")),
            ("éa", None),
            ("User5x", Some("User5")),
            ("User1001", None),
            ("user5", None),
            ("Any", Some("Any")),
            ("C-Any", None),
            ("none", Some("None")),
            ("F13", None),
            ("FocusIn", None),
            ("MouseMovePane", None),
            ("mousedown1pane", Some("MouseDown1Pane")),
            ("MouseDragEnd3ScrollbarSlider", Some("MouseDragEnd3ScrollbarSlider")),
            ("MouseDown01Pane", None),
            ("MouseDown4Pane", None),
            ("MouseDown1", None),
            ("WheelUpPane", Some("WheelUpPane")),
            ("WheelUp1Pane", None),
            ("M-MouseDown3Status", Some("M-MouseDown3Status")),
        ];
        for (text, expected) in cases {
            assert_eq!(name_of(text).as_deref(), *expected, "{text}");
        }
    }

    #[test]
    fn meta_of_a_named_key_is_inside_its_sequence() {
        let up = parse_key("M-Up").expect("a key");
        assert!(up.flags().contains(KeyFlags::IMPLIED_META | KeyFlags::CURSOR));
        assert!(!parse_key("C-Up").expect("a key").flags().contains(KeyFlags::IMPLIED_META));
        assert!(!parse_key("M-BTab").expect("a key").flags().contains(KeyFlags::IMPLIED_META));
    }

    #[test]
    fn every_kind_of_key_has_a_name() {
        for named in Named::ALL {
            assert!(!key_name(Key::named(named)).is_empty());
        }
        for action in MouseAction::ALL {
            for location in MouseLocation::ALL {
                let mouse = MouseKey { action, button: u8::from(!action.is_buttonless()), location };
                let read = parse_key(&key_name(Key::mouse(mouse)));
                assert_eq!(read, (action != MouseAction::Move).then_some(Key::mouse(mouse)));
            }
        }
        assert_eq!(Key::literal(b'a').with(Modifiers::CTRL).to_string(), "a");
    }

    fn any_key() -> impl Strategy<Value = Key> {
        let named: Vec<Named> = NAMED.iter().map(|(_, named)| *named).collect();
        prop_oneof![
            any::<char>().prop_filter("prints as C-?", |c| *c != '\x7f').prop_map(Key::char),
            proptest::sample::select(named).prop_map(Key::named),
            (0..=Key::LAST_USER).prop_map(|number| Key::user(number).expect("in range")),
            (
                proptest::sample::select(MouseAction::ALL[1..].to_vec()),
                proptest::sample::select(MouseKey::BUTTONS.to_vec()),
                proptest::sample::select(MouseLocation::ALL.to_vec())
            )
                .prop_map(|(action, button, location)| {
                    let button = if action.is_buttonless() { 0 } else { button };
                    Key::mouse(MouseKey { action, button, location })
                }),
        ]
    }

    proptest! {
        #[test]
        fn parse_is_the_inverse_of_print(key in any_key(), bits in 0u8..8) {
            let key = key.with(Modifiers::from_bits_truncate(bits));
            prop_assert_eq!(parse_key(&key.to_string()).map(Key::bound), Some(key.bound()));
        }

        #[test]
        fn any_text_is_read_without_panic(text in "\\PC{0,12}|[CMS^0xu-]{0,6}.{0,3}") {
            if let Some(key) = parse_key(&text) {
                prop_assert!(!key.to_string().is_empty());
            }
        }
    }
}
