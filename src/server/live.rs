//! The outside as the model sees it: panes with their ptys and memories, files, processes, users.

use super::shim::Shim;
use crate::os::facts;
use crate::os::poll::{Poll, Token};
use host::{Client as Host, Command, Journal, Orphans, PaneMemory, PaneUuid, Size};
use mux::format::Local;
use mux::{PaneId, Spawn, Spawned, World};
use std::cell::RefCell;
use std::collections::HashMap;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A history page store in a pane's memory.
struct Store(host::Pages);

impl term::PageStore for Store {
    fn push(&mut self, page: &[u8]) {
        self.0.push(page);
    }

    fn page(&self, number: u64) -> Option<&[u8]> {
        self.0.page(number)
    }

    fn drop_before(&mut self, number: u64) {
        self.0.drop_before(number);
    }

    fn range(&self) -> std::ops::Range<u64> {
        self.0.range()
    }
}

/// The pages of a memory, as the engine reads them.
pub(super) fn store(memory: &PaneMemory) -> Box<dyn term::PageStore> {
    Box::new(Store(memory.pages()))
}

/// A pane's pty and memory.
pub(super) struct PaneIo {
    /// What the host calls it; another one for each program, so that an old one's end is not taken for the new one's.
    pub(super) id: PaneUuid,
    /// What the host was told of it.
    pub(super) metadata: Metadata,
    /// The pty's master.
    pub(super) master: OwnedFd,
    /// Journal, pages and checkpoints.
    pub(super) memory: PaneMemory,
    /// The child's process.
    pub(super) pid: i32,
    /// Bytes that the pty did not take yet.
    pub(super) out: Vec<u8>,
    /// It is watched for taking them.
    pub(super) waits: bool,
    /// How its child ended; told once its output has been read to the end.
    pub(super) exit: Option<host::Exit>,
    /// Nothing more is to be read.
    pub(super) ended: bool,
    /// When its end is told at the earliest.
    pub(super) told_at: Option<Instant>,
    /// Its end was told.
    pub(super) told: bool,
    /// It is not read, as those who want its output are behind.
    pub(super) held: bool,
    /// Since when its program has been asked to end, for the pane to sleep after its last words.
    pub(super) stopping: Option<Instant>,
    /// What is said of its program until that runs; `None` from then on.
    pub(super) start: RefCell<Option<Start>>,
}

/// What a program that the host is about to run will be.
#[derive(Clone)]
pub(super) struct Start {
    /// Its name.
    command: String,
    /// The directory it begins in, as it was given.
    path: String,
}

/// How long last words are waited for: the host kills what is left of a session after half a second.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(800);

impl PaneIo {
    /// Whether its program was asked to end and is not known to have done so.
    fn is_parting(&self) -> bool {
        self.stopping.is_some_and(|since| since.elapsed() < LAST_WORDS) && !self.ended
    }

    /// What its program will be, while the child still is the host's copy.
    fn start(&self) -> Option<Start> {
        let mut start = self.start.borrow_mut();
        if start.is_some() && host::is_started(self.pid) {
            *start = None;
        }
        start.clone()
    }

    pub(super) fn journal(&self) -> &Journal {
        self.memory.journal_ref()
    }
}

/// What of a pane is told to the host, to be had back by another server.
#[derive(serde::Serialize, serde::Deserialize, Debug, Clone)]
pub(super) struct Metadata {
    /// The pane's number.
    pub(super) pane: u32,
    /// The pane's lasting id.
    pub(super) uuid: u128,
    /// Size and history limit of its screen when it was blank.
    pub(super) size: (u16, u16),
    /// Lines of history.
    pub(super) history_limit: u32,
    /// Its program was stopped on purpose, and is to be started again by an attach: its end is not the pane's.
    pub(super) stopped: bool,
}

impl Metadata {
    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// Reads it; a server of an older program wrote it without its last field.
    pub(super) fn decode(bytes: &[u8]) -> Option<Metadata> {
        let read = |bytes: &[u8]| postcard::from_bytes(bytes).ok();
        read(bytes).or_else(|| read(&[bytes, &[0]].concat()))
    }
}

/// The outside.
pub(super) struct Live {
    pub(super) host: Host,
    pub(super) panes: HashMap<PaneId, PaneIo>,
    /// Panes whose programs were stopped. The host keeps their memories, by these ids: they hold the screens for the
    /// next server.
    pub(super) asleep: HashMap<PaneId, PaneUuid>,
    pub(super) poll: Rc<Poll>,
    /// What still runs in panes although the host is gone.
    pub(super) orphans: Orphans,
    /// The `tmux` on the path of programs.
    pub(super) shim: Shim,
    /// Memories of panes that were just started, for [`World::page_store`].
    stores: HashMap<PaneId, Box<dyn term::PageStore>>,
    /// Control characters of the server's first terminal are not kept: children get the system's own.
    host_name: String,
    /// Answers that cost a walk through `/proc`, for the turn.
    commands: RefCell<HashMap<PaneId, Option<String>>>,
}

