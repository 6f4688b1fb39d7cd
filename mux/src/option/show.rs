//! The lines of show-options and show-hooks.

use super::escape::escape;
use super::{Face, Kind, OPTIONS, OptionDef, OptionName, OptionStore, OptionValue, Scope, find, lookup};

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
    /// Only the values (-v).
    pub values_only: bool,
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

impl Show {
    /// The lines for one option; `None` when nobody the request is about has it.
    pub fn one(self, chain: &[&OptionStore], option: &OptionName) -> Option<Vec<String>> {
        let own = chain.first().and_then(|store| store.get(&option.name));
        let further = || lookup(chain, &option.name).filter(|_| self.inherited);
        let (value, star) = own.map(|value| (value, "")).or_else(|| Some((further()?, "*")))?;
        let mut lines = Vec::new();
        let text = |item: &str| (option.def(), item.to_owned());
        match (value, option.index) {
            (OptionValue::Array(items), Some(index)) => {
                let item = items.get(&index).map_or("", String::as_str);
                lines.push(self.line(&format!("{}[{index}]", option.name), star, text(item)));
            }
            // tmux shows the bare name here, without the star that it has in lists.
            (OptionValue::Array(items), None) if items.is_empty() => {
                lines.extend((!self.values_only).then(|| option.name.clone()));
            }
            _ => self.lines(&option.name, star, value, &mut lines),
        }
        Some(lines)
    }

    /// The lines for all options of an owner: user options first, then those of the table in its order.
    pub fn all(self, chain: &[&OptionStore], owner: Owner, listing: Listing, face: Face) -> Vec<String> {
        let mut lines = Vec::new();
        let Some(own) = chain.first() else { return lines };
        if listing != Listing::Hooks {
            for (name, value) in own.iter().filter(|(name, _)| name.starts_with('@')) {
                self.lines(name, "", value, &mut lines);
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
                (Some(value), _) => self.lines(row.name, "", value, &mut lines),
                (None, true) if owner == Owner::Pane && row.unlisted_for_panes => {}
                (None, true) => {
                    if let Some(value) = lookup(chain, row.name) {
                        self.lines(row.name, "*", value, &mut lines);
                    }
                }
                (None, false) => {}
            }
        }
        lines
    }

    fn lines(self, name: &str, star: &str, value: &OptionValue, lines: &mut Vec<String>) {
        let row = find(name);
        match value {
            OptionValue::Array(items) if items.is_empty() => {
                lines.extend((!self.values_only).then(|| format!("{name}{star}")));
            }
            OptionValue::Array(items) => {
                lines.extend(
                    items.iter().map(|(index, item)| self.line(&format!("{name}[{index}]"), star, (row, item.clone()))),
                );
            }
            value => lines.push(self.line(name, star, (row, value.text()))),
        }
    }

    fn line(self, name: &str, star: &str, (row, text): (Option<&OptionDef>, String)) -> String {
        if self.values_only {
            return text;
        }
        let quoted = row.is_none_or(|row| matches!(row.kind, Kind::Text | Kind::Style));
        let text = if quoted { escape(&text) } else { text };
        format!("{name}{star} {text}")
    }
}
