//! What has to be written to disk when: the model's records, of which only changed ones are given out, and screens,
//! each at most once in five seconds while its program writes.
//!
//! Pure: it gives [`Change`]s, which the caller hands to the [`crate::Writer`]. Times are milliseconds of any clock
//! that does not go back.

use crate::key::{Key, Kind};
use crate::record::{
    DeadRecord, LinkRecord, OptionSetting, PaneRecord, Record, ServerRecord, SessionRecord, WindowRecord,
};
use crate::save;
use crate::state::{Baseline, Options};
use crate::store::Loaded;
use crate::throttle::{INTERVAL_MS, Urgency};
use mux::adopt::KeyChange;
use mux::agent::uuid_text;
use mux::option::{OptionStore, OptionValue};
use mux::{Exit, Mux, Pane, PaneId, Program, Session, Window};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How long after its first output a pane's screen is saved first, in milliseconds: what a program shows at its start
/// comes in pieces.
const FIRST_MS: u64 = 1_000;

/// Most screens that are given out in one call while programs write.
const SCREENS_A_CALL: usize = 8;

/// Something to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A new value for a key.
    Put(Key, Vec<u8>),
    /// A key whose thing is gone.
    Delete(Key),
}

impl Change {
    /// Hands it to the writer.
    pub fn write(self, writer: &crate::Writer, urgency: Urgency) {
        match self {
            Change::Put(key, payload) => writer.put(key, payload, urgency),
            Change::Delete(key) => writer.delete(key),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Screen {
    saved_ms: Option<u64>,
    due_ms: Option<u64>,
}

/// What is on disk, as far as it was written or loaded, and what is due.
#[derive(Debug, Default)]
pub struct Saver {
    baseline: Baseline,
    written: BTreeMap<Key, u64>,
    directories: HashMap<u128, String>,
    screens: HashMap<u128, Screen>,
}

impl Saver {
    /// One that knows of nothing on disk. `baseline` is what the configuration gave, see [`Saver::configured`].
    pub fn new(baseline: Baseline) -> Saver {
        Saver { baseline, ..Saver::default() }
    }

    /// The configuration has been read: what it gave is not written, as it is read again at the next start.
    pub fn configured(&mut self, mux: &Mux) {
        self.baseline = save::baseline(mux);
    }

    /// What the configuration gave.
    pub fn baseline(&self) -> &Baseline {
        &self.baseline
    }

    /// The model as bytes for the host's state memory.
    pub fn state(&self, mux: &Mux) -> Vec<u8> {
        save::state(mux, &self.baseline)
    }

    /// What was found on disk: it need not be written again, and goes when the model does not have it. But what could
    /// not be read is left alone, a pane's screen with its record: a newer program, or a person, may make sense of it.
    pub fn knows(&mut self, loaded: &Loaded) {
        let unread = crate::thaw::unread(loaded);
        let is_read = |key: &Key| !unread.contains(key);
        for entry in loaded.entries.iter().filter(|entry| entry.key.kind() != Kind::Home && is_read(&entry.key)) {
            self.written.insert(entry.key.clone(), hash(&entry.payload));
        }
        for key in loaded.screens.iter().filter(|key| is_read(&Key::pane(key.stem()))) {
            self.written.insert(key.clone(), 0);
        }
    }

    /// The directory that a pane's program is in now; its record has it from the next change on.
    pub fn note_directory(&mut self, uuid: u128, directory: String) {
        self.directories.insert(uuid, directory);
    }

    /// The records that are not on disk as they are now. To be written at once and in this order: whatever is the last to
    /// reach the disk, no pane is in no session.
    pub fn changes(&mut self, mux: &Mux) -> Vec<Change> {
        let records = self.records(mux);
        let screens: HashSet<Key> = mux.panes.values().map(|pane| Key::screen(&uuid_text(pane.uuid))).collect();
        let gone: Vec<Key> = self
            .written
            .keys()
            .filter(|key| match key.kind() {
                Kind::Screen => !screens.contains(key),
                _ => !records.contains_key(key),
            })
            .cloned()
            .collect();
        let mut changes = Vec::new();
        changes.extend(records.into_iter().filter_map(|(key, payload)| self.put(key, payload)));
        for key in gone {
            self.written.remove(&key);
            changes.push(Change::Delete(key));
        }
        changes
    }

    /// The same of these panes' own records, when nothing but their programs' directories may have changed: with many
    /// panes that write the whole would be looked through all the time.
    pub fn pane_changes(&mut self, mux: &Mux, panes: &[PaneId]) -> Vec<Change> {
        let records = panes.iter().filter_map(|id| mux.panes.get(id)).map(|pane| self.pane(pane));
        let encoded: Vec<(Key, Vec<u8>)> =
            records.filter_map(|record| Some((Key::pane(&record.uuid), record.encode().ok()?))).collect();
        encoded.into_iter().filter_map(|(key, payload)| self.put(key, payload)).collect()
    }

    fn put(&mut self, key: Key, payload: Vec<u8>) -> Option<Change> {
        let sum = hash(&payload);
        (self.written.insert(key.clone(), sum) != Some(sum)).then_some(Change::Put(key, payload))
    }

    /// A pane was closed on purpose: nothing of it stays.
    pub fn forget(&mut self, uuid: u128) -> [Change; 2] {
        self.directories.remove(&uuid);
        self.screens.remove(&uuid);
        let text = uuid_text(uuid);
        [Key::pane(&text), Key::screen(&text)].map(|key| {
            self.written.remove(&key);
            Change::Delete(key)
        })
    }

    /// A pane's program wrote: its screen is due some time.
    pub fn touched(&mut self, uuid: u128, now_ms: u64) {
        let screen = self.screens.entry(uuid).or_default();
        if screen.due_ms.is_none() {
            let slot =
                screen.saved_ms.map_or(now_ms.saturating_add(FIRST_MS), |saved| saved.saturating_add(INTERVAL_MS));
            screen.due_ms = Some(slot.max(now_ms));
        }
    }

    /// A pane came from a server before this one, and its program may have written: its screen is due when it would have
    /// been there. `age_ms` is how long ago it was last saved, `None` when it never was. However often servers follow
    /// one another, no screen gets older than the interval.
    pub fn inherited(&mut self, uuid: u128, age_ms: Option<u64>, now_ms: u64) {
        let wait = age_ms.map_or(0, |age| INTERVAL_MS.saturating_sub(age));
        self.screens.entry(uuid).or_default().due_ms = Some(now_ms.saturating_add(wait));
    }

    /// A pane's program ended: its screen is due at once.
    pub fn exited(&mut self, uuid: u128, now_ms: u64) {
        self.screens.entry(uuid).or_default().due_ms = Some(now_ms);
    }

    /// When the next screen is due.
    pub fn deadline_ms(&self) -> Option<u64> {
        self.screens.values().filter_map(|screen| screen.due_ms).min()
    }

    /// The panes whose screens are due, the longest due first; their directories may be noted before
    /// [`Saver::screens`].
    pub fn due(&self, mux: &Mux, now_ms: u64) -> Vec<PaneId> {
        let due = |pane: &Pane| self.screens.get(&pane.uuid)?.due_ms.filter(|due| *due <= now_ms);
        let mut panes: Vec<(u64, PaneId)> =
            mux.panes.values().filter_map(|pane| due(pane).map(|due| (due, pane.id))).collect();
        panes.sort_unstable();
        panes.into_iter().take(SCREENS_A_CALL).map(|(_, pane)| pane).collect()
    }

    /// The screens of these panes, to be written at once.
    pub fn screens(&mut self, mux: &Mux, panes: &[PaneId], now_ms: u64) -> Vec<Change> {
        let history = mux.globals.server.number("freeze-history").clamp(0, 1 << 20) as usize * 1024;
        let mut changes = Vec::new();
        for pane in panes.iter().filter_map(|id| mux.panes.get(id)) {
            self.screens.insert(pane.uuid, Screen { saved_ms: Some(now_ms), due_ms: None });
            let key = Key::screen(&uuid_text(pane.uuid));
            self.written.insert(key.clone(), 0);
            changes.push(Change::Put(key, pane.terminal.snapshot(history)));
        }
        changes
    }

    /// Every screen; for the end of a server. Follow with [`crate::Writer::flush`].
    pub fn all_screens(&mut self, mux: &Mux, now_ms: u64) -> Vec<Change> {
        let panes: Vec<PaneId> = mux.panes.keys().copied().collect();
        self.screens(mux, &panes, now_ms)
    }

    fn records(&self, mux: &Mux) -> BTreeMap<Key, Vec<u8>> {
        let mut records = BTreeMap::new();
        let mut put = |key: Key, encoded: Result<Vec<u8>, _>| {
            // One that is too large to be a record is left as it was written last.
            if let Ok(encoded) = encoded {
                records.insert(key, encoded);
            }
        };
        for pane in mux.panes.values() {
            let record = self.pane(pane);
            put(Key::pane(&record.uuid), record.encode());
        }
        for session in mux.sessions.values() {
            put(Key::session(&session.name), session_record(mux, session).encode());
        }
        put(Key::server(), self.server(mux).encode());
        records
    }

    fn pane(&self, pane: &Pane) -> PaneRecord {
        let size = pane.terminal.size();
        PaneRecord {
            uuid: uuid_text(pane.uuid),
            number: pane.id.0,
            window: window_name(pane.window),
            title: pane.title.clone(),
            cwd: self.directories.get(&pane.uuid).unwrap_or(&pane.cwd).clone(),
            command: pane.argv.clone(),
            shell: pane.shell.clone(),
            login: pane.argv.is_empty(),
            size: (size.cols, size.rows),
            agent: pane.agent.as_ref().and_then(|agent| serde_json::to_string(agent).ok()),
            history_limit: pane.terminal.history_limit(),
            input_off: pane.input_off,
            dead: match pane.program {
                Program::Dead(Exit::Status(code), when) => {
                    Some(DeadRecord { code: Some(code), signal: None, time_s: when.as_secs() })
                }
                Program::Dead(Exit::Signal(signal), when) => {
                    Some(DeadRecord { code: None, signal: Some(signal), time_s: when.as_secs() })
                }
                _ => None,
            },
            empty: pane.program == Program::None,
            options: settings(&save::options(&pane.options)),
        }
    }

    fn server(&self, mux: &Mux) -> ServerRecord {
        let stores = [&mux.globals.server, &mux.globals.session, &mux.globals.window];
        let [server, session, window] = std::array::from_fn(|at| since(stores[at], &self.baseline.options[at]));
        let mut record = ServerRecord {
            next_session: mux.next.session,
            next_window: mux.next.window,
            next_pane: mux.next.pane,
            next_buffer: mux.buffers.next_number(),
            server_options: settings(&server),
            session_options: settings(&session),
            window_options: settings(&window),
            bindings: mux.key_changes_since(&self.baseline.keys).iter().filter_map(KeyChange::to_line).collect(),
            buffers: save::buffers(mux, crate::record::BUFFERS_MAX, crate::record::BUFFERS_MAX),
            environment: mux.environment.iter().map(|(name, _)| name.to_owned()).collect(),
        };
        record.buffers.reverse();
        record.bound_buffers();
        record
    }
}

/// What differs in a global store from what the configuration gave.
fn since(store: &OptionStore, base: &Options) -> Options {
    let before: HashMap<&str, &OptionValue> = base.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let mut now = save::options(store);
    let back = base.iter().filter(|(name, _)| now.iter().all(|(other, _)| other != name));
    let back: Options = back.filter_map(|(name, _)| Some((name.clone(), store.get(name)?.clone()))).collect();
    now.retain(|(name, value)| before.get(name.as_str()) != Some(&value));
    now.extend(back);
    now
}

/// Options as names and texts; of an array first the empty whole, then each item.
fn settings(options: &Options) -> Vec<OptionSetting> {
    let mut settings = Vec::new();
    for (name, value) in options {
        match value {
            OptionValue::Array(items) => {
                settings.push((name.clone(), String::new()));
                settings.extend(items.iter().map(|(index, item)| (format!("{name}[{index}]"), item.clone())));
            }
            value => settings.push((name.clone(), value.text())),
        }
    }
    settings
}

fn session_record(mux: &Mux, session: &Session) -> SessionRecord {
    let link = |(index, link): (&i32, &mux::Winlink)| {
        let window = mux.windows.get(&link.window)?;
        Some(LinkRecord { index: *index, window: window_record(mux, window) })
    };
    let allowed =
        session.environment.iter().filter(|(name, variable)| !variable.hidden && crate::allow::is_allowed(name));
    SessionRecord {
        id: session.id.0,
        name: session.name.clone(),
        created_s: session.created.as_secs(),
        attached_s: session.last_attached.map_or(0, |time| time.as_secs()),
        windows: session.windows.iter().filter_map(link).collect(),
        current: session.current,
        last: session.last.iter().rev().copied().collect(),
        cwd: session.cwd.clone(),
        environment: allowed.filter_map(|(name, variable)| Some((name.to_owned(), variable.value.clone()?))).collect(),
        options: settings(&save::options(&session.options)),
        group: session.group.clone(),
        task: None,
        over: crate::over::records(mux, mux.windows.values().filter(|window| session.index_of(window.id).is_some())),
    }
}

/// The name by which records name a window: its id, which a restored window keeps unless it is taken.
fn window_name(id: mux::WindowId) -> String {
    format!("w{}", id.0)
}

fn window_record(mux: &Mux, window: &Window) -> WindowRecord {
    let uuid = |pane: &PaneId| mux.panes.get(pane).map_or(String::new(), |pane| uuid_text(pane.uuid));
    let place = |pane: &PaneId| window.panes().iter().position(|other| other == pane).map(|at| at as u32);
    let cells = |cells: u32| cells.min(u32::from(u16::MAX)) as u16;
    let size = window.size();
    WindowRecord {
        uuid: window_name(window.id),
        id: window.id.0,
        name: window.name.clone(),
        layout: window.layout.dump(),
        preset: window.layout.last_preset.map(|preset| preset.name().to_owned()),
        panes: window.panes().iter().map(uuid).collect(),
        numbers: window.panes().iter().map(|pane| pane.0).collect(),
        active: place(&window.active).unwrap_or(0),
        last: window.last_panes.iter().rev().filter_map(place).collect(),
        zoomed: window.zoomed(),
        size: (cells(size.width), cells(size.height)),
        manual_size: window.manual_size.map(|size| (cells(size.width), cells(size.height))),
        created_s: window.created.as_secs(),
        options: settings(&save::options(&window.options)),
    }
}

fn hash(payload: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    payload.hash(&mut hasher);
    // 0 stands for a value that was not looked at.
    hasher.finish().max(1)
}
