//! Birth and death of sessions, windows and panes; [`crate::death`] has what the end of a program does.

use crate::Mux;
use crate::client::Client;
use crate::effect::{Effect, Stale};
use crate::environment::Environment;
use crate::event::Event;
use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::input::Now;
use crate::layout::Extent;
use crate::option::OptionStore;
use crate::pane::{Pane, Program};
use crate::queue::Wait;
use crate::session::{Session, Winlink};
use crate::window::Window;
use crate::world::{Spawn, World};
use term::{Size, Terminal};

/// What a new program is to be.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Empty for the session's default command, one element for the shell to run, else program and arguments.
    pub argv: Vec<String>,
    /// Directory, already expanded; `None` for the session's.
    pub cwd: Option<String>,
    /// Variables besides the session's (`-e`).
    pub environment: Vec<(String, String)>,
    /// The client that asks for it: its PATH counts while it is not attached, and its size.
    pub client: Option<ClientId>,
    /// No program at all (`split-window -I` and the like).
    pub empty: bool,
    /// Executed this once in the place of the pane's own command.
    pub once: Option<Vec<String>>,
    /// Variables it must not have.
    pub without: Vec<String>,
}

/// What a pane runs, worked out.
struct Command {
    argv: Vec<String>,
    argv0: Option<String>,
}

impl Mux {
    /// The environment of a program of a session: global, the session's own, and what we add.
    pub fn child_environment(&self, session: Option<SessionId>, pane: Option<PaneId>) -> Environment {
        let mut environment = self.environment.clone();
        if let Some(session) = session.and_then(|id| self.sessions.get(&id)) {
            environment.merge(&session.environment);
        }
        environment.set("TERM", &self.globals.server.text("default-terminal"));
        environment.set("TERM_PROGRAM", "tmux");
        environment.set("TERM_PROGRAM_VERSION", crate::message::TMUX_VERSION);
        environment.set("COLORTERM", "truecolor");
        let number = session.map_or(-1, |id| i64::from(id.0));
        environment.set("TMUX", &format!("{},{},{number}", self.identity.socket, self.identity.pid));
        environment.set("ROVE", &format!("{},{},{number}", self.identity.socket, self.identity.pid));
        if let Some(pane) = pane {
            environment.set("TMUX_PANE", &pane.to_string());
        }
        self.put_shim_on_path(&mut environment);
        environment
    }

    /// Let `tmux` mean this program, if that is wanted; to be called when the path is as it shall be.
    pub(crate) fn put_shim_on_path(&self, environment: &mut Environment) {
        if self.globals.server.flag("tmux-shim") {
            environment.put_first_on_path(&self.identity.shim);
        }
    }

    /// The directory of new windows: the client's while it is not attached, else the session's.
    pub fn default_cwd(&self, client: Option<ClientId>, session: Option<SessionId>, world: &dyn World) -> String {
        if !self.configured && client.is_none() && !self.identity.cwd.is_empty() {
            return self.identity.cwd.clone();
        }
        let unattached = client.and_then(|id| self.clients.get(&id)).filter(|client| client.session.is_none());
        let cwd = unattached.map(|client| client.cwd.clone());
        let cwd = cwd.or_else(|| session.and_then(|id| self.sessions.get(&id)).map(|session| session.cwd.clone()));
        let cwd = cwd.or_else(|| client.and_then(|id| self.clients.get(&id)).map(|client| client.cwd.clone()));
        cwd.filter(|cwd| !cwd.is_empty()).or_else(|| world.home(None)).unwrap_or_else(|| "/".to_owned())
    }

    /// Make a session without windows; the caller adds the first one at once.
    pub fn add_session(&mut self, now: Now, name: Option<String>, group: Option<&str>, cwd: String) -> SessionId {
        let id = SessionId(self.next.session);
        self.next.session += 1;
        let mut number = id.0;
        let name = name.unwrap_or_else(|| {
            let numbered = |number: u32| group.map_or(number.to_string(), |group| format!("{group}-{number}"));
            while self.session_named(&numbered(number)).is_some() {
                number += 1;
            }
            numbered(number)
        });
        let session = Session {
            id,
            name,
            created: now.unix,
            activity: now.unix,
            last_attached: None,
            cwd,
            windows: Default::default(),
            current: 0,
            last: Vec::new(),
            options: OptionStore::default(),
            environment: Environment::default(),
            group: None,
            frozen: false,
        };
        self.sessions.insert(id, session);
        self.changed();
        id
    }

