//! A client: somebody who shows a session on a terminal, speaks control mode, or runs one command.

use crate::environment::Environment;
use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::input::{Hello, Manner};
use crate::prompt::Prompt;
use bitflags::bitflags;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

bitflags! {
    /// What a client asked for of itself (`attach -f`, `refresh-client -f`).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct ClientFlags: u16 {
        /// Keys and commands that change something are refused.
        const READ_ONLY = 1 << 0;
        /// Its size does not count for windows.
        const IGNORE_SIZE = 1 << 1;
        /// A control client wants no %output.
        const NO_OUTPUT = 1 << 2;
        /// A control client waits for an empty line after %exit.
        const WAIT_EXIT = 1 << 3;
        /// It has an active pane of its own.
        const ACTIVE_PANE = 1 << 4;
        /// It goes to another session when its own is destroyed.
        const NO_DETACH_ON_DESTROY = 1 << 5;
        /// Its terminal has the focus.
        const FOCUSED = 1 << 6;
    }
}

/// A line of text over the status line, for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The text; `#[...]` styles allowed.
    pub text: String,
    /// When it goes by itself; `None`: only by a key.
    pub until: Option<Instant>,
}

/// What is drawn over everything, and takes the keys.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// A menu.
    Menu(Box<crate::overlay::Menu>),
    /// A box with a terminal in it: which of [`Mux::popups`](crate::Mux::popups).
    Popup(crate::id::PaneId),
    /// Numbers over the panes (`display-panes`).
    PaneNumbers(Box<crate::overlay::Numbers>),
    /// The keys of a list, in a box in the middle.
    Help {
        /// Key, and what it does.
        lines: Vec<(String, String)>,
        /// Columns of the box.
        columns: u16,
    },
}

/// What a stretch of the status line stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RangeOf {
    /// `range=left`.
    Left,
    /// `range=right`.
    Right,
    /// `range=window|N`: the window of this index.
    Window(i32),
    /// `range=pane|%N`.
    Pane(crate::id::PaneId),
    /// `range=session|$N`.
    Session(SessionId),
    /// `range=user|TEXT`.
    User(String),
    /// `range=control|N`.
    Control(u8),
}

impl RangeOf {
    /// Its name as `#{mouse_status_range}` gives it; that of the user's own is their text.
    pub fn name(&self) -> &str {
        match self {
            RangeOf::Left => "left",
            RangeOf::Right => "right",
            RangeOf::Window(_) => "window",
            RangeOf::Pane(_) => "pane",
            RangeOf::Session(_) => "session",
            RangeOf::User(text) => text,
            RangeOf::Control(_) => "control",
        }
    }
}

/// A button in the text of a pane's border (`range=control|N`), as it was last drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BorderRange {
    /// Whose border.
    pub pane: crate::id::PaneId,
    /// First column of the text.
    pub from: u32,
    /// Column after the last one.
    pub to: u32,
    /// Which button.
    pub control: u8,
}

/// A stretch of the status line that the mouse can hit, as it was last drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusRange {
    /// Row on the client.
    pub row: u32,
    /// First column.
    pub from: u32,
    /// Column after the last one.
    pub to: u32,
    /// What it stands for.
    pub what: RangeOf,
}

