//! A box over a client's screen with a terminal and a program in it.
//!
//! Its program has a pty of the host as a pane's has. It is in no window and is not saved: a server that takes over ends it.

use super::menu::Menu;
use crate::Mux;
use crate::client::Overlay;
use crate::effect::Effect;
use crate::id::{ClientId, PaneId, SessionId};
use crate::input::{Exit, Now};
use crate::queue::{Context, Wait};
use crate::world::{Spawn, World};
use keymap::{Key, KeyCode, Modifiers, MouseEvent, MouseKind};
use term::{Size, Terminal};

/// When a popup goes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Ends {
    /// Only by a key.
    #[default]
    Key,
    /// When its program ends.
    Exit,
    /// When its program ends well.
    Success,
}

/// What a mouse drag does to a popup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drag {
    Move,
    Size,
}

/// A popup.
pub struct Popup {
    /// What its program is known by outside; no pane of a window has it.
    pub id: PaneId,
    /// Whose screen it is over.
    pub client: ClientId,
    /// The title.
    pub title: String,
    /// Its screen.
    pub terminal: Box<Terminal>,
    /// First column and row of the box.
    pub at: (u16, u16),
    /// Columns and rows of the box.
    pub size: (u16, u16),
    /// `popup-border-lines`, or what was given in its place.
    pub lines: String,
    /// In the place of `popup-style`.
    pub style: Option<String>,
    /// In the place of `popup-border-style`.
    pub border_style: Option<String>,
    /// Its own menu.
    pub menu: Option<Box<Menu>>,
    wanted: ((u16, u16), (u16, u16)),
    ends: Ends,
    any_key: bool,
    /// `None` while its program runs.
    status: Option<i32>,
    drag: Option<(Drag, (i32, i32))>,
    pub(super) uuid: u128,
    pub(super) pid: u32,
    pub(super) tty: String,
    pub(super) cwd: String,
    pub(super) argv: Vec<String>,
    pub(super) store: Option<Box<dyn term::PageStore>>,
}

impl std::fmt::Debug for Popup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Popup").field("id", &self.id).field("client", &self.client).finish_non_exhaustive()
    }
}

/// How a popup is opened.
#[derive(Debug, Default)]
pub(crate) struct Opening {
    pub(crate) at: (u16, u16),
    pub(crate) size: (u16, u16),
    /// Empty for the shell, one element for the shell to run, else program and arguments.
    pub(crate) argv: Vec<String>,
    pub(crate) cwd: String,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) session: Option<SessionId>,
    pub(crate) look: Change,
}

/// What is said of a popup when it is opened, and later of an open one.
#[derive(Debug, Default)]
pub(crate) struct Change {
    pub(crate) title: Option<String>,
    pub(crate) style: Option<String>,
    pub(crate) border_style: Option<String>,
    pub(crate) lines: Option<String>,
    /// When it goes, and whether any key takes it away once its program has ended.
    pub(crate) ends: Option<(Ends, bool)>,
}

/// The highest id; popups count down from there, panes up from 0.
const LAST_ID: u32 = u32::MAX;

impl Popup {
    /// True when it has no border.
    pub fn is_bare(&self) -> bool {
        self.lines == "none"
    }

    /// Its screen's columns and rows, when there is room for one.
    fn inner(&self) -> Option<Size> {
        inner(self.size, self.is_bare())
    }

    /// True while its program runs.
    pub fn running(&self) -> bool {
        self.status.is_none()
    }

    fn contains(&self, x: u16, y: u16) -> bool {
        let within = |at: u16, from: u16, length: u16| at >= from && at - from < length;
        within(x, self.at.0, self.size.0) && within(y, self.at.1, self.size.1)
    }

    fn is_on_border(&self, x: u16, y: u16) -> bool {
        let edge = |at: u16, from: u16, length: u16| at == from || at + 1 == from.saturating_add(length);
        !self.is_bare() && (edge(x, self.at.0, self.size.0) || edge(y, self.at.1, self.size.1))
    }

    /// On the borders where the other button opens the menu.
    fn is_on_menu_border(&self, x: u16, y: u16) -> bool {
        let right = self.at.0.saturating_add(self.size.0).saturating_sub(1);
        !self.is_bare() && (x == self.at.0 || y == self.at.1 && x != right)
    }
}

