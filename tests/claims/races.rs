//! Many at once, things left behind, and processes that are there and do not answer: one winner, nobody orphaned, and an answer for every
//! caller within a bounded time.

use std::fs;
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use crate::harness::{Home, Tty, process, wait_for, wait_some};

/// The longest that any call here may take, on a machine that is busy with other tests.
const BOUND: Duration = Duration::from_secs(30);

/// Twenty calls at once; each makes a session of its own.
fn twenty(home: &Home) {
    let start = Instant::now();
    let calls: Vec<_> = std::thread::scope(|scope| {
        let call = |number: usize| home.run(&["new-session", "-d", "-s", &format!("s{number}"), "exec cat"]);
        let calls: Vec<_> = (0..20).map(|number| scope.spawn(move || call(number))).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert!(start.elapsed() < BOUND);
    let failed: Vec<_> = calls.iter().filter(|call| call.code != 0).collect();
    assert!(failed.is_empty(), "{failed:?}");
    let sessions = home.ok(&["list-sessions", "-F", "#{session_name}"]);
    assert!((0..20).all(|number| sessions.lines().any(|name| name == format!("s{number}"))), "{sessions}");
    let (server, host) = (home.server(), home.host_of("s0"));
    wait_for("one server and one host", || {
        let others = home.processes().into_iter().filter(|pid| {
            let comm = process::stat(*pid).map(|stat| stat.comm).unwrap_or_default();
            comm.starts_with("rove") && ![server, host].contains(pid)
        });
        others.count() == 0
    });
    assert!((0..20).all(|number| home.host_of(&format!("s{number}")) == host));
    assert!(!home.path("home/run/default.lock").exists());
}

#[test]
fn twenty_at_once_start_one_server() {
    twenty(&Home::rove());
}

#[test]
fn twenty_at_once_start_one_server_among_what_a_crash_left_behind() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "before", "exec cat"]);
    let record = home.path("home/pty-sessions/before.session");
    wait_for("its record", || record.exists());
    home.crash();
    for file in ["default", "default.host", "default.host.panes"] {
        assert!(home.path("home/run").join(file).exists(), "{file} was left behind");
    }
    fs::write(home.path("home/run/default.lock"), "4711\n").unwrap();
    twenty(&home);
    assert!(home.ok(&["ls"]).contains("before"));
}

#[test]
fn files_of_any_kind_in_the_place_of_sockets_are_no_obstacle() {
    let home = Home::rove();
    home.ok(&["ls"]);
    home.wait_empty();
    for name in ["default", "default.host", "default.host.panes", "default.lock"] {
        let _ = fs::remove_file(home.path("home/run").join(name));
        // A socket that nobody listens at, then rubbish.
        drop(UnixListener::bind(home.path("home/run").join(name)).unwrap());
        home.ok(&["new-session", "-d", "-s", "work", "exec cat"]);
        home.ok(&["kill", "work"]);
        home.wait_empty();
    }
    fs::write(home.path("home/run/default.host.panes"), "+1 x\n+0 y\n\u{0}rubbish").unwrap();
    fs::write(home.path("home/run/default"), "rubbish").unwrap();
    home.ok(&["new-session", "-d", "-s", "work", "exec cat"]);
}

#[test]
fn s13_what_is_deaf_to_a_hangup_and_nobodys_child_is_ended_by_the_next_host() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec cat"]);
    let deaf = "trap '' HUP INT TERM; sh -c 'sh -c \"while :; do sleep 0.3; done\" & echo deaf $!'; exec cat";
    home.ok(&["new-window", "-d", "-t", "work:", "-n", "deaf", deaf]);
    // A daemon has left its session, and with that the pane, on purpose.
    home.ok(&["new-window", "-d", "-t", "work:", "-n", "daemon", "setsid sleep 1000 & exec cat"]);
    home.wait_screen("work:deaf", "deaf");
    let child = wait_some("the deaf one", || {
        home.screen("work:deaf").lines().find_map(|line| line.strip_prefix("deaf ")?.trim().parse::<u32>().ok())
    });
    let daemon =
        wait_some("the daemon", || home.processes().into_iter().find(|pid| process::argv(*pid) == ["sleep", "1000"]));
    let (server, host) = (home.server(), home.host_of("work:0"));
    process::signal(server, process::Signal::KILL);
    process::kill(host);
    wait_for("the end of the others", || home.processes().len() <= 3);
    assert!(process::alive(child), "nobody was there to end it");
    assert!(home.ok(&["ls"]).contains("work"));
    wait_for("the end of the deaf one", || !process::alive(child));
    assert!(process::alive(daemon));
    process::kill(daemon);
}

