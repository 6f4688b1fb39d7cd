//! What outlives this server: the model in the host's memory, and records and screens on disk.
//!
//! The memory is written at the end of each turn that changed the model, the disk only while option `freeze` is on, by a
//! thread of its own.

use super::Server;
use super::live::Live;
use crate::os::poll::{Poll, Token};
use mux::{Exit, Face, Mux, Now, PaneId, Stale};
use persist::exits::{End, ExitLog};
use persist::restore::Plan;
use persist::{RealDisk, Report, Saver, Store, Urgency, Writer};
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Changes of the model are collected this long before they go to disk.
const COLLECT: Duration = Duration::from_millis(20);
/// How long the last write may take.
const FLUSH_MS: u64 = 10_000;
/// How long the caller of an intended end waits for it to be on disk, so that no crash undoes it.
const FORGET_MS: u64 = 300;
/// Bytes of a pane's output that a note of its death looks at.
const TAIL: u64 = 16 * 1024;

/// What has been kept, and what is stale.
pub(super) struct Keeper {
    home: Option<PathBuf>,
    saver: Saver,
    store: Option<Store>,
    plan: Option<Plan>,
    writer: Option<Writer>,
    reports: Option<Receiver<Report>>,
    /// Wakes the loop when there is a report.
    wake: Arc<OwnedFd>,
    exits: ExitLog,
    /// The pane whose program just ended by itself: its note outlives it.
    exiting: Option<u128>,
    /// Why nothing can be kept, as it was said.
    complaint: Option<String>,
    /// What nobody who is attached was told yet.
    unsaid: Option<String>,
    /// The model's count of changes when it was last put into the host's memory.
    structure: Option<u64>,
    /// The same for the disk.
    on_disk: Option<u64>,
    /// When collected changes go to disk.
    write_at: Option<Instant>,
    start: Instant,
    /// Something was closed on purpose, which is to be so on disk before anybody is told.
    forgot: bool,
}

impl Keeper {
    /// Keeps under a home; `None` keeps nothing on disk.
    pub(super) fn new(home: Option<PathBuf>, poll: &Poll) -> io::Result<Keeper> {
        let wake = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        poll.add(wake.as_fd(), Token::Keeper, true, false);
        Ok(Keeper {
            wake,
            home,
            saver: Saver::new(Default::default()),
            store: None,
            plan: None,
            writer: None,
            reports: None,
            exits: ExitLog::default(),
            exiting: None,
            complaint: None,
            unsaid: None,
            structure: None,
            on_disk: None,
            write_at: None,
            start: Instant::now(),
            forgot: false,
        })
    }

    /// A report is there; it is read at the end of the turn.
    pub(super) fn woken(&self) {
        let _ = rustix::io::read(&self.wake, &mut [0; 8]);
    }