fn inner((cols, rows): (u16, u16), bare: bool) -> Option<Size> {
    let less = if bare { 0 } else { 2 };
    let size = Size { cols: cols.checked_sub(less)?, rows: rows.checked_sub(less)? };
    (size.cols > 0 && size.rows > 0).then_some(size)
}

impl Mux {
    /// Open a popup on a client. Gives what it is known by; `None` when there is no room for it.
    ///
    /// # Errors
    /// The system's words.
    pub(crate) fn open_popup(
        &mut self,
        world: &mut dyn World,
        client: ClientId,
        opening: Opening,
    ) -> Result<Option<PaneId>, String> {
        let look = opening.look;
        let lines = look.lines.unwrap_or_else(|| self.client_window_text(client, "popup-border-lines"));
        let Some(size) = inner(opening.size, lines == "none") else { return Ok(None) };
        let used = |id: &u32| !self.popups.contains_key(&PaneId(*id));
        let Some(id) = (0..=LAST_ID).rev().find(used).map(PaneId) else { return Ok(None) };
        let uuid = crate::agent::as_uuid(world.random());
        let spawn = self.popup_program(world, &opening.argv, &opening.cwd, opening.session, &opening.environment);
        let spawn = Spawn { uuid, size: (size.cols, size.rows), ..spawn };
        let spawned = world.spawn(id, &spawn)?;
        let (ends, any_key) = look.ends.unwrap_or_default();
        let popup = Popup {
            id,
            client,
            title: look.title.unwrap_or_default(),
            terminal: Box::new(Terminal::new(size, 0)),
            at: opening.at,
            size: opening.size,
            lines,
            style: look.style,
            border_style: look.border_style,
            menu: None,
            wanted: (opening.at, opening.size),
            ends,
            any_key,
            status: None,
            drag: None,
            uuid,
            pid: spawned.pid,
            tty: spawned.tty,
            cwd: spawn.cwd,
            argv: opening.argv,
            store: world.page_store(id),
        };
        self.set_overlay(client, Overlay::Popup(id));
        self.popups.insert(id, popup);
        self.redraw();
        Ok(Some(id))
    }

    fn popup_program(
        &self,
        world: &dyn World,
        argv: &[String],
        cwd: &str,
        session: Option<SessionId>,
        variables: &[(String, String)],
    ) -> Spawn {
        let shell = session.map_or_else(|| "/bin/sh".to_owned(), |session| self.default_shell(session));
        let mut environment = self.child_environment(session, None);
        environment.set("SHELL", &shell);
        let cwd = crate::spawn::working_directory(world, cwd);
        environment.set("PWD", &cwd);
        if environment.get("PATH").is_none() {
            environment.set("PATH", "/usr/bin:/bin");
        }
        for (name, value) in variables {
            environment.set(name, value);
        }
        self.put_shim_on_path(&mut environment);
        let (argv, argv0) = match argv {
            // Not a login shell.
            [] => (vec![shell], None),
            argv => crate::spawn::executed(&shell, argv),
        };
        let environment =
            environment.iter_for_child().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Spawn { uuid: 0, argv, argv0, environment, cwd, size: (0, 0), history_limit: 0 }
    }

    /// The popup that is open on a client.
    pub(crate) fn popup_of(&self, id: ClientId) -> Option<PaneId> {
        match self.clients.get(&id)?.overlay {
            Some(Overlay::Popup(popup)) => Some(popup),
            _ => None,
        }
    }

    /// An option of the window that a client shows.
    pub(crate) fn client_window_text(&self, id: ClientId, option: &str) -> String {
        let session = self.clients.get(&id).and_then(|client| self.sessions.get(&client.session?));
        let window = session.and_then(crate::Session::current_window);
        window.map_or_else(|| self.globals.window.text(option), |window| self.window_text(window, option))
    }