#[test]
fn s34_a_stopped_server_or_host_goes_on_when_it_is_asked() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec cat"]);
    let (server, host, pid) = (home.server(), home.host_of("work"), home.pane_pid("work"));
    process::signal(host, process::Signal::STOP);
    let start = Instant::now();
    home.ok(&["new-window", "-d", "-t", "work:", "exec cat"]);
    process::signal(server, process::Signal::STOP);
    home.ok(&["new-window", "-d", "-t", "work:", "exec cat"]);
    // No server, and nobody who would start one.
    process::signal(host, process::Signal::STOP);
    process::kill(server);
    assert_eq!(home.ok(&["list-windows", "-t", "work"]).lines().count(), 3);
    assert!(start.elapsed() < BOUND, "{:?}", start.elapsed());
    assert_eq!((home.pane_pid("work"), home.host_of("work")), (pid, host));
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_until("the session", |screen| screen.bottom().starts_with("[work]"));
}

#[test]
fn a_host_that_accepts_and_says_nothing_is_an_error_with_words_after_a_bounded_time() {
    let home = Home::rove();
    home.ok(&["ls"]);
    home.wait_empty();
    let _silent = UnixListener::bind(home.path("home/run/default.host")).unwrap();
    let start = Instant::now();
    let call = home.run(&["new-session", "-d", "-s", "work", "exec cat"]);
    assert!(start.elapsed() < Duration::from_secs(38), "{:?}", start.elapsed());
    assert_eq!(call.code, 1);
    assert!(call.stderr.contains("does not answer"), "{call:?}");
    home.wait_empty();
}

#[test]
fn a_server_that_accepts_and_says_nothing_is_told_of_and_can_be_replaced() {
    let home = Home::rove();
    home.ok(&["ls"]);
    home.wait_empty();
    let _silent = UnixListener::bind(home.path("home/run/default")).unwrap();
    let start = Instant::now();
    let words = home.fails(&["list-sessions"]);
    assert!(words.contains("does not answer") && words.contains("rove daemon restart"), "{words}");
    assert!(start.elapsed() < BOUND);
}

#[test]
fn a_start_that_never_ends_keeps_nobody_for_ever() {
    let home = Home::rove();
    home.ok(&["ls"]);
    home.wait_empty();
    let lock = fs::File::create(home.path("home/run/default.lock")).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let start = Instant::now();
    let words = home.fails(&["new-session", "-d", "exec cat"]);
    assert!(words.contains("another rove has been starting a server"), "{words}");
    assert!(start.elapsed() < BOUND);
    drop(lock);
    home.ok(&["new-session", "-d", "exec cat"]);
}

#[test]
fn a_server_that_ends_and_one_that_starts_do_not_get_into_each_others_way() {
    let home = Home::rove();
    for round in 0..6 {
        home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "trap '' HUP; exec cat"]);
        let start = Instant::now();
        std::thread::scope(|scope| {
            let stop = scope.spawn(|| home.run(&["daemon", "stop"]));
            let calls: Vec<_> = (0..3)
                .map(|number| {
                    let home = &home;
                    scope.spawn(move || {
                        home.run(&["new-session", "-d", "-s", &format!("r{round}-{number}"), "exec cat"])
                    })
                })
                .collect();
            assert_eq!(stop.join().unwrap().code, 0);
            for call in calls {
                let call = call.join().unwrap();
                // Either it came before the end, and is kept, or it was the next server's, or it was told.
                assert!(call.code == 0 || call.stderr.contains("server"), "{call:?}");
            }
        });
        assert!(start.elapsed() < BOUND);
        let listed = home.ok(&["ls"]);
        assert!(listed.contains("work:"), "{listed}");
        home.ok(&["reset", "--yes"]);
        home.wait_empty();
    }
}
