//! Lists to choose from in the place of a pane's screen: rows with children, the current one, tags, sort orders, search,
//! filter and a preview. What the rows are is a [`source::Source`]; how they look is drawing's work.
//!
//! Owns rows and where one is in them; knows the model only where a source makes its rows.

mod buffers;
mod clients;
mod conversations;
pub mod customize;
mod execute;
mod key;
mod motion;
mod mouse;
mod search;
mod source;
pub mod strip;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use conversations::{Reading, Scope, told, values};
pub(crate) use execute::Opening;
pub use key::Ask;
pub use source::{BUFFERS, CLIENTS, CONVERSATIONS, CUSTOMIZE, SOURCES, Source, TREE};

use crate::id::{ClientId, PaneId, SessionId};
use crate::target::Found;
use std::collections::HashMap;

/// What a row stands for; also what tells it apart from the others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Item {
    /// A session.
    Session(SessionId),
    /// A window by its index in a session.
    Window(SessionId, i32),
    /// A pane of the window at an index of a session.
    Pane(SessionId, i32, PaneId),
    /// A paste buffer.
    Buffer(String),
    /// A client.
    Client(ClientId),
    /// A conversation: engine and id.
    Conversation(String, String),
    /// An option, a variable or a binding.
    Setting(Box<customize::Setting>),
    /// A line that says something and can't be chosen.
    Note(u8),
}

/// Where a name stands in the column of names of its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Align {
    /// As wide as it is.
    #[default]
    None,
    /// At the right.
    Right,
}

/// A row as a source makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// What it stands for.
    pub item: Item,
    /// How deep below the top.
    pub depth: usize,
    /// Its name.
    pub name: String,
    /// What stands behind the name, with styles.
    pub text: Option<String>,
    /// Its children are shown at first.
    pub expanded: bool,
    /// Where the name stands.
    pub align: Align,
    /// The key that chooses it, given its line; a source with keys of its own sets the format.
    pub values: Vec<(String, String)>,
    /// Where the format of its key is expanded.
    pub place: Found,
}

/// A row.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What the source made.
    pub draft: Draft,
    /// The row it is below.
    pub parent: Option<usize>,
    /// It has rows below it.
    pub has_children: bool,
    /// None of its siblings has rows below it.
    pub flat: bool,
    /// It is the last of its siblings.
    pub last: bool,
    /// The rows below it are shown.
    pub expanded: bool,
    /// It is tagged.
    pub tagged: bool,
    /// The name of the key that chooses it.
    pub key: Option<String>,
}

/// How large the preview is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preview {
    /// There is none.
    Off,
    /// A third or a half of the pane.
    #[default]
    Normal,
    /// Most of the pane.
    Big,
}

/// By what rows are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The one used last first.
    Activity,
    /// By when they were made.
    Creation,
    /// By index.
    Index,
    /// By modifiers of keys.
    Modifier,
    /// By name.
    Name,
    /// As they are.
    Unsorted,
    /// By size.
    Size,
    /// The frontmost first.
    Depth,
}

/// The names of orders, as `-O` takes and the title shows them, and others that are taken.
const ORDERS: &[(Order, &str, &[&str])] = &[
    (Order::Activity, "activity", &[]),
    (Order::Creation, "creation", &[]),
    (Order::Index, "index", &["key"]),
    (Order::Modifier, "modifier", &[]),
    (Order::Name, "name", &["title"]),
    (Order::Unsorted, "order", &[]),
    (Order::Size, "size", &[]),
    (Order::Depth, "z", &[]),
];

impl Order {
    /// The order of this name.
    pub fn named(name: &str) -> Option<Order> {
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        ORDERS.iter().find(|(_, own, others)| is(own) || others.iter().any(|other| is(other))).map(|row| row.0)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        ORDERS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// Order and direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sorting {
    /// By what.
    pub order: Order,
    /// Backwards.
    pub reversed: bool,
}

impl Sorting {
    /// Sort by what the order compares, equal ones by name.
    fn sort<T>(self, items: &mut [T], compare: impl Fn(&T, &T) -> std::cmp::Ordering) {
        if self.order == Order::Unsorted {
            if self.reversed {
                items.reverse();
            }
            return;
        }
        items.sort_by(|a, b| if self.reversed { compare(a, b).reverse() } else { compare(a, b) });
    }
}

/// What a list is opened with, as its command's flags say.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Format of the rows.
    pub format: String,
    /// Format of the keys that choose rows; `#{line}` is the row's.
    pub key_format: String,
    /// What is run with the chosen row, `%%` standing for it.
    pub template: String,
    /// Only rows for which this format holds.
    pub filter: Option<String>,
    /// The order, and its direction.
    pub sorting: Sorting,
    /// How large the preview is.
    pub preview: Preview,
    /// Enter answers a question with yes.
    pub accepts: bool,
    /// Of a group of sessions only one is shown.
    pub squashes: bool,
    /// The pane that the list is in is not listed.
    pub hides_own: bool,
}

