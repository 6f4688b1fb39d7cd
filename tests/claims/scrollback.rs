//! Scrollback: how much is kept, that it is what was there, and how far one can scroll.

use std::fs;

use super::store::{STORE, frozen, screen_file, session, text_of};
use crate::harness::{Home, Tty, wait_for, wait_some};

/// The numbers of lines `prefix N suffix`; fails at a line that is neither that nor empty.
fn numbers(text: &str, tail: &str) -> Vec<u64> {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let number = line.strip_prefix("line ").and_then(|rest| rest.strip_suffix(tail));
            number.and_then(|number| number.trim().parse().ok()).unwrap_or_else(|| panic!("a torn line: {line:?}"))
        })
        .collect()
}

#[test]
fn s74_the_newest_512_kib_are_kept_from_a_whole_line_on() {
    const TAIL: &str = " größer 日本語 the quick brown fox jumps";
    let home = Home::rove();
    home.ok(&[
        "start-server",
        ";",
        "set-option",
        "-g",
        "history-limit",
        "100000",
        ";",
        "new-session",
        "-d",
        "-s",
        "first",
        "cat",
    ]);
    // About 2 MiB, with colours and wide characters, so that a cut at any byte would show.
    let line = format!("seq -f \"$(printf '\\033')[32mline %07.0f$(printf '\\033')[0m{TAIL}\" 1 34000; exec cat");
    session(&home, "work", &line);
    let file = screen_file(&home, "work");
    let terminal = wait_some("the last line on disk", || {
        frozen(&file).filter(|terminal| text_of(terminal, false).contains("line 0034000"))
    });
    let kept = numbers(&text_of(&terminal, false), TAIL);
    assert!(kept.windows(2).all(|pair| pair[1] == pair[0] + 1) && kept.last() == Some(&34_000));
    let bytes = kept.len() * (" line 0000000".len() + TAIL.len());
    let size = fs::metadata(&file).unwrap().len();
    println!("s74: {} lines, {bytes} bytes of text, a file of {size} bytes", kept.len());
    assert!((384 << 10..=640 << 10).contains(&size), "{size}");
    assert!((256 << 10..=1 << 20).contains(&bytes), "{bytes}");
    assert_eq!(numbers(&home.history("work"), TAIL).len(), 34_000, "alive there is all of it");
    home.crash();
    let mut tty = Tty::open(&home, &["attach", "first"], 80, 24);
    tty.wait_until("the session", |screen| screen.alternate);
    let back = home.history("work");
    assert_eq!(numbers(&back, TAIL), kept, "what comes back is what was kept");
    home.ok(&["set-option", "-s", "freeze-history", "64"]);
}

#[test]
fn s75_what_is_frozen_is_what_is_live() {
    let home = Home::rove();
    let line = "for i in $(seq 1 300); do printf '\\033[%dmline %d\\033[0m \\033[4munder\\033[0m 日本\\n' $((30 + i % 8)) $i; done; \
                printf '\\033]2;a title\\007\\033[5;10H\\033[7mhere\\033[0m'; exec cat";
    session(&home, "work", line);
    home.wait_screen("work", "here");
    let live = |escapes: bool| {
        let mut words = vec!["capture-pane", "-p", "-S", "-", "-t", "work"];
        words.extend(escapes.then_some("-e"));
        home.run(&words).ok()
    };
    let file = screen_file(&home, "work");
    let terminal = wait_some("the end of it on disk", || {
        frozen(&file).filter(|terminal| text_of(terminal, false).contains("here"))
    });
    let trimmed = |text: &str| text.trim_end_matches('\n').to_owned();
    assert_eq!(trimmed(&text_of(&terminal, true)), trimmed(&live(true)));
    assert_eq!(terminal.history_len().to_string(), home.format("work", "#{history_size}"));
    let cursor = terminal.cursor();
    assert_eq!(format!("{} {}", cursor.col, cursor.row), home.format("work", "#{cursor_x} #{cursor_y}"));
    assert_eq!(terminal.title(), home.format("work", "#{pane_title}"));
    let before = live(true);
    home.crash();
    home.ok(&["ls"]);
    assert_eq!(live(true), before, "and it comes back so");
}

#[test]
fn s78_the_last_whole_snapshot_counts_and_half_a_file_beside_it_goes() {
    let home = Home::rove();
    session(&home, "work", "echo wal''rus; exec cat");
    home.wait_screen("work", "walrus");
    wait_for("the screen on disk", || !home.files_with(STORE, "walrus").is_empty());
    home.crash();
    let files = home.files(STORE);
    for file in &files {
        let bytes = fs::read(file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        // As a write that was cut leaves it.
        fs::write(file.with_file_name(format!(".{name}.1f-1.tmp")), &bytes[..bytes.len() / 2]).unwrap();
    }
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_until("the old and the new run", |screen| screen.text().matches("walrus").count() == 2);
    let left: Vec<_> =
        home.files(STORE).into_iter().filter(|file| file.display().to_string().ends_with(".1f-1.tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn s85_s86_a_thousand_lines_unless_said_otherwise_and_only_for_what_is_started_after() {
    let home = Home::rove();
    let print = "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo line $i; done; echo all; exec cat";
    // At the limit a tenth goes at once, as in tmux.
    let is_full = |pane: &str, limit: u64| {
        assert_eq!(home.format(pane, "#{history_limit}"), limit.to_string());
        let size: u64 = home.format(pane, "#{history_size}").parse().unwrap();
        assert!(size <= limit && size >= limit - limit / 10, "{pane}: {size} of {limit}");
    };
    session(&home, "work", print);
    home.wait_screen("work", "all");
    is_full("work:0", 1000);
    home.ok(&["set-option", "-g", "history-limit", "3000"]);
    home.ok(&["new-window", "-d", "-t", "work:1", print]);
    home.wait_screen("work:1", "all");
    is_full("work:1", 3000);
    // One that was started before the change keeps its limit, however much it prints afterwards.
    home.ok(&["respawn-pane", "-k", "-t", "work:0", &format!("{print} # again")]);
    home.wait_screen("work:0", "all");
    home.ok(&["send-keys", "-t", "work:1", "more", "Enter"]);
    home.wait_screen("work:1", "more");
    is_full("work:1", 3000);
    // A return keeps what each had.
    wait_for("the screens on disk", || !home.files_with(STORE, "more").is_empty());
    let limits = home.ok(&["list-panes", "-a", "-F", "#{history_limit}"]);
    home.crash();
    home.ok(&["ls"]);
    assert_eq!(home.ok(&["list-panes", "-a", "-F", "#{history_limit}"]), limits);
    is_full("work:1", 3000);
}
