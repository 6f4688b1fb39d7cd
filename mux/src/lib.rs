//! The model: sessions, windows, panes, layouts, options, formats, commands. One owner, no IO, no clock.
//!
//! [`Mux::handle`] takes what happened, [`Mux::poll_effect`] gives what is to be done, [`Mux::poll_event`] what is to be
//! told, [`Mux::deadline`] when to come back at the latest. The same inputs always give the same model.

#![warn(missing_docs)]

pub mod access;
pub mod adopt;
pub mod agent;
pub mod alert;
pub mod attach;
pub mod buffer;
pub mod client;
pub mod command;
pub mod commands;
mod death;
pub mod effect;
pub mod environment;
pub mod event;
#[cfg(any(test, feature = "fake"))]
pub mod fake;
pub mod floating;
pub mod fnmatch;
pub mod focus;
pub mod format;
pub mod freeze;
mod group;
pub mod heard;
pub mod hook;
pub mod id;
pub mod input;
pub mod keys;
pub mod layout;
mod life;
mod lock;
pub mod message;
pub mod mode;
mod monitor;
pub mod mouse;
pub mod number;
pub mod option;
pub mod overlay;
pub mod pane;
mod payload;
pub mod prompt;
pub mod queue;
pub mod raw;
mod recycle;
mod request;
mod routine;
pub mod scope;
pub mod session;
mod shell;
#[cfg(test)]
mod simulation;
pub mod size;
pub mod spawn;
pub mod style;
pub mod target;
mod terminal;
mod theme;
pub mod timer;
pub mod values;
pub mod window;
pub mod windows;
pub mod world;

pub use client::Client;
pub use effect::{Effect, End, Farewell, Job, Mark, Stale};
pub use event::Event;
pub use id::{ClientId, JobId, PaneId, SessionId, WindowId};
pub use input::{Exit, Hello, Input, Manner, Now};
pub use option::Face;
pub use pane::{Pane, Program};
pub use session::{Session, Winlink};
pub use window::Window;
pub use world::{Spawn, Spawned, World};

use environment::Environment;
use queue::{Item, Queues, State, Wait};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

/// What the server is told of itself when it starts.
#[derive(Debug, Clone)]
pub struct Identity {
    /// tmux or rove.
    pub face: Face,
    /// The path of its socket.
    pub socket: String,
    /// Its process.
    pub pid: u32,
    /// The user it runs as.
    pub uid: u32,
    /// The path of its executable, for commands run in panes.
    pub executable: String,
    /// A directory with a `tmux` that is this program, for the path of programs (option `tmux-shim`).
    pub shim: String,
    /// When it started, since the epoch.
    pub started: Duration,
    /// The directory it was started in, where its configuration's commands stand; empty when that is not known.
    pub cwd: String,
}

/// Options that hold for everybody.
#[derive(Debug)]
pub struct Globals {
    /// Options of the server.
    pub server: option::OptionStore,
    /// Session options for sessions without their own.
    pub session: option::OptionStore,
    /// Window and pane options for windows without their own.
    pub window: option::OptionStore,
}

/// A waiter or a wake-up of `wait-for`.
#[derive(Debug, Default)]
pub(crate) struct Channel {
    pub(crate) waiters: VecDeque<u64>,
    pub(crate) woken: bool,
    pub(crate) locked: bool,
    pub(crate) lockers: VecDeque<u64>,
}

impl Channel {
    /// True when nothing is left to remember of it.
    pub(crate) fn is_idle(&self) -> bool {
        self.waiters.is_empty() && self.lockers.is_empty() && !self.woken && !self.locked
    }
}