    /// Make a window with one running pane and link it into a session under an index, the first free one for `None`.
    ///
    /// # Errors
    /// tmux's words: the index is taken, the program can't be started. Nothing is left behind.
    #[allow(clippy::too_many_arguments)] // One birth needs all of these, and nothing else does.
    pub fn add_window(
        &mut self,
        now: Now,
        world: &mut dyn World,
        session: SessionId,
        index: Option<i32>,
        name: Option<String>,
        size: Option<Extent>,
        wanted: &Wanted,
    ) -> Result<(i32, WindowId, PaneId), String> {
        let base = self.session_number(session, "base-index") as i32;
        let entry = self.sessions.get(&session).ok_or_else(|| "session is gone".to_owned())?;
        let index = match index {
            Some(index) if entry.windows.contains_key(&index) => return Err(format!("index {index} in use")),
            Some(index) => index,
            None => entry.free_index(base),
        };
        let size = size.unwrap_or_else(|| self.new_window_size(wanted.client, session));
        let (window, pane) = (WindowId(self.next.window), PaneId(self.next.pane));
        self.next.window += 1;
        let started = self.start_pane(world, session, window, extent_size(size), wanted)?;
        debug_assert_eq!(started, pane);
        let automatic = name.is_none();
        let mut entry = Window {
            name: name.unwrap_or_default(),
            latest: wanted.client.filter(|id| self.clients.get(id).is_some_and(Client::counts_for_size)),
            ..Window::new(window, pane, size, now)
        };
        if !automatic {
            entry.options.set_flag("automatic-rename", false);
        }
        self.windows.insert(window, entry);
        if automatic {
            let name = self.default_window_name(window);
            if let Some(entry) = self.windows.get_mut(&window) {
                entry.name = name;
            }
        }
        self.use_pane(pane);
        self.touch_layout_settings(window);
        self.fit_panes(window);
        let entry = self.sessions.get_mut(&session).expect("it was there above and starting a pane removes none");
        let first = entry.windows.is_empty();
        entry.windows.insert(index, Winlink::new(window));
        if first {
            entry.current = index;
        }
        self.note_activity(now, window);
        self.fire_window("window-created", window);
        self.fire_created(pane, wanted.empty, false);
        self.changed();
        Ok((index, window, pane))
    }

