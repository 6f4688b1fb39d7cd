//! Properties of whole terminals on random streams.

use proptest::prelude::*;
use term::{Capture, LineNumber, PageStore, Size, Terminal, VecStore};

/// Pieces that make up streams: text of all kinds and sequences of all kinds, well formed and not.
const PIECES: &[&str] = &[
    "hello",
    "x",
    " ",
    "the quick brown fox jumps",
    "\r\n",
    "\r\n",
    "\n",
    "\r",
    "\t",
    "\x08",
    "\x0e",
    "\x0f",
    "\x07",
    "日本",
    "e\u{301}",
    "\u{301}",
    "👍🏽",
    "🇬🇧",
    "\u{200d}",
    "❤\u{fe0f}",
    "\u{1100}\u{1161}",
    "─│",
    "\x1b[m",
    "\x1b[1;31m",
    "\x1b[38;5;100;48;2;1;2;3m",
    "\x1b[4:3;58;2;1;2;3m",
    "\x1b[44m",
    "\x1b[2J",
    "\x1b[J",
    "\x1b[1J",
    "\x1b[3J",
    "\x1b[K",
    "\x1b[1K",
    "\x1b[2K",
    "\x1b[H",
    "\x1b[3;5H",
    "\x1b[5A",
    "\x1b[2B",
    "\x1b[7C",
    "\x1b[3D",
    "\x1b[2L",
    "\x1b[3M",
    "\x1b[4@",
    "\x1b[2P",
    "\x1b[3X",
    "\x1b[2S",
    "\x1b[T",
    "\x1b[9b",
    "\x1b[2Z",
    "\x1b[2;4r",
    "\x1b[r",
    "\x1b[?6h",
    "\x1b[?6l",
    "\x1b[?7l",
    "\x1b[?7h",
    "\x1b[4h",
    "\x1b[4l",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b[?47h",
    "\x1b[?47l",
    "\x1b7",
    "\x1b8",
    "\x1bD",
    "\x1bE",
    "\x1bM",
    "\x1bH",
    "\x1b[3g",
    "\x1b(0",
    "\x1b(B",
    "\x1b)0",
    "\x1bc",
    "\x1b#8",
    "\x1b[!p",
    "\x1b[?1000;1006;2004h",
    "\x1b[5 q",
    "\x1b[>1u",
    "\x1b[<u",
    "\x1b[22;0t",
    "\x1b[23;0t",
    "\x1b]0;title\x07",
    "\x1b]2;two\x1b\\",
    "\x1b]8;id=a;http://x\x1b\\",
    "\x1b]8;;\x1b\\",
    "\x1b]4;1;red\x07",
    "\x1b]104\x07",
    "\x1b]10;#123456\x07",
    "\x1b]133;A\x07",
    "\x1b]9;4;1;50\x07",
    "\x1b]52;c;aGk=\x07",
    "\x1bPtmux;\x1b\x1b[c\x1b\\",
    "\x1bP$q q\x1b\\",
    "\x1b_apc\x1b\\",
    "\x1bkname\x1b\\",
    "\x1b^pm",
    "\x1b[c",
    "\x1b[6n",
    "\x1b[?25$p",
    "\x1b[>q",
    "\x18",
    "\x1b",
    "\x1b[",
    "\x1b[1;2",
    "\x1b]",
    "\x1bP1",
    "\x1b[99999999999m",
    "\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25m",
];

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => proptest::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 1..6),
    ]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(piece(), 0..80).prop_map(|pieces| pieces.concat())
}

fn size() -> impl Strategy<Value = Size> {
    (1u16..40, 1u16..12).prop_map(|(cols, rows)| Size { cols, rows })
}

fn store() -> Box<dyn PageStore> {
    Box::new(VecStore::default())
}

fn fed(size: Size, limit: u32, bytes: &[u8]) -> Terminal {
    let mut terminal = Terminal::new(size, limit);
    terminal.feed(bytes);
    terminal
}

