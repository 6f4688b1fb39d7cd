//! What the program answers beside what tmux 3.7c answered: formats, errors, targets, layouts, options and lists, recorded by
//! `record.py` and asked here of the real binary, many lines to a server.

use crate::harness::{Control, Home};

const CASES: &[(&str, &str)] = &[
    ("errors", include_str!("errors.case")),
    ("layouts", include_str!("layouts.case")),
    ("lists", include_str!("lists.case")),
    ("modifiers", include_str!("modifiers.case")),
    ("options", include_str!("options.case")),
    ("targets", include_str!("targets.case")),
    ("variables", include_str!("variables.case")),
];

/// The words of a line as a shell takes them, without expansions.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(mark), c) if c == mark => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (None, ' ') => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn home() -> Home {
    let mut home = Home::tmux();
    for (name, value) in [("TERM", "xterm-256color"), ("TZ", "UTC"), ("SHELL", "/bin/sh"), ("PATH", "/usr/bin:/bin")] {
        home.set(name, value);
    }
    home
}

fn marked(mark: &str, lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| format!("{mark}{line}").trim_end().to_owned()).collect()
}

/// What a line of a case is answered now.
fn answer(home: &Home, control: &mut Option<Control>, line: &str) -> Vec<String> {
    if let Some(rest) = line.strip_prefix("< ") {
        let words = words(rest);
        let call = home.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(call.code, 0, "{line}");
        return Vec::new();
    }
    let control = control.get_or_insert_with(|| Control::open(home, &["attach"]));
    control.send(line.strip_prefix("c ").expect("a line is asked of a control client"));
    let block = control.block();
    marked(if block.ok { "> " } else { "! " }, &block.lines)
}

fn replay(name: &str) {
    let (_, text) = CASES.iter().find(|(other, _)| *other == name).expect("the file is listed");
    let mut differences = Vec::new();
    let mut asked = 0;
    let (mut server, mut control) = (home(), None);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.is_empty() {
            drop(control.take());
            server = home();
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut expected = Vec::new();
        while let Some(answer) = lines.next_if(|line| line.starts_with(['>', '!', '='])) {
            expected.push(answer.to_owned());
        }
        asked += 1;
        let found = answer(&server, &mut control, line);
        if found != expected {
            let (tmux, ours) = (expected.join("\n        "), found.join("\n        "));
            differences.push(format!("{line}\n  tmux: {tmux}\n  ours: {ours}\n"));
        }
    }
    assert!(asked > 50, "{name} has only {asked} lines");
    let count = differences.len();
    assert!(count == 0, "{name}: {count} of {asked} differ:\n{}", differences.concat());
}

macro_rules! replays {
    ($($name:ident)*) => { $(#[test] fn $name() { replay(stringify!($name)); })* };
}

replays!(errors layouts lists modifiers options targets variables);
