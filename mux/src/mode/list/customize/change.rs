//! What the keys of customize-mode do: each change is a command, run for who typed.

use super::super::source::At;
use super::super::{Ask, Item, List};
use super::{Part, Section, Setting, environment, is_global, owned, place, scope_text, store};
use crate::option::{ItemKey, Kind as Takes, OptionValue, find};
use crate::queue::Context;
use crate::target::Found;
use crate::values::OptionScope;
use crate::{Mux, PaneId, SessionId};

/// What the answer to a question changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The value of an option of an owner, or of an item of it.
    Option(Section, OptionScope, String, Option<ItemKey>),
    /// The key of an item.
    ItemKey(Section, OptionScope, String, ItemKey),
    /// The value of a variable of a session, or of all.
    Variable(Option<SessionId>, String),
    /// The command of a key.
    Command(String, keymap::Key),
    /// The note of a key.
    Note(String, keymap::Key),
    /// Something new in a section.
    Add(Section),
    /// Take away the current row's setting, or with the second those of the tagged rows.
    Unset(Option<Setting>),
    /// Give its first value back.
    Reset(Option<Setting>),
}

impl Change {
    /// Whether one key is the answer.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self, Change::Unset(_) | Change::Reset(_))
    }
}

/// The flags with which commands name an owner of options.
fn owner_flags(owner: OptionScope) -> Vec<String> {
    let words: &[&str] = match owner {
        OptionScope::Server => &["-s"],
        OptionScope::GlobalSession => &["-g"],
        OptionScope::GlobalWindow => &["-gw"],
        OptionScope::Session(_) => &["-t"],
        OptionScope::Window(_) => &["-w", "-t"],
        OptionScope::Pane(_) => &["-p", "-t"],
    };
    let target = match owner {
        OptionScope::Session(id) => Some(format!("{id}:")),
        OptionScope::Window(id) => Some(id.to_string()),
        OptionScope::Pane(id) => Some(id.to_string()),
        _ => None,
    };
    words.iter().map(|word| (*word).to_owned()).chain(target).collect()
}

fn written(name: &str, key: Option<&ItemKey>) -> String {
    key.map_or(name.to_owned(), |key| format!("{name}[{key}]"))
}

/// Where in the list changes stand.
#[derive(Clone, Copy)]
struct Stand {
    at: At,
    place: Found,
}

/// A key that only customize-mode has.
pub(in super::super) fn key(mux: &mut Mux, context: &mut Context<'_>, at: At, key: &str) -> bool {
    let Some(list) = mux.list(at.pane) else { return true };
    let stand = Stand { at, place: place(mux, list, at.pane) };
    let current = match list.current_item() {
        Some(Item::Setting(setting)) => Some((**setting).clone()),
        _ => None,
    };
    match (key, current) {
        ("H" | "C", _) => toggle_hidden(mux, context, at.pane, key == "C"),
        ("D" | "U", _) => ask_for_tagged(mux, context, stand, key == "D"),
        ("Enter" | "s", Some(Setting::Heading(section))) => ask_for_new(mux, context, stand, section),
        ("Enter" | "s", Some(Setting::Key(table, key, Some(part)))) => set_key(mux, context, stand, table, key, part),
        ("Enter" | "s", Some(setting)) => set(mux, context, stand, setting, Reach::Nearest),
        ("w", Some(setting @ Setting::Option(..))) => set(mux, context, stand, setting, Reach::Window),
        ("S" | "W", Some(setting @ (Setting::Option(..) | Setting::Variable(..)))) => {
            set(mux, context, stand, setting, Reach::Global);
        }
        ("a", Some(Setting::Option(section, name, Some(key)))) => {
            if let Some((owner, _)) = owned(mux, &section, stand.place, &name) {
                let question = format!("({name}[{key}]) ");
                let initial = key.to_string();
                ask(mux, context, stand, Change::ItemKey(section, owner, name, key), question, initial);
            }
        }
        ("e", Some(setting)) => edit(mux, context, stand, setting),
        ("d", Some(setting @ (Setting::Option(_, _, None) | Setting::Key(..)))) => {
            let question = format!("Reset {} to default? ", name(&setting));
            ask(mux, context, stand, Change::Reset(Some(setting)), question, String::new());
        }
        ("u", Some(setting @ (Setting::Option(..) | Setting::Key(..) | Setting::Variable(..)))) => {
            let question = format!("Unset {}? ", name(&setting));
            ask(mux, context, stand, Change::Unset(Some(setting)), question, String::new());
        }
        _ => {}
    }
    false
}

