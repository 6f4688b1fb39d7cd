//! Text from programs made safe to keep and to show: names, titles, links. Also base64.

/// Longest title or path kept, in bytes.
pub(crate) const MAX_NAME: usize = 4096;

/// A title or path: `None` when it is no printable UTF-8. `#(` loses its meaning, a backslash is doubled.
pub(crate) fn clean_name(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    if text.bytes().any(|byte| byte < 0x20 || byte == 0x7f) {
        return None;
    }
    let mut clean = String::with_capacity(text.len().min(MAX_NAME));
    for c in text.replace("#(", "_(").chars() {
        if clean.len() + c.len_utf8() > MAX_NAME {
            break;
        }
        clean.push(c);
        if c == '\\' {
            clean.push(c);
        }
    }
    Some(clean)
}

/// Text as vis(3) writes it in octal: what is not printable UTF-8 as `\ooo`, a backslash doubled.
pub(crate) fn vis(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                ' '..='~' | '\u{80}'.. => out.push(c),
                _ => octal(&mut out, c as u8),
            }
        }
        for &byte in chunk.invalid() {
            octal(&mut out, byte);
        }
    }
    out
}

fn octal(out: &mut String, byte: u8) {
    out.push_str(&format!("\\{byte:03o}"));
}

/// Base64 with padding; white space is skipped.
pub(crate) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count, mut padding) = (0u32, 0, 0);
    for &byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += 1;
                continue;
            }
            b' ' | b'\t'..=b'\r' => continue,
            _ => return None,
        };
        if padding > 0 {
            return None;
        }
        bits = bits << 6 | u32::from(value);
        count += 1;
        if count == 4 {
            out.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, count) = (0, 0);
        }
    }
    match (count, padding) {
        (0, 0) => {}
        (2, 2) if bits & 0xf == 0 => out.push((bits >> 4) as u8),
        (3, 1) if bits & 3 == 0 => out.extend_from_slice(&((bits >> 2) as u16).to_be_bytes()),
        _ => return None,
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printable_or_nothing() {
        assert_eq!(clean_name(b"a #(id) \\").as_deref(), Some("a _(id) \\\\"));
        assert_eq!(clean_name("日本".as_bytes()).as_deref(), Some("日本"));
        assert_eq!(clean_name(b"a\x1b"), None);
        assert_eq!(clean_name(b"\xff"), None);
        assert_eq!(clean_name(&[b'x'; 70_000]).map(|name| name.len()), Some(MAX_NAME));
    }

    #[test]
    fn links_keep_what_is_printable() {
        assert_eq!(vis("http://é\\".as_bytes()), "http://é\\\\");
        assert_eq!(vis(b"a\xff\x7f"), "a\\377\\177");
    }

    #[test]
    fn base64_is_strict() {
        assert_eq!(base64(b"aGVsbG8=").as_deref(), Some(&b"hello"[..]));
        assert_eq!(base64(b"aGVs bG8=").as_deref(), Some(&b"hello"[..]));
        for bad in [&b"aGVsbG8"[..], b"a===", b"aGVs*", b"=aGV"] {
            assert_eq!(base64(bad), None);
        }
    }
}
