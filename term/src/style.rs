//! Colours and attributes of a cell, as SGR sets them (ECMA-48 8.3.117 and xterm's extensions).

use bitflags::bitflags;

/// A colour as a program asked for it; the form is kept, since captures and terminals show the difference.
///
/// Packed into 32 bits: the kind in the top byte, the value below.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Color(u32);

/// What a [`Color`] is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColorKind {
    /// SGR 39, 49 or 59: the terminal's own.
    Default,
    /// One of the sixteen: 0 to 7 (SGR 30 to 37) or 8 to 15 (SGR 90 to 97).
    Ansi(u8),
    /// SGR 38;5;n: one of the 256.
    Indexed(u8),
    /// SGR 38;2;r;g;b.
    Rgb(u8, u8, u8),
}

impl Color {
    /// The terminal's own colour.
    pub const DEFAULT: Color = Color(0);

    /// One of the sixteen colours; `n` is taken modulo 16.
    pub const fn ansi(n: u8) -> Color {
        Color(1 << 24 | (n & 15) as u32)
    }

    /// One of the 256 colours of SGR 38;5.
    pub const fn indexed(n: u8) -> Color {
        Color(2 << 24 | n as u32)
    }

    /// A 24-bit colour.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Color {
        Color(3 << 24 | (r as u32) << 16 | (g as u32) << 8 | b as u32)
    }

    /// The colour taken apart.
    pub const fn kind(self) -> ColorKind {
        match self.0 >> 24 {
            1 => ColorKind::Ansi(self.0 as u8),
            2 => ColorKind::Indexed(self.0 as u8),
            3 => ColorKind::Rgb((self.0 >> 16) as u8, (self.0 >> 8) as u8, self.0 as u8),
            _ => ColorKind::Default,
        }
    }

    /// True for the terminal's own colour.
    pub const fn is_default(self) -> bool {
        self.0 == 0
    }

    /// The packed form, for snapshots.
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The colour of a packed form; an unknown kind is the default colour.
    pub const fn from_bits(bits: u32) -> Color {
        match bits >> 24 {
            1 => Color::ansi(bits as u8),
            2 => Color::indexed(bits as u8),
            3 => Color(bits),
            _ => Color(0),
        }
    }
}

impl std::fmt::Debug for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind().fmt(f)
    }
}

/// How a cell is underlined (SGR 4, 21 and 4:n).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Underline {
    /// SGR 24.
    #[default]
    None,
    /// SGR 4.
    Single,
    /// SGR 21 or 4:2.
    Double,
    /// SGR 4:3.
    Curly,
    /// SGR 4:4.
    Dotted,
    /// SGR 4:5.
    Dashed,
}

bitflags! {
    /// Attributes of a cell; the underline style takes three bits, see [`Attrs::underline`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Attrs: u16 {
        /// SGR 1.
        const BOLD = 1 << 0;
        /// SGR 2.
        const DIM = 1 << 1;
        /// SGR 3.
        const ITALIC = 1 << 2;
        /// SGR 5 and 6.
        const BLINK = 1 << 3;
        /// SGR 7.
        const REVERSE = 1 << 4;
        /// SGR 8.
        const HIDDEN = 1 << 5;
        /// SGR 9.
        const STRIKE = 1 << 6;
        /// SGR 53.
        const OVERLINE = 1 << 7;
        /// The cell was written while the DEC special graphics set was in use; its character is still the ASCII one.
        const CHARSET = 1 << 8;
        /// The three bits that hold the underline style.
        const UNDERLINE_MASK = 7 << 9;
        /// The cell parts texts, each with a direction of its own; only cells of frames have it, never a program's.
        const ISOLATE = 1 << 12;
    }
}

impl Attrs {
    /// The underline style.
    pub const fn underline(self) -> Underline {
        match (self.bits() >> 9) & 7 {
            1 => Underline::Single,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            5 => Underline::Dashed,
            _ => Underline::None,
        }
    }

    /// The same attributes with another underline style.
    #[must_use]
    pub const fn with_underline(self, style: Underline) -> Attrs {
        Attrs::from_bits_retain(self.bits() & !Attrs::UNDERLINE_MASK.bits() | (style as u16) << 9)
    }
}

/// Everything SGR sets for a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Style {
    /// Foreground.
    pub fg: Color,
    /// Background.
    pub bg: Color,
    /// Underline colour (SGR 58).
    pub us: Color,
    /// Attributes.
    pub attrs: Attrs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_keeps_its_form() {
        assert_eq!(Color::ansi(9).kind(), ColorKind::Ansi(9));
        assert_eq!(Color::indexed(9).kind(), ColorKind::Indexed(9));
        assert_eq!(Color::rgb(1, 2, 3).kind(), ColorKind::Rgb(1, 2, 3));
        for color in [Color::DEFAULT, Color::ansi(3), Color::indexed(200), Color::rgb(0, 0, 0)] {
            assert_eq!(Color::from_bits(color.to_bits()), color);
        }
    }

    #[test]
    fn an_underline_style_leaves_other_attributes_alone() {
        let attrs = Attrs::BOLD.with_underline(Underline::Curly);
        assert_eq!(attrs.underline(), Underline::Curly);
        assert!(attrs.contains(Attrs::BOLD));
        assert_eq!(attrs.with_underline(Underline::None), Attrs::BOLD);
    }
}
