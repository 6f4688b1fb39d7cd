//! Pictures of small models. Those marked so were read from tmux 3.7c.

mod options;
mod world;

use super::Projection;
use crate::{Seen, compose};
use mux::{ClientId, Input};
use proptest::prelude::*;
use term::caps::acs_unicode;
use term::frame::{Frame, Keys, Mouse};
use term::size::Size;
use term::style::{Attrs, Color};
use world::Server;

/// What one client shows.
struct Screen {
    client: ClientId,
    projection: Projection,
    seen: Seen,
    frame: Frame,
}

impl Screen {
    fn new(client: u32) -> Screen {
        let frame = Frame::new(Size { cols: 0, rows: 0 });
        Screen { client: ClientId(client), projection: Projection::default(), seen: Seen::default(), frame }
    }

    fn draw(&mut self, server: &Server) -> bool {
        let scene = self.projection.project(&server.mux, self.client, &server.world, server.now);
        scene.map(|scene| compose(&scene, &mut self.seen, &mut self.frame)).is_some()
    }

    /// Its rows, blanks at their ends cut off.
    fn rows(&self) -> Vec<String> {
        let row = |y| {
            let mut text = String::new();
            for cell in self.frame.row(y).iter().filter(|cell| !cell.glyph.is_padding()) {
                let drawn = cell.attrs.contains(Attrs::CHARSET).then(|| cell.glyph.as_char()).flatten();
                match drawn.and_then(acs_unicode) {
                    Some(line) => text.push(line),
                    None => self.frame.push_text(*cell, &mut text),
                }
            }
            text.trim_end().to_owned()
        };
        (0..self.frame.size().rows).map(row).collect()
    }
}

/// The rows of a client that sees the model for the first time.
fn rows(server: &Server, client: u32) -> Vec<String> {
    let mut screen = Screen::new(client);
    assert!(screen.draw(server));
    screen.rows()
}

fn picture(server: &Server) -> String {
    rows(server, 1).join("\n")
}

fn cursor(server: &Server) -> Option<(u16, u16)> {
    let mut screen = Screen::new(1);
    screen.draw(server);
    screen.frame.cursor
}

/// A model of this size after some commands, each of words between blanks.
fn after(size: (u16, u16), commands: &[&str]) -> Server {
    let mut server = Server::new(size);
    for command in commands {
        server.run(&command.split(' ').collect::<Vec<_>>());
    }
    server
}

const STATUS: &str = "[main] 0:win*    \"title\" 12:00 30-Nov-26";

// From tmux 3.7c.
#[test]
fn a_pane_and_the_status_line() {
    let server = Server::new((80, 24));
    let rows = rows(&server, 1);
    assert_eq!(rows[0], "hello");
    assert!(rows[1..23].iter().all(String::is_empty));
    assert_eq!(rows[23], "[main] 0:win*                                            \"title\" 12:00 30-Nov-26");
    assert_eq!(cursor(&server), Some((0, 1)));
    let mut screen = Screen::new(1);
    screen.draw(&server);
    let cell = screen.frame.cell(0, 23);
    assert_eq!((cell.fg, cell.bg), (Color::ansi(0), Color::ansi(2)));
}

// From tmux 3.7c.
#[test]
fn splits() {
    let server = after((40, 8), &["split-window -h cat"]);
    let line = "                    │\n";
    let status = "[main] 0:win*       \"vm\" 12:00 30-Nov-26";
    assert_eq!(picture(&server), format!("hello               │\n{}{status}", line.repeat(6)));
    assert_eq!(cursor(&server), Some((21, 0)));
    let server = after((40, 10), &["split-window -v cat"]);
    assert_eq!(picture(&server), format!("hello\n\n\n\n{}\n\n\n\n\n{status}", "─".repeat(40)));
    assert_eq!(cursor(&server), Some((0, 5)));
    let server = after((40, 8), &["split-window -h cat", "resize-pane -Z"]);
    assert_eq!(picture(&server), format!("{}[main] 0:win*Z      \"vm\" 12:00 30-Nov-26", "\n".repeat(7)));
    let server = after((40, 9), &["split-window -h cat", "set -g pane-border-status top"]);
    let text = "──0 \"title\"─────────┬──1 \"vm\"───────────\n";
    assert_eq!(picture(&server), format!("{text}hello               │\n{}{status}", line.repeat(6)));
}

