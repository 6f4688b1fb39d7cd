//! The server is replaceable: killed or restarted, no process ends, no line is lost, and clients are back by themselves.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::storm::Dice;
use crate::harness::{Home, Lines, Tty, feeder, long, process, wait_for, wait_some};

/// A session with two panes that print numbered lines, and a client that watches.
struct Work {
    home: Home,
    stop: PathBuf,
    tty: Tty,
    panes: [u32; 2],
}

impl Work {
    fn begin() -> Work {
        let home = Home::rove();
        let stop = home.path("work/stop");
        let feed = feeder(&stop);
        let start = [
            "start-server",
            ";",
            "set-option",
            "-g",
            "history-limit",
            "2000000",
            ";",
            "new-session",
            "-d",
            "-s",
            "work",
        ];
        home.ok(&[&start[..], &["-x", "120", "-y", "30", &feed]].concat());
        home.ok(&["split-window", "-h", "-t", "work", &feed]);
        let panes = [home.pane_pid("work:0.0"), home.pane_pid("work:0.1")];
        let mut tty = Tty::open(&home, &["attach", "work"], 120, 30);
        tty.wait_until("lines in both panes", |screen| newest(&screen.rows).is_some_and(|newest| newest > 400));
        Work { home, stop, tty, panes }
    }

    /// Waits until lines are shown that are newer than all so far.
    fn wait_moving(&mut self) {
        let last = newest(&self.tty.screen().rows);
        self.tty.wait_until("newer lines", |screen| newest(&screen.rows) > last);
    }

    /// The history of both panes, when the printing is over.
    fn finish(mut self) {
        fs::write(&self.stop, "").unwrap();
        self.tty.wait_until("the end in both panes", |screen| screen.text().matches(" printed").count() == 2);
        for (number, pid) in self.panes.iter().enumerate() {
            let pane = format!("work:0.{number}");
            assert_eq!(self.home.pane_pid(&pane), *pid, "the process of {pane}");
            let lines = Lines::read(&self.home.history(&pane));
            println!("{pane}: {} lines, each once and in order", lines.last);
            assert!(lines.last > 1000);
        }
        assert_eq!(self.tty.code(), None, "the client was there all the time");
    }
}

/// The highest number of a line on the screen.
fn newest(rows: &[String]) -> Option<u64> {
    let number =
        |row: &String| row.split(['n', '│', ' ']).filter(|word| word.len() == 8).find_map(|word| word.parse().ok());
    rows.iter().filter_map(number).max()
}

fn rounds() -> usize {
    if long() { 20 } else { 5 }
}

/// How long a client may be away: a second, and more where other tests run beside this one.
fn back_within() -> Duration {
    Duration::from_secs(if long() { 1 } else { 5 })
}

fn report(what: &str, times: &[Duration]) {
    let mut sorted = times.to_vec();
    sorted.sort();
    println!("{what}: median {:?}, worst {:?} of {}", sorted[sorted.len() / 2], sorted[sorted.len() - 1], sorted.len());
}

#[test]
fn s34_a_killed_server_costs_no_process_no_line_and_no_client() {
    let mut work = Work::begin();
    let mut times = Vec::new();
    for _ in 0..rounds() {
        work.wait_moving();
        let server = work.home.server();
        process::kill(server);
        let last = newest(&work.tty.screen().rows);
        let start = Instant::now();
        work.tty.wait_until("the client to be back with newer lines", |screen| newest(&screen.rows) > last);
        times.push(start.elapsed());
        assert_ne!(work.home.server(), server);
    }
    report("back after kill -9", &times);
    assert!(times.iter().all(|time| *time < back_within()), "{times:?}");
    work.finish();
}

#[test]
fn s4_s32_a_restart_costs_no_process_no_line_and_no_client() {
    let mut work = Work::begin();
    let mut times = Vec::new();
    for _ in 0..rounds() {
        work.wait_moving();
        let server = work.home.server();
        let start = Instant::now();
        work.home.ok(&["daemon", "restart"]);
        wait_for("the end of the old server", || !process::alive(server));
        let last = newest(&work.tty.screen().rows);
        work.tty.wait_until("newer lines", |screen| newest(&screen.rows) > last);
        times.push(start.elapsed());
        assert_ne!(work.home.server(), server);
    }
    report("back after a restart", &times);
    assert!(times.iter().all(|time| *time < back_within()), "{times:?}");
    work.finish();
}

