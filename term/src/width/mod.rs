//! How many columns a code point takes, and which code points join the one before them: tmux 3.7c's rules.
//!
//! The table stands for glibc's `wcwidth`, so that every machine draws alike. Nothing here knows a screen.

mod own;
mod table;

pub(crate) use own::any as any_own;
pub use own::{OwnWidth, own_width, set_own_widths};

use table::{RANGES, SKIN_TONE_BASES};

/// What a code point is to the writer of cells. Two bits in [`CLASSES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// One column, never joins.
    Narrow,
    /// Two columns, never joins.
    Wide,
    /// Zero columns, or one that may join its neighbour: [`width`] and [`joins`] must be asked.
    Special,
}

const COVERED: usize = 0x20000;
const NARROW: u8 = 0;
const WIDE: u8 = 1;
const ZERO: u8 = 2;
const SPECIAL: u8 = 3;

/// Two bits for each code point below U+20000.
#[allow(long_running_const_eval)]
static CLASSES: [u8; COVERED / 4] = classes();

const fn set(classes: &mut [u8; COVERED / 4], point: u32, class: u8) {
    let (byte, shift) = ((point / 4) as usize, (point % 4) * 2);
    classes[byte] = classes[byte] & !(3 << shift) | class << shift;
}

const fn set_range(classes: &mut [u8; COVERED / 4], first: u32, last: u32, class: u8) {
    let mut point = first;
    while point <= last {
        set(classes, point, class);
        point += 1;
    }
}

const fn classes() -> [u8; COVERED / 4] {
    let mut classes = [0; COVERED / 4];
    let mut i = 0;
    while i < RANGES.len() {
        let (first, last, columns) = RANGES[i];
        set_range(&mut classes, first, last, if columns == 0 { ZERO } else { WIDE });
        i += 1;
    }
    let mut i = 0;
    while i < SKIN_TONE_BASES.len() {
        set(&mut classes, SKIN_TONE_BASES[i], SPECIAL);
        i += 1;
    }
    // C1 controls take no column; Jamo, the filler, regional indicators and skin tones may join.
    set_range(&mut classes, 0x80, 0x9f, ZERO);
    set_range(&mut classes, 0x1100, 0x11ff, SPECIAL);
    set_range(&mut classes, 0xa960, 0xa97c, SPECIAL);
    set_range(&mut classes, 0xd7b0, 0xd7fb, SPECIAL);
    set(&mut classes, 0x3164, SPECIAL);
    set_range(&mut classes, 0x1f1e6, 0x1f1ff, SPECIAL);
    set_range(&mut classes, 0x1f3fb, 0x1f3ff, SPECIAL);
    classes
}

#[inline]
fn bits(c: char) -> u8 {
    let point = c as u32;
    match point {
        0..0x20000 => CLASSES[(point / 4) as usize] >> ((point % 4) * 2) & 3,
        0x20000..=0x2fffd | 0x30000..=0x3fffd if high_wide(point) => WIDE,
        0xe0001 | 0xe0020..=0xe007f | 0xe0100..=0xe01ef => ZERO,
        _ => NARROW,
    }
}

fn high_wide(point: u32) -> bool {
    matches!(point,
        0x20000..=0x2a6df | 0x2a700..=0x2b738 | 0x2b740..=0x2b81d | 0x2b820..=0x2cea1 | 0x2ceb0..=0x2ebe0
        | 0x2f800..=0x2fa1d | 0x30000..=0x3134a)
}

/// What the writer has to do for a code point.
#[inline]
pub(crate) fn class(c: char) -> Class {
    if any_own() && own_width(c).is_some() {
        return Class::Special;
    }
    match bits(c) {
        NARROW => Class::Narrow,
        WIDE => Class::Wide,
        _ => Class::Special,
    }
}

/// True for a code point that takes two columns by the table, or else one, and joins no other.
#[inline]
pub(crate) fn is_plainly(c: char, wide: bool) -> bool {
    bits(c) == if wide { WIDE } else { NARROW }
}

/// Columns a code point takes: 0, 1 or 2.
#[inline]
pub fn width(c: char) -> usize {
    own_width(c).unwrap_or_else(|| table_width(c))
}

/// Columns a code point takes by the table, whatever the user says: what is kept must be read by the same rule.
#[inline]
pub(crate) fn table_width(c: char) -> usize {
    match bits(c) {
        ZERO => 0,
        WIDE => 2,
        SPECIAL => special_width(c as u32),
        _ => 1,
    }
}