    /// Start a program in a new pane of a window; the caller puts it into the layout.
    ///
    /// # Errors
    /// The system's words.
    pub fn start_pane(
        &mut self,
        world: &mut dyn World,
        session: SessionId,
        window: WindowId,
        size: Size,
        wanted: &Wanted,
    ) -> Result<PaneId, String> {
        let id = PaneId(self.next.pane);
        let uuid = crate::agent::as_uuid(world.random());
        let shell = self.default_shell(session);
        let argv = if wanted.argv.is_empty() {
            Some(self.session_text(session, "default-command")).filter(|text| !text.is_empty()).into_iter().collect()
        } else {
            wanted.argv.clone()
        };
        let cwd = wanted.cwd.clone().unwrap_or_else(|| self.default_cwd(wanted.client, Some(session), world));
        let history_limit = self.session_number(session, "history-limit").clamp(0, i64::from(u32::MAX)) as u32;
        let pane = Pane {
            id,
            uuid,
            window,
            terminal: Box::new(Terminal::new(size, history_limit)),
            program: Program::None,
            pid: 0,
            tty: String::new(),
            cwd,
            argv,
            shell,
            options: OptionStore::default(),
            title: String::new(),
            modes: Vec::new(),
            searched: None,
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
        };
        self.panes.insert(id, pane);
        if !wanted.empty
            && let Err(error) = self.start_program(world, id, Some(session), wanted)
        {
            self.panes.remove(&id);
            return Err(error);
        }
        self.next.pane += 1;
        let title = world.host_name();
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.title = title;
        }
        Ok(id)
    }

    /// Start the program of a pane that has none: of a new pane, of one that is respawned or comes back.
    ///
    /// # Errors
    /// The system's words.
    pub fn start_program(
        &mut self,
        world: &mut dyn World,
        id: PaneId,
        session: Option<SessionId>,
        wanted: &Wanted,
    ) -> Result<(), String> {
        let mut environment = self.child_environment(session, Some(id));
        for (name, value) in &wanted.environment {
            environment.set(name, value);
        }
        let unattached = wanted.client.and_then(|id| self.clients.get(&id)).filter(|client| client.session.is_none());
        if let Some(path) = unattached.and_then(|client| client.environment.get("PATH")) {
            environment.set("PATH", path);
        }
        if environment.get("PATH").is_none() {
            environment.set("PATH", "/usr/bin:/bin");
        }
        self.put_shim_on_path(&mut environment);
        let pane = self.panes.get(&id).ok_or_else(|| "pane is gone".to_owned())?;
        environment.set("SHELL", &pane.shell);
        let cwd = working_directory(world, &pane.cwd);
        environment.set("PWD", &cwd);
        environment.set("ROVE_PANE", &crate::agent::uuid_text(pane.uuid));
        let Command { argv, argv0 } = match &wanted.once {
            Some(argv) => Command { argv: argv.clone(), argv0: None },
            None => command_line(&pane.shell, &pane.argv),
        };
        for name in &wanted.without {
            environment.unset(name);
        }
        let size = pane.terminal.size();
        let history_limit = pane.terminal.history_limit();
        let spawn = Spawn {
            uuid: pane.uuid,
            argv,
            argv0,
            environment: environment
                .iter_for_child()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            cwd,
            size: (size.cols, size.rows),
            history_limit,
        };
        let spawned = world.spawn(id, &spawn).or_else(|why| match self.identity.face {
            // To tmux's scripts a program that isn't there is one that fails at once, not a pane that can't be made.
            crate::Face::Tmux => {
                world.spawn(id, &Spawn { argv: saying(&why), argv0: None, ..spawn.clone() }).map_err(|_| why)
            }
            crate::Face::Rove => Err(why),
        })?;
        let store = world.page_store(id);
        let pane = self.panes.get_mut(&id).expect("the outside can't remove panes");
        let fresh = pane.terminal.change() == 0;
        if let Some(store) = store {
            *pane.terminal = if fresh {
                Terminal::with_store(size, history_limit, store)
            } else {
                let state = pane.terminal.snapshot(usize::MAX);
                Terminal::from_snapshot(&state, store).unwrap_or_else(|_| Terminal::new(size, history_limit))
            };
        }
        pane.program = Program::Running;
        pane.pid = spawned.pid;
        pane.tty = spawned.tty;
        if !fresh {
            self.effect(Effect::MarkPane(id, crate::Mark::Replaced));
        }
        self.touch_terminal(id);
        self.changed();
        Ok(())
    }

    /// The shell of new panes of a session.
    pub(crate) fn default_shell(&self, session: SessionId) -> String {
        let shell = self.session_text(session, "default-shell");
        if shell.starts_with('/') { shell } else { "/bin/sh".to_owned() }
    }

    /// Note that a pane became active.
    pub(crate) fn use_pane(&mut self, id: PaneId) {
        self.uses += 1;
        let uses = self.uses;
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.used = uses;
        }
    }

    /// Close a pane on purpose: its program ends and nothing of it is kept. Its window goes with its last pane.
    pub fn close_pane(&mut self, now: Now, id: PaneId) {
        let Some(window) = self.panes.get(&id).map(|pane| pane.window) else { return };
        if self.windows.get(&window).is_some_and(|window| window.panes().len() <= 1) {
            self.close_window(now, window);
            return;
        }
        self.remove_from_window(window, id);
        self.drop_pane(id);
        self.layout_changed(window);
    }

    /// Take a pane out of its window's layout; another one becomes active if need be.
    pub(crate) fn remove_from_window(&mut self, id: WindowId, pane: PaneId) {
        if !self.windows.get(&id).is_some_and(|window| window.zoomed() && window.is_floating(pane)) {
            self.unzoom(id);
        }
        let Some(window) = self.windows.get_mut(&id) else { return };
        let heir = window.heir(pane);
        window.change_layouts(|layout| _ = layout.close(pane));
        window.last_panes.retain(|other| *other != pane);
        window.modal_before = window.modal_before.filter(|other| *other != pane && window.modal != Some(pane));
        window.modal = window.modal.filter(|other| *other != pane);
        // What takes its place may be hidden by a zoom.
        let hidden = heir.is_some_and(|heir| window.active == pane && !window.shows(heir));
        if hidden {
            self.unzoom(id);
        }
        let Some(window) = self.windows.get_mut(&id) else { return };
        if window.active == pane
            && let Some(heir) = heir
        {
            window.active = heir;
            window.last_panes.retain(|other| *other != heir);
            self.use_pane(heir);
            self.event_with(Event::WindowPaneChanged(id), &[("old_pane", pane.to_string())]);
            self.update_window_focus(Some(id));
        }
    }

    /// Forget a pane that is in no layout any more.
    pub(crate) fn drop_pane(&mut self, id: PaneId) {
        self.drop_prompt(crate::prompt::Seat::Pane(id));
        let Some(pane) = self.panes.remove(&id) else { return };
        self.requests.remove(&id);
        if self.marked == Some(id) {
            self.marked = None;
        }
        self.wake(&Wait::Pane(id));
        if let Some(job) = pane.pipe {
            self.effect(Effect::WriteJob(job, Vec::new()));
        }
        self.effect(Effect::ClosePane(id));
        self.effect(Effect::Persist(Stale::PaneForgotten(pane.uuid)));
        self.changed();
    }

    /// Close a window on purpose, in all sessions.
    pub fn close_window(&mut self, now: Now, id: WindowId) {
        // Its hooks are told its name, so it goes last.
        self.unlink_everywhere(now, id);
        self.drop_window(id);
    }

    /// Take a window's link out of a session. The session goes with its last window, the window with its last link.
    pub fn unlink_window(&mut self, now: Now, session: SessionId, index: i32) {
        let Some(entry) = self.sessions.get_mut(&session) else { return };
        let Some(window) = entry.windows.get(&index).map(|link| link.window) else { return };
        let moved = entry.unlink(index);
        let empty = entry.windows.is_empty();
        if moved && !empty {
            let entered = entry.current_window();
            self.window_focus_moved(&[Some(window), entered]);
            self.event_with(Event::SessionWindowChanged(session), &was_current(window, index));
        }
        self.event_with(Event::WindowUnlinked(session, window), &[("window_index", index.to_string())]);
        if empty {
            // A group goes with its windows.
            let group = self.sessions.get(&session).and_then(|entry| entry.group.clone());
            let members: Vec<SessionId> =
                group.iter().flat_map(|group| self.group_members(group)).map(|member| member.id).collect();
            members.into_iter().chain([session]).for_each(|member| self.close_session(now, member));
        }
        if self.sessions_with(window).next().is_none() {
            self.drop_window(window);
        }
        self.recalculate_sizes();
        self.changed();
    }

    /// Close a session on purpose. Its clients go elsewhere or leave (option `detach-on-destroy`).
    pub fn close_session(&mut self, now: Now, id: SessionId) {
        let Some(entry) = self.sessions.get(&id) else { return };
        self.event(Event::SessionClosed(id, entry.name.clone()));
        self.fire_left_group(id);
        // Its hooks are told its name and its windows' names, so they go after that.
        let links: Vec<(i32, WindowId)> =
            self.sessions[&id].windows.iter().map(|(index, link)| (*index, link.window)).collect();
        for (index, window) in &links {
            self.event_with(Event::WindowUnlinked(id, *window), &[("window_index", index.to_string())]);
        }
        let Some(session) = self.sessions.remove(&id) else { return };
        for (_, window) in links {
            if self.sessions_with(window).next().is_none() {
                self.drop_window(window);
            }
        }
        self.leave_session(now, &session);
        self.recalculate_sizes();
        self.changed();
        self.exit_if_empty();
    }

    /// Number a session's windows anew from `base-index`, in order.
    pub fn renumber(&mut self, id: SessionId) {
        let base = self.session_number(id, "base-index") as i32;
        let Some(session) = self.sessions.get_mut(&id) else { return };
        let old: Vec<i32> = session.windows.keys().copied().collect();
        let place = |index: i32| old.iter().position(|other| *other == index).map(|at| base + at as i32);
        session.windows =
            std::mem::take(&mut session.windows).into_values().zip(base..).map(|(link, index)| (index, link)).collect();
        session.current = place(session.current).unwrap_or(base);
        session.last = session.last.iter().filter_map(|index| place(*index)).collect();
        self.changed();
    }
}

