//! After the host and the server are gone, as after a reboot: layout, screens and scrollback return, and commands start anew on attach.

use std::fs;

use crate::harness::{Home, Tty, process, wait_for, wait_some};

/// A session of three panes in two windows; each command says how often it was started.
fn three_panes() -> Home {
    let home = Home::rove();
    let line = |name: &str| {
        format!("seq -f '{name} %g' 1 60; echo {name} >> started; echo {name} $(grep -c {name} started); exec cat")
    };
    home.ok(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30", "-n", "first", &line("walrus")]);
    home.ok(&["split-window", "-h", "-t", "work:first", &line("marmot")]);
    home.ok(&["new-window", "-t", "work", "-n", "second", &line("tapir")]);
    for (pane, text) in [("work:first.0", "walrus 1"), ("work:first.1", "marmot 1"), ("work:second", "tapir 1")] {
        home.wait_screen(pane, text);
    }
    home
}

const SHAPE: &str = "#{session_id} #{window_id} #{window_index} #{window_name} #{window_layout} #{pane_id} #{pane_active} #{window_active}";

fn shape(home: &Home) -> String {
    home.ok(&["list-panes", "-s", "-t", "work", "-F", SHAPE])
}

/// Waits until everything seen is on disk: a snapshot is written at most every five seconds.
fn wait_frozen(home: &Home, words: &[&str]) {
    for word in words {
        wait_for(&format!("{word:?} on disk"), || !home.files_with("home", word).is_empty());
    }
}

#[test]
fn s6_s14_layout_screens_and_scrollback_return_and_commands_start_anew() {
    let home = three_panes();
    wait_frozen(&home, &["walrus 60", "marmot 60", "tapir 60"]);
    let (before, pid) = (shape(&home), home.pane_pid("work:first.0"));
    home.crash();
    let mut tty = Tty::open(&home, &["attach", "work"], 100, 31);
    tty.wait_text("tapir 2");
    assert_eq!(shape(&home), before);
    for (pane, name) in [("work:first.0", "walrus"), ("work:first.1", "marmot"), ("work:second", "tapir")] {
        home.wait_screen(pane, &format!("{name} 2"));
        let history = home.history(pane);
        let first = history.find(&format!("{name} 1\n")).expect("the old lines");
        let anew = history.rfind(&format!("{name} 60\n")).expect("the new lines");
        assert!(first < anew && history.matches(&format!("{name} 59\n")).count() == 2, "{history}");
    }
    assert_ne!(home.pane_pid("work:first.0"), pid);
}

#[test]
fn s15_a_pane_is_dead_and_restored_first_and_then_its_command_starts_in_place() {
    let home = three_panes();
    wait_frozen(&home, &["walrus 60", "marmot 60", "tapir 60"]);
    let before = shape(&home);
    home.crash();
    assert!(home.ok(&["ls"]).contains("work"));
    assert_eq!(shape(&home), before, "the same ids before anybody attaches");
    let panes = ["work:first.0", "work:first.1", "work:second"];
    let count = |pane: &str| home.format(pane, "#{e|+:#{history_size},#{cursor_y}}").parse::<u32>().unwrap();
    let asleep: Vec<u32> = panes.iter().map(|pane| count(pane)).collect();
    for (pane, name) in panes.iter().zip(["walrus", "marmot", "tapir"]) {
        assert_eq!(home.pane_pid(pane), 0);
        let old = home.history(pane);
        assert!(old.contains(&format!("{name} 59\n")) && !old.contains("restored"), "{old}");
    }
    let mut tty = Tty::open(&home, &["attach", "work"], 100, 31);
    tty.wait_text("tapir 2");
    assert_eq!(shape(&home), before, "and the same after");
    for ((pane, name), asleep) in panes.iter().zip(["walrus", "marmot", "tapir"]).zip(asleep) {
        home.wait_screen(pane, &format!("{name} 2"));
        let history = home.history(pane);
        let last = history.find(&format!("{name} 1\nrove: restored")).expect("the last old line, then the mark");
        let first = history.rfind(&format!("\n{name} 1\n{name} 2\n")).expect("the first lines of the new program");
        assert!(last < first, "{history}");
        assert!(count(pane) >= asleep + 60, "its lines go on");
    }
}

#[test]
fn s12_nothing_runs_before_the_attach() {
    let home = three_panes();
    wait_frozen(&home, &["walrus 60", "marmot 60", "tapir 60"]);
    home.crash();
    assert!(home.ok(&["ls"]).contains("work"));
    let running: Vec<String> =
        home.processes().into_iter().map(|pid| process::stat(pid).map_or(String::new(), |stat| stat.comm)).collect();
    assert!(!running.iter().any(|comm| ["cat", "sh"].contains(&comm.as_str())), "{running:?}");
    assert_eq!(fs::read_to_string(home.path("work/started")).unwrap().lines().count(), 3);
    let _tty = Tty::open(&home, &["attach", "work"], 100, 31);
    wait_for("all three again", || fs::read_to_string(home.path("work/started")).unwrap().lines().count() == 6);
}

#[test]
fn s13_no_process_outlives_its_host() {
    let home = three_panes();
    home.ok(&["new-window", "-d", "-t", "work", "trap '' HUP INT TERM; echo deaf; while :; do sleep 0.2; done"]);
    wait_for("the deaf one", || home.run(&["capture-pane", "-p", "-t", "work:2"]).stdout.contains("deaf"));
    let (server, host) = (home.server(), home.host_of("work:first.0"));
    assert!(process::descendants(host).len() >= 4);
    // The host first would be noticed by the server, which may do the clearing; a reboot takes both.
    process::signal(server, process::Signal::KILL);
    process::kill(host);
    home.wait_empty();
}

/// Ends host and server in some order; what the survivor does in between is part of it.
fn comes_back_after(kill: impl Fn(&Home, u32, u32)) {
    let home = three_panes();
    // Its word stands in no record, only in its screen.
    let deaf = "trap '' HUP INT TERM; echo de''af; while :; do sleep 0.2; done";
    home.ok(&["split-window", "-d", "-t", "work:second", deaf]);
    home.wait_screen("work:second.1", "deaf");
    wait_frozen(&home, &["walrus 60", "marmot 60", "tapir 60", "deaf"]);
    let before = shape(&home);
    kill(&home, home.server(), home.host_of("work:first.0"));
    home.wait_empty();
    assert!(home.ok(&["ls"]).contains("work"));
    let mut tty = Tty::open(&home, &["attach", "work"], 100, 31);
    tty.wait_text("tapir 2");
    assert_eq!(shape(&home), before);
    for (pane, name) in [("work:first.0", "walrus"), ("work:first.1", "marmot"), ("work:second.0", "tapir")] {
        home.wait_screen(pane, &format!("{name} 2"));
        let history = home.history(pane);
        assert_eq!(history.matches(&format!("{name} 59\n")).count(), 2, "{history}");
    }
    home.wait_screen("work:second.1", "deaf\nrove: restored; what ran here has ended and is started again\ndeaf");
    assert_eq!(fs::read_to_string(home.path("work/started")).unwrap().lines().count(), 6);
}

#[test]
fn s13_a_session_comes_back_when_its_host_dies_alone() {
    comes_back_after(|_, _, host| process::kill(host));
}

#[test]
fn s13_a_session_comes_back_when_the_host_dies_first() {
    comes_back_after(|_, server, host| {
        process::signal(host, process::Signal::KILL);
        process::signal(server, process::Signal::KILL);
    });
}

#[test]
fn s13_a_session_comes_back_when_the_next_server_dies_with_the_host() {
    comes_back_after(|home, server, host| {
        process::kill(server);
        wait_for("the next server", || home.run(&["has-session", "-t", "work"]).code == 0);
        let next = home.server();
        process::signal(next, process::Signal::KILL);
        process::signal(host, process::Signal::KILL);
    });
}

#[test]
fn s46_two_attaches_at_once_start_each_command_once() {
    let home = three_panes();
    wait_frozen(&home, &["walrus 60"]);
    home.crash();
    home.ok(&["ls"]);
    let mut first = Tty::open(&home, &["attach", "work"], 100, 31);
    let mut second = Tty::open(&home, &["attach", "work"], 100, 31);
    first.wait_text("tapir 2");
    second.wait_text("tapir 2");
    wait_for("all three again", || fs::read_to_string(home.path("work/started")).unwrap().lines().count() >= 6);
    home.wait_screen("work:first.0", "walrus 2");
    assert_eq!(fs::read_to_string(home.path("work/started")).unwrap().lines().count(), 6);
}

#[test]
fn s45_a_live_session_is_not_started_again_by_attaching() {
    let home = three_panes();
    let before: Vec<u32> =
        ["work:first.0", "work:first.1", "work:second"].iter().map(|pane| home.pane_pid(pane)).collect();
    for _ in 0..3 {
        let mut tty = Tty::open(&home, &["attach", "work"], 100, 31);
        tty.wait_text("tapir 1");
        tty.type_keys("\u{1}d");
        assert_eq!(tty.wait_end().0, 0);
    }
    let after: Vec<u32> =
        ["work:first.0", "work:first.1", "work:second"].iter().map(|pane| home.pane_pid(pane)).collect();
    assert_eq!(before, after);
}

#[test]
fn s77_at_most_the_newest_seconds_are_lost() {
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
        "i=0; while :; do i=$((i+1)); echo tick $i; echo $i > ticks; sleep 0.1; done",
    ]);
    let ticks = || fs::read_to_string(home.path("work/ticks")).ok().and_then(|text| text.trim().parse::<u64>().ok());
    wait_for("seven seconds of output", || ticks().is_some_and(|ticks| ticks >= 70));
    home.crash();
    let last = wait_some("the last tick", ticks);
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_until("the first tick of the new run", |screen| screen.rows.iter().any(|row| row == "tick 1"));
    let history = home.history("work");
    let old: Vec<u64> = history.lines().filter_map(|line| line.strip_prefix("tick ")?.trim().parse().ok()).collect();
    let anew = old.iter().rposition(|tick| *tick == 1).expect("the new run");
    let kept = old[..anew].iter().copied().max().unwrap_or(0);
    println!("{} of {last} ticks of a tenth of a second are kept", kept);
    assert!(last.saturating_sub(kept) <= 60, "{kept} of {last} were kept");
    assert!(old[..anew].windows(2).all(|pair| pair[1] == pair[0] + 1), "{old:?}");
}

