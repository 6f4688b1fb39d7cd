//! Client screens as pictures. Those marked so were read from tmux 3.7c.

use crate::overlay::{Menu, MenuItem, Numbers, Overlay, Popup};
use crate::run::{Align, List, Range, RangeKind, Run};
use crate::scene::{
    Borders, Floating, Indicators, Input, Lines, Message, PaneStatus, PaneView, Place, RowView, Rows, Scene, Scrollbar,
    Split, StatusLine,
};
use crate::{Seen, compose};
use proptest::prelude::*;
use term::caps::{Caps, Claim, acs_unicode};
use term::cell::{Cell, Extras, Graphemes};
use term::frame::{ClientModes, CursorLook, Frame, Rect};
use term::size::Size;
use term::style::{Attrs, Color, Style};

/// A screen of given rows, each with a number.
struct Screen {
    frame: Frame,
    changes: Vec<u64>,
}

impl Screen {
    fn new(lines: &[&str]) -> Screen {
        let mut frame = Frame::new(Size { cols: 40, rows: 20 });
        for (y, line) in (0..).zip(lines) {
            frame.put_str(0, y, line, Style::default());
        }
        Screen { frame, changes: vec![1; 20] }
    }

    fn write(&mut self, y: u16, text: &str) {
        let next = self.changes.iter().max().unwrap() + 1;
        self.frame.put_str(0, y, text, Style::default());
        self.changes[usize::from(y)] = next;
    }
}

impl Rows for Screen {
    fn row(&self, y: u16) -> RowView<'_> {
        let change = self.changes.get(usize::from(y)).copied().unwrap_or(0);
        RowView { cells: self.frame.row(y), fill: Color::DEFAULT, wraps: y == 2, change }
    }
    fn graphemes(&self) -> &Graphemes {
        self.frame.graphemes()
    }
    fn extras(&self) -> &Extras {
        self.frame.extras()
    }
}

const GREEN: Style = Style { fg: Color::ansi(2), bg: Color::DEFAULT, us: Color::DEFAULT, attrs: Attrs::empty() };

fn pane(index: u32, place: (i32, i32, u16, u16), rows: &Screen) -> PaneView<'_> {
    PaneView {
        id: index,
        index,
        place: Place { x: place.0, y: place.1, cols: place.2, rows: place.3 },
        rows,
        source: 0,
        held: false,
        defaults: Style::default(),
        palette: Vec::new(),
        dimmed: false,
        active: false,
        marked: false,
        floating: None,
        border: Style::default(),
        active_border: GREEN,
        status: vec![Run::new(format!("{index} \"vm\""), Style::default())],
        scrollbar: None,
    }
}

fn active(pane: PaneView<'_>) -> PaneView<'_> {
    PaneView { active: true, ..pane }
}

/// A scene with one status line below a window that fills the client.
fn scene<'a>(cols: u16, rows: u16, panes: Vec<PaneView<'a>>) -> Scene<'a> {
    let base = Style { fg: Color::ansi(0), bg: Color::ansi(2), ..Style::default() };
    Scene {
        size: Size { cols, rows },
        window: Size { cols, rows: rows.saturating_sub(1) },
        offset: (0, 0),
        panes,
        borders: Borders::default(),
        status: vec![StatusLine { base, runs: vec![Run::new("[in] 0:w*", base)] }],
        status_top: false,
        prompts: Vec::new(),
        message: None,
        overlays: Vec::new(),
        cursor: Some((0, 0)),
        look: CursorLook::default(),
        title: None,
        path: None,
        progress: (0, 0),
        modes: ClientModes::default(),
    }
}

fn draw(scene: &Scene<'_>) -> Frame {
    let mut frame = Frame::new(scene.size);
    compose(scene, &mut Seen::default(), &mut frame);
    frame
}

/// The rows of a frame as a UTF-8 client sees them.
fn picture(frame: &Frame) -> String {
    let mut picture = String::new();
    for y in 0..frame.size().rows {
        let start = picture.len();
        for cell in frame.row(y) {
            let line = cell.glyph.as_char().filter(|_| cell.attrs.contains(Attrs::CHARSET)).and_then(acs_unicode);
            match line {
                Some(line) => picture.push(line),
                None => frame.push_text(*cell, &mut picture),
            }
        }
        picture.truncate(start + picture[start..].trim_end().len());
        picture.push('\n');
    }
    picture
}

/// Fails with both pictures unless they are equal; the expected one begins with a line break.
#[track_caller]
fn shows(frame: &Frame, expected: &str) {
    let have = picture(frame);
    assert!(have == expected[1..], "shown:\n{have}\nexpected:{expected}");
}