/// A connected client.
#[derive(Debug)]
pub struct Client {
    /// Its id.
    pub id: ClientId,
    /// Its name: the path of its terminal, or `client-PID`.
    pub name: String,
    /// How it speaks.
    pub manner: Manner,
    /// True when it was called as rove.
    pub rove: bool,
    /// Its process.
    pub pid: u32,
    /// The user it runs as.
    pub uid: u32,
    /// The group it runs as.
    pub gid: u32,
    /// The path of its terminal, empty without one.
    pub tty: String,
    /// `$TERM`.
    pub term: String,
    /// What its terminal calls itself.
    pub term_type: String,
    /// Whether its terminal is light or dark, when it said so.
    pub theme: Option<keymap::Theme>,
    /// It was asked for its colours since, and has not answered yet.
    pub(crate) asked_colours: bool,
    /// Terminal features it claims.
    pub features: Vec<String>,
    /// It shows UTF-8.
    pub utf8: bool,
    /// Columns and rows of its terminal; of a control client what it last asked for.
    pub size: Option<(u16, u16)>,
    /// Sizes a control client asked for, by window.
    pub window_sizes: BTreeMap<WindowId, (u16, u16)>,
    /// Its directory.
    pub cwd: String,
    /// Its environment.
    pub environment: Environment,
    /// The session it shows; `None` for a command client.
    pub session: Option<SessionId>,
    /// The session it showed before.
    pub last_session: Option<SessionId>,
    /// When it connected, since the epoch.
    pub created: Duration,
    /// When it was last used, since the epoch.
    pub activity: Duration,
    /// What it asked for.
    pub flags: ClientFlags,
    /// A control client's `pause-after`, in milliseconds.
    pub pause_after_ms: Option<u64>,
    /// Subscriptions of a control client: name, what (`%*`, `@1`, empty for the session), format.
    pub subscriptions: Vec<(String, String, String)>,
    /// The key table in use; `None` for the session's.
    pub table: Option<String>,
    /// Until when the next key is looked up in the same table again (`bind -r`).
    pub repeat_until: Option<Instant>,
    /// The key that was last bound to something that may be repeated.
    pub last_bound: Option<keymap::Key>,
    /// Keys from its bytes.
    pub decoder: keymap::Decoder,
    /// When bytes that wait in the decoder are taken as they are.
    pub escape_at: Option<Instant>,
    /// A paste that is being received.
    pub paste: Option<Vec<u8>>,
    /// A question in the status line.
    pub prompt: Option<Prompt>,
    /// A message over the status line.
    pub message: Option<Message>,
    /// What is drawn over everything.
    pub overlay: Option<Overlay>,
    /// When the last key came, and whether what comes so fast is taken for pasted.
    pub(crate) typed_at: Option<Instant>,
    /// See `typed_at`.
    pub(crate) assumes_paste: bool,
    /// How often all shell commands of its formats were to be run again.
    pub(crate) refreshes: u32,
    /// Status of its process when it ends: 1 once a command failed.
    pub status: i32,
    /// It is leaving; nothing more is run for it.
    pub leaving: bool,
    /// It only waits for its queue to be empty to leave (a one-shot command, or the end of a control client's input).
    pub ends_when_idle: bool,
    /// It runs a command in place of the screen, or is suspended: nothing is drawn.
    pub suspended: bool,
    /// Colours its terminal reported (OSC 10 and 11).
    pub terminal_fg: Option<term::style::Color>,
    /// See `terminal_fg`.
    pub terminal_bg: Option<term::style::Color>,
    /// What its terminal said of itself, for who draws on it (who takes it).
    pub replies: Vec<keymap::TerminalReply>,
    /// Column and row of the window at its top left, as it was last drawn.
    pub view: (u32, u32),
    /// Row offset of the window shown when it is larger than the client.
    pub pan: (u32, u32),
    /// What the status line's stretches stand for, as it was last drawn.
    pub status_ranges: Vec<StatusRange>,
    /// The buttons on the borders of panes, as they were last drawn.
    pub border_ranges: Vec<BorderRange>,
    /// Where it is in windows that it shows together with others.
    pub focus: BTreeMap<WindowId, crate::focus::Focus>,
    /// The mouse position and button of a drag under way, for border dragging.
    pub drag: Option<(u32, u32)>,
    /// The floating pane that drag holds, and how.
    pub grip: Option<(PaneId, crate::mouse::Grip)>,
    /// The mouse moves with a button down: the pane where that began, if it was over one.
    pub dragging: Option<Option<crate::id::PaneId>>,
    /// Clicks that may belong together.
    pub clicks: crate::mouse::Clicks,
    /// Column and row in the window where its last menu was.
    pub last_menu: (u32, u32),
}

