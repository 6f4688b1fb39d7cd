//! Owns the two default tables of keys, as rows of text: tmux's own and rove's, which is tmux's under another prefix
//! with a few chords more. What the commands mean is not known here.

mod later;
mod rove;
mod tmux;

/// One default binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultBinding {
    /// The table: `root`, `prefix`, `copy-mode` or `copy-mode-vi`.
    pub table: &'static str,
    /// The key's name, unquoted; see [`crate::parse_key`].
    pub key: &'static str,
    /// Whether it may be repeated without the prefix (`bind-key -r`).
    pub repeat: bool,
    /// The commands, as `list-keys` prints them.
    pub command: &'static str,
    /// What `list-keys -N` says of it; empty for none.
    pub note: &'static str,
}

impl DefaultBinding {
    /// The note, if there is one.
    pub fn note(&self) -> Option<&'static str> {
        (!self.note.is_empty()).then_some(self.note)
    }
}

/// tmux 3.7c's default prefix.
pub const TMUX_PREFIX: &str = "C-b";
/// rove's default prefix.
pub const ROVE_PREFIX: &str = "C-a";

/// The default bindings of tmux 3.7c, in the order of its `list-keys`.
pub fn tmux_bindings() -> impl Iterator<Item = DefaultBinding> {
    tmux::BINDINGS.iter().copied()
}

/// Default bindings that tmux has after 3.7: they are there and in no list of 3.7c.
pub fn later_bindings() -> impl Iterator<Item = DefaultBinding> {
    later::BINDINGS.iter().copied()
}

/// The default bindings of rove: tmux's without its way of sending the prefix and those that rove has another command for, then
/// rove's own.
pub fn rove_bindings() -> impl Iterator<Item = DefaultBinding> {
    let sends_prefix = |row: &DefaultBinding| row.table == "prefix" && row.key == TMUX_PREFIX;
    let kept = tmux_bindings().filter(move |row| !sends_prefix(row) && !is_replaced(row));
    kept.chain(rove::BINDINGS.iter().copied())
}

fn is_replaced(row: &DefaultBinding) -> bool {
    rove::BINDINGS.iter().any(|own| (own.table, own.key) == (row.table, row.key))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::key::Key;
    use crate::name::{key_name, parse_key};

    const LISTED: &str = include_str!("../tests/fixtures/list-keys.txt");
    const NOTES: &str = include_str!("../tests/fixtures/list-keys-notes.txt");

    /// A line of `list-keys`: repeat, table, key with its quotes taken off, command.
    fn listed(line: &str) -> (bool, &str, &str, &str) {
        let rest = line.strip_prefix("bind-key ").expect("bind-key");
        let (repeat, rest) = rest.split_at(3);
        let (table, rest) = rest.strip_prefix("-T ").and_then(|rest| rest.split_once(' ')).expect("a table");
        let (key, command) = rest.trim_start().split_once(' ').expect("a key");
        let bare = key.strip_prefix('\\').unwrap_or_else(|| key.trim_matches('"'));
        (repeat == "-r ", table, bare, command.trim_start())
    }

    #[test]
    fn tmux_rows_are_what_it_lists() {
        let rows: Vec<DefaultBinding> = tmux_bindings().collect();
        let lines: Vec<&str> = LISTED.lines().collect();
        assert_eq!(rows.len(), lines.len());
        for (row, line) in rows.iter().zip(&lines) {
            assert_eq!((row.repeat, row.table, row.key, row.command), listed(line));
        }
    }

    #[test]
    fn tmux_notes_are_what_it_lists() {
        let rows: Vec<String> =
            tmux_bindings().filter_map(|row| Some(format!("C-b {:7} {}", row.key, row.note()?))).collect();
        assert_eq!(rows, NOTES.lines().collect::<Vec<_>>());
    }

    #[test]
    fn every_key_is_known_and_bound_once() {
        for rows in [tmux_bindings().collect::<Vec<_>>(), rove_bindings().collect()] {
            let mut seen = HashSet::new();
            for row in rows {
                let key = parse_key(row.key).unwrap_or_else(|| panic!("{} is a key", row.key));
                assert_eq!(key_name(key), row.key);
                assert!(seen.insert((row.table, key.bound())), "{} {} twice", row.table, row.key);
                assert!(!row.command.is_empty());
            }
        }
    }

    /// A key of the user's language that tmux 3.7 leaves free is not taken from it.
    #[test]
    fn later_rows_are_beside_those_of_tmux() {
        for row in later_bindings() {
            let key = parse_key(row.key).expect("a key");
            assert_eq!(key_name(key), row.key);
            assert!(!tmux_bindings().any(|other| (other.table, other.key) == (row.table, row.key)), "{}", row.key);
        }
    }

    #[test]
    fn tmux_rows_are_in_the_order_of_keys() {
        let rows: Vec<(&str, Key)> =
            tmux_bindings().map(|row| (row.table, parse_key(row.key).expect("a key").bound())).collect();
        assert!(rows.is_sorted());
    }

    #[test]
    fn rove_adds_its_own_and_says_what_they_do() {
        let find = |table: &str, key: &str| rove_bindings().find(|row| row.table == table && row.key == key);
        assert_eq!(find("prefix", "C-b"), None);
        assert_eq!(find("prefix", ROVE_PREFIX).map(|row| row.command), Some("send-prefix"));
        assert_eq!(find("prefix", "y").map(|row| row.command), Some("resume-picker"));
        assert!(rove::BINDINGS.iter().all(|row| row.note().is_some()));
        let replaced: Vec<&str> = tmux_bindings().filter(is_replaced).map(|row| row.key).collect();
        assert_eq!(replaced, ["&", "x"]);
        assert_eq!(rove_bindings().count() + 1 + replaced.len(), tmux_bindings().count() + rove::BINDINGS.len());
    }
}
