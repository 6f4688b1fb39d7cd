//! Windows and panes: their keys, what a new one runs, how a layout collapses, and how all of it comes back.

use std::fs;

use regex::Regex;

use crate::harness::{Home, Stage, Tty, process, wait_for};

/// Everything a layout is, as data.
const SHAPE: &str = "#{session_id} #{window_index} #{window_id} #{window_name} #{window_active} #{window_last_flag} #{window_layout} \
    #{window_visible_layout} #{window_zoomed_flag} #{pane_id} #{pane_index} #{pane_active} #{pane_last} #{pane_title} \
    #{automatic-rename} #{synchronize-panes} #{pane-border-status} #{status-left} #{@mine}";

fn shape(home: &Home) -> String {
    home.ok(&["list-panes", "-s", "-t", "work", "-F", SHAPE])
}

/// The tree of a layout without sizes: `{1[2 3]}` is pane 1 left of 2, which is above 3.
fn tree(layout: &str) -> String {
    let leaf = Regex::new(r"\d+x\d+,\d+,\d+,(\d+)").unwrap().replace_all(layout, "$1").into_owned();
    let group = Regex::new(r"\d+x\d+,\d+,\d+([\[{])").unwrap().replace_all(&leaf, "$1").into_owned();
    group.split_once(',').unwrap().1.replace(',', " ").replace(" [", "[").replace(" {", "{")
}

fn tree_of(home: &Home) -> String {
    tree(&home.format("work", "#{window_layout}"))
}

fn rectangles(home: &Home) -> Vec<(u32, u32)> {
    let list = home.ok(&["list-panes", "-t", "work", "-F", "#{pane_width} #{pane_height}"]);
    let size =
        |line: &str| line.split_once(' ').map(|(width, height)| (width.parse().unwrap(), height.parse().unwrap()));
    list.lines().filter_map(size).collect()
}

fn count(home: &Home) -> usize {
    home.ok(&["list-panes", "-t", "work"]).lines().count()
}

#[test]
fn s64_chords_split_to_the_right_and_below_however_the_terminal_sends_them() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "200", "-y", "59", "cat"]);
    let mut tty = Tty::open(&home, &["attach", "work"], 200, 60);
    let started = std::time::Instant::now();
    tty.wait_until("a request for keys like C-=", |screen| screen.modes.intersects(term::Modes::ALL_KEYS_EXTENDED));
    assert!(started.elapsed().as_secs() < 10, "it is asked for at once, not when something happens");
    assert!(!String::from_utf8_lossy(tty.written()).contains("\u{1b}]12;"), "the cursor keeps its colour");
    // The old byte, xterm's modifyOtherKeys, and CSI u as kitty and others send it, with and without an event type.
    let right = ["\u{1c}", "\u{1b}[27;5;92~", "\u{1b}[92;5u", "\u{1b}[92;5:1u"];
    let below = ["\u{1b}[27;5;61~", "\u{1b}[61;5u", "\u{1b}[61;5:1u"];
    let place = "#{pane_left},#{pane_top}";
    for (chords, is_right) in [(&right[..], true), (&below[..], false)] {
        for chord in chords {
            home.ok(&["kill-pane", "-a", "-t", "work:0.0"]);
            tty.type_keys(chord);
            wait_for(&format!("two panes by {chord:?}"), || count(&home) == 2);
            let (old, new) = (home.format("work:0.0", place), home.format("work:0.1", place));
            assert_eq!(old, "0,0");
            assert_eq!(new.starts_with("0,"), !is_right, "{chord:?} made one at {new}");
            assert_eq!(new.ends_with(",0"), is_right, "{chord:?} made one at {new}");
            assert_eq!(home.format("work", "#{pane_index}"), "1", "the new one is active");
        }
    }
    tty.type_keys("\u{11}");
    let (code, screen) = tty.wait_end();
    assert_eq!((code, screen.left_on()), (0, Vec::new()));
}

#[test]
fn s64_as_tmux_the_chords_are_the_programs() {
    let home = Home::tmux();
    let mut tty = Tty::open(&home, &["new-session", "-s", "work", "stty raw -echo; exec cat -v"], 80, 24);
    tty.wait_until("the status line", |screen| screen.bottom().starts_with("[work]"));
    wait_for("cat", || home.format("work", "#{pane_current_command}") == "cat");
    tty.type_keys("\u{1c}\u{11}");
    tty.wait_text("^\\^Q");
    assert_eq!(count(&home), 1);
}

