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

/// Where wezterm differs from tmux on purpose, and we follow tmux: what, why, and bytes that show it.
///
/// The generator leaves these out.
const KNOWN: &[(&str, &str, &str)] = &[];

fn fresh() -> Terminal {
    Terminal::new(Size { cols: COLUMNS, rows: ROWS }, 100)
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
        cells.filter(|seen| !seen.is_plain_blank()).collect()
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

/// Runs `check` on every stream, on two threads; at most ten failures are told.
fn on_random_streams(check: fn(u64, &[u8]) -> Option<String>) {
    let half = |first: u64| {
        let seeds = (first..STREAMS).step_by(2);
        let failures = seeds.filter_map(|seed| {
            let bytes = random::stream(seed, PIECES);
            check(seed, &bytes).map(|what| (seed, bytes.len(), what, bytes.escape_ascii().to_string()))
        });
        failures.collect::<Vec<_>>()
    };
    let failures = std::thread::scope(|scope| {
        let even = scope.spawn(|| half(0));
        let mut failures = half(1);
        failures.extend(even.join().unwrap());
        failures
    });
    let mut text = String::new();
    for (seed, _, what, bytes) in failures.iter().take(10) {
        text += &format!("seed {seed}: {what}\n  {bytes}\n");
    }
    assert!(failures.is_empty(), "{} of {STREAMS} streams differ\n{text}", failures.len());
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
    for (name, reason, bytes) in KNOWN {
        assert!(!reason.is_empty(), "{name} has no reason");
        let bytes = bytes.as_bytes();
        let difference = first_difference(&wezterm_rows(&wezterm(bytes)), &ours::rows(&played(bytes)));
        assert!(difference.is_some(), "{name} is no longer a difference");
    }
}
