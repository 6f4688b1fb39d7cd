//! What is searched for: a text, or a POSIX extended regular expression.
//!
//! Of two alternatives that match at one place the first is taken, where POSIX takes the longest.

use regex::Regex;

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
        crate::format::regex(text, ignore_case).map(Pattern::Regex)
    }
}

/// True when a text has nothing that an expression gives a meaning to.
pub(super) fn is_plain(text: &str) -> bool {
    !text.contains(['^', '$', '*', '+', '(', ')', '?', '[', ']', '.', '\\'])
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
