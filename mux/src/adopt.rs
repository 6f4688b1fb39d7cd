//! What a saved model needs to be put back: key bindings as text, buffers, ids that are taken, and the last touches.
//!
//! Owns no format: who saves and restores reads and fills the model's own fields, and comes here for what lies behind
//! them. [`Mux::check`] asserts the whole model.

pub use agents::AgentRecord;

use crate::commands::Commands;
use crate::environment::Environment;
use crate::id::{PaneId, SessionId, WindowId};
use crate::input::Now;
use crate::layout::{Axis, Extent, Layout, Preset, PresetOptions, Split};
use crate::option::OptionStore;
use crate::pane::{Pane, Program};
use crate::timer::Timer;
use crate::{Face, Mux, Window, Winlink};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::Terminal;

/// A difference of the key tables to those that a server starts with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyChange {
    /// A table of the defaults was removed (`unbind-key -a`), before whatever was bound in it since.
    Removed(String),
    /// A table that is not a default one exists, maybe without a binding.
    Table(String),
    /// A key is bound.
    Bound {
        /// The table.
        table: String,
        /// The key's name.
        key: String,
        /// What it runs, as it prints.
        command: String,
        /// What it is for.
        note: Option<String>,
        /// It may be repeated.
        repeat: bool,
    },
    /// A key that is bound by default is not.
    Unbound {
        /// The table.
        table: String,
        /// The key's name.
        key: String,
    },
}

impl KeyChange {
    /// The table and the key's name, of a change of one key.
    fn place(&self) -> Option<(&str, &str)> {
        match self {
            KeyChange::Bound { table, key, .. } | KeyChange::Unbound { table, key } => Some((table, key)),
            KeyChange::Removed(_) | KeyChange::Table(_) => None,
        }
    }

    /// As a command that makes the change; `None` for an empty table, which no command makes.
    pub fn to_line(&self) -> Option<String> {
        let escape = crate::command::escape;
        Some(match self {
            KeyChange::Table(_) => return None,
            KeyChange::Removed(table) => format!("unbind-key -a -T {}", escape(table)),
            KeyChange::Unbound { table, key } => format!("unbind-key -T {} {}", escape(table), escape(key)),
            KeyChange::Bound { table, key, command, note, repeat } => {
                let repeat = if *repeat { "-r " } else { "" };
                let note = note.as_deref().map_or(String::new(), |note| format!("-N {} ", escape(note)));
                format!("bind-key {repeat}{note}-T {} {} {}", escape(table), escape(key), escape(command))
            }
        })
    }

    /// The change that a line of [`KeyChange::to_line`] makes. `None` for any other line.
    pub fn from_line(line: &str) -> Option<KeyChange> {
        let parsed = crate::command::parse(line, &crate::command::ParseContext::PLAIN).ok()?;
        let [command] = parsed.commands.as_slice() else { return None };
        let words: Option<Vec<&str>> = command
            .arguments
            .iter()
            .map(|word| if let crate::command::parse::Argument::Text(text) = word { Some(text.as_str()) } else { None })
            .collect();
        let mut words = words?.into_iter();
        let (mut table, mut note, mut repeat, mut all) = (None, None, false, false);
        let mut rest = Vec::new();
        let bind = match words.next()? {
            "bind-key" => true,
            "unbind-key" => false,
            _ => return None,
        };
        while let Some(word) = words.next() {
            match word {
                "-r" if rest.is_empty() => repeat = true,
                "-a" if rest.is_empty() => all = true,
                "-N" if rest.is_empty() => note = Some(words.next()?.to_owned()),
                "-T" if rest.is_empty() => {
                    table = Some(words.next()?.to_owned());
                    rest.extend(words.by_ref());
                }
                _ => return None,
            }
        }
        let table = table?;
        match (bind, all, rest.as_slice()) {
            (true, false, [key, command]) => {
                Some(KeyChange::Bound { table, key: (*key).to_owned(), command: (*command).to_owned(), note, repeat })
            }
            (false, false, [key]) => Some(KeyChange::Unbound { table, key: (*key).to_owned() }),
            (false, true, []) => Some(KeyChange::Removed(table)),
            _ => None,
        }
    }
}

impl PartialEq for Commands {
    /// The same commands, wherever they stood.
    fn eq(&self, other: &Commands) -> bool {
        Rc::ptr_eq(&self.list, &other.list) || self.print() == other.print()
    }
}

/// What lies behind the model's fields and is saved too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inner {
    /// What was typed at prompts, by kind, the newest last.
    pub prompts: BTreeMap<String, Vec<String>>,
    /// How often a pane became active so far.
    pub uses: u64,
}

