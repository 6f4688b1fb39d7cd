//! Random streams against termwiz's parser and wezterm's screen, and against themselves cut in pieces.

use super::ours::{self, Hue, Seen};
use super::random::{self, Random};
use std::sync::Arc;
use term::{Size, Terminal};
use wezterm_term::color::{ColorAttribute, ColorPalette};
use wezterm_term::{Blink, Intensity, TerminalConfiguration, TerminalSize, Underline};

const COLUMNS: u16 = 26;
const ROWS: u16 = 10;
const STREAMS: u64 = 10_000;
const PIECES: u32 = 40;
const TOLD: usize = 10;

/// Where wezterm differs from tmux on purpose, and we follow tmux: what, why, and bytes that show it.
///
/// The generator leaves these out.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "a line that scrolls in by wrapping",
        "tmux fills it with the terminal's own background, wezterm with the pen's",
        "\x1b[10;1H\x1b[44mabcdefghijklmnopqrstuvwxyz0",
    ),
    ("lines inserted outside the region", "tmux does it, wezterm does not", "abc\x1b[2;8r\x1b[1;1H\x1b[L"),
    ("cells inserted outside the region", "tmux does it, wezterm does not", "abc\x1b[3;8r\x1b[1;1H\x1b[2@"),
    ("cells inserted with a background", "tmux fills them with it, wezterm does not", "abc\r\x1b[44m\x1b[2@"),
    (
        "more cells inserted than half of the rest of a full line",
        "tmux clears only as many as it has moved",
        "abcdefghijklmnopqrstuvwxyz\x1b[1;17H\x1b[6@",
    ),
    (
        "moves with the cursor beyond the last column",
        "tmux counts from beyond it, wezterm from the last column",
        "abcdefghijklmnopqrstuvwxyz\x1b[2Dx",
    ),
    (
        "cells deleted with the cursor beyond the last column",
        "tmux deletes none there, wezterm the last",
        "abcdefghijklmnopqrstuvwxyz\x1b[P",
    ),
    (
        "a backspace in the first column of a wrapped line",
        "tmux goes back to the line before",
        "abcdefghijklmnopqrstuvwxyzA\r\x08X",
    ),
    ("a wide character in the last column", "tmux wraps before it, wezterm lets it stick out", "\x1b[1;26H日"),
    ("the right half of a wide character erased", "tmux keeps the left half, wezterm does not", "日\x1b[1;2H\x1b[K"),
    ("bold and dim together", "tmux has both, in wezterm the later one wins", "\x1b[1;2mx"),
    ("relative moves HPR and VPR", "tmux does not know them", "\x1b[5a\x1b[2ex"),
    ("a cursor put beyond the last column", "tmux puts it in the last, wezterm beyond it", "\x1b[1;40Hab"),
    ("line drawing", "tmux keeps the character and marks the cell", "\x1b(0qx\x1b(B"),
    ("a variation selector for emoji", "in tmux it makes the character wide", "❤\u{fe0f}a"),
    ("a soft hyphen", "they disagree on its width", "a\u{ad}b"),
    ("a zero-width space", "they disagree on its width", "a\u{200b}b"),
];

fn fresh() -> Terminal {
    ours::as_tmux(Size { cols: COLUMNS, rows: ROWS }, 100)
}

fn played(bytes: &[u8]) -> Terminal {
    let mut terminal = fresh();
    terminal.feed(bytes);
    terminal
}

#[derive(Debug)]
struct Config;

impl TerminalConfiguration for Config {
    fn color_palette(&self) -> ColorPalette {
        ColorPalette::default()
    }
}

fn wezterm(bytes: &[u8]) -> wezterm_term::Terminal {
    let (rows, cols) = (usize::from(ROWS), usize::from(COLUMNS));
    let size = TerminalSize { rows, cols, pixel_width: 0, pixel_height: 0, dpi: 0 };
    let mut terminal = wezterm_term::Terminal::new(size, Arc::new(Config), "test", "1", Box::new(std::io::sink()));
    terminal.advance_bytes(bytes);
    terminal
}

fn hue(color: ColorAttribute) -> Hue {
    match color {
        ColorAttribute::Default => Hue::Own,
        ColorAttribute::PaletteIndex(number) => Hue::Palette(number),
        ColorAttribute::TrueColorWithDefaultFallback(rgb) | ColorAttribute::TrueColorWithPaletteFallback(rgb, _) => {
            let (red, green, blue, _) = rgb.to_srgb_u8();
            Hue::Rgb(red, green, blue)
        }
    }
}

