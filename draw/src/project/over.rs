//! What lies over a client's screen, from the model's to the scene's.

use super::style::{Stage, colour, runs};
use super::{client, list};
use crate::overlay::{ListItem, ListView, Menu, MenuItem, Numbers, Overlay, Popup};
use crate::run::Run;
use crate::scene::Lines;
use mux::client::Overlay as Model;
use mux::style::{Colour, Look, Markup};
use mux::{Mux, PaneId};
use term::frame::{CursorLook, Frame, Rect};
use term::size::Size;
use term::style::Style;

/// What lies over everything.
#[derive(Debug)]
pub(super) enum Over {
    Menu(MenuOver),
    Popup(PopupOver),
    Numbers(Numbers),
    Text { lines: Vec<String>, top: usize },
    Help(Box<(Frame, Rect)>),
}

/// A menu, and whether it wants to hear of every move of the mouse.
#[derive(Debug)]
pub(super) struct MenuOver {
    menu: Menu,
    mouse: bool,
}

/// What of a popup stays while its program writes.
#[derive(Debug)]
pub(super) struct PopupOver {
    id: PaneId,
    rect: Rect,
    title: Vec<Run>,
    lines: Lines,
    border: Style,
    defaults: Style,
    menu: Option<MenuOver>,
}

impl PopupOver {
    /// How the cursor of its program looks.
    pub(super) fn cursor_look(&self, mux: &Mux) -> CursorLook {
        let terminal = mux.popups.get(&self.id).map(|popup| &*popup.terminal);
        terminal.map_or_else(CursorLook::default, |terminal| client::terminal_cursor(terminal, CursorLook::default()).1)
    }
}

/// The lines of a box by the name that the options give them.
fn lines_named(name: &str) -> Lines {
    match name {
        "double" => Lines::Double,
        "heavy" => Lines::Heavy,
        "simple" => Lines::Simple,
        "rounded" => Lines::Rounded,
        "padded" => Lines::Padded,
        "none" => Lines::None,
        _ => Lines::Single,
    }
}

/// A style option of the window that a client shows, with colours over it that were given in its place.
fn look(stage: &Stage<'_>, option: &str, given: Option<&str>) -> Look {
    let mut look = stage.markup(&stage.window_text(option), None).look;
    let given = given.and_then(|given| Markup::parse(given).ok()).map(|given| given.look).unwrap_or_default();
    for (part, colour) in [(&mut look.fg, given.fg), (&mut look.bg, given.bg)] {
        if colour != Colour::Default {
            *part = colour;
        }
    }
    look
}

impl Over {
    pub(super) fn new(stage: &Stage<'_>, overlay: &Model) -> Option<Over> {
        Some(match overlay {
            Model::Menu(menu) => Over::Menu(menu_over(stage, menu)),
            Model::Popup(id) => Over::Popup(popup_over(stage, *id)?),
            Model::PaneNumbers(_) => Over::Numbers(Numbers {
                colour: colour(&stage.text("display-panes-colour")),
                active_colour: colour(&stage.text("display-panes-active-colour")),
            }),
            Model::Text { lines, top } => Over::Text { lines: lines.clone(), top: *top },
            Model::Help { lines, columns } => Over::help(stage, lines, *columns),
        })
    }

    /// The keys of a list in a box in the middle of the client.
    fn help(stage: &Stage<'_>, lines: &[(String, String)], columns: u16) -> Over {
        let size = stage.mux.clients.get(&stage.client).and_then(|client| client.size).unwrap_or_default();
        let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let rect = Rect {
            x: size.0.saturating_sub(columns) / 2,
            y: size.1.saturating_sub(rows) / 2,
            cols: columns,
            rows: rows.saturating_add(2).min(size.1),
        };
        Over::Help(Box::new((list::help(lines, columns.saturating_sub(2)), rect)))
    }

    /// The same for the scene, the frontmost last.
    pub(super) fn overlays<'a>(&'a self, mux: &'a Mux, size: Size) -> Vec<Overlay<'a>> {
        let menu = |menu: &MenuOver| Overlay::Menu(menu.menu.clone());
        match self {
            Over::Menu(over) => vec![menu(over)],
            Over::Popup(over) => {
                let Some(popup) = mux.popups.get(&over.id) else { return Vec::new() };
                let shown = Overlay::Popup(Popup {
                    rect: over.rect,
                    title: over.title.clone(),
                    lines: over.lines,
                    border: over.border,
                    defaults: over.defaults,
                    rows: &*popup.terminal,
                    cursor: client::terminal_cursor(&popup.terminal, CursorLook::default()).0,
                });
                [Some(shown), over.menu.as_ref().map(menu)].into_iter().flatten().collect()
            }
            Over::Numbers(numbers) => vec![Overlay::Numbers(*numbers)],
            Over::Help(help) => vec![help_box(help)],
            Over::Text { lines, top } => vec![page(lines, *top, size)],
        }
    }

