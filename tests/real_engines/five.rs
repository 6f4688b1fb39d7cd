//! Five panes of real engines, stopped and started again and again. Runs inside the namespaces that the parent module makes.

use std::time::{Duration, Instant};

use crate::harness::wait::poll;
use crate::harness::{Home, Stage, process};

const CAST: [&str; 5] = ["claude", "codex", "claude", "codex", "claude"];

/// How long an engine may take to start, or to answer.
const PATIENCE: Duration = Duration::from_secs(150);
/// Between a text and its Enter: together they would be a paste.
const REST: Duration = Duration::from_millis(800);
/// How long a screen must stand still, and a process have run, before it is typed at.
const QUIET: Duration = Duration::from_millis(1500);
const SETTLE: Duration = Duration::from_secs(5);
/// When to press Enter again, for a program that swallowed it.
const AGAIN: Duration = Duration::from_secs(6);

/// Variables that the engines need, out of the environment this test was started with.
const PASSED: &[&str] = &[
    "HOME",
    "TMPDIR",
    "CODEX_HOME",
    "PATH",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_API_KEY",
    "MOCK_KEY",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "DISABLE_AUTOUPDATER",
    "DISABLE_TELEMETRY",
    "DISABLE_ERROR_REPORTING",
];

fn screen(stage: &Stage, pane: &str) -> String {
    stage.home.run(&["capture-pane", "-p", "-J", "-t", pane]).stdout
}

fn known(stage: &Stage, at: usize) -> String {
    stage.home.format(&stage.panes[at], "#{pane_conversation}")
}

/// The engine's process in a pane: the topmost below its shell.
fn engine(stage: &Stage, pane: &str) -> Option<u32> {
    let shell: u32 =
        stage.home.run(&["display-message", "-p", "-t", pane, "#{pane_pid}"]).stdout.trim().parse().ok()?;
    process::descendants(shell).into_iter().find(|pid| {
        let comm = process::stat(*pid).map_or_else(String::new, |stat| stat.comm);
        agents::table::Table::default().engine_of(&comm, &process::argv(*pid)).is_some()
    })
}

/// Real programs take what is typed too fast for a paste, and say nothing of when they are ready for more.
fn rest(time: Duration) {
    poll(time, || None::<()>);
}

fn until<T>(stage: &Stage, pane: &str, what: &str, condition: impl FnMut() -> Option<T>) -> T {
    let found = poll(PATIENCE, condition);
    found.unwrap_or_else(|| panic!("waited for {what} in {pane}, which shows:\n{}", screen(stage, pane)))
}

/// Waits until an engine runs in a process of its own and shows its prompt on a screen that stands still.
fn wait_ready(stage: &Stage, pane: &str, name: &str) -> u32 {
    let pid = until(stage, pane, name, || engine(stage, pane));
    let row = agents::find(name).unwrap();
    let born = Instant::now();
    let (mut last, mut since) = (String::new(), Instant::now());
    until(stage, pane, "its prompt", || {
        let now = screen(stage, pane);
        if now != last {
            (last, since) = (now, Instant::now());
        }
        rest(Duration::from_millis(100));
        (row.is_ready(&last) && since.elapsed() >= QUIET && born.elapsed() >= SETTLE).then_some(())
    });
    pid
}

fn say(stage: &Stage, pane: &str, text: &str, mut is_done: impl FnMut(&str) -> bool) -> String {
    stage.home.ok(&["send-keys", "-t", pane, "-l", text]);
    rest(REST);
    stage.home.ok(&["send-keys", "-t", pane, "Enter"]);
    let mut pressed = Instant::now();
    until(stage, pane, &format!("an answer to {text:?}"), || {
        rest(Duration::from_millis(100));
        let now = screen(stage, pane);
        if is_done(&now) {
            return Some(now);
        }
        if pressed.elapsed() >= AGAIN {
            stage.home.ok(&["send-keys", "-t", pane, "Enter"]);
            pressed = Instant::now();
        }
        None
    })
}

fn tell(stage: &Stage, pane: &str, word: &str) {
    say(stage, pane, &format!("the codeword is {word}. Repeat the codeword."), |now| now.matches(word).count() >= 2);
}