// From tmux 3.7c.
#[test]
fn a_menu() {
    let mut server = Server::new((40, 10));
    let items = ["one", "a", "", "", "-two", "b", "", "three long", "M-x", ""];
    server.run(&[&["display-menu", "-T", "#[align=centre]title"], &items[..]].concat());
    let menu = "
         ┌───────title──────┐
         │ one          (a) │
         ├──────────────────┤
         │ two              │
         │ three long (M-x) │
         └──────────────────┘


[main] 0:win*    \"title\" 12:00 30-Nov-26";
    assert_eq!(picture(&server), format!("hello{menu}"));
    assert_eq!(cursor(&server), None);
    let mut screen = Screen::new(1);
    screen.draw(&server);
    assert_eq!((screen.frame.cell(11, 2).fg, screen.frame.cell(11, 2).bg), (Color::ansi(0), Color::ansi(3)));
    assert_eq!(screen.frame.cell(11, 5).bg, Color::default());
    assert_eq!(screen.frame.modes.mouse, Mouse::Off);
    server.run(&[&["display-menu", "-M", "-b", "none", "-s", "bg=blue", "-x", "0", "-y", "0"], &items[..]].concat());
    assert_eq!(rows(&server, 1)[1..5], ["  one          (a)", "", "  two", "  three long (M-x)"]);
    screen.draw(&server);
    assert_eq!((screen.frame.cell(3, 1).bg, screen.frame.modes.mouse), (Color::ansi(4), Mouse::All));
    server.keys(ClientId(1), b"q");
    assert_eq!(rows(&server, 1)[1], "");
}

// From tmux 3.7c.
#[test]
fn a_popup() {
    let mut server = Server::new((40, 10));
    server.start(&["display-popup", "-T", "pop", "-w", "20", "-h", "5", "-b", "rounded", "cat"]);
    let id = *server.mux.popups.keys().next().expect("a popup is open");
    let mut screen = Screen::new(1);
    screen.draw(&server);
    server.output(id, b"inside");
    screen.draw(&server);
    let popup = "hello
         ╭─pop──────────────╮
         │inside            │
         │                  │
         │                  │
         ╰──────────────────╯



[main] 0:win*    \"title\" 12:00 30-Nov-26";
    assert_eq!(screen.rows().join("\n"), popup);
    assert_eq!(screen.frame.cursor, Some((16, 2)));
    server.output(id, b"\x1b[?1002h");
    screen.draw(&server);
    assert_eq!(screen.frame.modes.mouse, Mouse::Button);
    server.run(&["set-option", "-w", "popup-style", "bg=red"]);
    screen.draw(&server);
    assert_eq!((screen.frame.cell(15, 4).bg, screen.frame.cell(9, 1).bg), (Color::ansi(1), Color::default()));
    server.run(&["display-popup", "-C"]);
    assert_eq!(rows(&server, 1)[2], "");
}

// From tmux 3.8.
#[test]
fn a_prompt_over_a_pane() {
    let mut server = after((40, 8), &["split-window -h cat", "command-prompt -bP -I text -p ask"]);
    assert_eq!(rows(&server, 1)[6], "                    │ask text");
    assert_eq!(cursor(&server), Some((29, 6)));
    server.keys(ClientId(1), b"\x16\x07");
    assert_eq!(rows(&server, 1)[6], "                    │ask text^G");
    server.run(&["set-option", "-g", "status-position", "top"]);
    assert_eq!(rows(&server, 1)[1], "hello               │ask text^G");
    server.keys(ClientId(1), b"\x1b");
    server.advance(std::time::Duration::from_secs(1));
    assert_eq!(rows(&server, 1)[1], "hello               │");
}

