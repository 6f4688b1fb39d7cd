//! What was loaded from disk back into a model: sessions that wait for an attach, with the screens they had.
//!
//! [`from_store`] reads and checks records and is pure; [`Plan::apply`] puts them into a model. A bad record costs what
//! it is about and nothing else: a pane's record that pane, a screen that screen, a session's record its names and
//! layout, while its panes come back in a session of their own.

use crate::key::{Key, Kind};
use crate::record::{OptionSetting, PaneRecord, Record, ServerRecord, SessionRecord, WindowRecord};
use crate::state::ID_MAX;
use crate::store::Loaded;
use mux::adopt::{self, AgentRecord, KeyChange};
use mux::layout::Preset;
use mux::option::{ItemKey, OptionName, OptionStore, Set, Unchecked, find};
use mux::{Exit, Mux, Now, Pane, PaneId, Program, Session, SessionId, Window, WindowId, Winlink};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;
use term::{Size, Terminal, VecStore};

/// Name of the session for panes whose own session can't be read.
const LOST_AND_FOUND: &str = "restored";

/// Gives the saved screen of a key, `None` where there never was one, or the words why it can't be had.
pub type Screens<'a> = dyn FnMut(&Key) -> Result<Option<Vec<u8>>, String> + 'a;

/// What comes back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Sessions in order of their ids.
    sessions: Vec<SessionRecord>,
    panes: HashMap<String, PaneRecord>,
    server: Option<ServerRecord>,
    /// Sentences about what does not come back.
    pub problems: Vec<String>,
}

/// The plan for what a store held.
pub fn from_store(loaded: &Loaded) -> Plan {
    let mut plan = Plan::default();
    plan.problems.extend(loaded.problems.iter().map(|problem| format!("{} {}", problem.file, problem.what)));
    let mut bad_session = loaded
        .problems
        .iter()
        .any(|problem| Key::from_file_name(&problem.file).is_some_and(|key| key.kind() == Kind::Session));
    for entry in &loaded.entries {
        let result = match entry.key.kind() {
            Kind::Pane => {
                PaneRecord::decode(&entry.payload).map(|pane| drop(plan.panes.insert(pane.uuid.clone(), pane)))
            }
            Kind::Session => SessionRecord::decode(&entry.payload).map(|session| plan.sessions.push(session)),
            Kind::Server => ServerRecord::decode(&entry.payload).map(|server| plan.server = Some(server)),
            Kind::Screen | Kind::Home => Ok(()),
        };
        if let Err(error) = result {
            bad_session |= entry.key.kind() == Kind::Session;
            plan.problems.push(format!("{} {error}", entry.key.file_name()));
        }
    }
    plan.sessions.sort_by_key(|session| session.id);
    // One session under two names: the power went between the new one and the end of the old one.
    plan.sessions.dedup_by_key(|session| (session.id, session.created_s));
    // A pane that has a screen was there for a while: that it has no session is an accident, as of a cut in the middle of
    // a move. One without was begun as the last thing.
    let lived: HashSet<&str> = loaded.screens.iter().map(Key::stem).collect();
    plan.gather(&|pane| bad_session || lived.contains(pane.uuid.as_str()));
    plan
}

/// The records that are there and can't be read: damaged, or written by a newer program.
pub fn unread(loaded: &Loaded) -> HashSet<Key> {
    let makes_sense = |key: &Key, payload: &[u8]| crate::record::check(key.kind(), payload).is_ok();
    let damaged = loaded.problems.iter().filter_map(|problem| Key::from_file_name(&problem.file));
    let strange = loaded.entries.iter().filter(|entry| !makes_sense(&entry.key, &entry.payload));
    damaged.chain(strange.map(|entry| entry.key.clone())).collect()
}