#[test]
fn s65_every_split_is_a_login_shell_where_its_neighbour_is() {
    let home = Home::rove();
    fs::create_dir_all(home.path("work/tree")).unwrap();
    let directory = home.path("work/tree").display().to_string();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "200", "-y", "59", "-c", &directory]);
    let mut tty = Tty::open(&home, &["attach", "work"], 200, 60);
    tty.wait_text("$");
    for (number, chord) in ["\u{1c}", "\u{1b}[61;5u", "\u{1b}[27;5;61~"].into_iter().enumerate() {
        tty.type_keys(chord);
        wait_for("one more pane", || count(&home) == number + 2);
        let pane = home.format("work", "#{pane_id}");
        let shell = home.pane_pid(&pane);
        wait_for("a login shell", || process::argv(shell) == ["-sh"]);
        home.ok(&["send-keys", "-t", &pane, "pwd", "Enter"]);
        home.wait_screen(&pane, "work/tree\n");
        assert_eq!(fs::read_link(format!("/proc/{shell}/cwd")).unwrap(), home.path("work/tree"));
        assert_eq!(home.format(&pane, "#{pane_start_command}"), "");
    }
}

/// The engines that run in a home.
fn engines(home: &Home) -> Vec<u32> {
    let is_engine = |pid: &u32| process::stat(*pid).is_some_and(|stat| stat.comm == "rove-pinned");
    home.processes().into_iter().filter(is_engine).collect()
}

#[test]
fn s66_a_split_of_an_engines_window_starts_no_second_engine() {
    let stage = Stage::set(&["pinned"]);
    let pane = stage.panes[0].clone();
    stage.tell(&pane, "WALRUS-66");
    stage.home.ok(&["rename-window", "-t", "work", "with shells"]);
    let mut tty = stage.attach();
    tty.wait_text("WALRUS-66");
    for (number, chord) in ["\u{1c}", "\u{1b}[61;5u"].into_iter().enumerate() {
        tty.type_keys(chord);
        wait_for("one more pane", || count(&stage.home) == number + 2);
    }
    home_at_shell(&stage.home, &["work:0.1", "work:0.2"]);
    assert_eq!(engines(&stage.home), [stage.engine(&pane).unwrap()]);
    stage.wait_kept();
    let before = shape(&stage.home);
    wait_for("the layout on disk", || on_disk(&stage.home, &stage.home.format("work", "#{window_layout}")));
    stage.home.crash();
    let mut tty = Tty::open(&stage.home, &["attach", "work"], 200, 61);
    tty.wait_until("the session", |screen| screen.alternate);
    stage.wait_ready(&pane, "pinned");
    home_at_shell(&stage.home, &["work:0.1", "work:0.2"]);
    assert_eq!(engines(&stage.home), [stage.engine(&pane).unwrap()]);
    assert_eq!(shape(&stage.home), before);
    assert_eq!(stage.ask(&pane), "The codeword is WALRUS-66.");
}

/// Waits until panes take a line as shells do.
fn home_at_shell(home: &Home, panes: &[&str]) {
    for pane in panes {
        wait_for("a shell", || home.format(pane, "#{pane_current_command}") == "sh");
        home.ok(&["send-keys", "-t", pane, "echo sh''ell", "Enter"]);
        home.wait_screen(pane, "\nshell");
    }
}

fn on_disk(home: &Home, layout: &str) -> bool {
    home.files_with("home", layout).iter().any(|path| path.extension().is_some_and(|ending| ending == "session"))
}

/// Three windows, reordered and renamed, one with nested splits, another zoomed; options of session, windows and panes.
fn furnished() -> Home {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "120", "-y", "39", "-n", "one", "cat"]);
    home.ok(&["new-window", "-t", "work", "-n", "two", "cat"]);
    home.ok(&["new-window", "-t", "work", "-n", "three", "cat"]);
    home.ok(&["split-window", "-h", "-t", "work:two", "cat"]);
    home.ok(&["split-window", "-v", "-l", "30%", "-t", "work:two.1", "cat"]);
    home.ok(&["split-window", "-h", "-b", "-t", "work:two.2", "cat"]);
    home.ok(&["split-window", "-v", "-t", "work:three", "cat"]);
    home.ok(&["resize-pane", "-t", "work:two.0", "-x", "50"]);
    home.ok(&["select-pane", "-t", "work:two.3", "-T", "the inner one"]);
    home.ok(&["select-pane", "-t", "work:two.1"]);
    home.ok(&["select-pane", "-t", "work:two.2"]);
    home.ok(&["swap-window", "-s", "work:one", "-t", "work:three"]);
    home.ok(&["move-window", "-s", "work:two", "-t", "work:7"]);
    home.ok(&["rename-window", "-t", "work:one", "first of all"]);
    home.ok(&["resize-pane", "-Z", "-t", "work:three.0"]);
    home.ok(&["set-option", "-w", "-t", "work:7", "synchronize-panes", "on"]);
    home.ok(&["set-option", "-w", "-t", "work:three", "pane-border-status", "top"]);
    home.ok(&["set-option", "-p", "-t", "work:7.1", "@mine", "of a pane"]);
    home.ok(&["set-option", "-t", "work", "status-left", "[mine] "]);
    home.ok(&["select-window", "-t", "work:three"]);
    home.ok(&["select-window", "-t", "work:7"]);
    home
}

