//! Several parts side by side in a preview: which of them are shown, and where.

/// Fewest columns of a part where there are several.
const LEAST_COLUMNS: u16 = 24;

/// Columns at an edge that say there is more.
const EDGE: u16 = 3;

/// Which of several parts are shown, and how.
#[derive(Debug, PartialEq, Eq)]
pub struct Strip {
    /// The first part that is shown.
    pub start: usize,
    /// The part after the last one.
    pub end: usize,
    /// There is more at the left.
    pub left: bool,
    /// There is more at the right.
    pub right: bool,
    /// Columns of each part, with the line after it.
    pub each: u16,
    /// Columns that the last part has more.
    pub remaining: u16,
}

/// What a column of a strip belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hit {
    Left,
    Right,
    Part(usize),
}

fn short(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

/// As many parts as have room, around the current one, scrolled by `shift`.
pub fn strip(cols: u16, total: usize, current: usize, shift: i64) -> Option<Strip> {
    let room = usize::from(cols);
    let visible = if room / total.max(1) < usize::from(LEAST_COLUMNS) {
        (room / usize::from(LEAST_COLUMNS)).max(1)
    } else {
        total
    };
    let start = if current < visible {
        0
    } else if current >= total - visible {
        total - visible
    } else {
        current - visible / 2
    };
    let start = (start as i64 + shift).clamp(0, (total - visible) as i64) as usize;
    let end = start + visible;
    let (mut left, mut right) = (start != 0, end != total);
    if (left && right && cols <= 2 * EDGE) || ((left || right) && cols <= EDGE) {
        (left, right) = (false, false);
    }
    let room = cols - EDGE * (u16::from(left) + u16::from(right));
    let each = room / short(visible).max(1);
    let remaining = room - short(visible) * each;
    (each > 0).then_some(Strip { start, end, left, right, each, remaining })
}

impl Strip {
    /// What a column of a strip of so many columns belongs to.
    pub(super) fn hit(&self, cols: u16, column: u16) -> Hit {
        if self.left && column < EDGE {
            return Hit::Left;
        }
        if self.right && column >= cols.saturating_sub(EDGE) {
            return Hit::Right;
        }
        let at = column - if self.left { EDGE } else { 0 };
        Hit::Part((self.start + usize::from(at / self.each)).min(self.end - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_has_the_current_part_in_view() {
        let all = Strip { start: 0, end: 3, left: false, right: false, each: 26, remaining: 2 };
        assert_eq!(strip(80, 3, 1, 0), Some(all));
        let some = strip(80, 9, 8, 0).unwrap();
        assert_eq!((some.start, some.end, some.left, some.right), (6, 9, true, false));
        let shifted = strip(80, 9, 8, -2).unwrap();
        assert_eq!((shifted.start, shifted.left, shifted.right), (4, true, true));
        assert_eq!(strip(80, 9, 8, -100).unwrap().start, 0);
        assert!(strip(1, 1, 0, 0).is_some());
    }

    #[test]
    fn a_column_belongs_to_a_part_or_an_edge() {
        let shown = strip(80, 9, 8, -2).unwrap();
        assert_eq!(shown.hit(80, 2), Hit::Left);
        assert_eq!(shown.hit(80, 77), Hit::Right);
        assert_eq!(shown.hit(80, 3), Hit::Part(4));
        assert_eq!(shown.hit(80, 76), Hit::Part(6));
    }
}
