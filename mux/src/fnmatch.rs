//! Glob patterns as fnmatch(3) matches them without flags: `*`, `?`, `[a-z]`, `[!x]`, `[[:digit:]]`, `\` before a
//! special character. A slash or a leading dot is a character like any other.

/// Whether the whole text matches, if wanted without regard to ASCII case.
pub fn fnmatch(pattern: &str, text: &str, fold_case: bool) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut from) = (0, 0);
    // Where the last star was, and up to where its text reaches: the only place to come back to.
    let mut star: Option<(usize, usize)> = None;
    while from < text.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at + 1, from));
            at += 1;
            continue;
        }
        if let Some(next) = one(&pattern, at, text[from], fold_case) {
            at = next;
            from += 1;
            continue;
        }
        let Some((after, reached)) = star else { return false };
        star = Some((after, reached + 1));
        (at, from) = (after, reached + 1);
    }
    pattern[at..].iter().all(|&letter| letter == '*')
}

/// Matches one character; gives where the pattern goes on.
fn one(pattern: &[char], at: usize, letter: char, fold_case: bool) -> Option<usize> {
    let same = |a: char, b: char| a == b || (fold_case && a.eq_ignore_ascii_case(&b));
    match *pattern.get(at)? {
        '?' => Some(at + 1),
        '[' => match bracket(pattern, at + 1, letter, fold_case) {
            Some((true, next)) => Some(next),
            Some((false, _)) => None,
            None => same('[', letter).then_some(at + 1),
        },
        '\\' => {
            let &escaped = pattern.get(at + 1)?;
            same(escaped, letter).then_some(at + 2)
        }
        plain => same(plain, letter).then_some(at + 1),
    }
}

/// Whether a character is in the set that begins here, and where the pattern goes on; `None` if the set has no end.
fn bracket(pattern: &[char], start: usize, letter: char, fold_case: bool) -> Option<(bool, usize)> {
    let negated = matches!(pattern.get(start)?, '!' | '^');
    let mut at = start + usize::from(negated);
    let first = at;
    let mut found = false;
    let forms = [letter, letter.to_ascii_lowercase(), letter.to_ascii_uppercase()];
    let forms = if fold_case { &forms[..] } else { &forms[..1] };
    loop {
        let (low, next) = match *pattern.get(at)? {
            ']' if at > first => return Some((found != negated, at + 1)),
            '[' if pattern.get(at + 1) == Some(&':') => {
                let end = (at + 2..pattern.len().saturating_sub(1)).find(|&end| pattern[end..end + 2] == [':', ']'])?;
                let class: String = pattern[at + 2..end].iter().collect();
                found |= forms.iter().any(|&form| in_class(&class, form));
                at = end + 2;
                continue;
            }
            '\\' => (*pattern.get(at + 1)?, at + 2),
            plain => (plain, at + 1),
        };
        at = next;
        let mut high = low;
        if pattern.get(at) == Some(&'-') && pattern.get(at + 1).is_some_and(|&end| end != ']') {
            let escaped = usize::from(pattern[at + 1] == '\\');
            high = *pattern.get(at + 1 + escaped)?;
            at += 2 + escaped;
        }
        found |= forms.iter().any(|form| (low..=high).contains(form));
    }
}

fn in_class(class: &str, letter: char) -> bool {
    match class {
        "alpha" => letter.is_alphabetic(),
        "digit" => letter.is_ascii_digit(),
        "alnum" => letter.is_alphanumeric(),
        "upper" => letter.is_uppercase(),
        "lower" => letter.is_lowercase(),
        "space" => letter.is_whitespace(),
        "blank" => matches!(letter, ' ' | '\t'),
        "punct" => letter.is_ascii_punctuation(),
        "xdigit" => letter.is_ascii_hexdigit(),
        "cntrl" => letter.is_control(),
        "print" => !letter.is_control(),
        "graph" => !letter.is_control() && !letter.is_whitespace(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_glob_ends_and_an_escaped_text_matches_itself(pattern in r"[\]\[a-c*?!^:\\-]{0,12}", text in ".{0,8}") {
            let escaped: String = pattern.chars().flat_map(|letter| ['\\', letter]).collect();
            prop_assert!(fnmatch(&escaped, &pattern, false));
            let (within, around) = (format!("*{escaped}*"), format!("{text}{pattern}{text}"));
            prop_assert!(fnmatch(&within, &around, false));
            fnmatch(&pattern, &text, true);
        }
    }

    #[test]
    fn globs_match_whole_texts() {
        for (pattern, text, matches) in [
            ("", "", true),
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abbcd", false),
            ("*a*b", "xaxbxab", true),
            ("?", "é", true),
            ("?", "", false),
            ("[0-9]*x[0-9]*", "80x24", true),
            ("[0-9]*x[0-9]*", "axb", false),
            ("[!a-c]", "d", true),
            ("[^a-c]", "b", false),
            ("[]a]", "]", true),
            ("[[:digit:]x]", "7", true),
            ("[a", "[a", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("linux*", "linux-256", true),
            ("SSH_*", "SSH_AUTH_SOCK", true),
            ("A*", "abc", false),
        ] {
            assert_eq!(fnmatch(pattern, text, false), matches, "{pattern} {text}");
        }
        assert!(fnmatch("A*[X-Z]", "abcz", true));
    }

    #[test]
    fn many_stars_end_soon() {
        assert!(!fnmatch(&"*a".repeat(40), &"a".repeat(39), false));
    }
}
