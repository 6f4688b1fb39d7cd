//! Names of attributes in styles.

use bitflags::bitflags;
use std::fmt;
use term::style::{Attrs, Underline};

bitflags! {
    /// Attributes of a style. Unlike those of a cell, several underlines can be named at once, and
    /// [`Attributes::NOATTR`] asks to ignore what is below.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Attributes: u16 {
        /// `bright` or `bold`.
        const BRIGHT = 0x1;
        /// `dim`.
        const DIM = 0x2;
        /// `underscore`.
        const UNDERSCORE = 0x4;
        /// `blink`.
        const BLINK = 0x8;
        /// `reverse`.
        const REVERSE = 0x10;
        /// `hidden`.
        const HIDDEN = 0x20;
        /// `italics`.
        const ITALICS = 0x40;
        /// `acs`: the DEC special graphics set.
        const ACS = 0x80;
        /// `strikethrough`.
        const STRIKETHROUGH = 0x100;
        /// `double-underscore`.
        const DOUBLE_UNDERSCORE = 0x200;
        /// `curly-underscore`.
        const CURLY_UNDERSCORE = 0x400;
        /// `dotted-underscore`.
        const DOTTED_UNDERSCORE = 0x800;
        /// `dashed-underscore`.
        const DASHED_UNDERSCORE = 0x1000;
        /// `overline`.
        const OVERLINE = 0x2000;
        /// `noattr`.
        const NOATTR = 0x4000;
    }
}

/// Names in the order in which they print; the first name of an attribute is the one printed.
const NAMES: &[(&str, Attributes)] = &[
    ("acs", Attributes::ACS),
    ("bright", Attributes::BRIGHT),
    ("bold", Attributes::BRIGHT),
    ("dim", Attributes::DIM),
    ("underscore", Attributes::UNDERSCORE),
    ("blink", Attributes::BLINK),
    ("reverse", Attributes::REVERSE),
    ("hidden", Attributes::HIDDEN),
    ("italics", Attributes::ITALICS),
    ("strikethrough", Attributes::STRIKETHROUGH),
    ("double-underscore", Attributes::DOUBLE_UNDERSCORE),
    ("curly-underscore", Attributes::CURLY_UNDERSCORE),
    ("dotted-underscore", Attributes::DOTTED_UNDERSCORE),
    ("dashed-underscore", Attributes::DASHED_UNDERSCORE),
    ("overline", Attributes::OVERLINE),
];

/// What of a cell answers to what of a style; underlines apart.
const CELL: &[(Attributes, Attrs)] = &[
    (Attributes::BRIGHT, Attrs::BOLD),
    (Attributes::DIM, Attrs::DIM),
    (Attributes::BLINK, Attrs::BLINK),
    (Attributes::REVERSE, Attrs::REVERSE),
    (Attributes::HIDDEN, Attrs::HIDDEN),
    (Attributes::ITALICS, Attrs::ITALIC),
    (Attributes::ACS, Attrs::CHARSET),
    (Attributes::STRIKETHROUGH, Attrs::STRIKE),
    (Attributes::OVERLINE, Attrs::OVERLINE),
];

const UNDERLINES: &[(Attributes, Underline)] = &[
    (Attributes::DASHED_UNDERSCORE, Underline::Dashed),
    (Attributes::DOTTED_UNDERSCORE, Underline::Dotted),
    (Attributes::CURLY_UNDERSCORE, Underline::Curly),
    (Attributes::DOUBLE_UNDERSCORE, Underline::Double),
    (Attributes::UNDERSCORE, Underline::Single),
];

impl Attributes {
    /// Names joined by blanks, commas or `|`; `none` and `default` are no attributes. `None` for an unknown name.
    pub fn parse(text: &str) -> Option<Attributes> {
        let delimiters = [' ', ',', '|'];
        if text.is_empty() || text.starts_with(delimiters) || text.ends_with(delimiters) {
            return None;
        }
        if text.eq_ignore_ascii_case("default") || text.eq_ignore_ascii_case("none") {
            return Some(Attributes::empty());
        }
        let mut attributes = Attributes::empty();
        for name in text.split(delimiters).filter(|name| !name.is_empty()) {
            attributes |= NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?.1;
        }
        Some(attributes)
    }

    /// As a cell has them: one underline, the fanciest of those named.
    pub fn of_cell(self) -> Attrs {
        let plain = CELL.iter().filter(|(name, _)| self.contains(*name)).map(|(_, attribute)| *attribute);
        let underline =
            UNDERLINES.iter().find(|(name, _)| self.contains(*name)).map_or(Underline::None, |found| found.1);
        plain.collect::<Attrs>().with_underline(underline)
    }

    /// The names of a cell's attributes.
    pub fn from_cell(attributes: Attrs) -> Attributes {
        let plain = CELL.iter().filter(|(_, attribute)| attributes.contains(*attribute)).map(|(name, _)| *name);
        let underline = UNDERLINES.iter().find(|(_, underline)| *underline == attributes.underline());
        plain.chain(underline.map(|found| found.0)).collect()
    }
}

impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let mut left = *self;
        let mut comma = "";
        for (name, attribute) in NAMES.iter().chain(&[("noattr", Attributes::NOATTR)]) {
            if left.contains(*attribute) {
                write!(f, "{comma}{name}")?;
                comma = ",";
                left.remove(*attribute);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        let attributes = Attributes::parse("Bold,italics|acs").unwrap();
        assert_eq!(attributes.to_string(), "acs,bright,italics");
        assert_eq!(Attributes::parse("none"), Some(Attributes::empty()));
        assert_eq!(Attributes::empty().to_string(), "none");
        for bad in ["", ",bold", "bold,", "bald"] {
            assert_eq!(Attributes::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_cell_has_one_underline() {
        let attributes = Attributes::parse("underscore,curly-underscore,reverse").unwrap();
        assert_eq!(attributes.of_cell(), Attrs::REVERSE.with_underline(Underline::Curly));
        assert_eq!(Attributes::from_cell(attributes.of_cell()).to_string(), "reverse,curly-underscore");
    }
}
