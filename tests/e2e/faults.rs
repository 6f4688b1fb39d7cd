//! Disks that fail and files that make no sense: no live session is lost for it, and no server ends.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::harness::{Home, Tty, process, wait_for};

const STORE: &str = "home/pty-sessions";

fn session(home: &Home, name: &str, word: &str) {
    // The word itself stands in no record, only on the screen.
    let (first, rest) = word.split_at(1);
    let line = format!("echo {first}''{rest}; exec cat");
    home.ok(&["new-session", "-d", "-s", name, "-x", "80", "-y", "24", &line]);
    home.wait_screen(name, word);
}

#[test]
fn f3_a_session_lives_though_nothing_can_be_kept_and_is_kept_once_it_can() {
    let home = Home::rove();
    fs::write(home.path(STORE), "in the way").unwrap();
    session(&home, "work", "walrus");
    let (server, pid) = (home.server(), home.pane_pid("work"));
    for number in 0..20 {
        home.ok(&["rename-window", "-t", "work", &format!("n{number}")]);
    }
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("not kept on disk");
    tty.type_keys("q");
    tty.wait_text("walrus");
    tty.type_keys("\u{1}d");
    assert_eq!(tty.wait_end().0, 0);
    assert_eq!((home.server(), home.pane_pid("work")), (server, pid));
    process::kill(server);
    assert_eq!(home.pane_pid("work"), pid, "another server takes over without a disk too");
    fs::remove_file(home.path(STORE)).unwrap();
    home.ok(&["send-keys", "-t", "work", "marmot", "Enter"]);
    home.ok(&["rename-window", "-t", "work", "again"]);
    wait_for("the screen on disk", || !home.files_with(STORE, "marmot").is_empty());
    home.crash();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("marmot");
}

#[test]
fn f3_a_store_that_goes_away_under_a_live_server_costs_no_session() {
    let home = Home::rove();
    session(&home, "work", "walrus");
    wait_for("the screen on disk", || !home.files_with(STORE, "walrus").is_empty());
    let (server, pid) = (home.server(), home.pane_pid("work"));
    fs::rename(home.path(STORE), home.path("away")).unwrap();
    fs::write(home.path(STORE), "in the way").unwrap();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    home.ok(&["send-keys", "-t", "work", "marmot", "Enter"]);
    tty.wait_text("not being kept on disk");
    assert_eq!((home.server(), home.pane_pid("work")), (server, pid));
    fs::remove_file(home.path(STORE)).unwrap();
    fs::rename(home.path("away"), home.path(STORE)).unwrap();
    wait_for("the screen on disk", || !home.files_with(STORE, "marmot").is_empty());
}

/// What may stand where a file of ours stood.
fn spoil(file: &Path, how: usize) {
    fs::remove_file(file).unwrap();
    match how {
        0 => fs::write(file, "").unwrap(),
        1 => fs::write(file, [0xff; 5000]).unwrap(),
        2 => fs::create_dir(file).unwrap(),
        3 => symlink("/dev/zero", file).unwrap(),
        4 => assert!(Command::new("mkfifo").arg(file).status().unwrap().success()),
        _ => {
            fs::write(file, "unreadable").unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o000)).unwrap();
        }
    }
}

#[test]
fn f4_whatever_stands_in_the_store_a_server_starts_and_what_is_whole_comes_back() {
    let home = Home::rove();
    for (name, word) in [("good", "walrus"), ("bad", "marmot")] {
        session(&home, name, word);
        wait_for("the screen on disk", || !home.files_with(STORE, word).is_empty());
    }
    home.ok(&["daemon", "stop"]);
    home.wait_empty();
    let screens = home.files_with(STORE, "marmot");
    for how in 0..6 {
        // Every file of the session's only pane, and its own, older ones too.
        for file in home.files(STORE) {
            let of_pane = screens.iter().any(|screen| screen.file_stem() == file.file_stem() || screen == &file);
            let of_session = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("bad."));
            if of_pane || of_session {
                spoil(&file, how);
            }
        }
        let listed = home.ok(&["ls"]);
        assert!(listed.contains("good"), "{how}: {listed}");
        let mut tty = Tty::open(&home, &["attach", "good"], 80, 24);
        // What was wrong is told first.
        tty.wait_text("[0/0]");
        tty.type_keys("q");
        tty.wait_text("walrus");
        session(&home, "new", "tapir");
        home.ok(&["kill", "new"]);
        home.ok(&["daemon", "stop"]);
        home.wait_empty();
        spoil_dirs(&home);
    }
}

/// Puts plain files back where nothing of ours stands, to be spoilt in the next way.
fn spoil_dirs(home: &Home) {
    for entry in fs::read_dir(home.path(STORE)).unwrap().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            fs::remove_dir(entry.path()).unwrap();
        } else if !kind.is_file() {
            fs::remove_file(entry.path()).unwrap();
        } else {
            continue;
        }
        fs::write(entry.path(), "").unwrap();
    }
}
