//! How text stands on the wire: `%output` data, and names that must stay on one line.

/// Append pane output as `%output` carries it: bytes below a blank and the backslash as three octal digits, all others
/// as they are, UTF-8 or not.
pub fn escape_output(data: &[u8], out: &mut Vec<u8>) {
    let mut rest = data;
    while let Some(at) = rest.iter().position(|byte| needs_escape(*byte)) {
        out.extend_from_slice(&rest[..at]);
        let byte = rest[at];
        out.extend_from_slice(&[b'\\', b'0' + (byte >> 6), b'0' + (byte >> 3 & 7), b'0' + (byte & 7)]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

fn needs_escape(byte: u8) -> bool {
    byte < b' ' || byte == b'\\'
}

/// The bytes that [`escape_output`] was given; `None` for text it can't have made.
pub fn unescape_output(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        out.extend_from_slice(&rest[..at]);
        let digits = rest.get(at + 1..at + 4)?;
        let value = digits.iter().try_fold(0u32, |value, digit| {
            (b'0'..=b'7').contains(digit).then(|| value * 8 + u32::from(digit - b'0'))
        })?;
        out.push(u8::try_from(value).ok()?);
        rest = &rest[at + 4..];
    }
    out.extend_from_slice(rest);
    Some(out)
}

/// How many bytes of `data` fit in `limit` without cutting a UTF-8 sequence whose rest is there.
pub fn cut(data: &[u8], limit: usize) -> usize {
    if data.len() <= limit {
        return data.len();
    }
    let back = (0..4).find(|back| limit > *back && data[limit - back] & 0xc0 != 0x80);
    match back {
        Some(back) if back < limit => limit - back,
        _ => limit,
    }
}

/// Text that stays on one line whatever it holds: control characters become a blank.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn control_bytes_and_backslashes_are_octal_and_the_rest_is_raw() {
        let mut out = Vec::new();
        escape_output(b"a\x00\x1b\\\x7f\xff", &mut out);
        assert_eq!(out, b"a\\000\\033\\134\x7f\xff");
    }

    #[test]
    fn a_cut_does_not_fall_inside_a_character() {
        let text = "aé日".as_bytes();
        assert_eq!(cut(text, 2), 1);
        assert_eq!(cut(text, 3), 3);
        assert_eq!(cut(text, 5), 3);
        assert_eq!(cut(text, 6), 6);
        assert_eq!(cut(&[0x80; 10], 5), 5);
    }

    proptest! {
        #[test]
        fn what_is_escaped_comes_back(data: Vec<u8>) {
            let mut out = Vec::new();
            escape_output(&data, &mut out);
            prop_assert!(out.iter().all(|byte| *byte >= b' '));
            prop_assert_eq!(unescape_output(&out), Some(data));
        }

        #[test]
        fn a_cut_gets_on_and_stays_within(data in prop::collection::vec(any::<u8>(), 1..200), limit in 4usize..50) {
            let at = cut(&data, limit);
            prop_assert!(at > 0 && at <= limit.max(data.len().min(limit)));
        }

        #[test]
        fn any_text_stays_on_one_line(text: String) {
            let line = one_line(&text);
            let breaks = line.contains(['\n', '\r', '\u{2028}']);
            prop_assert!(!breaks);
        }
    }
}
