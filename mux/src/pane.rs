//! A pane: one terminal and the program in it.

use crate::id::{PaneId, WindowId};
use crate::input::Exit;
use crate::mode::Shown;
use crate::option::OptionStore;
use std::time::Duration;
use term::Terminal;

/// A program that has a pane's terminal, or had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// It runs.
    Running,
    /// It ended, and the pane stays (remain-on-exit).
    Dead(Exit, Duration),
    /// It ran before the host died; it is started again when its session is attached.
    Frozen,
    /// There never was one (`split-window -I` and the like).
    None,
}

/// One terminal and the program in it.
pub struct Pane {
    /// Its id.
    pub id: PaneId,
    /// Its lasting id, kept over restarts and reboots.
    pub uuid: u128,
    /// The window it is in.
    pub window: WindowId,
    /// Its screen, in a place of its own: it is large, and panes lie in a tree with room for more.
    pub terminal: Box<Terminal>,
    /// The program.
    pub program: Program,
    /// The program's process; 0 when there is none.
    pub pid: u32,
    /// The path of its terminal.
    pub tty: String,
    /// The directory it was started in.
    pub cwd: String,
    /// The command it was started with: empty for a login shell, one element for the shell to run, else program and arguments.
    pub argv: Vec<String>,
    /// The shell.
    pub shell: String,
    /// Its own options.
    pub options: OptionStore,
    /// Title set by `select-pane -T`; programs may set it too.
    pub title: String,
    /// Its mode, when it is in one; the newest last.
    pub modes: Vec<Shown>,
    /// A question over it.
    pub prompt: Option<Box<crate::prompt::Prompt>>,
    /// What was searched for last in its modes.
    pub searched: Option<crate::mode::Searched>,
    /// Keys typed do not reach it (`select-pane -d`).
    pub input_off: bool,
    /// A client whose terminal has the focus is in it: its program was told so.
    pub focused: bool,
    /// The agent that was launched in it by us.
    pub agent: Option<agents::AgentRecord>,
    /// That agent runs now, as far as is known.
    pub agent_runs: bool,
    /// That agent was just started by us: what has come of it so far.
    pub agent_start: Option<crate::agent::Start>,
    /// When something fresh was last started in it because it is the last of its session.
    pub recycled: Option<std::time::Instant>,
    /// Counts up when it becomes active; the highest was used last.
    pub used: u64,
    /// Counts bytes its program wrote.
    pub written: u64,
    /// Whether its program wrote while a mode was shown.
    pub unseen_changes: bool,
    /// When its program last wrote, in seconds since the epoch.
    pub last_output: Option<i64>,
    /// What its shell told of its commands.
    pub shell_marks: Shell,
    /// The program's colours as a control client reported them (`refresh-client -r`).
    pub reported_fg: Option<term::style::Color>,
    /// See `reported_fg`.
    pub reported_bg: Option<term::style::Color>,
    /// The model's count of visible changes when its terminal was told what its colours are.
    pub ground_at: Option<u64>,
    /// Its program follows the theme, and was last told this one.
    pub told_theme: Option<Option<keymap::Theme>>,
    /// It is closed when the mode ends with which it has so many (`copy-mode -k`).
    pub closes_with_mode: Option<usize>,
    /// It stays in sight over a zoomed pane when it floats (`new-pane -A`).
    pub over_zoom: bool,
    /// While it is modal all keys go to it, also those that are bound (`new-pane -K`).
    pub takes_all_keys: bool,
    /// While it is modal a click beside it closes it (`new-pane -C`).
    pub closes_on_click: bool,
    /// The job that its output is copied to (`pipe-pane`).
    pub pipe: Option<crate::id::JobId>,
}

/// What a shell told of its prompts and commands (OSC 133). Times are seconds since the epoch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shell {
    /// It showed a prompt.
    pub prompted: Option<i64>,
    /// A command began.
    pub started: Option<i64>,
    /// The command ended.
    pub ended: Option<i64>,
    /// The status with which it ended.
    pub status: Option<i32>,
    /// A command runs.
    pub running: bool,
}

impl std::fmt::Debug for Pane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pane").field("id", &self.id).field("program", &self.program).finish_non_exhaustive()
    }
}

impl Pane {
    /// The line of the screen, from 1, that shows a text; 0 for none.
    pub fn search(&self, pattern: &str, regex: bool, ignore_case: bool) -> u32 {
        let lines = self.terminal.capture(&term::Capture::default());
        let text = String::from_utf8_lossy(&lines).into_owned();
        let expression = if regex { pattern.to_owned() } else { String::new() };
        let compiled = regex::RegexBuilder::new(&expression).case_insensitive(ignore_case).build();
        let matches = |line: &str| match (&compiled, regex) {
            (Ok(compiled), true) => compiled.is_match(line),
            (Err(_), true) => false,
            (_, false) => crate::fnmatch::fnmatch(&format!("*{pattern}*"), line, ignore_case),
        };
        text.lines().position(matches).map_or(0, |at| at as u32 + 1)
    }

    /// The name of the mode it shows, or nothing.
    pub fn mode_name(&self) -> &'static str {
        self.modes.last().map_or("", Shown::name)
    }

    /// True while its program runs.
    pub fn running(&self) -> bool {
        self.program == Program::Running
    }

    /// True when its program ended and the pane stays.
    pub fn dead(&self) -> bool {
        matches!(self.program, Program::Dead(..))
    }

    /// True while keys go to a mode instead of the program.
    pub fn in_mode(&self) -> bool {
        !self.modes.is_empty()
    }
}