/// The class table says only that these are special; their width is in the ranges.
#[inline]
fn special_width(point: u32) -> usize {
    match point {
        // The ones met often: halves of flags, skin tones, people and hands.
        0x1f1e6..=0x1f1ff => 1,
        0x1f3fb..=0x1f3ff | 0x1f44b..=0x1f4aa => 2,
        _ => width_in_ranges(point),
    }
}

fn width_in_ranges(point: u32) -> usize {
    match RANGES.binary_search_by(|&(first, last, _)| {
        if last < point {
            std::cmp::Ordering::Less
        } else if first > point {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Equal
        }
    }) {
        Ok(i) => RANGES[i].2 as usize,
        Err(_) => 1,
    }
}

/// U+200D.
pub(crate) const ZERO_WIDTH_JOINER: char = '\u{200d}';
/// U+FE0F, which asks for the emoji form.
pub(crate) const VARIATION_SELECTOR: char = '\u{fe0f}';
/// U+3164, which tmux drops.
pub(crate) const HANGUL_FILLER: char = '\u{3164}';

/// What a Hangul Jamo does with the character before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Jamo {
    /// Not a Jamo.
    None,
    /// Begins a syllable.
    Leading,
    /// Joins the character before it.
    Joins,
    /// Has nothing to join; it is dropped.
    Lost,
}

#[derive(PartialEq, Eq)]
enum JamoKind {
    None,
    Leading,
    Vowel,
    Trailing,
}

fn jamo_kind(c: char) -> JamoKind {
    match c as u32 {
        0x1100..=0x115f | 0xa960..=0xa97c => JamoKind::Leading,
        0x1160..=0x11a7 | 0xd7b0..=0xd7c6 => JamoKind::Vowel,
        0x11a8..=0x11ff | 0xd7cb..=0xd7fb => JamoKind::Trailing,
        _ => JamoKind::None,
    }
}

/// What `c` does after a cell whose text ends with `last`.
pub(crate) fn jamo(last: Option<char>, c: char) -> Jamo {
    let wanted = match jamo_kind(c) {
        JamoKind::None => return Jamo::None,
        JamoKind::Leading => return Jamo::Leading,
        JamoKind::Vowel => JamoKind::Leading,
        JamoKind::Trailing => JamoKind::Vowel,
    };
    if last.is_some_and(|last| jamo_kind(last) == wanted) { Jamo::Joins } else { Jamo::Lost }
}

fn is_regional(c: char) -> bool {
    matches!(c as u32, 0x1f1e6..=0x1f1ff)
}

fn takes_tone(base: char, tone: char) -> bool {
    matches!(tone as u32, 0x1f3fb..=0x1f3ff) && SKIN_TONE_BASES.binary_search(&(base as u32)).is_ok()
}

/// True when `c` joins a cell with this text: the second half of a flag, or a skin tone beside its emoji.
pub(crate) fn joins(text: &str, c: char) -> bool {
    let Some(first) = text.chars().next() else { return false };
    if is_regional(first) && is_regional(c) {
        return text.chars().filter(|&c| is_regional(c)).count() == 1;
    }
    takes_tone(first, c) || takes_tone(c, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_tmux() {
        for (c, columns) in [
            ('a', 1),
            ('é', 1),
            ('\u{301}', 0),
            ('日', 2),
            ('\u{20000}', 2),
            ('\u{1f600}', 2),
            ('\u{261d}', 2),
            ('\u{1f1e6}', 1),
            ('\u{1f44d}', 2),
            ('\u{1f3fd}', 2),
            ('\u{1100}', 2),
            ('\u{1161}', 0),
            ('\u{85}', 0),
            ('\u{e0101}', 0),
        ] {
            assert_eq!(width(c), columns, "{c:?}");
        }
    }

    #[test]
    fn special_widths_are_those_of_the_ranges() {
        let special = (0..COVERED as u32).filter_map(char::from_u32).filter(|c| bits(*c) == SPECIAL);
        assert!(special.clone().count() > 300);
        special.for_each(|c| assert_eq!(special_width(c as u32), width_in_ranges(c as u32), "{c:?}"));
    }

    #[test]
    fn neighbours_join() {
        assert!(joins("\u{1f1e6}", '\u{1f1e8}'));
        assert!(!joins("\u{1f1e6}\u{1f1e8}", '\u{1f1e8}'));
        assert!(joins("\u{1f44d}", '\u{1f3fd}'));
        assert!(!joins("a", '\u{1f3fd}'));
        assert_eq!(jamo(Some('\u{1100}'), '\u{1161}'), Jamo::Joins);
        assert_eq!(jamo(Some('a'), '\u{1161}'), Jamo::Lost);
        assert_eq!(jamo(None, 'a'), Jamo::None);
    }
}
