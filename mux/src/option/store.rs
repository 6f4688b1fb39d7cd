//! The values that one owner has set, and finding a value along a chain of owners.
//!
//! A chain goes from the nearest owner to the furthest: pane, window, global window options.

use std::collections::BTreeMap;

use super::items::{self, ItemKey, Items};
use super::{Checks, Face, OPTIONS, OptionDef, OptionError, OptionValue, Scope, find, table};

/// An option as a user named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionName {
    /// Its whole name.
    pub name: String,
    /// The item of an array.
    pub key: Option<ItemKey>,
    /// What the user wrote, for messages.
    pub written: String,
}

impl OptionName {
    /// Its row; none of a user option (`@name`).
    pub fn def(&self) -> Option<&'static OptionDef> {
        find(&self.name)
    }

    /// Whether it is a user option.
    pub fn is_user(&self) -> bool {
        self.name.starts_with('@')
    }
}

/// Finds the option that a user means: a whole name, the start of only one, another spelling or a user option, with the
/// key of an item if need be.
///
/// # Errors
/// [`OptionError::InvalidOption`] or [`OptionError::Ambiguous`].
pub fn resolve(written: &str) -> Result<OptionName, OptionError> {
    // tmux 3.7c calls a name that is not even well formed ambiguous, and scripts match its words.
    let malformed = || OptionError::Ambiguous(written.to_owned());
    let (bare, key) = match written.split_once('[') {
        None => (written, None),
        Some((bare, rest)) => (bare, Some(rest.strip_suffix(']').and_then(ItemKey::parse).ok_or_else(malformed)?)),
    };
    let named = |name: &str| OptionName { name: name.to_owned(), key: key.clone(), written: written.to_owned() };
    if bare.is_empty() && key.is_none() {
        return Err(malformed());
    }
    if bare.starts_with('@') {
        return Ok(named(bare));
    }
    let bare = table::real_name(bare);
    if find(bare).is_some() {
        return Ok(named(bare));
    }
    // An abbreviation means one of tmux 3.7c's options, so that no other ever makes it ambiguous.
    let starts = |row: &&OptionDef| row.name.starts_with(bare);
    let mut matches = OPTIONS.iter().filter(|row| !row.rove && !row.since_main).filter(starts);
    match (matches.next(), matches.next()) {
        (Some(row), None) => Ok(named(row.name)),
        (Some(_), Some(_)) => Err(OptionError::Ambiguous(written.to_owned())),
        (None, _) => OPTIONS
            .iter()
            .find(starts)
            .map(|row| named(row.name))
            .ok_or_else(|| OptionError::InvalidOption(written.to_owned())),
    }
}

/// The option that a format names: its name must be whole.
pub fn named(written: &str) -> Option<OptionName> {
    // Every variable of a format is asked for here first, and nearly none is an option: it must cost nothing.
    let bare = written.split_once('[').map_or(written, |(bare, _)| bare);
    let whole = bare.starts_with('@') || find(table::real_name(bare)).is_some();
    if whole { resolve(written).ok() } else { None }
}

/// How an option is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Set {
    /// Add to the value (-a).
    pub append: bool,
    /// Only when it has none (-o).
    pub only_if_unset: bool,
}

/// The options of one owner. A global one has every option of its scope, others only those set on them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OptionStore {
    values: BTreeMap<String, OptionValue>,
    global: Option<Face>,
}

/// The value of an option along a chain, nearest first. A user option may have none.
pub fn lookup<'a>(chain: &[&'a OptionStore], name: &str) -> Option<&'a OptionValue> {
    let name = table::real_name(name);
    chain.iter().find_map(|store| store.values.get(name))
}

impl OptionStore {
    /// The global options of a scope, with their first values. Of [`Scope::Window`] also those of panes.
    pub fn global(scope: Scope, face: Face) -> Self {
        let ours =
            |row: &&OptionDef| row.scope == scope || (scope == Scope::Window && row.scope == Scope::WindowOrPane);
        let values = OPTIONS.iter().filter(ours).map(|row| (row.name.to_owned(), row.start(face))).collect();
        Self { values, global: Some(face) }
    }

