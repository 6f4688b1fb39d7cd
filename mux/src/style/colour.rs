//! Colours by name and number, and the palette they stand for.

use crate::number::number;
use std::fmt;
use term::style::{Color, ColorKind};
use termwiz::color::SrgbaTuple;

/// A colour as a style names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Colour {
    /// `default`: what is below.
    #[default]
    Default,
    /// `terminal`: the terminal's own, whatever is below.
    Terminal,
    /// A colour; never the default one.
    Color(Color),
}

/// How many colours a terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Depth {
    /// The sixteen.
    Sixteen,
    /// 256.
    Palette,
    /// Any.
    #[default]
    Full,
}

const NAMES: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/// The sixteen colours as xterm shows them.
const SIXTEEN: [u32; 16] = [
    0x000000, 0x800000, 0x008000, 0x808000, 0x000080, 0x800080, 0x008080, 0xc0c0c0, 0x808080, 0xff0000, 0x00ff00,
    0xffff00, 0x0000ff, 0xff00ff, 0x00ffff, 0xffffff,
];

/// A colour of the theme: its name, the options that say what it is where the terminal is dark and where it is light, and
/// which of the sixteen it is elsewhere.
pub(crate) struct ThemeColour {
    pub(crate) name: &'static str,
    pub(crate) dark: &'static str,
    pub(crate) light: &'static str,
    ansi: u8,
}

const fn themed(name: &'static str, dark: &'static str, light: &'static str, ansi: u8) -> ThemeColour {
    ThemeColour { name, dark, light, ansi }
}

/// The colours of the theme.
pub(crate) const THEME_COLOURS: [ThemeColour; 10] = [
    themed("themeblack", "dark-theme-black", "light-theme-black", 0),
    themed("themewhite", "dark-theme-white", "light-theme-white", 7),
    themed("themelightgrey", "dark-theme-light-grey", "light-theme-light-grey", 7),
    themed("themedarkgrey", "dark-theme-dark-grey", "light-theme-dark-grey", 0),
    themed("themegreen", "dark-theme-green", "light-theme-green", 2),
    themed("themeyellow", "dark-theme-yellow", "light-theme-yellow", 3),
    themed("themered", "dark-theme-red", "light-theme-red", 1),
    themed("themeblue", "dark-theme-blue", "light-theme-blue", 4),
    themed("themecyan", "dark-theme-cyan", "light-theme-cyan", 6),
    themed("thememagenta", "dark-theme-magenta", "light-theme-magenta", 5),
];

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

impl Colour {
    /// Reads `#rrggbb`, `colourN`, `default`, `terminal`, a name of the sixteen or its SGR number, or an X11 name.
    pub fn parse(text: &str) -> Option<Colour> {
        if text.len() == 7 && text.starts_with('#') {
            let digits = &text[1..];
            let value =
                digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())??;
            return Some(from_rgb(value));
        }
        for prefix in ["colour", "color"] {
            if starts_with(text, prefix) {
                let index = number(&text[prefix.len()..], 0, 255).ok()?;
                return Some(Colour::Color(Color::indexed(index as u8)));
            }
        }
        if text.eq_ignore_ascii_case("default") {
            return Some(Colour::Default);
        }
        if text.eq_ignore_ascii_case("terminal") {
            return Some(Colour::Terminal);
        }
        // What a terminal is shown in its place only drawing for that one knows.
        if let Some(row) = THEME_COLOURS.iter().find(|row| row.name.eq_ignore_ascii_case(text)) {
            return Some(Colour::Color(Color::ansi(row.ansi)));
        }
        sixteen(text).map(|index| Colour::Color(Color::ansi(index))).or_else(|| by_x11_name(text))
    }

    /// The red, green and blue that xterm shows for it; `None` for `default` and `terminal`.
    pub fn rgb(self) -> Option<u32> {
        let Colour::Color(color) = self else { return None };
        match color.kind() {
            ColorKind::Default => None,
            ColorKind::Ansi(index) => Some(SIXTEEN[usize::from(index & 15)]),
            ColorKind::Indexed(index) => Some(palette(index)),
            ColorKind::Rgb(red, green, blue) => Some(u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue)),
        }
    }

    /// What a terminal is sent for it as a foreground or background.
    pub fn escape(self, background: bool, depth: Depth) -> Option<String> {
        let base = if background { 40 } else { 30 };
        let Colour::Color(color) = self else { return Some(format!("\x1b[{}m", base + 9)) };
        let kind = match (color.kind(), depth) {
            (ColorKind::Rgb(..), Depth::Palette) => ColorKind::Indexed(nearest(self.rgb()?, 16..=255)),
            (ColorKind::Rgb(..) | ColorKind::Indexed(_), Depth::Sixteen) => {
                ColorKind::Ansi(nearest(self.rgb()?, 0..=15))
            }
            (kind, _) => kind,
        };
        Some(match kind {
            ColorKind::Default => format!("\x1b[{}m", base + 9),
            ColorKind::Ansi(index @ 0..8) => format!("\x1b[{}m", base + index),
            ColorKind::Ansi(index) => format!("\x1b[{}m", base + 60 + (index & 7)),
            ColorKind::Indexed(index) => format!("\x1b[{};5;{index}m", base + 8),
            ColorKind::Rgb(red, green, blue) => format!("\x1b[{};2;{red};{green};{blue}m", base + 8),
        })
    }

    /// The colour of a cell.
    pub fn of_cell(self) -> Color {
        match self {
            Colour::Default | Colour::Terminal => Color::DEFAULT,
            Colour::Color(color) => color,
        }
    }

    /// The name of a cell's colour.
    pub fn from_cell(color: Color) -> Colour {
        if color.is_default() { Colour::Default } else { Colour::Color(color) }
    }
}

