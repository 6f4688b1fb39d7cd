//! What a format may ask: variables, options, lists to loop over. The model answers; nothing here knows it.

use super::clock::Local;
use super::settings::TerminalFact;
use crate::style::Depth;
use std::borrow::Cow;

/// By what a loop is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As the model keeps them (windows by index, clients as they came).
    #[default]
    Natural,
    /// By index or id.
    Index,
    /// By name.
    Name,
    /// The one last used first.
    Activity,
    /// The oldest first.
    Creation,
    /// From front to back: floating panes first.
    Stacking,
}

/// How a loop is sorted. Equal ones go by name; `reversed` turns the whole list around.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sort {
    /// By what.
    pub order: Order,
    /// Backwards.
    pub reversed: bool,
}

/// One turn of a loop.
pub struct Item<'a> {
    /// What the template is expanded over.
    pub scope: Box<dyn Scope + 'a>,
    /// It is the current one: the client's session, the session's current window, the window's active pane.
    pub active: bool,
}

/// What a loop over something other than places has in one turn: values by name.
pub type Row = Vec<(&'static str, String)>;

/// The place a format is expanded at.
pub trait Scope {
    /// The value of an option as it shows, with index if `name` has one (`status-format[1]`): server, pane, window and
    /// session options, with what they inherit.
    fn option(&self, name: &str) -> Option<Cow<'_, str>>;
    /// The value of a format variable; `None` when it has none here. Times are whole seconds since 1970.
    fn variable(&self, name: &str) -> Option<Cow<'_, str>>;
    /// The value of an environment variable of the session or the server.
    fn environment(&self, name: &str) -> Option<Cow<'_, str>>;
    /// All sessions.
    fn sessions(&self, sort: Sort) -> Vec<Item<'_>>;
    /// The windows of the session; `None` without a session. Where one stands beside the others is added by the loop.
    fn windows(&self, sort: Sort) -> Option<Vec<Item<'_>>>;
    /// The panes of the window; `None` without a window.
    fn panes(&self, sort: Sort) -> Option<Vec<Item<'_>>>;
    /// All attached clients.
    fn clients(&self, sort: Sort) -> Vec<Item<'_>>;
    /// True when a session has that name.
    fn has_session(&self, name: &str) -> bool;
    /// True when a window of the session has that name; `None` without a session.
    fn has_window(&self, name: &str) -> Option<bool>;
    /// The line (from 1) on which the pane shows the text or regex, 0 for none; `None` without a pane.
    fn search(&self, pattern: &str, regex: bool, ignore_case: bool) -> Option<u32>;
    /// The last output of `#(command)`; `expanded` is the command to run. Empty where jobs may not run.
    fn job(&self, command: &str, expanded: &str) -> String;
    /// The options that `O:` loops over, each with its values; by its argument.
    fn options(&self, _of: &str) -> Vec<Row> {
        Vec::new()
    }
    /// The variables that `V:` loops over.
    fn variables(&self, _of: &str) -> Vec<Row> {
        Vec::new()
    }
    /// What is known of the terminal of the client; `None` without one.
    fn terminal(&self, _fact: TerminalFact, _name: &str) -> Option<Cow<'_, str>> {
        None
    }
    /// How many colours the terminal of the client has; all without one.
    fn colours(&self) -> Depth {
        Depth::default()
    }
    /// In what is drawn again and again: the number of the period of animations that it is now. With `moves` it is
    /// drawn again in the next one.
    fn animate(&self, _moves: bool) -> Option<u64> {
        None
    }
    /// Seconds since 1970, now.
    fn now(&self) -> i64;
    /// A time in the server's time zone.
    fn local(&self, unix: i64) -> Local;
}

/// A scope in which nothing is defined.
pub struct NoScope;

impl Scope for NoScope {
    fn option(&self, _: &str) -> Option<Cow<'_, str>> {
        None
    }
    fn variable(&self, _: &str) -> Option<Cow<'_, str>> {
        None
    }
    fn environment(&self, _: &str) -> Option<Cow<'_, str>> {
        None
    }
    fn sessions(&self, _: Sort) -> Vec<Item<'_>> {
        Vec::new()
    }
    fn windows(&self, _: Sort) -> Option<Vec<Item<'_>>> {
        None
    }
    fn panes(&self, _: Sort) -> Option<Vec<Item<'_>>> {
        None
    }
    fn clients(&self, _: Sort) -> Vec<Item<'_>> {
        Vec::new()
    }
    fn has_session(&self, _: &str) -> bool {
        false
    }
    fn has_window(&self, _: &str) -> Option<bool> {
        None
    }
    fn search(&self, _: &str, _: bool, _: bool) -> Option<u32> {
        None
    }
    fn job(&self, _: &str, _: &str) -> String {
        String::new()
    }
    fn now(&self) -> i64 {
        0
    }
    fn local(&self, unix: i64) -> Local {
        Local::utc(unix)
    }
}