    /// The value that this owner has.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.values.get(table::real_name(name))
    }

    /// Reads this owner's value, else the first value of the option.
    fn read<T>(&self, name: &str, read: impl Fn(&OptionValue) -> T) -> T {
        if let Some(value) = self.get(name) {
            return read(value);
        }
        let start = find(table::real_name(name)).map(|row| row.start(self.global.unwrap_or_default()));
        read(&start.unwrap_or(OptionValue::Text(String::new())))
    }

    /// The text of this owner's value, else of the first value; for global stores.
    pub fn text(&self, name: &str) -> String {
        self.read(name, OptionValue::text)
    }

    /// The number of this owner's value, else of the first value; for global stores.
    pub fn number(&self, name: &str) -> i64 {
        self.read(name, OptionValue::number)
    }

    /// Whether this owner's value, else the first value, is on; for global stores.
    pub fn flag(&self, name: &str) -> bool {
        self.read(name, OptionValue::flag)
    }

    /// Every value of this owner, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OptionValue)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The values to be saved: of a global store those that differ from the first values, of another one all.
    pub fn changed(&self) -> impl Iterator<Item = (&str, &OptionValue)> {
        let same = |name: &str, value: &OptionValue| {
            self.global.is_some_and(|face| find(name).is_some_and(|row| row.start(face) == *value))
        };
        self.iter().filter(move |(name, value)| !same(name, value))
    }

    /// Puts a value that needs no check.
    pub fn put(&mut self, name: &str, value: OptionValue) {
        self.values.insert(name.to_owned(), value);
    }

    /// Sets a flag.
    pub fn set_flag(&mut self, name: &str, flag: bool) {
        self.put(name, OptionValue::Flag(flag));
    }

    /// Sets a number.
    pub fn set_number(&mut self, name: &str, number: i64) {
        self.put(name, OptionValue::Number(number));
    }

    /// Sets a text that needs no check.
    pub fn set_text(&mut self, name: &str, text: &str) {
        self.put(name, OptionValue::Text(text.to_owned()));
    }

    /// Sets an option as set-option does. `inherited` are the owners after this one in the chain.
    ///
    /// # Errors
    /// [`OptionError`]; then nothing has changed.
    pub fn set(
        &mut self,
        inherited: &[&OptionStore],
        option: &OptionName,
        text: Option<&str>,
        how: Set,
        checks: &dyn Checks,
    ) -> Result<(), OptionError> {
        let row = option.def().filter(|_| !option.is_user());
        let array = row.is_some_and(|row| row.array);
        if option.key.is_some() && !array {
            return Err(OptionError::NotAnArray(option.written.clone()));
        }
        if how.only_if_unset && self.has(option) {
            return Err(OptionError::AlreadySet(option.written.clone()));
        }
        match row {
            None => self.set_user(&option.name, text.ok_or(OptionError::EmptyValue)?, how),
            Some(row) if array => {
                self.set_items(row, option.key.as_ref(), text.ok_or(OptionError::EmptyValue)?, how, checks)?;
            }
            Some(row) => {
                let current = self.get(row.name).or_else(|| lookup(inherited, row.name)).cloned();
                let current = current.unwrap_or_else(|| row.start(self.global.unwrap_or_default()));
                let added = text.filter(|_| how.append).and_then(|text| self.added(row, text));
                let value = row.read(added.as_deref().or(text), &current, checks)?;
                self.put(row.name, value);
            }
        }
        Ok(())
    }

    /// Whether this owner has the option, or the item of it.
    pub fn has(&self, option: &OptionName) -> bool {
        match (self.get(&option.name), &option.key) {
            (Some(OptionValue::Array(items)), Some(key)) => items.contains_key(key),
            (value, _) => value.is_some(),
        }
    }

    fn set_user(&mut self, name: &str, text: &str, how: Set) {
        let mut whole = self.get(name).filter(|_| how.append).map(OptionValue::text).unwrap_or_default();
        whole.push_str(text);
        self.set_text(name, &whole);
    }

    /// What is there already with the text after it, if texts of this kind can be added to.
    fn added(&self, row: &OptionDef, text: &str) -> Option<String> {
        let texts = matches!(row.kind, super::Kind::Text | super::Kind::Style);
        let old = self.get(row.name).filter(|_| texts)?;
        Some(format!("{}{}{text}", old.text(), row.separator.unwrap_or("")))
    }

    fn set_items(
        &mut self,
        row: &'static OptionDef,
        key: Option<&ItemKey>,
        text: &str,
        how: Set,
        checks: &dyn Checks,
    ) -> Result<(), OptionError> {
        let mut items = match self.get(row.name) {
            Some(OptionValue::Array(items)) if how.append || key.is_some() => items.clone(),
            _ => Items::new(),
        };
        if let Some(key) = key {
            let mut item = row.read_text(text, checks)?;
            let texts = matches!(row.kind, super::Kind::Text | super::Kind::Style);
            if let Some(old) = items.get(key).filter(|_| how.append && texts) {
                item.insert_str(0, old);
            }
            items.insert(key.clone(), item);
        } else {
            for item in row.split(text) {
                items::add(&mut items, row.read_text(item, checks)?);
            }
        }
        self.put(row.name, OptionValue::Array(items));
        Ok(())
    }

    /// Takes a value, or an item of an array, away (-u). A global option gets its first value back.
    ///
    /// # Errors
    /// [`OptionError::NotAnArray`] for an index on an option that has none.
    pub fn unset(&mut self, option: &OptionName) -> Result<(), OptionError> {
        let row = option.def().filter(|_| !option.is_user());
        if let Some(key) = &option.key {
            if !row.is_some_and(|row| row.array) {
                return Err(OptionError::NotAnArray(option.written.clone()));
            }
            if let Some(OptionValue::Array(items)) = self.values.get_mut(&option.name) {
                items.remove(key);
            }
            return Ok(());
        }
        match (row, self.global) {
            (Some(row), Some(face)) if self.values.contains_key(row.name) => self.put(row.name, row.start(face)),
            _ => drop(self.values.remove(&option.name)),
        }
        Ok(())
    }
}
