//! A conversation's id: its shape, and the time inside a version 7 one. Mints nothing.

/// Whether `text` is a UUID in lower or upper case with its four hyphens.
pub fn is_uuid(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The moment in a UUID of version 7, in milliseconds since 1970; `None` for every other text.
pub fn uuid7_ms(text: &str) -> Option<u64> {
    if !is_uuid(text) || text.as_bytes()[14] != b'7' {
        return None;
    }
    let high = u64::from_str_radix(&text[..8], 16).ok()?;
    let low = u64::from_str_radix(&text[9..13], 16).ok()?;
    Some((high << 16) | low)
}

/// Whether an id may stand in a file name and on a command line: not empty, at most 128 of `[A-Za-z0-9_-]`, no leading `-`.
pub fn is_safe(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 128
        && !id.starts_with('-')
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_its_hyphens_in_place() {
        assert!(is_uuid("019a1b2c-3d4e-7f00-8000-000000000001"));
        assert!(!is_uuid("019a1b2c-3d4e-7f00-8000-00000000000"));
        assert!(!is_uuid("019a1b2c13d4e-7f00-8000-000000000001"));
        assert!(!is_uuid("019a1b2c-3d4e-7f00-8000-00000000000é"));
    }

    #[test]
    fn a_version_seven_id_tells_its_time() {
        assert_eq!(uuid7_ms("019a1b2c-3d4e-7f00-8000-000000000001"), Some(0x019a_1b2c_3d4e));
        assert_eq!(uuid7_ms("019a1b2c-3d4e-4f00-8000-000000000001"), None);
    }

    #[test]
    fn an_id_with_a_path_or_a_flag_in_it_is_not_safe() {
        assert!(is_safe("20251108_1"));
        for bad in ["", "../x", "a/b", "--last", "a b", "a\0"] {
            assert!(!is_safe(bad), "{bad:?}");
        }
    }
}
