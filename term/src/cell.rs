//! One cell of a screen, in sixteen bytes, and the tables that hold what does not fit in it.

use crate::style::{Attrs, Color, Style};
use std::collections::HashMap;

/// What stands in a cell.
///
/// Packed into 32 bits: a code point or an index into [`Graphemes`], the width, and the flags below.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Glyph(u32);

impl Glyph {
    const POINT: u32 = (1 << 21) - 1;
    const GRAPHEME: u32 = 1 << 21;
    const WIDE: u32 = 1 << 22;
    const PADDING: u32 = 1 << 23;
    const CLEARED: u32 = 1 << 24;
    const TAB: u32 = 1 << 25;
    const NO_COLUMN: u32 = 1 << 26;

    /// A blank that was never written (tmux calls such a cell cleared).
    pub const BLANK: Glyph = Glyph(b' ' as u32 | Glyph::CLEARED);
    /// The right half of a wide character.
    pub const PAD: Glyph = Glyph(b' ' as u32 | Glyph::PADDING);

    /// A right half that was written over a cell which was not plain text. tmux 3.7c does not count those as a column
    /// when it wraps lines anew, but counts others.
    pub(crate) const PAD_UNCOUNTED: Glyph = Glyph(Glyph::PAD.0 | Glyph::NO_COLUMN);

    /// A single code point, one column wide, or two with `wide`.
    pub const fn point(c: char, wide: bool) -> Glyph {
        Glyph(c as u32 | if wide { Glyph::WIDE } else { 0 })
    }

    /// A grapheme cluster by its index in a [`Graphemes`] table (below 2^21).
    pub const fn grapheme(index: u32, wide: bool) -> Glyph {
        Glyph(index & Glyph::POINT | Glyph::GRAPHEME | if wide { Glyph::WIDE } else { 0 })
    }

    /// The first cell of a tab that was written as one, `width` columns wide.
    pub const fn tab(width: u8) -> Glyph {
        Glyph(width as u32 | Glyph::TAB)
    }

    /// The code point, when the cell holds just one.
    pub const fn as_char(self) -> Option<char> {
        if self.0 & (Glyph::GRAPHEME | Glyph::TAB) == 0 { char::from_u32(self.0 & Glyph::POINT) } else { None }
    }

    /// The code point and whether it is wide, when the cell holds a written character of one code point.
    #[inline]
    pub(crate) const fn as_point(self) -> Option<(char, bool)> {
        let wide = self.0 & Glyph::WIDE != 0;
        match char::from_u32(self.0 & !Glyph::WIDE) {
            // A flag would be above the last code point.
            Some(c) => Some((c, wide)),
            None => None,
        }
    }

    /// The index into the table of graphemes, when the cell holds a cluster.
    pub const fn grapheme_index(self) -> Option<u32> {
        if self.0 & Glyph::GRAPHEME != 0 { Some(self.0 & Glyph::POINT) } else { None }
    }

    /// Columns of a tab cell, else `None`.
    pub const fn tab_width(self) -> Option<u8> {
        if self.0 & Glyph::TAB != 0 { Some(self.0 as u8) } else { None }
    }

    /// True for a character two columns wide.
    pub const fn is_wide(self) -> bool {
        self.0 & Glyph::WIDE != 0
    }

    /// True for the right half of a wide character (or the tail of a tab).
    pub const fn is_padding(self) -> bool {
        self.0 & Glyph::PADDING != 0
    }

    /// True for a cell that was erased or never written.
    pub const fn is_cleared(self) -> bool {
        self.0 & Glyph::CLEARED != 0
    }

    /// The packed form, for snapshots.
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The glyph of a packed form; what cannot be is a blank.
    pub fn from_bits(bits: u32) -> Glyph {
        let glyph = Glyph(bits & ((1 << 27) - 1));
        if glyph.0 & (Glyph::GRAPHEME | Glyph::TAB) == 0 && char::from_u32(glyph.0 & Glyph::POINT).is_none() {
            return Glyph::BLANK;
        }
        glyph
    }
}

/// A cell: what stands in it and how it looks. `ext` is an index into the screen's table of rare things
/// (underline colour and hyperlink), 0 for neither.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(C)]
pub struct Cell {
    /// What stands in the cell.
    pub glyph: Glyph,
    /// Foreground.
    pub fg: Color,
    /// Background.
    pub bg: Color,
    /// Attributes.
    pub attrs: Attrs,
    /// Index into [`Extras`]; 0 means nothing extra.
    pub ext: u16,
}