impl Client {
    /// A client as it introduced itself.
    pub fn new(id: ClientId, hello: &Hello, now: Duration) -> Client {
        let name = if hello.tty.is_empty() { format!("client-{}", hello.pid) } else { hello.tty.clone() };
        let mut environment = Environment::default();
        for (variable, value) in &hello.environment {
            environment.set(variable, value);
        }
        Client {
            id,
            name,
            manner: hello.manner,
            rove: hello.rove,
            pid: hello.pid,
            uid: hello.uid,
            gid: hello.gid,
            tty: hello.tty.clone(),
            term: hello.term.clone(),
            term_type: String::new(),
            theme: None,
            asked_colours: false,
            features: hello.features.clone(),
            utf8: hello.utf8,
            size: hello.size.filter(|_| hello.manner == Manner::Command),
            window_sizes: BTreeMap::new(),
            cwd: hello.cwd.clone(),
            environment,
            session: None,
            last_session: None,
            created: now,
            activity: now,
            flags: if hello.read_only { ClientFlags::READ_ONLY } else { ClientFlags::empty() } | ClientFlags::FOCUSED,
            pause_after_ms: None,
            subscriptions: Vec::new(),
            table: None,
            repeat_until: None,
            last_bound: None,
            decoder: keymap::Decoder::default(),
            escape_at: None,
            paste: None,
            prompt: None,
            message: None,
            overlay: None,
            typed_at: None,
            assumes_paste: false,
            refreshes: 0,
            status: 0,
            leaving: false,
            ends_when_idle: false,
            suspended: false,
            terminal_fg: None,
            terminal_bg: None,
            replies: Vec::new(),
            view: (0, 0),
            pan: (0, 0),
            status_ranges: Vec::new(),
            border_ranges: Vec::new(),
            focus: BTreeMap::new(),
            drag: None,
            grip: None,
            dragging: None,
            clicks: crate::mouse::Clicks::default(),
            last_menu: (0, 0),
        }
    }

    /// What the status line has at a column and row of the client.
    pub fn status_range(&self, x: u32, y: u32) -> Option<&RangeOf> {
        let mut ranges = self.status_ranges.iter();
        ranges.find(|range| range.row == y && (range.from..range.to).contains(&x)).map(|range| &range.what)
    }

    /// Columns and rows of its screen; a control client that has none counts as one of 80 by 24.
    pub fn screen_size(&self) -> Option<(u16, u16)> {
        self.size.or(self.is_control().then_some((80, 24)))
    }

    /// True for a control client.
    pub fn is_control(&self) -> bool {
        self.manner != Manner::Command
    }

    /// True when it has a terminal or speaks control mode.
    pub fn speaks(&self) -> bool {
        self.is_control() || !self.tty.is_empty()
    }

    /// True when a session is drawn on its terminal.
    pub fn is_drawn(&self) -> bool {
        self.manner == Manner::Command && self.session.is_some() && !self.leaving
    }

    /// True when its size counts for windows.
    pub fn counts_for_size(&self) -> bool {
        self.session.is_some()
            && !self.leaving
            && !self.suspended
            && self.size.is_some()
            && !self.flags.contains(ClientFlags::IGNORE_SIZE)
    }

    /// Flags as `#{client_flags}` shows them.
    pub fn flag_names(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        let mut add = |on: bool, name: &str| {
            if on {
                names.push(name.to_owned());
            }
        };
        add(self.session.is_some(), "attached");
        add(self.flags.contains(ClientFlags::FOCUSED), "focused");
        add(self.is_control(), "control-mode");
        add(self.flags.contains(ClientFlags::IGNORE_SIZE), "ignore-size");
        add(self.flags.contains(ClientFlags::NO_DETACH_ON_DESTROY), "no-detach-on-destroy");
        add(self.is_control() && self.flags.contains(ClientFlags::NO_OUTPUT), "no-output");
        add(self.is_control() && self.flags.contains(ClientFlags::WAIT_EXIT), "wait-exit");
        if let Some(pause) = self.pause_after_ms {
            names.push(format!("pause-after={}", pause / 1000));
        }
        let mut add = |on: bool, name: &str| {
            if on {
                names.push(name.to_owned());
            }
        };
        add(self.flags.contains(ClientFlags::READ_ONLY), "read-only");
        add(self.flags.contains(ClientFlags::ACTIVE_PANE), "active-pane");
        add(self.suspended, "suspended");
        add(self.utf8, "UTF-8");
        names.join(",")
    }
}

impl crate::Mux {
    /// What a client's terminal can do, by what the client said and the options say.
    pub fn caps_of(&self, client: &Client) -> term::caps::Caps {
        let items = |name: &str| -> Vec<String> {
            let value = self.globals.server.get(name);
            value.map(|value| value.items().map(|(_, text)| text.to_owned()).collect()).unwrap_or_default()
        };
        let (features, overrides) = (items("terminal-features"), items("terminal-overrides"));
        let claim = term::caps::Claim {
            term: &client.term,
            colorterm: client.environment.get("COLORTERM").unwrap_or(""),
            utf8: client.utf8,
            features: &client.features.join(","),
        };
        let features: Vec<&str> = features.iter().map(String::as_str).collect();
        let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
        term::caps::Caps::new(claim, &features, &overrides)
    }
}
