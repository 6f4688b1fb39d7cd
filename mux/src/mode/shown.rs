//! What a pane shows in the place of its program's screen: text, a list, or a clock.

use super::list::List;
use super::{Clock, Kind, Mode, Panes};
use term::{Size, Terminal};

/// One of the modes a pane is in.
#[derive(Debug)]
pub enum Shown {
    /// Text to read, search and copy.
    Text(Box<Mode>),
    /// A list to choose from.
    List(Box<List>),
    /// The time.
    Clock(Clock),
    /// The panes of a window.
    Panes(Box<Panes>),
}

impl From<Mode> for Shown {
    fn from(mode: Mode) -> Shown {
        Shown::Text(Box::new(mode))
    }
}

impl Shown {
    /// The mode's name, as `#{pane_mode}` shows it.
    pub fn name(&self) -> &'static str {
        match self {
            Shown::Text(mode) => mode.name(),
            Shown::List(list) => list.source().name,
            Shown::Clock(_) => "clock-mode",
            Shown::Panes(_) => "panes-mode",
        }
    }

    /// The text.
    pub fn text(&self) -> Option<&Mode> {
        match self {
            Shown::Text(mode) => Some(mode),
            _ => None,
        }
    }

    /// The text, to be changed.
    pub fn text_mut(&mut self) -> Option<&mut Mode> {
        match self {
            Shown::Text(mode) => Some(mode),
            _ => None,
        }
    }

    /// The list.
    pub fn list(&self) -> Option<&List> {
        match self {
            Shown::List(list) => Some(list),
            _ => None,
        }
    }

    /// The list, to be changed.
    pub fn list_mut(&mut self) -> Option<&mut List> {
        match self {
            Shown::List(list) => Some(list),
            _ => None,
        }
    }

    /// True for text of this kind.
    pub fn is(&self, kind: Kind) -> bool {
        self.text().is_some_and(|mode| mode.kind() == kind)
    }

    /// An empty page.
    pub fn view(size: Size) -> Shown {
        Mode::view(size).into()
    }

    /// The pane has another size.
    pub fn resized(&mut self, terminal: &Terminal) {
        match self {
            Shown::Text(mode) => mode.resized(terminal),
            Shown::List(list) => list.resized(terminal),
            Shown::Clock(_) | Shown::Panes(_) => {}
        }
    }

    /// The key table of the mode; the others take their keys themselves.
    pub fn key_table(&self, vi: bool) -> Option<&'static str> {
        self.text().map(|_| if vi { "copy-mode-vi" } else { "copy-mode" })
    }
}