// From tmux 3.7c.
#[test]
fn messages_and_prompts() {
    let server = after((40, 8), &["display-message -d 0 hi"]);
    assert_eq!(picture(&server), "hello\n\n\n\n\n\n\nhi");
    assert_eq!(cursor(&server), None);
    let server = after((40, 8), &["command-prompt -b"]);
    assert_eq!(picture(&server), "hello\n\n\n\n\n\n\n:");
    assert_eq!(cursor(&server), Some((1, 7)));
    let mut server = after((40, 8), &["command-prompt -b -p name -I abc"]);
    assert_eq!(picture(&server), "hello\n\n\n\n\n\n\nname abc");
    assert_eq!(cursor(&server), Some((8, 7)));
    server.handle(Input::ClientBytes(ClientId(1), b"\x1b[D"));
    assert_eq!(cursor(&server), Some((7, 7)));
    // Where there is no status line, the message takes the last row for a while.
    let server = after((40, 8), &["set -g status off", "display-message -d 0 hi"]);
    assert_eq!(picture(&server), "hello\n\n\n\n\n\n\nhi");
}

// From tmux 3.7c.
#[test]
fn status_lines() {
    let server = after((40, 8), &["set -g status 2"]);
    assert_eq!(picture(&server), format!("hello\n\n\n\n\n\n{STATUS}\n    P: 0:[title]*"));
    let server = after((40, 8), &["set -g status-position top"]);
    assert_eq!(picture(&server), format!("{STATUS}\nhello\n\n\n\n\n\n"));
    assert_eq!(cursor(&server), Some((0, 2)));
    let server = after((40, 8), &["set -g status off"]);
    assert_eq!(picture(&server), "hello\n\n\n\n\n\n\n");
}

// From tmux 3.7c.
#[test]
fn windows_of_another_size() {
    let server = after((40, 10), &["resize-window -x 30 -y 6"]);
    let dots = "·".repeat(9);
    let rest = format!("                              │{dots}\n").repeat(5);
    let below = format!("{}┘{dots}\n{}\n{}\n", "─".repeat(30), "·".repeat(40), "·".repeat(40));
    assert_eq!(picture(&server), format!("hello                         │{dots}\n{rest}{below}{STATUS}"));
    let mut server = after((20, 8), &["resize-window -x 50 -y 12"]);
    assert_eq!(rows(&server, 1)[0], "hello");
    assert_eq!(rows(&server, 1)[7], "[main] :00 30-Nov-26");
    // The view follows the cursor.
    server.write(0, b"\x1b[12;50Hz");
    assert_eq!(rows(&server, 1)[6], "                   z");
    assert_eq!(rows(&server, 1)[0], "");
    let server = after((12, 3), &[]);
    assert_eq!(picture(&server), "hello\n\n[main] ov-26");
}

#[test]
fn copy_mode_shows_history() {
    let mut server = after((40, 8), &[]);
    for line in 0..20 {
        server.write(0, format!("{line}\r\n").as_bytes());
    }
    let mut screen = Screen::new(1);
    screen.draw(&server);
    assert_eq!(screen.rows()[..2], ["14", "15"]);
    server.run(&["copy-mode"]);
    screen.draw(&server);
    assert_eq!(screen.rows()[0], format!("14{}[0/15]", " ".repeat(32)));
    server.run(&["send-keys", "-X", "-N", "3", "scroll-up"]);
    screen.draw(&server);
    assert_eq!(screen.rows()[0], format!("11{}[3/15]", " ".repeat(32)));
    assert_eq!(screen.rows()[1], "12");
    server.run(&["send-keys", "-X", "cancel"]);
    screen.draw(&server);
    assert_eq!(screen.rows()[..2], ["14", "15"]);
}

// From tmux 3.7c.
#[test]
fn a_wide_character_is_whole_at_the_end_of_a_row_that_was_wrapped_anew() {
    let mut server = after((12, 8), &["split-window -h cat"]);
    server.write(0, "\x1b[H\x1b[2J\r\n\r\nab 日本x\r\n".as_bytes());
    let shown = |server: &Server| rows(server, 1).iter().map(|row| row.replace('│', "|")).collect::<Vec<_>>();
    server.run(&["resize-pane", "-t", "%0", "-x", "5"]);
    assert_eq!(shown(&server)[2..4], ["ab 日|", " 本x |"].map(str::to_owned));
    server.run(&["copy-mode", "-H", "-t", "%0"]);
    assert_eq!(shown(&server)[2], "ab 日|");
}

