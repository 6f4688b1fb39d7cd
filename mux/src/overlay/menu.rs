//! A menu over a client's screen: its items, what keys and the mouse do in it, and what is done with the chosen one.

use crate::Mux;
use crate::id::{ClientId, PaneId};
use crate::queue::{Context, State};
use crate::style::{trim_right, width};
use keymap::{Key, KeyCode, Modifiers, MouseEvent, MouseKind, Named};
use std::rc::Rc;

/// An item of a menu, or a line between items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuItem {
    /// What is shown, with its key; empty for a line. What begins with `-` can't be chosen.
    pub text: String,
    key: Option<Key>,
    command: String,
}

impl MenuItem {
    /// True for a line between items.
    pub fn is_line(&self) -> bool {
        self.text.is_empty()
    }

    /// True for an item that is shown and can't be chosen.
    pub fn is_disabled(&self) -> bool {
        self.text.starts_with('-')
    }

    fn can_be_chosen(&self) -> bool {
        !self.is_line() && !self.is_disabled()
    }
}

/// Whose menu it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A command's: the chosen item is a command too.
    Command,
    /// A popup's own: the key of the chosen item says what is done.
    Popup(PaneId),
    /// A list's in this pane: the key of the chosen item goes to it.
    List(PaneId),
    /// A prompt's: the chosen item stands in the place of the word at its cursor.
    Completion(crate::prompt::Seat),
}

/// How a menu looks where it is not as the options say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MenuLook {
    /// `menu-border-lines`.
    pub lines: Option<String>,
    /// `menu-style`.
    pub style: Option<String>,
    /// `menu-selected-style`.
    pub selected: Option<String>,
    /// `menu-border-style`.
    pub border: Option<String>,
}

/// A menu.
#[derive(Debug, Clone)]
pub struct Menu {
    /// The title.
    pub title: String,
    /// The items.
    pub items: Vec<MenuItem>,
    /// Columns of the widest item, or of the title.
    pub width: u16,
    /// Which item is chosen.
    pub choice: Option<usize>,
    /// First column and row of its border on the client.
    pub at: (u16, u16),
    /// How it looks.
    pub look: MenuLook,
    /// The mouse chooses in it.
    pub mouse: bool,
    /// It stays when a button is let go outside of it.
    pub(crate) stays: bool,
    /// Tab goes on in it, and closes it behind the last item; so does Backspace.
    pub(crate) tab: bool,
    pub(crate) owner: Owner,
    pub(crate) state: Rc<State>,
}

/// What a key or the mouse did to a menu.
enum Step {
    Stay,
    Close,
    Choose,
}

impl Menu {
    /// A menu without items.
    pub(crate) fn new(title: String, owner: Owner, state: Rc<State>) -> Menu {
        let columns = u16::try_from(width(&title)).unwrap_or(u16::MAX);
        Menu {
            title,
            items: Vec::new(),
            width: columns,
            choice: None,
            at: (0, 0),
            look: MenuLook::default(),
            mouse: true,
            stays: false,
            tab: false,
            owner,
            state,
        }
    }

    /// Columns and rows with the border.
    pub fn size(&self) -> (u16, u16) {
        let rows = u16::try_from(self.items.len()).unwrap_or(u16::MAX);
        (self.width.saturating_add(4), rows.saturating_add(2))
    }

    /// A line between items, unless there is nothing above it.
    pub(crate) fn add_line(&mut self) {
        if self.items.last().is_some_and(|item| !item.is_line()) {
            self.items.push(MenuItem { text: String::new(), key: None, command: String::new() });
        }
    }

    /// An item; none for an empty name. What is too long for a client of so many columns is cut.
    pub(crate) fn add(&mut self, name: &str, key: Option<Key>, command: String, columns: u16) {
        if name.is_empty() {
            return;
        }
        let mut room = usize::from(columns.saturating_sub(4));
        let mut shown = key.filter(|key| *key != Key::NONE && !name.starts_with('-')).map(keymap::key_name);
        if let Some(text) = &shown {
            // The key is left out where it would take too much from the name.
            let taken = text.len() + 3;
            if taken <= room / 4 {
                room -= taken;
            } else if taken >= room || name.len() >= room - taken {
                shown = None;
            }
        }
        let cut = name.len() > room;
        let mut text = trim_right(name, if cut { room.saturating_sub(1) } else { room });
        if cut {
            text.push('>');
        }
        if let Some(key) = shown {
            text = format!("{text}#[default] #[align=right]({key})");
        }
        let columns = width(&text).saturating_sub(usize::from(text.starts_with('-')));
        self.width = self.width.max(u16::try_from(columns).unwrap_or(u16::MAX));
        self.items.push(MenuItem { text, key, command });
    }

    /// Choose an item before anything is typed: this one or the next that can be chosen, or the last before the end.
    pub(crate) fn start_at(&mut self, wanted: usize) {
        let count = self.items.len();
        let can = |at: &usize| self.items[*at].can_be_chosen();
        self.choice = match wanted {
            at if at < count => (at..count).chain(0..at).find(can),
            _ => (0..count).rev().find(can),
        };
    }

    /// Keep it within a client of this size.
    pub(crate) fn fit(&mut self, (cols, rows): (u16, u16)) {
        let (width, height) = self.size();
        self.at = (self.at.0.min(cols.saturating_sub(width)), self.at.1.min(rows.saturating_sub(height)));
    }

    fn can_choose(&self, at: usize) -> bool {
        self.items.get(at).is_some_and(MenuItem::can_be_chosen)
    }

    fn step(&mut self, forward: bool) {
        let count = self.items.len();
        let start = self.choice;
        for _ in 0..count {
            self.choice = Some(match (self.choice, forward) {
                (None, true) => 0,
                (None | Some(0), false) => count - 1,
                (Some(at), true) => (at + 1) % count,
                (Some(at), false) => at - 1,
            });
            if self.choice.is_some_and(|at| self.can_choose(at)) || self.choice == start {
                break;
            }
        }
    }

