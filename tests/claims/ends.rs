//! What ends a program, a pane, a window and a session: an engine's end, a shell's, closing, restarting.

use std::fs;

use crate::harness::{Home, Stage, Tty, process, wait_for, wait_some};

/// Files of panes that are kept.
fn records(home: &Home) -> Vec<String> {
    let name = |path: &std::path::PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut records: Vec<String> =
        home.files("home").iter().filter_map(name).filter(|name| name.ends_with(".pane")).collect();
    records.sort();
    records
}

fn windows(home: &Home) -> usize {
    home.ok(&["list-windows", "-t", "work"]).lines().count()
}

/// The words of the engine in a pane.
fn engine_argv(stage: &Stage, pane: &str) -> Vec<String> {
    process::argv(stage.wait_ready(pane, "pinned"))
}

fn value<'a>(argv: &'a [String], flag: &str) -> Option<&'a str> {
    argv.windows(2).find(|pair| pair[0] == flag).map(|pair| pair[1].as_str())
}

#[test]
fn s49_every_engine_runs_inside_the_login_shell_of_its_pane() {
    let stage = Stage::set(&["pinned", "discovered"]);
    for (pane, engine) in stage.panes.iter().zip(&stage.engines) {
        let (host, shell, tty) =
            (stage.home.host_of(pane), stage.home.pane_pid(pane), stage.home.format(pane, "#{pane_tty}"));
        let pid = stage.engine(pane).unwrap();
        assert_eq!((process::parent(pid), process::parent(shell)), (shell, host), "{engine}: host, shell, engine");
        let argv = process::argv(shell);
        assert_eq!(argv[..3], ["/bin/sh", "-l", "-i"], "{engine}");
        stage.say(pane, "/exit 0");
        wait_for("the end of the engine", || !process::alive(pid));
        wait_for("its login shell", || process::argv(shell) == ["/bin/sh", "-l", "-i"]);
        assert_eq!((stage.home.pane_pid(pane), stage.home.format(pane, "#{pane_tty}")), (shell, tty));
    }
}

#[test]
fn s50_a_failed_engine_says_once_where_its_settings_are_and_another_says_nothing() {
    for (leave, hints) in [("/exit 3", 1), ("/exit 0", 0)] {
        let stage = Stage::set(&["pinned"]);
        let pane = &stage.panes[0];
        let shell = stage.home.pane_pid(pane);
        stage.say(pane, leave);
        wait_for("the end of the engine", || stage.engine(pane).is_none());
        stage.say(pane, "echo plain''shell");
        stage.home.wait_screen(pane, "plainshell");
        let history = stage.home.history(pane);
        let told: Vec<&str> = history.lines().filter(|line| line.contains("ended with status")).collect();
        assert_eq!(told.len(), hints, "{history}");
        assert!(
            told.iter().all(|line| line.contains("ended with status 3") && line.contains("engines.toml")),
            "{told:?}"
        );
        assert_eq!(stage.home.pane_pid(pane), shell, "the same process, which is a shell now");
        assert_eq!(stage.home.format(pane, "#{pane_current_command}"), "sh");
    }
}

#[test]
fn s51_what_the_engine_said_stays_and_typed_commands_run_after_its_end() {
    let stage = Stage::set(&["pinned"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "WALRUS-51");
    stage.say(pane, "/exit 1");
    wait_for("the end of the engine", || stage.engine(pane).is_none());
    stage.say(pane, "echo $((50 + 1))");
    stage.home.wait_screen(pane, "\n51");
    let history = stage.home.history(pane);
    assert!(history.find("WALRUS-51").unwrap() < history.find("\n51").unwrap(), "{history}");
}

#[test]
fn s53_an_extra_window_closes_itself_when_its_shell_exits() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    home.ok(&["new-window", "-t", "work"]);
    home.wait_screen("work:1", "$");
    let (first, second) = (home.pane_pid("work:0"), home.pane_pid("work:1"));
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("1:sh*");
    tty.type_keys("exit\r");
    wait_for("one window", || windows(&home) == 1);
    wait_for("the end of the shell", || !process::alive(second));
    assert_eq!(home.format("work", "#{window_index} #{window_active} #{pane_pid}"), format!("0 1 {first}"));
    tty.wait_until("the other window", |screen| screen.bottom().contains("0:sh*") && !screen.bottom().contains("1:sh"));
    tty.type_keys("echo wal''rus\r");
    tty.wait_text("walrus");
}

