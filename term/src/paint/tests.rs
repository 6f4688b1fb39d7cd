//! Painting replayed: whatever the frames and the terminal, the terminal shows the new frame afterwards.

use super::replay::{Replay, Spot};
use super::*;
use crate::caps::{Claim, TERMINALS, acs_fallback, acs_key, acs_unicode};
use crate::cell::{Cell, Extra, Glyph, Link};
use crate::frame::{CursorLook, CursorShape, Keys, Mouse, Rect};
use crate::size::Size;
use crate::style::{Attrs, Color, ColorKind, Style, Underline};
use proptest::prelude::*;

fn caps(term: &str) -> Caps {
    Caps::new(Claim { term, utf8: true, ..Claim::default() }, &[], &[])
}

/// The terminals of the table, with and without UTF-8.
fn terminals() -> Vec<Caps> {
    let usable = TERMINALS.iter().filter(|row| row.pattern != "dumb");
    let mut all: Vec<Caps> = Vec::new();
    for row in usable {
        let term = row.pattern.trim_end_matches('*');
        for utf8 in [true, false] {
            all.push(Caps::new(Claim { term, utf8, ..Claim::default() }, &[], &[]));
        }
    }
    all.push(Caps::new(Claim { term: "xterm", utf8: true, ..Claim::default() }, &[], &["xterm:U8=0:AX@:csr@:ri@:am@"]));
    all
}

/// Indexed colours below 16 are sent, and so read back, as those of the sixteen.
fn as_sent(color: Color) -> Color {
    match color.kind() {
        ColorKind::Indexed(n @ 0..16) => Color::ansi(n),
        _ => color,
    }
}

/// Underline colours are always sent as indexed ones.
fn us_as_sent(color: Color) -> Color {
    match color.kind() {
        ColorKind::Ansi(n) => Color::indexed(n),
        _ => color,
    }
}

fn expected(frame: &Frame, caps: &Caps, x: u16, y: u16) -> Spot {
    let cell = frame.cell(x, y);
    let extra = frame.extras().get(cell.ext);
    let attrs = cell.attrs.difference(Attrs::CHARSET);
    let style = caps.reduce(Style { fg: cell.fg, bg: cell.bg, us: extra.us, attrs });
    let style = Style { fg: as_sent(style.fg), bg: as_sent(style.bg), us: us_as_sent(style.us), attrs: style.attrs };
    let link = extra.link.as_ref().filter(|_| caps.has(Ability::HYPERLINKS));
    let link = link.map(|link| (link.id.to_string(), link.uri.to_string()));
    let mut text = String::new();
    frame.push_text(cell, &mut text);
    let first = text.chars().next();
    if let Some(line) = first.filter(|_| cell.attrs.contains(Attrs::CHARSET)).and_then(acs_unicode) {
        text = if !caps.needs_line_drawing() || caps.has(Ability::LINE_DRAWING) {
            line.to_string()
        } else {
            char::from(acs_fallback(text.as_bytes()[0])).to_string()
        };
    } else if !caps.utf8 {
        let wide = cell.glyph.is_padding();
        text = match first {
            Some(c) if c.is_ascii() => c.to_string(),
            Some(c) => match acs_key(c) {
                Some(key) if caps.has(Ability::LINE_DRAWING) => acs_unicode(char::from(key)).unwrap().to_string(),
                Some(key) => char::from(acs_fallback(key)).to_string(),
                None => "_".to_owned(),
            },
            None if wide => "_".to_owned(),
            None => String::new(),
        };
    }
    Spot { text, style, link }
}

/// A blank shows its background only, unless something of it is seen on blanks.
fn as_seen(spot: Spot) -> Spot {
    let seen = spot.style.attrs.intersects(crate::frame::SEEN_ON_BLANK) || spot.link.is_some();
    let style = if spot.text == " " && !seen { Style { bg: spot.style.bg, ..Style::default() } } else { spot.style };
    Spot { style, ..spot }
}

