//! Colours brought down to fewer: 24 bits to xterm's 256, those to 16, those to 8, and colour to reverse.

use super::Colors;
use crate::style::{Attrs, Color, ColorKind, Style};

/// The levels of the 6x6x6 cube.
const CUBE: [u8; 6] = [0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff];

/// xterm's first sixteen colours.
const SIXTEEN: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

fn distance(a: (u8, u8, u8), b: (u8, u8, u8)) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    square(a.0, b.0) + square(a.1, b.1) + square(a.2, b.2)
}

/// The step of the cube nearest to a level.
fn step(level: u8) -> u8 {
    match level {
        0..48 => 0,
        48..114 => 1,
        _ => (level - 35) / 40,
    }
}

/// The nearest of the 256 colours: one of the cube, or a grey where that is nearer.
pub fn nearest_256(r: u8, g: u8, b: u8) -> u8 {
    let (sr, sg, sb) = (step(r), step(g), step(b));
    let cube = (CUBE[usize::from(sr)], CUBE[usize::from(sg)], CUBE[usize::from(sb)]);
    let in_cube = 16 + 36 * sr + 6 * sg + sb;
    let average = ((u32::from(r) + u32::from(g) + u32::from(b)) / 3) as u8;
    let shade = if average > 238 { 23 } else { average.saturating_sub(3) / 10 };
    let grey = 8 + 10 * shade;
    if cube != (r, g, b) && distance((grey, grey, grey), (r, g, b)) < distance(cube, (r, g, b)) {
        232 + shade
    } else {
        in_cube
    }
}

/// Red, green and blue of one of the 256 colours, as xterm has them by default.
pub fn rgb_of_index(index: u8) -> (u8, u8, u8) {
    match index {
        0..16 => SIXTEEN[usize::from(index)],
        16..232 => {
            let at = |divisor| CUBE[usize::from((index - 16) / divisor % 6)];
            (at(36), at(6), at(1))
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    }
}

/// The nearest of the sixteen colours to one of the 256.
pub fn nearest_16(index: u8) -> u8 {
    if index < 16 {
        return index;
    }
    let rgb = rgb_of_index(index);
    (0..16).min_by_key(|n| distance(SIXTEEN[usize::from(*n)], rgb)).unwrap_or(0)
}

/// The nearest colour that is there, and whether it should be bold because its bright form is not.
pub(super) fn reduce(color: Color, colors: Colors) -> (Color, bool) {
    let color = match color.kind() {
        _ if colors == Colors::None => return (Color::DEFAULT, false),
        ColorKind::Rgb(r, g, b) if colors < Colors::Rgb => Color::indexed(nearest_256(r, g, b)),
        _ => color,
    };
    let color = match color.kind() {
        ColorKind::Indexed(n) if colors < Colors::Indexed => Color::ansi(nearest_16(n)),
        _ => color,
    };
    match color.kind() {
        ColorKind::Ansi(n) if n > 7 && colors < Colors::Sixteen => (Color::ansi(n - 8), true),
        _ => (color, false),
    }
}

/// Keeps text readable when black and grey, or grey and white, have become one: only where so few colours are left.
pub(super) fn apart(fg: Color, bg: Color, colors: Colors) -> Color {
    if colors != Colors::Eight || fg != bg {
        return fg;
    }
    match fg.kind() {
        ColorKind::Ansi(0) => Color::ansi(7),
        ColorKind::Ansi(7) => Color::ansi(0),
        _ => fg,
    }
}

/// On a terminal without colours a background shows as reverse, and reverse of coloured text as plain.
pub(super) fn as_reverse(style: Style) -> Style {
    let mut style = style;
    let set = |color: Color, plain| !color.is_default() && color != Color::ansi(plain);
    if style.attrs.contains(Attrs::REVERSE) {
        if set(style.fg, 7) {
            style.attrs.remove(Attrs::REVERSE);
        }
    } else if set(style.bg, 0) {
        style.attrs |= Attrs::REVERSE;
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_256_is_tmux_choice() {
        // Pairs as tmux 3.7 gives them.
        for (rgb, index) in [
            ((0, 0, 0), 16),
            ((255, 255, 255), 231),
            ((255, 0, 0), 196),
            ((8, 8, 8), 232),
            ((128, 128, 128), 244),
            ((95, 135, 175), 67),
            ((240, 240, 238), 255),
        ] {
            assert_eq!(nearest_256(rgb.0, rgb.1, rgb.2), index, "{rgb:?}");
        }
    }

    #[test]
    fn every_colour_comes_down() {
        assert_eq!(reduce(Color::rgb(255, 0, 0), Colors::Rgb), (Color::rgb(255, 0, 0), false));
        assert_eq!(reduce(Color::rgb(255, 0, 0), Colors::Indexed), (Color::indexed(196), false));
        assert_eq!(reduce(Color::rgb(255, 0, 0), Colors::Sixteen), (Color::ansi(9), false));
        assert_eq!(reduce(Color::rgb(255, 0, 0), Colors::Eight), (Color::ansi(1), true));
        assert_eq!(reduce(Color::rgb(255, 0, 0), Colors::None), (Color::DEFAULT, false));
        for index in 0..=255 {
            assert!(nearest_16(index) < 16);
        }
    }
}
