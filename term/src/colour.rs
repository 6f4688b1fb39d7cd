//! Colours by name and number, as programs write them in OSC sequences.

use crate::style::{Color, ColorKind};
use termwiz::color::SrgbaTuple;

/// The colour a program means (XParseColor's forms that tmux takes): `rgb:rr/gg/bb` with two or four digits each,
/// `#rrggbb`, `#rrrrggggbbbb`, `r,g,b`, `cmyk:`, `cmy:`, a grey level or an X11 name.
pub fn parse(text: &str) -> Option<Color> {
    by_digits(text).or_else(|| by_ink(text)).or_else(|| by_name(text.trim_matches(' ')))
}

fn by_digits(text: &str) -> Option<Color> {
    let split = |text: &str, len: usize| -> Option<[u32; 3]> {
        let mut parts = [0; 3];
        for (i, part) in parts.iter_mut().enumerate() {
            let digits = text.get(i * len..(i + 1) * len)?;
            if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            *part = u32::from_str_radix(digits, 16).ok()?;
        }
        Some(parts)
    };
    let rgb = |parts: [u32; 3], shift: u32| {
        let [r, g, b] = parts.map(|part| (part >> shift) as u8);
        Color::rgb(r, g, b)
    };
    if let Some(digits) = text.strip_prefix("rgb:") {
        let compact: String = digits.chars().filter(|&c| c != '/').collect();
        let slashes = digits.bytes().filter(|&byte| byte == b'/').count();
        return match (digits.len(), slashes) {
            (8, 2) => split(&compact, 2).map(|parts| rgb(parts, 0)),
            (14, 2) => split(&compact, 4).map(|parts| rgb(parts, 8)),
            _ => None,
        };
    }
    if let Some(digits) = text.strip_prefix('#') {
        return match digits.len() {
            6 => split(digits, 2).map(|parts| rgb(parts, 0)),
            12 => split(digits, 4).map(|parts| rgb(parts, 8)),
            _ => None,
        };
    }
    let mut parts = text.split(',').map(|part| part.parse::<i32>().ok().map(|value| value as u8));
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(Some(r)), Some(Some(g)), Some(Some(b)), None) => Some(Color::rgb(r, g, b)),
        _ => None,
    }
}

fn by_ink(text: &str) -> Option<Color> {
    let (inks, want) = match text.strip_prefix("cmyk:") {
        Some(inks) => (inks, 4),
        None => (text.strip_prefix("cmy:")?, 3),
    };
    let mut values = Vec::new();
    for ink in inks.split('/') {
        let value: f64 = ink.parse().ok()?;
        if !(0.0..=1.0).contains(&value) || values.len() == want {
            return None;
        }
        values.push(value);
    }
    if values.len() != want {
        return None;
    }
    let black = values.get(3).copied().unwrap_or(0.0);
    let part = |ink: f64| ((1.0 - ink) * (1.0 - black) * 255.0) as u8;
    Some(Color::rgb(part(values[0]), part(values[1]), part(values[2])))
}

fn by_name(name: &str) -> Option<Color> {
    let lower = name.to_ascii_lowercase();
    if let Some(level) = lower.strip_prefix("grey").or_else(|| lower.strip_prefix("gray")) {
        if level.is_empty() {
            return Some(Color::rgb(0xbe, 0xbe, 0xbe));
        }
        let level = level.parse::<u32>().ok().filter(|level| *level <= 100)?;
        let part = (2.55 * f64::from(level)).round() as u8;
        return Some(Color::rgb(part, part, part));
    }
    if matches!(lower.as_str(), "transparent" | "none" | "clear") {
        return None;
    }
    let SrgbaTuple(r, g, b, _) = SrgbaTuple::from_named(&lower)?;
    let part = |value: f32| (value * 255.0).round() as u8;
    Some(Color::rgb(part(r), part(g), part(b)))
}

/// Red, green and blue of a colour; `None` for the terminal's own.
pub fn to_rgb(colour: Color) -> Option<(u8, u8, u8)> {
    const SIXTEEN: [u32; 16] = [
        0x000000, 0x800000, 0x008000, 0x808000, 0x000080, 0x800080, 0x008080, 0xc0c0c0, 0x808080, 0xff0000, 0x00ff00,
        0xffff00, 0x0000ff, 0xff00ff, 0x00ffff, 0xffffff,
    ];
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let sixteen = |n: u8| {
        let [_, r, g, b] = SIXTEEN[n as usize & 15].to_be_bytes();
        (r, g, b)
    };
    match colour.kind() {
        ColorKind::Default => None,
        ColorKind::Rgb(r, g, b) => Some((r, g, b)),
        ColorKind::Ansi(n) | ColorKind::Indexed(n @ 0..16) => Some(sixteen(n)),
        ColorKind::Indexed(n @ 16..=231) => {
            let n = n as usize - 16;
            Some((STEPS[n / 36], STEPS[n / 6 % 6], STEPS[n % 6]))
        }
        ColorKind::Indexed(n) => {
            let grey = 8 + 10 * (n - 232);
            Some((grey, grey, grey))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_tmux_reads_them() {
        for (text, colour) in [
            ("rgb:12/34/ab", Some((0x12, 0x34, 0xab))),
            ("rgb:1200/34ff/abcd", Some((0x12, 0x34, 0xab))),
            ("#ff0080", Some((255, 0, 128))),
            ("#ffff00008080", Some((255, 0, 128))),
            ("1,2,3", Some((1, 2, 3))),
            ("Red", Some((255, 0, 0))),
            ("  dark blue ", Some((0, 0, 139))),
            ("grey50", Some((127, 127, 127))),
            ("gray", Some((190, 190, 190))),
            ("cmy:0/1/1", Some((255, 0, 0))),
            ("none", None),
            ("rgb:1/2/3", None),
            ("#é0", None),
            ("", None),
        ] {
            assert_eq!(parse(text).and_then(to_rgb), colour, "{text}");
        }
    }

    #[test]
    fn numbers_have_their_usual_colours() {
        assert_eq!(to_rgb(Color::indexed(196)), Some((255, 0, 0)));
        assert_eq!(to_rgb(Color::indexed(244)), Some((128, 128, 128)));
        assert_eq!(to_rgb(Color::ansi(9)), Some((255, 0, 0)));
        assert_eq!(to_rgb(Color::DEFAULT), None);
    }
}
