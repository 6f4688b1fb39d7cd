//! The case files in `mux/cases`, recorded from tmux 3.7c, replayed; and that they reach every command.

use super::*;
use crate::Event;
use crate::fake::{Bench, words};
use std::collections::BTreeSet;

const CASES: &[(&str, &str)] = &[
    ("control", include_str!("../../cases/control.case")),
    ("effects", include_str!("../../cases/effects.case")),
    ("floating", include_str!("../../cases/floating.case")),
    ("files", include_str!("../../cases/files.case")),
    ("groups", include_str!("../../cases/groups.case")),
    ("hooks", include_str!("../../cases/hooks.case")),
    ("keys", include_str!("../../cases/keys.case")),
    ("modes", include_str!("../../cases/modes.case")),
    ("lists", include_str!("../../cases/lists.case")),
    ("menus", include_str!("../../cases/menus.case")),
    ("options", include_str!("../../cases/options.case")),
    ("panes", include_str!("../../cases/panes.case")),
    ("prompts", include_str!("../../cases/prompts.case")),
    ("sessions", include_str!("../../cases/sessions.case")),
    ("shell", include_str!("../../cases/shell.case")),
    ("links", include_str!("../../cases/links.case")),
    ("windows", include_str!("../../cases/windows.case")),
];

/// A server and the clients of one case.
struct Case {
    bench: Bench,
    control: Option<ClientId>,
    terminal: Option<ClientId>,
}

impl Case {
    fn new() -> Case {
        Case { bench: Bench::new(Face::Tmux), control: None, terminal: None }
    }

    /// What a line of the case comes to, in the lines of the file.
    fn answer(&mut self, kind: char, rest: &str) -> Vec<String> {
        match kind {
            '<' => self.command(rest),
            'c' => self.control(rest),
            't' => {
                let words = words(rest);
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                self.terminal = Some(self.bench.terminal((80, 24), &words));
                Vec::new()
            }
            'k' => {
                let client = self.terminal.expect("a case types at the client it has");
                self.bench.keys(client, &unescape(rest));
                self.bench.advance(std::time::Duration::from_millis(600));
                Vec::new()
            }
            'f' => {
                let (path, text) = rest.split_once(' ').expect("a path and what the file holds");
                self.bench.world.files.insert(path.to_owned(), unescape(text));
                Vec::new()
            }
            'o' => {
                let (pane, text) = rest.split_once(' ').expect("a pane and what it writes");
                let pane = PaneId(pane[1..].parse().expect("the number of a pane"));
                self.bench.output(pane, &unescape(text));
                Vec::new()
            }
            _ => panic!("no line of a case: {kind} {rest}"),
        }
    }

    fn command(&mut self, rest: &str) -> Vec<String> {
        let words = words(rest);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let client = self.bench.start(&words);
        self.bench.advance(std::time::Duration::from_millis(20));
        let ran = self.bench.ran(client);
        let Some(status) = ran.status else { return vec!["= waits".to_owned()] };
        let mut lines = marked("> ", &ran.stdout);
        lines.extend(marked("! ", &ran.stderr));
        lines.extend((status != 0).then(|| format!("= {status}")));
        lines
    }

    fn control(&mut self, line: &str) -> Vec<String> {
        let client = *self.control.get_or_insert_with(|| self.bench.control(&["attach"]));
        self.bench.events.clear();
        self.bench.control_line(client, line);
        let mut text = String::new();
        for event in &self.bench.events {
            match event {
                Event::CommandPrinted(to, bytes) if *to == client => {
                    text += &String::from_utf8_lossy(bytes);
                    text.push('\n');
                }
                Event::CommandEnded { client: to, failed, .. } if *to == client => {
                    return marked(if *failed { "! " } else { "> " }, &text);
                }
                _ => {}
            }
        }
        Vec::new()
    }
}

fn marked(mark: &str, text: &str) -> Vec<String> {
    text.lines().map(|line| format!("{mark}{line}").trim_end().to_owned()).collect()
}

/// The escapes `\r`, `\n`, `\\` and `\xNN` of a text.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return bytes,
            [b'\\', b'x', high, low, after @ ..] => {
                let digit = |digit: u8| char::from(digit).to_digit(16).expect("a hexadecimal digit") as u8;
                bytes.push(digit(*high) * 16 + digit(*low));
                after
            }
            [b'\\', letter, after @ ..] => {
                bytes.push(match letter {
                    b'r' => b'\r',
                    b'n' => b'\n',
                    letter => *letter,
                });
                after
            }
            [byte, after @ ..] => {
                bytes.push(*byte);
                after
            }
        };
    }
}

fn replay(name: &str) {
    let (_, text) = CASES.iter().find(|(other, _)| *other == name).expect("the file is listed");
    let mut differences = String::new();
    let mut case = Case::new();
    let mut own: Option<Vec<String>> = None;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.is_empty() {
            case = Case::new();
            continue;
        }
        let Some((kind, rest)) =
            line.chars().next().zip(Some(line.get(2..).unwrap_or_default())).filter(|(kind, _)| *kind != '#')
        else {
            continue;
        };
        if kind == '~' {
            own.get_or_insert_default().extend((!rest.is_empty()).then(|| rest.to_owned()));
            continue;
        }
        let mut expected = Vec::new();
        while let Some(answer) = lines.next_if(|line| line.starts_with(['>', '!', '='])) {
            expected.push(answer.to_owned());
        }
        let expected = own.take().unwrap_or(expected);
        let found = case.answer(kind, rest);
        case.bench.mux.check();
        if found != expected {
            differences +=
                &format!("{line}\n  tmux: {}\n  ours: {}\n", expected.join("\n        "), found.join("\n        "));
        }
    }
    assert!(differences.is_empty(), "{name}:\n{differences}");
}

macro_rules! replays {
    ($($name:ident)*) => { $(#[test] fn $name() { replay(stringify!($name)); })* };
}

replays!(control effects files floating groups hooks keys links lists menus modes options panes prompts sessions shell windows);

#[test]
fn every_command_is_exercised() {
    let mut names = BTreeSet::new();
    for (_, text) in CASES {
        for line in text.lines().filter_map(|line| line.strip_prefix("< ").or(line.strip_prefix("c "))) {
            let mux = crate::fake::empty(Face::Tmux);
            if let Ok(commands) = mux.commands_of_words(&words(line)) {
                names.extend(commands.list.iter().map(|command| command.signature.name));
            }
        }
    }
    let missing: Vec<&str> =
        rows(Face::Tmux).map(|row| row.signature.name).filter(|name| !names.contains(name)).collect();
    assert_eq!(missing, [""; 0], "no case runs these");
}