/// Fails unless the terminal shows the frame.
fn check(replay: &Replay, frame: &Frame, caps: &Caps, bytes: &[u8]) {
    let size = frame.size();
    let shown = String::from_utf8_lossy(bytes).replace('\x1b', "\\e");
    let safe =
        caps.has(Ability::AUTO_MARGIN | Ability::DEFERRED_WRAP) || caps.has(Ability::AUTO_MARGIN | Ability::VT100);
    for y in 0..size.rows {
        for x in 0..size.cols {
            let corner = if frame.cell(x, y).glyph.is_wide() { x + 2 } else { x + 1 };
            if !safe && (corner, y + 1) == (size.cols, size.rows) {
                continue;
            }
            let spot = as_seen(replay.spots[usize::from(y)][usize::from(x)].clone());
            let expected = as_seen(expected(frame, caps, x, y));
            assert_eq!(spot, expected, "at {x},{y} on {} after {shown}", caps.term);
        }
    }
    assert_eq!(replay.pen, Spot { text: " ".into(), ..Spot::default() }, "pen after {shown}");
    assert!(!replay.drawing && replay.region == (0, usize::from(size.rows).saturating_sub(1)));
    if let Some((x, y)) = frame.cursor.filter(|_| size.cols > 0 && size.rows > 0) {
        let (x, y) = (x.min(size.cols - 1), y.min(size.rows - 1));
        assert_eq!((replay.x, replay.y, replay.hanging), (usize::from(x), usize::from(y), false), "cursor {shown}");
    }
    if caps.has(Ability::HIDE_CURSOR) {
        assert_eq!(replay.private.get(&25).copied().unwrap_or(false), frame.cursor.is_some(), "cursor shown {shown}");
    }
    assert_ne!(replay.private.get(&2026), Some(&true));
    assert_ne!(replay.private.get(&7), Some(&false));
}

#[derive(Clone, Debug)]
enum Edit {
    Text(u16, u16, String, Style),
    Lines(u16, u16, String),
    Link(u16, u16, u8),
    Fill(Rect, Style),
    Scroll(u16, u16, i16),
    Clear,
    Wrap(u16),
}

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![
        4 => Just(Color::DEFAULT),
        2 => (0..16u8).prop_map(Color::ansi),
        1 => any::<u8>().prop_map(Color::indexed),
        1 => any::<(u8, u8, u8)>().prop_map(|(r, g, b)| Color::rgb(r, g, b)),
    ]
}

fn style() -> impl Strategy<Value = Style> {
    let plain = Just(Style::default());
    let any = (color(), color(), color(), 0..256u16, 0..6u16).prop_map(|(fg, bg, us, attrs, underline)| {
        let underline = [
            Underline::None,
            Underline::Single,
            Underline::Double,
            Underline::Curly,
            Underline::Dotted,
            Underline::Dashed,
        ][usize::from(underline)];
        Style { fg, bg, us, attrs: Attrs::from_bits_truncate(attrs).with_underline(underline) }
    });
    prop_oneof![1 => plain, 1 => any]
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-z ]{1,6}",
        2 => Just("日本".to_owned()),
        1 => Just("e\u{301}".to_owned()),
        1 => Just("👩\u{200d}🚀".to_owned()),
        1 => Just("─┼é".to_owned()),
        1 => Just("=========".to_owned()),
        2 => Just("            ".to_owned()),
    ];
    prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

fn edit() -> impl Strategy<Value = Edit> {
    let rect = (0..24u16, 0..12u16, 0..24u16, 0..8u16).prop_map(|(x, y, cols, rows)| Rect { x, y, cols, rows });
    prop_oneof![
        5 => (0..24u16, 0..12u16, text(), style()).prop_map(|(x, y, text, style)| Edit::Text(x, y, text, style)),
        1 => (0..24u16, 0..12u16, "[q-xjk]{1,5}").prop_map(|(x, y, text)| Edit::Lines(x, y, text)),
        1 => (0..24u16, 0..12u16, 0..3u8).prop_map(|(x, y, n)| Edit::Link(x, y, n)),
        1 => (rect, style()).prop_map(|(rect, style)| Edit::Fill(rect, style)),
        3 => (0..12u16, 0..12u16, -4..5i16).prop_map(|(top, bottom, by)| Edit::Scroll(top, bottom, by)),
        1 => Just(Edit::Clear),
        2 => (0..12u16).prop_map(Edit::Wrap),
    ]
}