/// The cells of a colour, as `#` in a picture of rows.
fn colored(frame: &Frame, fg: Color) -> Vec<String> {
    let row = |y| frame.row(y).iter().map(|cell| if cell.fg == fg { '#' } else { '.' }).collect();
    (0..frame.size().rows).map(row).collect()
}

#[test]
fn two_panes_side_by_side() {
    // As tmux 3.7c shows it.
    let (a, b) = (Screen::new(&["pane0"]), Screen::new(&["pane"]));
    let mut scene = scene(20, 6, vec![pane(0, (0, 0, 10, 5), &a), active(pane(1, (11, 0, 9, 5), &b))]);
    scene.borders.split = Some(Split::LeftRight);
    let frame = draw(&scene);
    shows(
        &frame,
        "
pane0     │pane
          │
          │
          │
          │
[in] 0:w*
",
    );
    assert_eq!(frame.cursor, Some((11, 0)));
    let half = colored(&frame, Color::ansi(2));
    assert_eq!(half[2].find('#'), None);
    assert_eq!(half[3].find('#'), Some(10));
}

#[test]
fn four_panes_and_the_active_one() {
    // As tmux 3.7c shows it, with its colours.
    let a = Screen::new(&["pane"]);
    let places = [(0, 0, 12, 3), (0, 4, 12, 3), (13, 0, 11, 3), (13, 4, 11, 3)];
    let mut panes: Vec<_> = (0..).zip(places).map(|(index, place)| pane(index, place, &a)).collect();
    panes[1].active = true;
    let frame = draw(&scene(24, 8, panes));
    shows(
        &frame,
        "
pane        │pane
            │
            │
────────────┼───────────
pane        │pane
            │
            │
[in] 0:w*
",
    );
    let green = colored(&frame, Color::ansi(2));
    assert_eq!(green[2], "........................");
    assert_eq!(green[3], "#############...........");
    assert_eq!(green[4], "............#...........");
}

#[test]
fn borders_with_text_above_and_arrows() {
    // As tmux 3.7c shows it.
    let (a, b) = (Screen::new(&["pane0"]), Screen::new(&["pane"]));
    let mut scene = scene(
        30,
        10,
        vec![pane(0, (0, 1, 15, 8), &a), pane(1, (16, 1, 14, 3), &b), active(pane(2, (16, 5, 14, 4), &b))],
    );
    scene.borders.status = PaneStatus::Top;
    scene.borders.indicators = Indicators::Both;
    shows(
        &draw(&scene),
        "
──0 \"vm\"───────┬──1 \"vm\"──────
pane0          │pane
               │
               │
               ├─↓2 \"vm\"──────
               │pane
               │
               │
               │
[in] 0:w*
",
    );
}

#[test]
fn borders_with_text_below() {
    // As tmux 3.7c shows it.
    let (a, b) = (Screen::new(&["pane0"]), Screen::new(&["pane"]));
    let mut scene = scene(24, 8, vec![pane(0, (0, 0, 24, 3), &a), active(pane(1, (0, 4, 24, 2), &b))]);
    scene.borders.status = PaneStatus::Bottom;
    scene.borders.indicators = Indicators::Arrows;
    scene.borders.split = Some(Split::TopBottom);
    shows(
        &draw(&scene),
        "
pane0


─↓0 \"vm\"────────────────
pane

─↑1 \"vm\"────────────────
[in] 0:w*
",
    );
}

#[test]
fn halves_and_arrows_of_two_panes() {
    // As tmux 3.7c shows it, with its colours.
    let (a, b) = (Screen::new(&["pane0"]), Screen::new(&["pane"]));
    let mut below = scene(24, 8, vec![pane(0, (0, 0, 24, 3), &a), active(pane(1, (0, 4, 24, 3), &b))]);
    below.borders.indicators = Indicators::Both;
    below.borders.split = Some(Split::TopBottom);
    let frame = draw(&below);
    shows(
        &frame,
        "
pane0


─↓──────────────────────
pane


[in] 0:w*
",
    );
    assert_eq!(colored(&frame, Color::ansi(2))[3], ".............###########");
    let mut beside = scene(24, 8, vec![pane(0, (0, 0, 12, 7), &a), active(pane(1, (13, 0, 11, 7), &b))]);
    beside.borders.indicators = Indicators::Both;
    beside.borders.split = Some(Split::LeftRight);
    let frame = draw(&beside);
    shows(
        &frame,
        "
pane0       │pane
            →
            │
            │
            │
            │
            │
[in] 0:w*
",
    );
    let green = colored(&frame, Color::ansi(2));
    assert_eq!((green[3].find('#'), green[4].find('#')), (None, Some(12)));
}