/// The model. Every field may be read; changes go through its methods and its commands.
#[derive(Debug)]
pub struct Mux {
    /// What the server is.
    pub identity: Identity,
    /// Sessions.
    pub sessions: BTreeMap<SessionId, Session>,
    /// Windows.
    pub windows: BTreeMap<WindowId, Window>,
    /// Panes.
    pub panes: BTreeMap<PaneId, Pane>,
    /// Popups, by what their programs are known by outside.
    pub popups: BTreeMap<PaneId, overlay::Popup>,
    /// The panes in which something is edited for a list.
    pub(crate) editors: BTreeMap<PaneId, overlay::Editor>,
    /// Windows nobody shows that wait for their size.
    pub(crate) unfitted: BTreeSet<WindowId>,
    /// Clients.
    pub clients: BTreeMap<ClientId, Client>,
    /// Paste buffers.
    pub buffers: buffer::Buffers,
    /// Global options.
    pub globals: Globals,
    /// The global environment.
    pub environment: Environment,
    /// The coding agents that can be launched.
    pub engines: agents::Table,
    /// Who may use the server besides its owner.
    pub access: access::Access,
    /// Key tables.
    pub keys: keymap::KeyTables<commands::Commands>,
    /// The marked pane.
    pub marked: Option<PaneId>,
    /// Problems found in configuration files, to be shown to the first client.
    pub config_errors: Vec<String>,
    /// Why sessions are not being kept on disk, while that is so.
    pub freeze_error: Option<String>,
    /// Messages for `show-messages` and when they came, the newest last.
    pub message_log: VecDeque<(i64, message::Logged)>,
    /// The next ids of sessions, windows and panes.
    pub next: NextIds,
    /// Counts changes of anything that is saved: layouts, names, options, keys.
    pub structure: u64,
    /// Counts changes of anything that is drawn besides the panes' screens.
    pub visible: u64,
    /// The same when programs were last told of the theme.
    themes_at: Option<u64>,
    /// Configuration files have been read.
    pub configured: bool,
    pub(crate) queues: Queues,
    pub(crate) timers: timer::Timers,
    /// What programs asked terminals.
    pub(crate) requests: request::Requests,
    pub(crate) jobs: HashMap<JobId, jobs::Pending>,
    pub(crate) formats: scope::Cache,
    pub(crate) format_jobs: scope::FormatJobs,
    /// Panes that show a list.
    pub(crate) lists: Vec<PaneId>,
    pub(crate) channels: BTreeMap<String, Channel>,
    pub(crate) hooks: hook::Hooks,
    pub(crate) alerts: BTreeMap<WindowId, alert::Seen>,
    pub(crate) monitors: monitor::Monitors,
    /// Who waits for an event (`wait-for -E`).
    pub(crate) event_waiters: Vec<commands::EventWaiter>,
    pub(crate) routines: routine::Routines,
    /// Panes that come back, in the order in which they are started.
    pub(crate) thawing: VecDeque<PaneId>,
    /// Configuration files that were read.
    pub config_files: Vec<String>,
    pub(crate) last_turn: Option<Now>,
    /// Messages that came up where no time was at hand.
    pub(crate) pending_messages: Vec<(ClientId, String)>,
    /// Clients to be painted anew as a whole; taken by who draws.
    pub repaint: Vec<ClientId>,
    /// Items that wait for a delay in the background.
    pub(crate) delayed: HashMap<u64, Vec<Item>>,
    /// What clients' standard input held so far, for commands that asked for it.
    pub(crate) stdin: HashMap<ClientId, Vec<u8>>,
    /// What was typed at prompts, by kind, the newest last.
    pub(crate) prompt_history: BTreeMap<String, Vec<String>>,
    /// The windows of each group of sessions, as they last were.
    pub(crate) in_step: BTreeMap<String, group::InStep>,
    pub(crate) next_job: u32,
    pub(crate) next_wait: u64,
    pub(crate) uses: u64,
    /// The program that takes over, for [`End::HandOver`]; `None` for this one as it now is on disk.
    pub successor: Option<String>,
    /// At the end everything that was kept goes, the interface's own too.
    pub resets_hard: bool,
    pub(crate) ending: bool,
    /// A client has connected since the start.
    pub(crate) served: bool,
    events: VecDeque<Event>,
    effects: VecDeque<Effect>,
}

pub mod jobs;

/// The ids that the next session, window and pane get.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NextIds {
    /// Of the next session.
    pub session: u32,
    /// Of the next window.
    pub window: u32,
    /// Of the next pane.
    pub pane: u32,
}

