//! Runs the cases in `tests/cases`: what a terminal shows after some bytes. Their pictures are what tmux 3.7c shows.
//!
//! ```text
//! == name                  begins a case on a fresh terminal of 20 columns, 5 rows, a history of 100
//! size COLS ROWS LIMIT     another terminal
//! tmux                     no more than tmux understands
//! feed TEXT                with \e \r \n \t \\ and \xNN
//! resize COLS ROWS
//! cursor COL,ROW           must be there
//! history N                so many rows
//! title TEXT | unknown N | region UPPER,LOWER | tabs COL,... | alternate yes|no
//! reply TEXT               what was answered since the last of these
//! raw NEEDLE               lines of the dump (capture-pane -R) with this in them: those after this with `|`
//! screen [FLAGS [START]]   what is captured: the lines after this that begin with `|`
//! ```
#![allow(clippy::disallowed_methods)]

use term::{Capture, Event, LineNumber, Size, Terminal};

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'e') => out.push(0x1b),
            Some(b'r') => out.push(b'\r'),
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(b'x') => {
                let digits: Vec<u8> = rest.by_ref().take(2).collect();
                let digits = String::from_utf8(digits).expect("digits");
                out.push(u8::from_str_radix(&digits, 16).expect("two digits"));
            }
            other => out.push(other.expect("something after a backslash")),
        }
    }
    out
}

fn escape(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .replace('\\', "\\\\")
        .replace('\x1b', "\\e")
        .replace('\t', "\\t")
        .replace('\x0e', "\\x0e")
        .replace('\x0f', "\\x0f")
        .replace('\x07', "\\x07")
}

fn capture(terminal: &Terminal, words: &[&str]) -> Vec<String> {
    let flags = words.first().copied().unwrap_or("");
    let start = match words.get(1) {
        None => LineNumber::At(0),
        Some(&"-") => LineNumber::First,
        Some(number) => LineNumber::At(number.parse().expect("a line number")),
    };
    let bytes = terminal.capture(&Capture { start, ..Capture::with_flags(flags) });
    escape(&bytes).lines().map(|line| format!("|{line}")).collect()
}

/// The lines of the dump that have `needle` in them.
fn dump(terminal: &Terminal, needle: &str) -> Vec<String> {
    let dump = terminal.dump();
    dump.lines().filter(|line| line.contains(needle)).map(|line| format!("|{}", line.trim_start())).collect()
}

fn list(numbers: impl IntoIterator<Item = u16>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

fn numbers(text: &str) -> Vec<u16> {
    text.split([' ', ',']).map(|word| word.parse().expect("a number")).collect()
}

/// Does a line of a case; what it found where it had to look.
fn step(terminal: &mut Terminal, verb: &str, rest: &str) -> Option<String> {
    match verb {
        "size" => {
            let n = numbers(rest);
            *terminal = Terminal::new(Size { cols: n[0], rows: n[1] }, n[2].into());
        }
        "tmux" => terminal.settings_mut().beyond_tmux = false,
        "feed" => terminal.feed(&unescape(rest)),
        "resize" => {
            let n = numbers(rest);
            terminal.resize(Size { cols: n[0], rows: n[1] });
        }
        "cursor" => return Some(list([terminal.cursor().col, terminal.cursor().row])),
        "history" => return Some(terminal.history_len().to_string()),
        "title" => return Some(terminal.title().into()),
        "unknown" => return Some(terminal.unknown().to_string()),
        "region" => return Some(list(<[u16; 2]>::from(terminal.scroll_region()))),
        "tabs" => return Some(list(terminal.tabs())),
        "alternate" => return Some(if terminal.alternate_on() { "yes" } else { "no" }.into()),
        "reply" => {
            let events = terminal.take_events();
            let replies = events.iter().filter_map(|event| match event {
                Event::Reply(bytes) => Some(escape(bytes)),
                _ => None,
            });
            return Some(replies.collect());
        }
        other => panic!("no such verb: {other}"),
    }
    None
}

fn run(path: &std::path::Path) -> usize {
    let text = std::fs::read_to_string(path).expect("a case file");
    let mut terminal = Terminal::new(Size { cols: 20, rows: 5 }, 100);
    let mut lines = text.lines().enumerate().peekable();
    let mut checks = 0;
    let mut name = "";
    while let Some((number, line)) = lines.next() {
        let place = format!("{}:{}: {name}", path.display(), number + 1);
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "" | "#" => {}
            "==" => {
                name = rest;
                terminal = Terminal::new(Size { cols: 20, rows: 5 }, 100);
            }
            "screen" | "raw" => {
                let mut wanted = Vec::new();
                while let Some((_, line)) = lines.next_if(|(_, line)| line.starts_with('|')) {
                    wanted.push(line.trim_end_matches('~').to_string());
                }
                let words: Vec<&str> = rest.split_whitespace().collect();
                let found = if verb == "raw" { dump(&terminal, rest) } else { capture(&terminal, &words) };
                assert_eq!(found.join("\n"), wanted.join("\n"), "{place}");
                checks += 1;
            }
            verb => {
                if let Some(found) = step(&mut terminal, verb, rest) {
                    assert_eq!(found, rest, "{place}: {verb}");
                    checks += 1;
                }
            }
        }
    }
    checks
}

#[test]
fn cases_show_what_tmux_shows() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut checks = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of cases") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "case") {
            checks += run(&path);
        }
    }
    assert!(checks > 50, "only {checks} checks ran");
}
