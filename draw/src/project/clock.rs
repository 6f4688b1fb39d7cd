//! A clock over a whole page: large digits in the middle, or the plain time where they don't fit.

use term::cell::Cell;
use term::frame::{Frame, Rect};
use term::style::{Color, Style};

/// Columns and rows of a digit.
const SIDE: u16 = 5;
/// Columns from one digit to the next.
const STEP: u16 = 6;

/// The bars of a digit: at the top, in the middle and at the bottom, then left and right, each above and below.
const TOP: u8 = 1;
const MIDDLE: u8 = 2;
const BOTTOM: u8 = 4;
const LEFT: u8 = 8 | 16;
const LEFT_ABOVE: u8 = 8;
const LEFT_BELOW: u8 = 16;
const RIGHT: u8 = 32 | 64;
const RIGHT_ABOVE: u8 = 32;
const RIGHT_BELOW: u8 = 64;

/// The bars of a character.
fn bars(character: char) -> Option<u8> {
    Some(match character {
        '0' => TOP | BOTTOM | LEFT | RIGHT,
        '1' => RIGHT,
        '2' => TOP | RIGHT_ABOVE | MIDDLE | LEFT_BELOW | BOTTOM,
        '3' => TOP | MIDDLE | BOTTOM | RIGHT,
        '4' => LEFT_ABOVE | MIDDLE | RIGHT,
        '5' => TOP | LEFT_ABOVE | MIDDLE | RIGHT_BELOW | BOTTOM,
        '6' => TOP | MIDDLE | BOTTOM | LEFT | RIGHT_BELOW,
        '7' => TOP | RIGHT,
        '8' => TOP | MIDDLE | BOTTOM | LEFT | RIGHT,
        '9' => TOP | MIDDLE | BOTTOM | LEFT_ABOVE | RIGHT,
        'A' => TOP | MIDDLE | LEFT | RIGHT,
        'P' => TOP | MIDDLE | LEFT | RIGHT_ABOVE,
        _ => return None,
    })
}

/// Whether a cell of a character is filled.
fn is_filled(character: char, x: u16, y: u16) -> bool {
    match character {
        ':' => x == 2 && (y == 1 || y == 3),
        'M' => x == 0 || x == 4 || (y == 1 && x != 2) || (y == 2 && x == 2),
        character => {
            let bars = bars(character).unwrap_or(0);
            let across = [(0, TOP), (2, MIDDLE), (4, BOTTOM)];
            let down = [(0, LEFT_ABOVE, LEFT_BELOW), (4, RIGHT_ABOVE, RIGHT_BELOW)];
            across.iter().any(|(row, bar)| *row == y && bars & bar != 0)
                || down.iter().any(|(column, above, below)| {
                    *column == x && ((y <= 2 && bars & above != 0) || (y >= 2 && bars & below != 0))
                })
        }
    }
}

/// Draws the time over a whole page.
pub(super) fn draw(frame: &mut Frame, text: &str, colour: Color) {
    let size = frame.size();
    frame.fill(Rect { x: 0, y: 0, cols: size.cols, rows: size.rows }, Cell::BLANK);
    let length = u16::try_from(text.chars().count()).unwrap_or(u16::MAX);
    if size.cols < length.saturating_mul(STEP) || size.rows < STEP {
        if size.cols >= length && size.rows > 0 {
            let style = Style { fg: colour, ..Style::default() };
            frame.put_str(size.cols / 2 - length / 2, size.rows / 2, text, style);
        }
        return;
    }
    let style = Style { fg: colour, bg: colour, ..Style::default() };
    let (left, top) = (size.cols / 2 - length * STEP / 2, size.rows / 2 - STEP / 2);
    for (at, character) in (0..).zip(text.chars()) {
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            if is_filled(character, x, y) {
                frame.put_str(left + at * STEP + x, top + y, "#", style);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(text: &str, cols: u16, rows: u16) -> Vec<String> {
        let mut frame = Frame::new(term::Size { cols, rows });
        draw(&mut frame, text, Color::ansi(4));
        let row = |y| {
            let mut row = String::new();
            frame.row(y).iter().for_each(|cell| frame.push_text(*cell, &mut row));
            row.trim_end().to_owned()
        };
        (0..rows).map(row).collect()
    }

    // From tmux 3.7c.
    #[test]
    fn digits_are_large_where_they_fit() {
        let lines = [
            "      #     #       ##### #####       ##### #####       ##### #   #",
            "      #     #   #       #     #   #       # #   #       #   # ## ##",
            "      #     #       #####     #       ##### #####       ##### # # #",
            "      #     #   #       #     #   #   #         #       #     #   #",
            "      #     #       #####     #       ##### #####       #     #   #",
        ];
        let shown = picture("11:37:29 PM", 70, 11);
        assert_eq!(shown[2..7], lines);
        assert!(shown[..2].iter().chain(&shown[7..]).all(String::is_empty));
        let digits = picture("0456 8A", 42, 6);
        assert_eq!(digits[1], "#   # #   # #     #           #   # #   #");
        assert_eq!(digits[3], "#   #     #     # #   #       #   # #   #");
        assert_eq!(digits[4], "#####     # ##### #####       ##### #   #");
    }

    #[test]
    fn the_time_is_plain_where_there_is_little_room() {
        assert_eq!(picture("12:34", 20, 5), ["", "", "        12:34", "", ""]);
        assert_eq!(picture("12:34", 4, 2), ["", ""]);
    }
}
