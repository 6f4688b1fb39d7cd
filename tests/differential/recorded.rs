//! Recorded streams against what tmux 3.7c showed of them.
#![allow(clippy::disallowed_methods, reason = "a test that reads its fixtures")]

use super::expect::{self, Capture};
use super::ours;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use term::{Size, Terminal};

const HISTORY: u32 = 50_000;

/// Differences that are meant: stream, part of the place (`80x24 back styled`, empty for all), and why.
const ACCEPTED: &[(&str, &str, &str)] = &[
    (
        "curses-xterm",
        "cursor",
        "tmux leaves the cursor right of the last column when the alternate screen gets narrower",
    ),
    (
        "gen-controls-unicode",
        "",
        "tmux remembers of a cell that it was once in extended form, even when erased; padding there is not counted",
    ),
    ("gen-utf8-bad", "", "tmux keeps the bytes F4 90 80 80, which are no character; here they are one U+FFFD"),
];

struct Difference {
    stream: String,
    place: String,
    detail: String,
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/streams")
}

fn streams() -> Vec<String> {
    let files = fs::read_dir(directory()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter_map(|name| name.strip_suffix(".expect").map(str::to_owned)).collect();
    names.sort();
    names
}

/// Plays a stream as it was recorded: at each size, then two resizes; compares every capture.
fn differences(stream: &str) -> Vec<Difference> {
    let bytes = fs::read(directory().join(stream)).unwrap();
    let text = fs::read_to_string(directory().join(stream.to_owned() + ".expect")).unwrap();
    let mut found = Vec::new();
    let mut terminal: Option<Terminal> = None;
    for capture in expect::parse(&text) {
        let (cols, rows) = capture.size;
        let size = Size { cols, rows };
        // The first capture of each phase brings the terminal there.
        match (capture.phase.as_str(), capture.kind.as_str()) {
            ("start", "plain") => terminal.insert(ours::as_tmux(size, HISTORY)).feed(&bytes),
            ("resized", "plain") => terminal.as_mut().unwrap().resize(Size { cols: 61, rows: 20 }),
            ("back", "plain") => terminal.as_mut().unwrap().resize(size),
            _ => {}
        }
        compare(stream, &capture, terminal.as_ref().unwrap(), &mut found);
    }
    found
}

fn compare(stream: &str, capture: &Capture, terminal: &Terminal, found: &mut Vec<Difference>) {
    let place = |what: &str| format!("{}x{} {} {what}", capture.size.0, capture.size.1, capture.phase);
    if capture.kind == "plain" {
        let cursor = terminal.cursor();
        if (cursor.col, cursor.row) != capture.cursor {
            let detail = format!("  tmux {:?}\n  ours {:?}\n", capture.cursor, (cursor.col, cursor.row));
            found.push(Difference { stream: stream.into(), place: place("cursor"), detail });
        }
    }
    let ours = ours::capture(terminal, &capture.kind);
    let lines: Vec<&[u8]> = ours.strip_suffix(b"\n").unwrap_or(&ours).split(|&byte| byte == b'\n').collect();
    if lines != capture.lines {
        found.push(Difference {
            stream: stream.into(),
            place: place(&capture.kind),
            detail: first_lines(&capture.lines, &lines),
        });
    }
}

/// The first three lines that differ.
fn first_lines(tmux: &[Vec<u8>], ours: &[&[u8]]) -> String {
    let mut text = String::new();
    if tmux.len() != ours.len() {
        text += &format!("  tmux {} lines, ours {}\n", tmux.len(), ours.len());
    }
    let pairs = tmux.iter().map(Vec::as_slice).zip(ours.iter().copied()).enumerate();
    for (number, (tmux, ours)) in pairs.filter(|(_, (tmux, ours))| tmux != ours).take(3) {
        text += &format!("  line {number}\n    tmux {}\n    ours {}\n", tmux.escape(), ours.escape());
    }
    text
}

trait Escape {
    fn escape(&self) -> String;
}

impl Escape for [u8] {
    fn escape(&self) -> String {
        String::from_utf8_lossy(self)
            .chars()
            .map(|c| if c.is_control() { format!("{c:?}") } else { c.into() })
            .collect()
    }
}

#[test]
fn recorded_streams_show_what_tmux_shows() {
    let names = streams();
    assert!(names.len() >= 40, "{} streams", names.len());
    let halves = names.split_at(names.len() / 2);
    let play = |names: &[String]| names.iter().flat_map(|name| differences(name)).collect::<Vec<_>>();
    let found = std::thread::scope(|scope| {
        let first = scope.spawn(|| play(halves.0));
        let mut found = play(halves.1);
        found.extend(first.join().unwrap());
        found
    });
    report(found);
}

fn report(found: Vec<Difference>) {
    let mut used = vec![false; ACCEPTED.len()];
    let mut open: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    for difference in found {
        let accepted =
            |(stream, place, _): &(&str, &str, &str)| *stream == difference.stream && difference.place.contains(place);
        match ACCEPTED.iter().position(accepted) {
            Some(row) => used[row] = true,
            None => open.entry(difference.stream.clone()).or_default().push(difference),
        }
    }
    let mut text = String::new();
    for (stream, differences) in &open {
        text += &format!("{stream}: {} differences\n", differences.len());
        for difference in differences.iter().take(4) {
            text += &format!(" {}\n{}", difference.place, difference.detail);
        }
    }
    assert!(open.is_empty(), "{} of {} streams differ\n{text}", open.len(), streams().len());
    for (row, used) in ACCEPTED.iter().zip(used) {
        assert!(used, "no longer differs, take it out of the table: {row:?}");
        assert!(!row.2.is_empty(), "a difference needs a reason: {row:?}");
    }
}
