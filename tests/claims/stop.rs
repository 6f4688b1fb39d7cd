//! What ends a session, and whether it is kept: `stop` keeps, `kill`, `reset` and closing forget.

use std::fs;

use crate::harness::{Home, Tty, process, wait_for};

fn home_with_work() -> Home {
    let home = Home::rove();
    home.ok(&[
        "new-session",
        "-d",
        "-s",
        "work",
        "-x",
        "80",
        "-y",
        "24",
        "echo started >> starts; echo walrus; exec cat",
    ]);
    home.ok(&["split-window", "-t", "work", "echo marmot; exec sleep 1000"]);
    home.wait_screen("work:0.0", "walrus");
    home.wait_screen("work:0.1", "marmot");
    home
}

#[test]
fn r41_r2_stop_ends_all_processes_and_attach_brings_all_back() {
    let home = home_with_work();
    let pids = [home.pane_pid("work:0.0"), home.pane_pid("work:0.1")];
    let layout = home.format("work", "#{window_layout}");
    home.ok(&["stop", "work"]);
    wait_for("the end of both", || pids.iter().all(|pid| !process::alive(*pid)));
    assert!(home.ok(&["ls"]).contains("work"), "it is still listed");
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_until("both screens", |screen| screen.text().matches("walrus").count() == 2 && screen.has("marmot"));
    assert_eq!(home.format("work", "#{window_layout}"), layout);
    assert_eq!(fs::read_to_string(home.path("work/starts")).unwrap().lines().count(), 2);
}

#[test]
fn r41_stop_tells_the_attached_client() {
    let home = home_with_work();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_text("walrus");
    home.ok(&["stop", "work"]);
    let (code, screen) = tty.wait_end();
    assert_eq!((code, screen.left_on()), (0, Vec::new()));
    assert!(screen.has("stopped"), "{}", screen.text());
}

#[test]
fn s41_kill_ends_and_forgets() {
    let home = home_with_work();
    wait_for("a record", || !home.files_with("home", "walrus").is_empty());
    home.ok(&["kill", "work"]);
    home.wait_empty();
    assert_eq!(home.files_with("home", "walrus"), [] as [std::path::PathBuf; 0]);
    assert!(!home.run(&["ls"]).stdout.contains("work"));
    let words = home.fails(&["has-session", "-t", "work"]);
    assert!(["work", "no server", "error connecting"].iter().any(|what| words.contains(what)), "{words}");
}

#[test]
fn s41_a_killed_session_does_not_come_back_after_a_crash() {
    let home = home_with_work();
    home.ok(&["new-session", "-d", "-s", "other", "cat"]);
    wait_for("a record", || !home.files_with("home", "walrus").is_empty());
    home.ok(&["kill", "work"]);
    assert_eq!(home.ok(&["list-sessions", "-F", "#{session_name}"]), "other");
    home.crash();
    let listed = home.ok(&["ls"]);
    assert!(listed.contains("other") && !listed.contains("work"), "{listed}");
}

#[test]
fn s7_a_closed_pane_is_forgotten_and_the_rest_stays() {
    let home = home_with_work();
    wait_for("records", || {
        !home.files_with("home", "walrus").is_empty() && !home.files_with("home", "marmot").is_empty()
    });
    let (closed, stays) = (home.pane_pid("work:0.1"), home.pane_pid("work:0.0"));
    home.ok(&["kill-pane", "-t", "work:0.1"]);
    wait_for("the end of one", || !process::alive(closed));
    assert!(process::alive(stays));
    wait_for("the end of its record", || home.files_with("home", "marmot").is_empty());
    home.crash();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_text("walrus");
    assert_eq!(home.ok(&["list-panes", "-t", "work"]).lines().count(), 1);
}

#[test]
fn s52_the_end_of_the_last_program_forgets_the_session() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "echo walrus; read line"]);
    home.wait_screen("work", "walrus");
    home.ok(&["send-keys", "-t", "work", "Enter"]);
    home.wait_empty();
    assert!(home.files_with("home", "walrus").is_empty());
    assert!(!home.run(&["ls"]).stdout.contains("work"));
}