/// The colour of the palette that is nearest to another.
fn nearest(value: u32, among: std::ops::RangeInclusive<u8>) -> u8 {
    let parts = |value: u32| [value >> 16 & 255, value >> 8 & 255, value & 255];
    let distance =
        |other: u32| -> u32 { parts(value).into_iter().zip(parts(other)).map(|(a, b)| a.abs_diff(b).pow(2)).sum() };
    among.min_by_key(|index| distance(palette(*index))).unwrap_or(0)
}

fn from_rgb(value: u32) -> Colour {
    Colour::Color(Color::rgb((value >> 16) as u8, (value >> 8) as u8, value as u8))
}

/// One of the sixteen by name or by the number SGR has for it (0 to 7, 90 to 97).
fn sixteen(text: &str) -> Option<u8> {
    (0..8u8).find_map(|index| {
        let name = NAMES[usize::from(index)];
        let digit = char::from(b'0' + index);
        let is_digit = |text: &str| text.chars().eq([digit]);
        if text.eq_ignore_ascii_case(name) || is_digit(text) {
            return Some(index);
        }
        let bright = starts_with(text, "bright") && text[6..].eq_ignore_ascii_case(name);
        (bright || text.strip_prefix('9').is_some_and(is_digit)).then_some(index + 8)
    })
}

fn by_x11_name(text: &str) -> Option<Colour> {
    if starts_with(text, "grey") || starts_with(text, "gray") {
        if text.len() == 4 {
            return Some(from_rgb(0x00be_bebe));
        }
        let level = number(&text[4..], 0, 100).ok()?;
        let level = (2.55 * level as f64).round() as u8;
        return Some(Colour::Color(Color::rgb(level, level, level)));
    }
    // The table behind it knows names that are no colours; they are black there.
    if ["clear", "none", "transparent"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
        return None;
    }
    let (red, green, blue, _) = SrgbaTuple::from_named(text)?.to_srgb_u8();
    Some(Colour::Color(Color::rgb(red, green, blue)))
}

/// Colour `index` of the 256: the sixteen, a cube of six levels, 24 greys.
fn palette(index: u8) -> u32 {
    match index {
        0..=15 => SIXTEEN[usize::from(index)],
        16..=231 => {
            let level = |step: u8| if step == 0 { 0 } else { 0x37 + 0x28 * u32::from(step) };
            let cube = index - 16;
            level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6)
        }
        232..=255 => (8 + 10 * u32::from(index - 232)) * 0x0001_0101,
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = match self {
            Colour::Default => return f.write_str("default"),
            Colour::Terminal => return f.write_str("terminal"),
            Colour::Color(color) => color,
        };
        match color.kind() {
            ColorKind::Default => f.write_str("default"),
            ColorKind::Ansi(index) => {
                let bright = if index >= 8 { "bright" } else { "" };
                write!(f, "{bright}{}", NAMES[usize::from(index & 7)])
            }
            ColorKind::Indexed(index) => write!(f, "colour{index}"),
            ColorKind::Rgb(red, green, blue) => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Option<String> {
        Colour::parse(text).map(|colour| colour.to_string())
    }

    #[test]
    fn colours_are_read_and_printed() {
        for (text, expected) in [
            ("red", "red"),
            ("RED", "red"),
            ("1", "red"),
            ("brightRed", "brightred"),
            ("91", "brightred"),
            ("colour12", "colour12"),
            ("color12", "colour12"),
            ("#Ff0080", "#ff0080"),
            ("default", "default"),
            ("terminal", "terminal"),
            ("AliceBlue", "#f0f8ff"),
            ("alice blue", "#f0f8ff"),
            ("grey", "#bebebe"),
            ("gray50", "#7f7f7f"),
            ("grey100", "#ffffff"),
            ("orange", "#ffa500"),
        ] {
            assert_eq!(printed(text).as_deref(), Some(expected), "{text}");
        }
        for bad in [
            "",
            "#12345",
            "#gggggg",
            "#+12345",
            "colour256",
            "colour",
            "grey101",
            "8",
            "98",
            "clear",
            "none",
            "transparent",
            "nope",
            "é",
        ] {
            assert_eq!(printed(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_colour_has_a_value_to_show() {
        assert_eq!(Colour::parse("colour21").unwrap().rgb(), Some(0x0000ff));
        assert_eq!(Colour::parse("colour110").unwrap().rgb(), Some(0x87afd7));
        assert_eq!(Colour::parse("colour255").unwrap().rgb(), Some(0xeeeeee));
        assert_eq!(Colour::parse("brightblack").unwrap().rgb(), Some(0x808080));
        assert_eq!(Colour::parse("terminal").unwrap().rgb(), None);
    }
}