#[test]
fn s61_windows_and_their_trees_are_on_disk() {
    let home = furnished();
    let layouts = home.ok(&["list-windows", "-t", "work", "-F", "#{window_layout}"]);
    assert_eq!(tree(layouts.lines().last().unwrap()), "{1[3{5 4}]}");
    assert_eq!(layouts.lines().count(), 3);
    for layout in layouts.lines() {
        wait_for("a layout on disk", || on_disk(&home, layout));
    }
    for name in ["first of all", "the inner one", "[mine] ", "of a pane"] {
        wait_for(&format!("{name:?} on disk"), || !home.files_with("home", name).is_empty());
    }
}

#[test]
fn s62_order_names_splits_zoom_and_options_return() {
    let home = furnished();
    let before = shape(&home);
    assert_eq!(before.lines().count(), 7);
    let attach = |home: &Home| {
        let mut tty = Tty::open(home, &["attach", "work"], 120, 40);
        tty.wait_until("the session", |screen| screen.bottom().starts_with("[mine]"));
        wait_for("all panes", || {
            home.ok(&["list-panes", "-s", "-t", "work", "-F", "#{pane_pid}"]).lines().all(|pid| pid != "0")
        });
        tty
    };
    drop(attach(&home));
    wait_for("no client", || home.ok(&["list-clients"]).is_empty());
    assert_eq!(shape(&home), before, "after a detach");
    process::kill(home.server());
    wait_for("the next server", || home.run(&["has-session", "-t", "work"]).code == 0);
    assert_eq!(shape(&home), before, "after the server was killed");
    home.ok(&["stop", "work"]);
    home.wait_empty();
    drop(attach(&home));
    assert_eq!(shape(&home), before, "after a stop");
    home.crash();
    let mut tty = attach(&home);
    assert_eq!(shape(&home), before, "after a crash");
    // And it is no picture: the same windows can be used on.
    tty.type_keys("wal\r");
    for pane in ["work:7.0", "work:7.1", "work:7.2", "work:7.3"] {
        home.wait_screen(pane, "wal\nwal");
    }
}

#[test]
fn s62_a_name_given_by_a_key_stays() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "23"]);
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("$");
    tty.type_keys("\u{1b}OQ");
    tty.wait_until("the question", |screen| screen.bottom().starts_with("(rename-window)"));
    tty.type_keys("\u{15}the window\r");
    wait_for("its name", || home.format("work", "#{window_name}") == "the window");
    tty.type_keys("\u{1c}");
    wait_for("two panes", || count(&home) == 2);
    tty.type_keys("\u{1b}OQ");
    tty.wait_until("the question", |screen| screen.bottom().starts_with("(rename-pane)"));
    tty.type_keys("\u{15}the pane\r");
    wait_for("its name", || home.format("work:0.1", "#{pane_title}") == "the pane");
    // A prompt of a shell that sets the title does not take it away again.
    tty.type_keys("printf '\\033]2;mine\\007'; sleep 1000\r");
    wait_for("the program", || home.format("work:0.1", "#{pane_current_command}") == "sleep");
    assert_eq!(home.format("work:0.1", "#{window_name}/#{pane_title}"), "the window/the pane");
    wait_for("both on disk", || {
        ["the window", "the pane"].iter().all(|name| !home.files_with("home", name).is_empty())
    });
    home.crash();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_text("the window");
    assert_eq!(home.format("work:0.1", "#{window_name}/#{pane_title}"), "the window/the pane");
}

