//! What a list can be of: a row each, which says how rows are made and what keys do beside those of every list.

use super::{Draft, Item, List, Order, Sorting, buffers, clients, conversations, customize, search, tree};
use crate::Mux;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::queue::Context;
use crate::target::Found;
use crate::world::World;

/// Lets two rows of a list change places.
type Swap = fn(&mut Mux, &Item, &Item, Sorting) -> bool;

/// A kind of list.
pub struct Source {
    /// The name of the mode.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Format of the rows, unless another is given.
    pub format: &'static str,
    /// What is run with the chosen row, unless something else is given; nothing where Enter is a key of the source.
    pub template: &'static str,
    /// Orders that rows can be in, the first one at first.
    pub orders: &'static [Order],
    /// What a row is.
    pub item: &'static str,
    /// Keys of its own, and what the help says of them.
    pub help: &'static [(&'static str, &'static str)],
    /// The menu of a row: names and keys, an empty name being a line.
    pub(super) menu: super::mouse::MenuRows,
    /// Columns of the help at least.
    pub help_columns: u16,
    /// Rows of the preview, when they are always the same.
    pub preview_rows: Option<usize>,
    pub(super) make: fn(&Making<'_>) -> Vec<Draft>,
    /// What stands for a row in the template; `None` when it can't be chosen.
    pub(super) target: fn(&Mux, &Item) -> Option<String>,
    /// Whether a search finds a row.
    pub(super) matches: fn(&Making<'_>, &Item, name: &str, text: &str, ignore_case: bool) -> bool,
    /// A key of its own. True when the list is to end.
    pub(super) key: fn(&mut Mux, &mut Context<'_>, At, key: &str) -> bool,
    /// Let two rows change places; false when they can't.
    pub(super) swap: Option<Swap>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        self.name == other.name
    }
}

/// A list on the screen of somebody: its pane, and who typed.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) pane: PaneId,
    pub(super) client: Option<ClientId>,
}

/// The format of keys unless another is given: digits, then letters with Meta.
pub(super) const KEY_FORMAT: &str =
    "#{?#{e|<:#{line},10},#{line},#{e|<:#{line},36},M-#{a:#{e|+:97,#{e|-:#{line},10}}}}";

/// All kinds.
pub static SOURCES: &[&Source] = &[&BUFFERS, &CLIENTS, &CUSTOMIZE, &CONVERSATIONS, &TREE];

/// Paste buffers.
pub static BUFFERS: Source = Source {
    name: "buffer-mode",
    about: "Paste buffers",
    format: "#{t/p:buffer_created}: #{buffer_sample}",
    template: "paste-buffer -p -b '%%'",
    orders: &[Order::Creation, Order::Name, Order::Size],
    item: "buffer",
    help: &[
        ("Enter", "Paste selected %1"),
        ("p", "Paste selected %1"),
        ("P", "Paste tagged %1s"),
        ("d", "Delete selected %1"),
        ("D", "Delete tagged %1s"),
        ("e", "Open %1 in editor"),
        ("f", "Enter a filter"),
    ],
    menu: &[
        ("Paste", "p"),
        ("Paste Tagged", "P"),
        ("", ""),
        ("Tag", "t"),
        ("Tag All", "C-t"),
        ("Tag None", "T"),
        ("", ""),
        ("Delete", "d"),
        ("Delete Tagged", "D"),
        ("", ""),
        ("Cancel", "q"),
    ],
    help_columns: 0,
    preview_rows: None,
    make: buffers::make,
    target: buffers::target,
    matches: buffers::matches,
    key: buffers::key,
    swap: None,
};

/// Clients.
pub static CLIENTS: Source = Source {
    name: "client-mode",
    about: "Clients",
    format: "#{t/p:client_activity}: session #{session_name}",
    template: "detach-client -t '%%'",
    orders: &[Order::Name, Order::Size, Order::Creation, Order::Activity],
    item: "client",
    help: &[
        ("Enter", "Choose selected %1"),
        ("d", "Detach selected %1"),
        ("D", "Detach tagged %1s"),
        ("x", "Detach selected %1"),
        ("X", "Detach tagged %1s"),
        ("z", "Suspend selected %1"),
        ("Z", "Suspend tagged %1s"),
        ("f", "Enter a filter"),
    ],
    menu: &[
        ("Detach", "d"),
        ("Detach Tagged", "D"),
        ("", ""),
        ("Tag", "t"),
        ("Tag All", "C-t"),
        ("Tag None", "T"),
        ("", ""),
        ("Cancel", "q"),
    ],
    help_columns: 0,
    preview_rows: None,
    make: clients::make,
    target: clients::target,
    matches: by_name,
    key: clients::key,
    swap: None,
};

/// Conversations of engines.
pub static CONVERSATIONS: Source = Source {
    name: "resume-mode",
    about: "Conversations to resume",
    // A text of somebody else's may look like a style.
    format: "#{p9:conversation_engine} #{q/h:conversation_title}#[align=right]#{?conversation_pane, #[fg=green]in #{conversation_pane}#[default],} #{conversation_messages}#{?conversation_more,+,} ",
    template: "resume-conversation '%%'",
    orders: &[Order::Activity, Order::Name, Order::Size],
    item: "conversation",
    help: &[
        ("Enter", "Open it in a new window, or go to its pane"),
        ("a", "All directories, or only this one"),
        ("f", "Enter a filter"),
    ],
    menu: &[("Choose", "Enter"), ("", ""), ("Cancel", "q")],
    help_columns: 57,
    preview_rows: None,
    make: conversations::make,
    target: conversations::target,
    matches: conversations::matches,
    key: conversations::key,
    swap: None,
};

/// Options, hooks, environments and key bindings.
pub static CUSTOMIZE: Source = Source {
    name: "options-mode",
    about: "Options and key bindings",
    format: customize::FORMAT,
    template: "",
    orders: &[],
    item: "option",
    help: &[
        ("Enter, s", "Set %1 value"),
        ("S", "Set global %1 value"),
        ("w", "Set window %1 value"),
        ("d", "Set to default value"),
        ("D", "Set tagged %1s to default value"),
        ("u", "Unset an %1"),
        ("U", "Unset tagged %1s"),
        ("a", "Change the key of an item"),
        ("e", "Open %1 value in editor"),
        ("f", "Enter a filter"),
        ("H", "Hide or show global %1s"),
        ("C", "Only what was changed, or all"),
        ("v", "Toggle information"),
    ],
    menu: &[
        ("Select", "Enter"),
        ("Expand", "Right"),
        ("", ""),
        ("Tag", "t"),
        ("Tag All", "C-t"),
        ("Tag None", "T"),
        ("", ""),
        ("Cancel", "q"),
    ],
    help_columns: 52,
    preview_rows: Some(12),
    make: customize::make,
    target: |_, _| None,
    matches: by_name,
    key: customize::key,
    swap: None,
};

/// Sessions, windows and panes.
pub static TREE: Source = Source {
    name: "tree-mode",
    about: "Sessions, windows and panes",
    format: tree::FORMAT,
    template: "switch-client -Zt '%%'",
    orders: &[Order::Index, Order::Name, Order::Activity, Order::Depth],
    item: "item",
    help: &[
        ("Enter", "Choose selected item"),
        ("S-Up", "Swap current and previous window"),
        ("S-Down", "Swap current and next window"),
        ("x", "Kill selected item"),
        ("X", "Kill tagged items"),
        ("<", "Scroll previews left"),
        (">", "Scroll previews right"),
        ("m", "Set the marked pane"),
        ("M", "Clear the marked pane"),
        (":", "Run a command for each tagged item"),
        ("f", "Enter a format"),
        ("H", "Jump to the starting pane"),
    ],
    menu: &[
        ("Select", "Enter"),
        ("Expand", "Right"),
        ("Mark", "m"),
        ("", ""),
        ("Tag", "t"),
        ("Tag All", "C-t"),
        ("Tag None", "T"),
        ("", ""),
        ("Kill", "x"),
        ("Kill Tagged", "X"),
        ("", ""),
        ("Cancel", "q"),
    ],
    help_columns: 51,
    preview_rows: None,
    make: tree::make,
    target: tree::target,
    matches: tree::matches,
    key: tree::key,
    swap: Some(tree::swap),
};

/// What rows are made of.
pub(super) struct Making<'a> {
    pub(super) mux: &'a Mux,
    pub(super) world: &'a dyn World,
    pub(super) now: Now,
    pub(super) list: &'a List,
    /// The pane that shows the list.
    pub(super) pane: PaneId,
    pub(super) filter: Option<&'a str>,
}