impl Cell {
    /// A blank cell in the terminal's own colours.
    pub const BLANK: Cell =
        Cell { glyph: Glyph::BLANK, fg: Color::DEFAULT, bg: Color::DEFAULT, attrs: Attrs::empty(), ext: 0 };

    /// A cell of one code point in a style without underline colour or link.
    pub const fn new(glyph: Glyph, style: Style) -> Cell {
        Cell { glyph, fg: style.fg, bg: style.bg, attrs: style.attrs, ext: 0 }
    }
}

impl Default for Cell {
    fn default() -> Cell {
        Cell::BLANK
    }
}

/// Interned grapheme clusters of one screen or frame. An index stays valid as long as the table lives.
#[derive(Clone, Debug, Default)]
pub struct Graphemes {
    texts: Vec<Box<str>>,
    index: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
}

impl Graphemes {
    /// Most clusters a table holds; past it [`Graphemes::intern`] gives `None` and the caller keeps the base character.
    pub const MAX: usize = 1 << 16;

    /// The index of `text`, added if it is new and there is room.
    pub fn intern(&mut self, text: &str) -> Option<u32> {
        if let Some(&index) = self.index.get(text) {
            return Some(index);
        }
        if self.texts.len() >= Graphemes::MAX {
            return None;
        }
        let index = self.texts.len() as u32;
        self.texts.push(text.into());
        self.index.insert(text.into(), index);
        Some(index)
    }

    /// The index of `text`, if it is held.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.index.get(text).copied()
    }

    /// The text of an index; empty for one that is not in the table.
    pub fn text(&self, index: u32) -> &str {
        self.texts.get(index as usize).map_or("", |text| text)
    }

    /// How many clusters are held.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// True when nothing is held.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// What a cell can have beyond its sixteen bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Extra {
    /// Underline colour (SGR 58).
    pub us: Color,
    /// The hyperlink (OSC 8): its URI and id parameter.
    pub link: Option<Link>,
}

/// A hyperlink as OSC 8 gave it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Link {
    /// The target.
    pub uri: Box<str>,
    /// The `id=` parameter, empty when there was none.
    pub id: Box<str>,
}

/// Interned [`Extra`]s of one screen or frame. Index 0 is the empty one.
#[derive(Clone, Debug)]
pub struct Extras {
    items: Vec<Extra>,
    index: HashMap<Extra, u16>,
}

impl Default for Extras {
    fn default() -> Extras {
        Extras { items: vec![Extra::default()], index: HashMap::new() }
    }
}

impl Extras {
    /// The index of `extra`, added if it is new; 0 (nothing extra) once 65 535 are held.
    pub fn intern(&mut self, extra: Extra) -> u16 {
        if extra == Extra::default() {
            return 0;
        }
        if let Some(&index) = self.index.get(&extra) {
            return index;
        }
        let Ok(index) = u16::try_from(self.items.len()) else { return 0 };
        self.items.push(extra.clone());
        self.index.insert(extra, index);
        index
    }

    /// The extra of an index; the empty one for an index that is not in the table.
    pub fn get(&self, index: u16) -> &Extra {
        self.items.get(index as usize).unwrap_or(&self.items[0])
    }

    /// How many are held, the empty one included.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Never true: the empty extra is always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_sixteen_bytes() {
        assert_eq!(size_of::<Cell>(), 16);
    }

    #[test]
    fn a_glyph_says_what_it_is() {
        assert_eq!(Glyph::point('é', false).as_char(), Some('é'));
        assert!(Glyph::point('日', true).is_wide());
        assert_eq!(Glyph::grapheme(7, true).grapheme_index(), Some(7));
        assert_eq!(Glyph::grapheme(7, true).as_char(), None);
        assert!(Glyph::BLANK.is_cleared() && Glyph::BLANK.as_char() == Some(' '));
        assert_eq!(Glyph::tab(5).tab_width(), Some(5));
        assert_eq!(Glyph::from_bits(0xd800), Glyph::BLANK);
    }

    #[test]
    fn tables_give_an_index_once() {
        let mut graphemes = Graphemes::default();
        let first = graphemes.intern("e\u{301}");
        assert_eq!(first, graphemes.intern("e\u{301}"));
        assert_eq!(graphemes.text(0), "e\u{301}");
        let mut extras = Extras::default();
        assert_eq!(extras.intern(Extra::default()), 0);
        let red = Extra { us: Color::ansi(1), link: None };
        assert_eq!(extras.intern(red.clone()), extras.intern(red));
    }
}