/// Asks for the word; gives what stands after the question.
fn ask(stage: &Stage, pane: &str) -> String {
    let nonce = format!("{:07}", uuid::Uuid::new_v4().as_u128() % 10_000_000);
    let answer = format!("ANSWER {nonce}:");
    let shown = say(stage, pane, &format!("what is the codeword? nonce {nonce}"), |now| {
        now.rsplit_once(&answer).is_some_and(|(_, after)| after.trim_start().contains(|c: char| c.is_whitespace()))
    });
    let (_, after) = shown.rsplit_once(&answer).unwrap();
    after.split_whitespace().next().unwrap_or_default().to_owned()
}

pub fn play() {
    let mut home = Home::rove();
    for name in PASSED {
        if let Ok(value) = std::env::var(name) {
            home.set(name, &value);
        }
    }
    // The directory that the engines were told to trust, by another name.
    let link = home.path("work/link");
    std::os::unix::fs::symlink(std::env::current_dir().unwrap(), &link).unwrap();
    let directory = link.display().to_string();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "400", "-y", "50", "-c", &directory]);
    for _ in 1..CAST.len() {
        home.ok(&["split-window", "-h", "-t", "work", "-c", &directory]);
        home.ok(&["select-layout", "-t", "work", "even-horizontal"]);
    }
    let panes = home.ok(&["list-panes", "-t", "work", "-F", "#{pane_id}"]).lines().map(str::to_owned).collect();
    let stage = Stage { home, panes, engines: CAST.to_vec() };
    for (pane, engine) in stage.panes.iter().zip(CAST) {
        stage.home.ok(&[engine, "-t", pane]);
        wait_ready(&stage, pane, engine);
    }
    let mut words: Vec<String> = (0..CAST.len()).map(|at| format!("WORD-{at}-{}", short())).collect();
    for (pane, word) in stage.panes.iter().zip(&words).rev() {
        tell(&stage, pane, word);
    }
    let cycles: usize = std::env::var("ROVE_E2E_CYCLES").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let (begun, mut right) = (Instant::now(), 0);
    for cycle in 1..=cycles {
        if cycle == 2 {
            turn(&stage, 2, "/clear", &mut words);
            turn(&stage, 1, "/new", &mut words);
        }
        let before: Vec<Option<u32>> = stage.panes.iter().map(|pane| engine(&stage, pane)).collect();
        stop_and_kill(&stage);
        let _tty = stage_tty(&stage);
        for ((pane, name), before) in stage.panes.iter().zip(CAST).zip(&before) {
            assert_ne!(Some(wait_ready(&stage, pane, name)), *before);
        }
        let answers: Vec<String> = stage.panes.iter().map(|pane| ask(&stage, pane)).collect();
        println!("cycle {cycle}, {} s: {answers:?}", begun.elapsed().as_secs());
        assert_eq!(answers, words, "cycle {cycle}");
        right += answers.len();
    }
    println!("RIGHT: {right} of {}", CAST.len() * cycles);
}

fn short() -> String {
    uuid::Uuid::new_v4().simple().to_string()[..6].to_owned()
}

/// Another conversation in the running engine, which is told another word.
fn turn(stage: &Stage, at: usize, line: &str, words: &mut [String]) {
    let (pane, before) = (&stage.panes[at], known(stage, at));
    // One tells of it at once; of the other's there is nothing to tell before its first message.
    let tells_at_once = CAST[at] == "claude";
    let is_typed = |now: &str| now.trim_end().lines().rev().take(8).any(|row| row.contains(line));
    say(stage, pane, line, |now| if tells_at_once { known(stage, at) != before } else { !is_typed(now) });
    rest(SETTLE);
    words[at] = format!("AGAIN-{at}-{}", short());
    tell(stage, pane, &words[at]);
    until(stage, pane, "its other conversation", || (known(stage, at) != before).then_some(()));
    println!("{line}: {before} -> {}", known(stage, at));
}

fn stop_and_kill(stage: &Stage) {
    let (server, host) = (stage.home.server(), stage.home.host_of(&stage.panes[0]));
    stage.home.ok(&["stop", "work"]);
    for pid in [server, host].into_iter().filter(|pid| process::alive(*pid)) {
        process::signal(pid, process::Signal::KILL);
    }
    stage.home.wait_empty();
}

fn stage_tty(stage: &Stage) -> crate::harness::Tty {
    let mut tty = crate::harness::Tty::open(&stage.home, &["attach", "work"], 400, 51);
    tty.wait_until("the session", |screen| screen.alternate);
    tty
}
