//! Options, hooks, environments and key bindings: the rows of customize-mode. What is changed in them is in `change`, what
//! is said of one in `information`.

mod change;
mod information;
#[cfg(test)]
mod tests;

pub use change::Change;
pub(super) use change::{answered, key};
pub use information::Line;

use super::source::Making;
use super::{Align, Draft, Item, List};
use crate::environment::{Environment, Variable};
use crate::option::{ItemKey, OptionDef, OptionStore, OptionValue, find};
use crate::target::{self, Found};
use crate::values::OptionScope;
use crate::{Mux, PaneId};
use keymap::{Binding, Key};

/// A group of rows, with a heading of its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Section {
    /// Options of the server.
    Server,
    /// Options or hooks of the session.
    Session(Kind),
    /// Options or hooks of the window and the pane.
    Window(Kind),
    /// The global environment.
    GlobalEnvironment,
    /// The session's environment.
    SessionEnvironment,
    /// A key table.
    Keys(String),
}

/// Which of the rows of the table of options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Options.
    Options,
    /// Hooks.
    Hooks,
}

/// One part of a key's binding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// What it runs.
    Command,
    /// What it is for.
    Note,
    /// Whether it may be repeated.
    Repeat,
}

/// What a row stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Setting {
    /// A heading.
    Heading(Section),
    /// An option, or an item of it.
    Option(Section, String, Option<ItemKey>),
    /// An environment variable.
    Variable(Section, String),
    /// A key of a table, or a part of its binding.
    Key(String, Key, Option<Part>),
}

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hidden {
    /// Global values.
    pub global: bool,
    /// What is as it was by default.
    pub unchanged: bool,
}

pub(super) const FORMAT: &str = concat!(
    "#{?is_option,",
    "#{?option_is_global,,#[reverse](#{option_scope})#[default] }#[ignore]",
    "#{option_value}#{?option_unit, #{option_unit},}",
    ",#{?is_environment,#[ignore]#{environment_value},#{key}}}"
);

impl Section {
    /// What stands over its rows.
    fn title(&self) -> String {
        match self {
            Section::Server => "Server Options".into(),
            Section::Session(Kind::Options) => "Session Options".into(),
            Section::Session(Kind::Hooks) => "Session Hooks".into(),
            Section::Window(Kind::Options) => "Window & Pane Options".into(),
            Section::Window(Kind::Hooks) => "Window & Pane Hooks".into(),
            Section::GlobalEnvironment => "Global Environment".into(),
            Section::SessionEnvironment => "Session Environment".into(),
            Section::Keys(table) => format!("Key Table - {table}"),
        }
    }

    /// Who can own its options, the nearest first.
    fn owners(&self, place: Found) -> Vec<OptionScope> {
        let owners = match self {
            Section::Server => vec![Some(OptionScope::Server)],
            Section::Session(_) => vec![place.session.map(OptionScope::Session), Some(OptionScope::GlobalSession)],
            Section::Window(_) => vec![
                place.pane.map(OptionScope::Pane),
                place.window.map(OptionScope::Window),
                Some(OptionScope::GlobalWindow),
            ],
            _ => Vec::new(),
        };
        owners.into_iter().flatten().collect()
    }

    fn kind(&self) -> Kind {
        match self {
            Section::Session(kind) | Section::Window(kind) => *kind,
            _ => Kind::Options,
        }
    }
}

/// Where the settings of a list are: where it was opened, or its pane when that is gone.
fn place(mux: &Mux, list: &List, pane: PaneId) -> Found {
    let opened = list.place;
    let session = opened.session.and_then(|session| mux.sessions.get(&session));
    let stands = session.is_some_and(|session| session.windows.values().any(|link| Some(link.window) == opened.window))
        && opened.pane.is_some_and(|pane| mux.panes.contains_key(&pane));
    if stands { opened } else { target::from_pane(mux, pane).unwrap_or_default() }
}

/// The options of one owner.
fn store(mux: &Mux, owner: OptionScope) -> Option<&OptionStore> {
    mux.option_chain(owner).first().copied().filter(|_| match owner {
        OptionScope::Session(id) => mux.sessions.contains_key(&id),
        OptionScope::Window(id) => mux.windows.contains_key(&id),
        OptionScope::Pane(id) => mux.panes.contains_key(&id),
        _ => true,
    })
}

/// Who has an option, the nearest first, and the value.
fn owned<'a>(mux: &'a Mux, section: &Section, place: Found, name: &str) -> Option<(OptionScope, &'a OptionValue)> {
    section.owners(place).into_iter().find_map(|owner| Some((owner, store(mux, owner)?.get(name)?)))
}

fn environment<'a>(mux: &'a Mux, section: &Section, place: Found) -> Option<&'a Environment> {
    match section {
        Section::GlobalEnvironment => Some(&mux.environment),
        _ => place.session.and_then(|session| mux.sessions.get(&session)).map(|session| &session.environment),
    }
}

