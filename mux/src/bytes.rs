//! Bytes that are no UTF-8 inside text: each becomes a character of its own, and goes out again as the byte it was.

/// The character of byte 0; only those of bytes from 0x80 on are used. They are the last that there are, for private use.
const BASE: u32 = 0x10_ff00;

fn stray(byte: u8) -> char {
    char::from_u32(BASE + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn byte_of(c: char) -> Option<u8> {
    u32::from(c).checked_sub(BASE).and_then(|byte| u8::try_from(byte).ok()).filter(|byte| *byte >= 0x80)
}

/// The text of bytes.
pub fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte_of(c) {
                None => text.push(c),
                Some(_) => text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(stray)),
            }
        }
        text.extend(chunk.invalid().iter().map(|byte| stray(*byte)));
    }
    text
}

/// The bytes of a text.
pub fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte_of(c) {
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Some(byte) => bytes.push(byte),
        }
    }
    bytes
}

/// Whether all of a text came as UTF-8.
pub fn is_utf8(text: &str) -> bool {
    !text.chars().any(|c| byte_of(c).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_stray_byte_is_a_character_and_comes_out_as_it_was() {
        let text = decode(b"a\xffb\xc3\xa9");
        assert_eq!((text.chars().count(), is_utf8(&text)), (4, false));
        assert_eq!(encode(&text), b"a\xffb\xc3\xa9");
        assert!(is_utf8(&decode("aé".as_bytes())));
    }

    proptest! {
        #[test]
        fn any_bytes_come_out_as_they_were(bytes: Vec<u8>, c in 0x10_fe00u32..=0x10_ffff) {
            prop_assert_eq!(encode(&decode(&bytes)), bytes);
            let own: String = char::from_u32(c).into_iter().collect();
            prop_assert_eq!(encode(&decode(own.as_bytes())), own.into_bytes());
        }
    }
}