impl Mux {
    /// A model without sessions, with the options and keys of its face.
    pub fn new(identity: Identity, environment: Environment) -> Mux {
        let face = identity.face;
        let mut mux = Mux {
            identity,
            sessions: BTreeMap::new(),
            windows: BTreeMap::new(),
            panes: BTreeMap::new(),
            popups: BTreeMap::new(),
            editors: BTreeMap::new(),
            unfitted: BTreeSet::new(),
            clients: BTreeMap::new(),
            buffers: buffer::Buffers::default(),
            globals: Globals::new(face),
            environment,
            keys: keymap::KeyTables::default(),
            access: access::Access::default(),
            marked: None,
            config_errors: Vec::new(),
            engines: agents::Table::default(),
            freeze_error: None,
            message_log: VecDeque::new(),
            next: NextIds::default(),
            structure: 0,
            visible: 0,
            themes_at: None,
            configured: false,
            queues: Queues::default(),
            timers: timer::Timers::default(),
            requests: request::Requests::default(),
            jobs: HashMap::new(),
            formats: scope::Cache::default(),
            format_jobs: scope::FormatJobs::default(),
            lists: Vec::new(),
            channels: BTreeMap::new(),
            hooks: hook::Hooks::default(),
            alerts: BTreeMap::new(),
            monitors: monitor::Monitors::default(),
            event_waiters: Vec::new(),
            routines: routine::Routines::default(),
            thawing: VecDeque::new(),
            config_files: Vec::new(),
            last_turn: None,
            pending_messages: Vec::new(),
            repaint: Vec::new(),
            delayed: HashMap::new(),
            stdin: HashMap::new(),
            prompt_history: BTreeMap::new(),
            in_step: BTreeMap::new(),
            next_job: 0,
            next_wait: 0,
            uses: 0,
            successor: None,
            resets_hard: false,
            ending: false,
            served: false,
            events: VecDeque::new(),
            effects: VecDeque::new(),
        };
        mux.bind_defaults(face);
        mux.touch_widths();
        mux
    }

    /// Something happened. Everything that follows from it is done before this returns.
    pub fn handle(&mut self, now: Now, world: &mut dyn World, input: Input<'_>) {
        self.last_turn = Some(now);
        match input {
            Input::ClientConnected(client, hello) => self.client_connected(now, world, client, &hello),
            Input::ClientBytes(client, bytes) => self.client_bytes(now, world, client, bytes),
            Input::ClientLine(client, line) => self.client_line(now, world, client, line),
            Input::ClientResized(client, size) => self.client_resized(now, client, size),
            Input::ClientResumed(client) => self.client_resumed(client),
            Input::ClientGone(client) => self.client_gone(client),
            Input::PaneOutput(pane, bytes) => self.pane_output(now, world, pane, bytes),
            Input::PaneExited(pane, exit) => self.pane_exited(now, world, pane, exit),
            Input::JobOutput(job, bytes) => self.job_output(now, job, bytes),
            Input::JobDone(job, exit) => self.job_done(now, world, job, exit),
            Input::ClientInput(client, bytes) => self.client_input(client, bytes),
            Input::Tick => {}
        }
        self.run_timers(now, world);
        self.sync_groups();
        self.run_queues(world, now);
        self.refresh_lists(now, world);
        self.tell_themes(now, world);
        self.read_routines(now, world);
        self.watch_idleness(now);
    }

    /// The next thing to be done outside.
    pub fn poll_effect(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// The next thing to be told.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// When [`Input::Tick`] is due at the latest.
    pub fn deadline(&self) -> Option<std::time::Instant> {
        self.timers.next()
    }

    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.push_back(effect);
    }

    /// Something happened that others are told; hooks of the same name are run by [`Mux::run_queues`].
    pub(crate) fn event(&mut self, event: Event) {
        self.event_with(event, &[]);
    }

    /// The same, with more values for its hook.
    pub(crate) fn event_with(&mut self, event: Event, more: &[(&str, String)]) {
        self.hook_event(&event, more);
        self.rename_after(&event);
        self.events.push_back(event);
    }

