//! What a message looks like in a list: one line, nothing in it that a terminal would act on.

/// A text without control characters and without what reverses the direction of writing; tabs are blanks.
pub fn clean(text: &str) -> String {
    let shown = |c: &char| *c == '\n' || !(c.is_control() || is_unseen(*c));
    text.replace(['\t', '\r'], " ").chars().filter(shown).collect()
}

/// Characters that take no room and change how others are shown.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// One line, at most `limit` characters.
pub(super) fn line(text: &str, limit: usize) -> String {
    let words: Vec<String> = text.split_whitespace().map(clean).filter(|word| !word.is_empty()).collect();
    cut(&words.join(" "), limit)
}

/// Several lines, at most `limit` characters together.
pub(super) fn text(text: &str, limit: usize) -> String {
    cut(clean(text).trim(), limit)
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Whether a message was written by the engine in the user's name: it begins with one of these.
pub(super) fn is_wrapped(text: &str, beginnings: &[&str]) -> bool {
    let text = text.trim_start();
    text.is_empty() || beginnings.iter().any(|beginning| text.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_line_moves_a_terminal() {
        assert_eq!(line("a\u{1b}[31mb\n\tc\u{202e}d\u{9b}e\0", 99), "a[31mb cde");
        assert_eq!(line("  one \n two  ", 99), "one two");
        assert_eq!(text("a\u{7}\n\u{1b}]0;x\u{7}b\n", 99), "a\n]0;xb");
    }

    #[test]
    fn what_is_long_is_cut_between_characters() {
        assert_eq!(line("äöü", 2), "äö…");
        assert_eq!(line("äöü", 3), "äöü");
    }
}
