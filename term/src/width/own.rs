//! Widths that the user gave single code points (`codepoint-widths`), against the table.
//!
//! A width is a fact of the world like the table itself: every terminal, every style and every frame must see the same
//! one, so they are kept beside the table and not handed through all of them. One thread owns the model; each has its own.

use std::cell::{Cell, RefCell};

/// Code points from one to another one, and the columns that each takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnWidth {
    /// The first.
    pub first: char,
    /// The last.
    pub last: char,
    /// Columns: 0, 1 or 2.
    pub columns: u8,
}

thread_local! {
    static OWN: RefCell<Vec<OwnWidth>> = const { RefCell::new(Vec::new()) };
    static ANY: Cell<bool> = const { Cell::new(false) };
}

impl OwnWidth {
    /// What an item of the option means: `U+XXXX=N`, `U+XXXX-U+YYYY=N`, or a character itself for the code point.
    pub fn parse(text: &str) -> Option<OwnWidth> {
        let (points, columns) = text.split_once('=')?;
        let columns = columns.parse().ok().filter(|columns| *columns <= 2)?;
        let point = |hex: &str| u32::from_str_radix(hex, 16).ok().filter(|point| *point != 0).and_then(char::from_u32);
        let (first, last) = match points.strip_prefix("U+") {
            Some(range) => match range.split_once('-') {
                Some((first, last)) => (point(first)?, point(last.strip_prefix("U+")?)?),
                None => (point(range)?, point(range)?),
            },
            None => {
                let mut characters = points.chars();
                let only = characters.next().filter(|_| characters.next().is_none())?;
                (only, only)
            }
        };
        (first <= last).then_some(OwnWidth { first, last, columns })
    }
}

/// From now on these count, the later before the earlier, and none that were given before.
pub fn set_own_widths(widths: Vec<OwnWidth>) {
    ANY.set(!widths.is_empty());
    OWN.replace(widths);
}

/// Whether there are any.
#[inline]
pub(crate) fn any() -> bool {
    ANY.get()
}

/// The columns that the user gave a code point. ASCII has none but its own.
#[inline]
pub fn own_width(c: char) -> Option<usize> {
    if !any() || c.is_ascii() {
        return None;
    }
    let holds = |own: &&OwnWidth| own.first <= c && c <= own.last;
    OWN.with_borrow(|widths| widths.iter().rev().find(holds).map(|own| usize::from(own.columns)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_are_written_in_three_ways() {
        let read = |text: &str| OwnWidth::parse(text).map(|own| (own.first, own.last, own.columns));
        assert_eq!(read("U+2500=2"), Some(('\u{2500}', '\u{2500}', 2)));
        assert_eq!(read("U+2500-U+25ff=1"), Some(('\u{2500}', '\u{25ff}', 1)));
        assert_eq!(read("é=0"), Some(('é', 'é', 0)));
        for wrong in ["", "é", "é=3", "ab=1", "=1", "U+=1", "U+0=1", "U+2-3=1", "U+25-U+24=1", "U+zz=1", "U+d800=1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_the_user_says_goes_before_the_table() {
        let widths = ["U+2500-U+2501=2", "U+2501=0", "日=1"];
        set_own_widths(widths.into_iter().filter_map(OwnWidth::parse).collect());
        assert_eq!(['─', '━', '日', '本', 'a'].map(crate::width::width), [2, 0, 1, 2, 1]);
        set_own_widths(Vec::new());
        assert_eq!(['─', '━', '日'].map(crate::width::width), [1, 1, 2]);
    }
}
