//! A client's bytes, against what tmux 3.7c makes of them, and what it does not know.

use proptest::prelude::*;

use crate::encode::{ExtendedFormat, ExtendedKeys, KeyModes, KittyFlags, encode, encode_paste};
use crate::mouse::MouseKind;
use crate::name::parse_key;
use crate::recorded::{bytes_of, rows};

use super::*;

const RECORDED: &str = include_str!("../../tests/fixtures/decode.tsv");

fn drain(decoder: &mut Decoder, flush: bool) -> Vec<Input> {
    std::iter::from_fn(|| decoder.next(flush)).collect()
}

fn whole(bytes: &[u8]) -> Vec<Input> {
    let mut decoder = Decoder::new();
    decoder.feed(bytes);
    drain(&mut decoder, false)
}

/// Everything, with the escape time passed at the end.
fn flushed(bytes: &[u8]) -> Vec<Input> {
    let mut decoder = Decoder::new();
    decoder.feed(bytes);
    let mut inputs = drain(&mut decoder, false);
    for _ in 0..3 {
        inputs.extend(drain(&mut decoder, true));
    }
    assert!(!decoder.pending(), "{}", bytes.escape_ascii());
    inputs
}

/// Inputs as text, for comparing: keys by name.
fn names(inputs: &[Input]) -> String {
    let name = |input: &Input| match input {
        Input::Key(key) => key.to_string(),
        Input::Focus(true) => "FocusIn".to_owned(),
        Input::Focus(false) => "FocusOut".to_owned(),
        Input::Paste(Paste::Start) => "PasteStart".to_owned(),
        Input::Paste(Paste::End) => "PasteEnd".to_owned(),
        Input::Mouse(_) => "Mouse".to_owned(),
        other => format!("{other:?}"),
    };
    inputs.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Where we differ on purpose: sequences that tmux takes apart although they are whole, and Shift alone with a letter,
/// which it loses together with the capital.
const DIFFERENT: &[(&str, &str)] = &[
    ("\\e\\e[I", "Escape"),
    ("\\e\\e[O", "Escape"),
    ("\\e[1~", "Home"),
    ("\\e\\e[1~", "M-Home"),
    ("\\e[4~", "End"),
    ("\\e\\e[4~", "M-End"),
    ("\\e[97;2u", "A"),
    ("\\e[27;2;97~", "A"),
];

#[test]
fn sequences_are_the_keys_that_tmux_sees() {
    let rows = rows(RECORDED);
    assert!(rows.len() > 600);
    let mut wrong = Vec::new();
    for row in &rows {
        let (bytes, name) = (row[0], row[1]);
        let expected = DIFFERENT.iter().find(|(text, _)| *text == bytes).map_or(name, |(_, own)| own);
        let got = names(&flushed(&bytes_of(bytes)));
        // tmux was asked for the first key only.
        if got.split(' ').next() != Some(expected) {
            wrong.push(format!("{bytes}: {got} not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn keys_that_tmux_does_not_know() {
    let cases: &[(&[u8], &str)] = &[
        (b"\x1b[97u", "a"),
        (b"\x1b[97;5:1u", "C-a"),
        (b"\x1b[97;5:2u", "C-a"),
        (b"\x1b[97;5:3u", ""),
        (b"\x1b[1;1:3A", ""),
        (b"\x1b[1;5:1A", "C-Up"),
        (b"\x1b[3;1:3~x", "x"),
        (b"\x1b[97:65;2u", "A"),
        (b"\x1b[97;2u", "A"),
        (b"\x1b[97;;97u", "a"),
        (b"\x1b[97;65u", "a"),
        (b"\x1b[57399u\x1b[57414;5u", "KP0 C-KPEnter"),
        (b"\x1b[57376u\x1b[57419;3u", "S-F1 M-Up"),
        (b"\x1b[57441u\x1b[57428u", ""),
        (b"\x1b[P\x1b[13;2~\x1b[1;2Q", "F1 S-F3 S-F2"),
        (b"\x1b[[A\x1b[[E", "F1 F5"),
        (b"\x1b[7~\x1b[8^\x1b[3$\x1b[5@", "Home C-End S-DC C-S-PPage"),
        (b"\x1b[99x\x1b[?1;2z\x1b[5;6ra", "a"),
        (b"\x1b[1;2\x03", "C-c"),
        (b"\x1b\x1b[<0;1;1Ma", "Escape Mouse a"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(names(&whole(bytes)), *expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn the_chords_of_rove_can_be_typed() {
    let typed = [&b"\x1c"[..], b"\x1b[61;5u", b"\x11", b"\x1bOP", b"\x1bOQ", b"\x1bOR", b"\x1b[15~"];
    let chords: Vec<Key> = crate::rove_bindings()
        .filter(|row| row.table == "root" && row.note().is_some())
        .map(|row| parse_key(row.key).expect("a key"))
        .collect();
    assert_eq!(chords.len(), typed.len());
    for (chord, bytes) in chords.iter().zip(typed) {
        let inputs = whole(bytes);
        assert!(matches!(inputs[..], [Input::Key(key)] if key.matches(*chord)), "{chord}");
    }
}

#[test]
fn what_may_be_a_key_is_one_when_nothing_more_comes() {
    let cases: &[(&[u8], &str)] = &[
        (b"\x1b", "Escape"),
        (b"\x1b\x1b", "M-Escape"),
        (b"\x1b[", "M-["),
        (b"\x1bO", "M-O"),
        (b"\x1b]", "M-]"),
        (b"\x1bP", "M-P"),
        (b"\x1b_", "M-_"),
        (b"\x1b\x1b[", "Escape M-["),
        (b"\x1bO5", "M-O 5"),
        (b"\x1b[[", "M-[ ["),
        (b"\x1b[1;5", ""),
        (b"\x1b]11;rgb:ff", ""),
        (b"\xe6\x97", ""),
        (b"a\xff\xfeb", "a b"),
        (b"\x1b\xff", "Escape"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(names(&flushed(bytes)), *expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn a_flush_waits_once_more_for_the_rest_of_a_reply() {
    let mut decoder = Decoder::new();
    decoder.feed(b"\x1b]11;rgb:ff");
    assert_eq!(decoder.next(false), None);
    assert_eq!(decoder.waits_for(), Some(Wait::Rest));
    assert_eq!(decoder.next(true), None);
    assert!(decoder.pending());
    decoder.feed(b"/80/00\x1b\\x");
    let color = Rgb { red: 255, green: 128, blue: 0 };
    assert_eq!(
        drain(&mut decoder, false),
        [Input::Reply(TerminalReply::Background(color)), Input::Key(Key::char('x'))]
    );
    assert_eq!(decoder.waits_for(), None);
    decoder.feed(b"\x1b");
    assert_eq!(decoder.next(false), None);
    assert_eq!(decoder.waits_for(), Some(Wait::Key));
    assert_eq!(decoder.next(true), Some(Input::Key(Key::ESCAPE)));
    assert!(!decoder.pending());
}

#[test]
fn replies_are_read_and_are_never_keys() {
    let white = Rgb { red: 255, green: 255, blue: 255 };
    let cases: Vec<(&[u8], TerminalReply)> = vec![
        (b"\x1b[?62;4;52c", TerminalReply::PrimaryAttributes(vec![62, 4, 52])),
        (b"\x1b[>84;0;0c", TerminalReply::SecondaryAttributes(vec![84, 0, 0])),
        (b"\x1bP>|tmux 3.7c\x1b\\", TerminalReply::Version("tmux 3.7c".to_owned())),
        (b"\x1b[24;80R", TerminalReply::CursorPosition { row: 24, column: 80 }),
        (b"\x1b[1;1R", TerminalReply::CursorPosition { row: 1, column: 1 }),
        (b"\x1b[?1;2;1R", TerminalReply::CursorPosition { row: 1, column: 2 }),
        (b"\x1b]10;rgb:ffff/ffff/ffff\x07", TerminalReply::Foreground(white)),
        (b"\x1b]11;#fff\x1b\\", TerminalReply::Background(white)),
        (b"\x1b]12;rgba:ff/ff/ff/00\x1b\\", TerminalReply::Cursor(white)),
        (b"\x1b]4;7;rgb:f/f/f\x07", TerminalReply::Palette { index: 7, color: white }),
        (b"\x1b]52;c;aGVsbG8=\x07", TerminalReply::Clipboard { selection: Some('c'), data: b"hello".to_vec() }),
        (b"\x1b]52;;aGk\x1b\\", TerminalReply::Clipboard { selection: None, data: b"hi".to_vec() }),
        (b"\x1b[?5u", TerminalReply::KittyKeyboard(KittyFlags::from_bits_truncate(5))),
        (b"\x1b[?2026;2$y", TerminalReply::Mode { mode: 2026, private: true, state: ModeState::Reset }),
        (b"\x1b[4;1$y", TerminalReply::Mode { mode: 4, private: false, state: ModeState::Set }),
        (b"\x1b[8;24;80t", TerminalReply::Cells { rows: 24, columns: 80 }),
        (b"\x1b[4;480;640t", TerminalReply::Pixels { height: 480, width: 640 }),
        (b"\x1b[6;20;8t", TerminalReply::CellPixels { height: 20, width: 8 }),
        (b"\x1b[48;24;80;480;640t", TerminalReply::Resized { rows: 24, columns: 80, height: 480, width: 640 }),
        (b"\x1b[?997;2n", TerminalReply::Theme(Theme::Light)),
    ];
    for (bytes, reply) in cases {
        assert_eq!(whole(bytes), [Input::Reply(reply)], "{}", bytes.escape_ascii());
    }
    let silent: &[&[u8]] = &[
        b"\x1b]11;nonsense\x07",
        b"\x1b]52;c;?!\x07",
        b"\x1b]5522;type=read\x1b\\",
        b"\x1bP1$r0m\x1b\\",
        b"\x1bP1+r544e=787465726d\x1b\\",
        b"\x1b_Gi=31;OK\x1b\\",
        b"\x1b[0n",
        b"\x1b[?997;9n",
    ];
    for bytes in silent {
        assert_eq!(flushed(bytes), [], "{}", bytes.escape_ascii());
    }
    // A reply that breaks off leaves what comes after it.
    assert_eq!(names(&whole(b"\x1b]11;rgb:ff\rls\r")), "Enter l s Enter");
    assert_eq!(names(&whole(b"\x1bP>|xterm\x1b[A")), "Up");
}

#[test]
fn what_is_too_long_is_thrown_away_up_to_its_end() {
    let control = [b"\x1b[".as_slice(), &[b'1'; 5000], b"Aa"].concat();
    assert_eq!(names(&whole(&control)), "a");
    let string = [b"\x1b]11;".as_slice(), &[b'x'; 9000], b"\x1b\\a"].concat();
    assert_eq!(names(&whole(&string)), "a");
    let clipboard = [b"\x1b]52;c;".as_slice(), &[b'A'; 1_000_000], b"\x07"].concat();
    assert!(
        matches!(&whole(&clipboard)[..], [Input::Reply(TerminalReply::Clipboard { data, .. })] if data.len() == 750_000)
    );
    let mut decoder = Decoder::new();
    for _ in 0..100 {
        decoder.feed(&string[..5000]);
        assert_eq!(drain(&mut decoder, false), []);
        assert!(decoder.buffer.len() < 10_000);
    }
}

#[test]
fn mouse_reports_know_the_one_before() {
    let inputs =
        whole(b"\x1b[<0;10;5M\x1b[<32;11;5M\x1b[<0;11;5m\x1b[<64;1;1m\x1b[<0;0;1M\x1b[M \x21\x22\x1b[M\x1f\x21\x21");
    let events: Vec<MouseEvent> = inputs
        .iter()
        .map(|input| match input {
            Input::Mouse(event) => *event,
            other => panic!("{other:?}"),
        })
        .collect();
    let kinds: Vec<MouseKind> = events.iter().map(MouseEvent::kind).collect();
    assert_eq!(kinds, [MouseKind::Press, MouseKind::Drag, MouseKind::Release, MouseKind::Press]);
    assert_eq!((events[0].x, events[0].y, events[0].button), (9, 4, 0));
    assert_eq!((events[1].last_x, events[1].last_y, events[1].last_button), (9, 4, 0));
    assert_eq!((events[2].button, events[2].sgr), (3, Some(SgrReport { button: 0, release: true })));
    assert_eq!((events[3].x, events[3].y, events[3].last_button, events[3].sgr), (0, 1, 3, None));
}

fn pasted(inputs: &[Input]) -> Vec<u8> {
    inputs
        .iter()
        .filter_map(|input| match input {
            Input::Paste(Paste::Data(data)) => Some(data.as_slice()),
            _ => None,
        })
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn a_paste_comes_as_it_is() {
    let mut bytes = Vec::new();
    encode_paste(b"a\x1b[A\x03\xff\x1b[20", true, &mut bytes);
    bytes.push(b'b');
    let inputs = whole(&bytes);
    assert_eq!(inputs.first(), Some(&Input::Paste(Paste::Start)));
    assert_eq!(inputs[inputs.len() - 2..], [Input::Paste(Paste::End), Input::Key(Key::char('b'))]);
    assert_eq!(pasted(&inputs), b"a\x1b[A\x03\xff\x1b[20");
    let long = [b"\x1b[200~".as_slice(), &[b'x'; 200_000], b"\x1b[20"].concat();
    let mut decoder = Decoder::new();
    decoder.feed(&long);
    let inputs = drain(&mut decoder, false);
    assert_eq!(inputs.len(), 1 + 200_000_usize.div_ceil(Decoder::PASTE_PIECE));
    assert_eq!(decoder.waits_for(), Some(Wait::Rest));
    assert_eq!(decoder.next(true), None);
    assert_eq!(decoder.next(true), Some(Input::Paste(Paste::Data(b"\x1b[20".to_vec()))));
}

#[test]
fn defined_sequences_go_first() {
    let mut decoder = Decoder::new();
    let user = Key::user(0).expect("in range");
    decoder.define(b"\x1b[25~", Key::named(Named::F1));
    decoder.define(b"xyz", user);
    decoder.define(b"\x1b[1;5A", user);
    decoder.feed(b"\x1b[25~xyzxya\x1b[1;5A\x1b[1;5B");
    assert_eq!(names(&drain(&mut decoder, false)), "F1 User0 x y a User0 C-Down");
    decoder.feed(b"xy");
    assert_eq!(decoder.next(false), None);
    assert_eq!(decoder.waits_for(), Some(Wait::Key));
    assert_eq!(names(&drain(&mut decoder, true)), "x y");
    decoder.feed(b"\x1b[1;5");
    assert_eq!(decoder.next(false), None);
    assert_eq!(decoder.waits_for(), Some(Wait::Rest));
    decoder.clear_defined();
    decoder.feed(b"Axyz");
    assert_eq!(names(&drain(&mut decoder, false)), "C-Up x y z");
}

#[test]
fn the_erase_character_is_backspace() {
    let mut decoder = Decoder::new();
    decoder.set_erase(Some(0x08));
    decoder.feed(b"\x08\x7f\x1b\x08\x1b[8;5u");
    assert_eq!(names(&drain(&mut decoder, false)), "BSpace C-? M-BSpace C-BSpace");
    decoder.set_erase(None);
    decoder.feed(b"\x08\x7f");
    assert_eq!(names(&drain(&mut decoder, false)), "C-h C-?");
}

/// Keys with the modifiers that a protocol which can tell all keys apart must give back.
fn telling_keys() -> Vec<String> {
    let named = ["F1", "F3", "F5", "F12", "IC", "DC", "Home", "End", "NPage", "PPage", "Up", "Down", "Left", "Right"];
    let modifiers = ["", "S-", "M-", "C-", "C-M-", "M-S-", "C-S-", "C-M-S-"];
    let mut keys: Vec<String> =
        named.iter().flat_map(|name| modifiers.iter().map(move |modifier| format!("{modifier}{name}"))).collect();
    for name in ["a", "z", "1", "[", "/", "é", "日", "Space", "Enter", "Tab", "Escape"] {
        keys.extend(["", "M-", "C-", "C-M-"].iter().map(|modifier| format!("{modifier}{name}")));
    }
    keys.extend(["BSpace", "BTab", "A", "S-Enter", "C-S-Enter", "C-BTab"].map(str::to_owned));
    keys
}

#[test]
fn what_a_pane_is_sent_is_the_same_key_again() {
    let plain = KeyModes::default();
    let all = KeyModes { extended: ExtendedKeys::All, ..plain };
    let kitty = |bits| KeyModes { kitty: KittyFlags::from_bits_truncate(bits), ..plain };
    let modes = [
        all,
        KeyModes { format: ExtendedFormat::CsiU, ..all },
        KeyModes { cursor_keys: true, keypad: true, ..all },
        kitty(1),
        kitty(9),
        kitty(31),
    ];
    for mode in modes {
        for name in telling_keys() {
            let key = parse_key(&name).expect("a key");
            let mut bytes = Vec::new();
            assert!(encode(key, &mode, &mut bytes), "{name} in {mode:?}");
            assert_eq!(names(&flushed(&bytes)), name, "{mode:?} {}", bytes.escape_ascii());
        }
    }
    // The old encoding tells only these apart.
    for application in [false, true] {
        let mode = KeyModes { cursor_keys: application, keypad: application, ..plain };
        for name in
            ["a", "M-a", "C-a", "C-M-a", "é", "M-é", "Enter", "M-Enter", "Tab", "BTab", "Escape", "C-Space", "C-\\"]
        {
            let mut bytes = Vec::new();
            assert!(encode(parse_key(name).expect("a key"), &mode, &mut bytes));
            assert_eq!(names(&flushed(&bytes)), name);
        }
        for name in telling_keys().iter().filter(|name| parse_key(name).is_some_and(|key| key.as_named().is_some())) {
            let mut bytes = Vec::new();
            assert!(encode(parse_key(name).expect("a key"), &mode, &mut bytes));
            let told = if name == "C-BTab" { "BTab" } else { name };
            assert_eq!(names(&flushed(&bytes)), told);
        }
    }
}

/// Pieces of a paste put together, since where it is cut depends on how it came.
fn joined(inputs: Vec<Input>) -> Vec<Input> {
    let mut out: Vec<Input> = Vec::new();
    for input in inputs {
        match (out.last_mut(), input) {
            (Some(Input::Paste(Paste::Data(before))), Input::Paste(Paste::Data(data))) => before.extend(data),
            (_, input) => out.push(input),
        }
    }
    out
}

fn assert_splits_do_not_matter(bytes: &[u8], cuts: &[usize]) {
    let mut decoder = Decoder::new();
    let mut inputs = Vec::new();
    let mut from = 0;
    for cut in cuts.iter().copied().chain([bytes.len()]) {
        let to = cut.clamp(from, bytes.len());
        decoder.feed(&bytes[from..to]);
        inputs.extend(drain(&mut decoder, false));
        decoder.waits_for();
        from = to;
    }
    assert_eq!(joined(inputs), joined(whole(bytes)), "{} at {cuts:?}", bytes.escape_ascii());
    flushed(bytes);
    // With the escape time passing between the pieces other keys may come of it, but it comes to an end.
    let mut decoder = Decoder::new();
    for piece in bytes.chunks(cuts.first().copied().unwrap_or(0) + 1) {
        decoder.feed(piece);
        drain(&mut decoder, false);
        drain(&mut decoder, true);
    }
    drain(&mut decoder, true);
    drain(&mut decoder, true);
    assert!(!decoder.pending());
}

/// Bytes that sequences are made of, so that random strings hold many.
const ALPHABET: &[u8] =
    b"\x1b\x1b\x1b[[[]OP_<>?;;:0123456789$~^@uMmRtcnyAaZzI\\\x07\x00\x03\r\x7f|Gr+\xc3\xa9\xe6\x97\xa5\xff";

#[test]
fn a_hundred_thousand_random_strings_are_read() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    let whole_sequences: &[&[u8]] = &[b"\x1b[200~", b"\x1b[201~", b"\x1b]11;", b"\x1b]52;c;", b"\x1bP>|", b"\x1b[<0;"];
    for round in 0..100_000 {
        let mut bytes = Vec::new();
        for _ in 0..=random(24) {
            match (round % 4, random(12)) {
                (0, _) => bytes.push(random(256) as u8),
                (_, 0) => bytes.extend_from_slice(whole_sequences[random(whole_sequences.len())]),
                _ => bytes.push(ALPHABET[random(ALPHABET.len())]),
            }
        }
        let cut = random(bytes.len() + 1);
        assert_splits_do_not_matter(&bytes, &[cut, cut + random(4)]);
    }
}

proptest! {
    #[test]
    fn splits_do_not_matter(
        bytes in prop::collection::vec(proptest::sample::select(ALPHABET.to_vec()), 0..400),
        mut cuts in prop::collection::vec(0usize..400, 0..8),
    ) {
        cuts.sort_unstable();
        assert_splits_do_not_matter(&bytes, &cuts);
    }

    #[test]
    fn long_runs_may_be_split_too(
        head in proptest::sample::select(vec![&b"\x1b["[..], b"\x1b[?", b"\x1b]11;", b"\x1bP>|", b"\x1b[200~", b"\x1b\x1b["]),
        fill in proptest::sample::select(b"1;$x".to_vec()),
        length in 240usize..5000,
        tail in proptest::sample::select(vec![&b"A"[..], b"\x1b\\", b"\x07", b"\r", b"\x1b[201~", b"$y", b""]),
        cut in 0usize..5010,
    ) {
        let bytes = [head, &vec![fill; length], tail, b"end"].concat();
        assert_splits_do_not_matter(&bytes, &[cut, cut + 1]);
    }
}