impl Live {
    pub(super) fn new(host: Host, poll: Rc<Poll>, shim: Shim) -> Live {
        Live {
            host,
            panes: HashMap::new(),
            asleep: HashMap::new(),
            poll,
            orphans: Orphans::default(),
            shim,
            stores: HashMap::new(),
            host_name: facts::host_name(),
            commands: RefCell::default(),
        }
    }

    /// A new turn: what was looked up may have changed.
    pub(super) fn next_turn(&mut self) {
        self.commands.borrow_mut().clear();
    }

    /// Take a pane in: it is read from now on.
    pub(super) fn add(&mut self, pane: PaneId, io: PaneIo) {
        self.poll.add(io.master.as_fd(), Token::Pane(pane.0), true, false);
        self.panes.insert(pane, io);
    }

    /// End what runs in a pane and let go of its pty and memory.
    pub(super) fn close(&mut self, pane: PaneId) {
        self.wake(pane);
        let Some(io) = self.panes.remove(&pane) else { return };
        self.poll.remove(io.master.as_fd());
        // A host that is gone has no children left to end.
        let _ = self.host.kill(io.id);
        let _ = self.host.forget(io.id);
    }

    /// End what runs in a pane that is to come back. The host is told first that this is no end of the pane: this server may
    /// not live to say it to anybody else.
    pub(super) fn put_to_sleep(&mut self, pane: PaneId) {
        let Some(io) = self.panes.get_mut(&pane).filter(|io| io.stopping.is_none()) else { return };
        io.stopping = Some(Instant::now());
        io.metadata.stopped = true;
        let _ = self.host.set_metadata(io.id, &io.metadata.encode());
        let _ = self.host.kill(io.id);
    }

    /// Let go of a pane that was put to sleep and has said its last words. False when there is none such.
    pub(super) fn fall_asleep(&mut self, pane: PaneId) -> bool {
        if !self.panes.get(&pane).is_some_and(|io| io.stopping.is_some() && io.ended) {
            return false;
        }
        if let Some(io) = self.panes.remove(&pane) {
            self.poll.remove(io.master.as_fd());
            self.asleep.insert(pane, io.id);
        }
        true
    }

    /// The same for all panes whose programs live.
    pub(super) fn put_all_to_sleep(&mut self) {
        let living = self.panes.iter().filter(|(_, io)| !io.ended && io.exit.is_none());
        let panes: Vec<PaneId> = living.map(|(pane, _)| *pane).collect();
        for pane in panes {
            self.put_to_sleep(pane);
        }
    }

    /// Whether some program that was asked to end may still have something to say.
    pub(super) fn is_parting(&self) -> bool {
        self.panes.values().any(PaneIo::is_parting)
    }

    /// Until when that is waited for.
    pub(super) fn last_words_by(&self) -> Option<Instant> {
        let parting = self.panes.values().filter(|io| io.is_parting());
        parting.filter_map(|io| Some(io.stopping? + LAST_WORDS)).max()
    }

    /// A sleeping pane's memory is not wanted any more.
    pub(super) fn wake(&mut self, pane: PaneId) {
        if let Some(id) = self.asleep.remove(&pane) {
            let _ = self.host.forget(id);
        }
    }

    /// The host was killed: what ran in its panes is hung up, and is to be killed when the server ends.
    pub(super) fn lose_host(&mut self) {
        for io in self.panes.values().filter(|io| io.exit.is_none()) {
            if let Ok(master) = io.master.try_clone() {
                self.orphans.add(io.pid, master);
            }
        }
        self.orphans.hang_up();
    }

    /// The pane that the host calls so.
    pub(super) fn pane_of(&self, id: PaneUuid) -> Option<PaneId> {
        self.panes.iter().find(|(_, io)| io.id == id).map(|(pane, _)| *pane)
    }
}