impl Making<'_> {
    /// A format at a place.
    pub(super) fn expand(
        &self,
        client: Option<ClientId>,
        found: Found,
        text: &str,
        extra: &[(String, String)],
    ) -> String {
        self.mux.expand_at(client, found, text, extra, self.world, self.now)
    }

    /// The format of the rows at a place.
    pub(super) fn text(&self, client: Option<ClientId>, found: Found, extra: &[(String, String)]) -> String {
        self.expand(client, found, &self.list.settings.format, extra)
    }

    /// Whether the filter holds at a place.
    pub(super) fn passes(&self, client: Option<ClientId>, found: Found, extra: &[(String, String)]) -> bool {
        let Some(filter) = self.filter else { return true };
        crate::format::is_true(&self.expand(client, found, filter, extra))
    }
}

/// A search by the names of rows.
pub(super) fn by_name(_: &Making<'_>, _: &Item, name: &str, text: &str, ignore_case: bool) -> bool {
    search::holds(name, text, ignore_case)
}

/// The lines of the help of a list: key, and what it does.
pub(crate) fn help(source: &Source) -> Vec<(String, String)> {
    let rows = super::key::HELP.iter().chain(source.help).chain([&super::key::HELP_END]);
    rows.map(|(key, about)| ((*key).to_owned(), about.replace("%1", source.item))).collect()
}

/// Columns of the help.
pub(crate) fn help_columns(source: &Source) -> u16 {
    const LEAST: u16 = 39;
    source.help_columns.max(LEAST)
}
