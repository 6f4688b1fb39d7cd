//! Owns [`KeyTables`]: named tables of bindings, what they were by default, and so what a user changed.
//! What a binding runs is a type parameter; nothing is run here.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::key::Key;

/// One binding of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding<B> {
    /// The key, without flags.
    pub key: Key,
    /// What it runs.
    pub command: B,
    /// What it is for (`bind-key -N`).
    pub note: Option<Arc<str>>,
    /// Whether it may be repeated without the prefix (`bind-key -r`).
    pub repeat: bool,
    /// Whether lists leave it out, unless its key is asked for.
    pub unlisted: bool,
}

/// A difference between a table and its defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<'a, B> {
    /// Bound now, and not the same by default.
    Bound {
        /// The table's name.
        table: &'a str,
        /// The binding.
        binding: &'a Binding<B>,
    },
    /// Bound by default, and not now.
    Unbound {
        /// The table's name.
        table: &'a str,
        /// The key.
        key: Key,
    },
}

#[derive(Clone, Debug)]
struct Table<B> {
    bindings: BTreeMap<Key, Binding<B>>,
    defaults: BTreeMap<Key, Binding<B>>,
}

/// All key tables, by name. Everything is listed as tmux lists it: tables by name, keys in [`Key`]'s order.
#[derive(Clone, Debug)]
pub struct KeyTables<B> {
    tables: BTreeMap<String, Table<B>>,
}

impl<B> Default for KeyTables<B> {
    fn default() -> KeyTables<B> {
        KeyTables { tables: BTreeMap::new() }
    }
}

impl<B: Clone> KeyTables<B> {
    /// No table at all.
    pub fn new() -> KeyTables<B> {
        KeyTables::default()
    }

    /// Makes what is bound now the defaults of every table.
    pub fn keep_as_defaults(&mut self) {
        for table in self.tables.values_mut() {
            table.defaults = table.bindings.clone();
        }
    }

    /// Binds a key, in the place of what it was bound to; the table is made if need be.
    pub fn bind(&mut self, table: &str, key: Key, command: B, note: Option<&str>, repeat: bool) {
        let binding = Binding { key: key.bound(), command, note: note.map(Arc::from), repeat, unlisted: false };
        self.create(table).bindings.insert(binding.key, binding);
    }

    /// Keeps a binding out of lists, until its key is bound anew.
    pub fn hide(&mut self, table: &str, key: Key) {
        if let Some(binding) = self.create(table).bindings.get_mut(&key.bound()) {
            binding.unlisted = true;
        }
    }

    /// Gives a bound key a note, or makes it repeatable, and leaves the rest (`bind-key` without a command).
    /// The table is made if need be, as tmux 3.7c does.
    pub fn annotate(&mut self, table: &str, key: Key, note: Option<&str>, repeat: bool) {
        let Some(binding) = self.create(table).bindings.get_mut(&key.bound()) else { return };
        if let Some(note) = note {
            binding.note = Some(Arc::from(note));
        }
        binding.repeat |= repeat;
    }

    /// Unbinds a key; true if it was bound. A table that is left with neither bindings nor defaults goes.
    pub fn unbind(&mut self, table: &str, key: Key) -> bool {
        let Some(entry) = self.tables.get_mut(table) else { return false };
        let removed = entry.bindings.remove(&key.bound()).is_some();
        if removed && entry.bindings.is_empty() && entry.defaults.is_empty() {
            self.tables.remove(table);
        }
        removed
    }

    /// Removes a table with its defaults (`unbind-key -a`); true if there was one. Clients in it are the caller's concern.
    pub fn remove_table(&mut self, table: &str) -> bool {
        self.tables.remove(table).is_some()
    }

    /// Gives a bound key its default back, or unbinds it if it has none. As in tmux 3.7c an unbound key stays unbound.
    pub fn reset(&mut self, table: &str, key: Key) {
        let Some(entry) = self.tables.get_mut(table) else { return };
        match entry.defaults.get(&key.bound()) {
            Some(default) => {
                if let Some(binding) = entry.bindings.get_mut(&key.bound()) {
                    *binding = default.clone();
                }
            }
            None => {
                self.unbind(table, key);
            }
        }
    }

