//! Keys towards a pane, against what tmux 3.7c sends, and the kitty protocol's own examples.

use crate::name::parse_key;
use crate::recorded::{bytes_of, rows};

use super::*;

const RECORDED: &str = include_str!("../../tests/fixtures/encode.tsv");

fn modes_of(name: &str) -> KeyModes {
    let plain = KeyModes::default();
    let (some, all) = (ExtendedKeys::Some, ExtendedKeys::All);
    match name {
        "plain" => plain,
        "application" => KeyModes { cursor_keys: true, keypad: true, ..plain },
        "keys1-xterm" => KeyModes { extended: some, ..plain },
        "keys2-xterm" => KeyModes { extended: all, ..plain },
        "keys1-csi-u" => KeyModes { extended: some, format: ExtendedFormat::CsiU, ..plain },
        "keys2-csi-u" => KeyModes { extended: all, format: ExtendedFormat::CsiU, ..plain },
        "backspace-C-h" => KeyModes { backspace: Key::ctrl('h'), ..plain },
        "backspace-x" => KeyModes { backspace: Key::char('x'), extended: all, ..plain },
        _ => panic!("no mode {name}"),
    }
}

fn sent(name: &str, modes: &KeyModes) -> Vec<u8> {
    let mut out = Vec::new();
    let key = parse_key(name).unwrap_or_else(|| panic!("{name} is a key"));
    if !encode(key, modes, &mut out) {
        out.extend_from_slice(name.as_bytes());
    }
    out
}