#[test]
fn a_window_smaller_than_the_client() {
    // As tmux 3.7c shows it.
    let (a, b) = (Screen::new(&["pane0"]), Screen::new(&["pane"]));
    let mut scene = scene(24, 8, vec![pane(0, (0, 0, 7, 4), &a), active(pane(1, (8, 0, 6, 4), &b))]);
    scene.window = Size { cols: 14, rows: 4 };
    scene.borders.split = Some(Split::LeftRight);
    shows(
        &draw(&scene),
        "
pane0  │pane  │·········
       │      │·········
       │      │·········
       │      │·········
───────┴──────┘·········
························
························
[in] 0:w*
",
    );
    scene.borders.fill = [Some(('x', Style::default())); 2];
    assert_eq!(picture(&draw(&scene)).lines().next(), Some("pane0  │pane  │xxxxxxxxx"));
}

#[test]
fn a_window_larger_than_the_client() {
    let (a, b) = (Screen::new(&["0123456789", "row one"]), Screen::new(&["pane"]));
    let mut scene = scene(8, 3, vec![pane(0, (0, 0, 10, 6), &a), active(pane(1, (11, 0, 9, 6), &b))]);
    scene.window = Size { cols: 20, rows: 6 };
    scene.offset = (6, 1);
    scene.cursor = Some((2, 1));
    let frame = draw(&scene);
    assert_eq!(picture(&frame).lines().next(), Some("e   │"));
    assert_eq!(frame.cursor, Some((7, 0)));
    scene.cursor = Some((2, 0));
    assert_eq!(draw(&scene).cursor, None);
}

#[test]
fn a_nested_layout() {
    let a = Screen::new(&["a"]);
    let places = [(0, 0, 9, 6), (10, 0, 10, 2), (10, 3, 4, 3), (15, 3, 5, 3)];
    let panes = (0..).zip(places).map(|(index, place)| pane(index, place, &a)).collect();
    shows(
        &draw(&scene(20, 7, panes)),
        "
a        │a
         │
         ├────┬─────
         │a   │a
         │    │
         │    │
[in] 0:w*
",
    );
}

#[test]
fn kinds_of_lines() {
    let a = Screen::new(&[]);
    for (lines, expected) in [
        (Lines::Double, "    ║\n════╬════\n    ║\n"),
        (Lines::Heavy, "    ┃\n━━━━╋━━━━\n    ┃\n"),
        (Lines::Simple, "    |\n----+----\n    |\n"),
        (Lines::Number, "    0\n000001111\n    2\n"),
        (Lines::Spaces, "\n\n\n"),
    ] {
        let places = [(0, 0, 4, 1), (5, 0, 4, 1), (0, 2, 4, 1), (5, 2, 4, 1)];
        let panes = (0..).zip(places).map(|(index, place)| pane(index, place, &a)).collect();
        let mut scene = scene(9, 3, panes);
        scene.status.clear();
        scene.window.rows = 3;
        scene.borders.lines = lines;
        assert_eq!(picture(&draw(&scene)), expected);
    }
}

#[test]
fn where_panes_meet_the_oldest_on_each_side_gives_its_number() {
    let a = Screen::new(&[]);
    let places = [(0, 0, 4, 1), (5, 0, 4, 1), (0, 2, 4, 1), (5, 2, 4, 1)];
    // The newest is beside none of the oldest in the middle.
    for (at, expected) in
        [(1, "    1\n000001111\n    2\n"), (3, "    0\n000033333\n    3\n"), (2, "    0\n222221111\n    2\n")]
    {
        let ids = [0, 3, 1, 2];
        let mut panes: Vec<_> = (0..).zip(places).map(|(index, place)| pane(index, place, &a)).collect();
        panes.iter_mut().zip(ids).for_each(|(pane, id)| pane.id = id);
        panes[at].active = true;
        let mut scene = scene(9, 3, panes);
        scene.status.clear();
        scene.window.rows = 3;
        scene.borders.lines = Lines::Number;
        assert_eq!(picture(&draw(&scene)), expected);
    }
}