/// Every depth.
const ALL: usize = usize::MAX;

/// A list in a pane.
#[derive(Debug)]
pub struct List {
    source: &'static Source,
    settings: Settings,
    /// Where it was opened from.
    place: Found,
    /// The row to begin at; taken by the first making of rows.
    begins_at: Option<Item>,
    /// How deep rows are expanded at first.
    opened: usize,
    /// Rows in the order of the tree.
    rows: Vec<Row>,
    /// Those that are shown, by their place in `rows`.
    lines: Vec<usize>,
    /// The filter holds for no row, so that all are shown.
    no_matches: bool,
    current: usize,
    offset: usize,
    cols: usize,
    screen_rows: usize,
    /// Rows of the list; those below are the preview's.
    height: usize,
    search: Option<String>,
    searches_forward: bool,
    /// The window was zoomed for it.
    pub(crate) zoomed: bool,
    /// How far the panes of the preview are scrolled to the right.
    shift: i64,
    /// Settings that are left out.
    hidden: customize::Hidden,
    /// The model's count of visible changes when the rows were made.
    made_at: u64,
    /// Conversations, for their picker.
    pub(crate) found: Option<Box<conversations::Store>>,
}

impl List {
    /// A list without rows, as large as a pane.
    pub(crate) fn new(source: &'static Source, settings: Settings, place: Found, size: term::Size) -> List {
        List {
            source,
            settings,
            place,
            begins_at: None,
            opened: ALL,
            rows: Vec::new(),
            lines: Vec::new(),
            no_matches: false,
            current: 0,
            offset: 0,
            cols: usize::from(size.cols),
            screen_rows: usize::from(size.rows),
            height: 0,
            search: None,
            searches_forward: true,
            zoomed: false,
            shift: 0,
            hidden: customize::Hidden::default(),
            made_at: 0,
            found: None,
        }
    }