#[test]
fn s63_after_the_host_each_of_four_panes_comes_back_by_its_own_rule() {
    let stage = Stage::set(&["pinned"]);
    let home = &stage.home;
    let engine = stage.panes[0].clone();
    fs::create_dir_all(home.path("work/inner")).unwrap();
    let command = "echo tapir >> started; echo tapir $(grep -c tapir started); exec cat";
    home.ok(&["split-window", "-h", "-t", "work:0.0"]);
    home.ok(&["split-window", "-v", "-t", "work:0.0"]);
    home.ok(&["split-window", "-v", "-t", "work:0.2", command]);
    home.ok(&["rename-window", "-t", "work", "four of them"]);
    stage.tell(&engine, "WALRUS-63");
    home.wait_screen("work:0.3", "tapir 1");
    let shells = ["work:0.1", "work:0.2"];
    home_at_shell(home, &shells);
    home.ok(&["send-keys", "-t", "work:0.1", "cd inner; echo mar''mot", "Enter"]);
    home.wait_screen("work:0.1", "marmot");
    let before = shape(home);
    assert_eq!(tree_of(home).matches(['[', '{']).count(), 3, "{}", tree_of(home));
    let pids = || home.ok(&["list-panes", "-t", "work", "-F", "#{pane_pid}"]);
    // What lives is found again and not started again.
    let living = pids();
    for _ in 0..2 {
        drop(stage_attach(home));
        wait_for("no client", || home.ok(&["list-clients"]).is_empty());
    }
    assert_eq!(pids(), living);
    stage.wait_kept();
    wait_for("the directory on disk", || !home.files_with("home", "work/inner").is_empty());
    for word in ["WALRUS-63", "tapir 1", "marmot"] {
        wait_for(&format!("{word} on disk"), || !home.files_with("home", word).is_empty());
    }
    process::kill(home.host_of(&engine));
    home.wait_empty();
    let _tty = stage_attach(home);
    stage.wait_ready(&engine, "pinned");
    home.wait_screen("work:0.3", "tapir 1\ntapir 2");
    home_at_shell(home, &shells);
    assert_eq!(shape(home), before);
    assert!(living.lines().all(|pid| !pids().contains(pid)));
    for (pane, directory) in [("work:0.1", "work/inner"), ("work:0.2", "work")] {
        let shell = home.pane_pid(pane);
        assert_eq!(process::argv(shell), ["-sh"]);
        assert_eq!(fs::read_link(format!("/proc/{shell}/cwd")).unwrap(), home.path(directory));
    }
    assert!(home.history("work:0.1").contains("marmot"));
    assert_eq!(engines(home).len(), 1);
    assert_eq!(stage.ask(&engine), "The codeword is WALRUS-63.");
}

fn stage_attach(home: &Home) -> Tty {
    let mut tty = Tty::open(home, &["attach", "work"], 200, 61);
    tty.wait_until("the session", |screen| screen.bottom().starts_with("[work]"));
    tty
}

#[test]
fn s68_a_leaf_that_goes_takes_its_empty_group_along() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "120", "-y", "40", "cat"]);
    home.ok(&["split-window", "-h", "-t", "%0", "cat"]);
    home.ok(&["split-window", "-v", "-t", "%1", "cat"]);
    home.ok(&["split-window", "-h", "-t", "%2", "cat"]);
    home.ok(&["split-window", "-v", "-t", "%3"]);
    home.wait_screen("%4", "$");
    let steps: [(&dyn Fn(), &str); 5] = [
        (&|| (), "{0[1{2[3 4]}]}"),
        // Its shell exits: the group of 3 and 4 is 3.
        (&|| drop(home.ok(&["send-keys", "-t", "%4", "exit", "Enter"])), "{0[1{2 3}]}"),
        // Closed: the group of 2 and 3 is 3.
        (&|| drop(home.ok(&["kill-pane", "-t", "%2"])), "{0[1 3]}"),
        // Its program is killed: the group of 1 and 3 is 3.
        (&|| process::kill(home.pane_pid("%1")), "{0 3}"),
        (&|| drop(home.ok(&["kill-pane", "-t", "%0"])), "3"),
    ];
    for (step, left) in steps {
        step();
        wait_for(&format!("the layout {left}"), || tree_of(&home) == left);
        assert!(rectangles(&home).iter().all(|(width, height)| *width > 0 && *height > 0), "{:?}", rectangles(&home));
        let active = home.ok(&["list-panes", "-t", "work", "-f", "#{pane_active}", "-F", "#{pane_id}"]);
        assert_eq!(active.lines().count(), 1, "one is active");
    }
    assert_eq!(rectangles(&home), [(120, 40)], "all the room is given back");
}
