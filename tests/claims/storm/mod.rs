//! Everything that can happen to a server, in random order: clients, the server and the host are killed, tabs and splits open and close,
//! terminals change size. After each step and at the end: what is to live lives, what was closed stays closed, no numbered line is missing
//! while the host lives and at most five seconds of them when it dies, no file is left over and no process is anybody's but ours.
//!
//! `ROVE_SEED` repeats a storm, `ROVE_STORM_SECONDS` sets how long it blows.

mod feeder;
mod steps;
mod truth;

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use crate::harness::{Home, Stage, Tty, long};

/// Random numbers that come again with the same seed (splitmix64).
pub(super) struct Dice(u64);

impl Dice {
    /// By `ROVE_SEED`, or by chance; the seed is told.
    pub(super) fn seeded() -> Dice {
        let by_chance = || u64::from_le_bytes(*uuid::Uuid::new_v4().as_bytes().first_chunk().unwrap());
        let seed = number("ROVE_SEED").unwrap_or_else(by_chance);
        eprintln!("ROVE_SEED={seed}");
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of `count` numbers from 0 on.
    pub(super) fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count as u64).unwrap()
    }

    pub(super) fn between(&mut self, least: u16, most: u16) -> u16 {
        least + u16::try_from(self.below(usize::from(most - least) + 1)).unwrap()
    }

    pub(super) fn one_of<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }
}

/// What runs in a pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Prints numbered lines.
    Feeder,
    /// A stand-in engine that was told this word.
    Agent(&'static str, String),
}

/// How a run of a pane's program ended that was not its own end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// With its host: the newest seconds may be lost.
    Crashed,
    /// By a stop: nothing may be lost.
    Stopped,
}

/// A pane that is to be there.
#[derive(Debug, Clone)]
pub(super) struct Pane {
    pub(super) name: String,
    pub(super) uuid: String,
    pub(super) session: String,
    pub(super) window: String,
    pub(super) kind: Kind,
    /// Its program; `None` while its session is asleep.
    pub(super) pid: Option<u32>,
    /// How each of its runs but the last ended.
    pub(super) ended: Vec<Ended>,
}

/// A client and what it shows.
pub(super) struct Watcher {
    pub(super) tty: Tty,
    pub(super) session: String,
}

/// A storm.
pub(super) struct Storm {
    pub(super) stage: Stage,
    pub(super) dice: Dice,
    /// By pane id.
    pub(super) panes: BTreeMap<String, Pane>,
    /// Pane ids and uuids of what was closed.
    pub(super) closed: Vec<(String, String)>,
    pub(super) clients: Vec<Watcher>,
    pub(super) named: usize,
    /// Most seconds of lines that any host took with it.
    pub(super) worst_loss: f64,
    pub(super) log: Vec<String>,
}

impl Storm {
    fn begin(dice: Dice) -> Storm {
        let home = Home::rove();
        fs::write(home.path("work/feed"), feeder::SCRIPT).unwrap();
        let stage = Stage { home, panes: Vec::new(), engines: Vec::new() };
        let mut storm = Storm {
            stage,
            dice,
            panes: BTreeMap::new(),
            closed: Vec::new(),
            clients: Vec::new(),
            named: 0,
            worst_loss: 0.0,
            log: Vec::new(),
        };
        storm.ok(&[
            "start-server",
            ";",
            "set-option",
            "-g",
            "history-limit",
            "500000",
            ";",
            "new-session",
            "-d",
            "-s",
            "first",
            "cat",
        ]);
        storm.ok(&["set-option", "-s", "freeze-history", "8192"]);
        storm.new_session();
        storm.ok(&["kill-session", "-t", "first"]);
        storm
    }

    pub(super) fn home(&self) -> &Home {
        &self.stage.home
    }

    #[track_caller]
    pub(super) fn ok(&self, args: &[&str]) -> String {
        self.stage.home.ok(args)
    }

    /// The sessions that are to be there.
    pub(super) fn sessions(&self) -> Vec<String> {
        let mut names: Vec<String> = self.panes.values().map(|pane| pane.session.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether a session's programs run.
    pub(super) fn is_awake(&self, session: &str) -> bool {
        self.panes.values().any(|pane| pane.session == session && pane.pid.is_some())
    }

    fn blow(&mut self, time: Duration) {
        let start = Instant::now();
        let mut steps = 0;
        while start.elapsed() < time {
            let what = self.step();
            steps += 1;
            let at = start.elapsed().as_millis();
            self.log.push(format!("{at} ms: {what}"));
            if let Some(wrong) = self.what_is_wrong() {
                panic!("after `{what}`: {wrong}");
            }
        }
        println!("{steps} steps; {} panes, {} closed", self.panes.len(), self.closed.len());
    }
}

impl Drop for Storm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the storm so far:\n{}", self.log.join("\n"));
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.trim().parse().ok()
}

#[test]
fn s5_s13_s32_s34_a_storm_costs_nothing_that_was_to_stay() {
    let seconds = number("ROVE_STORM_SECONDS").unwrap_or(if long() { 1800 } else { 25 });
    eprintln!("ROVE_STORM_SECONDS={seconds}");
    let mut storm = Storm::begin(Dice::seeded());
    storm.blow(Duration::from_secs(seconds));
    storm.end();
}
