//! The lines of show-options and show-hooks.

use super::escape::escape;
use super::{Face, ItemKey, Kind, OPTIONS, OptionDef, OptionName, OptionStore, OptionValue, Scope, find, lookup};

/// Which options a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Listing {
    /// Options without hooks.
    #[default]
    Options,
    /// Options and hooks (-H).
    OptionsAndHooks,
    /// Only hooks (show-hooks).
    Hooks,
}

/// How options are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Show {
    /// Also values of owners further along the chain, marked with a star (-A).
    pub inherited: bool,
}

/// Whose options a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The server's.
    Server,
    /// A session's or the global ones of sessions.
    Session,
    /// A window's or the global ones of windows.
    Window,
    /// A pane's.
    Pane,
}

impl Owner {
    fn may_have(self, scope: Scope) -> bool {
        match self {
            Self::Server => scope == Scope::Server,
            Self::Session => scope == Scope::Session,
            Self::Window => matches!(scope, Scope::Window | Scope::WindowOrPane),
            Self::Pane => scope == Scope::WindowOrPane,
        }
    }
}

/// One line of a list of options: an option, or an item of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    name: String,
    /// The key of the item of an array.
    key: Option<ItemKey>,
    /// What is shown; nothing of an array without items.
    value: Option<String>,
    /// Somebody further along the chain has it.
    inherited: bool,
}

impl Shown {
    /// The line of one value.
    pub fn of(name: &str, value: String) -> Shown {
        Shown { name: name.to_owned(), key: None, value: Some(value), inherited: false }
    }

    /// The option's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn text(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }

    fn row(&self) -> Option<&'static OptionDef> {
        find(&self.name)
    }

    fn is_text(&self) -> bool {
        self.row().is_none_or(|row| matches!(row.kind, Kind::Text | Kind::Style))
    }

    /// The line; none where only values are shown and there is none.
    pub fn line(&self, values_only: bool) -> Option<String> {
        if values_only {
            return self.value.clone();
        }
        let mut line = self.name.clone();
        if let Some(key) = &self.key {
            line.push_str(&format!("[{key}]"));
        }
        if self.inherited {
            line.push('*');
        }
        if let Some(value) = &self.value {
            line.push(' ');
            line.push_str(&if self.is_text() { escape(value) } else { value.clone() });
        }
        Some(line)
    }

    /// The format variables of the line.
    pub fn formats(&self, values_only: bool) -> Vec<(String, String)> {
        let flag = |on: bool| u8::from(on).to_string();
        let row = self.row();
        [
            ("option_name", self.name.clone()),
            ("option_value", self.text().to_owned()),
            ("option_value_only", flag(values_only)),
            ("option_is_parent", flag(self.inherited)),
            ("option_is_array", flag(row.is_some_and(|row| row.array))),
            ("option_is_string", flag(self.is_text())),
            ("option_is_hook", flag(row.is_some_and(|row| row.hook))),
            ("option_is_user", flag(row.is_none())),
            ("option_has_value", flag(self.value.is_some())),
            ("option_has_array_key", flag(self.key.is_some())),
            ("option_array_key", self.key.as_ref().map_or(String::new(), ItemKey::to_string)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}

impl Show {
    /// The lines for one option; `None` when nobody the request is about has it.
    pub fn one(self, chain: &[&OptionStore], option: &OptionName) -> Option<Vec<Shown>> {
        let own = chain.first().and_then(|store| store.get(&option.name));
        let further = || lookup(chain, &option.name).filter(|_| self.inherited);
        let (value, inherited) = own.map(|value| (value, false)).or_else(|| Some((further()?, true)))?;
        let mut shown = Vec::new();
        match (value, &option.key) {
            (OptionValue::Array(items), Some(key)) => {
                let value = Some(items.get(key).cloned().unwrap_or_default());
                shown.push(Shown { name: option.name.clone(), key: Some(key.clone()), value, inherited });
            }
            // tmux shows the bare name here, without the star that it has in lists.
            (OptionValue::Array(items), None) if items.is_empty() => each(&option.name, false, value, &mut shown),
            _ => each(&option.name, inherited, value, &mut shown),
        }
        Some(shown)
    }

    /// The lines for all options of an owner: user options first, then those of the table in its order.
    pub fn all(self, chain: &[&OptionStore], owner: Owner, listing: Listing, face: Face) -> Vec<Shown> {
        let mut shown = Vec::new();
        let Some(own) = chain.first() else { return shown };
        if listing != Listing::Hooks {
            for (name, value) in own.iter().filter(|(name, _)| name.starts_with('@')) {
                each(name, false, value, &mut shown);
            }
        }
        let wanted = |row: &&OptionDef| {
            let kind = match listing {
                Listing::Options => !row.hook,
                Listing::OptionsAndHooks => true,
                Listing::Hooks => row.hook,
            };
            kind && owner.may_have(row.scope) && row.listed(face)
        };
        for row in OPTIONS.iter().filter(wanted) {
            match (own.get(row.name), self.inherited) {
                (Some(value), _) => each(row.name, false, value, &mut shown),
                (None, true) if owner == Owner::Pane && row.unlisted_for_panes => {}
                (None, true) => {
                    if let Some(value) = lookup(chain, row.name) {
                        each(row.name, true, value, &mut shown);
                    }
                }
                (None, false) => {}
            }
        }
        shown
    }
}

/// The value of an option, or each item of it.
fn each(name: &str, inherited: bool, value: &OptionValue, shown: &mut Vec<Shown>) {
    let one = |key: Option<&ItemKey>, value: Option<String>| Shown {
        name: name.to_owned(),
        key: key.cloned(),
        value,
        inherited,
    };
    match value {
        OptionValue::Array(items) if items.is_empty() => shown.push(one(None, None)),
        OptionValue::Array(items) => {
            shown.extend(items.iter().map(|(key, item)| one(Some(key), Some(item.clone()))));
        }
        value => shown.push(one(None, Some(value.text()))),
    }
}
