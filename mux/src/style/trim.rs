//! Width and trimming of text with `#[...]` in it, and padding of plain text.

use crate::format::skip;
use termwiz::cell::grapheme_column_width;

/// Columns of one character: 0 for controls and marks that combine, 1 for a lone regional indicator.
pub fn character_width(c: char) -> usize {
    match c {
        ' '..='~' => 1,
        c if c.is_control() => 0,
        '\u{1f1e6}'..='\u{1f1ff}' => 1,
        c => term::width::own_width(c).unwrap_or_else(|| grapheme_column_width(c.encode_utf8(&mut [0; 4]), None)),
    }
}

/// Columns of text without styles.
pub fn plain_width(text: &str) -> usize {
    text.chars().map(character_width).sum()
}

/// `text` with blanks after it up to `columns`.
pub fn pad_right(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(plain_width(text))))
}

/// `text` with blanks before it up to `columns`.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(plain_width(text))))
}

/// A piece of text as it is drawn.
enum Piece<'a> {
    /// A run of `#`: how many there are, and how many are drawn.
    Hashes { count: usize, drawn: usize },
    /// A whole `#[...]`.
    Style(&'a str),
    /// One character.
    Character(char),
}

/// The pieces of a text; `None` once where a style is not closed.
struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Option<Piece<'a>>;

    fn next(&mut self) -> Option<Option<Piece<'a>>> {
        let c = self.rest.chars().next()?;
        if c != '#' {
            self.rest = &self.rest[c.len_utf8()..];
            return Some(Some(Piece::Character(c)));
        }
        let count = self.rest.bytes().take_while(|&b| b == b'#').count();
        if self.rest.as_bytes().get(count) != Some(&b'[') {
            self.rest = &self.rest[count..];
            return Some(Some(Piece::Hashes { count, drawn: count.div_ceil(2) }));
        }
        if count > 1 {
            // An odd one out opens a style; in pairs they are drawn, and the bracket too.
            self.rest = &self.rest[count - count % 2..];
            return Some(Some(Piece::Hashes { count, drawn: count / 2 }));
        }
        let Some(end) = skip(&self.rest[2..], "]") else {
            self.rest = "";
            return Some(None);
        };
        let (style, rest) = self.rest.split_at(end + 3);
        self.rest = rest;
        Some(Some(Piece::Style(style)))
    }
}

fn pieces(text: &str) -> Pieces<'_> {
    Pieces { rest: text }
}

/// Columns of a text as it is drawn; 0 when a style in it is not closed.
pub fn width(text: &str) -> usize {
    let mut columns = 0;
    for piece in pieces(text) {
        match piece {
            None => return 0,
            Some(Piece::Hashes { drawn, .. }) => columns += drawn,
            Some(Piece::Style(_)) => {}
            Some(Piece::Character(c)) => columns += character_width(c),
        }
    }
    columns
}

/// `drawn` hashes as they must be written; a lone one needs no escape.
fn push_hashes(out: &mut String, count: usize, drawn: usize) {
    if drawn > 0 {
        out.push_str(&"#".repeat(if count == 1 { 1 } else { 2 * drawn }));
    }
}

/// The first `limit` columns, styles between them included; controls are left out.
pub fn trim_left(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut columns = 0;
    for piece in pieces(text) {
        if columns >= limit {
            break;
        }
        match piece {
            None => break,
            Some(Piece::Hashes { count, drawn }) => {
                let drawn = drawn.min(limit - columns);
                push_hashes(&mut out, count, drawn);
                columns += drawn;
            }
            Some(Piece::Style(style)) => out.push_str(style),
            Some(Piece::Character(c)) => {
                let width = character_width(c);
                if columns + width <= limit && !c.is_ascii_control() {
                    out.push(c);
                }
                columns += width;
            }
        }
    }
    out
}

/// The last `limit` columns, with all styles; controls are left out.
pub fn trim_right(text: &str, limit: usize) -> String {
    let total = width(text);
    if total <= limit {
        return String::from(text);
    }
    let skipped = total - limit;
    let mut out = String::with_capacity(text.len());
    let mut columns = 0;
    for piece in pieces(text) {
        match piece {
            None => break,
            Some(Piece::Hashes { count, drawn }) => {
                let kept = drawn.saturating_sub(skipped.saturating_sub(columns));
                push_hashes(&mut out, count, kept);
                columns += drawn;
            }
            Some(Piece::Style(style)) => out.push_str(style),
            Some(Piece::Character(c)) => {
                if columns >= skipped && !c.is_ascii_control() {
                    out.push(c);
                }
                columns += character_width(c);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn styles_have_no_width_and_are_not_cut() {
        for (text, columns, left, right) in [
            ("#0", 2, "#0", "#0"),
            ("###[bg=yellow]0", 2, "###[bg=yellow]0", "###[bg=yellow]0"),
            ("#0123456", 8, "#01", "456"),
            ("##0123456", 8, "##01", "456"),
            ("###0123456", 9, "####0", "456"),
            ("#[bg=yellow]0123456", 7, "#[bg=yellow]012", "#[bg=yellow]456"),
            ("##[bg=yellow]0123456", 19, "##[b", "456"),
            ("###[bg=yellow]0123456", 8, "###[bg=yellow]01", "#[bg=yellow]456"),
            ("####[bg=yellow]0123456", 20, "####[", "456"),
            ("#####[bg=yellow]0123456", 9, "#####[bg=yellow]0", "#[bg=yellow]456"),
            ("日本", 4, "日", "本"),
            ("e\u{301}a", 2, "e\u{301}a", "e\u{301}a"),
            ("#[bg", 0, "", "#[bg"),
        ] {
            assert_eq!(width(text), columns, "{text}");
            assert_eq!(trim_left(text, 3), left, "{text}");
            assert_eq!(trim_right(text, 3), right, "{text}");
        }
    }

    #[test]
    fn padding_counts_columns() {
        assert_eq!(pad_right("日", 4), "日  ");
        assert_eq!(pad_left("ab", 4), "  ab");
        assert_eq!(pad_left("abcd", 2), "abcd");
    }

    proptest! {
        #[test]
        fn a_trimmed_text_fits(text in "([a-z#\u{65e5}]|#\\[bold\\]){0,20}", limit in 0usize..12) {
            prop_assert!(width(&trim_left(&text, limit)) <= limit);
        }

        #[test]
        fn no_text_panics(text in any::<String>(), limit in 0usize..30) {
            let _ = (width(&text), trim_left(&text, limit), trim_right(&text, limit));
        }
    }
}