/// What the first three rows of the table are, twenty rounds of them (eight in a short run) in an order that the seed decides.
#[test]
fn s1_s2_s3_s5_quit_drop_and_restart_in_random_order_lose_nothing() {
    let mut dice = Dice::seeded();
    let mut work = Work::begin();
    for _ in 0..if long() { 20 } else { 8 } {
        work.wait_moving();
        let way = dice.below(5);
        match way {
            0 => {
                work.tty.type_keys("\u{1}d");
                assert_eq!(work.tty.wait_end().0, 0);
            }
            1 => work.tty.close(),
            2 => process::kill(work.tty.pid()),
            3 => process::kill(work.home.server()),
            _ => drop(work.home.ok(&["daemon", "restart"])),
        }
        if way < 3 {
            work.tty = Tty::open(&work.home, &["attach", "work"], dice.between(60, 160), dice.between(15, 50));
        }
        work.tty.wait_until("lines", |screen| newest(&screen.rows).is_some());
    }
    work.finish();
}

/// A quiet session with something of everything on its screen.
fn still_life() -> (Home, Tty) {
    let home = Home::rove();
    let paint = r"printf '\033]2;a title\007'; seq 1 100; printf '\033[1;31mred\033[0m 你好 \033[4:3mcurly\033[0m\n\033[?2004h\033[?1h\033[3 q'; exec cat";
    // With a name, since one that follows the program changes when it likes.
    home.ok(&["new-session", "-d", "-s", "work", "-n", "still", "-x", "90", "-y", "25", paint]);
    home.ok(&["split-window", "-v", "-t", "work", "-l", "8"]);
    home.ok(&["new-window", "-d", "-t", "work", "-n", "other", "cat"]);
    home.wait_screen("work:0.0", "curly");
    home.wait_screen("work:0.1", "$");
    let mut tty = Tty::open(&home, &["attach", "work"], 90, 26);
    tty.wait_until("the session", |screen| screen.has("curly") && screen.bottom().contains("other"));
    (home, tty)
}

/// What must be the same before and after.
fn state(home: &Home) -> Vec<String> {
    let panes = "#{session_id} #{window_id} #{window_name} #{window_layout} #{pane_id} #{pane_pid} #{pane_tty} #{pane_title} \
#{cursor_x},#{cursor_y} #{history_size} #{bracket_paste_flag} #{keypad_cursor_flag} #{pane_active} #{window_active}";
    let mut state = vec![home.ok(&["list-panes", "-a", "-F", panes])];
    for pane in ["work:0.0", "work:0.1", "work:1.0"] {
        state.push(home.run(&["capture-pane", "-p", "-e", "-S", "-", "-t", pane]).ok());
    }
    state.push(home.ok(&["show-options", "-g"]));
    state
}

#[test]
fn s4_the_same_screen_names_ids_and_modes_after_a_kill_and_after_a_restart() {
    let (home, mut tty) = still_life();
    home.ok(&["set-option", "-g", "@word", "walrus"]);
    home.ok(&["set-buffer", "-b", "kept", "marmot"]);
    home.ok(&["bind-key", "-n", "F8", "display-message", "eight"]);
    let (before, screen) = (state(&home), tty.screen());
    for restart in [false, true, false, true] {
        let server = home.server();
        if restart {
            home.ok(&["daemon", "restart"]);
        } else {
            process::kill(server);
        }
        wait_for("a new server", || {
            home.run(&["display-message", "-p", "#{pid}"]).stdout.trim().parse().is_ok_and(|pid: u32| pid != server)
        });
        assert_eq!(state(&home), before, "after a restart: {restart}");
        tty.wait_until("the same screen", |now| {
            now.rows[..25] == screen.rows[..25] && now.modes == screen.modes && now.cursor == screen.cursor
        });
        assert_eq!(home.ok(&["show-buffer", "-b", "kept"]), "marmot");
        assert!(home.ok(&["list-keys", "-T", "root"]).contains("display-message eight"));
        wait_some("the client in the list", || {
            (home.ok(&["list-clients", "-F", "#{client_session}"]) == "work").then_some(())
        });
    }
    tty.type_keys("echo st''ill\r");
    tty.wait_text("still");
    assert_eq!(tty.code(), None);
}