    /// Change an open popup.
    pub(crate) fn change_popup(&mut self, id: PaneId, change: Change) {
        let Some(popup) = self.popups.get_mut(&id) else { return };
        if let Some(title) = change.title {
            popup.title = title;
        }
        popup.style = change.style.or(popup.style.take());
        popup.border_style = change.border_style.or(popup.border_style.take());
        if let Some(lines) = change.lines {
            popup.lines = lines;
        }
        if let Some((ends, any_key)) = change.ends {
            (popup.ends, popup.any_key) = (ends, any_key);
        }
        self.popup_resized(id);
    }

    /// Give the program the size that the box leaves it.
    pub(super) fn popup_resized(&mut self, id: PaneId) {
        self.redraw();
        let Some(popup) = self.popups.get_mut(&id) else { return };
        let Some(size) = popup.inner().filter(|size| popup.terminal.size() != *size) else { return };
        popup.terminal.resize(size);
        let running = popup.running();
        if running {
            self.effect(Effect::ResizePane(id, (size.cols, size.rows)));
        }
    }

    /// The client has another size: the popup is as large as it was wanted, as far as there is room.
    pub(super) fn fit_popup(&mut self, id: PaneId, (cols, rows): (u16, u16)) {
        let Some(popup) = self.popups.get_mut(&id) else { return };
        let (at, size) = popup.wanted;
        popup.size = (size.0.min(cols), size.1.min(rows));
        popup.at = (at.0.min(cols - popup.size.0), at.1.min(rows - popup.size.1));
        if let Some(menu) = &mut popup.menu {
            menu.fit((cols, rows));
        }
        self.popup_resized(id);
    }

    /// The program of a popup wrote.
    pub(crate) fn popup_output(&mut self, now: Now, id: PaneId, bytes: &[u8]) {
        use term::Event as Said;
        let Some(popup) = self.popups.get_mut(&id) else { return };
        popup.terminal.feed(bytes);
        let client = popup.client;
        for event in popup.terminal.take_events() {
            match event {
                Said::Reply(bytes) => self.effect(Effect::WritePane(id, bytes)),
                Said::Clipboard { selections, data } if self.globals.server.text("set-clipboard") == "on" => {
                    self.set_clipboard(client, &selections, &data);
                    self.add_buffer(data, now.seconds());
                }
                _ => {}
            }
        }
    }

    /// The program of a popup ended.
    pub(crate) fn popup_exited(&mut self, id: PaneId, exit: Exit) {
        let Some(popup) = self.popups.get_mut(&id).filter(|popup| popup.running()) else { return };
        let status = match exit {
            Exit::Status(status) | Exit::Signal(status) => status,
        };
        popup.status = Some(status);
        let ends = popup.ends == Ends::Exit || popup.ends == Ends::Success && status == 0;
        let client = popup.client;
        self.effect(Effect::ClosePane(id));
        if ends {
            self.clear_overlay(client);
        }
        self.redraw();
    }

    /// A popup goes, with its program.
    pub(super) fn end_popup(&mut self, id: PaneId) {
        /// What is told of a program that was ended by closing its popup: as by SIGHUP.
        const HUNG_UP: i32 = 128 + 1;
        let Some(popup) = self.popups.remove(&id) else { return };
        if popup.running() {
            self.effect(Effect::ClosePane(id));
        }
        let wait = Wait::Popup(id);
        if let Some(client) = self.queues.who_waits(&wait).and_then(|id| self.clients.get_mut(&id?))
            && client.session.is_none()
        {
            client.status = popup.status.unwrap_or(HUNG_UP);
        }
        self.wake(&wait);
        self.redraw();
    }

    /// A key for a popup, or what the mouse did.
    pub(super) fn popup_key(&mut self, context: &mut Context<'_>, id: PaneId, key: Key, event: Option<&MouseEvent>) {
        let Some(popup) = self.popups.get_mut(&id) else { return };
        if let Some(menu) = popup.menu.take() {
            return self.popup_menu_key(context, id, menu, key, event);
        }
        match event {
            Some(event) => self.popup_mouse(context, id, event),
            None if key.is_mouse() => {}
            None => self.popup_typed(id, key),
        }
    }