    /// What its rows are.
    pub fn source(&self) -> &'static Source {
        self.source
    }

    /// The rows that are shown, from the first one on the screen on.
    pub fn visible(&self) -> impl Iterator<Item = (usize, &Row)> {
        let last = (self.offset + self.height).min(self.lines.len());
        (self.offset.min(last)..last).map(|line| (line, &self.rows[self.lines[line]]))
    }

    /// The line of the current row.
    pub fn current(&self) -> usize {
        self.current
    }

    /// The line that is first on the screen.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The current row.
    pub fn current_row(&self) -> Option<&Row> {
        self.rows.get(*self.lines.get(self.current)?)
    }

    /// What stands on the box of the preview.
    pub fn title(&self) -> String {
        match (&self.found, self.current_row()) {
            (Some(store), _) => store.title(),
            (None, row) => row.map(|row| row.draft.name.clone()).unwrap_or_default(),
        }
    }

    /// Whether there is nothing to choose from yet.
    fn has_only_notes(&self) -> bool {
        self.rows.iter().all(|row| matches!(row.draft.item, Item::Note(_)))
    }

    /// A row stands for something else from now on.
    fn rename(&mut self, old: &Item, new: Item) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.draft.item == *old) {
            row.draft.item = new;
        }
    }

    pub(crate) fn current_item(&self) -> Option<&Item> {
        self.current_row().map(|row| &row.draft.item)
    }

    /// The items that are tagged.
    pub(crate) fn tagged(&self) -> Vec<Item> {
        self.lines.iter().map(|at| &self.rows[*at]).filter(|row| row.tagged).map(|row| row.draft.item.clone()).collect()
    }

    /// Rows of the screen that the list takes; the rest is the preview's.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Whether there is a preview.
    pub fn has_preview(&self) -> bool {
        self.settings.preview != Preview::Off
    }

    /// How the rows are sorted.
    pub fn sorting(&self) -> Sorting {
        self.settings.sorting
    }

    /// Whether a filter is set, and whether it holds for some row.
    pub fn filtered(&self) -> Option<bool> {
        self.settings.filter.as_ref().map(|_| !self.no_matches)
    }

    /// How far the panes of the preview are scrolled.
    pub fn shift(&self) -> i64 {
        self.shift
    }

    /// Columns of the keys, with the blank behind them; 0 when no row has one.
    pub fn key_columns(&self) -> usize {
        let keys = self.lines.iter().filter_map(|at| self.rows[*at].key.as_ref());
        keys.map(|key| key.len() + 3).max().unwrap_or(0)
    }

    /// Columns that the names of a depth take where they are aligned.
    pub fn name_columns(&self, depth: usize) -> usize {
        let rows = self.lines.iter().map(|at| &self.rows[*at]);
        let aligned = rows.filter(|row| row.draft.depth == depth && row.draft.align != Align::None);
        aligned.map(|row| row.draft.name.len()).max().unwrap_or(0)
    }

    /// The lines that lead to a row from the left, and the sign of its children: `│`, `├`, `└` and `─` are lines.
    pub fn branches(&self, row: &Row) -> String {
        let sign = match (row.flat, row.has_children, row.expanded) {
            (true, ..) => "",
            (_, false, _) => "  ",
            (.., true) => "- ",
            (.., false) => "+ ",
        };
        if row.draft.depth == 0 {
            return sign.to_owned();
        }
        let parent_is_last = row.parent.is_some_and(|at| self.rows[at].last);
        let across = if parent_is_last { "    " } else { "│   " };
        let joint = if row.last { "└─> " } else { "├─> " };
        format!("{}{joint}{sign}", across.repeat(row.draft.depth - 1))
    }

    /// Take the rows a source made. What was expanded and tagged stays so, and the current row stays current.
    pub(crate) fn set_rows(&mut self, drafts: Vec<Draft>, no_matches: bool) {
        self.no_matches = no_matches;
        let before: HashMap<Item, (bool, bool)> =
            self.rows.drain(..).map(|row| (row.draft.item, (row.expanded, row.tagged))).collect();
        let mut path: Vec<usize> = Vec::new();
        for draft in drafts {
            path.truncate(draft.depth);
            let parent = path.last().copied();
            let (expanded, tagged) = before.get(&draft.item).copied().unwrap_or((draft.expanded, false));
            let kept = parent.is_none_or(|at| self.rows[at].expanded);
            if let Some(at) = parent {
                self.rows[at].has_children = true;
            }
            path.push(self.rows.len());
            self.rows.push(Row {
                draft,
                parent,
                has_children: false,
                flat: true,
                last: false,
                expanded,
                tagged: tagged && kept,
                key: None,
            });
        }
        self.note_siblings();
        self.set_lines();
    }

    /// Which rows are the last of theirs, and which have siblings with children.
    fn note_siblings(&mut self) {
        let mut groups: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            groups.entry(row.parent).or_default().push(at);
        }
        for group in groups.into_values() {
            let flat = group.iter().all(|at| !self.rows[*at].has_children);
            group.iter().for_each(|at| self.rows[*at].flat = flat);
            if let Some(last) = group.last() {
                self.rows[*last].last = true;
            }
        }
    }

    /// Which rows are shown: those below no collapsed one.
    fn set_lines(&mut self) {
        let mut shown = vec![true; self.rows.len()];
        for (at, row) in self.rows.iter().enumerate() {
            shown[at] = row.parent.is_none_or(|parent| shown[parent] && self.rows[parent].expanded);
        }
        self.lines = (0..self.rows.len()).filter(|at| shown[*at]).collect();
    }

    /// Each shown row with its line, for their keys.
    pub(crate) fn set_keys(&mut self, mut key: impl FnMut(&Row, usize) -> Option<String>) {
        for line in 0..self.lines.len() {
            let at = self.lines[line];
            let name = key(&self.rows[at], line);
            self.rows[at].key = name;
        }
    }

    /// The pane has another size.
    pub(crate) fn resized(&mut self, terminal: &term::Terminal) {
        let size = terminal.size();
        (self.cols, self.screen_rows) = (usize::from(size.cols), usize::from(size.rows));
        self.fit();
        self.see_current();
    }

    /// Columns and rows of the pane.
    pub fn size(&self) -> (usize, usize) {
        (self.cols, self.screen_rows)
    }
}