impl Plan {
    /// True when nothing comes back.
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Panes that no session has get one of their own: what was in one window is in one again.
    fn gather(&mut self, wanted: &dyn Fn(&PaneRecord) -> bool) {
        let windows = || self.sessions.iter().flat_map(|session| &session.windows).map(|link| &link.window);
        let placed: HashSet<&str> = windows().flat_map(|window| &window.panes).map(String::as_str).collect();
        let mut lost: BTreeMap<&str, Vec<&PaneRecord>> = BTreeMap::new();
        for pane in self.panes.values().filter(|pane| !placed.contains(pane.uuid.as_str()) && wanted(pane)) {
            lost.entry(&pane.window).or_default().push(pane);
        }
        if lost.is_empty() {
            return;
        }
        let mut links = Vec::new();
        for (index, (name, mut panes)) in (0..).zip(lost) {
            panes.sort_by_key(|pane| pane.number);
            let window = WindowRecord {
                uuid: format!("lost-{name}"),
                id: name.strip_prefix('w').and_then(|id| id.parse().ok()).unwrap_or(0),
                name: panes[0].title.clone(),
                panes: panes.iter().map(|pane| pane.uuid.clone()).collect(),
                numbers: panes.iter().map(|pane| pane.number).collect(),
                size: (80, 24),
                ..WindowRecord::default()
            };
            links.push(crate::record::LinkRecord { index, window });
        }
        let count: usize = links.iter().map(|link| link.window.panes.len()).sum();
        self.problems.push(format!("panes whose session is not known: {count}; they are in session {LOST_AND_FOUND}"));
        let id = self.sessions.last().map_or(0, |session| session.id.saturating_add(1));
        self.sessions.push(SessionRecord {
            id,
            name: LOST_AND_FOUND.into(),
            windows: links,
            ..SessionRecord::default()
        });
    }

    /// Puts sessions, windows and panes into a model: all of them frozen, under the ids and names they had where those
    /// are free. Sentences about what went wrong are added to [`Plan::problems`].
    pub fn apply(&mut self, mux: &mut Mux, now: Now, screen: &mut Screens<'_>) {
        let mut windows: HashMap<String, WindowId> = HashMap::new();
        let mut used: HashSet<u128> = mux.panes.values().map(|pane| pane.uuid).collect();
        let mut problems = Vec::new();
        if let Some(server) = &self.server {
            mux.next.session = mux.next.session.max(server.next_session.min(ID_MAX));
            mux.next.window = mux.next.window.max(server.next_window.min(ID_MAX));
            mux.next.pane = mux.next.pane.max(server.next_pane.min(ID_MAX));
        }
        for record in &self.sessions {
            let mut links = BTreeMap::new();
            for link in &record.windows {
                let id = windows.get(&link.window.uuid).copied();
                let id = id.or_else(|| put_window(mux, &link.window, &self.panes, &mut used, screen, &mut problems));
                if let Some(id) = id {
                    windows.insert(link.window.uuid.clone(), id);
                    links.insert(link.index, Winlink::new(id));
                }
            }
            if links.is_empty() && record.windows.iter().any(|link| !is_elsewhere(&link.window, &self.panes, &used)) {
                problems.push(format!("session {} has no pane left", record.name));
            } else if !links.is_empty() {
                put_session(mux, record, links, &mut problems);
            }
        }
        for record in &self.sessions {
            crate::over::put_back(mux, &record.over);
        }
        mux.settle(now);
        self.problems.append(&mut problems);
    }

    /// Puts back what was set beside the configuration: global options, key bindings, paste buffers. To be called when
    /// the configuration has been read, and after [`crate::Saver::configured`].
    pub fn apply_settings(&mut self, mux: &mut Mux) {
        let Some(server) = self.server.take() else { return };
        let mut problems = Vec::new();
        put_settings(&mut mux.globals.server, &server.server_options, &mut problems);
        put_settings(&mut mux.globals.session, &server.session_options, &mut problems);
        put_settings(&mut mux.globals.window, &server.window_options, &mut problems);
        for line in &server.bindings {
            let result = match KeyChange::from_line(line) {
                Some(change) => mux.apply_key_change(&change),
                None => Err(format!("a key binding is not understood: {line}")),
            };
            problems.extend(result.err());
        }
        for buffer in server.buffers.into_iter().rev() {
            let created = i64::try_from(buffer.created_s).unwrap_or(i64::MAX);
            let known = mux.buffers.get(&buffer.name).is_some();
            if !known && let Err(error) = mux.buffers.put_back(&buffer.name, buffer.data, buffer.automatic, created) {
                problems.push(format!("a paste buffer was not restored: {error}"));
            }
        }
        mux.buffers.set_next_number(server.next_buffer.max(mux.buffers.next_number()));
        self.problems.append(&mut problems);
    }
}