#[test]
fn texts_of_panes_side_by_side_are_isolated_where_text_has_a_direction() {
    let a = Screen::new(&["ab", "cd"]);
    let scene = scene(5, 3, vec![pane(0, (0, 0, 2, 2), &a), pane(1, (3, 0, 2, 2), &a)]);
    let frame = draw(&scene);
    let drawn = |utf8, overrides: &[&str]| {
        let caps = Caps::new(Claim { term: "xterm", utf8, ..Claim::default() }, &[], overrides);
        String::from_utf8_lossy(&term::paint::paint(&Frame::new(scene.size), &frame, &caps)).into_owned()
    };
    assert!(drawn(true, &["*:Bidi=\\E[8h"]).contains("ab\u{2069}│\u{2066}ab"));
    assert!(!drawn(true, &[]).contains('\u{2066}'));
    assert!(!drawn(false, &["*:Bidi=\\E[8h"]).contains('\u{2066}'));
}

#[test]
fn a_client_without_utf8_gets_the_dec_set_or_ascii() {
    let a = Screen::new(&["a─b"]);
    let scene = scene(9, 3, vec![pane(0, (0, 0, 4, 2), &a), pane(1, (5, 0, 4, 2), &a)]);
    let frame = draw(&scene);
    let caps = |term| Caps::new(Claim { term, ..Claim::default() }, &[], &[]);
    let drawn = |term| String::from_utf8(term::paint::paint(&Frame::new(scene.size), &frame, &caps(term))).unwrap();
    assert!(drawn("xterm").contains("\x1b(0x\x1b(B"));
    assert!(drawn("ansi").contains("a-b |a-b"), "{:?}", drawn("ansi"));
}

#[test]
fn status_lines_above() {
    let a = Screen::new(&["pane"]);
    let mut scene = scene(12, 4, vec![active(pane(0, (0, 0, 12, 2), &a))]);
    scene.status.push(StatusLine { base: Style::default(), runs: vec![Run::new("second", Style::default())] });
    scene.window.rows = 2;
    scene.status_top = true;
    let frame = draw(&scene);
    shows(
        &frame,
        "
[in] 0:w*
second
pane

",
    );
    assert_eq!(frame.cursor, Some((0, 2)));
    // Its third row goes on in the next, which both are seen in full width.
    scene.size.rows = 6;
    scene.panes[0].place.rows = 4;
    scene.window.rows = 4;
    let frame = draw(&scene);
    assert_eq!([2, 3, 4, 5].map(|y| frame.wraps(y)), [false, false, true, false]);
}

#[test]
fn a_message_covers_the_status_line() {
    let a = Screen::new(&["pane"]);
    let mut scene = scene(20, 3, vec![active(pane(0, (0, 0, 20, 2), &a))]);
    let yellow = Run { fill: Some(Color::ansi(3)), ..Run::new("no current client", Style::default()) };
    scene.message = Some(Message { cols: 20, runs: vec![yellow], ..Message::default() });
    let frame = draw(&scene);
    assert_eq!(frame.text(2), "no current client");
    assert_eq!(frame.cell(19, 2).bg, Color::ansi(3));
    scene.status.clear();
    assert_eq!(draw(&scene).text(2), "no current client");
    scene.message = None;
    assert_eq!(picture(&draw(&scene)).lines().nth(2), Some("────────────────────"));
}

#[test]
fn a_prompt_keeps_its_cursor_in_view() {
    let a = Screen::new(&["pane"]);
    let mut scene = scene(10, 3, vec![active(pane(0, (0, 0, 10, 2), &a))]);
    let fill = Run { fill: Some(Color::ansi(3)), ..Run::new(":", Style::default()) };
    let mut ask = |text: &str, cursor: usize, quoting: bool| {
        let input = Input { text: text.to_owned(), cursor, quoting };
        let message = Message { cols: 10, runs: vec![fill.clone()], input: Some(input), ..Message::default() };
        scene.message = Some(message);
        let frame = draw(&scene);
        (frame.text(2), frame.cursor)
    };
    assert_eq!(ask("new", 3, false), (":new".into(), Some((4, 2))));
    assert_eq!(ask("new", 1, true), (":n^ew".into(), Some((2, 2))));
    assert_eq!(ask("abcdefghijkl", 12, false), (":efghijkl".into(), Some((9, 2))));
    assert_eq!(ask("a\x01日", 2, false), (":a^A日".into(), Some((4, 2))));
}