    fn now_ms(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Open the store. What is wrong with it is told to the first client.
    fn open_store(&mut self, mux: &mut Mux) -> Option<Store> {
        let home = self.home.clone()?;
        let start_ms = Server::unix_ms();
        match std::fs::create_dir_all(&home).map_err(|error| crate::os::words(&error)).and_then(|()| {
            Store::open(Box::new(RealDisk::default()), &home, start_ms).map_err(|error| error.to_string())
        }) {
            Ok(store) => Some(store.checked(persist::record::check)),
            Err(error) => {
                self.complain(mux, format!("sessions are not kept on disk: {}: {error}", home.display()));
                None
            }
        }
    }

    /// Say why nothing is kept, once: it is tried again with every change.
    fn complain(&mut self, mux: &mut Mux, why: String) {
        if self.complaint.as_ref() != Some(&why) {
            mux.config_errors.push(why.clone());
            mux.freeze_error = Some(why.clone());
            self.complaint = Some(why);
        }
    }

    /// A new server: what the disk holds comes into the model, to be started when it is attached. As rove before the
    /// configuration is read.
    pub(super) fn thaw(&mut self, mux: &mut Mux, now: Now) {
        let Some(mut store) = self.open_store(mux) else { return };
        let loaded = match store.load() {
            Ok(loaded) => loaded,
            Err(error) => {
                mux.config_errors.push(format!("kept sessions can't be read: {error}"));
                return;
            }
        };
        let mut plan = persist::restore::from_store(&loaded);
        self.saver.knows(&loaded);
        plan.apply(mux, now, &mut |key| match store.read(key) {
            (Some(bytes), _) => Ok(Some(bytes)),
            (None, None) => Ok(None),
            (None, Some(problem)) => Err(problem.what),
        });
        if let (Some(bytes), _) = store.read(&persist::exits::key()) {
            self.exits = ExitLog::decode(&bytes).unwrap_or_default();
        }
        self.plan = Some(plan);
        self.store = Some(store);
    }

    /// The configuration has been read: what it set need not be saved.
    pub(super) fn configured(&mut self, mux: &mut Mux, now: Now) {
        if self.plan.is_none() && mux.globals.server.flag("freeze") {
            self.thaw(mux, now);
        }
        self.saver.configured(mux);
        if let Some(mut plan) = self.plan.take() {
            plan.apply_settings(mux);
            mux.config_errors.append(&mut plan.problems);
        }
        self.start_writer(mux);
    }

    /// The model is one that a server before this one kept in the host's memory. The host has no memory of the panes
    /// `on_disk`: they have slept since they were read from there, and are again.
    pub(super) fn adopted(&mut self, mux: &mut Mux, baseline: persist::state::Baseline, on_disk: &[PaneId]) {
        self.saver = Saver::new(baseline);
        if !mux.globals.server.flag("freeze") {
            return;
        }
        self.store = self.open_store(mux);
        if let Some(store) = &mut self.store
            && let Ok(loaded) = store.load()
        {
            self.saver.knows(&loaded);
        }
        for pane in on_disk {
            self.read_screen(mux, *pane);
        }
        if let Some((Some(bytes), _)) = self.store.as_mut().map(|store| store.read(&persist::exits::key())) {
            self.exits = ExitLog::decode(&bytes).unwrap_or_default();
        }
        let times = self.store.as_mut().map(Store::screen_times).unwrap_or_default();
        self.start_writer(mux);
        let (now_ms, unix_ms) = (self.now_ms(), Server::unix_ms());
        for pane in mux.panes.values().filter(|pane| !on_disk.contains(&pane.id)) {
            let saved = times.get(&persist::Key::screen(&mux::agent::uuid_text(pane.uuid)));
            // What a stopped program said last may not have been written yet.
            let age = saved.filter(|_| pane.running()).map(|saved| unix_ms.saturating_sub(*saved));
            self.saver.inherited(pane.uuid, age, now_ms);
        }
    }

    /// Put a pane's screen from the disk into the model.
    fn read_screen(&mut self, mux: &mut Mux, pane: PaneId) {
        let (Some(store), Some(entry)) = (&mut self.store, mux.panes.get_mut(&pane)) else { return };
        let size = entry.terminal.size();
        let key = persist::Key::screen(&mux::agent::uuid_text(entry.uuid));
        let lost = match store.read(&key) {
            (None, None) => return,
            (None, Some(problem)) => problem.what,
            (Some(bytes), _) => match term::Terminal::from_snapshot(&bytes, Box::new(term::VecStore::default())) {
                Ok(terminal) => {
                    *entry.terminal = terminal;
                    entry.terminal.resize(size);
                    return;
                }
                Err(error) => error.to_string(),
            },
        };
        mux.config_errors.push(format!("the screen of pane {pane} was not restored: {lost}"));
    }

    fn start_writer(&mut self, mux: &mut Mux) {
        if !mux.globals.server.flag("freeze") || self.writer.is_some() {
            return;
        }
        let Some(store) = self.store.take().or_else(|| self.open_store(mux)) else { return };
        let (send, receive) = channel();
        let wake = self.wake.clone();
        let tell = move |report| {
            if send.send(report).is_ok() {
                let _ = rustix::io::write(&wake, &1u64.to_ne_bytes());
            }
        };
        match Writer::start(store, tell) {
            Ok(writer) => {
                mux.freeze_error = None;
                self.complaint = None;
                self.writer = Some(writer);
                self.reports = Some(receive);
            }
            Err(error) => self.complain(mux, format!("sessions are not kept on disk: {error}")),
        }
    }

    /// When [`Keeper::turn`] wants to be called at the latest.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let screens = self.saver.deadline_ms().map(|ms| self.start + Duration::from_millis(ms));
        [self.write_at, screens.filter(|_| self.writer.is_some())].into_iter().flatten().min()
    }