/// Options from their texts. An unknown one, of another version, is left out with a sentence.
fn put_settings(store: &mut OptionStore, settings: &[OptionSetting], problems: &mut Vec<String>) {
    for (written, text) in settings {
        let (name, key) = match written.split_once('[') {
            Some((name, rest)) if !written.starts_with('@') => (name, rest.strip_suffix(']').and_then(ItemKey::parse)),
            _ => (written.as_str(), None),
        };
        if !name.starts_with('@') && find(name).is_none() {
            problems.push(format!("option {name} is not known to this version"));
            continue;
        }
        let option = OptionName { name: name.to_owned(), key, written: written.clone() };
        if let Err(error) = store.set(&[], &option, Some(text), Set::default(), &Unchecked) {
            problems.push(format!("option {written} was not restored: {error}"));
        }
    }
}

/// True for a window whose panes another session had first: a cut in the middle of a move, or of a new name.
fn is_elsewhere(record: &WindowRecord, panes: &HashMap<String, PaneRecord>, used: &HashSet<u128>) -> bool {
    let is_used = |uuid: &String| parse_uuid(uuid).is_some_and(|uuid| used.contains(&uuid));
    !record.panes.is_empty() && record.panes.iter().all(|uuid| panes.contains_key(uuid) && is_used(uuid))
}

fn put_window(
    mux: &mut Mux,
    record: &WindowRecord,
    panes: &HashMap<String, PaneRecord>,
    used: &mut HashSet<u128>,
    screen: &mut Screens<'_>,
    problems: &mut Vec<String>,
) -> Option<WindowId> {
    let id = mux.free_window_id(WindowId(record.id.min(ID_MAX)));
    let mut places = Vec::new();
    for (at, uuid) in record.panes.iter().enumerate() {
        let old = PaneId(record.numbers.get(at).copied().unwrap_or(ID_MAX.saturating_add(at as u32)));
        let known = panes.get(uuid).zip(parse_uuid(uuid)).filter(|(_, uuid)| used.insert(*uuid));
        // One without a record was closed as the last thing before the end; one that is damaged was told of by its file.
        // And one that another session has by now was on its way there.
        let new = known.map(|(pane, uuid)| {
            let new = mux.free_pane_id(PaneId(pane.number.min(ID_MAX)));
            let pane = put_pane(pane, uuid, new, id, screen, problems);
            mux.panes.insert(new, pane);
            new
        });
        places.push((old, new));
    }
    let extent = |(cols, rows): (u16, u16)| mux::size::within_limits(u32::from(cols), u32::from(rows));
    let size = extent(record.size);
    let Some(mut layout) = adopt::layout_for(&record.layout, &places, size) else {
        if !is_elsewhere(record, panes, used) {
            problems.push(format!("window {} has no pane left", record.name));
        }
        return None;
    };
    layout.last_preset = record.preset.as_deref().and_then(Preset::named);
    let place = |at: u32| places.get(at as usize).and_then(|(_, new)| *new).filter(|pane| layout.contains(*pane));
    let active = place(record.active).unwrap_or(layout.panes()[0]);
    let mut last = Vec::new();
    for pane in record.last.iter().rev().filter_map(|at| place(*at)) {
        if pane != active && !last.contains(&pane) {
            last.push(pane);
        }
    }
    let mut window = Window {
        id,
        name: mux::windows::inert_name(&record.name),
        zoom: None,
        modal: None,
        modal_before: None,
        active,
        last_panes: last,
        options: OptionStore::default(),
        created: Duration::from_secs(record.created_s),
        activity: Duration::from_secs(record.created_s),
        latest: None,
        manual_size: record.manual_size.map(extent),
        old_layout: None,
        named_at: None,
        layout,
    };
    put_settings(&mut window.options, &record.options, problems);
    if record.zoomed {
        window.zoom_in(window.active, |_| false);
    }
    let kept: BTreeSet<PaneId> = window.panes().iter().copied().collect();
    for pane in places.iter().filter_map(|(_, new)| *new).filter(|pane| !kept.contains(pane)) {
        mux.panes.remove(&pane);
    }
    mux.windows.insert(id, window);
    Some(id)
}

