//! Shell patterns and regular expressions, as formats match and substitute with them.

use regex::{Captures, Regex, RegexBuilder};

/// The largest compiled regex, in bytes.
const REGEX_LIMIT: usize = 1 << 20;

/// Whether a shell pattern matches a whole text.
pub(super) fn matches_shell(pattern: &str, text: &str, ignore_case: bool) -> bool {
    let fold = |text: &str| if ignore_case { text.to_lowercase() } else { String::from(text) };
    let pattern: Vec<char> = fold(pattern).chars().collect();
    let text: Vec<char> = fold(text).chars().collect();
    let (mut p, mut t) = (0, 0);
    // Where to go on when what follows the last star does not fit: one character further in the text.
    let mut star: Option<(usize, usize)> = None;
    loop {
        if pattern.get(p) == Some(&'*') {
            star = Some((p + 1, t));
            p += 1;
            continue;
        }
        let step = match (pattern.get(p), text.get(t)) {
            (None, None) => return true,
            (_, None) | (None, _) => None,
            (Some(_), Some(&c)) => match_one(&pattern, p, c),
        };
        match (step, star) {
            (Some(next), _) => (p, t) = (next, t + 1),
            (None, Some((after, from))) if from < text.len() => {
                star = Some((after, from + 1));
                (p, t) = (after, from + 1);
            }
            _ => return false,
        }
    }
}

/// Matches one character against the pattern at `place`; gives the place after it.
fn match_one(pattern: &[char], place: usize, c: char) -> Option<usize> {
    match pattern[place] {
        '?' => Some(place + 1),
        '[' => match bracket(pattern, place) {
            Some((set, end)) => set(c).then_some(end),
            None => (c == '[').then_some(place + 1),
        },
        '\\' => pattern.get(place + 1).filter(|&&next| next == c).map(|_| place + 2),
        plain => (plain == c).then_some(place + 1),
    }
}

