//! Small changes of one value: parts of a path, quotes, escapes.

use super::is_escape;

/// The last part of a path; `.` of nothing, `/` of only slashes.
pub(super) fn basename(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match (path, trimmed) {
        ("", _) => ".",
        (_, "") => "/",
        _ => trimmed.rsplit('/').next().unwrap_or(trimmed),
    }
}

/// What is before the last part of a path.
pub(super) fn dirname(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match (trimmed.rfind('/'), trimmed) {
        (_, "") if path.starts_with('/') => "/",
        (None, _) => ".",
        (Some(slash), _) => match trimmed[..slash].trim_end_matches('/') {
            "" => "/",
            parent => parent,
        },
    }
}

/// `value` with a backslash before what a shell or tmux would read.
pub(super) fn for_shell(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 8);
    for c in value.chars() {
        if "|&;<>()$`\\\"'*?[# =%".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// `value` between single quotes, as a shell reads it.
pub(crate) fn single(value: &str) -> String {
    format!("'{}'", value.replace('\'', "'\\''"))
}

/// `value` with its `#` doubled.
pub(super) fn for_style(value: &str) -> String {
    value.replace('#', "##")
}

/// The text of a literal: escapes outside `#{...}` resolved.
pub(super) fn unescape(text: &str) -> String {
    drop_escapes(text, Escaped::Plain)
}

/// A time format without the escapes that got it past the modifiers.
pub(super) fn strip(text: &str) -> String {
    drop_escapes(text, Escaped::Read)
}

/// What becomes of a character after the `#` that was dropped before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escaped {
    /// It is kept and means nothing more.
    Plain,
    /// It is read as if it stood alone.
    Read,
}

/// `text` without the `#` of escapes outside `#{...}`.
fn drop_escapes(text: &str, escaped: Escaped) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0i64;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        depth += i64::from(c == '#' && next == Some('{'));
        if depth == 0 && c == '#' && next.is_none_or(|next| u8::try_from(next).is_ok_and(is_escape)) {
            if escaped == Escaped::Plain {
                out.extend(rest.next());
            }
            continue;
        }
        depth -= i64::from(c == '}');
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_split() {
        for (path, base, dir) in [
            ("/a/b", "b", "/a"),
            ("/a/b/", "b", "/a"),
            ("a", "a", "."),
            ("/a", "a", "/"),
            ("/", "/", "/"),
            ("", ".", "."),
            ("a//b", "b", "a"),
        ] {
            assert_eq!((basename(path), dirname(path)), (base, dir), "{path}");
        }
    }

    #[test]
    fn escapes_are_resolved_outside_braces() {
        assert_eq!(unescape("##{"), "#{");
        assert_eq!(unescape("#{#}}"), "#{#}}");
        assert_eq!(strip("%H#:%M"), "%H:%M");
        assert_eq!(for_shell("a b$c"), "a\\ b\\$c");
        assert_eq!(single("a'b"), "'a'\\''b'");
    }
}