    fn popup_typed(&mut self, id: PaneId, key: Key) {
        let Some(popup) = self.popups.get(&id) else { return };
        let interrupts = match key.code() {
            KeyCode::Char('\x1b') => key.modifiers().is_empty(),
            KeyCode::Char('c') => key.modifiers() == Modifiers::CTRL,
            _ => false,
        };
        let closes = match popup.running() {
            true => interrupts && popup.ends == Ends::Key,
            false => interrupts || popup.any_key,
        };
        if closes {
            return self.clear_overlay(popup.client);
        }
        let mut bytes = Vec::new();
        if popup.running() && keymap::encode(key, &self.key_modes(&popup.terminal), &mut bytes) && !bytes.is_empty() {
            self.effect(Effect::WritePane(id, bytes));
        }
    }

    /// Pasted text for a popup's program.
    pub(crate) fn paste_to_popup(&mut self, id: PaneId, data: &[u8]) {
        let Some(popup) = self.popups.get(&id).filter(|popup| popup.running() && popup.menu.is_none()) else { return };
        let bracketed = popup.terminal.modes().contains(term::Modes::BRACKETED_PASTE);
        let mut bytes = Vec::new();
        keymap::encode_paste(data, bracketed, &mut bytes);
        self.effect(Effect::WritePane(id, bytes));
    }

    fn popup_mouse(&mut self, context: &Context<'_>, id: PaneId, event: &MouseEvent) {
        let Some(popup) = self.popups.get_mut(&id) else { return };
        if popup.drag.is_some() {
            return self.drag_popup(id, event);
        }
        let is_drag = event.kind() == MouseKind::Drag;
        let was_drag = keymap::is_motion(event.last_button);
        // A drag belongs to where the button went down.
        let (x, y) = if is_drag && !was_drag { (event.last_x, event.last_y) } else { (event.x, event.y) };
        let third = keymap::button_number(event.button) == Some(3);
        if !popup.contains(x, y) {
            if third {
                self.open_popup_menu(context, id, x, y);
            }
            return;
        }
        if third && event.modifiers().is_empty() && !is_drag && popup.is_on_menu_border(x, y) {
            return self.open_popup_menu(context, id, x, y);
        }
        if event.modifiers() == Modifiers::META || popup.is_on_border(x, y) && !was_drag {
            if !is_drag {
                return;
            }
            let what = match keymap::button_number(event.last_button) {
                Some(1) => Drag::Move,
                Some(3) => Drag::Size,
                _ => return,
            };
            let from = |at: u16, start: u16| i32::from(at) - i32::from(start);
            popup.drag = Some((what, (from(event.last_x, popup.at.0), from(event.last_y, popup.at.1))));
            return;
        }
        let less = u16::from(!popup.is_bare());
        let at = ((x - popup.at.0).checked_sub(less), (y - popup.at.1).checked_sub(less));
        let (Some(x), Some(y), true) = (at.0, at.1, popup.running()) else { return };
        if let Some(bytes) = crate::mouse::mouse_bytes(&popup.terminal, event, (x, y)) {
            self.effect(Effect::WritePane(id, bytes));
        }
    }

    fn drag_popup(&mut self, id: PaneId, event: &MouseEvent) {
        let Some(popup) = self.popups.get_mut(&id) else { return };
        let screen = self.clients.get(&popup.client).and_then(|client| client.size).unwrap_or_default();
        let Some((what, grip)) = popup.drag.filter(|_| event.kind() == MouseKind::Drag) else {
            popup.drag = None;
            return;
        };
        match what {
            Drag::Move => {
                let along = |at: u16, grip: i32, length: u16, room: u16| {
                    (i32::from(at) - grip).clamp(0, i32::from(room.saturating_sub(length))) as u16
                };
                popup.at =
                    (along(event.x, grip.0, popup.size.0, screen.0), along(event.y, grip.1, popup.size.1, screen.1));
                let from = |at: u16, start: u16| i32::from(at) - i32::from(start);
                popup.drag = Some((what, (from(event.x, popup.at.0), from(event.y, popup.at.1))));
                popup.wanted.0 = popup.at;
            }
            Drag::Size => {
                let least = if popup.is_bare() { 1 } else { 3 };
                let size = (event.x.saturating_sub(popup.at.0), event.y.saturating_sub(popup.at.1));
                if size.0 < least || size.1 < least {
                    return;
                }
                popup.size = size;
                popup.wanted.1 = size;
                self.popup_resized(id);
            }
        }
        self.redraw();
    }
}
