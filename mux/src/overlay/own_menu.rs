//! The menu of a popup itself: close it, move it, or make it a pane.

use super::menu::{self, Menu, Outcome, Owner};
use crate::Mux;
use crate::effect::Effect;
use crate::id::PaneId;
use crate::layout::{Axis, Split};
use crate::queue::{Context, State, Wait};
use keymap::{Key, KeyCode, MouseEvent};
use std::rc::Rc;
use term::Terminal;

/// Its items: name and key.
const ITEMS: &[(&str, char)] = &[
    ("Close", 'q'),
    ("#{?buffer_name,Paste #[underscore]#{buffer_name},}", 'p'),
    ("", ' '),
    ("Fill Space", 'F'),
    ("Centre", 'C'),
    ("", ' '),
    ("To Horizontal Pane", 'h'),
    ("To Vertical Pane", 'v'),
];

impl Mux {
    pub(super) fn open_popup_menu(&mut self, context: &Context<'_>, id: PaneId, x: u16, y: u16) {
        let Some(popup) = self.popups.get(&id) else { return };
        let size = self.clients.get(&popup.client).and_then(|client| client.size).unwrap_or_default();
        let mut menu = Menu::new(String::new(), Owner::Popup(id), Rc::new(State::default()));
        for (name, key) in ITEMS {
            if name.is_empty() {
                menu.add_line();
                continue;
            }
            let top = self.buffers.iter().next().map(|buffer| ("buffer_name".to_owned(), buffer.name.clone()));
            let values: Vec<(String, String)> = top.into_iter().collect();
            let found = crate::target::from_client(self, Some(popup.client), false).unwrap_or_default();
            let name = self.expand_at(Some(popup.client), found, name, &values, context.world, context.now);
            menu.add(&name, Some(Key::char(*key)), String::new(), size.0);
        }
        menu.at = (x.saturating_sub(menu.size().0 / 2), y);
        menu.fit(size);
        if let Some(popup) = self.popups.get_mut(&id) {
            popup.menu = Some(Box::new(menu));
        }
        self.redraw();
    }

    pub(super) fn popup_menu_key(
        &mut self,
        context: &mut Context<'_>,
        id: PaneId,
        menu: Box<Menu>,
        key: Key,
        event: Option<&MouseEvent>,
    ) {
        let Some(popup) = self.popups.get_mut(&id) else { return };
        let client = popup.client;
        match menu::take(menu, key, event) {
            Outcome::Open(menu) => popup.menu = Some(menu),
            Outcome::Closed => {}
            Outcome::Chosen(menu, at) => self.menu_chosen(context, client, &menu, at),
        }
        self.redraw();
    }

    /// An item of a popup's own menu was chosen.
    pub(super) fn popup_menu_chosen(&mut self, context: &mut Context<'_>, id: PaneId, key: Key) {
        let Some(popup) = self.popups.get_mut(&id) else { return };
        let client = popup.client;
        let screen = self.clients.get(&client).and_then(|client| client.size).unwrap_or_default();
        match key.code() {
            KeyCode::Char('q') => self.clear_overlay(client),
            KeyCode::Char('p') => {
                let data = self.buffers.iter().next().map(|buffer| buffer.data.clone());
                if let Some(data) = data {
                    self.effect(Effect::WritePane(id, data));
                }
            }
            KeyCode::Char('F') => {
                (popup.at, popup.size) = ((0, 0), screen);
                self.popup_resized(id);
            }
            KeyCode::Char('C') => {
                let middle = |room: u16, length: u16| (room / 2).saturating_sub(length / 2);
                popup.at = (middle(screen.0, popup.size.0), middle(screen.1, popup.size.1));
            }
            KeyCode::Char('h') => self.popup_to_pane(context, id, Axis::LeftRight),
            KeyCode::Char('v') => self.popup_to_pane(context, id, Axis::TopBottom),
            _ => {}
        }
    }

    /// A popup becomes a pane beside the active one, with its screen and its program.
    fn popup_to_pane(&mut self, context: &mut Context<'_>, id: PaneId, axis: Axis) {
        let Some(client) = self.popups.get(&id).filter(|popup| popup.running()).map(|popup| popup.client) else {
            return;
        };
        let session = self.clients.get(&client).and_then(|client| client.session);
        let window = session.and_then(|id| self.sessions.get(&id)?.current_window());
        let (Some(session), Some(window), Some(target)) = (session, window, self.active_pane_of(client)) else {
            return;
        };
        self.unzoom(window);
        let mut layout = self.windows[&window].layout.clone();
        let how = Split { axis, before: false, full: false, size: None };
        if layout.split(target, PaneId(self.next.pane), how).is_err() {
            return;
        }
        let wanted = crate::spawn::Wanted { empty: true, client: Some(client), ..Default::default() };
        let size = self.popups[&id].terminal.size();
        let Ok(pane) = self.start_pane(context.world, session, window, size, &wanted) else { return };
        context.world.pass_on(id, pane);
        let Some(popup) = self.popups.remove(&id) else { return };
        if let Some(entry) = self.panes.get_mut(&pane) {
            let limit = entry.terminal.history_limit();
            let state = popup.terminal.snapshot(usize::MAX);
            let store = popup.store.unwrap_or_else(|| Box::new(term::VecStore::default()));
            *entry.terminal = Terminal::from_snapshot(&state, store).unwrap_or_else(|_| Terminal::new(size, limit));
            entry.terminal.set_history_limit(limit);
            entry.uuid = popup.uuid;
            entry.program = crate::Program::Running;
            (entry.pid, entry.tty, entry.cwd, entry.argv) = (popup.pid, popup.tty, popup.cwd, popup.argv);
        }
        self.effect(Effect::MarkPane(pane, crate::Mark::Replaced));
        self.touch_terminal(pane);
        if let Some(entry) = self.windows.get_mut(&window) {
            entry.layout = layout;
        }
        self.focus_new_pane(Some(client), window, pane);
        self.layout_changed(window);
        self.wake(&Wait::Popup(id));
        self.clear_overlay(client);
        self.changed();
    }
}