/// What questions call a setting.
fn name(setting: &Setting) -> String {
    match setting {
        Setting::Heading(section) => section.title(),
        Setting::Option(_, name, key) => written(name, key.as_ref()),
        Setting::Variable(_, name) => name.clone(),
        Setting::Key(_, key, _) => keymap::key_name(*key),
    }
}

fn toggle_hidden(mux: &mut Mux, context: &mut Context<'_>, pane: PaneId, unchanged: bool) {
    if let Some(list) = mux.list_mut(pane) {
        let hidden = &mut list.hidden;
        let side = if unchanged { &mut hidden.unchanged } else { &mut hidden.global };
        *side = !*side;
    }
    mux.make_list(context.now, context.world, pane);
}

fn ask(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, change: Change, question: String, initial: String) {
    mux.ask_for_list(context, stand.at, Ask::Change(Box::new(change)), question, initial);
}

fn ask_for_tagged(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, resets: bool) {
    let (change, what) = match resets {
        true => (Change::Reset(None), ("Reset", " to default")),
        false => (Change::Unset(None), ("Unset", "")),
    };
    match mux.list(stand.at.pane).map_or(0, |list| list.tagged().len()) {
        0 => {}
        tagged => {
            let question = format!("{} {tagged} tagged{}? ", what.0, what.1);
            ask(mux, context, stand, change, question, String::new());
        }
    }
}

fn ask_for_new(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, section: Section) {
    let (question, initial) = match &section {
        Section::Session(super::Kind::Hooks) | Section::Window(super::Kind::Hooks) => {
            ("New user hook: ".to_owned(), "@")
        }
        Section::GlobalEnvironment | Section::SessionEnvironment => ("New environment: ".to_owned(), ""),
        Section::Keys(table) => (format!("New key in {table}: "), ""),
        _ => ("New user option: ".to_owned(), "@"),
    };
    ask(mux, context, stand, Change::Add(section), question, initial.to_owned());
}

/// How near the owner is whose value is set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Nearest,
    Window,
    Global,
}

/// Whose value of an option is set. Arrays are changed where they are.
fn new_owner(section: &Section, place: Found, name: &str, owner: OptionScope, reach: Reach) -> OptionScope {
    let row = find(name);
    if row.is_some_and(|row| row.array) {
        return owner;
    }
    let in_panes = row.is_none_or(|row| row.scope == crate::option::Scope::WindowOrPane);
    let wanted = |candidate: &OptionScope| match (reach, candidate) {
        (Reach::Global, candidate) => is_global(*candidate),
        (Reach::Nearest, OptionScope::Pane(_)) => in_panes,
        (Reach::Window, OptionScope::Pane(_)) => false,
        _ => true,
    };
    section.owners(place).into_iter().find(wanted).unwrap_or(owner)
}

/// Ask for a new value; a flag or a choice takes the next one at once.
fn set(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, setting: Setting, reach: Reach) {
    match setting {
        Setting::Option(section, name, key) => set_option(mux, context, stand, section, name, key, reach),
        Setting::Variable(section, name) => {
            let Some(variable) = environment(mux, &section, stand.place).and_then(|all| all.find(&name)) else {
                return;
            };
            let initial = variable.value.clone().unwrap_or_default();
            let session = stand.place.session.filter(|_| section == Section::SessionEnvironment);
            let session = session.filter(|_| reach != Reach::Global);
            let of = match session {
                Some(session) => format!(", for {}", scope_text(mux, stand.place, OptionScope::Session(session))),
                None => ", global".to_owned(),
            };
            let question = format!("({name}{of}) ");
            ask(mux, context, stand, Change::Variable(session, name), question, initial);
        }
        Setting::Heading(_) | Setting::Key(..) => {}
    }
}

fn set_option(
    mux: &mut Mux,
    context: &mut Context<'_>,
    stand: Stand,
    section: Section,
    name: String,
    key: Option<ItemKey>,
    reach: Reach,
) {
    let Some((owner, value)) = owned(mux, &section, stand.place, &name) else { return };
    let new = new_owner(&section, stand.place, &name, owner, reach);
    let seen = |owner| {
        let text = crate::option::chain::text(&mux.option_chain(owner), &name);
        (text, crate::option::chain::flag(&mux.option_chain(owner), &name))
    };
    let next = match find(&name).map(|row| row.kind) {
        Some(Takes::Flag) => Some(if seen(new).1 { "off" } else { "on" }),
        Some(Takes::Choice(words)) => {
            let at = words.iter().position(|word| *word == seen(new).0).map_or(0, |at| (at + 1) % words.len());
            Some(words[at])
        }
        _ => None,
    };
    if let Some(next) = next {
        return set_value(mux, context, stand, new, &name, next);
    }
    let of = match scope_text(mux, stand.place, new) {
        text if !text.is_empty() => format!(", for {text}"),
        _ if new == OptionScope::Server => String::new(),
        _ => ", global".to_owned(),
    };
    let (shown, initial) = match (value, &key) {
        (OptionValue::Array(items), Some(key)) => {
            (written(&name, Some(key)), items.get(key).cloned().unwrap_or_default())
        }
        (OptionValue::Array(_), None) => (format!("{name}[+]"), String::new()),
        (value, _) => (name.clone(), value.text()),
    };
    ask(mux, context, stand, Change::Option(section, new, name, key), format!("({shown}{of}) "), initial);
}