/// The keys that are bound by default, with their tables.
fn default_keys(face: Face) -> Vec<keymap::DefaultBinding> {
    match face {
        Face::Tmux => keymap::tmux_bindings().collect(),
        Face::Rove => keymap::rove_bindings().collect(),
    }
}

impl Mux {
    /// What lies behind the model's fields and is saved too.
    pub fn inner(&self) -> Inner {
        Inner { prompts: self.prompt_history.clone(), uses: self.uses }
    }

    /// Put back what [`Mux::inner`] gave.
    pub fn set_inner(&mut self, inner: Inner) {
        self.prompt_history = inner.prompts;
        self.uses = inner.uses;
    }

    /// How the key tables differ from those that a server starts with.
    pub fn key_changes(&self) -> Vec<KeyChange> {
        let mut kept: BTreeMap<&str, bool> = BTreeMap::new();
        for row in default_keys(self.identity.face) {
            let kept = kept.entry(row.table).or_default();
            *kept |=
                !*kept && keymap::parse_key(row.key).is_some_and(|key| self.keys.default_of(row.table, key).is_some());
        }
        let removed = kept.iter().filter(|(_, kept)| !**kept).map(|(table, _)| KeyChange::Removed((*table).to_owned()));
        let new = self.keys.names().filter(|table| kept.get(table) != Some(&true));
        let mut changes: Vec<KeyChange> = removed.chain(new.map(|table| KeyChange::Table(table.to_owned()))).collect();
        changes.extend(self.keys.changed().map(|change| match change {
            keymap::Change::Bound { table, binding } => KeyChange::Bound {
                table: table.to_owned(),
                key: keymap::key_name(binding.key),
                command: binding.command.print(),
                note: binding.note.as_deref().map(str::to_owned),
                repeat: binding.repeat,
            },
            keymap::Change::Unbound { table, key } => {
                KeyChange::Unbound { table: table.to_owned(), key: keymap::key_name(key) }
            }
        }));
        changes
    }

    /// What was changed since the tables had the changes `base`: applied after those, it gives the tables as they are.
    pub fn key_changes_since(&self, base: &[KeyChange]) -> Vec<KeyChange> {
        let now = self.key_changes();
        let same: BTreeSet<(&str, &str)> = now.iter().filter_map(KeyChange::place).collect();
        // What the base changed and is now as by default again needs words of its own.
        let mut back: Vec<KeyChange> = Vec::new();
        for (table, key) in base.iter().filter_map(KeyChange::place).filter(|place| !same.contains(place)) {
            let (table, name) = (table.to_owned(), key.to_owned());
            let binding = keymap::parse_key(key).and_then(|key| self.keys.get(&table, key));
            back.push(match binding {
                Some(binding) => KeyChange::Bound {
                    table,
                    key: name,
                    command: binding.command.print(),
                    note: binding.note.as_deref().map(str::to_owned),
                    repeat: binding.repeat,
                },
                None => KeyChange::Unbound { table, key: name },
            });
        }
        let removed = |change: &&KeyChange| matches!(change, KeyChange::Removed(table) if !base.contains(&KeyChange::Removed(table.clone())));
        let gone: Vec<&str> = now
            .iter()
            .filter(removed)
            .filter_map(|change| if let KeyChange::Removed(table) = change { Some(table.as_str()) } else { None })
            .collect();
        // A removed table takes along what the base bound in it.
        let again = |change: &KeyChange| change.place().is_some_and(|(table, _)| gone.contains(&table));
        now.iter().filter(|change| !base.contains(change) || again(change)).cloned().chain(back).collect()
    }

    /// Make a change to the key tables.
    ///
    /// # Errors
    /// A sentence, for a key or command that this version does not know.
    pub fn apply_key_change(&mut self, change: &KeyChange) -> Result<(), String> {
        let read = |name: &str| keymap::parse_key(name).ok_or_else(|| format!("the key {name} is not known"));
        match change {
            KeyChange::Removed(table) => drop(self.keys.remove_table(table)),
            KeyChange::Table(table) => self.keys.create_table(table),
            KeyChange::Unbound { table, key } => drop(self.keys.unbind(table, read(key)?)),
            KeyChange::Bound { table, key, command, note, repeat } => {
                let plain = &crate::command::ParseContext::PLAIN;
                let parsed = crate::command::parse(command, plain).and_then(|parsed| {
                    crate::command::build(parsed.commands, &crate::commands::Table { mux: self }, plain)
                });
                let list =
                    parsed.map_err(|error| format!("the binding of {key} is not understood: {}", error.message))?;
                self.keys.bind(table, read(key)?, Commands::new(list), note.as_deref(), *repeat);
            }
        }
        Ok(())
    }

