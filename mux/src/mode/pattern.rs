//! What is searched for: a text, or a POSIX extended regular expression made into one of the `regex` crate.
//!
//! Of two alternatives that match at one place the first is taken, where POSIX takes the longest.

use regex::{Regex, RegexBuilder};

/// What is searched for.
#[derive(Debug)]
pub(super) enum Pattern {
    /// A text, and whether its case is ignored.
    Text(String, bool),
    /// An expression.
    Regex(Regex),
}

impl Pattern {
    /// A pattern; `None` for an empty text and for an expression that is wrong. A text without capitals finds both cases.
    pub(super) fn new(text: &str, regex: bool) -> Option<Pattern> {
        let ignore_case = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        if text.is_empty() {
            return None;
        }
        if !regex {
            return Some(Pattern::Text(text.to_owned(), ignore_case));
        }
        RegexBuilder::new(&translated(text)).case_insensitive(ignore_case).build().ok().map(Pattern::Regex)
    }
}

/// True when a text has nothing that an expression gives a meaning to.
pub(super) fn is_plain(text: &str) -> bool {
    !text.contains(['^', '$', '*', '+', '(', ')', '?', '[', ']', '.', '\\'])
}

/// An extended regular expression (POSIX XBD 9.4) in the syntax of the `regex` crate.
fn translated(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len() + 8);
    let (mut at, mut depth) = (0, 0usize);
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            '[' => at = bracket(&chars, at, &mut out),
            '\\' => {
                escaped(chars.get(at).copied(), &mut out);
                at += 1;
            }
            '{' => match interval(&chars[at..]) {
                Some(length) => {
                    out.push('{');
                    out.extend(&chars[at..at + length]);
                    at += length;
                }
                None => out.push_str("\\{"),
            },
            '}' => out.push_str("\\}"),
            '(' => {
                depth += 1;
                out.push('(');
            }
            ')' if depth == 0 => out.push_str("\\)"),
            ')' => {
                depth -= 1;
                out.push(')');
            }
            '*' | '+' | '?' => {
                // A second sign would mean something else to the crate.
                let mut sign = c;
                while let Some(&next @ ('*' | '+' | '?')) = chars.get(at) {
                    if next != sign {
                        sign = '*';
                    }
                    at += 1;
                }
                out.push(sign);
            }
            c => out.push(c),
        }
    }
    out
}

fn escaped(c: Option<char>, out: &mut String) {
    match c {
        Some('`') => out.push_str("\\A"),
        Some('\'') => out.push_str("\\z"),
        Some(c @ ('<' | '>' | 'b' | 'B' | 'w' | 'W' | 's' | 'S')) => {
            out.push('\\');
            out.push(c);
        }
        Some(c) => out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        None => out.push('\\'),
    }
}

/// The length of an interval after its opening brace, the closing one included.
fn interval(chars: &[char]) -> Option<usize> {
    let end = chars.iter().position(|c| *c == '}')?;
    let inside: String = chars[..end].iter().collect();
    let (low, high) = inside.split_once(',').unwrap_or((&inside, ""));
    let digits = |text: &str| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    (!low.is_empty() && digits(low) && digits(high)).then_some(end + 1)
}

/// Copies a bracket expression; the index after it.
fn bracket(chars: &[char], mut at: usize, out: &mut String) -> usize {
    out.push('[');
    if chars.get(at) == Some(&'^') {
        out.push('^');
        at += 1;
    }
    let first = at;
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            ']' if at - 1 > first => {
                out.push(']');
                return at;
            }
            '[' if chars.get(at) == Some(&':') => {
                let Some(end) = chars[at..].iter().position(|c| *c == ']') else { return at };
                out.push('[');
                out.extend(&chars[at..=at + end]);
                at += end + 1;
            }
            '-' if at - 1 == first || chars.get(at) == Some(&']') => out.push_str("\\-"),
            '\\' | '[' | ']' | '&' | '~' | '^' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extended_expression_means_what_posix_says() {
        let cases = [
            ("a{2}", "aa", true),
            ("a{b", "a{b", true),
            ("[]x]+", "]x", true),
            ("[^]x]", "]", false),
            ("[a\\]z", "\\z", true),
            ("[[:digit:]]+$", "ab12", true),
            ("\\d", "5", false),
            ("a)", "a)", true),
            ("x+?y", "xxy", true),
            ("\\<in", "begin", false),
            ("[a-", "a", false),
            ("(a", "a", false),
            ("[a-]", "-", true),
        ];
        for (expression, text, expected) in cases {
            let found = match Pattern::new(expression, true) {
                Some(Pattern::Regex(regex)) => regex.is_match(text),
                _ => false,
            };
            assert_eq!(found, expected, "{expression} in {text}");
        }
    }

    #[test]
    fn a_capital_minds_the_case() {
        assert!(matches!(Pattern::new("abc", false), Some(Pattern::Text(_, true))));
        assert!(matches!(Pattern::new("aBc", false), Some(Pattern::Text(_, false))));
    }
}