#[test]
fn s17_reset_ends_and_forgets_everything() {
    let home = home_with_work();
    home.ok(&["new-session", "-d", "-s", "other", "cat"]);
    home.ok(&["reset", "--yes"]);
    home.wait_empty();
    assert!(home.files_with("home", "walrus").is_empty());
    assert_eq!(home.run(&["ls"]).stdout, "");
}

#[test]
fn s39_terminating_the_server_keeps_the_last_byte() {
    let home = home_with_work();
    home.ok(&["send-keys", "-t", "work:0.0", "the very last word", "Enter"]);
    home.wait_screen("work:0.0", "the very last word\nthe very last word");
    process::signal(home.server(), process::Signal::TERM);
    home.wait_empty();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_text("the very last word");
}

#[test]
fn daemon_stop_keeps_and_attach_brings_back() {
    let home = home_with_work();
    home.ok(&["daemon", "stop"]);
    home.wait_empty();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_until("both screens", |screen| screen.has("walrus") && screen.has("marmot"));
    assert_eq!(fs::read_to_string(home.path("work/starts")).unwrap().lines().count(), 2);
}

#[test]
fn s1_s20_r39_a_session_is_not_its_terminal() {
    let home = Home::rove();
    let mut tty = Tty::open(&home, &["new", "-s", "work"], 80, 24);
    tty.wait_text("$");
    tty.type_keys("echo $(echo wal)rus; cd /\r");
    tty.wait_text("walrus");
    tty.close();
    wait_for("no client", || home.ok(&["list-clients"]).is_empty());
    assert!(home.screen("work").contains("walrus"));
}

#[test]
fn s42_the_prefix_is_control_a_and_detach_says_how_to_come_back() {
    let home = Home::rove();
    let mut tty = Tty::open(&home, &["new", "-s", "work"], 80, 24);
    tty.wait_text("$");
    tty.type_keys("\u{1}d");
    let (code, screen) = tty.wait_end();
    assert_eq!((code, screen.left_on()), (0, Vec::new()));
    assert!(screen.has("detached"), "{}", screen.text());
    assert_eq!(home.ok(&["show-options", "-gv", "prefix"]), "C-a");
    assert_eq!(home.ok(&["show-options", "-gv", "history-limit"]), "1000");
}

#[test]
fn s65_a_split_is_a_login_shell_in_the_same_directory() {
    let home = Home::rove();
    let directory = home.path("engines").display().to_string();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "-c", &directory]);
    // By its key: a call from a shell splits in that shell's directory.
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("$");
    tty.type_keys("\u{1}\"");
    wait_for("two panes", || home.ok(&["list-panes", "-t", "work"]).lines().count() == 2);
    let shell = home.pane_pid("work:0.1");
    wait_for("the shell", || process::argv(shell).first().is_some_and(|word| word == "-sh"));
    home.ok(&["send-keys", "-t", "work:0.1", "pwd", "Enter"]);
    home.wait_screen("work:0.1", &directory);
}

#[test]
fn without_a_terminal_rove_says_so() {
    let home = Home::rove();
    for args in [&[][..], &["attach"], &["new", "-s", "work"]] {
        let call = home.run(args);
        assert_eq!(call.code, 1, "{call:?}");
        assert!(!call.stderr.is_empty() && call.stderr.trim_end().lines().count() <= 2, "{call:?}");
    }
}

#[test]
fn plain_rove_opens_the_session_of_the_directory_and_finds_it_again() {
    let home = Home::rove();
    let mut tty = Tty::open(&home, &[], 80, 24);
    tty.wait_text("$");
    tty.type_keys("echo wal''rus\r");
    tty.wait_text("walrus");
    tty.type_keys("\u{1}d");
    assert_eq!(tty.wait_end().0, 0);
    let mut again = Tty::open(&home, &[], 80, 24);
    again.wait_text("walrus");
    assert_eq!(home.ok(&["list-sessions"]).lines().count(), 1);
}

#[test]
fn attach_to_an_unknown_name_says_which_there_are() {
    let home = home_with_work();
    let mut tty = Tty::open(&home, &["attach", "nope"], 80, 24);
    let (code, screen) = tty.wait_end();
    assert_eq!((code, screen.left_on()), (1, Vec::new()));
    assert!(screen.has("nope") && screen.has("work"), "{}", screen.text());
}