fn apply(frame: &mut Frame, edit: &Edit) {
    match edit {
        Edit::Text(x, y, text, style) => {
            frame.put_str(*x, *y, text, *style);
        }
        Edit::Lines(x, y, text) => {
            frame.put_str(*x, *y, text, Style { attrs: Attrs::CHARSET, ..Style::default() });
        }
        Edit::Link(x, y, n) => {
            let (graphemes, mut extras) = Default::default();
            let link = Link { uri: format!("http://{n}").into(), id: if *n == 0 { "".into() } else { "i".into() } };
            let ext = extras_intern(&mut extras, link);
            let cells = [Cell { ext, ..Cell::new(Glyph::point('l', false), Style::default()) }; 3];
            frame.put_row(*x, *y, &cells, &graphemes, &extras);
        }
        Edit::Fill(rect, style) => frame.fill(*rect, Cell::new(Glyph::BLANK, *style)),
        Edit::Scroll(top, bottom, by) => {
            let source = frame.clone();
            let rows = source.size().rows;
            for y in *top..=(*bottom).min(rows.saturating_sub(1)) {
                match y.checked_add_signed(*by).filter(|from| from >= top && from <= bottom && *from < rows) {
                    Some(from) => frame.put_row(0, y, source.row(from), source.graphemes(), source.extras()),
                    None => frame.fill(Rect { x: 0, y, cols: u16::MAX, rows: 1 }, Cell::BLANK),
                }
            }
        }
        Edit::Clear => frame.clear(),
        Edit::Wrap(y) => {
            // Two rows full of text, the first going on in the second.
            let cols = usize::from(frame.size().cols);
            frame.put_str(0, *y, &"w".repeat(cols), Style::default());
            frame.put_str(0, y + 1, "on", Style::default());
            frame.set_wraps(*y);
        }
    }
}

fn extras_intern(extras: &mut crate::cell::Extras, link: Link) -> u16 {
    extras.intern(Extra { us: Color::DEFAULT, link: Some(link) })
}

fn cursor() -> impl Strategy<Value = Option<(u16, u16)>> {
    prop::option::weighted(0.8, (0..24u16, 0..12u16))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_is_painted_is_what_is_shown(
        size in (1..22u16, 1..11u16),
        first in prop::collection::vec(edit(), 0..12),
        second in prop::collection::vec(edit(), 0..6),
        third in prop::collection::vec(edit(), 0..3),
        cursors in (cursor(), cursor(), cursor()),
    ) {
        let size = Size { cols: size.0, rows: size.1 };
        for caps in terminals() {
            let mut replay = Replay::new(&caps, size);
            let mut old = Frame::new(size);
            let mut new = Frame::new(size);
            for (edits, cursor) in [(&first, cursors.0), (&second, cursors.1), (&third, cursors.2)] {
                edits.iter().for_each(|edit| apply(&mut new, edit));
                new.cursor = cursor;
                let bytes = paint(&old, &new, &caps);
                replay.feed(&bytes);
                check(&replay, &new, &caps, &bytes);
                prop_assert_eq!(paint(&new, &new.clone(), &caps), Vec::<u8>::new());
                old.copy_from(&new);
                new.sweep();
            }
        }
    }

    #[test]
    fn another_size_repaints_all(
        was in (0..22u16, 0..11u16), is in (1..22u16, 1..11u16), edits in prop::collection::vec(edit(), 0..8)
    ) {
        let mut new = Frame::new(Size { cols: is.0, rows: is.1 });
        edits.iter().for_each(|edit| apply(&mut new, edit));
        let mut old = Frame::new(Size { cols: was.0, rows: was.1 });
        old.put_str(0, 0, "something", Style::default());
        old.cursor = Some((1, 1));
        for caps in terminals() {
            let bytes = paint(&old, &new, &caps);
            let mut replay = Replay::new(&caps, new.size());
            replay.private.insert(25, true);
            replay.feed(&bytes);
            if old.size() != new.size() {
                check(&replay, &new, &caps, &bytes);
            }
        }
    }
}

/// Without colours a background is shown in reverse, but not under a text that is in reverse itself: a blank of the same
/// background beside it looks different.
#[test]
fn a_blank_beside_text_in_reverse_without_colours() {
    let mut new = Frame::new(Size { cols: 4, rows: 1 });
    let style = Style { fg: Color::ansi(0), bg: Color::ansi(1), attrs: Attrs::REVERSE, ..Style::default() };
    new.put_str(0, 0, "aaa日", style);
    let old = Frame::new(new.size());
    for caps in terminals() {
        let mut replay = Replay::new(&caps, new.size());
        let bytes = paint(&old, &new, &caps);
        replay.feed(&bytes);
        check(&replay, &new, &caps, &bytes);
    }
}

#[test]
fn a_typed_character_costs_little() {
    let size = Size { cols: 80, rows: 24 };
    let mut old = Frame::new(size);
    old.put_str(0, 5, "$ ls", Style::default());
    old.cursor = Some((4, 5));
    let mut new = old.clone();
    new.put_str(4, 5, "x", Style::default());
    new.cursor = Some((5, 5));
    for caps in terminals() {
        assert_eq!(paint(&old, &new, &caps), b"x", "{}", caps.term);
    }
    new.put_str(4, 5, "x", Style { fg: Color::ansi(2), attrs: Attrs::BOLD, ..Style::default() });
    assert!(paint(&old, &new, &caps("xterm")).len() < 20);
}