#[test]
fn two_clients_of_one_session() {
    let mut server = after((40, 8), &["set -g window-size smallest"]);
    let second = server.connect((30, 6), &["attach", "-t", "main"]);
    let (first, second) = (rows(&server, 1), rows(&server, second.0));
    assert_eq!((first.len(), second.len()), (8, 6));
    assert_eq!(second[0], "hello");
    assert_eq!(first[0], format!("hello{}│{}", " ".repeat(25), "·".repeat(9)));
    assert_eq!(first[5], format!("{}┘{}", "─".repeat(30), "·".repeat(9)));
}

#[test]
fn what_is_written_is_all_that_changes() {
    let mut server = Server::new((40, 8));
    let mut screen = Screen::new(1);
    screen.draw(&server);
    let stamps: Vec<u64> = (0..8).map(|y| screen.frame.stamp(y)).collect();
    server.write(0, b"x");
    screen.draw(&server);
    let changed: Vec<u16> = (0..8).filter(|y| screen.frame.stamp(*y) != stamps[usize::from(*y)]).collect();
    assert_eq!(changed, [1]);
    // A picture that is held back stays.
    server.write(0, b"\x1b[?2026h\x1b[Hhidden");
    screen.draw(&server);
    assert_eq!(screen.rows()[0], "hello");
    server.write(0, b"\x1b[?2026l");
    screen.draw(&server);
    assert_eq!(screen.rows()[0], "hidden");
    // Nor is it for ever.
    server.write(0, b"\x1b[?2026h\x1b[Hforgot");
    screen.draw(&server);
    assert_eq!(screen.rows()[0], "hidden");
    server.now.instant += std::time::Duration::from_secs(1);
    server.handle(Input::Tick);
    screen.draw(&server);
    assert_eq!(screen.rows()[0], "forgot");
}

#[test]
fn modes_title_and_colours() {
    let mut server = Server::new((40, 8));
    let mut screen = Screen::new(1);
    screen.draw(&server);
    assert_eq!((screen.frame.modes.mouse, screen.frame.modes.keys), (Mouse::Off, Keys::Legacy));
    assert_eq!((&screen.frame.title, screen.frame.look.color), (&None, Color::DEFAULT));
    server.write(0, b"\x1b[?1000h");
    screen.draw(&server);
    assert_eq!(screen.frame.modes.mouse, Mouse::Standard);
    for command in ["set -g mouse on", "set -g set-titles on", "set -s extended-keys on", "set -g window-style bg=red"]
    {
        server.run(&command.split(' ').collect::<Vec<_>>());
    }
    screen.draw(&server);
    assert_eq!((screen.frame.modes.mouse, screen.frame.modes.keys), (Mouse::Button, Keys::ModifyOther(2)));
    assert_eq!(screen.frame.title.as_deref(), Some("main:0:win - \"title\" "));
    assert_eq!(screen.frame.cell(0, 0).bg, Color::ansi(1));
    server.write(0, b"\x1b[5 q");
    screen.draw(&server);
    assert_eq!((screen.frame.look.shape, screen.frame.look.blink), (term::frame::CursorShape::Bar, true));
    server.run(&["display-panes", "-t", "/dev/tty1"]);
    screen.draw(&server);
    assert_eq!(screen.frame.cell(20, 1).bg, Color::ansi(1));
    server.handle(Input::ClientGone(ClientId(1)));
    assert!(!screen.draw(&server));
}