    /// A session id that is free: the wanted one when it is.
    pub fn free_session_id(&mut self, wanted: SessionId) -> SessionId {
        let id = if self.sessions.contains_key(&wanted) { SessionId(self.next.session) } else { wanted };
        self.next.session = self.next.session.max(id.0.saturating_add(1));
        id
    }

    /// A window id that is free: the wanted one when it is.
    pub fn free_window_id(&mut self, wanted: WindowId) -> WindowId {
        let id = if self.windows.contains_key(&wanted) { WindowId(self.next.window) } else { wanted };
        self.next.window = self.next.window.max(id.0.saturating_add(1));
        id
    }

    /// A pane id that is free: the wanted one when it is.
    pub fn free_pane_id(&mut self, wanted: PaneId) -> PaneId {
        let id = if self.panes.contains_key(&wanted) { PaneId(self.next.pane) } else { wanted };
        self.next.pane = self.next.pane.max(id.0.saturating_add(1));
        id
    }

    /// A session name that is free: the wanted one when it is, else with a number behind it.
    pub fn free_session_name(&self, wanted: &str) -> String {
        let clean = crate::windows::clean_name(wanted);
        let mut name = clean.clone();
        let mut number = 2u32;
        while self.session_named(&name).is_some() {
            name = format!("{clean}-{number}");
            number += 1;
        }
        name
    }

    /// A session of this name for panes whose place is not known: each in a window of its own.
    pub fn gather(&mut self, now: Now, name: &str, panes: Vec<Pane>) {
        let cwd = panes.first().map_or("/".to_owned(), |pane| pane.cwd.clone());
        let mut windows = BTreeMap::new();
        for (index, mut pane) in (0..).zip(panes) {
            let id = self.free_window_id(WindowId(self.next.window));
            pane.id = self.free_pane_id(pane.id);
            pane.window = id;
            let size = pane.terminal.size();
            let extent = Extent { width: u32::from(size.cols), height: u32::from(size.rows) };
            let window = Window { name: pane.title.clone(), ..Window::new(id, pane.id, extent, now) };
            self.panes.insert(pane.id, pane);
            self.windows.insert(id, window);
            windows.insert(index, Winlink::new(id));
        }
        if windows.is_empty() {
            return;
        }
        let id = self.add_session(now, Some(self.free_session_name(name)), None, cwd);
        if let Some(session) = self.sessions.get_mut(&id) {
            session.windows = windows;
        }
        self.settle(now);
    }

    /// The last touches after sessions, windows and panes were put back: what options shape is shaped, panes get the
    /// size of their place, and what runs by the clock is set going.
    pub fn settle(&mut self, now: Now) {
        self.last_turn = Some(now);
        let windows: Vec<WindowId> = self.windows.keys().copied().collect();
        for id in windows {
            self.touch_layout_settings(id);
            self.fit_panes(id);
            self.schedule_rename(now, id);
        }
        self.touch_widths();
        self.touch_terminals();
        if self.panes.values().any(|pane| pane.running() && pane.agent.is_some()) {
            self.timers.set_once(Timer::Agents, now.instant);
        }
        self.redraw();
    }

    /// The environment of the server is another one now, as when it was taken over.
    pub fn set_environment(&mut self, environment: Environment) {
        self.environment = environment;
    }

    /// Assert what must hold of the whole model after every turn; for tests.
    #[doc(hidden)]
    pub fn check(&self) {
        for (id, session) in &self.sessions {
            assert_eq!(*id, session.id);
            assert!(id.0 < self.next.session, "{id} is not below the next id");
            assert!(!session.windows.is_empty(), "session {} has no window", session.name);
            assert!(session.windows.contains_key(&session.current), "session {} has no current window", session.name);
            assert!(
                session.windows.values().all(|link| self.windows.contains_key(&link.window)),
                "a link leads nowhere"
            );
            assert_eq!(self.session_named(&session.name), Some(*id), "two sessions have one name");
            assert!(session.last.iter().all(|index| *index != session.current), "the current window is a last one");
        }
        let mut places = BTreeSet::new();
        for (id, window) in &self.windows {
            assert_eq!(*id, window.id);
            assert!(id.0 < self.next.window, "{id} is not below the next id");
            assert!(self.sessions_with(*id).next().is_some(), "{id} is in no session");
            window.layout.check();
            assert!(window.layout.contains(window.active), "{id}: the active pane is elsewhere");
            assert!(
                window.last_panes.iter().all(|pane| window.layout.contains(*pane)),
                "{id}: a last pane is elsewhere"
            );
            assert!(!window.last_panes.contains(&window.active), "{id}: the active pane is a last one");
            if let Some(zoom) = &window.zoom {
                zoom.check();
                assert!(zoom.contains(window.active), "{id}: the active pane is hidden");
                assert_eq!(zoom.tiled_panes().len(), 1, "{id}: one pane is zoomed");
            }
            assert!(
                window.modal.is_none_or(|pane| window.layout.is_floating(pane)),
                "{id}: the modal pane does not float"
            );
            for pane in window.panes() {
                assert!(places.insert(*pane), "{pane} is in two places");
                assert_eq!(self.panes.get(pane).map(|pane| pane.window), Some(*id), "{pane} says another window");
            }
        }
        for (id, pane) in &self.panes {
            assert_eq!(*id, pane.id);
            assert!(id.0 < self.next.pane, "{id} is not below the next id");
            assert!(places.contains(id), "{id} is in no window");
            assert!(pane.used <= self.uses);
        }
        assert!(self.marked.is_none_or(|pane| self.panes.contains_key(&pane)), "the marked pane is gone");
        let uuids: BTreeSet<u128> = self.panes.values().map(|pane| pane.uuid).collect();
        assert_eq!(uuids.len(), self.panes.len(), "two panes have one lasting id");
    }
}

