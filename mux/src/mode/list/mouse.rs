//! The mouse over a list: rows, their menus, and what the preview shows.

use super::source::At;
use super::strip::{Hit, strip};
use super::{Item, List};
use crate::Mux;
use crate::overlay::{Menu, Owner};
use crate::queue::{Context, State};
use keymap::{Key, KeyCode, MouseAction, MouseKey};
use std::rc::Rc;

/// Names and keys of a menu; an empty name is a line.
pub(super) type MenuRows = &'static [(&'static str, &'static str)];

/// The menu of what is no row.
const OUTSIDE: MenuRows = &[("Scroll Left", "<"), ("Scroll Right", ">"), ("", ""), ("Cancel", "q")];

impl Mux {
    /// The mouse over a list: what key it stands for; `None` when nothing more is to be done.
    pub(super) fn list_mouse(
        &mut self,
        context: &Context<'_>,
        at: At,
        key: Key,
        mouse: &crate::keys::Mouse,
    ) -> Option<&'static str> {
        let place = self.mouse_in_pane(at.pane, mouse)?;
        let KeyCode::Mouse(MouseKey { action, button, .. }) = key.code() else { return None };
        match action {
            MouseAction::WheelUp => return Some("Up"),
            MouseAction::WheelDown => return Some("Down"),
            _ => {}
        }
        let opens_menu = action == MouseAction::Down && button == 3;
        let list = self.list_mut(at.pane)?;
        let row = usize::from(place.row);
        if row >= list.height {
            let is_click = action == MouseAction::Down && button == 1 && list.has_preview();
            if opens_menu {
                self.list_menu(context, at, mouse, true);
            }
            return if is_click { self.preview_clicked(at, place.column) } else { None };
        }
        let there = match action {
            MouseAction::Down | MouseAction::DoubleClick => list.go_to_screen_row(row),
            _ => false,
        };
        list.shift = 0;
        if opens_menu {
            self.list_menu(context, at, mouse, false);
        }
        self.redraw();
        (there && action == MouseAction::DoubleClick).then_some("Enter")
    }

    /// Open the menu of the current row, or of what is no row, under the mouse.
    fn list_menu(&mut self, context: &Context<'_>, at: At, mouse: &crate::keys::Mouse, outside: bool) {
        let Some(client) = at.client else { return };
        let Some(size) = self.clients.get(&client).and_then(|client| client.size) else { return };
        let Some(list) = self.list(at.pane) else { return };
        let name = list.current_row().map_or("", |row| row.draft.name.as_str());
        let title = if outside { String::new() } else { format!("#[align=centre]{name}") };
        let rows = if outside { OUTSIDE } else { list.source.menu };
        let state = State { key: context.state.key, ..State::default() };
        let mut menu = Menu::new(title, Owner::List(at.pane), Rc::new(state));
        for (name, key) in rows {
            match name.is_empty() {
                true => menu.add_line(),
                false => menu.add(name, keymap::parse_key(key), String::new(), size.0),
            }
        }
        if menu.items.is_empty() {
            return;
        }
        menu.at = (mouse.event.x.saturating_sub(menu.size().0 / 2), mouse.event.y);
        menu.fit(size);
        self.show_menu(client, menu);
    }

    /// A click on a preview of several parts chooses one of them, or scrolls.
    fn preview_clicked(&mut self, at: At, column: u16) -> Option<&'static str> {
        let cols = self.panes.get(&at.pane)?.terminal.size().cols.checked_sub(4)?;
        let list = self.list(at.pane)?;
        let (parts, current) = self.parts(list.current_item()?)?;
        let shown = strip(cols, parts.len(), current, list.shift())?;
        match shown.hit(cols, column.saturating_sub(2).min(cols.saturating_sub(1))) {
            Hit::Left => Some("<"),
            Hit::Right => Some(">"),
            Hit::Part(part) => {
                let list = self.list_mut(at.pane)?;
                list.open_current();
                list.set_current(parts.get(part)?);
                Some("Enter")
            }
        }
    }

    /// What the preview of a row shows side by side, and which of them is current.
    fn parts(&self, item: &Item) -> Option<(Vec<Item>, usize)> {
        match item {
            Item::Session(id) => {
                let session = self.sessions.get(id)?;
                let current = session.windows.keys().position(|index| *index == session.current);
                Some((session.windows.keys().map(|index| Item::Window(*id, *index)).collect(), current.unwrap_or(0)))
            }
            Item::Window(id, index) => {
                let link = self.sessions.get(id)?.windows.get(index)?;
                let window = self.windows.get(&link.window)?;
                let current = window.panes().iter().position(|pane| *pane == window.active);
                let part = |pane: &crate::PaneId| Item::Pane(*id, *index, *pane);
                Some((window.panes().iter().map(part).collect(), current.unwrap_or(0)))
            }
            _ => None,
        }
    }
}

impl List {
    /// Show what is below the current row.
    fn open_current(&mut self) {
        let Some(at) = self.current_at() else { return };
        if !self.rows[at].flat && !self.rows[at].expanded {
            self.rows[at].expanded = true;
            self.set_lines();
        }
    }
}
