//! What `/proc` says of processes. Only exact process ids are ever signalled.

use std::fs;

pub use rustix::process::Signal;
use rustix::process::{Pid, kill_process};

/// A process at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The name of what it runs, at most 15 bytes.
    pub comm: String,
    /// `R`, `S`, `T` and so on.
    pub state: char,
    /// Its parent.
    pub parent: u32,
    /// When it began, in ticks after boot: with the pid it never comes again.
    pub started: u64,
}

/// The process of that id; a zombie is none.
pub fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold anything, a bracket too: the fields begin after the last one.
    let (before, after) = text.rsplit_once(')')?;
    let comm = before.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = after.split_whitespace().collect();
    let state = fields.first()?.chars().next()?;
    let stat = Stat { comm, state, parent: fields.get(1)?.parse().ok()?, started: fields.get(19)?.parse().ok()? };
    (!matches!(state, 'Z' | 'X')).then_some(stat)
}

/// Whether it runs.
pub fn alive(pid: u32) -> bool {
    stat(pid).is_some()
}

/// The parent's id, 0 for a process that is gone.
pub fn parent(pid: u32) -> u32 {
    stat(pid).map_or(0, |stat| stat.parent)
}

/// The parents upward, nearest first, up to the first process of the system.
pub fn ancestors(pid: u32) -> Vec<u32> {
    std::iter::successors(Some(parent(pid)), |pid| Some(parent(*pid))).take_while(|pid| *pid > 1).collect()
}

/// All running processes.
pub fn all() -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap();
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(|pid| alive(*pid)).collect()
}

/// The direct children.
pub fn children(pid: u32) -> Vec<u32> {
    all().into_iter().filter(|child| parent(*child) == pid).collect()
}

/// Everything below a process.
pub fn descendants(pid: u32) -> Vec<u32> {
    all().into_iter().filter(|child| ancestors(*child).contains(&pid)).collect()
}

/// The words of its command line.
pub fn argv(pid: u32) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    text.split_terminator('\0').map(str::to_owned).collect()
}

/// Every running process whose environment holds exactly `entry` (`NAME=value`).
pub fn with_environment(entry: &str) -> Vec<u32> {
    let has = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|found| found == entry.as_bytes())
    };
    all().into_iter().filter(has).collect()
}

/// How many descriptors it holds open.
pub fn open_files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}

fn memory(pid: u32, file: &str, field: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let value = text.lines().find_map(|line| line.strip_prefix(field));
    value.and_then(|value| value.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Its resident memory in kB.
pub fn rss_kb(pid: u32) -> u64 {
    memory(pid, "status", "VmRSS:")
}

/// Its share of resident memory in kB: pages that several processes map are divided among them.
pub fn pss_kb(pid: u32) -> u64 {
    memory(pid, "smaps_rollup", "Pss:")
}

/// The most memory it ever had resident, in kB.
pub fn peak_rss_kb(pid: u32) -> u64 {
    memory(pid, "status", "VmHWM:")
}

/// Sends a signal to one process. One that is gone already is as good.
pub fn signal(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(pid.cast_signed()).filter(|pid| pid.as_raw_nonzero().get() > 1);
    let _ = kill_process(pid.expect("a real process id"), signal);
}

/// Ends it without asking, and waits until it is gone.
#[track_caller]
pub fn kill(pid: u32) {
    let started = stat(pid).map(|stat| stat.started);
    signal(pid, Signal::KILL);
    super::wait_for(&format!("the end of process {pid}"), || {
        stat(pid).map(|stat| stat.started) != started || started.is_none()
    });
}

#[test]
fn a_child_is_seen_by_its_parent_its_environment_and_its_end() {
    let entry = format!("ROVE_HARNESS_TEST={}", uuid::Uuid::new_v4());
    let (name, value) = entry.split_once('=').unwrap();
    let mut child = std::process::Command::new("sleep").arg("600").env(name, value).spawn().unwrap();
    super::wait_for("the child", || with_environment(&entry) == [child.id()]);
    let own = std::process::id();
    assert!(children(own).contains(&child.id()) && descendants(own).contains(&child.id()));
    assert!(ancestors(child.id()).starts_with(&[own]));
    assert_eq!(argv(child.id()), ["sleep", "600"]);
    assert!(open_files(child.id()) > 0 && rss_kb(child.id()) > 0 && pss_kb(child.id()) > 0);
    kill(child.id());
    assert!(!alive(child.id()) && with_environment(&entry).is_empty());
    child.wait().unwrap();
}