fn page(size: Size, from: u16) -> Frame {
    let mut frame = Frame::new(size);
    for y in 0..size.rows {
        let line = format!("line {:04} {}", from + y, "text ".repeat(13));
        frame.put_str(0, y, &line, Style::default());
    }
    frame.cursor = Some((0, size.rows - 1));
    frame
}

#[test]
fn a_scrolled_screen_costs_its_new_line() {
    let size = Size { cols: 80, rows: 24 };
    for caps in terminals() {
        if caps.term == "ansi" {
            continue; // Its last cell cannot be painted, so nothing is scrolled.
        }
        let cost = paint(&page(size, 0), &page(size, 1), &caps).len();
        assert!(cost < 2 * 80, "{cost} bytes on {}", caps.term);
    }
    let (mut old, mut new) = (page(size, 0), page(size, 1));
    for frame in [&mut old, &mut new] {
        frame.put_str(0, 23, "status line that stays where it is, whatever moves above", Style::default());
        frame.fill(Rect { x: 56, y: 23, cols: 80, rows: 1 }, Cell::BLANK);
    }
    assert!(paint(&old, &new, &caps("xterm")).len() < 2 * 80);
    assert!(paint(&new, &old, &caps("xterm")).len() < 2 * 80);
}

#[test]
fn a_line_that_goes_on_is_one_line_to_the_terminal() {
    let size = Size { cols: 10, rows: 3 };
    let mut new = Frame::new(size);
    new.put_str(0, 0, "http://abc", Style::default());
    new.put_str(0, 1, ".org", Style::default());
    let wrapped = |frame: &Frame, caps: &Caps| {
        let mut replay = Replay::new(caps, size);
        let bytes = paint(&Frame::new(size), frame, caps);
        replay.feed(&bytes);
        check(&replay, frame, caps, &bytes);
        replay.wrapped
    };
    assert_eq!(wrapped(&new, &caps("xterm")), 0);
    new.set_wraps(0);
    assert_eq!(wrapped(&new, &caps("xterm")), 1);
}

#[test]
fn blanks_between_words_keep_the_pen() {
    let size = Size { cols: 20, rows: 1 };
    let mut new = Frame::new(size);
    new.put_str(0, 0, "a red word", Style { fg: Color::ansi(1), attrs: Attrs::BOLD, ..Style::default() });
    assert_eq!(paint(&Frame::new(size), &new, &caps("xterm")), b"\x1b[H\x1b[1;31ma red word\x1b[m");
}

#[test]
fn blanks_before_a_word_are_written_with_its_pen() {
    let size = Size { cols: 20, rows: 1 };
    let mut new = Frame::new(size);
    let style = |bg| Style { fg: Color::ansi(1), bg: Color::ansi(bg), attrs: Attrs::BOLD, ..Style::default() };
    new.put_str(0, 0, " a", style(2));
    new.put_str(2, 0, " b", style(3));
    assert_eq!(paint(&Frame::new(size), &new, &caps("xterm")), b"\x1b[H\x1b[1;31;42m a\x1b[43m b\x1b[m");
}

#[test]
fn blank_tails_and_runs_are_erased() {
    let size = Size { cols: 80, rows: 2 };
    let mut old = Frame::new(size);
    old.put_str(0, 0, &"x".repeat(80), Style::default());
    let mut new = Frame::new(size);
    new.put_str(0, 0, "a", Style::default());
    assert_eq!(paint(&old, &new, &caps("xterm")), b"\x1b[Ha\x1b[K");
    let mut new = old.clone();
    new.fill(Rect { x: 10, y: 0, cols: 40, rows: 1 }, Cell::BLANK);
    assert_eq!(paint(&old, &new, &caps("xterm")), b"\x1b[;11H\x1b[40X");
    let mut rule = Frame::new(size);
    rule.put_str(0, 0, &"-".repeat(60), Style::default());
    assert_eq!(paint(&Frame::new(size), &rule, &caps("foot")), b"\x1b[H-\x1b[59b");
}

#[test]
fn the_last_cell_never_scrolls() {
    let size = Size { cols: 4, rows: 2 };
    let mut new = Frame::new(size);
    new.put_str(0, 1, "abcd", Style::default());
    new.cursor = Some((0, 0));
    let once = Caps::new(Claim { term: "xterm", ..Claim::default() }, &[], &["xterm:xenl@"]);
    for caps in [caps("xterm"), once, caps("ansi")] {
        let mut replay = Replay::new(&caps, size);
        let bytes = paint(&Frame::new(size), &new, &caps);
        replay.feed(&bytes);
        check(&replay, &new, &caps, &bytes);
        assert_eq!(replay.scrolled, 0);
    }
}