    /// [`KeyTables::reset`] for every bound key of a table; one without defaults goes.
    pub fn reset_table(&mut self, table: &str) {
        let Some(entry) = self.tables.get_mut(table) else { return };
        if entry.defaults.is_empty() {
            self.tables.remove(table);
            return;
        }
        entry.bindings =
            entry.bindings.keys().filter_map(|key| entry.defaults.get(key)).map(|b| (b.key, b.clone())).collect();
    }

    /// Makes a table that is not there yet, with nothing in it.
    pub fn create_table(&mut self, table: &str) {
        self.create(table);
    }

    fn create(&mut self, table: &str) -> &mut Table<B> {
        if !self.tables.contains_key(table) {
            let empty = Table { bindings: BTreeMap::new(), defaults: BTreeMap::new() };
            self.tables.insert(table.to_owned(), empty);
        }
        self.tables.get_mut(table).expect("made just above")
    }
}

impl<B> KeyTables<B> {
    /// Whether there is a table of this name.
    pub fn contains_table(&self, table: &str) -> bool {
        self.tables.contains_key(table)
    }

    /// The names of the tables.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// What a key is bound to.
    pub fn get(&self, table: &str, key: Key) -> Option<&Binding<B>> {
        self.tables.get(table)?.bindings.get(&key.bound())
    }

    /// What a typed key runs: its own binding, or that of `Any`.
    pub fn resolve(&self, table: &str, key: Key) -> Option<&Binding<B>> {
        self.get(table, key).or_else(|| self.get(table, Key::ANY))
    }

    /// What a key was bound to by default.
    pub fn default_of(&self, table: &str, key: Key) -> Option<&Binding<B>> {
        self.tables.get(table)?.defaults.get(&key.bound())
    }

    /// The bindings of one table.
    pub fn bindings(&self, table: &str) -> impl Iterator<Item = &Binding<B>> {
        self.tables.get(table).into_iter().flat_map(|table| table.bindings.values())
    }

    /// Every binding with its table's name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Binding<B>)> {
        self.tables
            .iter()
            .flat_map(|(name, table)| table.bindings.values().map(move |binding| (name.as_str(), binding)))
    }

    /// The bindings whose note has this text in it, without regard to the case of ASCII letters.
    pub fn find_by_note(&self, text: &str) -> impl Iterator<Item = (&str, &Binding<B>)> {
        let text = text.to_ascii_lowercase();
        self.iter().filter(move |(_, binding)| {
            binding.note.as_ref().is_some_and(|note| note.to_ascii_lowercase().contains(&text))
        })
    }
}