/// What hooks are told of a window that was current before.
pub(crate) fn was_current(window: WindowId, index: i32) -> [(&'static str, String); 2] {
    [("old_window", window.to_string()), ("old_window_index", index.to_string())]
}

/// The size of a pane that fills an extent.
pub(crate) fn extent_size(extent: Extent) -> Size {
    let clamp = |cells: u32| cells.clamp(1, u32::from(u16::MAX)) as u16;
    Size { cols: clamp(extent.width), rows: clamp(extent.height) }
}

/// A program that says why another could not be run, and fails as it would have.
fn saying(why: &str) -> Vec<String> {
    ["/bin/sh", "-c", "echo \"$0\"; exit 1", why].map(str::to_owned).to_vec()
}

/// A directory that exists: the wanted one, else home, else the root.
pub(crate) fn working_directory(world: &dyn World, wanted: &str) -> String {
    let home = world.home(None);
    [Some(wanted.to_owned()), home]
        .into_iter()
        .flatten()
        .find(|path| world.is_directory(path))
        .unwrap_or_else(|| "/".to_owned())
}

/// The words that are executed for a pane with a command.
pub fn command_words(shell: &str, argv: &[String]) -> Vec<String> {
    command_line(shell, argv).argv
}

/// Program and arguments for a command, and the zeroth argument where that is another.
pub(crate) fn executed(shell: &str, argv: &[String]) -> (Vec<String>, Option<String>) {
    let Command { argv, argv0 } = command_line(shell, argv);
    (argv, argv0)
}

/// What is executed: a login shell, a line for the shell, or the program itself.
fn command_line(shell: &str, argv: &[String]) -> Command {
    let name = shell.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(shell);
    match argv {
        [] => Command { argv: vec![shell.to_owned()], argv0: Some(format!("-{name}")) },
        [line] => Command { argv: vec![shell.to_owned(), "-c".to_owned(), line.clone()], argv0: Some(name.to_owned()) },
        words => Command { argv: words.to_vec(), argv0: None },
    }
}