    /// A pane wrote.
    pub(super) fn wrote(&mut self, mux: &Mux, pane: PaneId) {
        if let Some(pane) = mux.panes.get(&pane).filter(|_| self.writer.is_some()) {
            let now_ms = self.now_ms();
            self.saver.touched(pane.uuid, now_ms);
        }
    }

    /// A sleeping pane's screen changed: its file has to hold that.
    pub(super) fn changed_asleep(&mut self, mux: &Mux, pane: PaneId) {
        let now_ms = self.now_ms();
        if let Some(entry) = mux.panes.get(&pane) {
            self.saver.exited(entry.uuid, now_ms);
        }
    }

    /// A pane's program was ended and the pane is kept.
    pub(super) fn stopped(&mut self, mux: &Mux, live: &Live, pane: PaneId) {
        let Some(entry) = mux.panes.get(&pane) else { return };
        let now_ms = self.now_ms();
        if let Some(directory) = mux::World::foreground_path(live, pane) {
            self.saver.note_directory(entry.uuid, directory);
        }
        self.saver.exited(entry.uuid, now_ms);
    }

    /// A pane's program ended by itself.
    pub(super) fn exited(&mut self, mux: &Mux, live: &Live, pane: PaneId, exit: Exit, now: Now) {
        let (Some(entry), Some(io)) = (mux.panes.get(&pane), live.panes.get(&pane)) else { return };
        let now_ms = self.now_ms();
        self.saver.exited(entry.uuid, now_ms);
        self.exiting = Some(entry.uuid);
        let end = match exit {
            Exit::Status(0) => return,
            Exit::Status(code) => End::Code(code),
            Exit::Signal(signal) => End::Signal(signal),
        };
        let Some(writer) = &self.writer else { return };
        let journal = io.journal();
        let from = journal.written().saturating_sub(TAIL).max(journal.oldest());
        let raw = journal.since(from).parts.concat();
        let session = mux::target::from_pane(mux, pane).and_then(|found| mux.sessions.get(&found.session?));
        let session = session.map_or("", |session| session.name.as_str());
        let command = if entry.argv.is_empty() { entry.shell.clone() } else { entry.argv.join(" ") };
        let uuid = mux::agent::uuid_text(entry.uuid);
        if self.exits.record(&uuid, session, &command, end, now.unix.as_secs(), &raw) {
            writer.put(persist::exits::key(), self.exits.encode(), Urgency::Now);
        }
    }

    /// Something was closed on purpose: nothing of it is kept, whatever is being written just now.
    pub(super) fn forget(&mut self, stale: Stale) {
        let Stale::PaneForgotten(uuid) = stale;
        self.forgot = true;
        for change in self.saver.forget(uuid) {
            if let Some(writer) = &self.writer {
                change.write(writer, Urgency::Now);
            }
        }
        if self.exiting != Some(uuid)
            && self.exits.forget(&mux::agent::uuid_text(uuid))
            && let Some(writer) = &self.writer
        {
            writer.put(persist::exits::key(), self.exits.encode(), Urgency::Now);
        }
    }

    /// The end of a pane's program is dealt with.
    pub(super) fn exit_done(&mut self) {
        self.exiting = None;
    }

    /// Put a model that has changed into the host's memory.
    pub(super) fn remember(&mut self, mux: &mut Mux, live: &mut Live, now: Now) {
        if mux.configured && self.structure != Some(mux.structure) {
            self.structure = Some(mux.structure);
            let _ = live.host.state().write(&self.saver.state(mux));
            self.write_at.get_or_insert(now.instant + COLLECT);
            self.start_writer(mux);
        }
        if std::mem::take(&mut self.forgot)
            && let Some(writer) = &self.writer
        {
            let changes = self.saver.changes(mux);
            changes.into_iter().for_each(|change| change.write(writer, Urgency::Now));
            writer.flush(FORGET_MS);
        }
    }

    /// The end of a turn: put what changed where it is kept.
    pub(super) fn turn(&mut self, mux: &mut Mux, live: &mut Live, now: Now) {
        if !mux.configured {
            return;
        }
        self.remember(mux, live, now);
        self.hear_writer(mux, now);
        if self.writer.is_none() {
            self.write_at = None;
            return;
        }
        if self.write_at.is_some_and(|at| at <= now.instant) {
            self.write_records(mux);
        }
        let now_ms = self.now_ms();
        let due = self.saver.due(mux, now_ms);
        if !due.is_empty() {
            self.note_directories(mux, live, &due);
            // A screen is of no use without what it belongs to.
            if self.write_at.is_some() {
                self.write_records(mux);
            } else {
                let records = self.saver.pane_changes(mux, &due);
                self.put(records);
            }
            let screens = self.saver.screens(mux, &due, now_ms);
            self.put(screens);
        }
    }