const COMMANDS: &[&str] = &[
    "split-window -h cat",
    "split-window -v cat",
    "new-window cat",
    "kill-pane",
    "resize-pane -Z",
    "resize-pane -L 7",
    "resize-window -x 60 -y 3",
    "resize-window -x 5 -y 40",
    "copy-mode",
    "send-keys -X scroll-up",
    "send-keys -X history-top",
    "send-keys -X cancel",
    "display-message -d 0 #[fg=red]日本",
    "display-panes -t /dev/tty1",
    "command-prompt -b",
    "set -g status off",
    "set -g status 5",
    "set -g status-position top",
    "set -g message-style width=30%,align=right",
    "set -g pane-border-status bottom",
    "set -g pane-border-lines number",
    "set -g pane-border-indicators both",
    "set -g pane-scrollbars on",
    "set -g status-left #[bold",
    "set -g mouse on",
    "select-layout tiled",
    "refresh-client -t /dev/tty1 -R 9",
    "refresh-client -t /dev/tty1 -D 9",
    "list-keys",
    "next-window",
    "rotate-window",
    "swap-pane -U",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn no_model_panics(
        size in (1..50u16, 1..20u16),
        steps in prop::collection::vec((0..COMMANDS.len() + 3, "[a-z日\r\n]{0,30}", (1..50u16, 1..20u16)), 1..12),
    ) {
        let mut server = Server::new(size);
        let mut screen = Screen::new(1);
        for (step, text, size) in steps {
            match COMMANDS.get(step) {
                Some(command) => server.run(&command.split(' ').collect::<Vec<_>>()),
                None if step % 3 == 0 => server.handle(Input::ClientResized(ClientId(1), size)),
                None if step % 3 == 1 => server.handle(Input::ClientBytes(ClientId(1), text.as_bytes())),
                None => server.write(0, text.as_bytes()),
            }
            screen.draw(&server);
            // What was composed step by step is what a fresh look gives.
            let mut fresh = Screen::new(1);
            prop_assert_eq!(fresh.draw(&server), server.mux.clients.get(&ClientId(1)).is_some_and(mux::Client::is_drawn));
            if !fresh.rows().is_empty() {
                prop_assert_eq!(fresh.rows(), screen.rows());
            }
        }
    }
}

// From tmux 3.7c.
#[test]
fn a_tree_with_a_preview_of_its_windows() {
    let mut server = after((60, 24), &["new-window -d -n two cat", "choose-tree -s"]);
    let blank = "│                            │                             │\n";
    let preview = [
        "┌ main (sort: index) ──────────────────────────────────────┐\n",
        "│ hello                      │                             │\n",
        &blank.repeat(3),
        "│          ┌───────┐         │          ┌───────┐          │\n",
        "│          │ 0:win │         │          │ 1:two │          │\n",
        "│          └───────┘         │          └───────┘          │\n",
        &blank.repeat(3),
        "└──────────────────────────────────────────────────────────┘",
    ]
    .concat();
    let shown = |server: &Server| rows(server, 1)[..23].join("\n");
    let above = "\n".repeat(11);
    assert_eq!(shown(&server), format!("(0) + main: 2 windows (attached){above}{preview}"));
    assert_eq!(cursor(&server), None);
    server.run(&["send-keys", "Right"]);
    let open = "(0) - main: 2 windows (attached)\n(1) ├─> + 0: win*: \"title\"\n(2) └─> + 1: two";
    assert_eq!(shown(&server).lines().take(3).collect::<Vec<_>>().join("\n"), open);
}

#[test]
fn customize_mode_says_what_the_current_row_is() {
    let mut server = after((60, 24), &["set -g mouse on", "customize-mode -f #{==:#{option_name},mouse}"]);
    for key in ["j", "Right", "j"] {
        server.run(&["send-keys", key]);
    }
    let picture = picture(&server);
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!(
        lines[..4],
        ["(0)     Server Options", "(1)   - Session Options", "(2)   └─> mouse: on", "(3)     Window & Pane Options",]
    );
    for text in [" mouse ", "This is a session option.", "Option value: on", "The default is: off"] {
        assert!(picture.contains(text), "{text} in {picture}");
    }
}

