//! Reading options along a chain of owners, the nearest first: pane, window, global window options. An option that
//! nobody in the chain has reads as its first value under tmux's face.

use super::{Face, OptionStore, OptionValue, find, lookup, table};

fn read<T>(chain: &[&OptionStore], name: &str, read: impl Fn(&OptionValue) -> T) -> T {
    if let Some(value) = lookup(chain, name) {
        return read(value);
    }
    let start = find(table::real_name(name)).map(|row| row.start(Face::Tmux));
    read(&start.unwrap_or(OptionValue::Text(String::new())))
}

/// The text of an option, empty for a user option that nobody has.
pub fn text(chain: &[&OptionStore], name: &str) -> String {
    read(chain, name, OptionValue::text)
}

/// The number of an option; see [`OptionValue::number`].
pub fn number(chain: &[&OptionStore], name: &str) -> i64 {
    read(chain, name, OptionValue::number)
}

/// Whether an option is on; see [`OptionValue::flag`].
pub fn flag(chain: &[&OptionStore], name: &str) -> bool {
    read(chain, name, OptionValue::flag)
}

/// The items of an array that have a number, those of the nearest owner that has it.
pub fn items<'a>(chain: &[&'a OptionStore], name: &str) -> impl Iterator<Item = (u32, &'a str)> {
    let items = lookup(chain, name).into_iter().flat_map(OptionValue::items);
    items.filter_map(|(key, text)| Some((key.number()?, text)))
}

#[cfg(test)]
mod tests {
    use super::super::Scope;
    use super::*;

    #[test]
    fn the_nearest_owner_counts() {
        let global = OptionStore::global(Scope::Session, Face::Rove);
        let mut session = OptionStore::default();
        session.set_number("history-limit", 5);
        let chain = [&session, &global];
        assert_eq!((number(&chain, "history-limit"), text(&chain, "prefix")), (5, "C-a".to_owned()));
        assert_eq!((number(&[], "history-limit"), text(&[], "@none")), (2000, String::new()));
        assert!(flag(&[], "exit-empty") && !flag(&chain, "mouse"));
        assert_eq!(items(&chain, "update-environment").next(), Some((0, "DISPLAY")));
        assert_eq!(items(&chain, "mouse").count(), 0);
    }
}
