//! What keeps the server and its host, and when they leave: clients, live programs and enabled routines hold; saved layouts do not.

use std::fs;
use std::time::{Duration, Instant};

use crate::harness::{Home, Tty, observe_for, process, wait_for};

/// A home whose server leaves this many seconds after its last hold.
fn home_with_grace(seconds: u64) -> Home {
    let home = Home::rove();
    fs::create_dir_all(home.path("user/.config/rove")).unwrap();
    fs::write(home.path("user/.config/rove/rove.conf"), format!("set -s idle-exit {seconds}\n")).unwrap();
    home
}

/// How long a thing is looked at that must not happen after one second.
const A_WHILE: Duration = Duration::from_millis(2500);

#[test]
fn s27_the_server_leaves_some_seconds_after_the_last_client_when_nothing_lives() {
    assert_eq!(Home::rove().ok(&["start-server", ";", "show-options", "-sv", "idle-exit"]), "3", "as it is by default");
    let home = home_with_grace(1);
    home.ok(&[
        "start-server",
        ";",
        "set-option",
        "-g",
        "remain-on-exit",
        "on",
        ";",
        "new-session",
        "-d",
        "-s",
        "work",
        "echo walrus",
    ]);
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("Pane is dead");
    let server = home.server();
    observe_for(A_WHILE, "a client holds the server", || process::alive(server));
    assert!(home.ok(&["daemon", "status"]).contains("held by 1 client"));
    let start = Instant::now();
    tty.type_keys("\u{1}d");
    assert_eq!(tty.wait_end().0, 0);
    home.wait_empty();
    assert!(start.elapsed() >= Duration::from_millis(900), "it gave {:?} of grace", start.elapsed());
    let mut again = Tty::open(&home, &["attach", "work"], 80, 24);
    again.wait_text("Pane is dead");
    assert!(home.history("work").contains("walrus"));
}

#[test]
fn s28_an_enabled_routine_holds_the_server_and_runs() {
    let home = home_with_grace(1);
    let ran = home.path("work/ran");
    let count = || fs::read_to_string(&ran).map_or(0, |text| text.lines().count());
    let command = format!("run-shell 'echo run >> {}'", ran.display());
    home.ok(&["routine", "add", "tick", "every", "1s", &command]);
    assert_eq!(
        home.fails(&["routine", "add", "tick", "at", "09:30", "list-keys"]),
        "routine tick is there already: remove it first"
    );
    assert!(home.fails(&["routine", "add", "other", "every", "1s", "no-such-command"]).contains("unknown command"));
    let server = home.server();
    observe_for(A_WHILE, "the routine holds the server", || process::alive(server));
    let status = home.ok(&["daemon", "status"]);
    assert!(status.contains("held by 1 routine (tick)"), "{status}");
    wait_for("two runs", || count() >= 2);
    // It holds whichever server there is, and is known after the host's death too.
    process::kill(server);
    let before = count();
    wait_for("a run by the next server", || count() > before);
    home.crash();
    assert!(home.ok(&["routine", "list"]).starts_with("tick: every 1s (next "));
    let before = count();
    wait_for("a run after all was killed", || count() > before);
    home.ok(&["routine", "disable", "tick"]);
    home.wait_empty();
    assert!(home.ok(&["routine", "list"]).starts_with("tick: every 1s (disabled): run-shell"));
    let after = count();
    home.wait_empty();
    assert_eq!(count(), after);
    home.ok(&["routine", "remove", "tick"]);
    assert!(home.ok(&["routine", "list"]).starts_with("no routines"));
    assert_eq!(home.fails(&["routine", "enable", "tick"]), "no routine tick: `routine list` says which there are");
}

#[test]
fn s29_a_live_session_holds_the_server() {
    let home = home_with_grace(1);
    let mut tty = Tty::open(&home, &["new", "-s", "work"], 80, 24);
    tty.wait_text("$");
    let (server, shell) = (home.server(), home.pane_pid("work"));
    assert!(home.ok(&["daemon", "status"]).contains("held by 1 live pane, 1 client"));
    tty.type_keys("\u{1}d");
    assert_eq!(tty.wait_end().0, 0);
    observe_for(A_WHILE, "the shell holds the server", || process::alive(server));
    assert!(home.ok(&["daemon", "status"]).ends_with("held by 1 live pane"));
    process::kill(shell);
    home.wait_empty();
}

#[test]
fn s31_a_saved_layout_holds_nobody() {
    let home = home_with_grace(1);
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "echo walrus; exec cat"]);
    for name in ["second", "third"] {
        home.ok(&["new-window", "-d", "-t", "work:", "-n", name, "exec cat"]);
    }
    let record = home.path("home/pty-sessions/work.session");
    wait_for("the layout on disk", || home.files_with("home", "third").contains(&record));
    home.crash();
    assert_eq!(
        home.ok(&["start-server", ";", "list-windows", "-t", "work", "-F", "#{window_index}"]).lines().count(),
        3
    );
    home.wait_empty();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("walrus");
    assert_eq!(home.ok(&["list-windows", "-t", "work"]).lines().count(), 3);
}

#[test]
fn s35_the_host_stays_with_a_live_session_and_leaves_with_none() {
    let home = home_with_grace(1);
    home.ok(&["new-session", "-d", "-s", "asleep", "-x", "80", "-y", "24", "exec cat"]);
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "read line"]);
    home.ok(&["stop", "asleep"]);
    let host = home.host_of("work");
    observe_for(A_WHILE, "a live session keeps the host", || process::alive(host));
    process::kill(home.server());
    observe_for(A_WHILE, "whoever the server is", || process::alive(host));
    home.ok(&["send-keys", "-t", "work", "Enter"]);
    wait_for("the end of the host", || !process::alive(host));
    home.wait_empty();
    assert!(home.ok(&["ls"]).starts_with("asleep:"));
}

#[test]
fn s30_what_happens_while_nobody_is_attached_is_seen_at_the_next_attach() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec cat"]);
    let turn = "until [ -e go ]; do sleep 0.05; done; echo finished; printf '\\007'; exec cat";
    home.ok(&["new-window", "-d", "-t", "work:", "-n", "turn", turn]);
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_until("the window, quiet", |screen| screen.bottom().contains("1:turn "));
    tty.type_keys("\u{1}d");
    assert_eq!(tty.wait_end().0, 0);
    fs::write(home.path("work/go"), "").unwrap();
    wait_for("the bell", || home.format("work:turn", "#{window_bell_flag}") == "1");
    // In the current window too, as nobody looks at it.
    fs::write(home.format("work:0", "#{pane_tty}"), "\u{7}").unwrap();
    wait_for("its bell", || home.format("work:0", "#{window_bell_flag}") == "1");
    process::kill(home.server());
    let mut again = Tty::open(&home, &["attach", "work"], 80, 24);
    again.wait_until("its mark", |screen| screen.bottom().contains("0:cat* 1:turn!"));
    again.type_keys("\u{1}n");
    again.wait_until("the window, seen", |screen| screen.has("finished") && screen.bottom().contains("1:turn*"));
    assert_eq!(home.format("work:turn", "#{window_bell_flag}"), "0");
}
