//! The DEC special graphics set: its characters in Unicode, Unicode's in it, and ASCII for terminals without either.

/// Code in the DEC set, the character it draws, and the nearest in ASCII.
static GRAPHICS: &[(u8, char, u8)] = &[
    (b'+', '→', b'>'),
    (b',', '←', b'<'),
    (b'-', '↑', b'^'),
    (b'.', '↓', b'v'),
    (b'0', '▮', b'#'),
    (b'`', '◆', b'+'),
    (b'a', '▒', b'#'),
    (b'b', '␉', b' '),
    (b'c', '␌', b' '),
    (b'd', '␍', b' '),
    (b'e', '␊', b' '),
    (b'f', '°', b'\''),
    (b'g', '±', b'#'),
    (b'h', '␤', b' '),
    (b'i', '␋', b' '),
    (b'j', '┘', b'+'),
    (b'k', '┐', b'+'),
    (b'l', '┌', b'+'),
    (b'm', '└', b'+'),
    (b'n', '┼', b'+'),
    (b'o', '⎺', b'-'),
    (b'p', '⎻', b'-'),
    (b'q', '─', b'-'),
    (b'r', '⎼', b'-'),
    (b's', '⎽', b'-'),
    (b't', '├', b'+'),
    (b'u', '┤', b'+'),
    (b'v', '┴', b'+'),
    (b'w', '┬', b'+'),
    (b'x', '│', b'|'),
    (b'y', '≤', b'<'),
    (b'z', '≥', b'>'),
    (b'{', 'π', b'*'),
    (b'|', '≠', b'!'),
    (b'}', '£', b'f'),
    (b'~', '·', b'.'),
];

/// Other line drawing characters and the code that comes nearest.
static NEAR: &[(&str, u8)] = &[
    ("━═", b'q'),
    ("┃║", b'x'),
    ("┏╔╭", b'l'),
    ("┓╗╮", b'k'),
    ("┗╚╰", b'm'),
    ("┛╝╯", b'j'),
    ("┣╠", b't'),
    ("┫╣", b'u'),
    ("┳╦", b'w'),
    ("┻╩", b'v'),
    ("╋╬", b'n'),
];

/// The Unicode character a code of the DEC set draws.
pub fn acs_unicode(code: char) -> Option<char> {
    GRAPHICS.iter().find(|row| char::from(row.0) == code).map(|row| row.1)
}

/// The code of the DEC set that draws a line drawing character or one near it.
pub fn acs_key(c: char) -> Option<u8> {
    if c.is_ascii() {
        return None;
    }
    let near = || NEAR.iter().find(|(chars, _)| chars.contains(c)).map(|row| row.1);
    GRAPHICS.iter().find(|row| row.1 == c).map(|row| row.0).or_else(near)
}

/// The ASCII character nearest to a code of the DEC set; a code that is not in it stands for itself.
pub fn acs_fallback(code: u8) -> u8 {
    GRAPHICS.iter().find(|row| row.0 == code).map_or(code, |row| row.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_characters_are_each_others_inverse() {
        for (code, c, ascii) in GRAPHICS {
            assert_eq!(acs_unicode(char::from(*code)), Some(*c));
            assert_eq!(acs_key(*c), Some(*code));
            assert_eq!(acs_fallback(*code), *ascii);
        }
        assert_eq!((acs_key('╬'), acs_key('q'), acs_key('é')), (Some(b'n'), None, None));
        assert_eq!((acs_fallback(b'A'), acs_unicode('A')), (b'A', None));
    }
}