impl<B: PartialEq> KeyTables<B> {
    /// What is not as by default: all there is to save. A table that was removed leaves no trace here, as in tmux it
    /// loses its defaults too.
    pub fn changed(&self) -> impl Iterator<Item = Change<'_, B>> {
        self.tables.iter().flat_map(|(name, table)| {
            let bound = table
                .bindings
                .values()
                .filter(|binding| table.defaults.get(&binding.key) != Some(*binding))
                .map(move |binding| Change::Bound { table: name, binding });
            let unbound = table
                .defaults
                .keys()
                .filter(|key| !table.bindings.contains_key(key))
                .map(move |key| Change::Unbound { table: name, key: *key });
            bound.chain(unbound)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::defaults::{rove_bindings, tmux_bindings};
    use crate::key::{Modifiers, Named};
    use crate::name::parse_key;

    use super::*;

    fn key(name: &str) -> Key {
        parse_key(name).expect("a key")
    }

    fn tables(rows: impl Iterator<Item = crate::DefaultBinding>) -> KeyTables<&'static str> {
        let mut tables = KeyTables::new();
        for row in rows {
            tables.bind(row.table, key(row.key), row.command, row.note(), row.repeat);
        }
        tables.keep_as_defaults();
        tables
    }

    #[test]
    fn defaults_are_listed_in_tmux_order_and_are_no_change() {
        let tables = tables(tmux_bindings());
        let listed: Vec<(&str, String)> = tables.iter().map(|(table, b)| (table, b.key.to_string())).collect();
        let rows: Vec<(&str, String)> = tmux_bindings().map(|row| (row.table, row.key.to_owned())).collect();
        assert_eq!(listed, rows);
        assert_eq!(tables.changed().count(), 0);
        assert_eq!(tables.names().collect::<Vec<_>>(), ["copy-mode", "copy-mode-vi", "prefix", "root"]);
        assert!(self::tables(rove_bindings()).get("root", key("F1")).is_some());
    }

    #[test]
    fn flags_do_not_matter() {
        let mut tables = tables(tmux_bindings());
        let typed = Key::named(Named::Up).with(Modifiers::META);
        assert_eq!(tables.get("prefix", typed).map(|b| b.command), Some("resize-pane -U 5"));
        assert!(tables.unbind("prefix", typed));
        assert_eq!(tables.get("prefix", key("M-Up")), None);
    }

    #[test]
    fn changes_are_what_the_user_did() {
        let mut tables = tables(tmux_bindings());
        tables.bind("prefix", key("c"), "new-window", Some("Create a new window"), false);
        tables.bind("prefix", key("c"), "new-window -a", None, true);
        tables.bind("mine", key("x"), "display-message", None, false);
        assert!(tables.unbind("prefix", key("z")));
        let changes: Vec<Change<'_, &str>> = tables.changed().collect();
        let binding =
            |name, command, repeat| Binding { key: key(name).bound(), command, note: None, repeat, unlisted: false };
        assert_eq!(
            changes,
            [
                Change::Bound { table: "mine", binding: &binding("x", "display-message", false) },
                Change::Bound { table: "prefix", binding: &binding("c", "new-window -a", true) },
                Change::Unbound { table: "prefix", key: key("z") },
            ]
        );
        tables.reset("prefix", key("c"));
        tables.reset("prefix", key("z"));
        tables.reset("mine", key("x"));
        assert_eq!(tables.get("prefix", key("c")).map(|b| b.command), Some("new-window"));
        assert_eq!(tables.get("prefix", key("z")), None);
        assert!(!tables.contains_table("mine"));
    }

    #[test]
    fn tables_go_and_are_reset_as_a_whole() {
        let mut tables = tables(tmux_bindings());
        tables.bind("root", key("F9"), "new", None, false);
        tables.bind("mine", key("x"), "display-message", None, false);
        tables.reset_table("root");
        tables.reset_table("mine");
        assert_eq!(tables.get("root", key("F9")), None);
        assert!(!tables.contains_table("mine") && tables.contains_table("root"));
        assert!(tables.remove_table("prefix") && !tables.remove_table("prefix"));
        assert_eq!(tables.bindings("prefix").count(), 0);
        tables.create_table("empty");
        assert!(tables.contains_table("empty") && !tables.unbind("empty", key("x")));
    }

    #[test]
    fn notes_are_added_and_found() {
        let mut tables = tables(tmux_bindings());
        tables.annotate("copy-mode", key("q"), Some("Leave Copy mode"), true);
        tables.annotate("copy-mode", key("F12"), Some("not bound"), false);
        let found: Vec<(&str, String)> =
            tables.find_by_note("COPY MODE").map(|(table, b)| (table, b.key.to_string())).collect();
        let expected = [("copy-mode", "q"), ("prefix", "["), ("prefix", "PPage")];
        assert_eq!(found, expected.map(|(table, name)| (table, name.to_owned())));
        assert!(tables.get("copy-mode", key("q")).is_some_and(|b| b.repeat && b.command == "send-keys -X cancel"));
        assert_eq!(tables.default_of("copy-mode", key("q")).and_then(|b| b.note.clone()), None);
    }

    #[test]
    fn any_stands_for_what_is_not_bound() {
        let mut tables = KeyTables::new();
        tables.bind("mine", Key::ANY, 1, None, false);
        tables.bind("mine", key("a"), 2, None, false);
        assert_eq!(tables.resolve("mine", key("a")).map(|b| b.command), Some(2));
        assert_eq!(tables.resolve("mine", key("b")).map(|b| b.command), Some(1));
        assert_eq!(tables.resolve("other", key("b")), None);
    }
}