#[test]
fn a_large_paint_is_one_update() {
    let size = Size { cols: 80, rows: 24 };
    let mut old = Frame::new(size);
    old.cursor = Some((3, 3));
    let text = String::from_utf8(paint(&old, &page(size, 0), &caps("foot"))).unwrap();
    assert!(text.starts_with("\x1b[?2026h") && text.ends_with("\x1b[?2026l"));
    let text = String::from_utf8(paint(&old, &page(size, 0), &caps("xterm"))).unwrap();
    assert!(text.starts_with("\x1b[?25l") && text.ends_with("\x1b[?25h"));
}

#[test]
fn modes_title_and_cursor_are_switched_once() {
    let old = Frame::new(Size { cols: 4, rows: 2 });
    let mut new = old.clone();
    new.modes.mouse = Mouse::All;
    new.modes.focus = true;
    new.modes.keys = Keys::Kitty(1);
    new.title = Some("a\x1b\u{9c}b".to_owned());
    new.look = CursorLook { shape: CursorShape::Bar, blink: true, color: Color::indexed(196) };
    let bytes = String::from_utf8(paint(&old, &new, &caps("foot"))).unwrap();
    for part in ["\x1b[?1003h", "\x1b[?1004h", "\x1b[>1u", "\x1b]0;ab\x07", "\x1b[5 q", "\x1b]12;rgb:ff/00/00\x07"] {
        assert!(bytes.contains(part), "{part:?} in {bytes:?}");
    }
    assert!(paint(&new, &new, &caps("foot")).is_empty());
    let mut busy = new.clone();
    busy.progress = (1, 40);
    assert_eq!(paint(&new, &busy, &caps("iterm2")), b"\x1b]9;4;1;40\x1b\\");
    let back = String::from_utf8(paint(&new, &old, &caps("foot"))).unwrap();
    for part in ["\x1b[?1003l", "\x1b[?1004l", "\x1b[<u", "\x1b[0 q", "\x1b]112\x07"] {
        assert!(back.contains(part), "{part:?} in {back:?}");
    }
}

#[test]
fn extended_keys_are_asked_for_in_the_way_that_the_terminal_knows() {
    let old = Frame::new(Size { cols: 4, rows: 2 });
    let mut new = old.clone();
    new.modes.keys = Keys::ModifyOther(1);
    let mut more = old.clone();
    more.modes.keys = Keys::ModifyOther(2);
    for (name, on, up, off) in [
        ("foot", "\x1b[>4;1m", "\x1b[>4;2m", "\x1b[>4m"),
        ("xterm-kitty", "\x1b[>1u", "", "\x1b[<u"),
        ("alacritty", "\x1b[>1u", "", "\x1b[<u"),
        ("linux", "", "", ""),
    ] {
        let written = |from: &Frame, to: &Frame| String::from_utf8(paint(from, to, &caps(name))).unwrap();
        assert_eq!(written(&old, &new), on, "{name}");
        assert!(written(&new, &more).ends_with(up) && written(&new, &more).len() <= 2 * up.len(), "{name}");
        assert_eq!(written(&new, &old), off, "{name}");
    }
}

#[test]
fn the_terminal_is_given_back_as_it_was() {
    for caps in terminals() {
        let mut replay = Replay::new(&caps, Size { cols: 10, rows: 3 });
        replay.feed(&enter(&caps));
        replay.feed(&leave(&caps));
        let left = |mode: u16| replay.private.get(&mode) == Some(&true);
        for mode in [1, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2031] {
            assert!(!left(mode), "mode {mode} on {}", caps.term);
        }
        assert!(!caps.has(Ability::HIDE_CURSOR) || left(25));
    }
}

#[test]
fn hostile_text_cannot_leave_its_place() {
    let size = Size { cols: 10, rows: 1 };
    let (graphemes, mut extras) = (crate::cell::Graphemes::default(), crate::cell::Extras::default());
    let link = Link { uri: "http://x\x1b]0;evil\x07".into(), id: "\x1b".into() };
    let ext = extras_intern(&mut extras, link);
    let mut new = Frame::new(size);
    let cells = [Cell { ext, ..Cell::new(Glyph::point('\x1b', false), Style::default()) }];
    new.put_row(0, 0, &cells, &graphemes, &extras);
    let bytes = String::from_utf8(paint(&Frame::new(size), &new, &caps("foot"))).unwrap();
    assert!(!bytes.contains("\x1b]0") && !bytes.contains('\x07'), "{bytes:?}");
}
