//! What a terminal shows after the bytes, read back by the terminal engine.

#[path = "../../draw/src/project/tests/world.rs"]
mod world;

use super::*;
use mux::Input;
use term::Terminal;
use world::Server;

const CLIENT: ClientId = ClientId(1);

/// A server with a client of 40 by 8, its terminal, and what that shows.
struct Shown {
    server: Server,
    tty: Tty,
    screen: Terminal,
}

impl Shown {
    fn new() -> Shown {
        let server = Server::new((40, 8));
        let mut tty = Tty::new(&server.mux, &server.mux.clients[&CLIENT]).unwrap();
        tty.enter();
        Shown { server, tty, screen: Terminal::new(Size { cols: 40, rows: 8 }, 0) }
    }

    fn update(&mut self) -> bool {
        let server = &mut *self.server;
        self.tty.update(&mut server.mux, &server.world, server.now)
    }

    /// The terminal takes what is pending.
    fn take(&mut self) -> usize {
        let bytes = self.tty.pending().to_vec();
        self.screen.feed(&bytes);
        self.tty.written(bytes.len());
        bytes.len()
    }

    fn row(&self, y: u16) -> String {
        let text: String = self.screen.row(y).cells.iter().filter_map(|cell| cell.glyph.as_char()).collect();
        text.trim_end().to_owned()
    }
}

#[test]
fn a_change_is_painted_once() {
    let mut shown = Shown::new();
    shown.take();
    assert!(shown.update());
    shown.take();
    assert_eq!((shown.row(0), shown.row(7)), ("hello".into(), "[main] 0:win*    \"title\" 12:00 30-Nov-26".into()));
    assert!(!shown.update() && shown.tty.pending().is_empty());
    shown.server.write(0, b"x");
    assert!(shown.update());
    assert_eq!(shown.take(), 1);
    assert_eq!(shown.row(1), "x");
}

#[test]
fn frames_are_skipped_while_the_terminal_takes_none() {
    let mut shown = Shown::new();
    shown.take();
    shown.update();
    let frame = shown.tty.pending().len();
    for _ in 0..100 {
        shown.server.write(0, b"more\r\n");
        assert!(shown.update());
    }
    assert_eq!(shown.tty.pending().len(), frame);
    shown.take();
    assert_eq!(shown.row(0), "hello");
    assert!(shown.update());
    shown.take();
    assert_eq!((shown.row(0), shown.row(5)), ("more".into(), "more".into()));
}

#[test]
fn a_repaint_or_another_size_draws_everything() {
    let mut shown = Shown::new();
    shown.take();
    shown.update();
    shown.take();
    shown.screen.feed(b"\x1b[2Jrubbish");
    shown.server.run(&["refresh-client", "-t", "/dev/tty1"]);
    assert!(shown.update());
    shown.take();
    assert_eq!((shown.row(0), shown.row(3)), ("hello".into(), String::new()));
    assert!(shown.server.mux.repaint.is_empty());
    shown.server.handle(Input::ClientResized(CLIENT, (30, 5)));
    shown.tty.resize((30, 5));
    shown.screen.resize(term::Size { cols: 30, rows: 5 });
    shown.screen.feed(b"\x1b[Hrubbish");
    assert!(shown.update());
    shown.take();
    assert_eq!((shown.row(0), shown.row(4)), ("hello".into(), "[main] \"title\" 12:00 30-Nov-26".into()));
}

#[test]
fn what_the_terminal_answers_is_believed() {
    let mut shown = Shown::new();
    shown.take();
    shown.update();
    shown.take();
    let before = shown.tty.caps.clone();
    shown.server.handle(Input::ClientBytes(CLIENT, b"\x1bP>|tmux 3.7c\x1b\\"));
    assert!(shown.update());
    assert_ne!(shown.tty.caps, before);
    let names = &shown.server.mux.clients[&CLIENT].features;
    assert!(names.iter().any(|name| name == "sync") || names.iter().any(|name| name == "RGB"), "{names:?}");
}

#[test]
fn a_mode_that_the_terminal_turns_out_to_know_is_set() {
    let mut shown = Shown::new();
    shown.take();
    shown.server.run(&["set-option", "-s", "extended-keys", "on"]);
    shown.update();
    shown.take();
    assert!(!shown.screen.modes().intersects(term::Modes::ALL_KEYS_EXTENDED), "{}", shown.tty.caps.feature_names());
    let visible = shown.server.mux.visible;
    shown.server.handle(Input::ClientBytes(CLIENT, b"\x1bP>|tmux 3.7c\x1b\\"));
    assert!(shown.server.mux.visible > visible, "who draws is called");
    assert!(shown.update());
    shown.take();
    assert!(shown.screen.modes().intersects(term::Modes::ALL_KEYS_EXTENDED));
}

#[test]
fn status_ranges_reach_the_model() {
    let mut shown = Shown::new();
    shown.take();
    shown.update();
    let ranges = &shown.server.mux.clients[&CLIENT].status_ranges;
    let window = ranges.iter().find(|range| range.what == RangeOf::Window(0)).unwrap();
    assert_eq!((window.row, window.from, window.to), (7, 7, 13));
    assert!(
        ranges.iter().any(|range| range.what == RangeOf::Left)
            && ranges.iter().any(|range| range.what == RangeOf::Right)
    );
}

#[test]
fn leaving_gives_the_screen_back() {
    let mut shown = Shown::new();
    shown.take();
    shown.update();
    shown.tty.raw(b"\x07");
    let pending = shown.tty.pending().to_vec();
    let bytes = shown.tty.leave();
    assert!(bytes.starts_with(&pending) && bytes.ends_with(b"\x1b[?1049l"));
    assert!(shown.tty.pending().is_empty() && !shown.update());
    shown.tty.enter();
    shown.screen = Terminal::new(Size { cols: 40, rows: 8 }, 0);
    shown.take();
    assert!(shown.update());
    shown.take();
    assert_eq!(shown.row(0), "hello");
}

#[test]
fn what_is_shown_of_a_larger_window_reaches_the_model() {
    let mut shown = Shown::new();
    shown.take();
    shown.server.run(&["resize-window", "-x", "100", "-y", "20"]);
    shown.server.write(0, b"\x1b[20;100Hz");
    shown.update();
    shown.take();
    assert_eq!(shown.row(6), format!("{}z", " ".repeat(39)));
    assert_eq!(shown.server.mux.clients[&CLIENT].view, (60, 13));
    shown.server.run(&["refresh-client", "-t", "/dev/tty1", "-L", "10"]);
    shown.update();
    shown.take();
    assert_eq!(shown.server.mux.clients[&CLIENT].view, (50, 13));
    shown.server.run(&["refresh-client", "-t", "/dev/tty1", "-c"]);
    shown.update();
    assert_eq!(shown.server.mux.clients[&CLIENT].view, (60, 13));
}
