//! Bytes that are no UTF-8, carried through text. What clients and files give is text nearly always; a byte that is not
//! stands as a character of its own, of the last plane's private area, and is that byte again where the text leaves.

use std::borrow::Cow;

/// The characters that stand for the bytes 0x80 to 0xff: this one and those after it.
const FIRST: u32 = 0x10_ff00;

/// The text of these bytes; each byte that is no UTF-8 is a character that stands for it.
pub fn text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(FIRST + u32::from(*byte))));
    }
    out
}

/// The byte that a character stands for.
pub fn byte(c: char) -> Option<u8> {
    u8::try_from(u32::from(c).checked_sub(FIRST)?).ok().filter(|byte| *byte >= 0x80)
}

/// The bytes of a text, those it carries included.
pub fn bytes(text: &str) -> Cow<'_, [u8]> {
    if !text.chars().any(|c| byte(c).is_some()) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte(c) {
            Some(byte) => out.push(byte),
            None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for bytes_in in
            [&b"plain"[..], b"", b"a\xc2b", b"\xff\xfe\x80", "h\u{e9}".as_bytes(), b"\xe2\x82", b"\xc3\xa9\xa9"]
        {
            assert_eq!(bytes(&text(bytes_in)).as_ref(), bytes_in);
        }
        assert_eq!(text("h\u{e9}".as_bytes()), "h\u{e9}");
        assert_eq!(text(b"a\xc2").chars().filter_map(byte).collect::<Vec<_>>(), [0xc2]);
    }
}
