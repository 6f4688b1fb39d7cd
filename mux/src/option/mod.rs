//! Options: what there is ([`table`]), what a value may be ([`value`]), and the values of one owner ([`store`]).
//!
//! Never imports the model. Keys, colours, styles and commands are checked by the caller through [`Checks`] and kept as
//! the text in which they are shown.

pub mod chain;
pub mod escape;
pub mod items;
pub mod show;
pub mod store;
pub mod table;
pub mod value;

pub use items::{ItemKey, Items};
pub use show::{Listing, Owner, Show, Shown};
pub use store::{OptionName, OptionStore, Set, lookup, named, resolve};
pub use table::{OPTIONS, find};
pub use value::{Checks, OptionError, OptionValue, Unchecked};

/// As which program it was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Face {
    /// As `tmux`: everything as in tmux 3.7c.
    #[default]
    Tmux,
    /// As `rove`.
    Rove,
}

/// Who can own an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The server.
    Server,
    /// Sessions.
    Session,
    /// Windows.
    Window,
    /// Windows and, with -p, panes.
    WindowOrPane,
}

/// What kind of value an option has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// A text that must be a style, unless it has a format in it.
    Style,
    /// A number in a range, both ends included.
    Number {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// On or off.
    Flag,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A colour.
    Colour,
    /// A key.
    Key,
    /// Commands.
    Command,
}

/// The value of an option before anybody has set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The text of a single value.
    Value(&'static str),
    /// The items of an array.
    Items(&'static [&'static str]),
    /// The items of an array, as set-option takes them.
    Split(&'static str),
}

/// A row of the table of options.
#[derive(Debug, Clone, Copy)]
pub struct OptionDef {
    /// Its name.
    pub name: &'static str,
    /// Who can own it.
    pub scope: Scope,
    /// Its kind; of an array that of each item.
    pub kind: Kind,
    /// The value before anybody has set it.
    pub start: Start,
    /// The same when called as rove, where it differs.
    pub rove_start: Option<&'static str>,
    /// What stands between the items of an array, or between the old and the added text (-a). An array without one is
    /// split at blanks and commas, with an empty one not at all.
    pub separator: Option<&'static str>,
    /// Glob that the value must match.
    pub pattern: Option<&'static str>,
    /// Unit of the number.
    pub unit: &'static str,
    /// It has many values by index.
    pub array: bool,
    /// It is a hook.
    pub hook: bool,
    /// tmux does not have it.
    pub rove: bool,
    /// Panes own it only since tmux 3.8: a pane's list has it when it is set there.
    pub unlisted_for_panes: bool,
    /// tmux has it after 3.7: it is there and in no list.
    pub since_main: bool,
    /// What it is for.
    pub about: &'static str,
}

#[cfg(test)]
mod effects;
#[cfg(test)]
mod tests;