#[test]
fn a_menu_lies_over_panes_and_goes_away() {
    let a = Screen::new(&["0123456789012345678", "0123456789012345678", "0123456789012345678", "0123456789012345678"]);
    let mut scene = scene(20, 6, vec![active(pane(0, (0, 0, 20, 5), &a))]);
    let key = Run { align: Align::Right, ..Run::new("(n)", Style::default()) };
    let selected = Style { attrs: Attrs::REVERSE, ..Style::default() };
    let item =
        |text: &str, disabled| MenuItem::Item { runs: vec![Run::new(text, Style::default()), key.clone()], disabled };
    let menu = Menu {
        at: (2, 0),
        title: vec![Run::new("T", Style::default())],
        items: vec![item("New", false), MenuItem::Line, item("Kill", true)],
        width: 8,
        choice: Some(0),
        selected,
        ..Menu::default()
    };
    scene.overlays.push(Overlay::Menu(menu));
    let (mut seen, mut frame) = (Seen::default(), Frame::new(scene.size));
    compose(&scene, &mut seen, &mut frame);
    shows(
        &frame,
        "
01┌─T────────┐45678
01│ New  (n) │45678
01├──────────┤45678
01│ Kill (n) │45678
  └──────────┘
[in] 0:w*
",
    );
    assert_eq!(frame.cursor, None);
    assert!(frame.cell(3, 1).attrs.contains(Attrs::REVERSE) && frame.cell(12, 1).attrs.contains(Attrs::REVERSE));
    assert!(frame.cell(4, 3).attrs.contains(Attrs::DIM) && !frame.cell(4, 1).attrs.contains(Attrs::DIM));
    scene.overlays.clear();
    compose(&scene, &mut seen, &mut frame);
    assert_eq!((frame.text(2).as_str(), frame.cursor), ("0123456789012345678", Some((0, 0))));
}

#[test]
fn a_popup_has_its_own_screen_and_cursor() {
    let (a, b) = (Screen::new(&["pane"]), Screen::new(&["popup text is long", "two"]));
    let mut scene = scene(20, 6, vec![active(pane(0, (0, 0, 20, 5), &a))]);
    scene.overlays.push(Overlay::Popup(Popup {
        rect: Rect { x: 3, y: 1, cols: 10, rows: 4 },
        title: Vec::new(),
        lines: Lines::Rounded,
        border: GREEN,
        defaults: Style { bg: Color::ansi(4), ..Style::default() },
        rows: &b,
        cursor: Some((1, 1)),
    }));
    let frame = draw(&scene);
    shows(
        &frame,
        "
pane
   ╭────────╮
   │popup te│
   │two     │
   ╰────────╯
[in] 0:w*
",
    );
    assert_eq!((frame.cursor, frame.cell(5, 3).bg), (Some((5, 3)), Color::ansi(4)));
}

#[test]
fn display_panes_shows_numbers_and_sizes() {
    let a = Screen::new(&[]);
    let mut scene = scene(31, 8, vec![pane(0, (0, 0, 12, 7), &a), active(pane(12, (13, 0, 18, 7), &a))]);
    scene.overlays.push(Overlay::Numbers(Numbers { colour: Color::ansi(4), active_colour: Color::ansi(1) }));
    let frame = draw(&scene);
    let lit = |y: u16| frame.row(y).iter().map(|cell| if cell.bg.is_default() { '.' } else { '#' }).collect::<String>();
    assert_eq!(lit(1), "...#####............#.#####....");
    assert_eq!(lit(2), "...#...#............#.....#....");
    assert_eq!(lit(3), "...#...#............#.#####....");
    assert!(frame.text(0).ends_with("18x7") && frame.text(0).contains("12x7"));
    let mut tiny = self::scene(4, 2, vec![pane(7, (0, 0, 4, 1), &a)]);
    tiny.overlays.push(Overlay::Numbers(Numbers::default()));
    assert_eq!(draw(&tiny).text(0), " 7");
}

#[test]
fn a_floating_pane_lies_over_tiled_ones() {
    let (mut a, b) =
        (Screen::new(&["0123456789", "0123456789", "0123456789", "0123456789"]), Screen::new(&["flo", "at"]));
    let (mut seen, mut frame) = (Seen::default(), Frame::new(Size { cols: 12, rows: 5 }));
    for step in 0..2 {
        let float = PaneView { floating: Some(Floating::default()), ..active(pane(1, (3, 1, 4, 2), &b)) };
        compose(&scene(12, 5, vec![float, pane(0, (0, 0, 12, 4), &a)]), &mut seen, &mut frame);
        let first = if step == 0 { "01┌────┐89" } else { "xx┌────┐89" };
        assert_eq!(picture(&frame).lines().next(), Some(first));
        assert_eq!(picture(&frame).lines().nth(1), Some("01│flo │89"));
        a.write(0, "xx");
    }
}