impl Pane {
    /// A pane to be put back: frozen, with nothing but these; the caller fills in what was saved of it.
    pub fn put_back(id: PaneId, uuid: u128, window: WindowId, terminal: Terminal) -> Pane {
        Pane {
            id,
            uuid,
            window,
            terminal: Box::new(terminal),
            program: Program::Frozen,
            pid: 0,
            tty: String::new(),
            cwd: String::new(),
            argv: Vec::new(),
            shell: String::new(),
            options: OptionStore::default(),
            title: String::new(),
            modes: Vec::new(),
            input_off: false,
            focused: false,
            agent: None,
            agent_runs: false,
            agent_start: None,
            recycled: None,
            used: 0,
            written: 0,
            unseen_changes: false,
            last_output: None,
            shell_marks: crate::pane::Shell::default(),
            reported_fg: None,
            reported_bg: None,
            ground_at: None,
            told_theme: None,
            closes_with_mode: None,
            over_zoom: false,
            takes_all_keys: false,
            closes_on_click: false,
            pipe: None,
            prompt: None,
            searched: None,
        }
    }
}

/// The layout that a text says, for panes that may have other ids now: `panes` has for each of them, in the window's
/// order, the id in the text and the id now; a pane without one is gone, and its neighbours get its place. A text that
/// can't be read gives a layout that holds them anyhow. `None` when no pane is left.
pub fn layout_for(text: &str, panes: &[(PaneId, Option<PaneId>)], size: Extent) -> Option<Layout> {
    let old: Vec<PaneId> = panes.iter().map(|(old, _)| *old).collect();
    let left: Vec<PaneId> = panes.iter().filter_map(|(_, new)| *new).collect();
    let first = *left.first()?;
    let Ok(mut layout) = Layout::restore(text, &old).map_err(drop).and_then(|layout| renamed(layout, panes).ok_or(()))
    else {
        return Some(plain_layout(first, &left[1..], size));
    };
    layout.resize(size);
    Some(layout)
}

/// The layout with the ids that its panes have now. `None` when that can't be.
fn renamed(mut layout: Layout, panes: &[(PaneId, Option<PaneId>)]) -> Option<Layout> {
    for (old, _) in panes.iter().filter(|(_, new)| new.is_none()) {
        layout.close(*old);
    }
    let left = || panes.iter().filter_map(|(old, new)| Some((*old, (*new)?)));
    if left().all(|(old, new)| old == new) {
        return Some(layout);
    }
    // Over ids that no pane has, as a new id may be the old one of another.
    for (at, (old, _)) in left().enumerate() {
        layout.replace(old, unused(at)).then_some(())?;
    }
    for (at, (_, new)) in left().enumerate() {
        layout.replace(unused(at), new).then_some(())?;
    }
    Some(layout)
}

fn unused(at: usize) -> PaneId {
    PaneId(u32::MAX - at as u32)
}

/// All panes in rows and columns of like size.
fn plain_layout(first: PaneId, rest: &[PaneId], size: Extent) -> Layout {
    let rows = size.height.max(2 * rest.len() as u32 + 3);
    let mut layout = Layout::new(Extent { width: size.width, height: rows }, first);
    let mut last = first;
    for (at, pane) in rest.iter().enumerate() {
        let size = Some(2 * (rest.len() - at) as u32);
        let split = Split { size, ..Split::half(Axis::TopBottom) };
        if layout.split(last, *pane, split).is_ok() {
            last = *pane;
        }
    }
    layout.select_preset(Preset::Tiled, &PresetOptions::default());
    layout.resize(size);
    layout
}