    /// Something that is saved and drawn has changed.
    pub(crate) fn changed(&mut self) {
        self.structure += 1;
        self.visible += 1;
    }

    /// Something that is drawn has changed.
    pub(crate) fn redraw(&mut self) {
        self.visible += 1;
    }

    /// The session of this name.
    pub fn session_named(&self, name: &str) -> Option<SessionId> {
        self.sessions.values().find(|session| session.name == name).map(|session| session.id)
    }

    /// Clients that show a session.
    pub fn clients_of(&self, session: SessionId) -> impl Iterator<Item = &Client> {
        self.clients.values().filter(move |client| client.session == Some(session) && !client.leaving)
    }

    /// Sessions that have a window.
    pub fn sessions_with(&self, window: WindowId) -> impl Iterator<Item = &Session> {
        self.sessions.values().filter(move |session| session.windows.values().any(|link| link.window == window))
    }

    /// The pane beside another; of several the one used last.
    pub fn pane_beside(&self, window: &Window, pane: PaneId, direction: layout::Direction) -> Option<PaneId> {
        let recency = |pane: PaneId| self.panes.get(&pane).map_or(0, |pane| pane.used);
        window.layout.neighbour(pane, direction, recency)
    }

    /// Where a client's own text shall go, or everybody's for `None`.
    pub(crate) fn next_wait(&mut self) -> u64 {
        self.next_wait += 1;
        self.next_wait
    }

    /// Append commands to a client's queue, or to the server's own.
    pub(crate) fn enqueue(&mut self, client: Option<ClientId>, commands: &commands::Commands, state: State) {
        let state = Rc::new(state);
        let items = self.queues.items(commands, &state);
        self.queues.append(client, items);
    }

    /// Append an error to a client's queue, told in the place of a command.
    pub(crate) fn enqueue_error(&mut self, client: Option<ClientId>, text: String, state: State) {
        self.queues.append(client, [Item::failed(Rc::new(state), text)]);
    }

    pub(crate) fn wake(&mut self, wait: &Wait) {
        self.queues.wake(wait);
    }

    /// Read configuration files, in order, on the server's own queue; then clients are served.
    pub fn read_config(&mut self, now: Now, world: &mut dyn World, files: &[(String, bool)]) {
        self.last_turn = Some(now);
        self.config_files = files.iter().map(|(path, _)| path.clone()).collect();
        for (path, quiet) in files {
            self.load_config(world, path, *quiet);
        }
        self.queues.append(
            None,
            [Item::callback(Rc::new(State::default()), |mux, context| {
                mux.configured = true;
                mux.load_prompt_history(context.world);
                let attached = mux.clients.values().find(|client| client.session.is_some()).map(|client| client.id);
                if let Some(client) = attached {
                    mux.show_config_errors(client);
                }
                Ok(queue::Flow::Done)
            })],
        );
        self.run_queues(world, now);
    }

    fn load_config(&mut self, world: &mut dyn World, path: &str, quiet: bool) {
        let text = match world.read_file(path) {
            Ok(bytes) => raw::text(&bytes),
            Err(_) if quiet => return,
            Err(error) => {
                self.config_errors.push(format!("{path}: {error}"));
                return;
            }
        };
        match self.commands(&text, Some(path), world) {
            Ok(commands) => self.enqueue(None, &commands, State::in_file(path)),
            Err(error) => self.config_errors.push(error),
        }
    }

    /// Take the global environment's `SHELL`, home and the like into options that default to them.
    pub fn set_default_shell(&mut self, shell: &str) {
        self.globals.session.set_text("default-shell", shell);
    }

    /// Take the user's editor, `$VISUAL` or `$EDITOR`: prompts and modes have vi's keys for one that is called so.
    pub fn set_editor(&mut self, editor: &str) {
        let name = editor.rsplit('/').next().unwrap_or(editor);
        let keys = if name.contains("vi") { "vi" } else { "emacs" };
        self.globals.server.set_text("editor", editor);
        self.globals.session.set_text("status-keys", keys);
        self.globals.window.set_text("mode-keys", keys);
    }
}