/// Whose value it is, where that has to be said.
fn scope_text(mux: &Mux, place: Found, owner: OptionScope) -> String {
    match owner {
        OptionScope::Session(id) => {
            mux.sessions.get(&id).map_or(String::new(), |session| format!("session {}", session.name))
        }
        OptionScope::Window(_) => format!("window {}", place.index.unwrap_or_default()),
        OptionScope::Pane(id) => {
            let window = mux.panes.get(&id).and_then(|pane| mux.windows.get(&pane.window));
            let index = window.and_then(|window| {
                let at = window.panes().iter().position(|other| *other == id)?;
                Some(mux.window_number(window, "pane-base-index") + at as i64)
            });
            index.map_or(String::new(), |index| format!("pane {index}"))
        }
        _ => String::new(),
    }
}

fn is_global(owner: OptionScope) -> bool {
    matches!(owner, OptionScope::Server | OptionScope::GlobalSession | OptionScope::GlobalWindow)
}

/// Whether a value, or an item of it, is another than at first. One of a user is.
fn is_changed(mux: &Mux, name: &str, value: &OptionValue, key: Option<&ItemKey>) -> bool {
    let Some(row) = find(name) else { return true };
    let start = row.start(mux.identity.face);
    let item = |value: &OptionValue, key: &ItemKey| {
        value.items().find(|(other, _)| *other == key).map(|(_, text)| text.to_owned())
    };
    match key {
        Some(key) => item(value, key) != item(&start, key),
        None => *value != start,
    }
}

fn is_key_changed(mux: &Mux, table: &str, binding: &Binding<crate::commands::Commands>) -> bool {
    mux.keys.default_of(table, binding.key).is_none_or(|default| {
        default.repeat != binding.repeat
            || default.note != binding.note
            || default.command.print() != binding.command.print()
    })
}

/// The rows.
pub(super) fn make(making: &Making<'_>) -> Vec<Draft> {
    let builder = Builder { making, place: place(making.mux, making.list, making.pane), hidden: making.list.hidden };
    let mut drafts = Vec::new();
    for section in [
        Section::Server,
        Section::Session(Kind::Options),
        Section::Window(Kind::Options),
        Section::Session(Kind::Hooks),
        Section::Window(Kind::Hooks),
    ] {
        builder.options(section, &mut drafts);
    }
    for section in [Section::GlobalEnvironment, Section::SessionEnvironment] {
        if !builder.hidden.unchanged {
            builder.environment(section, &mut drafts);
        }
    }
    let tables = making.mux.keys.names().filter(|table| making.mux.keys.bindings(table).next().is_some());
    for table in tables {
        builder.keys(table, &mut drafts);
    }
    drafts
}

struct Builder<'a> {
    making: &'a Making<'a>,
    place: Found,
    hidden: Hidden,
}

type Values = Vec<(String, String)>;

fn value(name: &str, text: impl Into<String>) -> (String, String) {
    (name.to_owned(), text.into())
}

fn flag(name: &str, on: bool) -> (String, String) {
    value(name, if on { "1" } else { "0" })
}

