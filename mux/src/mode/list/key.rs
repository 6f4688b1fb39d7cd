//! The keys that every list has.

use super::List;

/// A question that a list asks in the status line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ask {
    /// What to search for.
    Search,
    /// Which rows to show.
    Filter,
    /// A command to run with each tagged row.
    Command,
    /// Whether to end the current row.
    KillCurrent,
    /// Whether to end the tagged rows.
    KillTagged,
    /// What a setting shall be.
    Change(Box<super::customize::Change>),
}

/// What is left to do after a key.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// Nothing more.
    Stay,
    /// The rows are made anew.
    Build,
    /// The list ends.
    End,
    /// The current row is chosen.
    Choose,
    /// A search goes on.
    Search,
    /// Something is asked.
    Ask(Ask),
    /// The keys are shown.
    Help,
    /// The current row changes places with another.
    Swap(super::Item),
    /// It is a key of the source, if it is any.
    Other,
}

/// What a key does.
enum Act {
    /// It changes where one is.
    Go(fn(&mut List)),
    /// It changes what rows there are.
    Change(fn(&mut List)),
    /// Something else.
    Step(fn(&mut List) -> Step),
}

use Act::{Change, Go};

fn swap(list: &List, forward: bool) -> Step {
    match list.sibling(forward).filter(|_| list.source.swap.is_some()) {
        Some(other) => Step::Swap(other),
        None => Step::Stay,
    }
}

fn search(list: &mut List, forward: bool) -> Step {
    list.set_direction(forward);
    Step::Search
}

/// The keys.
static KEYS: &[(&[&str], Act)] = &[
    (&["q", "Escape", "C-[", "C-g"], Act::Step(|_| Step::End)),
    (&["Enter", "C-m"], Act::Step(|_| Step::Choose)),
    (&["F1", "C-h"], Act::Step(|_| Step::Help)),
    (&["Up", "k", "C-p", "WheelUpPane"], Go(|list| list.up(true))),
    (
        &["Down", "j", "C-n", "WheelDownPane"],
        Go(|list| {
            list.down(true);
        }),
    ),
    (&["S-Up", "K"], Act::Step(|list| swap(list, false))),
    (&["S-Down", "J"], Act::Step(|list| swap(list, true))),
    (&["PPage", "C-b"], Go(|list| list.page_up())),
    (&["NPage", "C-f"], Go(|list| list.page_down())),
    (&["g", "Home"], Go(|list| list.top())),
    (&["G", "End"], Go(|list| list.bottom())),
    (&["t"], Go(|list| list.toggle_tag())),
    (&["T"], Go(|list| list.untag_all())),
    (&["C-t"], Go(|list| list.tag_all())),
    (&["O"], Change(|list| list.next_order())),
    (&["r"], Change(|list| list.reverse())),
    (&["Left", "h", "-"], Change(|list| list.collapse())),
    (&["Right", "l", "+"], Change(|list| list.expand())),
    (&["M--"], Change(|list| list.expand_all(false))),
    (&["M-+"], Change(|list| list.expand_all(true))),
    (
        &["?", "/", "C-s"],
        Act::Step(|list| {
            list.set_direction(true);
            Step::Ask(Ask::Search)
        }),
    ),
    (&["n"], Act::Step(|list| search(list, true))),
    (&["N"], Act::Step(|list| search(list, false))),
    (&["f"], Act::Step(|_| Step::Ask(Ask::Filter))),
    (&["c"], Change(|list| list.settings.filter = None)),
    (&["v"], Change(|list| list.next_preview())),
];

/// What the help says of them, `%1` standing for what a row is.
pub(super) static HELP: &[(&str, &str)] = &[
    ("Up, k", "Move cursor up"),
    ("Down, j", "Move cursor down"),
    ("g", "Go to top"),
    ("G", "Go to bottom"),
    ("PPage, C-b", "Page up"),
    ("NPage, C-f", "Page down"),
    ("Left, h", "Collapse %1"),
    ("Right, l", "Expand %1"),
    ("M--", "Collapse all %1s"),
    ("M-+", "Expand all %1s"),
    ("t", "Toggle %1 tag"),
    ("T", "Untag all %1s"),
    ("C-t", "Tag all %1s"),
    ("C-s", "Search forward"),
    ("n", "Repeat search forward"),
    ("N", "Repeat search backward"),
    ("f", "Filter %1s"),
    ("O", "Change sort order"),
    ("r", "Reverse sort order"),
    ("v", "Toggle preview"),
];

/// The last line of the help.
pub(super) const HELP_END: (&str, &str) = ("q, Escape", "Exit mode");

impl List {
    /// A key by its name: one that chooses a row, or one that every list has. Tagging goes on to the next row when it was
    /// `typed` at a terminal.
    pub(super) fn key(&mut self, name: &str, typed: bool) -> Step {
        if let Some(line) = self.line_of_key(name) {
            self.go_to_line(line);
            return Step::Choose;
        }
        let Some((_, act)) = KEYS.iter().find(|(names, _)| names.contains(&name)) else { return Step::Other };
        let step = match act {
            Go(act) => {
                act(self);
                Step::Stay
            }
            Change(act) => {
                act(self);
                Step::Build
            }
            Act::Step(act) => act(self),
        };
        if name == "t" && typed {
            self.down(false);
        }
        step
    }
}
