//! The format variables of copy mode.

use super::Mode;
use super::selection::Unit;

/// A variable: its name, what it says, and its value, `None` where it has none.
struct Variable {
    name: &'static str,
    about: &'static str,
    get: fn(&Mode) -> Option<String>,
}

const fn variable(name: &'static str, about: &'static str, get: fn(&Mode) -> Option<String>) -> Variable {
    Variable { name, about, get }
}

fn flag(on: bool) -> Option<String> {
    Some(u8::from(on).to_string())
}

fn number(n: usize) -> Option<String> {
    Some(n.to_string())
}

fn selected(mode: &Mode, n: usize) -> Option<String> {
    if mode.selection.present { number(n) } else { None }
}

/// The variables, by name.
static VARIABLES: &[Variable] = &[
    variable("copy_cursor_hyperlink", "Target of the link under the cursor", |mode| {
        let (x, row) = mode.place();
        mode.page.link((x.min(mode.page.cols() - 1), row))
    }),
    variable("copy_cursor_line", "Line the cursor is on", |mode| Some(mode.page.text(mode.row()))),
    variable("copy_cursor_word", "Word under the cursor", |mode| {
        Some(mode.page.word(mode.place(), &mode.settings.separators))
    }),
    variable("copy_cursor_x", "Column of the cursor", |mode| number(mode.x)),
    variable("copy_cursor_y", "Row of the cursor", |mode| number(mode.y)),
    variable("copy_position", "Position that is shown", |mode| {
        number(if mode.line_numbers().is_absolute() { mode.top() + 1 } else { mode.offset })
    }),
    variable("copy_position_limit", "Highest position that is shown", |mode| {
        let history = mode.page.history();
        number(if mode.line_numbers().is_absolute() { history + mode.page.rows() } else { history })
    }),
    variable("rectangle_toggle", "1 when a rectangle is selected", |mode| flag(mode.selection.rectangle)),
    variable("scroll_position", "Rows scrolled back", |mode| number(mode.offset)),
    variable("search_count", "Matches found", |mode| mode.search.count.and_then(number)),
    variable("search_count_partial", "1 when there are more matches", |mode| {
        mode.search.count.and_then(|_| flag(mode.search.more))
    }),
    variable("search_match", "Match under the cursor", Mode::match_at_cursor),
    variable("search_present", "1 when matches are marked", |mode| flag(mode.search.marks.is_some())),
    variable("search_timed_out", "1 when a search took too long; searches here end by their extent", |_| flag(false)),
    variable("selection_active", "1 when the selection follows the cursor", |mode| flag(mode.is_selecting())),
    variable("selection_end_x", "Column of the selection's end", |mode| selected(mode, mode.selection.end.0)),
    variable("selection_end_y", "Row of the selection's end, the oldest being 0", |mode| {
        selected(mode, mode.selection.end.1)
    }),
    variable("selection_mode", "What the selection grows by", |mode| {
        let unit = match mode.selection.unit {
            Unit::Character => "char",
            Unit::Word => "word",
            Unit::Line => "line",
        };
        Some(unit.to_owned())
    }),
    variable("selection_present", "1 when something is selected", |mode| {
        flag(mode.selection.present && mode.selection.start != mode.selection.end)
    }),
    variable("selection_start_x", "Column of the selection's start", |mode| selected(mode, mode.selection.start.0)),
    variable("selection_start_y", "Row of the selection's start, the oldest being 0", |mode| {
        selected(mode, mode.selection.start.1)
    }),
    variable("top_line_time", "Time of the top row; rows keep none", |_| number(0)),
];

impl Mode {
    /// The value of a format variable; `None` when the mode does not have one of the name, or it has no value now.
    pub fn variable(&self, name: &str) -> Option<String> {
        let at = VARIABLES.binary_search_by(|variable| variable.name.cmp(name)).ok()?;
        (VARIABLES[at].get)(self)
    }

    /// The names of the variables and what they say.
    pub fn variables() -> impl Iterator<Item = (&'static str, &'static str)> {
        VARIABLES.iter().map(|variable| (variable.name, variable.about))
    }

    /// The word at a cell of the screen (`#{mouse_word}`).
    pub fn word_at(&self, column: u16, row: u16) -> String {
        self.page.word((column.into(), self.top() + usize::from(row)), &self.settings.separators)
    }

    /// The line at a row of the screen (`#{mouse_line}`).
    pub fn line_at(&self, row: u16) -> String {
        self.page.text(self.top() + usize::from(row))
    }

    /// The target of the link at a cell of the screen (`#{mouse_hyperlink}`).
    pub fn link_at(&self, column: u16, row: u16) -> Option<String> {
        self.page.link((self.column_of(column), self.top() + usize::from(row)))
    }
}

/// What stands under the mouse in a pane.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Under {
    pub(crate) word: String,
    pub(crate) line: String,
    pub(crate) link: String,
}

/// What stands in a pane at a column and row of its screen: in the text of its mode, or in what its program shows.
pub(crate) fn under(pane: &crate::Pane, separators: &str, (column, row): (u16, u16)) -> Under {
    let look = |mode: &Mode| Under {
        word: mode.page.word((mode.column_of(column), mode.top() + usize::from(row)), separators),
        line: mode.line_at(row),
        link: mode.link_at(column, row).unwrap_or_default(),
    };
    match pane.modes.last() {
        None => look(&Mode::glance(&pane.terminal)),
        Some(shown) => shown.text().map(look).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_sorted() {
        assert!(VARIABLES.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(Mode::variables().all(|(_, about)| !about.is_empty()));
    }
}
