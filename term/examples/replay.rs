//! Replays a script on a terminal and prints what it is asked for, for comparisons with tmux.
//!
//! The script is lines on standard input: `new COLS ROWS LIMIT`, `feed FILE`, `resize COLS ROWS`,
//! `capture FLAGS START END` (flags as capture-pane's, `.` for none; START and END a number, `-` or `.`), `info`,
//! `replies`, `reload`.

#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, Write};
use term::{Capture, Event, LineNumber, Modes, Size, Terminal, VecStore};

fn capture(terminal: &Terminal, words: &[&str]) -> Vec<u8> {
    let number = |word: &str, ends: LineNumber, default: LineNumber| match word {
        "-" => ends,
        "." => default,
        word => LineNumber::At(word.parse().expect("a number")),
    };
    terminal.capture(&Capture {
        start: number(words[2], LineNumber::First, LineNumber::At(0)),
        end: number(words[3], LineNumber::Last, LineNumber::Last),
        ..Capture::with_flags(words[1])
    })
}

fn info(terminal: &Terminal) -> String {
    let modes = terminal.modes();
    let flag = |mode: Modes| u8::from(modes.contains(mode));
    let (upper, lower) = terminal.scroll_region();
    let tabs: Vec<String> = terminal.tabs().iter().map(u16::to_string).collect();
    format!(
        "{},{} h{} a{} i{} w{} o{} k{} c{} r{upper}-{lower} t{} {}\n",
        terminal.cursor().col,
        terminal.cursor().row,
        terminal.history_len(),
        u8::from(terminal.alternate_on()),
        flag(Modes::INSERT),
        flag(Modes::WRAP),
        flag(Modes::ORIGIN),
        flag(Modes::APPLICATION_KEYPAD),
        flag(Modes::APPLICATION_CURSOR),
        tabs.join(","),
        terminal.title(),
    )
}

fn main() {
    let mut terminal = Terminal::new(Size { cols: 80, rows: 24 }, 2000);
    let mut out = std::io::stdout().lock();
    let mut replies = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let words: Vec<&str> = line.split(' ').collect();
        let number = |i: usize| words[i].parse().expect("a number");
        match words[0] {
            "new" => {
                terminal = Terminal::new(Size { cols: number(1) as u16, rows: number(2) as u16 }, number(3));
                terminal.settings_mut().beyond_tmux = false;
                replies.clear();
            }
            "feed" => {
                for piece in std::fs::read(words[1]).expect("a file").chunks(4096) {
                    terminal.feed(piece);
                }
            }
            "resize" => terminal.resize(Size { cols: number(1) as u16, rows: number(2) as u16 }),
            "reload" => {
                let snapshot = terminal.snapshot(usize::MAX);
                terminal = Terminal::from_snapshot(&snapshot, Box::new(VecStore::default())).expect("sound");
                terminal.settings_mut().beyond_tmux = false;
                assert_eq!(terminal.snapshot(usize::MAX), snapshot);
            }
            "capture" => out.write_all(&capture(&terminal, &words)).expect("output"),
            "info" => out.write_all(info(&terminal).as_bytes()).expect("output"),
            "replies" => out.write_all(&replies).expect("output"),
            other => panic!("no such command: {other}"),
        }
        for event in terminal.take_events() {
            if let Event::Reply(bytes) = event {
                replies.extend(bytes);
            }
        }
        if matches!(words[0], "capture" | "info" | "replies") {
            out.write_all(b"\x00\n").expect("output");
        }
    }
}