    /// The screen whose program the mouse belongs to: that of a popup without a menu over it.
    pub(super) fn popup(&self) -> Option<PaneId> {
        match self {
            Over::Popup(over) if over.menu.is_none() => Some(over.id),
            _ => None,
        }
    }

    /// Every move of the mouse counts in it.
    pub(super) fn wants_moves(&self) -> bool {
        match self {
            Over::Menu(menu) => menu.mouse,
            Over::Popup(popup) => popup.menu.is_some(),
            _ => false,
        }
    }
}

fn help_box(help: &(Frame, Rect)) -> Overlay<'_> {
    Overlay::Popup(Popup {
        rect: help.1,
        title: Vec::new(),
        lines: Lines::Single,
        border: Style::default(),
        defaults: Style::default(),
        rows: &help.0,
        cursor: None,
    })
}

fn page(lines: &[String], top: usize, size: Size) -> Overlay<'_> {
    let item =
        |line: &String| ListItem { runs: vec![Run::new(line.as_str(), Style::default())], chosen_runs: Vec::new() };
    Overlay::List(ListView {
        rect: Rect { x: 0, y: 0, cols: size.cols, rows: size.rows.saturating_sub(1) },
        items: lines.iter().skip(top).take(usize::from(size.rows)).map(item).collect(),
        top: 0,
        selected: usize::MAX,
        selected_style: Style::default(),
        preview: None,
    })
}

fn menu_over(stage: &Stage<'_>, menu: &mux::overlay::Menu) -> MenuOver {
    let given = &menu.look;
    let style = look(stage, "menu-style", given.style.as_deref());
    let selected = look(stage, "menu-selected-style", given.selected.as_deref());
    let border = look(stage, "menu-border-style", given.border.as_deref());
    let lines = given.lines.clone().unwrap_or_else(|| stage.window_text("menu-border-lines"));
    let items = menu.items.iter().enumerate().map(|(at, item)| {
        let is_chosen = menu.choice == Some(at) && !item.is_disabled();
        menu_item(item, if is_chosen { selected } else { style })
    });
    let shown = Menu {
        at: menu.at,
        title: runs(&menu.title, border),
        items: items.collect(),
        width: menu.width,
        choice: menu.choice,
        lines: lines_named(&lines),
        style: style.of_cell(),
        border: border.of_cell(),
        selected: selected.of_cell(),
    };
    MenuOver { menu: shown, mouse: menu.mouse }
}

fn menu_item(item: &mux::overlay::MenuItem, look: Look) -> MenuItem {
    if item.is_line() {
        return MenuItem::Line;
    }
    let runs = runs(item.text.strip_prefix('-').unwrap_or(&item.text), look);
    MenuItem::Item { runs, disabled: item.is_disabled() }
}

fn popup_over(stage: &Stage<'_>, id: PaneId) -> Option<PopupOver> {
    let popup = stage.mux.popups.get(&id)?;
    let style = look(stage, "popup-style", popup.style.as_deref());
    let border = look(stage, "popup-border-style", popup.border_style.as_deref());
    let plain = |look: Look| Look { fg: look.fg, bg: look.bg, ..Look::default() };
    let mut defaults = plain(style).of_cell();
    let own = [popup.terminal.default_fg(), popup.terminal.default_bg()];
    for (part, own) in [&mut defaults.fg, &mut defaults.bg].into_iter().zip(own) {
        if let Some(own) = own.filter(|_| part.is_default()) {
            *part = own;
        }
    }
    Some(PopupOver {
        id,
        rect: Rect { x: popup.at.0, y: popup.at.1, cols: popup.size.0, rows: popup.size.1 },
        title: runs(&popup.title, plain(border)),
        lines: lines_named(&popup.lines),
        border: plain(border).of_cell(),
        defaults,
        menu: popup.menu.as_ref().map(|menu| menu_over(stage, menu)),
    })
}