fn set_value(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, owner: OptionScope, written: &str, value: &str) {
    run(mux, context, stand, "set-option", owner_flags(owner), &["--", written, value]);
}

fn run(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, command: &str, flags: Vec<String>, rest: &[&str]) {
    let mut words = vec![command.to_owned()];
    words.extend(flags);
    words.extend(rest.iter().map(|word| (*word).to_owned()));
    // A word that ends so would end the command.
    for word in &mut words {
        if word.ends_with(';') {
            word.insert(word.len() - 1, '\\');
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    mux.run_for_list(context, stand.at, &words);
}

fn set_key(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, table: String, key: keymap::Key, part: Part) {
    let Some(parts) = Parts::of(mux, &table, key) else { return };
    let question = format!("({}) ", keymap::key_name(key));
    match part {
        Part::Command => ask(mux, context, stand, Change::Command(table, key), question, parts.command),
        Part::Note => {
            ask(mux, context, stand, Change::Note(table, key), question, parts.note.unwrap_or_default());
        }
        Part::Repeat => bind(mux, context, stand, &table, key, Parts { repeat: !parts.repeat, ..parts }),
    }
}

/// The parts of a binding, as bind-key takes them.
#[derive(Default)]
struct Parts {
    command: String,
    note: Option<String>,
    repeat: bool,
}

impl Parts {
    fn of(mux: &Mux, table: &str, key: keymap::Key) -> Option<Parts> {
        let binding = mux.keys.get(table, key)?;
        let note = binding.note.as_deref().map(str::to_owned);
        Some(Parts { command: binding.command.print(), note, repeat: binding.repeat })
    }
}

fn bind(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, table: &str, key: keymap::Key, parts: Parts) {
    let mut flags = vec!["-T".to_owned(), table.to_owned()];
    flags.extend(parts.repeat.then(|| "-r".to_owned()));
    flags.extend(parts.note.into_iter().flat_map(|note| ["-N".to_owned(), note]));
    let key = keymap::key_name(key);
    run(mux, context, stand, "bind-key", flags, &["--", &key, &parts.command]);
}

/// Open a value in the user's editor.
fn edit(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, setting: Setting) {
    let Some(client) = stand.at.client else { return };
    let edited = match setting {
        Setting::Option(section, name, key) => {
            let chosen = matches!(find(&name).map(|row| row.kind), Some(Takes::Flag | Takes::Choice(_)));
            owned(mux, &section, stand.place, &name).filter(|_| !chosen).and_then(|(owner, value)| {
                let text = match (value, &key) {
                    (OptionValue::Array(items), Some(key)) => items.get(key)?.clone(),
                    (OptionValue::Array(_), None) => return None,
                    (value, _) => value.text(),
                };
                Some((text, Change::Option(section, owner, name, key)))
            })
        }
        Setting::Key(table, key, Some(part)) => Parts::of(mux, &table, key).and_then(|parts| match part {
            Part::Command => Some((parts.command, Change::Command(table, key))),
            Part::Note => Some((parts.note.unwrap_or_default(), Change::Note(table, key))),
            Part::Repeat => None,
        }),
        Setting::Variable(section, name) => {
            let session = stand.place.session.filter(|_| section == Section::SessionEnvironment);
            let variable = environment(mux, &section, stand.place).and_then(|all| all.find(&name));
            variable.and_then(|variable| variable.value.clone()).map(|text| (text, Change::Variable(session, name)))
        }
        Setting::Heading(_) | Setting::Key(_, _, None) => None,
    };
    let Some((text, change)) = edited else { return };
    let data = if text.is_empty() { "\n" } else { text.as_str() };
    let what = crate::overlay::Edited::Setting(Box::new(change));
    mux.edit(context.world, client, data.as_bytes(), what, stand.at.pane);
}

/// What was answered to a question about a change.
pub(in super::super) fn answered(
    mux: &mut Mux,
    context: &mut Context<'_>,
    at: At,
    change: Change,
    answer: Option<&str>,
    accepts: bool,
) {
    let Some(list) = mux.list(at.pane) else { return };
    let stand = Stand { at, place: place(mux, list, at.pane) };
    let Some(answer) = answer else { return };
    if change.is_single() {
        let yes = answer.eq_ignore_ascii_case("y") || (accepts && matches!(answer, "\r" | "\n"));
        if yes {
            change_each(mux, context, stand, change);
        }
        return;
    }
    if answer.is_empty() && !matches!(change, Change::Variable(..)) {
        return;
    }
    match change {
        Change::Option(section, owner, name, key) => {
            let Some((_, value)) = owned(mux, &section, stand.place, &name) else { return };
            let free = || (0..).map(ItemKey::Number).find(|key| value.items().all(|(other, _)| other != key));
            let key = key.or_else(|| if matches!(value, OptionValue::Array(_)) { free() } else { None });
            set_value(mux, context, stand, owner, &written(&name, key.as_ref()), answer);
        }
        Change::ItemKey(section, owner, name, old) => {
            let Some((_, value)) = owned(mux, &section, stand.place, &name) else { return };
            let Some(new) = ItemKey::parse(answer) else { return };
            let item = |key: &ItemKey| value.items().find(|(other, _)| *other == key).map(|(_, text)| text.to_owned());
            if let (Some(text), None) = (item(&old), item(&new)) {
                set_value(mux, context, stand, owner, &written(&name, Some(&new)), &text);
                unset(mux, context, stand, owner, &written(&name, Some(&old)));
                let item = |key| Item::Setting(Box::new(Setting::Option(section.clone(), name.clone(), Some(key))));
                if let Some(list) = mux.list_mut(stand.at.pane) {
                    list.rename(&item(old), item(new));
                }
            }
        }
        Change::Variable(session, name) => set_variable(mux, context, stand, session, &name, answer),
        Change::Command(table, key) => {
            let Some(parts) = Parts::of(mux, &table, key) else { return };
            bind(mux, context, stand, &table, key, Parts { command: answer.to_owned(), ..parts });
        }
        Change::Note(table, key) => {
            let Some(parts) = Parts::of(mux, &table, key) else { return };
            bind(mux, context, stand, &table, key, Parts { note: Some(answer.to_owned()), ..parts });
        }
        Change::Add(section) => add(mux, context, stand, &section, answer),
        Change::Unset(_) | Change::Reset(_) => {}
    }
}

fn set_variable(
    mux: &mut Mux,
    context: &mut Context<'_>,
    stand: Stand,
    session: Option<SessionId>,
    name: &str,
    text: &str,
) {
    let environment = match session {
        Some(id) => mux.sessions.get(&id).map(|session| &session.environment),
        None => Some(&mux.environment),
    };
    let Some(environment) = environment else { return };
    let hidden = environment.find(name).is_some_and(|variable| variable.hidden);
    let mut flags = variable_flags(session);
    flags.extend(hidden.then(|| "-h".to_owned()));
    run(mux, context, stand, "set-environment", flags, &["--", name, text]);
}

fn variable_flags(session: Option<SessionId>) -> Vec<String> {
    match session {
        Some(session) => vec!["-t".to_owned(), format!("{session}:")],
        None => vec!["-g".to_owned()],
    }
}

/// Make something new of a name and a value.
fn add(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, section: &Section, answer: &str) {
    let pair = answer.split_once([' ', '\t']).map(|(name, rest)| (name, rest.trim_start_matches([' ', '\t'])));
    let pair = pair.filter(|(name, rest)| !name.is_empty() && !rest.is_empty());
    let refused = match (section, pair) {
        (Section::GlobalEnvironment | Section::SessionEnvironment, _) => {
            let session = stand.place.session.filter(|_| *section == Section::SessionEnvironment);
            let cleared = answer.strip_prefix('-').filter(|name| !name.is_empty() && !name.contains('='));
            if let Some(name) = cleared {
                let mut flags = variable_flags(session);
                flags.push("-r".to_owned());
                return run(mux, context, stand, "set-environment", flags, &["--", name]);
            }
            match answer.split_once('=').filter(|(name, _)| !name.is_empty() && !name.starts_with('-')) {
                Some((name, text)) => {
                    return run(mux, context, stand, "set-environment", variable_flags(session), &["--", name, text]);
                }
                None => "Environment variable must be NAME=value".to_owned(),
            }
        }
        (Section::Keys(table), Some((key, command))) => match keymap::parse_key(key) {
            Some(key) if key != keymap::Key::NONE => {
                return bind(
                    mux,
                    context,
                    stand,
                    table,
                    key,
                    Parts { command: command.to_owned(), ..Parts::default() },
                );
            }
            _ => format!("Unknown key: {key}"),
        },
        (Section::Keys(_), None) => "Key binding must be key command".to_owned(),
        (_, Some((name, value))) if name.starts_with('@') && name.len() > 1 && !name.contains('[') => {
            let Some(owner) = section.owners(stand.place).first().copied() else { return };
            let command = if section.kind() == super::Kind::Hooks { "set-hook" } else { "set-option" };
            return run(mux, context, stand, command, owner_flags(owner), &["--", name, value]);
        }
        (section, Some(_)) => {
            let what = if section.kind() == super::Kind::Hooks { "hook" } else { "option" };
            format!("User {what} name must start with @")
        }
        (_, None) => "User option must be @name value".to_owned(),
    };
    if let Some(client) = stand.at.client {
        mux.show_message(context.now, client, refused, None);
    }
}

/// Take away, or give the first value back to, the setting that was asked about, or the tagged ones.
fn change_each(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, change: Change) {
    let (setting, resets) = match change {
        Change::Reset(setting) => (setting, true),
        Change::Unset(setting) => (setting, false),
        _ => return,
    };
    let tagged = || {
        let items = mux.list(stand.at.pane).map(List::tagged).unwrap_or_default();
        items.into_iter().filter_map(|item| match item {
            Item::Setting(setting) => Some(*setting),
            _ => None,
        })
    };
    let settings: Vec<Setting> = match setting {
        Some(setting) => vec![setting],
        None => tagged().collect(),
    };
    for setting in settings {
        match (setting, resets) {
            (Setting::Option(section, name, None), true) => {
                let Some((owner, _)) = owned(mux, &section, stand.place, &name) else { continue };
                for owner in section.owners(stand.place).into_iter().skip_while(|other| *other != owner) {
                    if store(mux, owner).is_some_and(|store| store.get(&name).is_some()) {
                        unset(mux, context, stand, owner, &name);
                    }
                }
            }
            (Setting::Option(section, name, key), false) => {
                let Some((owner, _)) = owned(mux, &section, stand.place, &name) else { continue };
                let further = section.owners(stand.place).into_iter().filter(|other| *other != owner);
                let stays = find(&name).is_some()
                    || further.into_iter().any(|other| store(mux, other).is_some_and(|all| all.get(&name).is_some()));
                if key.is_some() || !stays {
                    leave_current(mux, stand.at.pane);
                }
                unset(mux, context, stand, owner, &written(&name, key.as_ref()));
            }
            (Setting::Variable(section, name), false) => {
                let session = stand.place.session.filter(|_| section == Section::SessionEnvironment);
                if environment(mux, &section, stand.place).is_none_or(|all| all.find(&name).is_none()) {
                    continue;
                }
                leave_current(mux, stand.at.pane);
                let mut flags = variable_flags(session);
                flags.push("-u".to_owned());
                run(mux, context, stand, "set-environment", flags, &["--", &name]);
            }
            (Setting::Key(table, key, _), resets) => change_key(mux, context, stand, &table, key, resets),
            _ => {}
        }
    }
}

fn unset(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, owner: OptionScope, written: &str) {
    let mut flags = owner_flags(owner);
    flags.insert(0, "-u".to_owned());
    run(mux, context, stand, "set-option", flags, &["--", written]);
}

fn change_key(mux: &mut Mux, context: &mut Context<'_>, stand: Stand, table: &str, key: keymap::Key, resets: bool) {
    if mux.keys.get(table, key).is_none() {
        return;
    }
    if resets && mux.keys.default_of(table, key).is_some() {
        mux.keys.reset(table, key);
        return mux.changed();
    }
    leave_current(mux, stand.at.pane);
    let name = keymap::key_name(key);
    run(mux, context, stand, "unbind-key", vec!["-T".to_owned(), table.to_owned()], &["--", &name]);
}

/// The current row goes: the one above becomes current.
fn leave_current(mux: &mut Mux, pane: PaneId) {
    if let Some(list) = mux.list_mut(pane) {
        if matches!(list.current_item(), Some(Item::Setting(setting)) if matches!(**setting, Setting::Key(_, _, Some(_))))
        {
            list.collapse();
        }
        list.up(false);
    }
}
