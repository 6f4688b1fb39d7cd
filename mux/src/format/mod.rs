//! Formats: `#{...}` templates compiled once and expanded over a [`Scope`]. Pure: clock, jobs, options and the model
//! are all behind the scope; time is bounded by counting, not by a clock.

mod clock;
mod expand;
mod expression;
mod fuzzy;
mod parse;
mod pattern;
mod quote;
mod scope;
mod settings;

pub use clock::{Clock, Local, date_line, pretty_time, strftime};
pub use expand::{expand, expand_time};
pub(crate) use fuzzy::fuzzy_match;
pub use parse::Template;
pub(crate) use pattern::regex;
pub(crate) use quote::single as single_quoted;
pub use scope::{Item, NoScope, Order, Row, Scope, Sort};
pub use settings::TerminalFact;

/// True for a value that holds: neither empty nor `0`.
pub fn is_true(value: &str) -> bool {
    !value.is_empty() && value != "0"
}

/// True for what may stand behind a `#` to be taken as it is.
fn is_escape(byte: u8) -> bool {
    b",#{}:".contains(&byte)
}

/// The place of the first byte of `ends` that is in no `#{...}` and not behind a `#`.
pub fn skip(text: &str, ends: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0i64;
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        if byte == b'#' {
            let next = bytes.get(place + 1).copied();
            depth += i64::from(next == Some(b'{'));
            if next.is_some_and(is_escape) {
                place += 2;
                continue;
            }
        }
        depth -= i64::from(byte == b'}');
        if depth == 0 && ends.as_bytes().contains(&byte) {
            return Some(place);
        }
        place += 1;
    }
    None
}

#[cfg(test)]
mod tests;