// From tmux 3.7c.
#[test]
fn a_client_in_a_list_has_its_status_line_cut() {
    let server = after((60, 24), &["choose-client"]);
    let shown = rows(&server, 1);
    let status = "│ [main] 0:win*                        \"title\" 12:00 30-No │";
    assert_eq!((shown[0].as_str(), shown[21].as_str()), ("(0) /dev/tty1: 12:00: session main", status));
}

#[test]
fn a_window_in_a_pane_with_numbers() {
    let split = ["split-window -h cat", "split-window -v cat"];
    let server = after((40, 12), &[&split[..], &["display-panes -d 0 -t 1"]].concat());
    let shown = |server: &Server, lines: usize| rows(server, 1)[..lines].join("\n");
    let whole = "\
hello          20x11│               19x5
                    │
                    │        1
                    │
                    │
                    ├───────────────────
                    │               19x5
                    │
                    │        2
                    │
                    │";
    assert_eq!(shown(&server, 11), whole);
    // Large numbers have no letters.
    let mut screen = Screen::new(1);
    screen.draw(&server);
    let lit = |x: u16, y: u16| !screen.frame.cell(x, y).bg.is_default();
    assert!(lit(8, 3) && lit(8, 7) && !lit(9, 4), "there is a zero in the middle of the first pane");
    // Smaller in a pane that does not fill the window, and with one that floats.
    let floats = ["new-pane -d -x 16 -y 5 -X 2 -Y 3 cat", "display-panes -Z -d 0 -t 1"];
    let server = after((60, 20), &[&split[..], &floats].concat());
    let small = "\
hello                         │hello    30x19│          29x9
                              │┌──────┐      │
                              │└──────┘      │     1
  ┌──────────────┐            │              │
  │              │            │              ├──────────────
  │              │            │              │
  │              │            │              │     2
  └──────────────┘            │              │
                              │              │
                              ├─────────────────────────────";
    assert_eq!(shown(&server, 10), small);
}

// From tmux 3.7c.
#[test]
fn what_a_word_of_a_prompt_can_become() {
    let mut server = after((40, 8), &[]);
    server.keys(mux::ClientId(1), b"\x02:select-\t");
    let menu = "\
hello

┌───────────────────┐
│ select-layout (0) │
│ select-pane   (1) │
│ select-window (2) │
└───────────────────┘
:select-";
    assert_eq!((picture(&server).as_str(), cursor(&server)), (menu, None));
}

#[test]
fn sessions_that_fit_what_is_typed() {
    let format = "#{session_name}:#[fg=red]#{session_windows}";
    let mut server = after((20, 5), &["new-session -d -s other", "set -g status off"]);
    server.run(&["switch-mode", "-F", format]);
    assert_eq!(picture(&server), "main:1\nother:1\n\n\n(search)");
    assert_eq!(cursor(&server), Some((9, 4)));
    server.keys(mux::ClientId(1), b"er");
    assert_eq!(picture(&server), "other:1\n\n\n\n(search) er");
    let mut screen = Screen::new(1);
    screen.draw(&server);
    let bg = |x: u16| screen.frame.cell(x, 0).bg;
    assert_eq!((bg(2) == bg(0), bg(3) == bg(4), bg(3) == bg(0)), (true, true, false), "what was typed is marked");
}

#[test]
fn colours_of_the_theme_are_those_of_the_terminal() {
    let mut server = after((20, 5), &["set -s light-theme-green colour22", "set -g status-style bg=themegreen"]);
    server.run(&["set", "-g", "status-left", "#[bg=themered]x"]);
    let bg = |server: &Server, x: u16| {
        let mut screen = Screen::new(1);
        screen.draw(server);
        screen.frame.cell(x, 4).bg
    };
    let dark = bg(&server, 10);
    server.keys(mux::ClientId(1), b"\x1b[?997;2n");
    assert_eq!(bg(&server, 10), term::style::Color::indexed(22));
    assert!(dark != bg(&server, 10) && bg(&server, 0) != bg(&server, 10));
    server.run(&["set", "-s", "theme", "terminal"]);
    assert_eq!((bg(&server, 10), bg(&server, 0)), (term::style::Color::ansi(2), term::style::Color::ansi(1)));
}