/// The set of a `[...]` at `place`, and the place after it; `None` when it is not closed.
fn bracket(pattern: &[char], place: usize) -> Option<(impl Fn(char) -> bool, usize)> {
    let mut at = place + 1;
    let negated = matches!(pattern.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let first = at;
    let mut ranges = Vec::new();
    let mut classes = Vec::new();
    loop {
        let mut c = *pattern.get(at)?;
        if c == ']' && at > first {
            break;
        }
        if c == '[' && pattern.get(at + 1) == Some(&':') {
            let length = pattern[at + 2..].windows(2).position(|pair| pair == [':', ']']);
            if let Some(length) = length {
                classes.push(pattern[at + 2..at + 2 + length].iter().collect::<String>());
                at += length + 4;
                continue;
            }
        }
        if c == '\\' {
            at += 1;
            c = *pattern.get(at)?;
        }
        let end = pattern.get(at + 2).copied().filter(|&end| pattern[at + 1] == '-' && end != ']');
        ranges.push((c, end.unwrap_or(c)));
        at += if end.is_some() { 3 } else { 1 };
    }
    let set = move |c: char| {
        let inside = ranges.iter().any(|&(low, high)| (low..=high).contains(&c))
            || classes.iter().any(|class| in_class(class, c));
        inside != negated
    };
    Some((set, at + 1))
}

fn in_class(class: &str, c: char) -> bool {
    match class {
        "alpha" => c.is_alphabetic(),
        "digit" => c.is_ascii_digit(),
        "alnum" => c.is_alphanumeric(),
        "upper" => c.is_uppercase(),
        "lower" => c.is_lowercase(),
        "space" => c.is_whitespace(),
        "blank" => c == ' ' || c == '\t',
        "punct" => c.is_ascii_punctuation(),
        "cntrl" => c.is_control(),
        "xdigit" => c.is_ascii_hexdigit(),
        "print" => !c.is_control(),
        "graph" => !c.is_control() && !c.is_whitespace(),
        _ => false,
    }
}

/// A POSIX extended expression.
pub(crate) fn regex(pattern: &str, ignore_case: bool) -> Option<Regex> {
    RegexBuilder::new(&translate(pattern))
        .case_insensitive(ignore_case)
        .dot_matches_new_line(true)
        .size_limit(REGEX_LIMIT)
        .build()
        .ok()
}

/// The words of POSIX in those of the regex crate: a backslash is plain inside brackets, `[[` and `&&` mean nothing
/// special there, and outside a backslash before a letter mostly means the letter.
fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern;
    let mut open = 0usize;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let Some(next) = rest.chars().next() else {
                    out.push('\\');
                    break;
                };
                rest = &rest[next.len_utf8()..];
                match next {
                    'w' | 'W' | 's' | 'S' | 'b' | 'B' => out.extend(['\\', next]),
                    '<' => out.push_str("\\b{start}"),
                    '>' => out.push_str("\\b{end}"),
                    '`' => out.push_str("\\A"),
                    '\'' => out.push_str("\\z"),
                    next => out.push_str(&regex::escape(next.encode_utf8(&mut [0; 4]))),
                }
            }
            '[' => match translate_bracket(rest) {
                Some((set, length)) => {
                    out.push_str(&set);
                    rest = &rest[length..];
                }
                None => out.push('['),
            },
            '(' => {
                open += 1;
                out.push('(');
            }
            // One that closes nothing is plain.
            ')' if open == 0 => out.push_str("\\)"),
            ')' => {
                open -= 1;
                out.push(')');
            }
            '{' if !rest.starts_with(|c: char| c.is_ascii_digit() || c == ',') => out.push_str("\\{"),
            // A further ? or + after a repetition repeats it, it does not make it lazy.
            '?' | '+' if out.ends_with(['*', '+', '?', '}']) && !ends_escaped(&out) => {
                out.insert_str(repeated_start(&out), "(?:");
                out.push(')');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

fn ends_escaped(out: &str) -> bool {
    let before = &out[..out.len() - 1];
    before.len() - before.trim_end_matches('\\').len() == 1
}

/// Where the repeated item at the end of `out` begins; the whole when it is not a plain character.
fn repeated_start(out: &str) -> usize {
    let body = out.trim_end_matches(['*', '+', '?']);
    match body.char_indices().next_back() {
        Some((place, c)) if c.is_alphanumeric() || c == '.' => place - usize::from(body[..place].ends_with('\\')),
        _ => 0,
    }
}

/// What follows a `[` up to its `]`, and the length of that.
fn translate_bracket(rest: &str) -> Option<(String, usize)> {
    let mut out = String::from("[");
    let mut at = 0;
    if rest.starts_with('^') {
        out.push('^');
        at = 1;
    }
    let first = at;
    loop {
        let c = rest[at..].chars().next()?;
        if c == ']' && at > first {
            out.push(']');
            return Some((out, at + 1));
        }
        if rest[at..].starts_with("[:")
            && let Some(length) = rest[at..].find(":]")
        {
            out.push_str(&rest[at..at + length + 2]);
            at += length + 2;
            continue;
        }
        if c != '-' && c.is_ascii_punctuation() {
            out.push('\\');
        } else if c == '-' {
            let edge = at == first || rest[at + 1..].starts_with(']');
            if edge {
                out.push('\\');
            }
        }
        out.push(c);
        at += c.len_utf8();
    }
}

/// Puts `with` for every match in `text`; `\1` to `\9` and `\0` in it are what the groups matched, unless that is
/// nothing. `None` when the pattern is not one, or the result would be longer than `limit` bytes.
pub(super) fn substitute(pattern: &str, with: &str, text: &str, ignore_case: bool, limit: usize) -> Option<String> {
    if text.is_empty() || pattern.is_empty() {
        return Some(String::from(text));
    }
    let regex = regex(pattern, ignore_case)?;
    let anchored = pattern.starts_with('^');
    let mut out = String::with_capacity(text.len());
    let mut start = 0;
    let mut last = 0;
    let mut after_empty = false;
    while start <= text.len() {
        if out.len() > limit {
            return None;
        }
        let Some(found) = regex.captures(&text[start..]) else {
            out.push_str(&text[start..]);
            break;
        };
        let Some(whole) = found.get(0) else { break };
        let (from, to) = (start + whole.start(), start + whole.end());
        out.push_str(&text[last..from]);
        last = to;
        if anchored {
            expand_groups(&mut out, with, &found);
            out.push_str(&text[to..]);
            break;
        }
        if after_empty || from != start || from != to {
            expand_groups(&mut out, with, &found);
            start = to;
            after_empty = false;
        } else {
            start = to + text[to..].chars().next().map_or(1, char::len_utf8);
            after_empty = true;
        }
    }
    Some(out)
}

fn expand_groups(out: &mut String, with: &str, found: &Captures<'_>) {
    let mut rest = with.chars();
    while let Some(mut c) = rest.next() {
        if c == '\\' {
            c = rest.next().unwrap_or('\\');
            let group = c.to_digit(10).and_then(|index| found.get(index as usize));
            if let Some(group) = group.filter(|group| !group.is_empty()) {
                out.push_str(group.as_str());
                continue;
            }
        }
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shell_patterns_match() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b", "axc", false),
            ("?b", "ab", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[[:digit:]]*", "7x", true),
            ("[]]", "]", true),
            ("[a", "[a", true),
            ("\\*", "*", true),
            ("\\*", "x", false),
            ("é?", "éa", true),
        ] {
            assert_eq!(matches_shell(pattern, text, false), expected, "{pattern} {text}");
        }
        assert!(matches_shell("ABC*", "abcd", true));
    }

    #[test]
    fn expressions_are_posix() {
        let matches = |pattern, text| regex(pattern, false).is_some_and(|regex| regex.is_match(text));
        assert!(matches("[\\d]", "\\") && matches("[\\d]", "d") && !matches("[\\d]", "1"));
        assert!(matches("a{x", "a{x"));
        assert!(matches("[[:alpha:]]+[a&&b]", "x&"));
        assert!(matches("^(a|b)c$", "bc"));
        assert!(matches("a.b", "a\nb"));
        assert!(matches("\\<foo\\>", "a foo b"));
        assert!(!matches("(", "(") && !matches("*a", "*a") && matches("a)", "a)"));
    }

    #[test]
    fn matches_are_substituted() {
        for (pattern, with, text, expected) in [
            ("a", "x", "banana", "bxnxnx"),
            ("(b)(.)", "\\2\\1", "banana", "abnana"),
            ("^b", "x", "bb", "xb"),
            ("z", "x", "banana", "banana"),
            ("a(z*)", "[\\1]", "ba", "b[1]"),
        ] {
            assert_eq!(substitute(pattern, with, text, false, 99).as_deref(), Some(expected), "{pattern}");
        }
        assert_eq!(substitute("(", "x", "a", false, 99), None);
        assert_eq!(substitute("A", "x", "a", true, 99).as_deref(), Some("x"));
    }

    proptest! {
        #[test]
        fn nothing_panics(pattern in "[a-c*?+^$.|(){},0-9\\[\\]:!\\\\-]{0,12}", text in "[a-c\u{e9}-]{0,8}") {
            matches_shell(&pattern, &text, true);
            substitute(&pattern, "<\\0>", &text, false, 99);
        }
    }
}