#[test]
fn only_new_rows_are_copied() {
    let (mut a, mut b) = (Screen::new(&["one", "two"]), Screen::new(&["one", "two"]));
    let (mut seen, mut frame) = (Seen::default(), Frame::new(Size { cols: 20, rows: 4 }));
    fn scene<'a>(a: &'a Screen, b: &'a Screen) -> Scene<'a> {
        super::tests::scene(20, 4, vec![pane(0, (0, 0, 9, 3), a), active(pane(1, (10, 0, 10, 3), b))])
    }
    compose(&scene(&a, &b), &mut seen, &mut frame);
    let before = frame.clone();
    compose(&scene(&a, &b), &mut seen, &mut frame);
    assert!((0..4).all(|y| frame.stamp(y) == before.stamp(y)));
    a.write(1, "new");
    compose(&scene(&a, &b), &mut seen, &mut frame);
    let changed: Vec<u16> = (0..4).filter(|y| frame.stamp(*y) != before.stamp(*y)).collect();
    assert_eq!((changed, frame.text(1).as_str()), (vec![1], "new      xtwo"));
    assert!(!frame.wraps(2));
    // A held pane stays as it was, whatever its rows are meanwhile.
    b.write(0, "half");
    let mut held = scene(&a, &b);
    held.panes[1].held = true;
    compose(&held, &mut seen, &mut frame);
    assert_eq!(frame.text(0), "one      xone");
    drop(held);
    compose(&scene(&a, &b), &mut seen, &mut frame);
    assert_eq!(frame.text(0), "one      xhalf");
    // Another screen in the same pane is new in every row.
    let mode = Screen::new(&["mode"]);
    let mut other = scene(&a, &mode);
    other.panes[1].source = 1;
    compose(&other, &mut seen, &mut frame);
    assert_eq!((frame.text(0).as_str(), frame.text(1).as_str()), ("one      xmode", "new      x"));
}

#[test]
fn panes_have_colours_of_their_own() {
    let a = Screen::new(&["ab"]);
    let mut scene = scene(6, 2, vec![pane(0, (0, 0, 6, 1), &a)]);
    scene.panes[0].defaults = Style { fg: Color::ansi(3), bg: Color::ansi(4), ..Style::default() };
    scene.panes[0].dimmed = true;
    let frame = draw(&scene);
    assert_eq!((frame.cell(0, 0).fg, frame.cell(5, 0).bg), (Color::ansi(3), Color::ansi(4)));
    assert!(frame.cell(1, 0).attrs.contains(Attrs::DIM));
    let mut red = Screen::new(&[]);
    red.frame.put_str(0, 0, "x", Style { fg: Color::ansi(1), bg: Color::indexed(1), ..Style::default() });
    let mut other = self::scene(6, 2, vec![pane(0, (0, 0, 6, 1), &red)]);
    other.panes[0].palette = vec![(1, Color::rgb(1, 2, 3))];
    let cell = draw(&other).cell(0, 0);
    assert_eq!((cell.fg, cell.bg), (Color::rgb(1, 2, 3), Color::rgb(1, 2, 3)));
}

#[test]
fn a_held_picture_is_kept_when_all_is_drawn_again() {
    let (mut a, mut b) = (Screen::new(&["one"]), Screen::new(&["whole"]));
    let (mut seen, mut frame) = (Seen::default(), Frame::new(Size { cols: 20, rows: 4 }));
    for step in 0..3 {
        let mut scene = scene(20, 4, vec![pane(0, (0, 0, 9, 3), &a), active(pane(1, (10, 0, 10, 3), &b))]);
        scene.panes[1].held = step == 1;
        scene.panes[0].marked = step > 0;
        compose(&scene, &mut seen, &mut frame);
        let expected = [
            ("one      xwhole", "         x"),
            ("new      xwhole", "         x"),
            ("new      xhalf", "         xmore"),
        ];
        assert_eq!((frame.text(0).as_str(), frame.text(1).as_str()), expected[step]);
        a.write(0, "new");
        b.frame.fill(Rect { x: 0, y: 0, cols: 9, rows: 1 }, Cell::BLANK);
        b.write(0, "half");
        b.write(1, "more");
    }
}

#[test]
fn a_scrollbar_stands_beside_its_pane() {
    let a = Screen::new(&["abc"]);
    let style = Style { fg: Color::ansi(7), bg: Color::ansi(0), ..Style::default() };
    let bar = Scrollbar { left: false, width: 1, pad: 1, style, slider_top: 2, slider_rows: 1 };
    let mut scene = scene(12, 4, vec![pane(0, (0, 0, 4, 3), &a), pane(1, (7, 0, 5, 3), &a)]);
    scene.panes[0].scrollbar = Some(bar);
    let frame = draw(&scene);
    assert_eq!(picture(&frame).lines().next(), Some("abc   │abc"));
    assert_eq!((frame.cell(5, 1).bg, frame.cell(5, 2).bg), (Color::ansi(0), Color::ansi(7)));
}