#[test]
fn s54_the_only_window_of_a_session_gets_a_fresh_engine_when_its_shell_exits() {
    let stage = Stage::set(&["pinned"]);
    let home = &stage.home;
    let pane = stage.panes[0].clone();
    stage.tell(&pane, "WALRUS-54");
    let old = engine_argv(&stage, &pane);
    let slot = "#{session_id} #{window_id} #{window_index} #{window_name} #{pane_id}";
    let (place, shell, kept) = (home.format(&pane, slot), home.pane_pid(&pane), records(home));
    let mut tty = stage.attach();
    tty.wait_text("WALRUS-54");
    for round in 0..2 {
        stage.say(&pane, "/exit 0");
        wait_for("the end of the engine", || stage.engine(&pane).is_none());
        // What follows sooner than that would be a program that can't live.
        let before = home.pane_pid(&pane);
        stage.say(&pane, "exit");
        wait_for("the end of the shell", || !process::alive(before));
        let argv = engine_argv(&stage, &pane);
        assert_eq!(home.format(&pane, slot).rsplit_once(' ').unwrap().1, place.rsplit_once(' ').unwrap().1);
        assert_eq!(windows(home), 1);
        assert_ne!(home.pane_pid(&pane), shell);
        assert!(value(&argv, "--session-id").is_some() && value(&argv, "--resume").is_none(), "{argv:?}");
        assert_ne!(value(&argv, "--session-id"), value(&old, "--session-id"));
        assert_eq!(stage.ask(&pane), "I was told no codeword.");
        tty.wait_text("session work keeps its last window");
        assert!(!home.history(&pane).contains("WALRUS-54"), "the screen is a fresh one");
        if round == 0 {
            wait_for("the end of the old record", || kept.iter().all(|name| !records(home).contains(name)));
            wait_quiet(home, &pane);
        }
    }
    assert_eq!(stage.transcripts().iter().filter(|(path, _)| path.ends_with(".jsonl")).count(), 3);
}

/// Waits until a pane that was started afresh has lived for so long that it would be again.
fn wait_quiet(home: &Home, pane: &str) {
    let started = std::time::Instant::now();
    wait_for("the pane to be as good as an old one", || {
        assert!(process::alive(home.pane_pid(pane)));
        started.elapsed() > std::time::Duration::from_secs(5)
    });
}

#[test]
fn s54_a_shell_that_ends_at_once_is_not_started_for_ever() {
    let stage = Stage::set(&["pinned"]);
    let pane = stage.panes[0].clone();
    fs::write(stage.home.path("user/.profile"), "echo >> $HOME/starts; exit\n").unwrap();
    stage.say(&pane, "/exit 0");
    wait_for("the end of the engine", || stage.engine(&pane).is_none());
    stage.home.wait_empty();
    let starts = fs::read_to_string(stage.home.path("user/starts")).unwrap();
    assert_eq!(starts.lines().count(), 2, "the engine's shell, and the one in its place");
}

#[test]
fn s54_a_leaf_or_one_of_two_windows_is_not_started_afresh() {
    let stage = Stage::set(&["pinned", "pinned"]);
    let leaf = stage.panes[1].clone();
    stage.home.ok(&["send-keys", "-t", &leaf, "-l", "/exit 0"]);
    stage.home.ok(&["send-keys", "-t", &leaf, "Enter"]);
    wait_for("the end of the engine", || stage.engine(&leaf).is_none());
    stage.say(&leaf, "exit");
    wait_for("one pane", || stage.home.ok(&["list-panes", "-t", "work"]).lines().count() == 1);
    stage.home.ok(&["new-window", "-d", "-t", "work"]);
    let first = stage.panes[0].clone();
    stage.say(&first, "/exit 0");
    wait_for("the end of the engine", || stage.engine(&first).is_none());
    stage.say(&first, "exit");
    wait_for("the other window", || windows(&stage.home) == 1 && stage.home.format("work", "#{window_index}") == "1");
}

