//! The quotes and escapes with which tmux shows a text, so that its parser reads it back.

use std::fmt::Write;

const DOUBLE_QUOTED: &str = " #';${}%";
const SINGLE_QUOTED: &str = " \"";

/// A text as it is shown: as it is, or quoted when it must be.
pub fn escape(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let quote = if text.contains(|letter| DOUBLE_QUOTED.contains(letter)) {
        Some('"')
    } else if text.contains(|letter| SINGLE_QUOTED.contains(letter)) {
        Some('\'')
    } else {
        None
    };
    if text.len() == 1 && text != " " && (quote.is_some() || text == "~") {
        return format!("\\{text}");
    }
    let visible = visible(text, quote == Some('"'));
    let tilde = if visible.starts_with('~') && quote != Some('\'') { "\\" } else { "" };
    match quote {
        Some(quote) => format!("{quote}{tilde}{visible}{quote}"),
        None => format!("{tilde}{visible}"),
    }
}

/// Control characters as in C, and what is special between double quotes with a backslash.
fn visible(text: &str, double_quoted: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let variable = letters.peek().is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '_' | '{'));
        match letter {
            '$' if double_quoted && variable => out.push_str("\\$"),
            '"' if double_quoted => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            '\0'..='\x1f' | '\x7f' => {
                write!(out, "\\{:03o}", u32::from(letter)).expect("writing to a string cannot fail");
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_as_tmux_shows_them() {
        for (text, shown) in [
            ("", "''"),
            ("plain", "plain"),
            ("a b", "\"a b\""),
            ("a\"b", "'a\"b'"),
            ("a\" b", "\"a\\\" b\""),
            ("#", "\\#"),
            ("~", "\\~"),
            (" ", "\" \""),
            ("~/x", "\\~/x"),
            ("~ x", "\"\\~ x\""),
            ("$HOME $1", "\"\\$HOME $1\""),
            ("a\\b", "a\\\\b"),
            ("\x1b\t\x7f", "\\033\\t\\177"),
            ("é…", "é…"),
        ] {
            assert_eq!(escape(text), shown, "{text:?}");
        }
    }
}