fn text(terminal: &Terminal) -> String {
    let all = Capture { start: LineNumber::First, join: true, ..Capture::default() };
    let text = String::from_utf8(terminal.capture(&all)).expect("text");
    text.trim_end_matches(['\n', ' ']).lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_stream_may_be_cut_anywhere(size in size(), bytes in stream(), cut in any::<proptest::sample::Index>()) {
        let mut whole = fed(size, 20, &bytes);
        let cut = cut.index(bytes.len() + 1);
        let mut parts = fed(size, 20, &bytes[..cut]);
        parts.feed(&bytes[cut..]);
        // The sizes of lines (`-N`) depend on the pieces, in tmux too; what was written does not.
        let all = Capture { start: LineNumber::First, escapes: true, trim: true, flags: true, ..Capture::default() };
        prop_assert_eq!(parts.capture(&all), whole.capture(&all));
        prop_assert_eq!(parts.cursor(), whole.cursor());
        prop_assert_eq!(parts.modes(), whole.modes());
        prop_assert_eq!(parts.pending(), whole.pending());
        prop_assert_eq!(parts.title(), whole.title());
        prop_assert_eq!(parts.unknown(), whole.unknown());
        prop_assert_eq!(parts.take_events(), whole.take_events());
        // Byte by byte nothing is written in runs.
        let mut single = Terminal::new(size, 20);
        bytes.chunks(1).for_each(|byte| single.feed(byte));
        prop_assert_eq!(single.capture(&all), whole.capture(&all));
        prop_assert_eq!(single.cursor(), whole.cursor());
    }

    #[test]
    fn a_snapshot_goes_on_like_the_terminal(
        size in size(), bytes in stream(), cut in any::<proptest::sample::Index>(), other in size(),
    ) {
        let cut = cut.index(bytes.len() + 1);
        let mut terminal = fed(size, 30, &bytes[..cut]);
        let snapshot = terminal.snapshot(usize::MAX);
        let mut back = Terminal::from_snapshot(&snapshot, store()).expect("sound");
        prop_assert_eq!(back.snapshot(usize::MAX), snapshot);
        for terminal in [&mut terminal, &mut back] {
            terminal.feed(&bytes[cut..]);
            terminal.resize(other);
        }
        let all = Capture { start: LineNumber::First, escapes: true, flags: true, ..Capture::default() };
        prop_assert_eq!(back.capture(&all), terminal.capture(&all));
        prop_assert_eq!(back.cursor(), terminal.cursor());
        prop_assert_eq!(back.history_len(), terminal.history_len());
    }

    #[test]
    fn changed_snapshots_never_panic(
        bytes in stream(), at in any::<proptest::sample::Index>(), with in any::<[u8; 3]>(), more in stream(),
    ) {
        let snapshot = fed(Size { cols: 20, rows: 5 }, 30, &bytes).snapshot(usize::MAX);
        let mut body = snapshot[10..snapshot.len() - 4].to_vec();
        let at = at.index(body.len());
        for (byte, new) in body[at..].iter_mut().zip(with) {
            *byte = new;
        }
        let mut changed = snapshot[..10].to_vec();
        changed.extend_from_slice(&body);
        changed.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        if let Ok(mut terminal) = Terminal::from_snapshot(&changed, store()) {
            terminal.feed(&more);
            terminal.resize(Size { cols: 13, rows: 9 });
            // What was changed need not be text.
            terminal.capture(&Capture { start: LineNumber::First, join: true, ..Capture::default() });
            terminal.checkpoint();
        }
    }

    #[test]
    fn any_sizes_and_captures_are_survived(
        bytes in proptest::collection::vec((stream(), size()), 1..5),
        start in -60i64..60, end in -60i64..60, flags in any::<u16>(), limit in 0u32..40,
    ) {
        let mut terminal = Terminal::new(Size { cols: 20, rows: 5 }, limit);
        for (bytes, size) in bytes {
            terminal.feed(&bytes);
            terminal.resize(size);
            prop_assert_eq!(terminal.size(), size);
            let cursor = terminal.cursor();
            prop_assert!(cursor.col <= size.cols && cursor.row < size.rows);
            let mut seen = 0;
            terminal.history_rows(0..terminal.history_len(), |_, _| seen += 1);
            prop_assert_eq!(seen, terminal.history_len());
        }
        let is = |bit: u16| flags >> bit & 1 != 0;
        terminal.capture(&Capture {
            start: LineNumber::At(start),
            end: LineNumber::At(end),
            escapes: is(0),
            escape_controls: is(1),
            join: is(2),
            keep_trailing: is(3),
            trim: is(4),
            alternate: is(5),
            line_numbers: is(6),
            flags: is(7),
            links: is(8),
        });
    }

    #[test]
    fn text_survives_changes_of_width(
        lines in proptest::collection::vec("[a-z日é]{0,50}", 1..30),
        widths in proptest::collection::vec(2u16..70, 1..5), rows in 2u16..20,
    ) {
        let mut terminal = fed(Size { cols: 30, rows }, 10_000, lines.join("\r\n").as_bytes());
        let before = text(&terminal);
        for cols in widths {
            terminal.resize(Size { cols, rows });
            prop_assert_eq!(text(&terminal), before.clone());
        }
    }

    #[test]
    fn a_checkpoint_finds_its_pages(lines in 1usize..3000, more in 0usize..3000) {
        let feed = |terminal: &mut Terminal, n: usize| {
            for i in 0..n {
                terminal.feed(format!("{i:060}\r\n").as_bytes());
            }
        };
        let mut terminal = Terminal::new(Size { cols: 80, rows: 5 }, 4000);
        feed(&mut terminal, lines);
        let mut pages = VecStore::default();
        let mut other = Terminal::new(Size { cols: 80, rows: 5 }, 4000);
        feed(&mut other, lines);
        let checkpoint = other.checkpoint();
        let snapshot = other.snapshot(usize::MAX);
        let filled = Terminal::from_snapshot(&snapshot, store()).expect("sound");
        prop_assert_eq!(text(&filled), text(&terminal));
        // Without its pages a checkpoint has the screen and the open page.
        let bare = Terminal::from_checkpoint(&checkpoint, Box::new(std::mem::take(&mut pages))).expect("sound");
        prop_assert!(bare.history_len() <= terminal.history_len());
        prop_assert_eq!(bare.row(0).cells, terminal.row(0).cells);
        let mut filled = filled;
        feed(&mut terminal, more);
        feed(&mut filled, more);
        prop_assert_eq!(filled.history_len(), terminal.history_len());
    }
}