#[test]
fn s52_a_session_of_shells_ends_with_its_last_one_also_when_an_engine_was_typed_there() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "200", "-y", "30"]);
    home.wait_screen("work", "$");
    let panes = vec![home.format("work", "#{pane_id}")];
    let stage = Stage { home, panes, engines: vec!["pinned"] };
    let pane = stage.panes[0].clone();
    stage.say(&pane, &format!("{} pinned", stage.home.program().display()));
    stage.wait_ready(&pane, "pinned");
    stage.say(&pane, "/exit 0");
    wait_for("the end of the engine", || stage.engine(&pane).is_none());
    stage.home.ok(&["send-keys", "-t", &pane, "exit", "Enter"]);
    stage.home.wait_empty();
    assert_eq!(records(&stage.home), [] as [String; 0]);
}

/// A line that leaves behind what does not hear a hangup, and says who they are: a child and a grandchild in groups of their own.
const DEAF: &str = "set -m; trap '' HUP; (trap '' HUP INT TERM; sh -c 'trap \"\" HUP INT TERM; echo $$ >> pids; while :; do sleep 1; done' & echo $! >> pids; while :; do sleep 1; done) & echo $! >> pids; nohup sleep 1000 >/dev/null 2>&1 & echo $! >> pids; echo read''y";

#[test]
fn s55_closing_ends_the_whole_group_also_who_does_not_hear_a_hangup() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "echo walrus; exec cat"]);
    home.ok(&["new-window", "-d", "-t", "work", "-n", "closed"]);
    home.wait_screen("work:closed", "$");
    home.ok(&["send-keys", "-t", "work:closed", DEAF, "Enter"]);
    home.wait_screen("work:closed", "\nready");
    let pids = wait_some("all pids", || {
        let text = fs::read_to_string(home.path("work/pids")).ok()?;
        let pids: Vec<u32> = text.lines().filter_map(|line| line.parse().ok()).collect();
        (pids.len() == 4).then_some(pids)
    });
    assert!(pids.iter().all(|pid| process::alive(*pid)));
    let (shell, other) = (home.pane_pid("work:closed"), home.pane_pid("work:0"));
    wait_for("records of both", || records(&home).len() == 2 && !home.files_with("home", "read''y").is_empty());
    let below = process::descendants(shell);
    assert!(pids.iter().filter(|pid| below.contains(pid)).count() >= 3, "{pids:?} {below:?}");
    home.ok(&["kill-window", "-t", "work:closed"]);
    wait_for("the end of all", || [shell].iter().chain(&pids).chain(&below).all(|pid| !process::alive(*pid)));
    assert!(process::alive(other));
    wait_for("the end of its record", || records(&home).len() == 1 && home.files_with("home", "read''y").is_empty());
}

#[test]
fn s56_the_last_window_is_not_closed_by_a_key() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "23"]);
    home.wait_screen("work", "$");
    let shell = home.pane_pid("work");
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("$");
    for key in ["&", "x"] {
        tty.type_keys(&format!("\u{1}{key}"));
        tty.wait_text("rove kill work ends the session");
        tty.type_keys("y");
        tty.wait_until("the status line", |screen| screen.bottom().starts_with("[work]"));
    }
    assert!(process::alive(shell));
    // Of several, one is closed after a question.
    home.ok(&["new-window", "-t", "work"]);
    home.ok(&["split-window", "-t", "work"]);
    for (key, left) in [("x", 2), ("&", 1)] {
        tty.type_keys(&format!("\u{1}{key}"));
        tty.wait_until("the question", |screen| screen.bottom().contains("? (y/n)"));
        tty.type_keys("y");
        wait_for("the end of one", || home.ok(&["list-panes", "-s", "-t", "work"]).lines().count() == left);
    }
    assert!(process::alive(shell));
    // A command is an intention, as in tmux.
    home.ok(&["kill-window", "-t", "work"]);
    home.wait_empty();
}