fn line(cols: u16, runs: &[Run]) -> (String, Vec<Range>) {
    let mut frame = Frame::new(Size { cols, rows: 1 });
    let ranges = crate::status::draw_line(&mut frame, 0, 0, cols, Some(Style::default()), runs);
    (frame.text(0), ranges)
}

fn run(text: &str, align: Align, list: List) -> Run {
    Run { align, list, ..Run::new(text, Style::default()) }
}

#[test]
fn text_is_aligned() {
    let runs = [
        run("left", Align::Left, List::Off),
        run("mid", Align::Centre, List::Off),
        run("right", Align::Right, List::Off),
    ];
    assert_eq!(line(20, &runs).0, "left    mid    right");
    // The centre gives way first, then the right.
    assert_eq!(line(10, &runs).0, "leftiright");
    let middle = [runs[0].clone(), run("middle", Align::Centre, List::Off), runs[2].clone()];
    assert_eq!(line(12, &middle).0, "leftddlright"); // As tmux 3.7c shows it.
    assert_eq!(line(6, &runs).0, "leftht");
    assert_eq!(line(2, &runs).0, "le");
    assert_eq!(line(9, &[run("abs", Align::AbsoluteCentre, List::Off)]).0, "   abs");
}

#[test]
fn a_list_keeps_its_focus_in_view() {
    let list = |align| {
        [
            run("L ", Align::Left, List::Off),
            run("", align, List::On),
            run("<", align, List::LeftMarker),
            run(">", align, List::RightMarker),
            run("0:aa 1:bb ", align, List::On),
            run("2:cc", align, List::Focus),
            run(" 3:dd 4:ee", align, List::On),
            run("after", align, List::Off),
            run(" R", Align::Right, List::Off),
        ]
    };
    // As tmux 3.7c shows them.
    for (align, cols, shown) in [
        (Align::Left, 40, "L 0:aa 1:bb 2:cc 3:dd 4:eeafter        R"),
        (Align::Left, 28, "L < 1:bb 2:cc 3:dd 4>after R"),
        (Align::Left, 20, "L <b 2:cc 3:>after R"),
        (Align::Centre, 40, "L       0:aa 1:bb 2:cc 3:dd 4:eeafter  R"),
        (Align::Centre, 28, "L    < 1:bb 2:cc 3:dd 4>afte"),
        (Align::Centre, 20, "L    <b 2:cc 3:>afte"),
        (Align::Right, 40, "L        0:aa 1:bb 2:cc 3:dd 4:eeafter R"),
        (Align::Right, 28, "L < 1:bb 2:cc 3:dd 4>after R"),
        (Align::Right, 20, "L <b 2:cc 3:>after R"),
        (Align::AbsoluteCentre, 40, "L       0:aa 1:bb 2:cc 3:dd 4:eeafter  R"),
        (Align::AbsoluteCentre, 28, "L <aa 1:bb 2:cc 3:dd 4:eeaft"),
        (Align::AbsoluteCentre, 20, "L <:bb 2:cc 3:dd>aft"),
    ] {
        assert_eq!(line(cols, &list(align)).0, shown, "{align:?} {cols}");
    }
    for (align, cols) in
        [Align::Left, Align::Centre, Align::Right].into_iter().flat_map(|a| (0..50).map(move |c| (a, c)))
    {
        assert!(line(cols, &list(align)).0.chars().count() <= usize::from(cols));
    }
}