impl World for Live {
    fn spawn(&mut self, pane: PaneId, spawn: &Spawn) -> Result<Spawned, String> {
        self.close(pane);
        let id: PaneUuid = facts::random();
        let metadata = Metadata {
            pane: pane.0,
            uuid: spawn.uuid,
            size: spawn.size,
            history_limit: spawn.history_limit,
            stopped: false,
        };
        let bytes = |text: &String| mux::raw::bytes(text).into_owned();
        let environment = self.shim.provide(&spawn.environment);
        let request = host::Spawn {
            id,
            command: Command {
                program: facts::program_path(&spawn.argv[0], &environment).into_bytes(),
                argv0: Some(spawn.argv0.clone().unwrap_or_else(|| spawn.argv[0].clone()).into_bytes()),
                args: spawn.argv[1..].iter().map(bytes).collect(),
                env: environment.iter().map(|(name, value)| (bytes(name), bytes(value))).collect(),
                cwd: spawn.cwd.clone().into_bytes(),
            },
            size: Size { cols: spawn.size.0, rows: spawn.size.1, pixel_width: 0, pixel_height: 0 },
            control_chars: Vec::new(),
            erase: Some(0x7f),
            metadata: metadata.encode(),
        };
        let spawned = self.host.spawn(request).map_err(|error| error.to_string())?;
        self.stores.insert(pane, store(&spawned.memory));
        let told = Spawned { pid: spawned.pid.unsigned_abs(), tty: spawned.tty.clone() };
        let io = PaneIo {
            id,
            metadata,
            master: spawned.master,
            memory: spawned.memory,
            pid: spawned.pid,
            out: Vec::new(),
            waits: false,
            exit: None,
            ended: false,
            told_at: None,
            told: false,
            held: false,
            stopping: None,
            start: RefCell::new(Some(Start {
                command: mux::alert::default_name(spawn.argv0.as_ref().unwrap_or(&spawn.argv[0])),
                path: spawn.cwd.clone(),
            })),
        };
        self.add(pane, io);
        Ok(told)
    }

    fn stop(&mut self, pane: PaneId) {
        self.close(pane);
    }

    fn pass_on(&mut self, from: PaneId, to: PaneId) {
        let Some(mut io) = self.panes.remove(&from) else { return };
        self.poll.remove(io.master.as_fd());
        io.metadata.pane = to.0;
        let _ = self.host.set_metadata(io.id, &io.metadata.encode());
        self.add(to, io);
    }

    fn is_parting(&self, pane: PaneId) -> bool {
        self.panes.get(&pane).is_some_and(PaneIo::is_parting)
    }

    fn page_store(&mut self, pane: PaneId) -> Option<Box<dyn term::PageStore>> {
        self.stores.remove(&pane)
    }

    fn foreground_command(&self, pane: PaneId) -> Option<String> {
        if let Some(known) = self.commands.borrow().get(&pane) {
            return known.clone();
        }
        let io = self.panes.get(&pane)?;
        if let Some(start) = io.start() {
            return Some(start.command);
        }
        let name =
            facts::foreground(io.master.as_fd()).and_then(facts::command_name).or_else(|| facts::command_name(io.pid));
        self.commands.borrow_mut().insert(pane, name.clone());
        name
    }

    fn is_at_shell(&self, pane: PaneId) -> Option<bool> {
        let io = self.panes.get(&pane)?;
        facts::foreground(io.master.as_fd()).map(|leader| leader == io.pid)
    }

    fn foreground_path(&self, pane: PaneId) -> Option<String> {
        let io = self.panes.get(&pane)?;
        if let Some(start) = io.start() {
            return self.real_path(&start.path);
        }
        let leader = facts::foreground(io.master.as_fd()).and_then(facts::directory);
        leader.or_else(|| facts::directory(io.pid))
    }

    fn is_directory(&self, path: &str) -> bool {
        std::path::Path::new(path).is_dir()
    }

    fn is_program(&self, path: &str) -> bool {
        facts::is_program(path)
    }

    fn real_path(&self, path: &str) -> Option<String> {
        std::fs::canonicalize(path).ok().map(|path| path.to_string_lossy().into_owned())
    }

    fn rename_file(&mut self, from: &str, to: &str) -> Result<(), String> {
        std::fs::rename(from, to).map_err(|error| crate::os::words(&error))
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, String> {
        facts::read_file(path).map_err(|error| crate::os::words(&error))
    }

    fn write_file(&mut self, path: &str, data: &[u8], append: bool) -> Result<(), String> {
        facts::write_file(path, data, append).map_err(|error| crate::os::words(&error))
    }

    fn remove_file(&mut self, path: &str) {
        let _ = std::fs::remove_file(path);
    }

    fn glob(&self, pattern: &str) -> Vec<String> {
        facts::glob(pattern)
    }

    fn home(&self, user: Option<&str>) -> Option<String> {
        facts::home(user)
    }

    fn user_name(&self, uid: u32) -> Option<String> {
        facts::user_name(uid)
    }

    fn user_id(&self, name: &str) -> Option<u32> {
        facts::user_id(name)
    }

    fn group_name(&self, gid: u32) -> Option<String> {
        facts::group_name(gid)
    }

    fn group_id(&self, name: &str) -> Option<u32> {
        facts::group_id(name)
    }

    fn host_name(&self) -> String {
        self.host_name.clone()
    }

    fn local(&self, unix: i64) -> Local {
        facts::local(unix)
    }

    fn random(&mut self) -> u128 {
        facts::random()
    }

    fn probe(&self, pane: PaneId, probe: &agents::Probe) -> Option<agents::Answer> {
        facts::probe(self.panes.get(&pane).map(|io| io.pid), probe)
    }
}