fn put_pane(
    record: &PaneRecord,
    uuid: u128,
    id: PaneId,
    window: WindowId,
    screen: &mut Screens<'_>,
    problems: &mut Vec<String>,
) -> Pane {
    let dead = record.dead.as_ref().map(|dead| {
        let exit = dead.signal.map_or(Exit::Status(dead.code.unwrap_or(0)), Exit::Signal);
        Program::Dead(exit, Duration::from_secs(dead.time_s))
    });
    let agent = record.agent.as_deref().and_then(|text| match serde_json::from_str::<AgentRecord>(text) {
        Ok(agent) => Some(agent),
        Err(error) => {
            problems.push(format!("pane {id} lost its agent record: {error}"));
            None
        }
    });
    let terminal = terminal(record, id, screen, problems);
    let mut pane = Pane {
        program: dead.unwrap_or(if record.empty { Program::None } else { Program::Frozen }),
        cwd: record.cwd.clone(),
        argv: record.command.clone(),
        shell: if record.shell.starts_with('/') { record.shell.clone() } else { "/bin/sh".to_owned() },
        title: record.title.chars().filter(|c| !c.is_control()).collect(),
        input_off: record.input_off,
        focused: false,
        agent,
        ..Pane::put_back(id, uuid, window, terminal)
    };
    put_settings(&mut pane.options, &record.options, problems);
    pane
}

/// The screen a pane had, else an empty one; one that is lost is told on it.
fn terminal(record: &PaneRecord, id: PaneId, screen: &mut Screens<'_>, problems: &mut Vec<String>) -> Terminal {
    let size = Size { cols: record.size.0.max(1), rows: record.size.1.max(1) };
    let why = match screen(&Key::screen(&record.uuid)) {
        Ok(Some(bytes)) => match Terminal::from_snapshot(&bytes, Box::new(VecStore::default())) {
            Ok(terminal) => return terminal,
            Err(error) => error.to_string(),
        },
        Ok(None) => return Terminal::new(size, record.history_limit),
        Err(why) => why,
    };
    problems.push(format!("the screen of pane {id} was not restored: {why}"));
    let mut terminal = Terminal::new(size, record.history_limit);
    terminal.feed(b"rove: the screen of this pane could not be restored\r\n");
    terminal.take_events();
    terminal
}

fn put_session(mux: &mut Mux, record: &SessionRecord, windows: BTreeMap<i32, Winlink>, problems: &mut Vec<String>) {
    let first = *windows.keys().next().expect("the caller has at least one");
    let current = if windows.contains_key(&record.current) { record.current } else { first };
    let mut last: Vec<i32> = Vec::new();
    for index in record.last.iter().rev() {
        if windows.contains_key(index) && *index != current && !last.contains(index) {
            last.push(*index);
        }
    }
    let id = mux.free_session_id(SessionId(record.id.min(ID_MAX)));
    let name = mux.free_session_name(&record.name);
    if name != record.name {
        problems.push(format!("session {} came back as {name}", record.name));
    }
    let mut session = Session {
        id,
        name,
        created: Duration::from_secs(record.created_s),
        activity: Duration::from_secs(record.attached_s.max(record.created_s)),
        last_attached: (record.attached_s > 0).then(|| Duration::from_secs(record.attached_s)),
        cwd: record.cwd.clone(),
        windows,
        current,
        last,
        options: OptionStore::default(),
        environment: Default::default(),
        group: record.group.clone(),
        frozen: true,
    };
    for (name, value) in &record.environment {
        session.environment.set(name, value);
    }
    put_settings(&mut session.options, &record.options, problems);
    mux.sessions.insert(id, session);
}

/// The number of a uuid's text.
fn parse_uuid(text: &str) -> Option<u128> {
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    let plain = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u128::from_str_radix(&digits, 16).ok()).flatten()
}
