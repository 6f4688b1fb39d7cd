//! Owns the reading of recordings in tests: rows of fields parted by tabs, bytes as `\\e` and `\\xNN`.

/// The rows of a recording, without its comments.
pub(crate) fn rows(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with("# ")).map(|line| line.split('\t').collect()).collect()
}

/// The bytes that a field stands for.
pub(crate) fn bytes_of(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after.first()) {
            (b'\\', Some(b'e')) => {
                out.push(0x1b);
                rest = &after[1..];
            }
            (b'\\', Some(b'x')) => {
                let digits = std::str::from_utf8(&after[1..3]).expect("hexadecimal");
                out.push(u8::from_str_radix(digits, 16).expect("hexadecimal"));
                rest = &after[3..];
            }
            _ => out.push(byte),
        }
    }
    out
}