    /// Five items on or back, as far as there are such.
    fn page(&mut self, forward: bool) {
        let last = self.items.len() - 1;
        let mut at = self.choice.unwrap_or(0);
        let mut left = 5;
        while left > 0 && at != (if forward { last } else { 0 }) {
            at = if forward { at + 1 } else { at - 1 };
            left -= usize::from(self.can_choose(at));
        }
        self.choice = match forward {
            true => (0..=at).rev().find(|at| self.can_choose(*at)).or(Some(0)),
            false => Some(at),
        };
    }

    fn key(&mut self, key: Key) -> Step {
        let found = self.items.iter().position(|item| {
            item.can_be_chosen() && item.key.is_some_and(|own| own != Key::NONE && own.bound() == key.bound())
        });
        if let Some(found) = found {
            self.choice = Some(found);
            return Step::Choose;
        }
        let control = key.modifiers() == Modifiers::CTRL;
        match key.code() {
            KeyCode::Char('\r') => return Step::Choose,
            KeyCode::Char('\x1b' | 'q') if !control => return Step::Close,
            KeyCode::Char('[' | 'c' | 'g') if control => return Step::Close,
            KeyCode::Named(Named::BTab | Named::Up) => self.step(false),
            KeyCode::Char('k') if !control => self.step(false),
            KeyCode::Named(Named::BSpace) if self.tab => return Step::Close,
            KeyCode::Char('\t') if self.tab && self.choice.is_some_and(|at| at + 1 == self.items.len()) => {
                return Step::Close;
            }
            KeyCode::Char('\t') if self.tab => self.step(true),
            KeyCode::Named(Named::Down) => self.step(true),
            KeyCode::Char('j') if !control => self.step(true),
            KeyCode::Named(Named::PageUp) => self.page(false),
            KeyCode::Char('b') if control => self.page(false),
            KeyCode::Named(Named::PageDown) => self.page(true),
            KeyCode::Char('g') | KeyCode::Named(Named::Home) => {
                self.choice = (0..self.items.len()).find(|at| self.can_choose(*at));
            }
            KeyCode::Char('G') | KeyCode::Named(Named::End) => {
                self.choice = (0..self.items.len()).rev().find(|at| self.can_choose(*at));
            }
            _ => {}
        }
        Step::Stay
    }

    /// Which row of items a cell of the client is on.
    fn row_at(&self, x: u16, y: u16) -> Option<usize> {
        let (left, top) = self.at;
        let across = x >= left && x <= left.saturating_add(4).saturating_add(self.width);
        let row = usize::from(y).checked_sub(usize::from(top) + 1)?;
        (across && row < self.items.len()).then_some(row)
    }

    fn mouse(&mut self, event: &MouseEvent) -> Step {
        let kind = event.kind();
        if !self.mouse {
            // Everything but the first button going down closes it.
            let first = keymap::button_number(event.button) == Some(1);
            return if first { Step::Stay } else { Step::Close };
        }
        let Some(row) = self.row_at(event.x, event.y) else {
            let closes = if self.stays { MouseKind::Press } else { MouseKind::Release };
            if kind == closes {
                return Step::Close;
            }
            self.choice = None;
            return Step::Stay;
        };
        let chooses = match self.stays {
            true => matches!(kind, MouseKind::Press | MouseKind::Release),
            false => kind == MouseKind::Release,
        };
        if chooses {
            return Step::Choose;
        }
        self.choice = Some(row);
        Step::Stay
    }
}

/// What a menu leaves when it goes: nothing, or the item that was chosen.
pub(super) enum Outcome {
    Open(Box<Menu>),
    Closed,
    Chosen(Box<Menu>, usize),
}

/// Give a menu a key, or what the mouse did.
pub(super) fn take(mut menu: Box<Menu>, key: Key, event: Option<&MouseEvent>) -> Outcome {
    let step = match event {
        Some(event) => menu.mouse(event),
        None if key.is_mouse() => Step::Stay,
        None => menu.key(key),
    };
    match (step, menu.choice) {
        (Step::Stay, _) => Outcome::Open(menu),
        (Step::Close, _) | (Step::Choose, None) => Outcome::Closed,
        (Step::Choose, Some(at)) if menu.can_choose(at) => Outcome::Chosen(menu, at),
        (Step::Choose, Some(_)) if menu.stays => Outcome::Open(menu),
        (Step::Choose, Some(_)) => Outcome::Closed,
    }
}

impl Mux {
    /// Show a menu on a client, in the place of another one.
    pub(crate) fn show_menu(&mut self, id: ClientId, menu: Menu) {
        self.set_overlay(id, crate::client::Overlay::Menu(Box::new(menu)));
    }

    /// An item of a menu was chosen.
    pub(super) fn menu_chosen(&mut self, context: &mut Context<'_>, id: ClientId, menu: &Menu, at: usize) {
        let item = &menu.items[at];
        match menu.owner {
            Owner::Command => match self.commands(&item.command, None, context.world) {
                Ok(commands) => self.enqueue(Some(id), &commands, (*menu.state).clone()),
                Err(error) => self.enqueue_error(Some(id), error, (*menu.state).clone()),
            },
            Owner::Popup(popup) => {
                if let Some(key) = item.key {
                    self.popup_menu_chosen(context, popup, key);
                }
            }
            Owner::List(pane) => {
                if let Some(key) = item.key {
                    self.list_key(context, pane, Some(id), key, None, true);
                }
            }
            Owner::Completion(seat) => self.completion_chosen(seat, &item.command),
        }
    }
}