#[test]
fn s10_s59_a_restart_asks_first_and_then_replaces_only_the_active_pane() {
    let home = Home::rove();
    let line = |name: &str| format!("echo {name} >> started; echo {name} $(grep -c {name} started); exec cat");
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "23", &line("walrus")]);
    home.ok(&["split-window", "-t", "work", &line("marmot")]);
    home.ok(&["new-window", "-d", "-t", "work", &line("tapir")]);
    home.wait_screen("work:0.1", "marmot 1");
    wait_for("all records", || records(&home).len() == 3 && !home.files_with("home", "marmot 1").is_empty());
    let pids = || home.ok(&["list-panes", "-s", "-t", "work", "-F", "#{pane_id} #{pane_pid}"]);
    let before = pids();
    let layout = home.format("work", "#{window_layout}");
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("marmot 1");
    tty.type_keys("\u{1b}[15~");
    tty.wait_until("the question", |screen| screen.bottom().contains("pane 1 and start it again? (Y/n)"));
    tty.type_keys("\u{1b}");
    tty.wait_until("the status line", |screen| screen.bottom().starts_with("[work]"));
    assert_eq!(pids(), before, "escape: nothing");
    let kept = records(&home);
    tty.type_keys("\u{1b}[15~");
    tty.wait_until("the question", |screen| screen.bottom().contains("(Y/n)"));
    tty.type_keys("\r");
    tty.wait_text("marmot 2");
    let (old, new) = (before.lines().collect::<Vec<_>>(), pids());
    let new: Vec<&str> = new.lines().collect();
    assert_eq!((old[0], old[2]), (new[0], new[2]), "the others are untouched");
    assert_ne!(old[1], new[1]);
    assert_eq!(old[1].split(' ').next(), new[1].split(' ').next());
    wait_for("the end of the old one", || !process::alive(old[1].rsplit(' ').next().unwrap().parse().unwrap()));
    assert!(!home.history("work:0.1").contains("marmot 1"), "its scrollback is gone");
    assert_eq!(home.format("work", "#{window_layout}"), layout);
    wait_for("another record in the place of the old", || {
        let now = records(&home);
        now.len() == 3 && now.iter().filter(|name| kept.contains(name)).count() == 2
    });
    wait_for("the end of the old screen on disk", || home.files_with("home", "marmot 1").is_empty());
    assert!(!home.files_with("home", "walrus 1").is_empty());
}

#[test]
fn s59_a_restarted_engine_has_its_conversation_and_a_blank_screen() {
    let stage = Stage::set(&["pinned", "discovered"]);
    let words = stage.tell_all();
    let mut tty = stage.attach();
    for ((pane, engine), word) in stage.panes.iter().zip(&stage.engines).zip(&words) {
        let before = stage.engine(pane).unwrap();
        stage.home.ok(&["select-pane", "-t", pane]);
        tty.type_keys("\u{1b}[15~");
        tty.wait_until("the question", |screen| screen.bottom().contains("(Y/n)"));
        tty.type_keys("y");
        wait_for("the end of the engine", || !process::alive(before));
        stage.wait_ready(pane, engine);
        assert!(!stage.home.history(pane).contains(word.as_str()), "a fresh screen");
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."), "{engine}");
    }
}

#[test]
fn as_tmux_a_respawned_pane_knows_of_no_engine_and_keys_close_the_last_window() {
    let home = Home::tmux();
    let mut tty = Tty::open(&home, &["new-session", "-s", "main"], 80, 24);
    tty.wait_text("$");
    tty.type_keys("\u{2}&");
    tty.wait_until("the question", |screen| screen.bottom().contains("kill-window"));
    tty.type_keys("y");
    let (code, screen) = tty.wait_end();
    assert_eq!((code, screen.left_on()), (0, Vec::new()));
    home.wait_empty();
}
