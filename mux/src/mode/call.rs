//! A command given to a mode (`send-keys -X`): its words, and what the model is to do after it.

use super::table::{Clear, ROWS, Row};
use super::{Mode, Settings};
use term::Terminal;

/// Most repetitions of a motion; more would only stand at an edge of the text.
pub(super) const MOST: usize = 1 << 20;
/// Most repetitions of a search, which may go round for ever.
pub(super) const MOST_SEARCHES: usize = 1000;

/// A command with its arguments.
#[derive(Clone, Debug)]
pub struct Call {
    row: &'static Row,
    flags: Vec<char>,
    arguments: Vec<String>,
}

impl Call {
    /// The call of these words, the first being the name. `None` when there is no such command, or when its flags or the
    /// number of its arguments are wrong: then tmux does nothing, without a word.
    pub fn parse(words: &[String]) -> Option<Call> {
        let (name, mut rest) = words.split_first()?;
        let row = ROWS.iter().find(|row| row.name == name)?;
        let mut flags = Vec::new();
        while let Some((word, after)) = rest.split_first() {
            let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
            rest = after;
            if letters == "-" {
                break;
            }
            if letters.chars().any(|letter| !row.flags.contains(letter)) {
                return None;
            }
            flags.extend(letters.chars());
        }
        (row.arguments.0..=row.arguments.1).contains(&rest.len()).then(|| Call { row, flags, arguments: rest.to_vec() })
    }

    /// The command's row.
    pub fn row(&self) -> &'static Row {
        self.row
    }

    /// The arguments that are formats, to be expanded before [`Mode::run`]: those of copying commands, and with
    /// `send-keys -F` what is searched for.
    pub fn formats(&mut self, search_too: bool) -> &mut [String] {
        let copies = self.row.name.contains("copy-") || self.row.name.starts_with("pipe");
        let searches = search_too && self.row.name.starts_with("search-") && !self.row.name.ends_with("-incremental");
        if copies || searches { &mut self.arguments } else { &mut [] }
    }

    pub(super) fn has(&self, flag: char) -> bool {
        self.flags.contains(&flag)
    }

    /// An argument that is there and not empty.
    pub(super) fn text(&self, at: usize) -> Option<&str> {
        self.arguments.get(at).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// An argument that is there, empty or not.
    pub(super) fn given(&self, at: usize) -> Option<&str> {
        self.arguments.get(at).map(String::as_str)
    }
}

/// Where the mouse was when it ran a command, in cells from the pane's top left corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mouse {
    /// Column.
    pub column: u16,
    /// Row.
    pub row: u16,
    /// Column and row of the event before, where a drag began.
    pub last: (u16, u16),
    /// The cursor stays where it is: the wheel does not move it, nor does what happens beside the pane.
    pub keeps_cursor: bool,
    /// Rows from the pane's top to the slider of its scroll bar, as dragged.
    pub slider: Option<u16>,
}

/// A copied text and where it goes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Copied {
    /// The text.
    pub text: String,
    /// The beginning of the new buffer's name.
    pub prefix: Option<String>,
    /// A paste buffer takes it (not with `-P`).
    pub buffer: bool,
    /// Clipboards take it, when `set-clipboard` is not off (not with `-C`).
    pub clipboard: bool,
    /// The newest buffer takes it at its end, or a new one when there is none.
    pub append: bool,
}

/// A text for the input of a command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pipe {
    /// The text.
    pub text: String,
    /// The command for the shell; `None` means the option `copy-command`, and nothing when that is empty.
    pub command: Option<String>,
}

/// What the model is to do after a command: first the pipe, then the copy, then to end the mode.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Action {
    /// A command to run.
    pub pipe: Option<Pipe>,
    /// A text to keep.
    pub copy: Option<Copied>,
    /// The mode ends.
    pub cancel: bool,
    /// The client's mouse now drags the selection: [`Mode::drag`] is called for its events, [`Mode::end_drag`] at the end.
    pub drag: bool,
}

/// A command as it runs.
pub(super) struct Running<'a> {
    pub(super) call: &'a Call,
    /// How often it is to be done.
    pub(super) times: usize,
    pub(super) mouse: Option<&'a Mouse>,
    pub(super) terminal: &'a Terminal,
    pub(super) action: Action,
}

impl Mode {
    /// Run a command. `mouse` is the event that ran it, when one did; `terminal` is the pane's own (or the one that the
    /// text came from), for `refresh-from-pane`.
    pub fn run(&mut self, settings: &Settings, call: &Call, mouse: Option<&Mouse>, terminal: &Terminal) -> Action {
        self.set_settings(settings);
        if let Some(mouse) = mouse.filter(|mouse| !mouse.keeps_cursor) {
            self.point(mouse.column, mouse.row);
        }
        let row = call.row;
        let mut running = Running { call, times: self.repeat.max(1), mouse, terminal, action: Action::default() };
        (row.run)(self, &mut running);
        let clears = match row.clear {
            Clear::Always => true,
            Clear::Never => false,
            Clear::EmacsOnly => !settings.vi,
        };
        if clears && self.search.marks.is_some() && !row.name.starts_with("search-") {
            self.search.clear_marks();
            self.search.origin = None;
        }
        self.repeat = 1;
        self.settle();
        running.action
    }

    /// Do a motion several times; at most until it moves nothing any more.
    pub(super) fn repeated(&mut self, times: usize, mut motion: impl FnMut(&mut Mode)) {
        let mut still = 0;
        for _ in 0..times.min(MOST) {
            let before = (self.x, self.y, self.offset);
            motion(self);
            still = if before == (self.x, self.y, self.offset) { still + 1 } else { 0 };
            if still == 2 {
                break;
            }
        }
    }
}
