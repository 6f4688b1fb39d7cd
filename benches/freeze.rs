//! What keeping sessions on disk costs: `cargo bench --bench freeze [-- PANES SECONDS]`, or with `ROVE_TEST_BIN` for a
//! program that is built already. On a calm machine.
//!
//! * CPU of the server with `freeze` on and off while all panes print, in turns, so that other load hits both alike;
//! * how long a typed key takes to be on the terminal, in both;
//! * how long an attach takes to show a session whose panes all come back with 512 KiB of history each.

// It measures the real program on the real clock.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, dead_code, unused_imports)]

#[path = "../tests/harness/mod.rs"]
mod harness;

use std::fs;
use std::time::{Duration, Instant};

use harness::{Home, Tty, process, wait_for};

/// A pane prints this many lines of about 50 bytes ten times a second.
const LINES: usize = 4;
const KEYS: usize = 400;
const ROUNDS: usize = 3;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<usize>().ok());
    let (panes, seconds) = (numbers.next().unwrap_or(100), numbers.next().unwrap_or(10));
    println!("{panes} panes, {ROUNDS} rounds of {seconds} s each way");
    streaming(panes, Duration::from_secs(seconds as u64));
    thaw(panes);
}

/// The middle and the 99th percentile, in microseconds.
fn report(what: &str, times: &mut [Duration]) -> (u128, u128) {
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)].as_micros();
    println!("{what}: p50 {} us, p99 {} us, worst {} us of {}", at(50), at(99), at(100), times.len());
    (at(50), at(99))
}

/// The time all threads of a process have had on a core.
fn cpu(pid: u32) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let ran = tasks.filter_map(|task| fs::read_to_string(task.path().join("schedstat")).ok());
    Duration::from_nanos(ran.filter_map(|text| text.split(' ').next()?.parse::<u64>().ok()).sum())
}

fn streaming(panes: usize, time: Duration) {
    let home = Home::rove();
    let line = "the quick brown fox jumps over the lazy dog 0123456789";
    let feed = format!("while :; do for i in $(seq {LINES}); do echo {line}; done; sleep 0.1; done");
    home.ok(&["new-session", "-d", "-s", "keys", "-x", "100", "-y", "30", "exec cat"]);
    home.ok(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30", &feed]);
    for _ in 1..panes {
        home.ok(&["new-window", "-d", "-t", "work:", &feed]);
    }
    let mut tty = Tty::open(&home, &["attach", "keys"], 100, 30);
    tty.wait_until("the session", |screen| screen.bottom().starts_with("[keys]"));
    let (mut used, mut keys) = ([Duration::ZERO; 2], [Vec::new(), Vec::new()]);
    for round in 0..ROUNDS * 2 {
        let on = round % 2;
        home.ok(&["set-option", "-s", "freeze", if on == 1 { "on" } else { "off" }]);
        let server = home.server();
        let (before, begin) = (cpu(server), Instant::now());
        for number in 0..KEYS {
            keys[on].push(echo(&mut tty, number));
            std::thread::sleep((time / KEYS as u32).saturating_sub(Duration::from_millis(1)));
        }
        std::thread::sleep((begin + time).saturating_duration_since(Instant::now()));
        used[on] += (cpu(server) - before).mul_f64(time.as_secs_f64() / begin.elapsed().as_secs_f64());
    }
    let share = |used: Duration| used.as_secs_f64() / (time.as_secs_f64() * ROUNDS as f64) * 100.0;
    println!(
        "server CPU: {:.2} % of a core without freezing, {:.2} % with: {:+.2} % for it",
        share(used[0]),
        share(used[1]),
        share(used[1]) - share(used[0])
    );
    let [off, on] = &mut keys;
    let (off, on) = (report("key echo without freezing", off), report("key echo with", on));
    let moved = |off: u128, on: u128| (on as f64 / off as f64 - 1.0) * 100.0;
    println!("moved: p50 {:+.1} %, p99 {:+.1} %", moved(off.0, on.0), moved(off.1, on.1));
}

/// Types a key and waits for it; a new line now and then.
fn echo(tty: &mut Tty, number: usize) -> Duration {
    let before = tty.written().len();
    let begin = Instant::now();
    tty.type_keys(if number % 60 == 59 { "\r" } else { "x" });
    while tty.written().len() == before && begin.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_micros(50));
    }
    begin.elapsed()
}

fn thaw(panes: usize) {
    let home = Home::rove();
    let line = "the quick brown fox jumps over the lazy dog 0123456789";
    // More than 512 KiB in each, then a mark.
    let fill = format!("yes '{line}' | head -n 11000; echo filled; exec cat");
    home.ok(&[
        "start-server",
        ";",
        "set-option",
        "-g",
        "history-limit",
        "20000",
        ";",
        "new-session",
        "-d",
        "-s",
        "work",
        "-x",
        "100",
        "-y",
        "30",
        &fill,
    ]);
    for number in 1..panes {
        home.ok(&["new-window", "-d", "-t", "work:", "-n", &format!("w{number}"), &fill]);
    }
    wait_for("all panes to be full", || {
        let shown = home.ok(&["list-panes", "-s", "-t", "work", "-F", "#{history_size}"]);
        shown.lines().filter(|size| size.parse::<u32>().is_ok_and(|size| size > 10_000)).count() == panes
    });
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let begin = Instant::now();
        home.ok(&["daemon", "stop"]);
        home.wait_empty();
        if round == 0 {
            let bytes: u64 = home.files("home/pty-sessions").iter().map(|file| fs::metadata(file).unwrap().len()).sum();
            println!("stopped in {:?}, {} MiB on disk", begin.elapsed(), bytes >> 20);
        }
        let begin = Instant::now();
        let mut tty = Tty::open(&home, &["attach", "work"], 100, 31);
        loop {
            let screen = tty.screen();
            if screen.bottom().starts_with("[work]") && screen.has("quick brown fox") {
                break;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "{}", screen.text());
            std::thread::sleep(Duration::from_micros(200));
        }
        times.push(begin.elapsed());
        let all = || home.ok(&["list-panes", "-s", "-t", "work", "-F", "#{pane_pid}"]).lines().all(|pid| pid != "0");
        wait_for("all programs", all);
        println!("attached: on screen after {:?}, all programs started after {:?}", times[round], begin.elapsed());
        wait_for("all panes to be full again", || {
            let shown = home.ok(&["list-panes", "-s", "-t", "work", "-F", "#{history_size}"]);
            shown.lines().filter(|size| size.parse::<u32>().is_ok_and(|size| size > 10_000)).count() == panes
        });
    }
    report("thaw, from the call to the screen", &mut times);
}