impl Builder<'_> {
    fn draft(&self, setting: Setting, depth: usize, name: String, text: Option<String>, values: Values) -> Draft {
        Draft {
            item: Item::Setting(Box::new(setting)),
            depth,
            name,
            text,
            expanded: false,
            align: Align::None,
            values,
            place: self.place,
        }
    }

    /// A heading with its rows; without any it is left out where only changes are shown.
    fn section(&self, section: Section, rows: Vec<Draft>, drafts: &mut Vec<Draft>) {
        if rows.is_empty() && self.hidden.unchanged {
            return;
        }
        let title = section.title();
        drafts.push(self.draft(Setting::Heading(section), 0, title, None, Vec::new()));
        drafts.extend(rows);
    }

    fn options(&self, section: Section, drafts: &mut Vec<Draft>) {
        let mux = self.making.mux;
        let owners = section.owners(self.place);
        let mut names: Vec<&str> = Vec::new();
        for owner in owners.iter().rev() {
            let users = store(mux, *owner).into_iter().flat_map(OptionStore::iter);
            for (name, _) in users.filter(|(name, _)| name.starts_with('@')) {
                let hook = mux.is_user_hook(*owner, name) == (section.kind() == Kind::Hooks);
                if hook && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let kind = section.kind();
        let of_table = |name: &&str| {
            let is = |row: &OptionDef| row.hook == (kind == Kind::Hooks) && row.listed(mux.identity.face);
            find(name).is_some_and(is)
        };
        let global = owners.last().and_then(|owner| store(mux, *owner));
        names.extend(global.into_iter().flat_map(OptionStore::iter).map(|(name, _)| name).filter(of_table));
        let mut rows = Vec::new();
        for name in names {
            self.option(&section, name, &mut rows);
        }
        self.section(section, rows, drafts);
    }

    fn option(&self, section: &Section, name: &str, rows: &mut Vec<Draft>) {
        let mux = self.making.mux;
        let Some((owner, held)) = owned(mux, section, self.place, name) else { return };
        let (global, row) = (is_global(owner), find(name));
        if (self.hidden.global && global) || (self.hidden.unchanged && !is_changed(mux, name, held, None)) {
            return;
        }
        let array = matches!(held, OptionValue::Array(_));
        let mut values = vec![
            flag("is_option", true),
            flag("is_key", false),
            flag("is_environment", false),
            value("option_name", name),
            flag("option_is_global", global),
            flag("option_is_array", array),
            flag("option_is_hook", row.is_some_and(|row| row.hook)),
            value("option_scope", scope_text(mux, self.place, owner)),
            value("option_unit", row.map_or("", |row| row.unit)),
        ];
        if !array {
            values.push(value("option_value", held.text()));
        }
        if !self.making.passes(None, self.place, &values) {
            return;
        }
        let text = (!array).then(|| self.making.text(None, self.place, &values));
        let setting = Setting::Option(section.clone(), name.to_owned(), None);
        rows.push(self.draft(setting, 1, name.to_owned(), text, values.clone()));
        for (key, item) in held.items() {
            if self.hidden.unchanged && !is_changed(mux, name, held, Some(key)) {
                continue;
            }
            let shown = format!("{name}[{key}]");
            let mut values = values.clone();
            values.retain(|(other, _)| other != "option_name");
            values.extend([value("option_name", shown.clone()), value("option_value", item)]);
            let text = self.making.text(None, self.place, &values);
            let setting = Setting::Option(section.clone(), name.to_owned(), Some(key.clone()));
            rows.push(self.draft(setting, 2, shown, Some(text), values));
        }
    }

    fn environment(&self, section: Section, drafts: &mut Vec<Draft>) {
        let mux = self.making.mux;
        let global = section == Section::GlobalEnvironment;
        let owner = match self.place.session {
            Some(session) if !global => OptionScope::Session(session),
            _ => OptionScope::GlobalSession,
        };
        let variables = environment(mux, &section, self.place).into_iter().flat_map(Environment::iter);
        let row = |(name, variable): (&str, &Variable)| {
            let values = vec![
                flag("is_option", false),
                flag("is_key", false),
                flag("is_environment", true),
                flag("environment_is_global", global),
                value("environment_scope", scope_text(mux, self.place, owner)),
                value("environment_name", name),
                flag("environment_hidden", variable.hidden),
                flag("environment_removed", variable.value.is_none()),
                value("environment_value", variable.value.clone().unwrap_or_default()),
            ];
            if !self.making.passes(None, self.place, &values) {
                return None;
            }
            let (shown, text) = match variable.value {
                None => (format!("-{name}"), None),
                Some(_) => (name.to_owned(), Some(self.making.text(None, self.place, &values))),
            };
            let setting = Setting::Variable(section.clone(), name.to_owned());
            Some(self.draft(setting, 1, shown, text, values))
        };
        let rows = variables.filter_map(row).collect();
        self.section(section.clone(), rows, drafts);
    }

    fn keys(&self, table: &str, drafts: &mut Vec<Draft>) {
        let mut rows = Vec::new();
        for binding in self.making.mux.keys.bindings(table) {
            self.binding(table, binding, &mut rows);
        }
        self.section(Section::Keys(table.to_owned()), rows, drafts);
    }

    fn binding(&self, table: &str, binding: &Binding<crate::commands::Commands>, rows: &mut Vec<Draft>) {
        if self.hidden.unchanged && !is_key_changed(self.making.mux, table, binding) {
            return;
        }
        let mut values = vec![
            flag("is_option", false),
            flag("is_key", true),
            flag("is_environment", false),
            value("key", keymap::key_name(binding.key)),
        ];
        values.extend(binding.note.as_deref().map(|note| value("key_note", note)));
        if !self.making.passes(None, self.place, &values) {
            return;
        }
        let name = self.making.text(None, self.place, &values);
        let setting = |part| Setting::Key(table.to_owned(), binding.key, part);
        rows.push(self.draft(setting(None), 1, name, None, values.clone()));
        let note = binding.note.as_deref().unwrap_or_default().to_owned();
        for (part, name, text) in [
            (Part::Command, "Command", binding.command.print()),
            (Part::Note, "Note", note),
            (Part::Repeat, "Repeat", if binding.repeat { "on" } else { "off" }.to_owned()),
        ] {
            let text = Some(format!("#[ignore]{text}"));
            rows.push(self.draft(setting(Some(part)), 2, name.to_owned(), text, values.clone()));
        }
    }
}