    /// Say what the writer reports: to all who watch, or to the next who comes.
    fn hear_writer(&mut self, mux: &mut Mux, now: Now) {
        while let Some(report) = self.reports.as_ref().and_then(|reports| reports.try_recv().ok()) {
            match report {
                Report::Failing(error) => {
                    let text = format!("sessions are not being kept on disk: {error}");
                    mux.freeze_error = Some(text.clone());
                    self.unsaid = Some(text);
                }
                Report::Recovered => {
                    // Trouble that nobody saw is over without a word.
                    let unseen = self.unsaid.take().is_some();
                    mux.freeze_error = None;
                    self.unsaid = (!unseen).then(|| "sessions are kept on disk again".to_owned());
                }
            }
        }
        let watching: Vec<_> =
            mux.clients.values().filter(|client| client.is_drawn() && client.session.is_some()).collect();
        if watching.is_empty() || self.unsaid.is_none() {
            return;
        }
        let watching: Vec<_> = watching.into_iter().map(|client| client.id).collect();
        if let Some(text) = self.unsaid.take() {
            for client in watching {
                mux.show_message(now, client, text.clone(), None);
            }
        }
    }

    fn note_directories(&mut self, mux: &Mux, live: &Live, panes: &[PaneId]) {
        for pane in panes {
            let directory = mux::World::foreground_path(live, *pane);
            if let (Some(directory), Some(entry)) = (directory, mux.panes.get(pane)) {
                self.saver.note_directory(entry.uuid, directory);
            }
        }
    }

    fn write_records(&mut self, mux: &Mux) {
        self.write_at = None;
        self.on_disk = Some(mux.structure);
        let changes = self.saver.changes(mux);
        self.put(changes);
    }

    fn put(&self, changes: Vec<persist::Change>) {
        let Some(writer) = &self.writer else { return };
        for change in changes {
            change.write(writer, Urgency::Now);
        }
    }

    /// Another server takes over: everything is put where it finds it.
    pub(super) fn hand_over(&mut self, mux: &mut Mux, live: &mut Live, now: Now) {
        self.structure = None;
        self.turn(mux, live, now);
        self.write_records(mux);
        self.flush();
    }

    /// The server stops and is to come back: everything is put on disk.
    pub(super) fn freeze(&mut self, mux: &Mux, live: &Live) {
        let panes: Vec<PaneId> = mux.panes.keys().copied().collect();
        self.note_directories(mux, live, &panes);
        self.write_records(mux);
        let now_ms = self.now_ms();
        let screens = self.saver.all_screens(mux, now_ms);
        self.put(screens);
        self.flush();
    }

    fn flush(&self) {
        if let Some(writer) = &self.writer {
            writer.flush(FLUSH_MS);
        }
    }

    /// The server ends on purpose: nothing is kept.
    pub(super) fn forget_all(&mut self, mux: &Mux) {
        self.flush();
        let kept = self.writer.take().is_some() || mux.globals.server.flag("freeze");
        let Some(home) = self.home.clone().filter(|_| kept) else { return };
        let _ = std::fs::remove_dir_all(home.join(persist::store::DIRECTORY));
        let _ = std::fs::remove_file(home.join(persist::exits::key().file_name()));
        if mux.resets_hard {
            for file in ["tasks.json", "state.json", "inbox.json"] {
                let _ = std::fs::remove_file(home.join(file));
            }
        }
    }
}

/// Where a server keeps what lasts: of rove's own socket the home itself, of any other a place below it, so that two
/// servers never write the same files.
pub fn home_of(face: Face, socket: &Path) -> Option<PathBuf> {
    let home = crate::os::paths::rove_home(&|name| std::env::var_os(name))?;
    let own = face == Face::Rove && socket.file_name().is_some_and(|name| name == "default");
    if own {
        return Some(home);
    }
    let name: String =
        socket.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let name = name.trim_matches('-');
    Some(home.join("servers").join(&name[name.len().saturating_sub(200)..]))
}

impl Server {
    /// Milliseconds since the epoch.
    pub(super) fn unix_ms() -> u64 {
        Server::now().unix.as_millis() as u64
    }
}