fn wezterm_rows(terminal: &wezterm_term::Terminal) -> Vec<Vec<Seen>> {
    let screen = terminal.screen();
    let lines = screen.lines_in_phys_range(screen.phys_range(&(0..i64::from(ROWS))));
    let row = |line: &wezterm_term::Line| {
        let cells = line.visible_cells().map(|cell| {
            let attrs = cell.attrs();
            let flags = [
                attrs.intensity() == Intensity::Bold,
                attrs.intensity() == Intensity::Half,
                attrs.italic(),
                attrs.blink() != Blink::None,
                attrs.reverse(),
                attrs.invisible(),
                attrs.strikethrough(),
                attrs.overline(),
            ];
            let underline = match attrs.underline() {
                Underline::None => 0,
                Underline::Single => 1,
                Underline::Double => 2,
                Underline::Curly => 3,
                Underline::Dotted => 4,
                Underline::Dashed => 5,
            };
            Seen {
                column: cell.cell_index(),
                text: cell.str().into(),
                fg: hue(attrs.foreground()),
                bg: hue(attrs.background()),
                attributes: (flags, underline),
            }
        });
        // wezterm's rows can be longer than the screen.
        cells.filter(|seen| seen.column < usize::from(COLUMNS)).filter_map(Seen::comparable).collect()
    };
    lines.iter().map(row).collect()
}

/// The first row in which the two differ.
fn first_difference(theirs: &[Vec<Seen>], ours: &[Vec<Seen>]) -> Option<String> {
    let mut pairs = theirs.iter().zip(ours).enumerate();
    let (y, (theirs, ours)) = pairs.find(|(_, (theirs, ours))| theirs != ours)?;
    let at = theirs.iter().zip(ours).position(|(theirs, ours)| theirs != ours).unwrap_or(theirs.len().min(ours.len()));
    Some(format!("row {y}, cell {at}\n  theirs {:?}\n  ours   {:?}", theirs.get(at), ours.get(at)))
}

/// Runs `check` on every stream, on two threads. Ten failures are told, each with the shortest beginning that shows it.
fn on_random_streams(check: fn(u64, &[u8]) -> Option<String>) {
    let half = |first: u64| {
        let seeds = (first..STREAMS).step_by(2);
        seeds.filter(|&seed| check(seed, &random::stream(seed, PIECES)).is_some()).collect::<Vec<_>>()
    };
    let failures = std::thread::scope(|scope| {
        let even = scope.spawn(|| half(0));
        let mut failures = half(1);
        failures.extend(even.join().unwrap());
        failures
    });
    let shortest = |seed: u64| {
        let beginnings = (1..=PIECES).map(|pieces| random::stream(seed, pieces));
        let mut failing = beginnings.filter_map(|bytes| check(seed, &bytes).map(|what| (bytes, what)));
        failing.next().map_or_else(String::new, |(bytes, what)| format!("{what}\n  {}\n", bytes.escape_ascii()))
    };
    let told: String = failures.iter().take(TOLD).map(|&seed| format!("seed {seed}: {}", shortest(seed))).collect();
    assert!(failures.is_empty(), "{} of {STREAMS} streams differ\n{told}", failures.len());
}

#[test]
fn our_screen_and_wezterms_agree() {
    on_random_streams(|_, bytes| first_difference(&wezterm_rows(&wezterm(bytes)), &ours::rows(&played(bytes))));
}

/// termwiz's actions, written out again, must mean to us what the stream itself did.
#[test]
fn our_parser_and_termwizs_agree() {
    on_random_streams(|_, bytes| {
        let actions = termwiz::escape::parser::Parser::new().parse_as_vec(bytes);
        let written: String = actions.iter().map(ToString::to_string).collect();
        let (ours, theirs) = (played(bytes), played(written.as_bytes()));
        let cursor = (ours.cursor() != theirs.cursor()).then(|| "the cursor".to_owned());
        cursor.or_else(|| first_difference(&ours::rows(&theirs), &ours::rows(&ours)))
    });
}

/// Where a stream is cut by a read makes no difference.
#[test]
fn a_stream_in_pieces_is_the_stream() {
    on_random_streams(|seed, bytes| {
        let mut random = Random::new(seed);
        let mut terminal = fresh();
        let mut rest = bytes;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.len().min(1 + random.below(9) as usize));
            terminal.feed(piece);
            rest = after;
        }
        first_difference(&ours::rows(&played(bytes)), &ours::rows(&terminal))
    });
}

#[test]
fn known_differences_still_differ() {
    let mut gone = Vec::new();
    for (name, reason, bytes) in KNOWN {
        assert!(!reason.is_empty(), "{name} has no reason");
        let bytes = bytes.as_bytes();
        if first_difference(&wezterm_rows(&wezterm(bytes)), &ours::rows(&played(bytes))).is_none() {
            gone.push(name);
        }
    }
    assert!(gone.is_empty(), "no longer differ, take them out of the table: {gone:?}");
}
