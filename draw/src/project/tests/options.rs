//! What options show: each picture is without it first, and with it then.

use super::world::Server;
use super::{Screen, after};
use term::frame::{CursorShape, Frame};
use term::style::{Attrs, Color};

/// An option that is seen.
struct Seen {
    option: &'static str,
    /// What goes before; the last of these shows it.
    before: &'static [&'static str],
    /// What sets it.
    set: &'static str,
    /// Whether it is seen.
    is: fn(&Shot) -> bool,
}

const fn seen(option: &'static str, before: &'static [&'static str], set: &'static str, is: fn(&Shot) -> bool) -> Seen {
    Seen { option, before, set, is }
}

/// What a client shows.
struct Shot {
    rows: Vec<String>,
    frame: Frame,
}

impl Shot {
    fn has(&self, text: &str) -> bool {
        self.rows.iter().any(|row| row.contains(text))
    }

    /// The cell with the first character of a text; the lowest one of several.
    fn cell(&self, text: &str) -> (Color, Color, Attrs) {
        let found = self.rows.iter().enumerate().rev().find_map(|(y, row)| Some((y, row.find(text)?)));
        let (y, at) = found.unwrap_or_else(|| panic!("{text} is not there:\n{}", self.rows.join("\n")));
        self.at(self.rows[y][..at].chars().count() as u16, y as u16)
    }

    fn at(&self, x: u16, y: u16) -> (Color, Color, Attrs) {
        let cell = self.frame.cell(x, y);
        (cell.fg, cell.bg, cell.attrs)
    }

    /// Whether a text has this background.
    fn on(&self, text: &str, bg: u8) -> bool {
        self.cell(text).1 == Color::ansi(bg)
    }

    /// Whether a text has this foreground.
    fn of(&self, text: &str, fg: u8) -> bool {
        self.cell(text).0 == Color::ansi(fg)
    }

    /// Whether any cell of some columns has this background.
    fn any_on(&self, columns: std::ops::Range<u16>, bg: u8) -> bool {
        (0..24).any(|y| columns.clone().any(|x| self.at(x, y).1 == Color::ansi(bg)))
    }

    fn row(&self, at: usize) -> &str {
        &self.rows[at]
    }
}

const TWO: &[&str] = &["new-window -n two cat"];
const THREE: &[&str] = &["new-window -n two cat", "new-window -n three cat"];
const SPLIT: &[&str] = &["split-window -h cat"];
const BORDER: &[&str] = &["split-window -h cat", "set -g pane-border-status top"];
const MENU: &[&str] = &["display-menu -x 2 -y 8 one a '' two b ''"];
const POPUP: &[&str] = &["display-popup -w 20 -h 5 cat"];
const MESSAGE: &[&str] = &["display-message -d 0 told"];
const COPY: &[&str] = &["write alpha", "copy-mode"];
const FOUND: &[&str] =
    &["write needle", "write other", "write needle", "copy-mode", "send-keys -X search-backward needle"];
const PANES: &[&str] = &["split-window cat", "set -g status 2"];
const SESSIONS: &[&str] = &["new-session -d -s other cat", "set -g status 3"];
const NUMBERS: &[&str] = &["write alpha", "set -g copy-mode-line-numbers absolute", "copy-mode"];

/// All that are seen. The screen has 60 columns and 24 rows, the last of which is the status line.
#[rustfmt::skip]
const ALL: &[Seen] = &[
    seen("clock-mode-colour", &["clock-mode"], "clock-mode-colour red", |shot| shot.any_on(0..60, 1)),
    seen("clock-mode-style", &["clock-mode", "resize-window -x 30 -y 5"], "clock-mode-style 12-with-seconds", |shot| shot.has("PM")),
    seen("copy-mode-current-line-number-style", NUMBERS, "copy-mode-current-line-number-style bg=red", |shot| shot.any_on(0..3, 1)),
    seen("copy-mode-current-match-style", FOUND, "copy-mode-current-match-style bg=red", |shot| shot.on("needle", 1)),
    seen("copy-mode-line-number-style", NUMBERS, "copy-mode-line-number-style bg=red", |shot| shot.any_on(0..3, 1)),
    seen("copy-mode-line-numbers", &["write alpha"], "copy-mode-line-numbers absolute", |shot| shot.row(1).trim_start().starts_with("2 alpha")),
    seen("copy-mode-mark-style", &["write alpha", "copy-mode", "send-keys -X cursor-up", "send-keys -X set-mark"], "copy-mode-mark-style bg=blue", |shot| shot.on("alpha", 4)),
    seen("copy-mode-match-style", FOUND, "copy-mode-match-style bg=blue", |shot| shot.at(0, 1).1 == Color::ansi(4)),
    seen("copy-mode-position-format", COPY, "copy-mode-position-format 'here #{pane_id}'", |shot| shot.has("here %0")),
    seen("copy-mode-position-style", COPY, "copy-mode-position-style bg=blue", |shot| shot.on("[0/0]", 4)),
    seen("copy-mode-selection-style", &["write alpha", "copy-mode", "send-keys -X cursor-up", "send-keys -X select-line"], "copy-mode-selection-style bg=blue", |shot| shot.on("alpha", 4)),
    seen("cursor-colour", &[], "cursor-colour green", |shot| shot.frame.look.color == Color::ansi(2)),
    seen("cursor-style", &[], "cursor-style underline", |shot| shot.frame.look.shape == CursorShape::Underline),
    seen("display-panes-active-colour", &["set -g display-panes-time 60000", "display-panes -b"], "display-panes-active-colour magenta", |shot| shot.any_on(0..60, 5)),
    seen("display-panes-colour", &["split-window -h cat", "set -g display-panes-time 60000", "display-panes -b"], "display-panes-colour magenta", |shot| shot.any_on(0..30, 5)),
    seen("fill-character", &["resize-window -x 20 -y 5"], "fill-character x", |shot| shot.has("xxx")),
    seen("menu-style", MENU, "menu-style bg=red", |shot| shot.on("two", 1)),
    seen("menu-selected-style", &["display-menu -M -x 2 -y 8 one a '' two b ''", "mouse 4 6"], "menu-selected-style bg=red", |shot| shot.any_on(4..5, 1)),
    seen("menu-border-style", MENU, "menu-border-style fg=red", |shot| shot.of("┌", 1)),
    seen("menu-border-lines", &[], "menu-border-lines double", |shot| shot.has("╔")),
    seen("message-command-style", &["set -g status-keys vi", "command-prompt -b", "keys ab\x1b"], "message-command-style bg=red", |shot| shot.on(":ab", 1)),
    seen("message-format", MESSAGE, "message-format '<#{message}>'", |shot| shot.has("<told>")),
    seen("message-line", &["set -g status 2", "display-message -d 0 told"], "message-line 1", |shot| shot.row(23).starts_with("told")),
    seen("message-style", MESSAGE, "message-style bg=red", |shot| shot.on("told", 1)),
    seen("mode-style", &["choose-tree"], "mode-style bg=red", |shot| shot.any_on(1..2, 1)),
    seen("pane-active-border-style", SPLIT, "pane-active-border-style fg=red", |shot| (0..23).any(|y| shot.at(30, y).0 == Color::ansi(1))),
    seen("pane-border-format", BORDER, "pane-border-format '<#{pane_index}>'", |shot| shot.has("<1>")),
    seen("pane-border-indicators", SPLIT, "pane-border-indicators arrows", |shot| shot.has("→") || shot.has("←")),
    seen("pane-border-lines", SPLIT, "pane-border-lines double", |shot| shot.has("║")),
    seen("pane-border-status", SPLIT, "pane-border-status bottom", |shot| shot.row(22).contains("\"title\"")),
    seen("pane-border-style", SPLIT, "pane-border-style fg=red", |shot| (0..23).any(|y| shot.at(30, y).0 == Color::ansi(1))),
    seen("pane-colours", &["write \x1b[31mred"], "pane-colours[1] '#00ff00'", |shot| shot.cell("red").0 == Color::rgb(0, 255, 0)),
    seen("pane-scrollbars", &[], "pane-scrollbars on", |shot| shot.at(59, 3).1 != Color::DEFAULT),
    seen("pane-scrollbars-position", &["set -g pane-scrollbars on"], "pane-scrollbars-position left", |shot| shot.at(0, 3).1 != Color::DEFAULT),
    seen("pane-scrollbars-style", &["set -g pane-scrollbars on"], "pane-scrollbars-style fg=red,bg=red", |shot| shot.at(59, 3).1 == Color::ansi(1)),
    seen("pane-status-current-style", PANES, "pane-status-current-style bg=red", |shot| shot.on("1:[vm]", 1)),
    seen("pane-status-style", PANES, "pane-status-style bg=red", |shot| shot.on("0:[title]", 1)),
    seen("popup-border-lines", &[], "popup-border-lines double", |shot| shot.has("╔")),
    seen("popup-border-style", POPUP, "popup-border-style fg=red", |shot| shot.of("┌", 1)),
    seen("popup-style", POPUP, "popup-style bg=red", |shot| shot.at(30, 10).1 == Color::ansi(1)),
    seen("prompt-command-cursor-style", &["set -g status-keys vi", "command-prompt -b", "keys ab\x1b"], "prompt-command-cursor-style bar", |shot| shot.frame.look.shape == CursorShape::Bar),
    seen("prompt-cursor-colour", &["command-prompt -b"], "prompt-cursor-colour red", |shot| shot.frame.look.color == Color::ansi(1)),
    seen("prompt-cursor-style", &["command-prompt -b"], "prompt-cursor-style bar", |shot| shot.frame.look.shape == CursorShape::Bar),
    seen("session-status-current-style", SESSIONS, "session-status-current-style bg=red", |shot| shot.on("main*", 1)),
    seen("session-status-style", SESSIONS, "session-status-style bg=red", |shot| shot.on("other", 1)),
    seen("set-titles", &[], "set-titles on", |shot| shot.frame.title.is_some()),
    seen("set-titles-string", &["set -g set-titles on"], "set-titles-string 'it is #S'", |shot| shot.frame.title.as_deref() == Some("it is main")),
    seen("status", &[], "status off", |shot| !shot.has("[main]")),
    seen("status-bg", &[], "status-bg red", |shot| shot.on("[main]", 1)),
    seen("status-fg", &[], "status-fg red", |shot| shot.of("[main]", 1)),
    seen("status-format", &[], "status-format[0] 'all #S'", |shot| shot.row(23) == "all main"),
    seen("status-justify", &[], "status-justify centre", |shot| !shot.row(23).starts_with("[main] 0:win")),
    seen("status-left", &[], "status-left '<#S>'", |shot| shot.row(23).starts_with("<main>0:win")),
    seen("status-left-length", &[], "status-left-length 3", |shot| shot.row(23).starts_with("[ma0:win")),
    seen("status-left-style", &[], "status-left-style bg=red", |shot| shot.on("[main]", 1) && !shot.on("0:win", 1)),
    seen("status-position", &[], "status-position top", |shot| shot.row(0).starts_with("[main]")),
    seen("status-right", &[], "status-right '<#S>'", |shot| shot.row(23).ends_with("<main>")),
    seen("status-right-length", &["set -g status-right 0123456789"], "status-right-length 4", |shot| shot.row(23).ends_with(" 0123")),
    seen("status-right-style", &["set -g status-right 0123456789"], "status-right-style bg=red", |shot| shot.on("0123", 1) && !shot.on("0:win", 1)),
    seen("status-style", &[], "status-style bg=red", |shot| shot.on("[main]", 1) && shot.on("0:win", 1)),
    seen("tree-mode-preview-format", &["choose-tree"], "tree-mode-preview-format 'seen #{pane_id}'", |shot| shot.has("seen %0")),
    seen("tree-mode-preview-style", &["choose-tree"], "tree-mode-preview-style fg=cyan", |shot| shot.of("0:title", 6)),
    seen("window-active-style", SPLIT, "window-active-style bg=red", |shot| shot.at(50, 5).1 == Color::ansi(1) && shot.at(10, 5).1 == Color::DEFAULT),
    seen("window-pane-current-status-format", PANES, "window-pane-current-status-format '<#P>'", |shot| shot.has("<1>") && !shot.has("<0>")),
    seen("window-pane-status-format", PANES, "window-pane-status-format '<#P>'", |shot| shot.has("<0>") && !shot.has("<1>")),
    seen("window-status-activity-style", &["new-window -n two cat", "set -g monitor-activity on", "write 0"], "window-status-activity-style bg=red", |shot| shot.on("0:win", 1)),
    seen("window-status-bell-style", &["new-window -n two cat", "write \x07"], "window-status-bell-style bg=red", |shot| shot.on("0:win", 1)),
    seen("window-status-current-format", TWO, "window-status-current-format '<#W>'", |shot| shot.has("<two>") && !shot.has("<win>")),
    seen("window-status-current-style", TWO, "window-status-current-style bg=red", |shot| shot.on("1:two", 1) && !shot.on("0:win", 1)),
    seen("window-status-format", TWO, "window-status-format '<#W>'", |shot| shot.has("<win>") && !shot.has("<two>")),
    seen("window-status-last-style", THREE, "window-status-last-style bg=red", |shot| shot.on("1:two", 1) && !shot.on("0:win", 1)),
    seen("window-status-separator", TWO, "window-status-separator '|'", |shot| shot.has("0:win-|1:two*")),
    seen("window-status-style", TWO, "window-status-style bg=red", |shot| shot.on("0:win", 1)),
    seen("window-style", &[], "window-style bg=red", |shot| shot.at(30, 5).1 == Color::ansi(1)),
];

/// A line of a table: what the program of the first pane writes, keys, a place of the mouse, or a command.
fn act(server: &mut Server, line: &str) {
    let client = mux::ClientId(1);
    match line.split_once(' ') {
        Some(("write", text)) => server.write(0, format!("{text}\r\n").as_bytes()),
        Some(("keys", keys)) => {
            server.keys(client, keys.as_bytes());
            server.advance(std::time::Duration::from_secs(1));
        }
        Some(("mouse", place)) => {
            let place = place.replace(' ', ";");
            server.keys(client, format!("\x1b[<35;{place}M").as_bytes());
        }
        // A popup's command waits for its end.
        _ => drop(server.start(&mux::fake::words(line).iter().map(String::as_str).collect::<Vec<_>>())),
    }
}

fn shot(screen: &mut Screen, server: &Server) -> Shot {
    screen.draw(server);
    Shot { rows: screen.rows(), frame: screen.frame.clone() }
}

/// What opens what an option is about that counts when it opens.
fn opens(option: &str) -> Option<&'static str> {
    match option {
        "menu-border-lines" => Some("display-menu -x 2 -y 8 one a ''"),
        "copy-mode-line-numbers" => Some("copy-mode"),
        "popup-border-lines" => Some("display-popup -w 20 -h 5 cat"),
        _ => None,
    }
}

#[test]
fn options_are_seen() {
    let mut wrong = Vec::new();
    for Seen { option, before, set, is } in ALL {
        let mut server = after((60, 24), &[]);
        let mut screen = Screen::new(1);
        for line in *before {
            act(&mut server, line);
        }
        let without = shot(&mut screen, &server);
        if is(&without) {
            wrong.push(format!("{option} is seen before it is set:\n{}", without.rows.join("\n")));
        }
        assert!(set.starts_with(option));
        act(&mut server, &format!("set-option -g {set}"));
        if let Some(line) = opens(option) {
            act(&mut server, line);
        }
        server.advance(std::time::Duration::from_millis(1500));
        let with = shot(&mut screen, &server);
        if !is(&with) {
            wrong.push(format!("{option} is not seen:\n{}", with.rows.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