#[test]
fn a_line_without_end_is_bounded() {
    let mut terminal = Terminal::new(Size { cols: 80, rows: 24 }, 2000);
    for _ in 0..1000 {
        terminal.feed(&[b'x'; 10_000]);
    }
    assert!(terminal.history_len() <= 2000);
    assert!(terminal.history_bytes() < 400_000);
    terminal.resize(Size { cols: 50, rows: 24 });
    terminal.resize(Size { cols: 132, rows: 50 });
    terminal.feed(b"\r\nend");
    assert!(text(&terminal).ends_with("end"));
}

#[test]
fn clusters_and_links_are_bounded() {
    let mut terminal = Terminal::new(Size { cols: 80, rows: 24 }, 100);
    terminal.feed(b"a");
    for _ in 0..10_000 {
        terminal.feed("\u{301}\u{302}".as_bytes());
    }
    assert!(terminal.graphemes().len() < 64);
    for i in 0..70_000 {
        terminal.feed(format!("\x1b]8;;http://{i}\x1b\\x").as_bytes());
    }
    assert!(terminal.extras().len() <= 65_536);
    let mut many = Terminal::new(Size { cols: 80, rows: 24 }, 100);
    for i in 0..70_000u32 {
        let base = char::from_u32(0x4e00 + i % 20_000).expect("an ideograph");
        let mark = char::from_u32(0x300 + i / 20_000).expect("a mark");
        many.feed(format!("{base}{mark}").as_bytes());
    }
    let last = many.row(23).cells.iter().rev().find_map(|cell| cell.glyph.grapheme_index());
    assert!(last.is_some_and(|index| many.graphemes().text(index).chars().count() == 2));
}

#[test]
fn payloads_are_bounded() {
    let mut terminal = Terminal::new(Size { cols: 80, rows: 24 }, 100);
    terminal.feed(b"\x1b]52;c;");
    for _ in 0..300 {
        terminal.feed(&[b'A'; 10_000]);
    }
    assert!(terminal.pending().len() <= 1 << 20);
    terminal.feed(b"\x07");
    assert!(terminal.take_events().is_empty());
    assert_eq!(terminal.unknown(), 1);
}

/// What the properties found once: rows of cells wider than the screen are counted as they are given out.
#[test]
fn narrow_screens_count_what_they_give() {
    type Step<'a> = (&'a [u8], (u16, u16));
    let found: [&[Step<'_>]; 3] = [
        &[
            (b"\xe2\x9d\xa4\xef\xb8\x8f   \x1b[Hhelloxxhello\thello\x1bchello", (20, 1)),
            (b"\x1b[7C\xe6\x97\xa5\xe6\x9c\xac", (2, 4)),
            (b"", (1, 1)),
        ],
        &[(b"\x1b[4h\t\x1b[3;5Hhello", (3, 3)), (b"", (1, 1))],
        &[(b"\x1b[4h\t\x0ehello", (1, 5)), (b"\xe6\x97\xa5\xe6\x9c\xacx", (2, 1))],
    ];
    for steps in found {
        let mut terminal = Terminal::new(Size { cols: 20, rows: 5 }, 2);
        for (bytes, (cols, rows)) in steps {
            terminal.feed(bytes);
            terminal.resize(Size { cols: *cols, rows: *rows });
            let mut seen = 0;
            terminal.history_rows(0..terminal.history_len(), |_, _| seen += 1);
            assert_eq!(seen, terminal.history_len(), "{steps:?}");
        }
    }
}
