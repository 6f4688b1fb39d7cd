//! What a pane shows in the place of its program's screen: text, or a list.

use super::list::List;
use super::{Kind, Mode};
use term::{Size, Terminal};

/// One of the modes a pane is in.
#[derive(Debug)]
pub enum Shown {
    /// Text to read, search and copy.
    Text(Box<Mode>),
    /// A list to choose from.
    List(Box<List>),
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
        }
    }

    /// The text.
    pub fn text(&self) -> Option<&Mode> {
        match self {
            Shown::Text(mode) => Some(mode),
            Shown::List(_) => None,
        }
    }

    /// The text, to be changed.
    pub fn text_mut(&mut self) -> Option<&mut Mode> {
        match self {
            Shown::Text(mode) => Some(mode),
            Shown::List(_) => None,
        }
    }

    /// The list.
    pub fn list(&self) -> Option<&List> {
        match self {
            Shown::List(list) => Some(list),
            Shown::Text(_) => None,
        }
    }

    /// The list, to be changed.
    pub fn list_mut(&mut self) -> Option<&mut List> {
        match self {
            Shown::List(list) => Some(list),
            Shown::Text(_) => None,
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
        }
    }

    /// The key table of the mode; a list takes its keys itself.
    pub fn key_table(&self, vi: bool) -> Option<&'static str> {
        self.text().map(|_| if vi { "copy-mode-vi" } else { "copy-mode" })
    }
}