#[test]
fn s78_half_a_file_beside_a_good_one_is_not_believed() {
    let home = three_panes();
    wait_frozen(&home, &["walrus 60", "marmot 60", "tapir 60"]);
    let before = shape(&home);
    home.crash();
    for file in home.files("home") {
        let half = file.with_extension("tmp");
        let bytes = fs::read(&file).unwrap();
        fs::write(half, &bytes[..bytes.len() / 2]).unwrap();
    }
    let mut tty = Tty::open(&home, &["attach", "work"], 100, 31);
    tty.wait_text("tapir 2");
    assert_eq!(shape(&home), before);
}

#[test]
fn f4_broken_files_cost_their_pane_only() {
    let home = three_panes();
    wait_frozen(&home, &["walrus 60", "marmot 60", "tapir 60"]);
    home.crash();
    let snapshots = home.files_with("home", "walrus 60");
    assert!(!snapshots.is_empty());
    for file in &snapshots {
        let mut bytes = fs::read(file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        fs::write(file, bytes).unwrap();
    }
    let mut tty = Tty::open(&home, &["attach", "work"], 100, 31);
    tty.wait_text("was not restored");
    tty.type_keys("q");
    tty.wait_text("tapir 2");
    home.wait_screen("work:first.1", "marmot 2");
    assert!(home.history("work:first.1").contains("marmot 1\n"));
    home.wait_screen("work:first.0", "walrus");
}

#[test]
fn s2_s3_s44_reattach_finds_everything_as_it_was() {
    let home = three_panes();
    let mut tty = Tty::open(&home, &["attach", "work"], 100, 31);
    tty.wait_text("tapir 1");
    let before = (shape(&home), home.history("work:first.0"), home.pane_pid("work:second"));
    tty.close();
    wait_for("no client", || home.ok(&["list-clients"]).is_empty());
    let mut again = Tty::open(&home, &["attach", "work"], 100, 31);
    again.wait_text("tapir 1");
    assert_eq!((shape(&home), home.history("work:first.0"), home.pane_pid("work:second")), before);
}

#[test]
fn s104_the_store_and_the_sockets_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let home = three_panes();
    wait_frozen(&home, &["walrus 60"]);
    for file in home.files("home") {
        let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{}", file.display());
    }
}
