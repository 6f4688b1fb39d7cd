//! The cheapest way to move a cursor.

use crate::caps::{Ability, Caps};
use smallvec::SmallVec;

type Bytes = SmallVec<[u8; 24]>;

/// Appends the shortest sequence that moves from a known place (column, row), or from anywhere, to another.
pub(super) fn goto(out: &mut Vec<u8>, from: Option<(u16, u16)>, to: (u16, u16), caps: &Caps) {
    if from == Some(to) {
        return;
    }
    let absolute = absolute(to);
    let relative = from.and_then(|from| {
        let mut bytes = vertical(from.1, to.1, caps)?;
        bytes.extend_from_slice(&horizontal(from.0, to.0, caps)?);
        Some(bytes)
    });
    match relative {
        Some(relative) if relative.len() < absolute.len() => out.extend_from_slice(&relative),
        _ => out.extend_from_slice(&absolute),
    }
}

/// CSI, a number that is left out when it is 1, and the final byte.
pub(super) fn csi(number: u16, last: u8) -> Bytes {
    let mut bytes = Bytes::from_slice(b"\x1b[");
    if number != 1 {
        decimal(&mut bytes, number);
    }
    bytes.push(last);
    bytes
}

/// Appends a number in decimal.
pub(super) fn decimal(out: &mut impl Extend<u8>, number: u16) {
    let digits = [10_000, 1000, 100, 10, 1].map(|place| b'0' + (number / place % 10) as u8);
    let skip = digits[..4].iter().take_while(|digit| **digit == b'0').count();
    out.extend(digits[skip..].iter().copied());
}

fn absolute((x, y): (u16, u16)) -> Bytes {
    if x == 0 {
        return csi(y.saturating_add(1), b'H');
    }
    let mut bytes = csi(y.saturating_add(1), b';');
    decimal(&mut bytes, x.saturating_add(1));
    bytes.push(b'H');
    bytes
}

fn shorter(a: Option<Bytes>, b: Option<Bytes>) -> Option<Bytes> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.len() < a.len() { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Up or down in the same column; a line feed moves down, since it is never sent from the last row of the region.
fn vertical(from: u16, to: u16, caps: &Caps) -> Option<Bytes> {
    let by = to.abs_diff(from);
    if by == 0 {
        return Some(Bytes::new());
    }
    let feeds = (to > from && by <= 4).then(|| Bytes::from_elem(b'\n', usize::from(by)));
    let relative = caps.has(Ability::MOVE_BY).then(|| csi(by, if to > from { b'B' } else { b'A' }));
    let row = caps.has(Ability::MOVE_ROW).then(|| csi(to.saturating_add(1), b'd'));
    shorter(feeds, shorter(relative, row))
}

/// Left or right in the same row.
fn horizontal(from: u16, to: u16, caps: &Caps) -> Option<Bytes> {
    let by = to.abs_diff(from);
    if by == 0 {
        return Some(Bytes::new());
    }
    if to == 0 {
        return Some(Bytes::from_elem(b'\r', 1));
    }
    let back = (to < from && by <= 4).then(|| Bytes::from_elem(b'\x08', usize::from(by)));
    let relative = caps.has(Ability::MOVE_BY).then(|| csi(by, if to > from { b'C' } else { b'D' }));
    let column = caps.has(Ability::MOVE_COLUMN).then(|| csi(to.saturating_add(1), b'G'));
    shorter(back, shorter(relative, column))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caps::Claim;

    fn moved(from: Option<(u16, u16)>, to: (u16, u16)) -> String {
        let caps = Caps::new(Claim { term: "xterm", ..Claim::default() }, &[], &[]);
        let mut out = Vec::new();
        goto(&mut out, from, to, &caps);
        String::from_utf8(out).unwrap().replace('\x1b', "E")
    }

    #[test]
    fn the_shortest_move_is_taken() {
        assert_eq!(moved(None, (0, 0)), "E[H");
        assert_eq!(moved(None, (0, 4)), "E[5H");
        assert_eq!(moved(None, (9, 0)), "E[;10H");
        assert_eq!(moved(Some((9, 4)), (9, 4)), "");
        assert_eq!(moved(Some((9, 4)), (0, 4)), "\r");
        assert_eq!(moved(Some((9, 4)), (0, 5)), "\n\r");
        assert_eq!(moved(Some((9, 4)), (8, 4)), "\x08");
        assert_eq!(moved(Some((9, 4)), (10, 4)), "E[C");
        assert_eq!(moved(Some((9, 4)), (70, 4)), "E[61C");
        assert_eq!(moved(Some((70, 4)), (8, 4)), "E[9G");
        assert_eq!(moved(Some((9, 4)), (9, 20)), "E[16B");
        assert_eq!(moved(Some((9, 4)), (30, 20)), "E[21;31H");
    }
}