#[test]
fn ranges_say_where_to_click() {
    let window = |index, text| Run { range: Some(RangeKind::Window(index)), ..run(text, Align::Left, List::On) };
    let runs = [
        Run { range: Some(RangeKind::Left), ..run("[s] ", Align::Left, List::Off) },
        window(0, "0:a"),
        run(" ", Align::Left, List::On),
        window(1, "1:b"),
        run("", Align::Left, List::On),
        run("", Align::Left, List::Off),
    ];
    let (text, ranges) = line(30, &runs);
    assert_eq!(text, "[s] 0:a 1:b");
    let found = |column: u16| ranges.iter().find(|range| range.start <= column && column < range.end).map(|r| &r.kind);
    assert_eq!(found(4), Some(&RangeKind::Window(0)));
    assert_eq!(found(6), Some(&RangeKind::Window(0)));
    assert_eq!(found(8), Some(&RangeKind::Window(1)));
    assert_eq!(found(20), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_scene_panics(
        size in (0..30u16, 0..12u16),
        window in (0..40u16, 0..20u16),
        offset in (0..30u16, 0..20u16),
        places in prop::collection::vec((-5..35i32, -5..18i32, 0..40u16, 0..20u16, any::<bool>(), any::<bool>()), 0..5),
        kinds in (0..9usize, 0..4usize, 0..3usize, 0..3usize),
        lines in (0..7usize, any::<bool>(), any::<bool>()),
        overlay in (0..5usize, 0..40u16, 0..20u16, 0..40u16, 0..20u16),
        texts in prop::collection::vec("[a-z日é\u{301} ]{0,12}", 1..4),
    ) {
        let screen = Screen::new(&["text 日本語 text", "e\u{301}"]);
        let mut panes: Vec<_> = (0..).zip(&places).map(|(index, place)| {
            let mut pane = pane(index * 9, (place.0, place.1, place.2, place.3), &screen);
            (pane.floating, pane.marked, pane.active) = (place.4.then(Floating::default), place.5, index == 0);
            pane.scrollbar = place.5.then(|| Scrollbar { left: place.4, width: 1, pad: 1, ..Scrollbar::default() });
            pane.dimmed = place.5;
            pane
        }).collect();
        let all = [Lines::Single, Lines::Double, Lines::Heavy, Lines::Simple, Lines::Number, Lines::Spaces,
            Lines::Rounded, Lines::Padded, Lines::None];
        let aligns = [Align::Default, Align::Centre, Align::Right, Align::AbsoluteCentre];
        let runs: Vec<Run> = texts.iter().flat_map(|text| {
            [run(text, aligns[kinds.1], List::On), run(text, aligns[kinds.1], List::Focus), run(text, aligns[kinds.2], List::Off)]
        }).collect();
        panes.iter_mut().for_each(|pane| pane.status = runs.clone());
        let mut scene = scene(size.0, size.1, panes);
        scene.window = Size { cols: window.0, rows: window.1 };
        scene.offset = offset;
        scene.borders.lines = all[kinds.0];
        scene.borders.indicators = [Indicators::Off, Indicators::Colour, Indicators::Arrows, Indicators::Both][kinds.1];
        scene.borders.status = [PaneStatus::Off, PaneStatus::Top, PaneStatus::Bottom][kinds.2];
        scene.borders.split = [None, Some(Split::LeftRight), Some(Split::TopBottom)][kinds.3];
        scene.status = vec![StatusLine { base: GREEN, runs: runs.clone() }; lines.0.min(5)];
        scene.status_top = lines.1;
        scene.message = lines.2.then(|| Message {
            line: overlay.2, x: overlay.1, cols: overlay.3, runs: runs.clone(),
            input: Some(Input { text: texts.concat(), cursor: usize::from(overlay.4), quoting: lines.1 }), ..Message::default()
        });
        let rect = Rect { x: overlay.1, y: overlay.2, cols: overlay.3, rows: overlay.4 };
        match overlay.0 {
            0 => scene.overlays.push(Overlay::Numbers(Numbers::default())),
            1 => scene.overlays.push(Overlay::Menu(Menu {
                at: (rect.x, rect.y), width: rect.cols, lines: all[kinds.0], choice: Some(1),
                items: vec![MenuItem::Line, MenuItem::Item { runs: runs.clone(), disabled: lines.1 }], ..Menu::default()
            })),
            2 => scene.overlays.push(Overlay::Popup(Popup {
                rect, title: runs.clone(), lines: all[kinds.0], border: GREEN, defaults: GREEN, rows: &screen, cursor: Some((0, 0)),
            })),
            _ => {}
        }
        let (mut seen, mut frame) = (Seen::default(), Frame::new(Size { cols: 3, rows: 3 }));
        compose(&scene, &mut seen, &mut frame);
        prop_assert_eq!(frame.size(), scene.size);
        // Composing again changes nothing that is seen.
        let before = frame.clone();
        compose(&scene, &mut seen, &mut frame);
        for y in 0..frame.size().rows {
            let shown = |frame: &Frame| -> Vec<Cell> { frame.row(y).iter().map(|cell| Cell { ext: 0, ..*cell }).collect() };
            prop_assert_eq!(shown(&before), shown(&frame));
        }
        prop_assert_eq!(before.cursor, frame.cursor);
        if let Some((x, y)) = frame.cursor {
            prop_assert!(x < frame.size().cols && y < frame.size().rows);
        }
    }
}