#[test]
fn s33_every_process_of_a_pane_descends_from_the_host_and_not_from_the_server() {
    let (home, _tty) = still_life();
    let (server, host) = (home.server(), home.host_of("work:0.0"));
    assert_ne!(server, host);
    for pane in ["work:0.0", "work:0.1", "work:1.0"] {
        let ancestors = process::ancestors(home.pane_pid(pane));
        assert!(ancestors.contains(&host) && !ancestors.contains(&server), "{pane}: {ancestors:?}");
    }
    process::kill(server);
    assert!(process::alive(host));
    wait_for("a server", || home.run(&["has-session", "-t", "work"]).code == 0);
    assert_eq!(home.host_of("work:0.0"), host);
}

#[test]
fn s34_a_session_without_a_client_comes_back_too() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    home.wait_screen("work", "$");
    let (server, shell) = (home.server(), home.pane_pid("work"));
    home.ok(&["send-keys", "-t", "work", "while :; do date +%N > counter; sleep 0.05; done", "Enter"]);
    let counter = home.path("work/counter");
    wait_for("the counter", || counter.exists());
    process::kill(server);
    let now = fs::read_to_string(&counter).unwrap();
    wait_for("the counter to go on without a server", || fs::read_to_string(&counter).unwrap() != now);
    assert_eq!(home.pane_pid("work"), shell);
    assert_ne!(home.server(), server);
}

#[test]
fn a_program_that_ends_while_there_is_no_server_is_noticed() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec cat"]);
    home.ok(&["new-window", "-d", "-t", "work", "-n", "short", "read line; exit 3"]);
    let short = home.pane_pid("work:short");
    let server = home.server();
    process::kill(server);
    process::signal(short, process::Signal::KILL);
    wait_for("one window only", || home.run(&["list-windows", "-t", "work", "-F", "#{window_index}"]).stdout == "0\n");
}

#[test]
fn control_clients_are_told_that_the_server_went() {
    let home = Home::rove();
    let mut control = crate::harness::Control::open(&home, &["new-session", "-s", "work", "cat"]);
    process::kill(home.server());
    let (code, last) = control.wait_end();
    assert_eq!((code, last.last().map(String::as_str)), (1, Some("%exit server exited unexpectedly")));
    wait_for("the session", || home.run(&["has-session", "-t", "work"]).code == 0);
}

#[test]
fn s26_the_first_call_starts_the_server_and_s25_there_is_one_only() {
    let home = Home::rove();
    let codes: Vec<i32> = std::thread::scope(|scope| {
        let call = |number: usize| home.run(&["new-session", "-d", "-s", &format!("s{number}"), "cat"]).code;
        let calls: Vec<_> = (0..8).map(|number| scope.spawn(move || call(number))).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert_eq!(codes, [0; 8]);
    let sessions = home.ok(&["list-sessions", "-F", "#{session_name}"]);
    assert_eq!(sessions.lines().count(), 8, "{sessions}");
    let hosts: Vec<u32> = (0..8).map(|number| home.host_of(&format!("s{number}"))).collect();
    assert!(hosts.iter().all(|host| *host == hosts[0]), "{hosts:?}");
    let server = home.server();
    let others: Vec<u32> = home
        .processes()
        .into_iter()
        .filter(|pid| process::stat(*pid).is_some_and(|stat| stat.comm.starts_with("rove")))
        .collect();
    assert!(others.iter().all(|pid| [server, hosts[0]].contains(pid)), "{others:?}");
}

#[test]
fn daemon_status_says_what_is_there() {
    let home = Home::rove();
    let call = home.run(&["daemon", "status"]);
    assert_eq!(call.code, 1);
    assert!(call.stdout.contains("no server is running"), "{call:?}");
    home.ok(&["new-session", "-d", "-s", "work"]);
    assert!(home.ok(&["daemon", "status"]).contains(&home.server().to_string()));
    home.ok(&["daemon", "stop"]);
    home.wait_empty();
    assert_eq!(home.run(&["daemon", "status"]).code, 1);
}

#[test]
fn twenty_kills_in_a_row_are_each_made_good_within_a_second() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    home.wait_screen("work", "$");
    let shell = home.pane_pid("work");
    let mut times = Vec::new();
    for _ in 0..20 {
        let server = home.server();
        process::kill(server);
        let start = Instant::now();
        assert_ne!(home.server(), server);
        times.push(start.elapsed());
    }
    report("answered after kill -9", &times);
    // On a busy machine the last ones are late; the back-off of a server that fails would be five seconds by now.
    assert!(times.iter().all(|time| *time < Duration::from_secs(2)), "{times:?}");
    assert_eq!(home.pane_pid("work"), shell);
}