#[test]
fn keys_are_sent_as_tmux_sends_them() {
    let rows = rows(RECORDED);
    let plain: Vec<(&str, &str)> = rows.iter().filter(|row| row[0] == "plain").map(|row| (row[1], row[2])).collect();
    assert_eq!(plain.len(), 1155);
    let mut wrong = Vec::new();
    let names = ["plain", "application", "keys1-xterm", "keys2-xterm", "keys1-csi-u", "keys2-csi-u"];
    for mode in names.iter().chain(&["backspace-C-h", "backspace-x"]) {
        let changed: std::collections::HashMap<&str, &str> =
            rows.iter().filter(|row| row[0] == *mode).map(|row| (row[1], row[2])).collect();
        for (key, bytes) in &plain {
            let expected = bytes_of(changed.get(key).unwrap_or(bytes));
            let got = sent(key, &modes_of(mode));
            if got != expected {
                wrong.push(format!("{mode} {key}: {} not {}", got.escape_ascii(), expected.escape_ascii()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn meta_of_a_typed_escape_stays_before_the_sequence() {
    let modes = KeyModes { cursor_keys: true, ..KeyModes::default() };
    let mut out = Vec::new();
    assert!(encode(Key::named(Named::Up).with(Modifiers::META), &modes, &mut out));
    assert!(encode(Key::named(Named::Up).with(Modifiers::META | Modifiers::CTRL), &modes, &mut out));
    assert_eq!(out, b"\x1b\x1bOA\x1b\x1b[1;5A");
}

#[test]
fn keys_without_meaning_for_a_program_send_nothing() {
    let modes = KeyModes::default();
    let mut out = Vec::new();
    let names = [Named::FocusIn, Named::Any, Named::None, Named::Mouse, Named::PasteStart, Named::ReportDarkTheme];
    for key in names.map(Key::named).into_iter().chain(Key::user(3)) {
        assert!(encode(key, &modes, &mut out));
    }
    assert!(out.is_empty());
    assert!(encode(Key::named(Named::PasteEnd), &KeyModes { bracketed_paste: true, ..modes }, &mut out));
    assert!(encode(Key::literal(0xff), &modes, &mut out));
    assert_eq!(out, b"\x1b[201~\xff");
}

#[test]
fn kitty_keys_are_numbers_where_the_program_asked() {
    let modes =
        |bits| KeyModes { kitty: KittyFlags::from_bits_truncate(bits), cursor_keys: true, ..KeyModes::default() };
    let cases: &[(u8, &str, &str)] = &[
        (1, "a", "a"),
        (1, "A", "A"),
        (1, "é", "é"),
        (1, "Enter", "\r"),
        (1, "S-Enter", "\x1b[13;2u"),
        (1, "C-Enter", "\x1b[13;5u"),
        (1, "M-Enter", "\x1b[13;3u"),
        (1, "Tab", "\t"),
        (1, "BTab", "\x1b[9;2u"),
        (1, "BSpace", "\x7f"),
        (1, "C-BSpace", "\x1b[127;5u"),
        (1, "Escape", "\x1b[27u"),
        (1, "C-a", "\x1b[97;5u"),
        (1, "C-A", "\x1b[97;6u"),
        (1, "C-Space", "\x1b[32;5u"),
        (1, "M-x", "\x1b[120;3u"),
        (1, "Up", "\x1b[A"),
        (1, "C-Up", "\x1b[1;5A"),
        (1, "M-Up", "\x1b[1;3A"),
        (1, "F3", "\x1b[13~"),
        (1, "S-F3", "\x1b[13;2~"),
        (1, "F1", "\x1b[P"),
        (1, "F5", "\x1b[15~"),
        (1, "C-F5", "\x1b[15;5~"),
        (1, "Home", "\x1b[H"),
        (1, "KP5", "5"),
        (1, "KPEnter", "\x1b[57414u"),
        (8, "a", "\x1b[97u"),
        (8, "A", "\x1b[97;2u"),
        (8, "Enter", "\x1b[13u"),
        (8, "KP5", "\x1b[57404u"),
        (12, "A", "\x1b[97:65;2u"),
        (24, "A", "\x1b[97;2;65u"),
        (24, "a", "\x1b[97;;97u"),
        (2, "C-a", "\x01"),
        (2, "Up", "\x1bOA"),
        (16, "Escape", "\x1b"),
    ];
    for (bits, key, expected) in cases {
        assert_eq!(sent(key, &modes(*bits)).escape_ascii().to_string(), expected.as_bytes().escape_ascii().to_string());
    }
}

/// What terminals send, whatever the program asked, and what programs of each protocol are sent for it.
#[test]
fn enter_and_tab_reach_each_program_in_its_own_protocol() {
    let outer: [(&str, [&[u8]; 2]); 4] = [
        ("S-Enter", [b"\x1b[27;2;13~", b"\x1b[13;2u"]),
        ("C-Enter", [b"\x1b[27;5;13~", b"\x1b[13;5u"]),
        ("M-Enter", [b"\x1b[27;3;13~", b"\x1b[13;3u"]),
        ("BTab", [b"\x1b[27;2;9~", b"\x1b[9;2u"]),
    ];
    let plain = KeyModes::default();
    let xterm = KeyModes { extended: ExtendedKeys::All, ..plain };
    let kitty = KeyModes { kitty: KittyFlags::DISAMBIGUATE, ..plain };
    let inner: [(KeyModes, [&[u8]; 4]); 3] = [
        (plain, [b"\r", b"\r", b"\x1b\r", b"\x1b[Z"]),
        (xterm, [b"\x1b[27;2;13~", b"\x1b[27;5;13~", b"\x1b[27;3;13~", b"\x1b[27;2;9~"]),
        (kitty, [b"\x1b[13;2u", b"\x1b[13;5u", b"\x1b[13;3u", b"\x1b[9;2u"]),
    ];
    for (index, (name, sequences)) in outer.iter().enumerate() {
        for sequence in sequences {
            let mut decoder = crate::Decoder::new();
            decoder.feed(sequence);
            let key = decoder.next(false).and_then(|input| input.key()).expect("a key");
            assert_eq!(key.to_string(), *name);
            for (modes, expected) in &inner {
                let mut out = Vec::new();
                assert!(encode(key, modes, &mut out));
                assert_eq!(out, expected[index], "{name} {modes:?}");
            }
        }
    }
}

#[test]
fn control_characters_stay_so_until_a_program_asks() {
    assert_eq!(sent("C-a", &KeyModes::default()), b"\x01");
    assert_eq!(sent("C-e", &KeyModes { extended: ExtendedKeys::Some, ..KeyModes::default() }), b"\x05");
}

#[test]
fn a_paste_cannot_end_itself() {
    let paste = |text: &[u8], bracketed| {
        let mut out = Vec::new();
        encode_paste(text, bracketed, &mut out);
        out
    };
    assert_eq!(paste(b"a\x1b[201~b", false), b"a\x1b[201~b");
    assert_eq!(paste(b"a\x1b[201~b", true), b"\x1b[200~ab\x1b[201~");
    assert_eq!(paste(b"\xc2\x9b201~b\x9b201~", true), b"\x1b[200~b\x1b[201~");
    assert_eq!(paste(b"x\x1b[20\x1b[201~1~y", true), b"\x1b[200~xy\x1b[201~");
    assert_eq!(paste(b"201~", true), b"\x1b[200~201~\x1b[201~");
    let mut focus = Vec::new();
    encode_focus(true, &mut focus);
    encode_focus(false, &mut focus);
    assert_eq!(focus, b"\x1b[I\x1b[O");
}
